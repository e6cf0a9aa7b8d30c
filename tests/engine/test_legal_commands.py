"""Offers: what a viewer may do now, or the reason and rule why not."""

from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Refused
from games.engine.insight.domains import SHOWN, Choices
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import CLOCK, Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.ruleset import TABLE
from tests.engine.cairns import ANN, GM_ACTOR, table
from tests.toy.rules.commands import AddStones, BringTide, HideCoins

ANN_ACTS = Actor(Issuer.SEAT, seat=ANN)


@given(st.lists(st.integers(), max_size=450))
def test_a_domain_lists_two_hundred_values_and_counts_the_rest(values):
    domain = Choices.of(values)
    assert domain.values == tuple(values[:200])
    assert domain.more == len(values) - len(domain.values)
    assert SHOWN == 200


def test_every_legal_command_is_accepted():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    (candidate,) = legal_commands_for(cairns.state, cairns.ruleset.own.commands, ANN_ACTS)
    assert (candidate.command, candidate.legal, candidate.price) == ("add-stones", True, 0)
    stones = candidate.arguments["stones"]
    for number in range(stones.low, stones.high + 1):
        cairns.when(AddStones(stones=number), ANN)
    assert cairns.state.piles[ANN].stones == 15


def test_a_barred_command_has_its_reason():
    cairns = table()
    (candidate,) = legal_commands_for(cairns.state, [AddStones], ANN_ACTS)
    assert (candidate.command, candidate.legal) == ("add-stones", False)
    assert isinstance(candidate.barred, Refused)
    assert candidate.barred.code == "phase.closed"


def test_commands_of_others_and_of_the_clock_are_not_listed():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    assert legal_commands_for(cairns.state, [AddStones], GM_ACTOR) == []
    assert legal_commands_for(cairns.state, [BringTide], CLOCK) == []
    assert legal_commands_for(cairns.state, [HideCoins], ANN_ACTS) == []  # says nothing of itself
    assert "bring-tide" not in cairns.ruleset.open_commands
    assert "bring-tide" in cairns.ruleset.commands


def test_who_acts_for_a_seat_is_listed_what_that_seat_may_do_and_nothing_of_their_own():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    commands = cairns.ruleset.own.commands
    acting = legal_commands_for(cairns.state, commands, Actor(Issuer.GM, on_behalf_of=ANN))
    assert acting == legal_commands_for(cairns.state, commands, ANN_ACTS) != []
    seats = legal_commands_for(cairns.state, TABLE.commands, Actor(Issuer.GM, on_behalf_of=ANN))
    assert not [entry for entry in seats if entry.legal], "a seat is given away, or taken, by one's own right"


def test_a_command_is_legal_unless_it_is_barred():
    assert LegalCommand("x").legal
    assert not LegalCommand("x", barred=Refused("points.short", "No.")).legal
