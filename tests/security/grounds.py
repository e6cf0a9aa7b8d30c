"""The games in which secrets are planted: Cairns with its people, the demo event of The Gods II, three steps of
Albraxas, two of Dawn, four of the Die Tower, three of Forgeborn.

Each has an owner of secrets and, beside the table, everybody who could want to know them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from pydantic import ConfigDict

from accounts.models import User
from games import registry, services
from games.albraxas.rules.state.schema_types import Step
from games.dietower.rules.state.schema_types import Asked
from games.engine.artifacts.commands import CreateArtifact
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import EndSetup
from games.engine.lifecycle.seating import HandOver, Join
from games.models import Game, LoggedEvent, Seat
from games.workers import demo
from tests.api import dietower
from tests.api.worlds import toy_game, user
from tests.games import forgeborn
from tests.games.albraxas import ALBERT, battle, blitz, define, writing
from tests.games.dawn import command, peopled_world

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
    """A viewer: a user or nobody, with a game-master's visibility or the user's own, through these seats."""

    user: User | None
    seats: frozenset[UUID] = frozenset()
    as_gm: bool = False

    def may_read(self, audience: str) -> bool:
        """Whether an audience key names this viewer; written anew here, so that it checks the engine's own."""
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
    step: str = ""
    """Where the game stands, for a ruleset whose secrets come about in several steps."""

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
    """Cairns: Bob owns the secrets, Ann plays beside Bob, Wanda watches, Eve has no seat."""
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
    """The demo event: Ilsoire's player owns the secrets and a ring, Gordrun and Ashkar play too. No century ends."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, folder, 7200
    game = Game.objects.get(pk=demo.prepare("gods2")["game"])
    for seat in Seat.objects.filter(game=game, role="player", user__isnull=False):  # no bot stands in for who is here
        person = Actor(Issuer.SEAT, seat.user_id, seat.pk)
        services.run(game.pk, HandOver(seat=seat.pk, user=seat.user_id), actor=person)
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
    ground.run(CreateArtifact(name="Ring", holder=ground.owner.pk))
    warlike = ground.game.world.race_set.filter(shares__deity=gordrun).order_by("name")
    fields = next(war_fields for race in warlike if (war_fields := _war_of(ground, str(race.pk))) is not None)
    return Ground(ground.fresh(), ground.gm, ground.owner, ground.other, viewers, ("declare-war", fields))


def _war_of(ground: Ground, race: str) -> dict[str, str] | None:
    """A war that Gordrun may let a race declare."""
    contacts = (
        registry.ruleset("gods2")
        .commands["declare-war"]
        .legal_commands(ground.state(), Actor(Issuer.SEAT, None, ground.other.pk))
    )
    for offer in contacts:
        if str(offer.arguments["attacker"].values[0]) == race:
            return {"attacker": race, "defender": str(offer.arguments["defender"].values[0])}
    return None


def storm(step: Step) -> Ground:
    """Albraxas in a step of turn 2, or before the start: Ria owns the secrets, Albert plays Albraxas.

    Rex, a rebel beside Ria, reads what is open among rebels; Rob looks at nothing and has not written anything.
    """
    here = writing({"phases": 9, "sides": 6, "check_from": 8}, ("ria", "rex", "rob", ALBERT), timezone.now())
    services.run(here.id, Join(name="Wanda", role=Role.OBSERVER), actor=Actor(Issuer.SEAT, user("wanda").pk))
    define(here, "rex")
    define(here, ALBERT)
    act: tuple[str, dict[str, Any]] = ("define-character", {"name": "Albraxas", "backbone": 6, "battle": 7, "blitz": 7})
    if step is not Step.CHARACTERS:
        define(here, "ria")
        define(here, "rob")
        here.run(EndSetup())
        here.go(ria=1, rex=4, rob=9)
        here.write(ria=(battle(1),), rex=(blitz(2),), rob=(), albert=(battle(),))
        act = ("concede", {})
    if step is Step.ORDER:
        here.go(ria=3, rex=5, rob=9)
        here.write(ria=(battle(2), blitz(2)))
        act = ("write-orders", {"orders": [{"action": "battle"}]})
    owner, rex, albert = (Seat.objects.select_related("user").get(pk=here.seats[n]) for n in ("ria", "rex", ALBERT))
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(user("eve")),
        "observer": Viewer(user("wanda")),
        "other seat": Viewer(albert.user, frozenset({albert.pk})),
        "rebel": Viewer(rex.user, frozenset({rex.pk})),
        "owner": Viewer(owner.user, frozenset({owner.pk})),
        "gm": Viewer(user("host"), as_gm=True),
    }
    return Ground(here.game, here.actor("gm"), owner, albert, viewers, act, step.value)


def ages(step: str) -> Ground:
    """Dawn in Ann's turn while a motion is open: `war`, she marches on Bob's city; `power`, she asks Bob for leave.

    Ann owns the secrets, Bob acts in public; Cat, Dan and Eli look at nothing.
    """
    people = ("ann", "bob", "cat", "dan", "eli")
    here = peopled_world(people=people, now=timezone.now())
    services.run(here.id, Join(name="Wanda", role=Role.OBSERVER), actor=Actor(Issuer.SEAT, user("wanda").pk))
    here.grant("cat", 50)  # enough for what is offered in secret, whatever the dice have given
    here.run(command("open-motion", length=7), "cat")
    if step == "war":
        town = min(city.id for city in here.state.cities.values() if city.controller == here.seats["ann"])
        armies = [str(army.id) for army in here.state.armies_in(town)]
        march = {"target": {"square": {"x": 3, "y": 1}}, "armies": armies}
        here.run(command("command-city", city=town, act="war", args=march), "ann")
    else:
        here.shape("ann", "Theft", (3, 1))
    owner, bob = (Seat.objects.select_related("user").get(pk=here.seats[name]) for name in ("ann", "bob"))
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(user("eve")),
        "observer": Viewer(user("wanda")),
        "other seat": Viewer(bob.user, frozenset({bob.pk})),
        "owner": Viewer(owner.user, frozenset({owner.pk})),
        "gm": Viewer(user("host"), as_gm=True),
    }
    act = ("cast-ballot", {"motion": str(next(iter(here.state.motions))), "yes": True})
    return Ground(here.game, here.actor("gm"), owner, bob, viewers, act, step)


def tower(step: str) -> Ground:
    """The Die Tower: `setup`; `free`, Bob's dice of a check wait for Wishes; `turn`, Bob has done nothing in the
    own turn yet; `attack`, the dice of an attack on Gnaw in it wait for Wishes.

    Ann owns the secrets, Bob acts in public. Odo was never seen, nor Gnaw before the encounter.
    """
    here = dietower.written(now=timezone.now())
    services.run(here.id, Join(name="Wanda", role=Role.OBSERVER), actor=Actor(Issuer.SEAT, user("wanda").pk))
    bobs = here.pc("bob")
    act: tuple[str, dict[str, Any]] = ("roll-chart", {"actor": str(bobs), "field": "weapon"})
    if step != "setup":
        here.does("gm", "open-session")
        here.rises("ann", 3, 3)
        gnaw = here.named("Gnaw")
        assault = {"target": str(gnaw), "uses": "weapon"}
        if step == "free":
            here.checks(bobs)
        else:
            here.does("gm", "open-encounter", members=[gnaw], first=bobs)
        if step == "attack":
            here.does("bob", "declare-attack", **assault)
            here.does("gm", "set-attack", attack=here.question(Asked.ATTACK_SET))
        act = ("declare-attack", assault) if step == "turn" else ("buy-die", {"roll": str(here.open_roll("bob"))})
    owner, bob = (Seat.objects.select_related("user").get(pk=here.seats[name]) for name in ("ann", "bob"))
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(user("eve")),
        "observer": Viewer(user("wanda")),
        "other seat": Viewer(bob.user, frozenset({bob.pk})),
        "owner": Viewer(owner.user, frozenset({owner.pk})),
        "gm": Viewer(user("host"), as_gm=True),
    }
    return Ground(here.game, here.actor("gm"), owner, bob, viewers, act, step)


def forge(step: str) -> Ground:
    """Forgeborn: `smiths`, Ann and Bob have defined theirs, Cat has not; `vote`, Bob asks for an artifact and Ann has
    said yes; `danger`, nobody has described yet what Ann meets.

    Ann owns the secrets, Bob acts in public.
    """
    people = ("bob", "ann", "cat") if step == "vote" else ("ann", "bob", "cat")
    options = {"referee": "person"} if step == "danger" else {"referee": "none"}
    here = (forgeborn.defining if step == "smiths" else forgeborn.begin)(options, people, timezone.now())
    services.run(here.id, Join(name="Wanda", role=Role.OBSERVER), actor=Actor(Issuer.SEAT, user("wanda").pk))
    act: tuple[str, dict[str, Any]] = ("leave-seat", {})
    if step == "smiths":
        for name in ("ann", "bob"):
            here.does(name, "define-smith", name=f"Brave {name}", dice=[8, 8])
        act = ("define-smith", {"name": "Brave bob", "text": "Tall.", "dice": [6]})
    elif step == "vote":
        forgeborn.forge(here, "bob", others=("ann", "cat"))
        here.does("ann", "end-turn")
        here.does("cat", "end-turn")
        here.does("bob", "request-artifact", artifact=here.thing("Ember"))
        here.does("ann", "cast-ballot", yes=True)
    else:
        forgeborn.reach(here, "ann", "city")
        here.does("ann", "beseech-prince")
    owner, bob = (Seat.objects.select_related("user").get(pk=here.seats[name]) for name in ("ann", "bob"))
    viewers = {
        "nobody": Viewer(None),
        "stranger": Viewer(user("eve")),
        "observer": Viewer(user("wanda")),
        "other seat": Viewer(bob.user, frozenset({bob.pk})),
        "owner": Viewer(owner.user, frozenset({owner.pk})),
        "gm": Viewer(user("host"), as_gm=True),
    }
    return Ground(here.game, here.actor("gm"), owner, bob, viewers, act, step)
