"""A GM sees a war before its losses happen, and may place them otherwise (section 11.2; G2-WAR-3, 6, 8 to 12)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.grid import squares_in
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Context, Event, apply_events
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import CasualtiesPreviewed, CasualtiesSet, WarCancelled, WarDeclared
from games.gods2.rules.event_pages import exhibits
from games.gods2.rules.geometry.adjacency import units_by_square
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.gm_previews.events import PreviewAccepted, PreviewClosed
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import WHOLE, DiplomacyPolicy, Share, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, Place, moves, places
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.battle import outcome
from games.gods2.rules.war.combined_commands import CombineWars
from games.gods2.rules.war.events import DiplomacyTried, SquaresTaken, SquaresVacated, UnitsRetreated, WarFought
from games.gods2.rules.war.forecast import plan_of
from games.gods2.rules.war.preview import pairs_of
from games.gods2.rules.war.preview_commands import SetCasualties
from games.gods2.rules.war.schedule import fight_wars
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar, SetDiplomacy
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, begin, define, endow, set_up, shares, units

WARRIORS = ("archery", "explosives", "iron_weapons", "tactics", "tribal_law")
SHOWN = timedelta(seconds=30)


def at_war(*, previews: bool = True, wide: int = 12) -> tuple[Playbook, UUID, UUID, UUID]:
    """Strong barbarian Orcs declare war on Elves; a GM lets neither side try diplomacy. wide: columns of the map."""
    book = set_up(rows=("P" * wide,) * 4, options=Gods2Options(previews=previews))
    orcs = define(
        book,
        "Orcs",
        units(*((x, 0, 3) for x in range(wide))),
        knowledges=WARRIORS,
        attributes=("peaceful",),
        pantheon=shares(a=100),
    )
    elves = define(book, "Elves", units(*((x, 1, 1) for x in range(wide))), pantheon=shares(b=100))
    begin(book)
    while book.state.previews:  # those of growth
        book.when(AcceptPreview(prompt=min(book.state.previews)), by=GM)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=60)
    war = of_kind(book.when(DeclareWar(attacker=orcs, defender=elves), by=ANA), WarDeclared)[0].war
    book.when(SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    return book, orcs, elves, war


def preview_of(book: Playbook, war: UUID) -> CasualtiesPreviewed:
    """What the GM is shown; the peaceful Orcs try diplomacy in vain."""
    return of_kind(book.when(FightWarNow(war=war), by=GM, dice=[d(6, "diplomacy/attacker", 1)]), CasualtiesPreviewed)[0]


def test_without_the_setting_nothing_is_shown() -> None:
    book, _, _, war = at_war(previews=False)
    events = book.when(FightWarNow(war=war), by=GM, dice=[d(6, "diplomacy/attacker", 1)])
    assert of_kind(events, WarFought) and not of_kind(events, CasualtiesPreviewed)


@pytest.mark.rule("G2-WAR-8", "G2-WAR-9", "G2-WAR-12")
def test_silence_lets_the_rules_place_the_losses_exactly_as_they_were_shown() -> None:
    book, orcs, elves, war = at_war()
    before = book.state.board.units_of(elves)
    preview = preview_of(book, war)
    assert book.state.wars[war].status is WarStatus.DECLARED and book.state.board.units_of(elves) == before
    assert book.wait(SHOWN - timedelta(seconds=1)) == []
    events = book.wait(timedelta(seconds=1))
    assert of_kind(events, DeadlinePassed)
    assert tuple(h for e in of_kind(events, UnitsDied) for h in e.losses) == preview.losses
    assert tuple(p for e in of_kind(events, SquaresVacated) for p in e.squares) == preview.squares
    assert tuple(m for e in of_kind(events, UnitsRetreated, SquaresTaken) for m in e.moves) == preview.moves
    assert preview.squares and preview.moves
    assert book.state.wars[war].status is WarStatus.FOUGHT
    assert not book.state.previews and not of_kind(events, DiplomacyTried)
    assert len(of_kind(events, HistoryEntered)) == 1
    assert book.state.wars[war].loser == elves and orcs


def test_a_preview_that_the_gm_accepts_happens_at_once() -> None:
    book, _, _, war = at_war()
    preview = preview_of(book, war)
    events = book.when(AcceptPreview(prompt=preview.prompt), by=GM)
    assert of_kind(events, PreviewAccepted, WarFought) == [event_like(PreviewAccepted), event_like(WarFought, war=war)]
    assert not of_kind(events, DeadlinePassed) and not book.state.previews
    with refused("prompt.closed", book.state):
        book.when(AcceptPreview(prompt=preview.prompt), by=GM)
    with refused("prompt.closed", book.state):
        book.when(SetCasualties(prompt=preview.prompt), by=GM)


def test_only_gms_see_a_preview_and_a_war_that_is_shown_is_under_way() -> None:
    book, _, elves, war = at_war()
    preview = preview_of(book, war)
    rows = [h for h in book.log if isinstance(h.event, CasualtiesPreviewed)]
    assert [h.audience for h in rows] == ["gm"]
    assert {p.audience for p in book.state.prompts.values() if p.id == preview.prompt} == {"gm"}
    for command in (
        FightWarNow(war=war),
        HoldWar(war=war, seconds=10),
        SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.AUTO),
        CombineWars(wars=(war, war)),
    ):
        with refused("war.closed", book.state):
            book.when(command, by=GM)
    legal = legal_commands_for(book.state, (AcceptPreview, SetCasualties, FightWarNow), GM)
    assert [o.legal for o in legal] == [True, True, bool(book.state.wars) and len(_waiting(book)) > 1]


def test_a_preview_says_where_its_losses_may_be_placed_otherwise() -> None:
    book, orcs, elves, war = at_war()
    preview_of(book, war)
    (legal,) = legal_commands_for(book.state, (SetCasualties,), GM)
    standing = set(units_by_square(book.state, orcs)) | set(units_by_square(book.state, elves))
    for path in ("losses.square", "squares", "moves.from_square"):
        assert {Place(**place).square for place in legal.choices(path)} == standing


def _waiting(book: Playbook) -> list[Any]:
    return [w for w in book.state.wars.values() if w.status is WarStatus.DECLARED]


def by_hand(preview: CasualtiesPreviewed, **changes: Any) -> SetCasualties:
    """The preview itself, with changes, as a GM sends it."""
    same = {"losses": preview.losses, "squares": preview.squares, "moves": preview.moves}
    return SetCasualties(prompt=preview.prompt, **(same | changes))


@pytest.mark.rule("G2-WAR-3", "G2-WAR-6", "G2-WAR-8", "G2-WAR-10", "G2-WAR-12")
def test_a_gm_places_the_same_numbers_elsewhere() -> None:
    book, orcs, elves, war = at_war()
    preview = preview_of(book, war)
    dead = [h for h in preview.losses if h.square.y == 1]
    safe = next(
        x for x in range(12) if Place(x=x, y=1) not in preview.squares and not any(h.square.x == x for h in dead)
    )
    moved = replace_first(preview.losses, dead[-1], Held(square=Place(x=safe, y=1), units=dead[-1].units))
    # the unit that should have died lives on; where its square is vacated it retreats, so a square that stays is chosen
    assert dead[-1].square not in preview.squares
    events = book.when(by_hand(preview, losses=moved, text="An ambush"), by=GM)
    assert of_kind(events, CasualtiesSet) == [event_like(CasualtiesSet, war=war, reason="An ambush")]
    died = {(h.square.x, h.square.y) for e in of_kind(events, UnitsDied) if e.race == elves for h in e.losses}
    assert (safe, 1) in died and (dead[-1].square.x, 1) not in died
    assert {h.audience for h in book.log if isinstance(h.event, CasualtiesSet)} == {"gm"}
    book.state.invariants()
    assert orcs


@pytest.mark.rule("G2-WAR-9", "G2-WAR-10", "G2-WAR-12")
def test_a_gm_lets_other_squares_be_vacated() -> None:
    book, _, elves, war = at_war()
    preview, state = preview_of(book, war), book.state
    pair = pairs_of(state.previews[preview.prompt])[0]
    square = next(s for s in squares_in(state.board.own(elves)) if Place.of(s) not in preview.squares)
    gone = [square, *(place.square for place in preview.squares[1:])]
    wanted = plan_of(state, outcome(state, pair.attacker, pair.defender), gone=gone)
    going = (*moves(wanted.ways), *moves(wanted.taking))
    events = book.when(by_hand(preview, squares=places(gone), moves=going), by=GM)
    assert [e.squares for e in of_kind(events, SquaresVacated)] == [places(gone)]
    assert preview.squares[0] not in places(gone) and state.invariants() is None


def replace_first(losses: tuple[Held, ...], old: Held, new: Held) -> tuple[Held, ...]:
    return tuple(new if h is old else h for h in losses)


@pytest.mark.rule("G2-WAR-3", "G2-WAR-6", "G2-WAR-10", "G2-WAR-12")
def test_other_numbers_than_those_of_the_rules_are_refused() -> None:
    book, *_, war = at_war()
    preview = preview_of(book, war)
    one = Place(x=0, y=3)
    wrong: list[dict[str, Any]] = [
        {"losses": preview.losses[1:]},
        {"losses": (*preview.losses, Held(square=one, units=1))},
        {"losses": (*preview.losses, Held(square=preview.losses[0].square, units=1))},
        {"squares": preview.squares[1:]},
        {"squares": (*preview.squares[1:], preview.squares[0], preview.squares[0])},
        {"squares": (*preview.squares[1:], Place(x=0, y=0))},
        {"moves": preview.moves[1:]},
        {"moves": (*preview.moves, Move(from_square=Place(x=0, y=0), to_square=one, units=1))},
        {"moves": (*preview.moves[:-1], Move(from_square=one, to_square=preview.squares[0], units=1))},
    ]
    for changes in wrong:
        with refused("placement.invalid", book.state):
            book.when(by_hand(preview, **changes), by=GM)
    assert of_kind(book.when(by_hand(preview), by=GM), WarFought)


def fought_together() -> tuple[Playbook, CasualtiesPreviewed, UUID]:
    """Orcs and Trolls fight the Elves together: what is shown of the first war, and the other war."""
    book, _, elves, war = at_war()
    trolls = define_late(book)
    again = of_kind(book.when(DeclareWar(attacker=trolls, defender=elves), by=ANA), WarDeclared)[0].war
    book.when(SetDiplomacy(war=again, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.when(SetDiplomacy(war=again, race=trolls, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.when(CombineWars(wars=(war, again)), by=GM)
    return book, preview_of(book, war), again


@pytest.mark.rule("G2-WAR-17")
def test_of_wars_that_are_fought_together_each_is_shown_in_its_turn() -> None:
    book, first, again = fought_together()
    war = min(w.id for w in _waiting(book) if w.id != again)
    events = book.when(AcceptPreview(prompt=first.prompt), by=GM)
    second = of_kind(events, CasualtiesPreviewed)[0]
    assert (first.war, second.war) == (war, again)
    assert [p.war for p in second.pairs] == [again] and set(second.wars) == {war, again}
    assert second.pairs[0] == first.pairs[1]
    assert not of_kind(events, HistoryEntered)
    events = book.wait(SHOWN)
    assert [e.war for e in of_kind(events, WarFought)] == [again]
    assert [e.war for e in of_kind(events, HistoryEntered)] == [war, again]
    assert not book.state.previews


def die_out(book: Playbook, race: UUID) -> list[Event]:
    """A race loses its last unit while a war of it is shown, and the Earth settles."""
    for square in units_by_square(book.state, race):
        book.state.board.put(square, None, 0)
    return happens(book, lambda state, ctx: settle(state, ctx, "test"))


def happens(book: Playbook, events: Callable[[State, Context], Iterator[Event]]) -> list[Event]:
    """Let events happen without a command."""
    ctx = book.context(GM)
    happened = apply_events(book.state, events(book.state, ctx), ctx)
    book.log += happened
    return [h.event for h in happened]


@pytest.mark.rule("G2-POP-5", "G2-WAR-1", "G2-WAR-17")
def test_what_is_shown_of_a_war_closes_when_a_side_dies_out_and_the_next_war_is_shown() -> None:
    book, first, again = fought_together()
    events = die_out(book, book.state.wars[first.war].attacker)
    assert first.war in [e.war for e in of_kind(events, WarLapsed)]
    assert of_kind(events, PreviewClosed, CasualtiesPreviewed) == [
        event_like(PreviewClosed, prompt=first.prompt),
        event_like(CasualtiesPreviewed, war=again),
    ]
    assert violations(book.state) == [] and first.prompt not in book.state.prompts
    events = die_out(book, book.state.wars[again].defender)
    assert again in [e.war for e in of_kind(events, WarLapsed)]
    assert of_kind(events, PreviewClosed, CasualtiesPreviewed) == [event_like(PreviewClosed)]
    assert violations(book.state) == [] and not book.state.previews


@pytest.mark.rule("G2-WAR-1", "G2-WAR-17")
def test_what_is_shown_of_wars_closes_when_a_truce_ends_them_all() -> None:
    book, first, again = fought_together()
    endow(book, ANA, 60, "LB")
    events = book.when(CastPower(power="universal_truce"), by=ANA)
    assert {first.war, again} <= {e.war for e in of_kind(events, WarCancelled)}
    assert of_kind(events, PreviewClosed, CasualtiesPreviewed) == [event_like(PreviewClosed, prompt=first.prompt)]
    assert violations(book.state) == [] and not book.state.previews
    assert not of_kind(book.wait(SHOWN), WarFought)


@pytest.mark.rule("G2-WAR-1", "G2-WAR-17")
def test_at_the_end_what_one_war_ends_of_another_that_is_shown_is_finished_too() -> None:
    """The kind: a list of what is shown, made before the first of it happens, names what is closed by then."""
    book, first, _ = fought_together()
    orcs, elves = book.state.wars[first.war].attacker, book.state.wars[first.war].defender
    endow(book, BEN, 60)
    back = of_kind(book.when(DeclareWar(attacker=elves, defender=orcs), by=BEN), WarDeclared)[0].war
    book.when(SetDiplomacy(war=back, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.when(FightWarNow(war=back), by=GM, dice=[d(6, "diplomacy/defender", 1)])
    assert len(book.state.previews) == 2
    for square in units_by_square(book.state, orcs):
        book.state.board.put(square, None, 0)
    events = happens(book, lambda state, ctx: fight_wars(state, ctx, _waiting(book)))
    assert book.state.races[orcs].extinct and not book.state.previews and not _waiting(book)
    assert len(of_kind(events, PreviewClosed)) == len({e.prompt for e in of_kind(events, PreviewClosed)})


def define_late(book: Playbook) -> UUID:
    """Some of the Elves' neighbours in the south, put there by hand."""
    state, trolls = book.state, UUID(int=77)
    elves = next(r for r in state.races.values() if r.name == "Elves")
    state.races[trolls] = replace(elves, id=trolls, name="Trolls", knowledges=())
    state.shares[trolls, str(ANA)] = Share(trolls, str(ANA), WHOLE)
    for column in range(12):
        for row in (2, 3):
            state.board.put((row, column), None, 0)
        state.board.put((2, column), trolls, 1)
    return trolls


