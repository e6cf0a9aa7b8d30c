"""The commands of chapter 3: dice are placed or reported, consequences written, miracles chosen, towers built anew."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.events import ActorFell, ActorRevived
from games.dietower.rules.actors.rules import actor_known_to, is_master, is_owner, lay_down, show
from games.dietower.rules.checks.rules import settle_rolls_of
from games.dietower.rules.combat.rules import require_quiet_play
from games.dietower.rules.state.constants import LEAST_HALF_WIDTH, MOST_HALF_WIDTH, MOST_TEXT
from games.dietower.rules.state.records import Consequence, Miracle, Placement
from games.dietower.rules.state.schema_types import ActorKind, Asked, Condition, Harm, MiracleKind, Mode, Step, Target
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import PLAY
from games.dietower.rules.tower.events import ConsequenceAmended, TowerReset
from games.dietower.rules.tower.forecast import forecast_die
from games.dietower.rules.tower.rules import (
    bonus_targets,
    choose_miracle,
    due_placement,
    place_die,
    report_die,
    require_tower_free,
    revival_targets,
    valid_half_width,
    write_consequence,
)
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, Flag, FreeText, ListOf, Range
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.prompt import open_prompt, owner_for

OWN = frozenset({Issuer.SEAT, Issuer.GM})
MASTER = frozenset({Issuer.GM})
REPORTERS = frozenset({Issuer.GM, Issuer.HOST})
MOST_TARGETS = 60


class PlaceDie(Forecastable[State]):
    """Place your die on the simulated tower: four recorded dice say where it comes to lie."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-12", "DT-TWR-3", "DT-TWR-8", "DT-SIM-2")

    placement: UUID
    """The die that is due."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from place_die(state, ctx, self._placement(state, ctx.actor, self.placement))

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The risk of the die."""
        return forecast_die(state, self._placement(state, actor, self.placement))

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for placement in state.due_placements():
            if not is_owner(actor, state.actors[placement.actor]):
                continue
            domains: dict[str, Domain] = {"placement": Choices((placement.id,))}
            try:
                cls._placement(state, actor, placement.id)
            except Refused as barred:
                yield LegalCommand(cls.slug(), domains, barred=barred)
                continue
            yield LegalCommand(cls.slug(), domains)

    @staticmethod
    def _placement(state: State, asker: CommandActor, placement: UUID) -> Placement:
        """Raises `phase.closed`, `tower.physical`, `placement.not_yours`, `placement.waiting`, `prompt.closed`."""
        state.require(*PLAY)
        if state.tower.mode is Mode.PHYSICAL:
            raise Refused(
                "tower.physical", "The tower is a real one; the world master reports the die.", rules=("DT-TWR-2",)
            )
        known = state.placements.get(placement)
        if known is not None and not is_owner(asker, state.actors[known.actor]):
            name = state.actors[known.actor].name
            raise Refused("placement.not_yours", f"This die is for {name} to place.", rules=("DT-CHK-12",))
        return due_placement(state, placement)


