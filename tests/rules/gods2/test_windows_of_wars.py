"""What the GMs are asked about wars, and what happens in silence (section 9.1)."""

from uuid import UUID

import pytest

from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.declarations.events import CasualtiesPreviewed, DiplomacySet, WarsCombined
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.state.records import DiplomacyPolicy, Purse
from games.gods2.rules.state.value_types import StrengthOf
from games.gods2.rules.war.combined_commands import CombineWars, SetWarSplit
from games.gods2.rules.war.events import DiplomacyTried, WarAverted, WarFought
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar, SetDiplomacy
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.desk import GM_OPTIONS, accept_growth, declare_war, kinds, left, prompt_of, seconds, warring
from tests.rules.gods2.era import ANA, GM, begin, define, minutes, set_up, shares, two_peoples, units


def three() -> tuple[Playbook, UUID, UUID, UUID]:
    """West and East on both sides of the Middle; Ashkar can make each of the two declare war on it."""
    book = set_up(options=GM_OPTIONS)
    west, middle, east = (
        define(book, name, units(*((x + i, 1, 1) for i in range(2))), pantheon=shares(a=60, b=40))
        for name, x in (("West", 0), ("Middle", 2), ("East", 4))
    )
    accept_growth(begin(book))
    book.state.purses[ANA] = Purse(ANA, 100)
    for war in list(book.state.wars):  # what they have begun by themselves is another story
        del book.state.wars[war]
        del book.state.timers[f"war:{war}"]
    for question in [p.id for p in book.state.prompts.values() if p.kind.startswith("WAR.")]:
        del book.state.prompts[question]
    return book, west, middle, east


