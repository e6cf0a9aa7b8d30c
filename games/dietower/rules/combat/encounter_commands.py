"""The commands of chapter 6 for encounters: open, close, members, order, bands."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.rules import actor_known_to, show
from games.dietower.rules.combat.events import (
    BandSet,
    EncounterClosing,
    EncounterOpened,
    MemberJoined,
    MemberLeft,
    pair_of,
)
from games.dietower.rules.combat.rules import (
    CALLED,
    close_encounter,
    initiative,
    is_quiet,
    require_quiet_turn,
    set_order,
)
from games.dietower.rules.state.constants import MOST_TEXT
from games.dietower.rules.state.records import Actor, Encounter
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Band,
    BandBetween,
    CheckStatus,
    Condition,
    Step,
    Text,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.rules import is_held_up
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Domain, Fields, FreeText, Lacking, ListOf
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.model import IN_ORDER

MASTER = frozenset({Issuer.GM})
MOST_MEMBERS = 100
BAND_NAMES = Choices.of(band.value for band in Band)


class OpenEncounter(Enumerable[State]):
    """Open an encounter with NPC and Monsters; every active character of a player takes part."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-CMB-2", "DT-CMB-12", "DT-CHK-14")

    members: tuple[UUID, ...] = Field(max_length=MOST_MEMBERS, json_schema_extra=IN_ORDER)
    """NPC and Monsters, in the order in which the world master plays them."""
    bands: tuple[BandBetween, ...] = Field(default=(), max_length=1_000)
    """How far opponents are from each other; medium where nothing is said."""
    first: UUID | None = None
    """Who begins; by the tower when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_calm(state)
        named = [actor_known_to(state, ctx.actor, member) for member in self.members]
        _require_upright_once(named)
        if not any(actor.kind is not ActorKind.PC for actor in named):
            raise Refused("members.few", "An encounter is with an NPC or a Monster at least.", rules=("DT-CMB-1",))
        players = [actor.id for actor in state.player_characters() if state.is_active(actor)]
        others = [actor.id for actor in named if actor.kind is not ActorKind.PC]
        members = [*players, *others]
        bands = dict.fromkeys(product(players, others), Band.MEDIUM)
        for each in self.bands:
            pair = _opponents(state, ctx.actor, each.a, each.b)
            if pair not in bands:
                raise _not_opposed()
            bands[pair] = each.band
        if self.first is not None and self.first not in members:
            raise Refused("target.invalid", "The first to act is a member.", rules=("DT-CMB-2",))
        for actor in named:
            yield from show(state, actor)
        yield EncounterOpened(
            encounter=ctx.mint(PUBLIC),
            members=tuple(members),
            bands=tuple(BandBetween(a=a, b=b, band=band) for (a, b), band in bands.items()),
        )
        yield from set_order(state, initiative(state, members, self.first))

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        cls._require_calm(state)
        up = [a for a in state.actors.values() if a.kind is not ActorKind.PC and a.condition is Condition.ACTIVE]
        if up:
            players = [a.id for a in state.player_characters() if state.is_active(a)]
            others = [a.id for a in up]
            domains: dict[str, Domain] = {
                "members": ListOf(Choices.of(others), low=1, high=len(up)),
                "first": Choices.of((*players, *others)),
            }
            if players:
                pair = Fields({"a": Choices.of(players), "b": Choices.of(others), "band": BAND_NAMES})
                domains["bands"] = ListOf(pair, unique=False)
            yield LegalCommand(cls.slug(), domains, cases=_cases_of_members(players, others))

    @staticmethod
    def _require_calm(state: State) -> None:
        """Refuse an encounter now: `encounter.open`, `phase.closed`, `prompt.open` (DT-CHK-14)."""
        if state.encounter is not None:
            raise Refused("encounter.open", "An encounter runs; close-encounter ends it.", rules=("DT-CMB-1",))
        state.require(Step.FREE)
        going_on = any(c.status in (CheckStatus.ASKED, CheckStatus.THROWN) for c in state.checks.values())
        if going_on or is_held_up(state) or state.due_placements():
            raise Refused(
                "prompt.open",
                "A check, a die for the tower, a terrible thing or a miracle is not settled yet.",
                rules=("DT-CHK-14",),
            )


def _cases_of_members(players: Sequence[UUID], others: Sequence[UUID]) -> tuple[Case, ...]:
    """Who is left out of an encounter neither begins it nor is far from anybody in it."""
    return tuple(
        Case(
            {"members": Lacking(Choices((each,)))},
            {
                "first": Choices.of((*players, *(other for other in others if other != each))),
                **({"bands": ListOf.between(0, None, (_band_with(each), 0))} if players else {}),
            },
        )
        for each in (others if len(others) > 1 else ())
    )


def _band_with(other: UUID) -> Fields:
    """A distance to somebody."""
    return Fields({"b": Choices((other,))}, ("b",), closed=False)


class CloseEncounter(Enumerable[State]):
    """Close the encounter; what is open in it is finished first."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-AMB-56")

    text: Text = ""
    """How it ended."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        encounter = self._encounter(state)
        if is_quiet(state):
            yield from close_encounter(state, CALLED, self.text)
        else:
            yield EncounterClosing(encounter=encounter.id, text=self.text)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        cls._encounter(state)
        yield LegalCommand(cls.slug(), {"text": FreeText(high=MOST_TEXT)})

    @staticmethod
    def _encounter(state: State) -> Encounter:
        encounter = _running(state)
        if encounter.closing:
            raise Refused("encounter.closing", "The encounter ends already.", rules=("DT-AMB-56",))
        return encounter


class JoinEncounter(Enumerable[State]):
    """Let somebody join the encounter, after another in the order, or last of their seat."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-AMB-58")

    actor: UUID
    """Who."""
    after: UUID | None = None
    """After whom they act."""
    band: Band = Band.MEDIUM
    """How far they are from each opponent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        encounter = _quiet(state)
        actor = actor_known_to(state, ctx.actor, self.actor)
        if actor.id in state.members or actor.condition is not Condition.ACTIVE:
            raise Refused("target.invalid", f"{actor.name} takes part already, or is not up.", rules=("DT-CMB-1",))
        if self.after is not None and self.after not in encounter.order:
            raise Refused("target.invalid", "They act after a member.", rules=("DT-AMB-58",))
        yield from show(state, actor)
        yield MemberJoined(actor=actor.id, after=self.after, band=self.band)
        yield from set_order(state, _with(state, list(encounter.order), actor, self.after))

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        encounter = _quiet(state)
        outside = [a for a in state.actors.values() if a.id not in state.members and a.condition is Condition.ACTIVE]
        if outside:
            domains = {"actor": Choices.of(a.id for a in outside), "after": Choices.of(encounter.order)}
            yield LegalCommand(cls.slug(), {**domains, "band": BAND_NAMES})


class LeaveEncounter(Enumerable[State]):
    """Let somebody leave the encounter."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-AMB-55")

    actor: UUID
    """Who."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        encounter = _quiet(state)
        actor = actor_known_to(state, ctx.actor, self.actor)
        if actor.id not in state.members:
            raise Refused("target.invalid", f"{actor.name} takes no part.", rules=("DT-CMB-1",))
        if any(not a.over and actor.id in (a.actor, a.target) for a in state.attacks.values()):
            raise Refused("prompt.open", f"An attack of {actor.name} is not over yet.", rules=("DT-CMB-1",))
        yield MemberLeft(actor=actor.id)
        yield from set_order(state, [each for each in encounter.order if each != actor.id])

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        _quiet(state)
        yield LegalCommand(cls.slug(), {"actor": Choices.of(state.members)})


class SetInitiative(Enumerable[State]):
    """Say in which order the members act; the turn that runs goes on."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-AMB-58")

    order: tuple[UUID, ...] = Field(max_length=MOST_MEMBERS, json_schema_extra=IN_ORDER)
    """Each active member once."""
    reason: str = Field(min_length=1, max_length=MOST_TEXT)
    """Why."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _quiet(state)
        active = {member for member in state.members if state.is_active(state.actors[member])}
        if len(set(self.order)) < len(self.order) or not active <= set(self.order) <= set(state.members):
            raise Refused("target.invalid", "Name each active member once.", rules=("DT-CMB-2",))
        rest = [member for member in state.members if member not in self.order]
        yield from set_order(state, [*self.order, *rest], self.reason)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        _quiet(state)
        active = [member for member in state.members if state.is_active(state.actors[member])]
        order = ListOf(Choices.of(active), low=len(active), high=len(active))
        yield LegalCommand(cls.slug(), {"order": order, "reason": FreeText(low=1, high=MOST_TEXT)})


class SetBand(Enumerable[State]):
    """Say how far two opponents are from each other."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-12",)

    a: UUID
    """One of them."""
    b: UUID
    """The other."""
    band: Band
    """short, medium, long or distant."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _quiet(state)
        pair = _opponents(state, ctx.actor, self.a, self.b)
        if pair not in state.distances:
            raise _not_opposed()
        yield BandSet(a=pair[0], b=pair[1], band=self.band)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        _quiet(state)
        for a, b in state.distances:
            yield LegalCommand(cls.slug(), {"a": Choices((a,)), "b": Choices((b,)), "band": BAND_NAMES})


def _running(state: State) -> Encounter:
    """The encounter that runs. Raises `encounter.missing`."""
    encounter = state.require_encounter()
    state.require(Step.TURN)
    return encounter


def _quiet(state: State) -> Encounter:
    """The encounter that runs, with no question open inside its turn (section 8). Raises `prompt.open` besides."""
    encounter = _running(state)
    require_quiet_turn(state)
    return encounter


def _require_upright_once(actors: Sequence[Actor]) -> None:
    """Refuse (`target.invalid`) who is not up, or named twice."""
    up = all(actor.condition is Condition.ACTIVE for actor in actors)
    if not up or len({actor.id for actor in actors}) < len(actors):
        raise Refused("target.invalid", "Name each once, and nobody fallen or beaten.", rules=("DT-CMB-1",))


def _opponents(state: State, asker: CommandActor, one: UUID, other: UUID) -> tuple[UUID, UUID]:
    """Two opponents, the player's character first. Raises `band.invalid`, `actor.missing`."""
    first, second = actor_known_to(state, asker, one), actor_known_to(state, asker, other)
    if (first.seat is None) is (second.seat is None):
        raise _not_opposed()
    return pair_of(state, one, other)


def _not_opposed() -> Refused:
    return Refused(
        "band.invalid", "A band is between a player's character and an NPC or Monster here.", rules=("DT-CMB-12",)
    )


def _with(state: State, order: list[UUID], actor: Actor, after: UUID | None) -> list[UUID]:
    """The order with a newcomer: after somebody, else last of the seat, else last (DT-AMB-58)."""
    if after is None:
        own = [each for each in order if state.actors[each].seat == actor.seat]
        after = own[-1] if own else None
    place = order.index(after) + 1 if after is not None else len(order)
    return [*order[:place], actor.id, *order[place:]]
