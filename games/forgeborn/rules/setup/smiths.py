"""The Smiths are defined in secret and revealed together; the seats find their order (FB-SET-2, 3, 7)."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.setup.events import GameStarted, SeatsRolled, SmithsOpened, SmithsRevealed
from games.forgeborn.rules.setup.values import RevealedSmith
from games.forgeborn.rules.state.constants import MOST_FACES, PLAIN_DICE, STARTING_DIE
from games.forgeborn.rules.state.dice import dice_of, number_of_faces
from games.forgeborn.rules.state.names import free_name
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked, PlaceKind, Size, Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words


def ask_for_smiths(state: State, ctx: Context) -> Iterator[Event]:
    """Ask all players for their Smiths at once; the dice are sealed until all are in (FB-SET-3)."""
    seats = tuple(seat.id for seat in state.players())
    yield SmithsOpened(seats=seats, faces=MOST_FACES)
    yield from ask_row(state, ctx, Asked.SMITHS)


def require_smith_dice(dice: Sequence[int]) -> None:
    """Refuse (`dice.none`, `dice.faces`) dice that no Smith begins with."""
    if not dice:
        raise Refused("dice.none", "A Smith has one die at least.", rules=("FB-SET-3",))
    faces = number_of_faces(dice)
    if faces > MOST_FACES:
        raise Refused(
            "dice.faces",
            f"{dice_in_words(dice)} have {faces} faces; a Smith has {MOST_FACES} at most.",
            rules=("FB-SET-3",),
            faces=faces,
            most=MOST_FACES,
        )


def are_smiths_in(state: State) -> bool:
    """Whether every player whose seat is held has defined a Smith."""
    held = [seat.id for seat in state.players() if state.is_held(seat.id)]
    return state.course.step is Step.SMITHS and bool(held) and all(seat in state.drafts for seat in held)


def settle_smiths(state: State, ctx: Context) -> Iterator[Event]:
    """Reveal the Smiths, plain ones for those who were silent; find the first seat; the game begins."""
    yield from close_question(state, Asked.SMITHS, "deadline" if ctx.by == "deadline" else "all")
    yield SmithsRevealed(smiths=_smiths(state, ctx))
    seats = tuple(seat.id for seat in state.players())
    first = state.course.first_seat
    if first not in seats:
        first = _highest_seat(ctx, seats)
        yield SeatsRolled(order=order_from(first, seats))
    yield GameStarted(
        order=order_from(first, seats),
        dragon=state.place_of_kind(PlaceKind.LAIR).power,
        referee=state.has_referee,
        round_limit=options_of(state).round_limit,
        commitment=state.info.commitment,
    )


def order_from(first: UUID, seats: tuple[UUID, ...]) -> tuple[UUID, ...]:
    """The seats in their fixed order, from one of them on."""
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _highest_seat(ctx: Context, seats: Sequence[UUID]) -> UUID:
    """The seat with the highest d20; those tied for it roll again among themselves (FB-SET-2)."""
    attempt = 0
    while len(seats) > 1:
        attempt += 1
        shown = {seat: ctx.roll(f"first-seat/{attempt}/{seat}", STARTING_DIE, "FB-SET-2") for seat in seats}
        seats = [seat for seat in seats if shown[seat] == max(shown.values())]
    return seats[0]


def _smiths(state: State, ctx: Context) -> tuple[RevealedSmith, ...]:
    """The Smith of every player, in seat order."""
    names = [plate.name for plate in state.nameplates.values()]
    smiths = list[RevealedSmith]()
    for seat in state.players():
        draft, plate = state.drafts.get(seat.id), state.nameplates.get(seat.id)
        if draft is not None and plate is not None:
            name, text, dice = plate.name, plate.text, dice_of(draft)
        else:
            name, text, dice = free_name(seat.name, names), "", tuple(map(Size, PLAIN_DICE))
            names.append(name)
        smiths.append(
            RevealedSmith(
                seat=seat.id, character=ctx.mint(PUBLIC), name=name, text=text, dice=dice, plain=draft is None
            )
        )
    return tuple(smiths)