def test_the_end_of_the_activity_phase_finishes_what_was_shown() -> None:
    book, *_, war = at_war()
    book.wait(timedelta(seconds=1490) - timedelta(seconds=(book.now - book.state.era.starts_at).seconds))
    if book.state.wars[war].status is not WarStatus.DECLARED:
        orcs, elves = book.state.wars[war].attacker, book.state.wars[war].defender
        war = of_kind(book.when(DeclareWar(attacker=orcs, defender=elves), by=ANA), WarDeclared)[0].war
        book.when(SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    preview_of(book, war)
    assert book.state.wars[war].status is WarStatus.DECLARED
    events = book.wait(timedelta(seconds=10))
    assert [e.war for e in of_kind(events, WarFought)].count(war) == 1
    assert not book.state.previews and book.state.wars[war].status is WarStatus.FOUGHT
    assert not _waiting(book) and BEN


def altered(table: str, row: UUID, **fields: Any) -> Change:
    values = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in fields.items())
    return Change(deed=Deed.ALTER, table=table, row=str(row), fields=values)


NOBODY = str(UUID(int=5))


@pytest.mark.rule("G2-LOG-1", "G2-WAR-8")
@pytest.mark.parametrize(
    "change",
    [
        lambda race, war: Change(deed=Deed.DELETE, table="wars", row=str(war)),
        lambda race, war: altered("wars", war, attacker=NOBODY),
        lambda race, war: altered("wars", war, defender=NOBODY),
        lambda race, war: altered("wars", war, status="lapsed"),
        lambda race, war: altered("races", race, knowledges=["tribal_law", "no_such_thing"]),
        lambda race, war: altered("races", race, attributes=["no_such_thing"]),
    ],
    ids=["no war", "no attacker", "no defender", "no war any more", "no knowledge", "no attribute"],
)
def test_no_correction_leaves_a_preview_or_a_row_that_names_what_is_not_there(change: Any) -> None:
    book, attacker, _, war = at_war()
    assert preview_of(book, war) and exhibits(book.state)
    with refused("amend.invalid"):
        book.when(Amend(changes=(change(attacker, war),), reason="miscounted"), by=GM)


@pytest.mark.rule("G2-LOG-1", "G2-WAR-8")
def test_a_war_that_is_shown_is_corrected_in_what_it_does_not_depend_on() -> None:
    book, _, _, war = at_war()
    preview_of(book, war)
    book.when(Amend(changes=(altered("wars", war, number=7),), reason="miscounted"), by=GM)
    assert book.state.wars[war].number == 7 and exhibits(book.state)
