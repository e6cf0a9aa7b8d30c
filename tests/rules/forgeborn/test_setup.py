"""The set-up: options, seats, Smiths, the first seat (chapter 1).

Long for one reason: the rulebook has this in one chapter, and each of its rules has a test.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import PUBLIC, reader, seat_and_gm
from games.engine.game_state import Role, Status
from games.engine.kernel import Actor, Issuer, require_issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat, HandOver
from games.engine.lifecycle.waiting import waiting_for
from games.engine.prompts.prompt import PromptCounted
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.realm.events import DieDropped
from games.forgeborn.rules.setup.commands import AcceptMap, ConfigureGame, DefineSmith
from games.forgeborn.rules.setup.events import (
    GameConfigured,
    GameStarted,
    MapAccepted,
    MapBuilt,
    MapOpened,
    SeatsRolled,
    SmithNamed,
    SmithsOpened,
    SmithsRevealed,
    SmithWritten,
)
from games.forgeborn.rules.state.dice import dice_of, number_of_faces
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.names import require_free_name
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import Purse
from games.forgeborn.rules.state.schema_types import Asked, CharacterKind, PlaceKind, Size, Step
from games.forgeborn.rules.story.events import LineDrawn, ThreatSet
from games.forgeborn.rules.turns.commands import LeaveSeat
from games.forgeborn.rules.turns.events import RoundStarted, TurnStarted
from tests.dice import d
from tests.playbook import Playbook, event_like, refused, state_from_log
from tests.rules.forgeborn.lobby import LEAN, define, fallen, lobby, of_kind, on_map_a, started
from tests.rules.forgeborn.maps import MAP_A
from tests.rules.forgeborn.stage import GM_SEAT, heroine
from tests.rules.forgeborn.table import GM, HOST, NO_REFEREE, S1, S2, S3, S4

D12, D10, D8, D6, D4 = Size.D12, Size.D10, Size.D8, Size.D6, Size.D4


def in_smiths(*seats: UUID, options: str = '{"drop":"table"}') -> Playbook:
    """A game in SMITHS, on MAP-A."""
    book = on_map_a(*seats, options=options)
    book.when(AcceptMap(), by=GM)
    return book


@pytest.mark.rule("FB-SET-1", "FB-GM-5", "FB-AMB-41", "FB-SET-5")
@pytest.mark.parametrize("referee", ["person", "none"])
def test_the_start_leads_through_map_and_smiths_to_the_first_turn(referee: str) -> None:
    book = lobby(S1, S2, S3, options=f'{{"referee":"{referee}"}}')
    happened = book.when(Start(), by=HOST)
    assert len(of_kind(happened, DieDropped)) == 15
    assert len(of_kind(happened, MapBuilt)) == len(of_kind(happened, MapOpened)) == 1
    assert book.state.info.status is Status.RUNNING
    if referee == "person":
        assert book.state.course.step is Step.MAP
        assert not of_kind(happened, MapAccepted, LineDrawn)
        (asked,) = book.state.prompts.values()
        assert (asked.kind, set(asked.owners)) == (Asked.MAP, {"gm", f"seat:{HOST.seat}"})
        happened = book.when(AcceptMap(), by=GM)
        assert of_kind(happened, MapAccepted, SmithsOpened, LineDrawn, ThreatSet) == [
            event_like(MapAccepted),
            event_like(SmithsOpened, seats=(S1, S2, S3), faces=72),
        ]
    assert book.state.course.step is Step.SMITHS
    (asked,) = book.state.prompts.values()
    assert (asked.kind, asked.sealed, len(asked.owners)) == (Asked.SMITHS, True, 3)
    happened = define(book, S1, S2, S3)
    order: list[Any] = [SmithsRevealed, SeatsRolled, GameStarted, RoundStarted, TurnStarted]
    assert [type(event) for event in of_kind(happened, *order)] == order
    (begun,) = of_kind(happened, GameStarted)
    lair = book.state.place_of_kind(PlaceKind.LAIR)
    assert begun == event_like(
        GameStarted, dragon=lair.power, referee=referee == "person", round_limit=None, commitment="c0ffee"
    )
    course = book.state.course
    assert (course.step, course.round, course.active) == (Step.TURN, 1, course.order[0])
    assert sorted(course.order) == [S1, S2, S3]
    (asked,) = book.state.prompts.values()
    assert (asked.kind, asked.owners) == (Asked.TURN, (f"seat:{course.active}",))
    assert violations(book.state) == []
    fresh = lobby(S1, S2, S3, options=f'{{"referee":"{referee}"}}').state
    assert dict(state_from_log(book.log, fresh).places) == dict(book.state.places)


@pytest.mark.rule("FB-EX-72", "FB-SET-1")
def test_two_to_four_players_sit_down() -> None:
    book = lobby(S1, S2, S3, S4)
    with refused("seats.full", book.state):
        book.when(AddSeat(name="Fifth"), by=HOST)
    book.when(AddSeat(name="Onlooker", role=Role.OBSERVER), by=HOST)
    alone = lobby(S1)
    with refused("seats.few", alone.state):
        alone.when(Start(), by=HOST)
    pair = lobby(S1, S2)
    pair.when(Start(), by=HOST)
    assert pair.state.course.step is Step.MAP


@pytest.mark.rule("FB-SET-1")
def test_nobody_takes_a_new_players_seat_after_the_start() -> None:
    book = started(S1, S2)
    with refused("phase.closed", book.state):
        book.when(AddSeat(name="Late"), by=HOST)
    with refused("phase.closed", book.state):
        book.when(Start(), by=HOST)


@pytest.mark.rule("FB-EX-103", "FB-GM-5")
def test_a_game_with_a_referee_needs_a_game_master_to_start() -> None:
    book = lobby(S1, S2)
    book.when(HandOver(seat=GM_SEAT, reason="gone"), by=GM)
    with refused("gm.missing", book.state):
        book.when(Start(), by=HOST)
    book.when(ConfigureGame(referee="none"), by=HOST)
    book.when(Start(), by=HOST)
    assert book.state.course.step is Step.SMITHS


@pytest.mark.rule("FB-EX-110", "FB-SET-6")
def test_options_have_their_ranges() -> None:
    book = lobby(S1, S2)
    for command in (ConfigureGame(round_limit=0), ConfigureGame(round_limit=201), ConfigureGame(width=99)):
        with refused("config.range", book.state):
            book.when(command, by=HOST)
    with refused("config.range", book.state):
        book.when(ConfigureGame(drop="table", referee="none"), by=HOST)
    with refused("config.range", book.state):
        book.when(ConfigureGame(turn_seconds=30 * 86_400 + 1), by=HOST)
    book.when(ConfigureGame(referee="none", round_limit=200, turn_seconds=30 * 86_400), by=GM)
    chosen = options_of(book.state)
    assert (chosen.referee, chosen.round_limit, chosen.turn_seconds) == ("none", 200, 2_592_000)
    with refused("config.range", book.state):
        book.when(ConfigureGame(drop="table"), by=HOST)


@pytest.mark.rule("FB-SET-5", "FB-SET-6")
def test_options_that_are_not_named_stay_and_null_is_none() -> None:
    book = lobby(S1, S2, options='{"dragon_fixed":20,"width":500,"pace":"by_post"}')
    happened = book.when(ConfigureGame.model_validate_json(f'{{"height":300,"first_seat":"{S2}"}}'), by=HOST)
    assert happened == [event_like(GameConfigured, first_seat=S2)]
    chosen = options_of(book.state)
    assert (chosen.dragon_fixed, chosen.width, chosen.height, chosen.pace) == (20, 500, 300, "by_post")
    book.when(ConfigureGame.model_validate_json('{"dragon_fixed":null,"width":null}'), by=HOST)
    chosen = options_of(book.state)
    assert (chosen.dragon_fixed, chosen.width, book.state.course.first_seat) == (None, 500, S2)
    book.when(ConfigureGame(first_seat=None), by=HOST)
    assert book.state.course.first_seat is None
    for seat in (GM_SEAT, UUID(int=99)):
        with refused("seat.missing", book.state):
            book.when(ConfigureGame(first_seat=seat), by=HOST)


@pytest.mark.rule("FB-SET-5")
def test_host_and_game_master_configure_until_the_start() -> None:
    book = lobby(S1, S2)
    with refused("issuer.other", book.state):
        require_issuer(ConfigureGame(width=100), Actor(Issuer.SEAT, seat=S1))
    book.when(Start(), by=HOST)
    with refused("phase.closed", book.state):
        book.when(ConfigureGame(width=100), by=HOST)


@pytest.mark.rule("FB-EX-43", "FB-SET-5", "FB-SET-6")
def test_the_dragon_is_fixed_at_twelve_or_more() -> None:
    book = lobby(S1, S2)
    with refused("config.range", book.state):
        book.when(ConfigureGame(dragon_fixed=11), by=HOST)
    book.when(ConfigureGame(dragon_fixed=12), by=HOST)
    book.when(Start(), by=HOST, dice=fallen(MAP_A))
    assert book.state.place_of_kind(PlaceKind.LAIR).power == 12


@pytest.mark.rule("FB-EX-01", "FB-SET-3")
def test_seventy_faces_are_a_smith_and_the_dice_stay_hidden() -> None:
    book = in_smiths(S1, S2)
    dice = (D12, D12, D10, D10, D8, D8, D6, D4)
    happened = book.when(DefineSmith(name="Brika", text="Old.", dice=dice), by=S1)
    assert number_of_faces(dice) == 70
    assert of_kind(happened, SmithWritten, SmithNamed) == [
        event_like(SmithWritten, seat=S1, name="Brika", dice=tuple(sorted(dice))),
        event_like(SmithNamed, seat=S1, name="Brika", text="Old."),
    ]
    assert dice_of(book.state.drafts[S1]) == tuple(sorted(dice))


@pytest.mark.rule("FB-EX-02", "FB-SET-3")
def test_seventy_six_faces_are_too_many_and_no_die_too_few() -> None:
    book = in_smiths(S1, S2)
    with refused("dice.faces", book.state):
        book.when(DefineSmith(name="Brika", dice=(D12,) * 6 + (D4,)), by=S1)
    with refused("dice.none", book.state):
        book.when(DefineSmith(name="Brika", dice=()), by=S1)
    book.when(DefineSmith(name="Brika", dice=(D12,) * 6), by=S1)


@pytest.mark.rule("FB-SET-3", "FB-AMB-30")
def test_the_dice_of_a_smith_are_for_the_seat_and_the_game_master_until_all_are_in() -> None:
    book = in_smiths(S1, S2)
    before = len(book.log)
    book.when(DefineSmith(name="Brika", dice=(D12, D4)), by=S1)
    audiences = {type(record.event): record.audience for record in book.log[before:]}
    assert audiences[SmithWritten] == seat_and_gm(S1)
    assert audiences[SmithNamed] == audiences[PromptCounted] == PUBLIC
    assert all("d12" not in record.text for record in book.log[before:] if record.audience == PUBLIC)
    other = book.state.view_for(frozenset({S2}))
    assert (S1 in other.drafts, other.nameplates[S1].name) == (False, "Brika")
    assert S1 in book.state.view_for(frozenset({S1})).drafts
    assert not any(c.seat == S1 for c in book.state.characters.values())
    book.when(DefineSmith(name="Hele", dice=(D8,)), by=S2)
    seen = book.state.view_for(frozenset({S2})).smith_of(S1)
    assert seen is not None
    assert dice_of(seen) == (D4, D12)
    assert (dict(book.state.drafts), dict(book.state.nameplates)) == ({}, {})


@pytest.mark.rule("FB-SET-3")
def test_a_smith_is_defined_anew_until_all_are_in_and_a_change_of_dice_is_no_news() -> None:
    book = in_smiths(S1, S2)
    book.when(DefineSmith(name="Brika", dice=(D12,)), by=S1)
    happened = book.when(DefineSmith(name="Brika", dice=(D8, D8)), by=S1)
    assert not of_kind(happened, SmithNamed, PromptCounted)
    assert [each.owner for each in waiting_for(book.state)] == [reader(S2)], "everybody reads who S1 is"
    happened = book.when(DefineSmith(name="Bandi", dice=(D8, D8)), by=S1)
    assert of_kind(happened, SmithNamed) == [event_like(SmithNamed, seat=S1, name="Bandi")]
    book.when(DefineSmith(name="Brika", dice=(D4,)), by=S2)
    found = book.state.smith_of(S1)
    assert (found.name, dice_of(found)) == ("Bandi", (D8, D8))
    with refused("phase.closed", book.state):
        book.when(DefineSmith(name="Late", dice=(D4,)), by=S1)


@pytest.mark.rule("FB-SET-3")
def test_players_alone_define_smiths() -> None:
    book = in_smiths(S1, S2)
    with refused("prompt.not_yours", book.state):
        book.when(DefineSmith(name="Brika", dice=(D4,)), by=GM_SEAT)
    book.when(DefineSmith(name="Brika", dice=(D4,)), by=Actor(Issuer.GM, seat=GM_SEAT, on_behalf_of=S1))
    assert S1 in book.state.drafts


@pytest.mark.rule("FB-EX-96", "FB-ROW-5", "FB-AMB-51")
def test_a_name_is_used_once_in_its_kind() -> None:
    book = in_smiths(S1, S2)
    book.when(DefineSmith(name="brika", dice=LEAN), by=S1)
    with refused("name.taken", book.state):
        book.when(DefineSmith(name="Brika", dice=LEAN), by=S2)
    book.when(DefineSmith(name="Hele", dice=LEAN), by=S2)
    heroines = [c.name for c in book.state.characters.values() if c.kind is CharacterKind.HEROINE]
    require_free_name("Brika", heroines, "Heroine")
    smith = book.state.smith_of(S1)
    recruited = heroine(book.state, S1, 1, smith.place)
    book.state.set_character(recruited.id, name="Brika")
    assert violations(book.state) == []
    with refused("name.taken"):
        require_free_name("BRIKA", ["Brika"], "Heroine")


@pytest.mark.rule("FB-EX-73", "FB-SET-4")
def test_all_smiths_start_at_the_citadel_with_nothing() -> None:
    book = in_smiths(S1, S2, S3)
    define(book, S1, S2, S3)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL).id
    smiths = [book.state.smith_of(seat) for seat in (S1, S2, S3)]
    assert [(smith.place, smith.kind, smith.is_plain) for smith in smiths] == [
        (citadel, CharacterKind.SMITH, False)
    ] * 3
    assert dict(book.state.purses) == {seat: Purse(seat, 0, 0, 0, is_swayed=False, claim=None) for seat in (S1, S2, S3)}
    assert (book.state.vault(), dict(book.state.artifacts)) == ([], {})


@pytest.mark.rule("FB-EX-85", "FB-SET-7", "FB-AMB-52")
def test_a_player_who_is_silent_has_a_plain_smith() -> None:
    book = in_smiths(S1, S2, S3)
    book.when(DefineSmith(name="Seat 12", dice=(D12,)), by=S1)
    book.when(DefineSmith(name="Seat 13", dice=(D8,)), by=S1)
    book.when(DefineSmith(name="seat 12", dice=(D12,)), by=S1)
    happened = book.wait(timedelta(minutes=10))
    (revealed,) = of_kind(happened, SmithsRevealed)
    assert [(smith.seat, smith.name, smith.plain) for smith in revealed.smiths] == [
        (S1, "seat 12", False),
        (S2, "Seat 12 2", True),
        (S3, "Seat 13", True),
    ]
    plain = book.state.smith_of(S2)
    assert (dice_of(plain), plain.text, plain.is_plain) == ((4, 4, 4, 8, 8, 8, 12, 12, 12), "", True)
    assert number_of_faces(dice_of(plain)) == 72
    assert book.state.course.step is Step.TURN


@pytest.mark.rule("FB-SET-7", "FB-AMB-60")
def test_nobody_waits_for_a_smith_of_a_seat_that_is_left() -> None:
    book = in_smiths(S1, S2, S3)
    define(book, S1, S2)
    assert book.state.course.step is Step.SMITHS
    happened = book.when(LeaveSeat(), by=S3)
    (revealed,) = of_kind(happened, SmithsRevealed)
    assert [smith.plain for smith in revealed.smiths] == [False, False, True]
    assert book.state.course.step is Step.TURN


@pytest.mark.rule("FB-EX-42", "FB-SET-2", "FB-AMB-1")
def test_the_highest_d20_begins_and_those_tied_for_it_roll_again() -> None:
    book = in_smiths(S1, S2, S3, S4)
    happened = define(
        book, S1, S2, S3, S4,
        dice=[
            d(20, f"first-seat {S1}", 14), d(20, f"first-seat {S2}", 17), d(20, f"first-seat {S3}", 17),
            d(20, f"first-seat {S4}", 3), d(20, f"first-seat {S2}", 5), d(20, f"first-seat {S3}", 12),
        ],
    )  # fmt: skip
    (rolled,) = of_kind(happened, SeatsRolled)
    assert rolled.order == (S3, S4, S1, S2)
    assert [len(record.rolls) for record in book.log if record.event is rolled] == [6]
    assert book.state.course.order == (S3, S4, S1, S2)
    assert (book.state.course.active, book.state.course.to_come) == (S3, (S4, S1, S2))


@pytest.mark.rule("FB-SET-2", "FB-AMB-1")
def test_the_host_may_name_the_seat_that_begins() -> None:
    book = lobby(S1, S2, S3, options=NO_REFEREE)
    book.when(ConfigureGame(first_seat=S2), by=HOST)
    book.when(Start(), by=HOST)
    happened = define(book, S1, S2, S3, dice=[])
    assert not of_kind(happened, SeatsRolled)
    assert book.state.course.order == (S2, S3, S1)


@pytest.mark.rule("FB-SET-2")
def test_the_die_for_the_first_seat_has_twenty_sides() -> None:
    book = in_smiths(S1, S2)
    define(book, S1, S2)
    rolls = [roll for record in book.log if isinstance(record.event, SeatsRolled) for roll in record.rolls]
    assert {roll.sides for roll in rolls} == {20}


def test_the_commands_of_the_rulebook_are_there() -> None:
    named = {
        "configure-game", "drop-dice", "enter-map", "edit-map", "accept-map", "define-smith", "use-character",
        "journey", "give-artifact", "take-back-artifact", "end-turn", "draw-line", "write-note", "tell-scene",
        "name-place", "call-time", "set-standing-answer", "leave-seat",
    }  # fmt: skip
    assert named <= RULESET.open_commands.keys()
