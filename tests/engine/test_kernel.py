"""The kernel: commands become events, events become the state, and nothing else does (CF-1, CF-5, CF-9)."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ids import slot_of
from games.engine.audience import GM, PUBLIC, seat_and_gm
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, Issuer, execute, fold
from games.engine.lifecycle.gm_commands import Overrule, Pause, Resume, Start
from games.engine.prompts.prompt import PromptOpened
from tests.dice import d
from tests.engine.cairns import ANN, BOB, GAME, GM_ACTOR, table
from tests.playbook import DAWN, refused
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose, RollStones, StonesAdded
from tests.toy.rules.state import State

SEAT = st.sampled_from([ANN, BOB])
OPEN_DEEDS = st.one_of(
    st.tuples(SEAT, st.builds(AddStones, stones=st.integers(1, 5))),
    st.tuples(SEAT, st.just(RollStones())),
    st.tuples(SEAT, st.builds(Propose, text=st.just("More tides"))),
    st.tuples(SEAT, st.booleans()),
    st.tuples(st.just(GM_ACTOR), st.sampled_from([Pause(), Resume()])),
    st.tuples(st.none(), st.integers(1, 90)),
)
SECRETS = st.tuples(SEAT, st.builds(HideCoins, coins=st.integers(1, 100)))


def test_to_name_the_state_of_an_event_or_a_command_makes_no_class():
    assert Event[State] is Event
    assert Command[State] is Command
    assert StonesAdded.__mro__[1] is Event


def playthrough(acts):
    """A game in which these acts were tried, in order; True or False votes on the oldest motion."""
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    for who, act in acts:
        if who is None:
            if cairns.state.info.paused_at is None:
                cairns.wait(timedelta(seconds=act))
            continue
        if isinstance(act, bool):
            motions = sorted(cairns.state.prompts.values(), key=lambda p: p.opened_at)
            if not motions:
                continue
            act = CastVote(prompt=motions[0].id, yes=act)
        before = dump(cairns.state)
        try:
            cairns.when(act, who)
        except Refused:
            assert dump(cairns.state) == before
    return cairns


@pytest.mark.rule("CF-1", "CF-5")
@settings(max_examples=60)
@given(st.lists(st.one_of(OPEN_DEEDS, SECRETS), max_size=25))
def test_the_log_alone_leads_to_the_state_and_what_was_refused_left_no_trace(acts):
    assert playthrough(acts).log_folds_to_state()


@pytest.mark.rule("CF-1")
@settings(max_examples=30)
@given(st.lists(st.one_of(OPEN_DEEDS, SECRETS), max_size=25))
def test_the_same_commands_with_the_same_dice_give_the_same_events(acts):
    one, other = playthrough(acts), playthrough(acts)
    assert one.log == other.log
    assert one.heads == other.heads


@settings(max_examples=30)
@given(st.lists(st.one_of(OPEN_DEEDS, SECRETS), max_size=20))
def test_events_survive_being_written_as_json(acts):
    cairns = playthrough(acts)
    read = [(type(h.event).model_validate_json(h.event.model_dump_json()), h.at) for h in cairns.log]
    assert [event for event, _ in read] == [h.event for h in cairns.log]
    fresh = cairns.ruleset.new_state(GAME)
    fresh.info = cairns.retold().info.__class__(GAME, "toy", name="Cairns")
    assert dump(fold(fresh, read)) == dump(cairns.state)


@pytest.mark.rule("CF-9")
@settings(max_examples=50)
@given(st.lists(OPEN_DEEDS, max_size=15), st.lists(st.tuples(st.integers(0, 15), SECRETS), max_size=8))
def test_a_secret_changes_no_id_text_or_ordinal_of_what_others_read(acts, secrets):
    whispered = list(acts)
    for place, (_, secret) in secrets:
        whispered.insert(min(place, len(whispered)), (ANN, secret))
    loud, quiet = playthrough(whispered), playthrough(acts)
    for audience in ("public", GM, seat_and_gm(BOB)):
        assert loud.events_for(audience) == quiet.events_for(audience)
        assert loud.heads.get(audience) == quiet.heads.get(audience)


def test_an_id_is_bound_to_the_stream_and_ordinal_that_first_names_the_thing():
    one, other = table(), table()
    other.happens(lambda s, c: iter([StonesAdded(seat=ANN, stones=1)]))
    here, later = one.context(GM_ACTOR), other.context(GM_ACTOR)
    first, second = here.mint(PUBLIC), here.mint(PUBLIC)
    assert first != second  # two things named by one event
    assert first == one.context(GM_ACTOR).mint(PUBLIC)  # for replay
    assert later.mint(PUBLIC) not in (first, second)
    assert here.mint(GM) == later.mint(GM)  # a public event moves no secret stream
    assert first.version == 4


@given(st.uuids(version=4))
def test_a_minted_id_has_the_slot_of_its_game(game: UUID) -> None:
    tray = Tray(SecretDice(b"x", str(game)))
    here = Context(game=game, now=DAWN, actor=CLOCK, tray=tray, id_secret=b"ids", commands={})
    minted = [here.mint(audience) for audience in (PUBLIC, GM)]
    assert {slot_of(each) for each in minted} == {slot_of(game)}
    assert [each.version for each in minted] == [4, 4]
    assert len(set(minted)) == 2


class RollAndForget(Command):
    """Rolls a die that no event carries."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield StonesAdded(seat=ANN, stones=1)
        ctx.roll("forgotten", 6, "TOY-PILE-2")


