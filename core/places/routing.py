"""Which place an id belongs to, and the place in force: that of this thread or task, in a context variable.

With PLACES=0 every function here costs one comparison and does nothing, so that callers need not know. Which bucket a
slot lies in is a table of 4,096 rows that each process keeps for `REFRESH_SECONDS`.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar, cast
from uuid import UUID, uuid4

import structlog
from django.apps import apps
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import QuerySet

from core.ids import REST_BITS, in_slot_of, slot_of
from core.places.place import BeingMoved, Place

T = TypeVar("T")
logger = structlog.get_logger(__name__)
REFRESH_SECONDS = 10.0
"""How long a process believes the table of slots."""
OF_PLACE = ("schema", "server", "state")
"""What a bucket's row says of a place, besides its number."""
NOTHING: AbstractContextManager[None] = nullcontext()
_in_force: ContextVar[Place | None] = ContextVar("place", default=None)


class Table(NamedTuple):
    """The table of slots as it was read once."""

    read: float
    """When, as `time.monotonic` gives it."""
    places: tuple[Place, ...]
    """Those that have their tables, by number."""
    by_slot: tuple[Place, ...]


_table: list[Table] = []  # one at most


def current() -> Place | None:
    """The place in force; None outside of all."""
    return _in_force.get()


def place_of(identity: UUID) -> Place | None:
    """The place of a game or world, or of any row in it; None with PLACES=0. One query each `REFRESH_SECONDS`."""
    return read_table().by_slot[slot_of(identity)] if settings.PLACES else None


def at(identity: UUID) -> AbstractContextManager[None]:
    """Let the block's statements run in the place of an id."""
    return at_place(place_of(identity)) if settings.PLACES else NOTHING


def at_place(place: Place | None) -> AbstractContextManager[None]:
    """Let the block's statements run in a place; None: in none, where no game is."""
    return _enter(place) if settings.PLACES else NOTHING


@contextmanager
def _enter(place: Place | None) -> Iterator[None]:
    token = _in_force.set(place)
    try:
        yield
    finally:
        _in_force.reset(token)


def every_place() -> tuple[Place | None, ...]:
    """Every place, to be entered one after the other; with PLACES=0 None alone, which is all there is."""
    return read_table().places if settings.PLACES else (None,)


def places_for(identity: UUID | None) -> tuple[Place | None, ...]:
    """The place of an id alone, or every place where none is named."""
    return every_place() if identity is None else (place_of(identity),)


def in_every_place(read: Callable[..., T], *arguments: Any) -> list[T]:
    """What is read in each place, one after the other; also inside of a transaction of one of them."""
    found = []
    for place in every_place():
        with at_place(place and place.aside()):
            found.append(read(*arguments))
    return found


def in_places_at_hand(read: Callable[..., T], *arguments: Any) -> list[T]:
    """As `in_every_place`, without the places whose server is away: for lists that better lack some than all."""
    found = []
    for place in every_place():
        with at_hand(place and place.aside()):
            found.append(read(*arguments))
    return found


@contextmanager
def at_hand(place: Place | None) -> Iterator[None]:
    """As `at_place`; where the server of a place is away, the block ends there, and a line is logged.

    What lies at home raises OperationalError as ever.
    """
    try:
        with at_place(place):
            yield
    except (OperationalError, InterfaceError) as fault:
        if place is None or not place.server:
            raise
        logger.warning("places.away", place=place.schema, server=place.server, error=type(fault).__name__)


def places_to_write() -> Iterator[Place | None]:
    """Every place that takes changes, for what goes over all of them and comes again: one being moved is left out."""
    return (place for place in every_place() if place is None or not place.is_moving)


def is_moving() -> bool:
    """Whether the place in force is being moved to another server."""
    place = _in_force.get()
    return place is not None and place.is_moving


def at_home() -> AbstractContextManager[None]:
    """Let the block's statements run where people are: at home, if the place in force is on another server or moving.

    Without such places, and in a transaction, nothing changes.
    """
    place = _in_force.get()
    return NOTHING if place is None or not (place.server or place.is_moving) else at_place(None)


