"""Effects that leave a choice: one row of a roll table, by the caster, the target or a GM (section 4.2, `choose`)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.choice_commands import ChooseEffect
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import DeedAuthored, PowerCast
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.effects.events import DisasterStruck, EffectAsked, EffectChosen
from games.gods2.rules.history.events import HistoryEntered, NameAsked
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.pack.pack import build
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.window.commands import DrawNumber, PassNumber
from games.gods2.rules.window.events import NumberCalled, NumberServed
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, two_peoples
from tests.rules.gods2.joint import replays_alike
from tests.rules.gods2.raw_packs import raw_pack

FORK = {
    "id": "fork",
    "die": 6,
    "codes": ["X"],
    "rows": [
        {"from": 4, "to": 6, "effects": [{"op": "mana", "to": "caster", "amount": 7}]},
        {"from": 2, "to": 3, "effects": [{"op": "learn", "knowledge": "toolmaking"}]},
        {"from": 1, "to": 1, "effects": [{"op": "learn", "knowledge": "tribal_law", "if": [{"level": "civilized"}]}]},
    ],
}


def crossroads(by: str = "caster", times: int = 1, **more: Any) -> tuple[Playbook, UUID]:
    """A game with a power that leaves a choice; of its rows 2 and 4 can be chosen on the primitive Dwarves."""
    book, dwarves, _ = two_peoples(cards={ANA: {"FE": 3}})
    raw = raw_pack(1)
    raw["tables"].append(FORK)
    effects = [{"op": "choose", "from": "fork", "by": by, **more}] * times
    raw["powers"].append(
        {"id": "cross", "sphere": "FE", "level": 1, "name": "Crossroads", "kind": "history", "codes": ["X"],
         "cost": 5, "target": "race", "origin": "test", "effects": effects}
    )  # fmt: skip
    book.state._packs = {book.state.era.pack_version: build(1, raw)}
    return book, dwarves


def cast(race: UUID, **more: Any) -> CastPower:
    return CastPower(power="cross", targets=(Target(race=race),), **more)


def choice_prompt(book: Playbook) -> Any:
    return next(p for p in book.state.prompts.values() if p.kind == "EFFECT.choose")


@pytest.mark.rule("G2-MISC-1")
def test_the_caster_chooses_a_row_and_the_number_is_served_then() -> None:
    book, dwarves = crossroads()
    events = book.when(cast(dwarves), by=ANA)
    (question,) = of_kind(events, EffectAsked)
    assert [row.row for row in question.rows] == [2, 4]
    assert of_kind(events, PowerCast) and of_kind(events, HistoryEntered) and not of_kind(events, NumberServed)
    assert {h.audience for h in book.log if h.event == question} == {f"gm+seat:{ANA}"}
    assert choice_prompt(book).choices == ("2", "4") and book.state.era.called == 1
    assert not book.state.view_for(frozenset({BEN})).prompts

    chosen = book.when(ChooseEffect(prompt=choice_prompt(book).id, choice="4"), by=ANA)

    assert [e.choice for e in of_kind(chosen, EffectChosen)] == ["4"]
    assert [(e.seat, e.amount, e.balance) for e in of_kind(chosen, ManaGained)] == [(ANA, 7, 22)]
    assert not of_kind(chosen, KnowledgeLearned) and of_kind(chosen, NumberServed)
    assert [e.seat for e in of_kind(chosen, DeedAuthored)] == [ANA]
    assert {h.audience for h in book.log if isinstance(h.event, EffectChosen)} == {"public"}
    assert not book.state.prompts and book.state.era.called is None


@pytest.mark.rule("G2-MISC-1")
@pytest.mark.rule("G2-ASK-1")
def test_silence_of_a_minute_takes_the_first_legal_row() -> None:
    book, dwarves = crossroads()
    book.when(cast(dwarves), by=ANA)
    assert not of_kind(book.wait(timedelta(seconds=59)), EffectChosen)
    events = book.wait(timedelta(seconds=1))
    assert [e.choice for e in of_kind(events, EffectChosen)] == ["2"]
    assert [e.knowledge for e in of_kind(events, KnowledgeLearned)] == ["toolmaking"]
    assert of_kind(events, NumberServed)


@pytest.mark.rule("G2-MISC-1")
def test_a_choice_can_be_made_with_the_casting_and_is_checked_before_payment() -> None:
    book, dwarves = crossroads()
    for wrong in ("1", "3", "north"):
        with refused("choice.invalid", book.state):
            book.when(cast(dwarves, choice=wrong), by=ANA)
    events = book.when(cast(dwarves, choice="4"), by=ANA)
    assert not of_kind(events, EffectAsked)
    assert of_kind(events, EffectChosen, ManaGained, NumberServed)[0] == EffectChosen(
        casting=of_kind(events, PowerCast)[0].casting, choice="4", does="7 mana for the caster"
    )
    assert book.state.purses[ANA].balance == 22


@pytest.mark.rule("G2-MISC-1", "G2-ASK-1")
@pytest.mark.parametrize(("by", "who"), [("target", {ANA, BEN}), ("gm", set())])
def test_the_targets_gods_or_a_gm_choose_where_the_data_says_so(by: str, who: set[UUID]) -> None:
    book, dwarves = crossroads(by)
    events = book.when(cast(dwarves, choice="4"), by=ANA)  # the caster's own answer does not count here
    (question,) = of_kind(events, EffectAsked)
    assert set(question.seats) == who
    with refused("prompt.not_yours", book.state):
        book.when(ChooseEffect(prompt=question.prompt, choice="2"), by=CLEO)
    with refused("choice.invalid", book.state):
        book.when(ChooseEffect(prompt=question.prompt, choice="1"), by=BEN if who else GM)
    chosen = book.when(ChooseEffect(prompt=question.prompt, choice="2"), by=BEN if who else GM)
    assert of_kind(chosen, KnowledgeLearned)
    with refused("prompt.closed", book.state):
        book.when(ChooseEffect(prompt=question.prompt, choice="2"), by=GM)


@pytest.mark.rule("G2-QUEUE-1")
def test_the_next_number_waits_until_the_choice_is_made() -> None:
    book, dwarves = crossroads()
    for seat in (ANA, BEN):
        book.when(DrawNumber(), by=seat)
    book.when(cast(dwarves), by=ANA)
    assert "queue:1" not in book.state.timers and book.state.era.called == 1
    for command in (PassNumber(), cast(dwarves)):
        with refused("prompt.open", book.state):
            book.when(command, by=ANA)
    chosen = book.when(ChooseEffect(prompt=choice_prompt(book).id, choice="2"), by=ANA)
    assert [e.number for e in of_kind(chosen, NumberServed, NumberCalled)] == [1, 2]


@pytest.mark.rule("G2-MISC-1")
@pytest.mark.rule("G2-ASK-1")
def test_of_two_choices_the_last_is_answered_first_and_then_the_number_is_served() -> None:
    book, dwarves = crossroads(times=2)
    book.when(cast(dwarves), by=ANA)
    first, second = sorted((p for p in book.state.prompts.values()), key=lambda p: p.depth)
    with refused("prompt.open", book.state):
        book.when(ChooseEffect(prompt=first.id, choice="4"), by=ANA)
    book.wait(timedelta(seconds=30))
    assert not of_kind(book.when(ChooseEffect(prompt=second.id, choice="4"), by=ANA), NumberServed)
    assert not of_kind(book.wait(timedelta(seconds=59)), EffectChosen)  # its minute stood still
    assert of_kind(book.wait(timedelta(seconds=1)), NumberServed)
    assert book.state.purses[ANA].balance == 22


@pytest.mark.rule("G2-MISC-1")
def test_when_the_activity_phase_ends_the_first_row_happens() -> None:
    book, dwarves = crossroads()
    book.when(cast(dwarves), by=ANA)
    kinds = [type(e).__name__ for e in book.when(EndNow(), by=GM)]
    order = ["DeadlinePassed", "EffectChosen", "KnowledgeLearned", "NumberServed", "ActivityClosed"]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)


def test_a_choice_of_nothing_legal_is_not_asked() -> None:
    book, dwarves = crossroads(**{"if": [{"level": "civilized"}]})
    events = book.when(cast(dwarves), by=ANA)
    assert not of_kind(events, EffectAsked, DisasterStruck) and of_kind(events, NumberServed)


def test_the_rows_are_legal_choices_of_the_chooser_alone() -> None:
    book, dwarves = crossroads()
    book.when(cast(dwarves), by=ANA)
    (candidate,) = legal_commands_for(book.state, (ChooseEffect,), Actor(Issuer.SEAT, seat=ANA))
    assert candidate.arguments["choice"].values == ("2", "4")
    assert not legal_commands_for(book.state, (ChooseEffect,), Actor(Issuer.SEAT, seat=BEN))


@pytest.mark.rule("G2-LOG-1")
def test_the_log_of_a_choice_leads_to_the_same_state() -> None:
    book, dwarves = crossroads()
    book.when(cast(dwarves), by=ANA)
    assert replays_alike(book)
    book.when(ChooseEffect(prompt=choice_prompt(book).id, choice="2"), by=ANA)
    assert replays_alike(book)


@pytest.mark.rule("G2-HREC-3", "G2-MISC-1")
@pytest.mark.parametrize("silent", [False, True])
def test_the_caster_names_what_a_chosen_row_has_made(silent: bool) -> None:
    book, dwarves = crossroads()
    raw = raw_pack(1)
    gate = {"from": 1, "to": 6, "effects": [{"op": "learn", "knowledge": "civilization", "free": True}]}
    raw["tables"].append({**FORK, "rows": [gate]})
    raw["powers"].append(
        {"id": "cross", "sphere": "FE", "level": 1, "name": "Crossroads", "kind": "history", "codes": ["X"],
         "cost": 5, "target": "race", "origin": "test", "effects": [{"op": "choose", "from": "fork", "by": "caster"}]}
    )  # fmt: skip
    book.state._packs = {book.state.era.pack_version: build(1, raw)}
    book.when(cast(dwarves), by=ANA)
    choice = ChooseEffect(prompt=choice_prompt(book).id, choice="1")
    events = book.wait(timedelta(seconds=60)) if silent else book.when(choice, by=ANA)
    (city,), (named,) = of_kind(events, CityFounded), of_kind(events, NameAsked)
    assert (named.kind, named.subject, named.seat, named.name) == ("city", city.city, ANA, "City 1 of the Dwarves")
