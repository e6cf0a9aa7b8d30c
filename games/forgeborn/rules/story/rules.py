"""Lines of the lists are drawn (FB-TXT-1, FB-TXT-2); names and answers in advance are looked up."""

import re
from collections.abc import Generator, Iterator
from uuid import UUID

from core.names import comparable, is_same_name
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.forgeborn.rules.state.names import is_taken
from games.forgeborn.rules.state.records import Place
from games.forgeborn.rules.state.schema_types import (
    ListName,
    PlaceKind,
    StandingAnswer,
    StandingKind,
    Step,
)
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import PLAIN_NAMES, plain_name
from games.forgeborn.rules.story.events import LineDrawn, ThreatSet, drawn_for
from games.forgeborn.rules.story.lists import LISTS

LIST_FOR = {PlaceKind.VILLAGE: ListName.THREATS, PlaceKind.RUINS: ListName.GUARDIANS}
"""What threatens a kind of place comes from this list; the other kinds have none (FB-TXT-2)."""
ANSWERS: dict[StandingKind, tuple[StandingAnswer, ...]] = {
    StandingKind.HELP: (StandingAnswer.DECLINE,),
    StandingKind.VAULT: (StandingAnswer.YES, StandingAnswer.NO),
    StandingKind.GAIN: (StandingAnswer.D4,),
}
"""What may be answered in advance, by kind (FB-AMB-53)."""
UNFINISHED = tuple(step for step in Step if step is not Step.FINISHED)
NEW_RUINS = re.compile(rf"{PLAIN_NAMES[PlaceKind.RUINS]} [1-9][0-9]*", re.IGNORECASE)
NOT_AS_NEW_RUINS = rf"^(?!{''.join(f'[{c.upper()}{c.lower()}]' for c in PLAIN_NAMES[PlaceKind.RUINS])} [1-9][0-9]*$)"
"""The pattern of names that no new Ruins may come to have."""


def draw_threat(state: State, ctx: Context, place: Place) -> Iterator[Event]:
    """Draw what threatens a Village or guards Ruins, for all to read; nothing in a game with a referee (FB-TXT-2)."""
    if state.has_referee or place.kind not in LIST_FOR:
        return
    drawn = yield from draw_line(state, ctx, LIST_FOR[place.kind], place=place.id, is_public=True)
    yield ThreatSet(place=place.id, text=drawn)


def draw_line(
    state: State,
    ctx: Context,
    name: ListName,
    line: int | None = None,
    *,
    place: UUID | None = None,
    drawer: UUID | None = None,
    is_public: bool = False,
) -> Generator[Event, None, str]:
    """Take a line of a list, by a die with as many sides as the list has lines unless one is named; returns its text.

    drawer: the player's seat that draws. is_public: whether the service draws. Raises `line.range`.
    """
    lines = LISTS[name]
    if line is not None and not 1 <= line <= len(lines):
        raise Refused(
            "line.range",
            f"The list of {name} has the lines 1 to {len(lines)}, not {line}; name one of them, or none for a die.",
            rules=("FB-TXT-1",),
            low=1,
            high=len(lines),
        )
    entry = ctx.mint(drawn_for(drawer, is_public=is_public))
    # The die is bound to the line's own id: a list is drawn from many times in a game.
    number = line if line is not None else ctx.roll(f"draw/{entry}", len(lines), "FB-TXT-1")
    text = lines[number - 1]
    yield LineDrawn(
        entry=entry,
        list=name,
        line=number,
        text=text,
        place=place,
        die=len(lines) if line is None else None,
        drawer=drawer,
        is_public=is_public,
    )
    return text


def require_place(state: State, place: UUID) -> Place:
    """The place of this id. Raises `place.missing`."""
    if place not in state.places:
        raise Refused("place.missing", "There is no such place on the map.", rules=("FB-ROW-3",))
    return state.places[place]


def require_place_name(state: State, place: Place, name: str) -> None:
    """Refuse (`name.taken`) the name of another place, and the plain name of one that may come (FB-MAP-15)."""
    is_plain = is_same_name(name, plain_name(place.kind, place.number))
    others = [other for other in state.places.values() if other.id != place.id]
    taken = {other.name for other in others} | {plain_name(other.kind, other.number) for other in others}
    is_of_ruins_to_come = bool(NEW_RUINS.fullmatch(comparable(name))) and not is_plain
    if is_taken(name, taken) or is_of_ruins_to_come:
        raise Refused(
            "name.taken", f"Another place is, or will be, called {name}; choose another name.", rules=("FB-MAP-15",)
        )


def standing_answer(state: State, ctx: Context, seat: UUID, kind: StandingKind) -> StandingAnswer | None:
    """What a seat has answered in advance to questions of a kind; None where it is asked (FB-AMB-53)."""
    ctx.open_secret_of(seat)
    word = state.advance_answers.get((seat, kind))
    return word.answer if word is not None else None