@pytest.mark.rule("G2-DIP-2", "G2-DIP-3", "G2-WAR-1")
def test_diplomacy_and_the_time_of_a_war_are_asked_until_it_is_due() -> None:
    book, dwarves, elves, war = warring()
    diplomacy, time = prompt_of(book, "WAR.diplomacy"), prompt_of(book, "WAR.time")
    assert {diplomacy.lane, time.lane} == {f"war:{war}"} and diplomacy.subject == time.subject == war
    assert diplomacy.answered_by == ("set-diplomacy",) and time.answered_by == ("hold-war", "fight-war-now")
    assert diplomacy.owners == time.owners == ("gm",) and "WAR.combine" not in kinds(book)
    assert left(book, f"war:{war}") == seconds(300)
    for race, policy in ((elves, DiplomacyPolicy.AUTO), (dwarves, DiplomacyPolicy.TRY)):
        assert of_kind(book.when(SetDiplomacy(war=war, race=race, policy=policy), by=GM), DiplomacySet)
    with refused("policy.forced", book.state):
        book.when(SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    events = book.wait(seconds(300))
    passed = [e.prompt for e in of_kind(events, DeadlinePassed)]
    assert time.id in passed and diplomacy.id not in passed  # the one was left to silence, the other answered
    assert of_kind(events, DiplomacyTried)
    assert not {"WAR.diplomacy", "WAR.time"} & set(kinds(book))


@pytest.mark.rule("G2-DIP-3")
def test_in_silence_each_side_decides_for_itself() -> None:
    book, west, middle, _ = three()
    war = declare_war(book, west, middle)
    events = book.wait(seconds(300))
    tried = {e.race for e in of_kind(events, DiplomacyTried)}
    assert tried <= {west, middle} and not [k for k in book.state.policies if k[0] == war]
    assert of_kind(events, WarFought, CasualtiesPreviewed, WarAverted)


@pytest.mark.rule("G2-WAR-1")
def test_a_war_is_held_for_ten_minutes_in_all_or_fought_now() -> None:
    book, _, _, war = warring()
    question = prompt_of(book, "WAR.time")
    book.when(HoldWar(war=war, seconds=400), by=GM)
    assert left(book, f"war:{war}") == seconds(700)
    with refused("war.held", book.state):
        book.when(HoldWar(war=war, seconds=201), by=GM)
    for longer in (601, 10**15):
        with refused("war.held", book.state):
            book.when(HoldWar(war=war, seconds=longer), by=GM)
    book.when(HoldWar(war=war, seconds=200), by=GM)
    assert any(prompt == question.id for prompt, _ in book.state.answers)
    events = book.when(FightWarNow(war=war), by=GM)
    assert of_kind(events, WarFought, WarAverted, CasualtiesPreviewed)
    assert "WAR.time" not in kinds(book)


@pytest.mark.rule("G2-WAR-1", "G2-AMB-39")
def test_a_war_is_fought_at_the_end_of_the_activity_phase_at_the_latest() -> None:
    book, dwarves, elves = two_peoples(GM_OPTIONS)
    accept_growth(book)
    book.wait(minutes(24))
    war = declare_war(book, dwarves, elves)
    assert book.state.wars[war].due == book.state.era.activity_ends_at
    book.wait(minutes(1))
    assert book.state.wars[war].status != "declared" and not [k for k in kinds(book) if k.startswith("WAR.")]


@pytest.mark.rule("G2-WAR-15", "G2-WAR-16", "G2-AMB-15", "G2-AMB-50")
def test_combining_is_asked_when_another_war_could_go_along_and_silence_combines_nothing() -> None:
    book, west, middle, east = three()
    one = declare_war(book, west, middle)
    assert "WAR.combine" not in kinds(book)
    two = declare_war(book, east, middle)
    question = prompt_of(book, "WAR.combine")
    assert question.subject == two and question.answered_by == ("combine-wars", "set-war-split")
    (combined,) = of_kind(book.when(CombineWars(wars=(one, two), text="The grove"), by=GM), WarsCombined)
    whole = strength(book.state, middle)
    split = (StrengthOf(race=west, strength=whole), StrengthOf(race=east, strength=0))
    book.when(SetWarSplit(group=combined.group, strengths=split), by=GM)
    assert any(prompt == question.id for prompt, _ in book.state.answers)

    silent, west, middle, east = three()
    wars = [declare_war(silent, west, middle), declare_war(silent, east, middle)]
    question = prompt_of(silent, "WAR.combine")
    events = silent.wait(seconds(300))
    assert question.id in [e.prompt for e in of_kind(events, DeadlinePassed)]
    assert not of_kind(events, WarsCombined) and {silent.state.wars[w].group for w in wars} == {None}


@pytest.mark.rule("G2-WAR-8", "G2-WAR-12")
def test_the_losses_of_a_war_are_shown_for_thirty_seconds() -> None:
    book, west, middle, _ = three()
    war = declare_war(book, west, middle)
    for race in (west, middle):
        book.when(SetDiplomacy(war=war, race=race, policy=DiplomacyPolicy.REFRAIN), by=GM)
    assert of_kind(book.wait(seconds(300)), CasualtiesPreviewed)
    question = prompt_of(book, "WAR.preview")
    assert question.lane == f"war:{war}" and left(book, f"prompt:{question.id}") == seconds(30)
    assert not of_kind(book.wait(seconds(29)), WarFought)
    assert of_kind(book.wait(seconds(1)), WarFought)


@pytest.mark.rule("G2-WAR-1")
def test_wars_that_came_due_while_the_clock_was_late_are_fought_gods_first() -> None:
    book, west, middle, east = three()
    first, second = declare_war(book, west, middle), declare_war(book, east, middle)
    for war in (first, second):
        for race in (west, middle, east):
            if race in (book.state.wars[war].attacker, book.state.wars[war].defender):
                book.when(SetDiplomacy(war=war, race=race, policy=DiplomacyPolicy.REFRAIN), by=GM)
    events = book.wait(minutes(10))
    assert [e.war for e in of_kind(events, CasualtiesPreviewed)] == [first, second]
