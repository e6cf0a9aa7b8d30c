"""Setting up: seats, numbers, characters, the start (AX-SET-*)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.albraxas.rules.ending.events import GameFinished
from games.albraxas.rules.setup.commands import ConfigureGame, PlayAlbraxas, warnings
from games.albraxas.rules.setup.events import (
    AlbraxasChosen,
    CharacterNamed,
    CharactersRevealed,
    CharacterWritten,
    GameConfigured,
    GameStarted,
    SeatDropped,
)
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.turn.events import TurnStarted
from games.engine.audience import PUBLIC, seat_and_gm
from games.engine.game_state import Role, Status
from games.engine.insight.domains import Range
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.lifecycle.seating import AddSeat, HandedOver, HandOver, Join, SeatTaken
from games.engine.model import field_descriptions
from games.engine.prompts.prompt import AnswerWithdrawn, DeadlinePassed, PromptAnswered
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    GAME,
    GM,
    HOST,
    R1,
    R2,
    R3,
    RULESET,
    SIX_EIGHT_SIX,
    Numbers,
    begin,
    define,
    fresh,
    go,
    orders,
    writing,
)


@pytest.mark.rule("AX-SET-1")
def test_one_albraxas_and_up_to_eight_rebels_join() -> None:
    book = Playbook(RULESET, fresh())
    with refused("seats.few", book.state):
        book.when(Start(), by=HOST)
    for number in range(9):
        book.when(AddSeat(name=f"Seat {number}", bot="random"), by=HOST)
    with refused("seats.full", book.state):
        book.when(AddSeat(name="One more"), by=HOST)
    book.when(AddSeat(name="Watcher", role=Role.OBSERVER), by=HOST)
    book.when(Start(), by=HOST)
    with refused("phase.closed", book.state):
        book.when(AddSeat(name="Late"), by=HOST)


@pytest.mark.rule("AX-SET-1", "AX-AMB-30")
def test_a_player_takes_albraxas_while_nobody_has_and_the_host_gives_the_role_to_another() -> None:
    book = Playbook(RULESET, fresh(R1, R2))
    book.when(Start(), by=HOST)
    assert book.when(PlayAlbraxas(), by=R1) == [AlbraxasChosen(seat=R1)]
    with refused("albraxas.taken", book.state):
        book.when(PlayAlbraxas(), by=R2)
    with refused("seat.other", book.state):
        book.when(PlayAlbraxas(seat=R2), by=R1)
    define(book, R1, SIX_EIGHT_SIX)
    define(book, R2, (4, 5, 4))
    events = book.when(PlayAlbraxas(seat=R2), by=HOST)
    assert book.state.storm.albraxas == R2 and not book.state.sheets and not book.state.answers
    assert [e.owner for e in of_kind(events, AnswerWithdrawn)] == [f"seat:{R1}", f"seat:{R2}"]
    with refused("albraxas.taken", book.state):
        book.when(PlayAlbraxas(), by=R1)


@pytest.mark.rule("AX-AMB-30")
def test_albraxas_is_named_in_the_lobby_as_well_and_is_no_watcher() -> None:
    book = Playbook(RULESET, fresh(R1, R2))
    assert book.when(PlayAlbraxas(seat=R2), by=GM) == [AlbraxasChosen(seat=R2)]
    assert book.when(PlayAlbraxas(seat=R1), by=HOST) == [AlbraxasChosen(seat=R1)]
    book.when(AddSeat(name="Watcher", role=Role.OBSERVER), by=HOST)
    (watcher,) = book.state.seats_of(Role.OBSERVER)
    with refused("seat.other", book.state):
        book.when(PlayAlbraxas(seat=watcher.id), by=HOST)
    with refused("seat.missing", book.state):
        book.when(PlayAlbraxas(seat=AX), by=HOST)
    book.when(Start(), by=HOST)
    define(book, R1, SIX_EIGHT_SIX)
    define(book, R2, (4, 5, 4))
    book.when(EndSetup(), by=HOST)
    assert {c.id: c.side for c in book.state.characters.values()} == {R1: Side.ALBRAXAS, R2: Side.REBEL}


@pytest.mark.rule("AX-AMB-30")
def test_a_new_albraxas_drops_what_both_seats_had_written_and_nothing_of_a_third() -> None:
    book = Playbook(RULESET, fresh(R1, R2, R3))
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(), by=R1)
    define(book, R1, SIX_EIGHT_SIX)
    for seat in (R2, R3):
        define(book, seat, (4, 5, 4))
    book.when(PlayAlbraxas(seat=R2), by=GM)
    assert set(book.state.sheets) == {R3}


@pytest.mark.rule("AX-SET-2", "AX-AMB-1")
def test_attributes_are_one_at_least_and_add_up() -> None:
    book = writing()
    for seat, numbers, code in (
        (R1, (0, 9, 4), "attributes.min"),
        (R1, (14, -2, 1), "attributes.min"),
        (R1, (4, 4, 4), "attributes.sum"),
        (R1, (6, 8, 6), "attributes.sum"),
        (AX, (4, 5, 4), "attributes.sum"),
    ):
        with refused(code, book.state):
            define(book, seat, numbers)
    event = event_like(PromptAnswered, owner=f"seat:{R1}", answer='"written"')
    assert define(book, R1, (1, 1, 11)) == [
        event,
        event_like(CharacterWritten, seat=R1),
        event_like(CharacterNamed, seat=R1),
    ]
    assert event_like(CharacterWritten, seat=AX) in define(book, AX, (18, 1, 1))
    define(book, R1, (4, 5, 4))
    assert book.state.sheets[R1].battle == 5


@pytest.mark.rule("AX-AMB-32")
def test_a_name_is_used_once_and_known_to_all() -> None:
    book = writing(2)
    named = define(book, R1, (4, 5, 4), "Rahel")
    assert named[-1] == event_like(CharacterNamed, seat=R1, name="Rahel")
    assert book.log[-1].audience == PUBLIC
    with refused("name.taken", book.state):
        define(book, R2, (4, 5, 4), "rahel")
    again = define(book, R1, (5, 4, 4), "Rahel")
    assert again == [event_like(CharacterWritten, seat=R1, backbone=5)]
    assert define(book, R1, (5, 4, 4), "Ruth")[-1] == event_like(CharacterNamed, seat=R1, name="Ruth")
    define(book, R2, (4, 5, 4), "Rahel")


@pytest.mark.rule("AX-SET-3")
@pytest.mark.parametrize(
    ("rebel", "albraxas", "expected"),
    [((1, 11, 1), (1, 1, 18), (11, 1)), ((2, 3, 8), (9, 10, 1), (6, 90)), ((11, 1, 1), (18, 1, 1), (11, 18))],
)
def test_dynamism_is_battle_times_backbone_and_blitz_has_no_part_in_it(
    rebel: Numbers, albraxas: Numbers, expected: tuple[int, int]
) -> None:
    shown = begin(rebel, albraxas=albraxas).state.characters
    assert (shown[R1].dynamism, shown[AX].dynamism) == expected
    assert (shown[R1].most_dynamism, shown[AX].most_dynamism) == expected


@pytest.mark.rule("AX-SET-3")
def test_the_permanent_maximum_stays_when_backbone_falls() -> None:
    book = begin()
    book.state.set_character(R1, backbone=1, dynamism=0)
    go(book, 1)
    orders(book, "convalesce")
    assert book.state.characters[R1].most_dynamism == book.state.characters[R1].dynamism == 20


@pytest.mark.rule("AX-SET-4", "AX-SET-5", "AX-END-6")
@pytest.mark.parametrize(
    ("phases", "sides", "check_from"),
    [(3, 10, 1), (401, 10, 1), (9, 3, 1), (9, 101, 1), (9, 10, 0), (9, 10, 9)],
)
def test_numbers_out_of_range_are_refused(phases: int, sides: int, check_from: int) -> None:
    book = writing()
    with refused("config.range", book.state):
        book.when(ConfigureGame(phases=phases, sides=sides, check_from=check_from), by=HOST)
    with pytest.raises(ValidationError):
        AlbraxasOptions(phases=phases, sides=sides, check_from=check_from)


@pytest.mark.rule("AX-SET-4", "AX-SET-5")
def test_ten_sides_and_a_hundred_phases_by_default_and_the_edges_are_allowed() -> None:
    book = writing()
    assert (book.state.storm.phases, book.state.storm.sides, book.state.storm.check_from) == (100, 10, 1)
    for phases, sides, check_from in ((4, 4, 3), (400, 100, 399)):
        events = book.when(ConfigureGame(phases=phases, sides=sides, check_from=check_from), by=HOST)
        assert events == [GameConfigured(phases=phases, sides=sides, check_from=check_from)]


@pytest.mark.rule("AX-SET-5", "AX-END-6", "AX-AMB-24")
def test_the_service_warns_of_a_crooked_number_an_early_check_and_a_lonely_rebel() -> None:
    assert warnings(100, 24, 2) == warnings(100, 24, 4) == ("check_from.early",)
    assert warnings(100, 25, 2) == warnings(100, 25, 4) == ()
    assert warnings(30, 29, 2) == ("phases.not_square",)
    assert warnings(100, 1, 1) == ("rebels.few",)
    book = begin(phases=30)
    (started,) = of_kind([h.event for h in book.log], GameStarted)
    assert started.warnings == ("phases.not_square", "rebels.few")
    assert started.tide == (1, 4, 9, 16, 25, 30)


@pytest.mark.rule("AX-SET-7")
def test_albraxas_walks_a_phase_towards_the_beginning_each_turn() -> None:
    book = begin(phases=9)
    places = []
    while book.state.storm.step is not Step.FINISHED:
        places.append(book.state.characters[AX].phase)
        go(book, min(9, book.state.storm.turn))
        orders(book, ())
    assert places == [9, 8, 7, 6, 5, 4, 3, 2]
    assert [e.albraxas_phase for e in of_kind([h.event for h in book.log], TurnStarted)] == places


@pytest.mark.rule("AX-SET-8", "AX-AMB-28")
def test_characters_are_secret_before_the_start_and_public_from_then_on() -> None:
    book = writing()
    define(book, R1, (4, 5, 4), "Rahel")
    assert [h.audience for h in book.log[-2:]] == [seat_and_gm(R1), PUBLIC]
    assert not book.state.view_for(frozenset({AX})).sheets and book.state.view_for(frozenset({R1})).sheets
    define(book, AX, SIX_EIGHT_SIX)
    book.when(EndSetup(), by=HOST)
    (shown,) = (h for h in book.log if isinstance(h.event, CharactersRevealed))
    assert shown.audience == PUBLIC
    assert next((c.name, c.dynamism) for c in shown.event.characters) == ("Rahel", 20)
    assert len(book.state.view_for(frozenset()).characters) == 2 and len(book.state.view_for(frozenset()).phases) == 100


@pytest.mark.rule("AX-SET-1")
def test_the_host_starts_when_every_seat_has_a_character_and_one_is_albraxas() -> None:
    book = writing(2)
    define(book, R1, (4, 5, 4))
    define(book, AX, SIX_EIGHT_SIX)
    with refused("game.not_ready", book.state):
        book.when(EndSetup(), by=HOST)
    define(book, R2, (4, 5, 4))
    book.when(EndSetup(), by=HOST)
    assert book.state.storm.step is Step.LOCATE
    for late in (ConfigureGame(phases=9, sides=6, check_from=1), EndSetup(), PlayAlbraxas(seat=R1)):
        with refused("phase.closed", book.state):
            book.when(late, by=HOST)
    with refused("phase.closed", book.state):
        define(book, R1, (4, 5, 4))


@pytest.mark.rule("AX-SET-9")
def test_at_the_deadline_seats_without_a_character_are_dropped_and_the_game_starts() -> None:
    book = writing(3)
    define(book, R1, (4, 5, 4))
    define(book, AX, SIX_EIGHT_SIX)
    events = book.wait(timedelta(minutes=30))
    assert of_kind(events, SeatDropped) == [SeatDropped(seat=R2), SeatDropped(seat=R3)]
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R2, R3), readers=PUBLIC)]
    assert {h.by for h in book.log if isinstance(h.event, SeatDropped)} == {"deadline"}
    assert book.state.storm.step is Step.LOCATE and set(book.state.characters) == {R1, AX}


@pytest.mark.rule("AX-SET-9")
def test_a_group_that_closes_early_starts_with_the_last_character_of_those_who_hold_a_seat() -> None:
    book = writing(3, early_close=True)
    define(book, R1, (4, 5, 4))
    assert of_kind(define(book, AX, SIX_EIGHT_SIX), GameStarted) == [], "two have not written yet"
    assert of_kind(book.when(HandOver(seat=R3, user=None, reason="gone"), by=GM), GameStarted) == []
    events = define(book, R2, (5, 4, 4))
    assert of_kind(events, SeatDropped) == [SeatDropped(seat=R3)] and len(of_kind(events, GameStarted)) == 1
    assert of_kind(events, DeadlinePassed) == []
    assert book.state.storm.step is Step.LOCATE and set(book.state.characters) == {R1, R2, AX}
    assert book.state.question(Step.CHARACTERS) is None and book.state.question(Step.LOCATE) is not None


@pytest.mark.rule("AX-SET-9")
def test_a_group_that_closes_early_waits_for_albraxas_and_a_rebel_who_hold_their_seats() -> None:
    book = writing(1, early_close=True)
    define(book, R1, (4, 5, 4))
    book.when(HandOver(seat=R1, user=None, reason="gone"), by=GM)
    define(book, AX, SIX_EIGHT_SIX)
    assert book.state.storm.step is Step.CHARACTERS
    book.when(Join(name="New", seat=R1), Actor(Issuer.SEAT, user=UUID(int=90)))
    assert book.state.storm.step is Step.CHARACTERS, "a change of seats alone begins no game"
    define(book, R1, (5, 4, 4))
    assert book.state.storm.step is Step.LOCATE


@pytest.mark.rule("AX-SET-9")
def test_without_that_option_all_characters_wait_for_the_host() -> None:
    book = writing()
    define(book, R1, (4, 5, 4))
    define(book, AX, SIX_EIGHT_SIX)
    assert book.state.storm.step is Step.CHARACTERS
    assert "early_close" not in AlbraxasOptions().model_dump()


@pytest.mark.rule("AX-SET-9")
def test_after_the_start_one_may_take_an_empty_seat_or_watch_and_no_new_one() -> None:
    book, late = begin(), Actor(Issuer.SEAT, user=UUID(int=90))
    with refused("phase.closed", book.state):
        book.when(Join(name="Late"), late)
    with refused("phase.closed", book.state):
        book.when(AddSeat(name="Late"), HOST)
    (taken,) = of_kind(book.when(Join(name="Watcher", role=Role.OBSERVER), late), SeatTaken)
    assert taken.role is Role.OBSERVER
    book.when(HandOver(seat=R1, user=None, reason="ill"), by=GM)
    assert HandedOver(seat=R1, user=late.user) in book.when(Join(name="Late", seat=R1), late)


@pytest.mark.rule("AX-AMB-32", "AX-SET-2")
def test_what_a_character_is_made_of_stays_with_its_seat_and_the_game_masters() -> None:
    book = writing()
    define(book, R1, (4, 5, 4), "Rahel")
    public = [h for h in book.log if h.audience == PUBLIC]
    (written,) = [h for h in book.log if isinstance(h.event, CharacterWritten)]
    assert written.audience == seat_and_gm(R1)
    assert type(public[-1].event) is CharacterNamed and "backbone" not in public[-1].event.model_dump()
    seen = book.state.view_for(frozenset({AX}))
    assert (
        not seen.sheets
        and book.state.view_for(frozenset({R1})).sheets
        and book.state.view_for(frozenset(), gm=True).sheets
    )


@pytest.mark.rule("AX-SET-1")
def test_nobody_starts_without_an_albraxas() -> None:
    book = Playbook(RULESET, fresh(R1, R2))
    book.when(Start(), by=HOST)
    for seat in (R1, R2):
        define(book, seat, (4, 5, 4))
    with refused("game.not_ready", book.state):
        book.when(EndSetup(), by=HOST)


@pytest.mark.rule("AX-SET-1")
@pytest.mark.parametrize("alone", [R1, AX], ids=["a rebel", "albraxas"])
@pytest.mark.rule("AX-SET-9")
def test_without_albraxas_or_a_rebel_the_game_closes_unplayed(alone: UUID) -> None:
    book = writing()
    define(book, alone, SIX_EIGHT_SIX if alone == AX else (4, 5, 4))
    events = book.wait(timedelta(minutes=30))
    assert of_kind(events, GameFinished) == [GameFinished(winner=None, reason="unplayed")]
    assert book.state.info.status is Status.FINISHED


def test_a_chosen_window_goes_before_the_pace() -> None:
    state = RULESET.new_state(GAME)
    chosen = AlbraxasOptions(pace="by_post", order_seconds=77, opening_seconds=5)
    state.info = replace(state.info, options=chosen.model_dump_json())
    assert [state.window(w).total_seconds() for w in ("locate", "order", "opening")] == [86_400, 77, 5]


def test_a_seat_is_handed_over() -> None:
    book = begin()
    book.when(HandOver(seat=R1, user=UUID(int=9), reason="ill"), by=GM)
    assert book.state.is_played(book.state.characters[R1])


@pytest.mark.rule("AX-END-6", "AX-AMB-24")
def test_the_last_turn_is_advised_and_proposed_wherever_the_check_is_set() -> None:
    book = writing()
    book.when(ConfigureGame(phases=25, sides=10, check_from=1), by=HOST)
    (candidate,) = legal_commands_for(book.state, (ConfigureGame,), HOST)
    assert candidate.note.startswith("With 2 or more rebels a first CHECK in turn 24 is advised; 1 is as printed: half")
    assert candidate.arguments["check_from"] == Range(low=1, high=399, proposed=24)
    for model in (ConfigureGame, AlbraxasOptions):
        said = field_descriptions(model)["check_from"] or ""
        assert "1 is as printed: half of all games end in the first two turns" in " ".join(said.split())
    assert AlbraxasOptions().check_from == 1  # what an API leaves out is as printed