def by_place(identities: Iterable[UUID]) -> dict[Place | None, list[UUID]]:
    """Ids by the place that each belongs to; with PLACES=0 all of them, also none, under None."""
    if not settings.PLACES:
        return {None: [*identities]}
    found: dict[Place | None, list[UUID]] = {}
    for identity in identities:
        found.setdefault(place_of(identity), []).append(identity)
    return found


def count_everywhere(rows: QuerySet[Any, Any]) -> int:
    """How many rows a queryset has in all places whose servers are there."""
    return sum(in_places_at_hand(lambda: rows.all().count()))


def random_id() -> UUID:
    """A random id for a game or a world that is made in the place in force; outside of all its slot is random, too.

    Raises IndexError for a place without slots.
    """
    place = current()
    if place is None:
        return uuid4()
    slots = [slot for slot, each in enumerate(read_table().by_slot) if each.number == place.number]
    return in_slot_of(UUID(int=secrets.choice(slots) << REST_BITS), uuid4())


def whole() -> AbstractContextManager[object]:
    """A transaction, where there is none, around statements that cannot have one each: those of a pipeline.

    It begins on the server of the place in force, which cannot change within a pipeline.
    """
    is_placed = settings.PLACES and _in_force.get() is not None
    return cast(Any, connection).on_its_server() if is_placed else NOTHING


def read_table() -> Table:
    """The table of slots, from this process's memory or anew. Raises LookupError where `migrate_places` is missing."""
    now = time.monotonic()
    if not _table or now - _table[0].read >= REFRESH_SECONDS:
        rows = _model("Bucket").objects.exclude(state="new").order_by("number")
        places = {number: _place(number, *of) for number, *of in rows.values_list("number", *OF_PLACE)}
        found = list(_model("Slot").objects.order_by("slot").values_list("bucket_id", flat=True))
        if not found or not {*found} <= {*places}:
            raise LookupError("The places are not ready; run `manage.py migrate_places`.")
        _table[:] = [Table(now, tuple(places.values()), tuple(places[number] for number in found))]
    return _table[0]


def _place(number: int, schema: str, server: str, state: str) -> Place:
    """The place that a bucket's row describes."""
    return Place.of(number, schema, server, state == "moving")


def _model(name: str) -> Any:
    """A model of this app, which is installed with PLACES alone."""
    return cast(Any, apps.get_model("places", name))


def has_moved(identity: UUID, place: Place | None) -> bool:
    """Whether an id lies elsewhere than in the place where it was not found; then its asker tries again there.

    The row of its slot is asked, however young the table is: a move takes many slots, one shortly after the other.
    Where the table says something else, it is read anew.
    """
    if not settings.PLACES or place is None:
        return False
    if place_by_row(identity) != place_of(identity):
        forget()
    return place_of(identity) != place


def place_by_row(identity: UUID) -> Place:
    """The place of an id, as the row of its slot has it now; one query."""
    columns = ("bucket_id", *(f"bucket__{name}" for name in OF_PLACE))
    return _place(*_model("Slot").objects.values_list(*columns).get(pk=slot_of(identity)))


def read_at(identity: UUID, missing: type[Exception] | tuple[type[Exception], ...], read: Callable[[], T]) -> T:
    """What is read in the place of an id, again where it has moved. missing: what `read` raises where it is not."""
    while True:
        place = place_of(identity)
        try:
            with at_place(place):
                return read()
        except missing:
            if not has_moved(identity, place):
                raise


@contextmanager
def making(identity: UUID) -> Iterator[None]:
    """A transaction in the place of an id that is being given: no move takes its slot meanwhile. Raises BeingMoved."""
    while True:
        if (place := place_of(identity)) is not None and place.is_moving:
            raise BeingMoved
        with at_place(place), transaction.atomic():
            if not settings.PLACES or _hold_slot(identity):
                yield
                return
        forget()


def _hold_slot(identity: UUID) -> bool:
    """Let no move take a slot before this transaction ends; False: it lies elsewhere by now."""
    place = _in_force.get()
    held = (
        _model("Slot")
        .objects.select_for_update(no_key=True)
        .filter(pk=slot_of(identity), bucket=place and place.number)
    )
    return held.first() is not None


def forget() -> None:
    """Read the table of slots anew at the next question: for those who have just changed it."""
    _table.clear()
