"""The GM opens a way that armies lack, and the war order goes on as if there were one (DW-WAR-3)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.command.arguments import MOST_ARMIES, Act, Args, Target, act_invalid
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.powers.frame import Cast, PowerRules, declare_power
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.schema_types import Text
from games.dawn.rules.state.state import State
from games.dawn.rules.war.events import ReachAllowed
from games.dawn.rules.war.march import targets
from games.dawn.rules.war.reach import without_path
from games.engine.economy import purses
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, FreeText, ListOf, Narrowed
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer

Reason = Annotated[Text, Field(min_length=1)]


class AllowReach(Enumerable[State]):
    """Give the war order of the active god on their behalf, and open the way that it lacks."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    for_seat: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-3",)

    source: UUID
    """Who marches by whose command: the race, the city, or the avatar who leads the army."""
    target: Target
    """Whom the war is made upon."""
    armies: tuple[UUID, ...] = Field(default=(), max_length=MOST_ARMIES)
    """Which armies march; an avatar leads their own, so leave them out with one."""
    reason: Reason
    """How they get there; everybody reads it."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god, order = state.active(ctx.actor), self.order(state)
        _require_missing(state, order, god.id)
        cast = Cast(god.id, reach=True)
        order.check(state, cast)
        purses.require(state.purses, god.id, order.own_share(state, cast), order.saying(state).capitalize(), rules=PAID)
        avatar = state.avatars.get(self.source)
        led = (avatar.leads,) if avatar is not None and avatar.leads is not None else ()
        yield ReachAllowed(by=god.id, target=self.target.square, armies=self.armies or led, reason=self.reason)
        yield from declare_power(state, ctx, order, cast)

    def order(self, state: State) -> PowerRules:
        """The command that it gives for the god. Raises `act.invalid`."""
        if self.source in state.avatars and not self.armies:
            attack = Action(action=Doing.ATTACK_CITY, target=self.target)
            return CommandAvatar(avatar=self.source, actions=(attack,))
        args = Args(target=self.target, armies=self.armies)
        if self.source in state.cities:
            return CommandCity(city=self.source, act=Act.WAR, args=args)
        if self.source in state.races:
            return CommandRace(race=self.source, act=Act.WAR, args=args)
        raise act_invalid("Name the race or the city with its armies, or the avatar alone.", "DW-WAR-1")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = state.active(actor)
        cities = sorted(c.id for c in state.cities.values() if c.controller == god.id and state.armies_in(c.id))
        races = sorted({state.cities[city].race for city in cities})
        leaders = sorted(a.id for a in state.avatars.values() if a.alive and a.owner == god.id and a.leads is not None)
        found = targets(state, god.id)
        if not cities or not found:
            raise Refused("army.missing", "This god has no armies, or nobody to attack.", rules=("DW-WAR-2",))
        marches = tuple(march for source in (*races, *cities, *leaders) for march in _marches(state, god.id, source))
        if not marches:
            raise Refused("path.open", "No march of this god lacks a way.", rules=("DW-WAR-3",))
        armies = [army.id for city in cities for army in state.armies_in(city)]
        yield LegalCommand(
            cls.slug(),
            {
                "source": Choices.of((*races, *cities, *leaders)),
                "target": Choices.of(_as_json(target) for target in found),
                "armies": ListOf(Choices.of(armies), low=1),
                "reason": FreeText(),
            },
            note="After the god's own order was refused with path.missing.",
            cases=(Case(either=marches),),
        )


def _marches(state: State, god: UUID, source: UUID) -> Iterator[Narrowed]:
    """The marches by command of a race, a city or an avatar that lack a way: with which armies, upon whom."""
    avatar = state.avatars.get(source)
    own = [a for a in state.armies.values() if state.cities[a.city].controller == god]
    led = avatar.leads if avatar is not None else None
    near = [a for a in own if source in (a.city, state.cities[a.city].race) or a.id == led]
    groups: dict[tuple[UUID, ...], list[Target]] = {}
    for target in targets(state, god):
        lost = tuple(sorted(army.id for army in without_path(state, near, target.square.at)))
        if lost and _lacks_a_way(state, AllowReach(source=source, target=target, armies=lost, reason="-"), god):
            groups.setdefault(lost, []).append(target)
    for lost, reached in groups.items():
        armies = None if avatar is not None else ListOf(Choices.of(lost), low=1)
        yield {"source": Choices((source,)), "target": Choices.of(map(_as_json, reached)), "armies": armies}


def _lacks_a_way(state: State, wanted: AllowReach, god: UUID) -> bool:
    """Whether an order lacks a way and nothing else."""
    if wanted.source in state.avatars:
        wanted = wanted.model_copy(update={"armies": ()})
    try:
        order = wanted.order(state)
        _require_missing(state, order, god)
        order.check(state, Cast(god, reach=True))
        purses.require(state.purses, god, order.own_share(state, Cast(god, reach=True)), "This march", rules=PAID)
    except Refused:
        return False
    return True


def _as_json(target: Target) -> dict[str, object]:
    return target.model_dump(mode="json", exclude_none=True)


def _require_missing(state: State, order: PowerRules, seat: UUID) -> None:
    """Refuse (`path.open`) an order that lacks no way; raise what else it lacks."""
    try:
        order.check(state, Cast(seat))
    except Refused as why:
        if why.code == "path.missing":
            return
        raise
    raise Refused("path.open", "This march lacks no way; the god can order it without you.", rules=("DW-WAR-3",))