class ReportDie(Enumerable[State]):
    """Report a die that was placed on the real tower; the host may after the first deadline, too."""

    issuers: ClassVar[frozenset[Issuer]] = REPORTERS
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-2", "DT-TWR-3", "DT-TWR-4")

    placement: UUID
    """The die that is due."""
    stands: bool
    """Whether the tower stands."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        placement = self._placement(state, ctx.actor, self.placement)
        yield from report_die(state, ctx, placement, stands=self.stands)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for placement in state.due_placements()[:1]:
            cls._placement(state, actor, placement.id)
            yield LegalCommand(cls.slug(), {"placement": Choices((placement.id,)), "stands": Flag()})

    @staticmethod
    def _placement(state: State, asker: CommandActor, placement: UUID) -> Placement:
        """Raises `phase.closed`, `tower.simulated`, `placement.waiting`, `prompt.closed`, `prompt.not_yours`."""
        state.require(*PLAY)
        if state.tower.mode is Mode.SIMULATED:
            raise Refused("tower.simulated", "The service places the dice of this tower.", rules=("DT-TWR-2",))
        found = due_placement(state, placement)
        prompt = state.question(Asked.PLACE, placement)
        if prompt is not None:
            owner_for(state, open_prompt(state, prompt), asker)
        return found


class WriteConsequence(Enumerable[State]):
    """Say what terrible thing the fall of the tower has brought, whom it strikes, and who of them falls."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4", "DT-AMB-23")

    consequence: UUID
    """The terrible thing that is due."""
    kind: Harm
    """What it is."""
    text: str = Field(min_length=1, max_length=MOST_TEXT)
    """How it happens."""
    targets: tuple[Target, ...] = Field(default=(), max_length=MOST_TARGETS)
    """Whom it strikes; the placer's character, who does not fall, where nobody is named."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        consequence = _consequence(state, self.consequence)
        if consequence.written:
            raise Refused("prompt.closed", "This is written; amend-consequence changes it.", rules=("DT-TWR-4",))
        targets = valid_targets(state, ctx.actor, self.targets)
        targets = targets or (Target(actor=consequence.actor, fallen=False),)
        yield from write_consequence(state, consequence, self.kind, self.text, targets)
        yield from settle_fallen(state, ctx, targets)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for consequence in state.consequences.values():
            if not consequence.written:
                yield LegalCommand(cls.slug(), consequence_domains(state, consequence))


class AmendConsequence(Enumerable[State]):
    """Write a terrible thing anew; whom it strikes down no longer gets up, unless they fell otherwise since."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4", "DT-AMB-31", "DT-AMB-59")

    consequence: UUID
    """What was written."""
    kind: Harm
    """What it is."""
    text: str = Field(min_length=1, max_length=MOST_TEXT)
    """How it happens."""
    targets: tuple[Target, ...] = Field(default=(), max_length=MOST_TARGETS)
    """Whom it strikes."""
    reason: str = Field(min_length=1, max_length=MOST_TEXT)
    """Why it is changed."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        require_quiet_play(state)
        consequence = _consequence(state, self.consequence)
        if not consequence.written:
            raise Refused("consequence.missing", "It is not written yet; write-consequence does.", rules=("DT-TWR-4",))
        targets = valid_targets(state, ctx.actor, self.targets)
        up = {target.actor for target in consequence.targets if target.fallen and _fell_by(state, consequence, target)}
        for target in targets:
            yield from show(state, state.actors[target.actor])
        yield ConsequenceAmended(
            consequence=consequence.id, kind=self.kind, text=self.text, targets=targets, reason=self.reason
        )
        struck = {target.actor for target in targets if target.fallen}
        for actor in sorted(struck):
            if state.actors[actor].condition is Condition.ACTIVE:
                yield ActorFell(actor=actor, text=self.text)
                yield from lay_down(state, actor)
        for actor in sorted(up - struck):
            yield ActorRevived(actor=actor)
        yield from settle_fallen(state, ctx, targets)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        require_quiet_play(state)
        for consequence in state.consequences.values():
            if consequence.written:
                reason = FreeText(low=1, high=MOST_TEXT)
                yield LegalCommand(cls.slug(), {**consequence_domains(state, consequence), "reason": reason})


class ChooseMiracle(Enumerable[State]):
    """Choose the miracle of your thirteenth die: somebody who fell is up again, or somebody rolls a die more."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5", "DT-AMB-8", "DT-AMB-25")

    miracle: UUID
    """The miracle that is due."""
    kind: MiracleKind
    """What it does."""
    target: UUID
    """For whom."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        miracle = self._miracle(state, ctx.actor, self.miracle)
        target = actor_known_to(state, ctx.actor, self.target)
        if target.kind is ActorKind.MONSTER:
            raise Refused("target.invalid", "A miracle is for PC and NPC.", rules=("DT-TWR-5",))
        if self.kind is MiracleKind.REVIVE and target.condition is Condition.ACTIVE:
            raise Refused("actor.active", f"{target.name} has not fallen.", rules=("DT-TWR-5",))
        if self.kind is MiracleKind.EXTRA_DIE and target.condition is not Condition.ACTIVE:
            raise Refused("actor.fallen", f"{target.name} has fallen; revive would do.", rules=("DT-TWR-5",))
        yield from choose_miracle(state, miracle, self.kind, target.id)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for miracle in state.miracles.values():
            if miracle.kind is None:
                cls._miracle(state, actor, miracle.id)
                base = {"miracle": Choices((miracle.id,))}
                kinds = ((MiracleKind.REVIVE, revival_targets(state)), (MiracleKind.EXTRA_DIE, bonus_targets(state)))
                for kind, targets in kinds:
                    if targets:
                        found = {"kind": Choices((kind.value,)), "target": Choices.of(a.id for a in targets)}
                        yield LegalCommand(cls.slug(), base | found)

    @staticmethod
    def _miracle(state: State, asker: CommandActor, miracle: UUID) -> Miracle:
        """Raises `phase.closed`, `prompt.closed`, `miracle.not_yours`."""
        state.require(*PLAY)
        found = state.miracles.get(miracle)
        if found is None or found.kind is not None:
            raise Refused("prompt.closed", "No such miracle waits: it was chosen, or never won.", rules=("DT-TWR-5",))
        placer = state.actors[found.actor]
        speaks_for_held = asker.on_behalf_of is not None and state.is_held(placer.seat)
        empty = placer.seat is not None and not state.is_held(placer.seat) and is_master(asker)
        if not empty and (speaks_for_held or not is_owner(asker, placer)):
            raise Refused(
                "miracle.not_yours",
                f"The miracle is for the one who placed the die, {placer.name}, to choose.",
                rules=("DT-AMB-25", "DT-AMB-50"),
            )
        return found


class ResetTower(Enumerable[State]):
    """Take the tower down, and build another, perhaps of another kind; nothing terrible happens."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-7", "DT-AMB-22")

    reason: str = Field(min_length=1, max_length=MOST_TEXT)
    """Why."""
    mode: Mode | None = None
    """A real tower or a simulated one; as it was when absent."""
    half_width: int | None = Field(default=None, ge=0, le=1_000)
    """How steady a simulated one is: 5 to 8; as it was when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_reset(state)
        half_width = valid_half_width(self.half_width)
        tower = state.tower
        yield TowerReset(
            mode=self.mode or tower.mode, half_width=half_width or tower.half_width, height=0, reason=self.reason
        )

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        cls._require_reset(state)
        yield LegalCommand(
            cls.slug(),
            {
                "reason": FreeText(low=1, high=MOST_TEXT),
                "mode": Choices.of(mode.value for mode in Mode),
                "half_width": Range(low=LEAST_HALF_WIDTH, high=MOST_HALF_WIDTH),
            },
        )

    @staticmethod
    def _require_reset(state: State) -> None:
        state.require(Step.FREE)
        require_tower_free(state)
        if state.due_placements():
            raise Refused("prompt.open", "A die for the tower is due; it comes first.", rules=("DT-TWR-7",))


def valid_targets(state: State, asker: CommandActor, targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """Whom a terrible thing strikes. Raises `target.invalid` for a Monster or one named twice, `actor.missing`."""
    named = [actor_known_to(state, asker, target.actor) for target in targets]
    if any(actor.kind is ActorKind.MONSTER for actor in named):
        raise Refused("target.invalid", "A terrible thing strikes PC and NPC, not Monsters.", rules=("DT-TWR-4",))
    if len({actor.id for actor in named}) < len(named):
        raise Refused("target.invalid", "Name each of them once.", rules=("DT-TWR-4",))
    return targets


def settle_fallen(state: State, ctx: Context, targets: tuple[Target, ...]) -> Iterator[Event]:
    """The checks of those who have fallen are withdrawn or close as they are (DT-CHK-15)."""
    for target in targets:
        if state.actors[target.actor].condition is Condition.FALLEN:
            yield from settle_rolls_of(state, ctx, target.actor, "fallen")


def consequence_domains(state: State, consequence: Consequence) -> dict[str, Domain]:
    """What may be said of a terrible thing."""
    people = Choices.of(a.id for a in state.actors.values() if a.kind is not ActorKind.MONSTER)
    target = Fields({"actor": people, "fallen": Flag()}, required=("actor", "fallen"))
    return {
        "consequence": Choices((consequence.id,)),
        "kind": Choices.of(harm.value for harm in Harm),
        "text": FreeText(low=1, high=MOST_TEXT),
        "targets": ListOf.naming_once("actor", people.values, target),
    }


def _consequence(state: State, consequence: UUID) -> Consequence:
    """A terrible thing. Raises `consequence.missing`."""
    found = state.consequences.get(consequence)
    if found is None:
        raise Refused("consequence.missing", "There is no such terrible thing in this game.", rules=("DT-TWR-4",))
    return found


def _fell_by(state: State, consequence: Consequence, target: Target) -> bool:
    """Whether somebody lies fallen by this and by nothing since."""
    actor = state.actors[target.actor]
    return actor.condition is Condition.FALLEN and actor.condition_text == consequence.text