def test_a_die_that_no_event_carries_is_an_error():
    with pytest.raises(RuntimeError, match="no event carries"):
        table().when(RollAndForget(), ANN)


@pytest.mark.rule("CF-2")
def test_the_event_that_used_a_die_carries_it():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    cairns.when(RollStones(), ANN, dice=[d(6, "pile", 4)])
    (roll,) = cairns.log[-1].rolls
    assert (roll.label, roll.value, roll.rule) == (f"0/pile:{ANN}/0", 4, "TOY-PILE-2")
    assert [h.rolls for h in cairns.log[:-1]] == [()] * (len(cairns.log) - 1)


def test_an_event_cites_its_command_where_it_cites_no_rule_itself():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    cairns.when(AddStones(stones=2), ANN)
    assert cairns.log[-1].rules == ("TOY-PILE-1",)
    assert cairns.log[-1].text == "Ann adds 2 stones."


def test_the_question_of_a_prompt_is_its_sentence():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="More tides"), ANN)
    assert [h.text for h in cairns.log if isinstance(h.event, PromptOpened)] == ["More tides"]


def test_an_event_says_that_a_game_master_acted_for_a_seat_where_the_readers_know_the_author():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    stand_in = Actor(Issuer.GM, GM_ACTOR.user, GM_ACTOR.seat, on_behalf_of=ANN)
    cairns.when(HideCoins(coins=3), stand_in)
    assert (cairns.log[-1].audience, cairns.log[-1].on_behalf_of) == (seat_and_gm(ANN), ANN)
    cairns.when(Propose(text="More tides"), stand_in)  # a public event that names no author
    assert {h.on_behalf_of for h in cairns.log[-2:]} == {None}


@pytest.mark.rule("CF-5")
def test_a_refused_command_costs_no_id_no_die_and_no_ordinal():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    heads, length = dict(cairns.heads), len(cairns.log)
    with refused("seat.missing", cairns.state):
        cairns.when(AddStones(stones=1), UUID(int=99))
    with refused("phase.closed", cairns.state):
        cairns.when(Start(), GM_ACTOR)
    assert (cairns.heads, len(cairns.log)) == (heads, length)


@pytest.mark.parametrize("code", ["short", "Points.short", "points.", "points short", "points.too-short"])
@pytest.mark.rule("CF-13")
def test_a_refusal_without_a_proper_code_is_an_error(code):
    with pytest.raises(ValueError, match=r"noun\.reason"):
        Refused(code, "No.")


def test_a_command_without_a_decision_is_an_error():
    class Idle(Command):
        """Decides nothing."""

    cairns = table()
    with pytest.raises(TypeError):
        execute(cairns.state, Idle(), cairns.context(GM_ACTOR))
    assert Overrule.slug() == "overrule"
    assert HideCoins.slug() == "hide-coins"
    assert Idle.summary() == "Decides nothing."
