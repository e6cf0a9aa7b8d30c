"""The course of Albraxas: who is asked what, how long, what silence means, what follows by itself (section 9)."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from uuid import UUID

from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.locate.rules import unlocked_rebels
from games.albraxas.rules.orders.commands import OpenOrders, SealOrders, WriteOrders
from games.albraxas.rules.orders.rules import characters_with_digest_only, without_orders, writers
from games.albraxas.rules.setup.commands import DefineCharacter, end_setup
from games.albraxas.rules.setup.events import SeatDropped
from games.albraxas.rules.state.options import options_of
from games.albraxas.rules.state.schema_types import OPENING, Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.rules import ask_for_openings, ask_for_orders, close_openings, resolve_orders
from games.engine.audience import PUBLIC, Audience, Reader, reader
from games.engine.course import Course, When, rows
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule
from games.engine.prompts.questions import Question, Window, every_player

MINUTES, HOURS = timedelta(minutes=1), timedelta(hours=1)
WINDOWS = {
    "characters": Window(live=30 * MINUTES, by_post=timedelta(days=7), option="characters_seconds"),
    "locate": Window(live=5 * MINUTES, by_post=24 * HOURS, option="locate_seconds"),
    "order": Window(live=5 * MINUTES, by_post=24 * HOURS, option="order_seconds"),
    "opening": Window(live=MINUTES, by_post=12 * HOURS, option="opening_seconds"),
}
LANE = "turn"


def the_rebels(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """The rebels in play; Albraxas does not see it."""
    return tuple(reader(rebel.id) for rebel in state.resisting())


def the_writers(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Everybody in play."""
    return tuple(reader(character.id) for character in writers(state))


def the_sealed(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Those of whose orders only a digest is in."""
    return tuple(reader(character.id) for character in characters_with_digest_only(state))


def _rebels_alone(state: State, subject: UUID | None) -> Audience:
    return state.rebel_readers()


# -- what silence means -----------------------------------------------------------------------------------------------


def _drop_seats(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from _drop_seats_and_start(state, ctx, late)


def _drop_seats_and_start(state: State, ctx: Context, late: Sequence[UUID]) -> Iterator[Event]:
    for seat in late:
        yield SeatDropped(seat=seat)
    yield from end_setup(state, ctx)


def _end_orders(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Who has handed in a digest alone is asked to open it first."""
    yield from (ask_for_openings if characters_with_digest_only(state) else resolve_orders)(state, ctx)


def _end_openings(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close_openings(state, ctx)
    yield from resolve_orders(state, ctx)


def _without_character(state: State, prompt: Prompt) -> list[UUID]:
    return _seats_without_character(state)


def _seats_without_character(state: State) -> list[UUID]:
    return [seat.id for seat in state.players() if seat.id not in state.sheets]


QUESTIONS = rows(
    Question(
        kind=Step.CHARACTERS,
        about="for a character",
        lane="setup",
        ends_phase=True,
        owners=every_player,
        settles=Rule.ALL,
        window="characters",
        answered_by=(DefineCharacter,),
        asks="Who are you?",
        silence="A seat without a character is dropped.",
        default=_drop_seats,
        late=_without_character,
        rules=("AX-SET-9", "AX-ASK-1"),
    ),
    Question(
        kind=Step.LOCATE,
        about="for a place",
        lane=LANE,
        ends_phase=True,
        owners=the_rebels,
        settles=Rule.ALL,
        readers=_rebels_alone,
        shown=PUBLIC,
        window="locate",
        answered_by=(SetLocation, LockLocation),
        asks="Where do you go?",
        silence="The place you have set; else the next phase.",
        default=lambda state, ctx, *_: ask_for_orders(state, ctx),
        late=lambda state, prompt: [rebel.id for rebel in unlocked_rebels(state)],
        rules=("AX-TRN-2", "AX-TRN-3", "AX-ASK-1"),
    ),
    Question(
        kind=Step.ORDER,
        about="for orders",
        lane=LANE,
        ends_phase=True,
        owners=the_writers,
        settles=Rule.ALL,
        sealed=True,
        shown=PUBLIC,
        window="order",
        answered_by=(WriteOrders, SealOrders),
        asks="What do you do in this phase?",
        silence="The orders you have written count; else you hole up in every juncture.",
        default=_end_orders,
        late=lambda state, prompt: [character.id for character in without_orders(state)],
        rules=("AX-TRN-6", "AX-ASK-1"),
    ),
    Question(
        kind=OPENING,
        about="to open orders",
        lane=LANE,
        ends_phase=True,
        inside=Step.ORDER,
        owners=the_sealed,
        settles=Rule.ALL,
        sealed=True,
        shown=PUBLIC,
        window="opening",
        answered_by=(OpenOrders,),
        asks="Open what you have sealed.",
        silence="A seat that opens nothing holes up in every juncture.",
        default=_end_openings,
        late=lambda state, prompt: [character.id for character in characters_with_digest_only(state)],
        rules=("AX-AMB-31", "AX-ASK-1"),
    ),
)


# -- what follows by itself -------------------------------------------------------------------------------------------


def _are_places_locked(state: State) -> bool:
    return state.storm.step is Step.LOCATE and not unlocked_rebels(state)


def _are_digests_in(state: State) -> bool:
    """All orders are in, some as digests alone, and nobody is asked to open those yet."""
    is_asked = state.question(Step.ORDER) is not None and state.question(OPENING) is None
    return is_asked and bool(characters_with_digest_only(state)) and not without_orders(state)


def _are_openings_in(state: State) -> bool:
    return state.question(OPENING) is not None and not characters_with_digest_only(state)


def _are_orders_in(state: State) -> bool:
    return state.storm.step is Step.ORDER and state.question(OPENING) is None and not without_orders(state)


def _is_setup_over(state: State) -> bool:
    """All who hold a seat have written a character, and the group ends the set-up early."""
    if state.storm.step is not Step.CHARACTERS or not options_of(state).early_close:
        return False
    held = {seat.id for seat in state.players() if state.is_held(seat.id)}
    return held <= {*state.sheets} and state.is_playable(held)


def _end_setup_early(state: State, ctx: Context) -> Iterator[Event]:
    yield from _drop_seats_and_start(state, ctx, _seats_without_character(state))


COURSE: Course[State] = Course(
    kinds=(Step.CHARACTERS, Step.LOCATE, Step.ORDER, OPENING),
    questions=QUESTIONS,
    windows=WINDOWS,
    options=options_of,
    is_live=lambda state: options_of(state).pace == "live",
    default_name="end-step",
    steps=(Step.CHARACTERS, Step.LOCATE, Step.ORDER),
    free_steps=(),  # each step is a question (AX-TRN-1)
    goes_on=(
        When(_is_setup_over, _end_setup_early, ("AX-SET-9",)),
        When(_are_places_locked, ask_for_orders, ("AX-TRN-2", "AX-TRN-3")),
        When(_are_digests_in, ask_for_openings, ("AX-AMB-31",)),
        When(_are_openings_in, close_openings, ("AX-AMB-31",)),
        When(_are_orders_in, resolve_orders, ("AX-TRN-1", "AX-TRN-6")),
    ),
)
