"""The two games in which secrets are kept: Cairns with its people, and the demo event of The Gods II.

Each has an owner of secrets and, beside the table, everybody who could want to know them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from pydantic import ConfigDict

from accounts.models import User
from games import demo, registry, services
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.seating import Join
from games.engine.table import Role
from games.models import Game, LoggedEvent, Seat
from tests.api.worlds import toy_game, user

Words = Callable[[Any, Context], Iterable[Event]]


class Whisper(Command):
    """Lets events happen that are given with it: for secrets that no command brings about alone."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})

    words: Any

    def decide(self, state: Any, ctx: Context) -> Iterable[Event]:
        yield from self.words(state, ctx)


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks: a user or nobody, with a game-master's eyes or his own, through these seats."""

    user: User | None
    seats: frozenset[UUID] = frozenset()
    as_gm: bool = False

    def may_read(self, audience: str) -> bool:
        """Whether an audience key names him; written anew here, so that it judges the engine's own."""
        if audience == "public":
            return True
        readers = audience.split("+")
        return any(f"seat:{seat}" in readers for seat in self.seats) or (self.as_gm and "gm" in readers)


@dataclass(frozen=True)
class Ground:
    """A game with its secrets' owner, its viewers, and a public act that follows upon each secret."""

    game: Game
    gm: Actor
    owner: Seat
    """Whose secrets are planted; no viewer but `owner` plays this seat."""
    other: Seat
    """Another player's seat, which acts in public."""
    viewers: dict[str, Viewer]
    act: tuple[str, dict[str, Any]]
    """A command of `other` and its fields."""

    @property
    def slug(self) -> str:
        return self.game.ruleset

    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

    def state(self) -> Any:
        return registry.store(self.slug).load(self.fresh())

    def run(self, command: Command, actor: Actor | None = None, **more: Any) -> services.Outcome:
        return services.run(self.game.pk, command, actor=actor or self.gm, now=timezone.now(), **more)

    def as_owner(self, command: Command, **more: Any) -> services.Outcome:
        return self.run(command, Actor(Issuer.SEAT, self.owner.user_id, self.owner.pk), **more)

    def happen(self, *events: Event) -> None:
        """Let these events happen."""
        self.run(Whisper(words=lambda state, ctx: events))

    def audiences_behind(self, seq: int) -> set[str]:
        """The readers of what has happened behind an event."""
        behind = LoggedEvent.objects.filter(game=self.game, seq__gt=seq)
        return set(behind.values_list("audience", flat=True))


def cairns(**more: Any) -> Ground:
    """Cairns: Bob owns the secrets, Ann plays beside him, Wanda watches, Eve has no seat."""
    toy = toy_game(**more)
    wanda = user("wanda")
    services.run(toy.game.pk, Join(name="Wanda", role=Role.OBSERVER), actor=Actor(Issuer.SEAT, wanda.pk))
    ann, bob = (Seat.objects.get(pk=toy.seat(person)) for person in (toy.ann, toy.bob))
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(toy.eve),
        "observer": Viewer(wanda),
        "other seat": Viewer(toy.ann, frozenset({ann.pk})),
        "owner": Viewer(toy.bob, frozenset({bob.pk})),
        "gm": Viewer(toy.host, as_gm=True),
    }
    return Ground(toy.fresh(), toy.gm, bob, ann, viewers, ("roll-stones", {}))


def era(settings: Any, folder: Any) -> Ground:
    """The demo event: Ilsoire's player owns the secrets, Gordrun and Ashkar play beside him."""
    settings.DEMO, settings.DATA_DIR = True, folder
    game = Game.objects.get(pk=demo.prepare()["game"])
    seats = {seat.name: seat for seat in Seat.objects.select_related("user").filter(game=game)}
    lead = next(seat for seat in seats.values() if seat.role == "gm")
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(user("eve")),
        "observer": Viewer(seats["Observer"].user),
        "other seat": Viewer(seats["Gordrun"].user, frozenset({seats["Gordrun"].pk})),
        "owner": Viewer(seats["Ilsoire"].user, frozenset({seats["Ilsoire"].pk})),
        "gm": Viewer(lead.user, as_gm=True),
    }
    gordrun = str(seats["Gordrun"].pk)
    ground = Ground(
        game, Actor(Issuer.GM, lead.user_id, lead.pk), seats["Ilsoire"], seats["Gordrun"], viewers, ("", {})
    )
    warlike = ground.game.world.race_set.filter(shares__deity=gordrun).order_by("name")
    fields = next(offered for race in warlike if (offered := _war_of(ground, str(race.pk))) is not None)
    return Ground(ground.fresh(), ground.gm, ground.owner, ground.other, viewers, ("declare-war", fields))


def _war_of(ground: Ground, race: str) -> dict[str, str] | None:
    """A war that Gordrun may let a race declare."""
    contacts = (
        registry.ruleset("gods2")
        .commands["declare-war"]
        .offers(ground.state(), Actor(Issuer.SEAT, None, ground.other.pk))
    )
    for offer in contacts:
        if str(offer.arguments["attacker"].values[0]) == race:
            return {"attacker": race, "defender": str(offer.arguments["defender"].values[0])}
    return None
