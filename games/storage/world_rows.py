"""The store of a game that is played in a world: the world's row, the colours of its races, its map and chronicle."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar

from core.columns import Writes
from core.ids import derived_id
from games import models
from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed
from games.engine.audience import PUBLIC
from games.engine.game_state import GameState, S
from games.engine.kernel import Event, EventRecord
from games.engine.lifecycle.amend import Amended
from games.engine.lifecycle.gm_commands import Rewound, TimeTurned
from games.storage.chronicle import Entry, delete_entries, entries_of, entry_of, write_entries
from games.storage.store import Store
from worlds.holdings import record_holdings, undo_holdings
from worlds.models import Adjacency, Race, World, WorldMember


class WorldStore(Store[S], ABC):
    """A store with a world beside the tables. A game says how large its map is, and where its events happen.

    The chronicle of the world is the ruleset's story (`EventPages.story`), written command by command.
    """

    adjacency: ClassVar[Adjacency] = Adjacency.SIDES_AND_CORNERS
    peopled: ClassVar[tuple[type[Event], ...]] = ()
    """What may bring a race that has no colour yet, beside corrections and rewinds."""
    handing: ClassVar[tuple[type[Event], ...]] = (ArtifactCreated, ArtifactPassed, ArtifactDestroyed)
    """What may give an artifact another holder, beside corrections and rewinds."""

    @abstractmethod
    def size(self, state: S) -> tuple[int, int]:
        """Columns and rows of the map; 0, 0 while there is none."""

    def square_of(self, event: Event) -> tuple[int, int] | None:
        """Where an event happened, x and y; None where it has no place."""
        return None

    def save_before(self, state: S, game: models.Game, happened: Sequence[EventRecord]) -> None:
        width, height = self.size(state)
        if game.world is None:
            game.world = World.objects.create(
                id=derived_id(game.pk, "world"),
                name=state.info.name,
                width=width,
                height=height,
                adjacency=self.adjacency,
                is_public=game.is_public,
            )
            if not game.is_public:
                keep_members(state, game.world)
        elif (game.world.width, game.world.height) != (width, height):
            resize(state, game.world, width, height)
        names = [kind.__name__ for kind in self.ruleset.pages.story.kinds]
        for to in (h.event.to for h in happened if isinstance(h.event, Rewound)):
            undone = models.LoggedEvent.objects.filter(game=game, audience=PUBLIC, seq__gt=to, type__in=names)
            ordinals = undone.values_list("ordinal", flat=True)
            delete_entries(game.world, [entry_of(game.pk, ordinal) for ordinal in ordinals])

    def retell(self, state: S, game: models.Game, happened: Sequence[EventRecord], head: int) -> Sequence[Entry]:
        return entries_of(self.ruleset, state, happened, head, self.square_of)

    def is_written_at_once(self, happened: Sequence[EventRecord]) -> bool:
        """A rewind is undone in the rows, and a holding begins when an artifact is handed on."""
        return any(isinstance(h.event, (*self.handing, Amended, Rewound, TimeTurned)) for h in happened)

    def save_more(self, state: S, game: models.Game, entries: Sequence[Entry], writes: Writes) -> None:
        if game.world is not None:
            write_entries(game.world, entries, writes)

    def save_after(
        self, state: S, game: models.Game, happened: Sequence[EventRecord], touched: Collection[str]
    ) -> None:
        if game.world is None:
            return
        if not game.is_public and "seats" in touched:
            keep_members(state, game.world)
        if any(isinstance(h.event, (*self.peopled, Amended, Rewound)) for h in happened):
            Race.objects.filter(world=game.world).paint()
        self._record_holdings(state, game.world, happened)

    def heading(self, state: S) -> str:
        """Where the game is, as the chronicle of its world puts it."""
        return ""

    def _record_holdings(self, state: S, world: World, happened: Sequence[EventRecord]) -> None:
        """Say who has which artifact since when."""
        for h in happened:
            if isinstance(h.event, TimeTurned):
                undo_holdings(world, h.event.moment)
        at = next((h.at for h in happened if isinstance(h.event, (*self.handing, Amended, TimeTurned))), None)
        if at is not None:
            record_holdings(world, at, self.heading(state))


def keep_members(state: GameState, world: World) -> None:
    """The people who sit in a private game may see its world, and nobody else."""
    users = {seat.user for seat in state.seats.values() if seat.user is not None}
    members = WorldMember.objects.filter(world=world)
    known = set(members.values_list("user_id", flat=True))
    if known - users:
        members.filter(user_id__in=known - users).delete()
    WorldMember.objects.bulk_create(WorldMember(world=world, user_id=user) for user in users - known)


def resize(state: GameState, world: World, width: int, height: int) -> None:
    """Give a world another size. Its squares get other ids, so everything is written anew that may stand on them."""
    world.squares.all().delete()
    world.width, world.height = width, height
    world.save(update_fields=["width", "height"])
    for _, rows in state.rows():
        rows.dirty.update(rows)
