"""The commands of chapter 2: checks are asked, set, withdrawn; dice are bought, rolls closed."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.rules import (
    actor_known_to,
    check_means,
    is_master,
    is_owner,
    own_actor,
    require_master,
    require_means,
)
from games.dietower.rules.checks.domains import ruling_domain
from games.dietower.rules.checks.events import BonusDieRolled
from games.dietower.rules.checks.forecast import (
    forecast_open_attack,
    forecast_open_check,
    forecast_ruling,
    forecast_unset,
)
from games.dietower.rules.checks.pool import Difficulty
from games.dietower.rules.checks.rules import (
    Ruling,
    ask_ruling,
    close_roll,
    request_check,
    require_checkable,
    require_ruling,
    set_check,
    withdraw_check,
)
from games.dietower.rules.combat.attacks import ask_sides_again, close_side, other_side, rolls_of
from games.dietower.rules.combat.rules import require_quiet_turn
from games.dietower.rules.state.constants import MOST_DICE_BOUGHT, MOST_TEXT
from games.dietower.rules.state.records import Actor, Check, Roll
from games.dietower.rules.state.schema_types import (
    Adv,
    Asked,
    CheckStatus,
    Hindrance,
    HindranceAs,
    Means,
    Text,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import PLAY
from games.dietower.rules.wishes.rules import require_wishes, spend_wishes
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, FreeText, Range
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer

OWN = frozenset({Issuer.SEAT, Issuer.GM})
MASTER = frozenset({Issuer.GM})


class RequestCheck(Forecastable[State]):
    """Ask for a check: what somebody tries, and what they rely on. The world master says how hard it is.

    The world master asks for anybody, and may set the check at once by a ruling.
    """

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-1", "DT-CHK-14")

    actor: UUID | None = None
    """Who tries it; may be left out by a seat with one character."""
    intent: str = Field(min_length=1, max_length=MOST_TEXT)
    """What they try."""
    trait: Text = ""
    """What they rely on."""
    uses: Means = Means.NONE
    """What they use: a trait, the weapon or the power on the sheet; the world master says what it is worth."""
    ruling: Ruling | None = None
    """The world master alone: how hard it is, without a question."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor, own_turn = _tester(state, ctx.actor, self.actor)
        require_means(state, actor.id, self.uses)
        if self.ruling is not None:
            require_master(ctx.actor)
            require_ruling(state, actor.id, self.ruling, own_turn=own_turn)
        seat = None if is_master(ctx.actor) else ctx.actor.acting_seat
        check = yield from request_check(
            state, ctx, actor, self.intent, self.trait, self.uses, by=seat, own_turn=own_turn
        )
        if self.ruling is not None:
            yield from set_check(state, ctx, check, self.ruling)
        else:
            yield from ask_ruling(state, ctx, check)

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the ruling; without one those of every CD."""
        tester, own_turn = _tester(state, actor, self.actor)
        require_means(state, tester.id, self.uses)
        if self.ruling is None:
            return forecast_unset(state, tester.id)
        require_master(actor)
        require_ruling(state, tester.id, self.ruling, own_turn=own_turn)
        return forecast_ruling(state, tester.id, self.ruling)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        master = is_master(actor)
        possible = list(state.actors.values()) if master else state.characters_of(state.seat(actor.acting_seat).id)
        for each in possible:
            domains: dict[str, Domain] = {
                "actor": Choices((each.id,)),
                "intent": FreeText(low=1, high=MOST_TEXT),
                "trait": FreeText(high=MOST_TEXT),
                "uses": Choices.of(means.value for means in check_means(state, each.id)),
            }
            try:
                _, own_turn = _tester(state, actor, each.id)
            except Refused as barred:
                yield LegalCommand(cls.slug(), {"actor": domains["actor"]}, barred=barred)
                continue
            if master:
                domains["ruling"] = ruling_domain(state, each.id, own_turn=own_turn)
            yield LegalCommand(cls.slug(), domains, required=("actor",))


class SetCheck(Forecastable[State]):
    """Say how hard a check is, and throw its dice: 2d6 for what somebody is good at, else 1d6; CD Simple succeeds."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-1", "DT-CHK-2", "DT-CHK-4", "DT-CHK-5", "DT-CHR-7", "DT-CMB-13")

    check: UUID
    """The check that was asked for."""
    cd: Difficulty
    """simple 0, easy 2, average 4, moderate 6, tough 8, challenging 10, formidable 13, improbable 16, epic 20,
    legendary 30; or a number from 1 to 40."""
    good: bool
    """Whether the character is good at it."""
    adv: Adv = Adv.NONE
    """Advantage or disadvantage."""
    edge: int = Field(default=0, ge=0, le=3)
    """+1 minor, +2 normal, +3 big."""
    edge_die: bool = False
    """+1d6 for exploiting a weakness."""
    hindrance: Hindrance = Hindrance.NONE
    """What of the sheet stands in the way."""
    hindrance_as: HindranceAs | None = None
    """What it does: a disadvantage, or no 2d6."""
    free: bool = False
    """Whether it uses no action of the turn."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        check = _asked_check(state, self.check)
        fields = self.model_dump(exclude={"check"})
        yield from set_check(state, ctx, check, Ruling.model_validate(fields))

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the check as it would be set."""
        state.require(*PLAY)
        check = _asked_check(state, self.check)
        ruling = Ruling.model_validate(self.model_dump(exclude={"check"}))
        require_ruling(state, check.actor, ruling, own_turn=check.own_turn)
        return forecast_ruling(state, check.actor, ruling)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for check in state.checks.values():
            if check.status is CheckStatus.ASKED:
                ruling = ruling_domain(state, check.actor, own_turn=check.own_turn)
                domains = {"check": Choices((check.id,)), **ruling.fields}
                yield LegalCommand(cls.slug(), domains, required=ruling.required, cases=ruling.cases)


class WithdrawCheck(Enumerable[State]):
    """Take a check back whose dice are not thrown; the one who asked for it may, and the world master."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-16", "DT-AMB-47")

    check: UUID
    """The check."""
    reason: Text = ""
    """Why; may be left out."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        check = state.checks.get(self.check)
        if check is not None and check.status is CheckStatus.THROWN:
            raise Refused("roll.closed", "The dice are thrown: they stand.", rules=("DT-CHK-15",))
        check = _asked_check(state, self.check)
        if not is_master(ctx.actor) and ctx.actor.acting_seat != check.by:
            raise Refused(
                "prompt.not_yours",
                "Another has asked for this check; the world master may withdraw it.",
                rules=("DT-CHK-16",),
            )
        yield from withdraw_check(state, check, self.reason)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for check in state.checks.values():
            mine = is_master(actor) or (check.by is not None and check.by == actor.acting_seat)
            if mine and check.status is CheckStatus.ASKED:
                yield LegalCommand(cls.slug(), {"check": Choices((check.id,)), "reason": FreeText(high=MOST_TEXT)})


class BuyDie(Forecastable[State]):
    """Buy dice for the open roll of your character, a Wish each; they count like the others."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-6", "DT-WSH-3", "DT-WSH-5")

    roll: UUID
    """The roll."""
    count: int = Field(default=1, ge=1, le=MOST_DICE_BOUGHT)
    """How many."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        roll = _open_roll(state, ctx.actor, self.roll)
        require_wishes(state, roll.actor, self.count, "DT-CHK-6")
        yield from spend_wishes(state, roll.actor, self.count, "die")
        other = other_side(state, roll)
        seat = state.actors[roll.actor].seat
        for die in ctx.tray.pool(f"wish:{roll.id}", self.count, 6, "DT-CHK-6", roller=seat):
            yield BonusDieRolled(roll=roll.id, die=die, reopens=other.id if other is not None else None)
        if roll.attack is not None:
            yield from ask_sides_again(state, ctx, [roll, *([other] if other is not None else [])])

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the pool as it lies, and with 1 to so many Wish dice more."""
        roll = _open_roll(state, actor, self.roll)
        require_wishes(state, roll.actor, self.count, "DT-CHK-6")
        return _of_open_roll(state, roll, self.count)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        for roll in _open_rolls(state, actor):
            free = min(state.free_wishes(roll.actor), MOST_DICE_BOUGHT)
            try:
                require_wishes(state, roll.actor, 1, "DT-CHK-6")
            except Refused as barred:
                yield LegalCommand(cls.slug(), {"roll": Choices((roll.id,))}, barred=barred)
                continue
            yield LegalCommand(cls.slug(), {"roll": Choices((roll.id,)), "count": Range(low=1, high=free)})


class CloseRoll(Forecastable[State]):
    """Close the roll of your character: no Wish dice any more. Extra dice are thrown, and the tower gets its due."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-6", "DT-CHK-7", "DT-CHK-8", "DT-CHK-9", "DT-CHK-10", "DT-CHK-11")

    roll: UUID
    """The roll."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        roll = _open_roll(state, ctx.actor, self.roll)
        if roll.attack is not None:
            yield from close_side(state, roll)
        else:
            yield from close_roll(state, ctx, roll)

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the pool as it lies."""
        return _of_open_roll(state, _open_roll(state, actor, self.roll), 0)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        for roll in _open_rolls(state, actor):
            yield LegalCommand(cls.slug(), {"roll": Choices((roll.id,))})


def _tester(state: State, asker: CommandActor, named: UUID | None) -> tuple[Actor, bool]:
    """(who tries something, whether their player asks in their own turn). Raises what bars the check."""
    state.require(*PLAY)
    actor = own_actor(state, asker, named)
    require_checkable(state, actor)
    encounter = state.encounter
    if encounter is None:
        return actor, False
    own_turn = not is_master(asker)
    if own_turn and encounter.turn != actor.id:
        raise Refused("turn.not_yours", f"It is not {actor.name}'s turn.", rules=("DT-CMB-3",))
    require_quiet_turn(state)
    return actor, own_turn


def _asked_check(state: State, check: UUID) -> Check:
    """A check that waits to be set. Raises `prompt.closed`."""
    found = state.checks.get(check)
    if found is None or found.status is not CheckStatus.ASKED:
        raise Refused(
            "prompt.closed", "No such check waits: it was set, withdrawn, or never asked.", rules=("DT-CHK-1",)
        )
    return found


def _open_rolls(state: State, asker: CommandActor) -> list[Roll]:
    """The rolls whose dice this asker may buy or leave."""
    state.require(*PLAY)
    return [r for r in state.rolls.values() if _is_waiting(state, r) and _rolls_for(state, asker, r)]


def _is_waiting(state: State, roll: Roll) -> bool:
    asked = (state.question(kind, roll.id) for kind in (Asked.CHECK_WISH, Asked.ATTACK_WISH))
    return not roll.closed and any(asked)


def _rolls_for(state: State, asker: CommandActor, roll: Roll) -> bool:
    actor = state.actors[roll.actor]
    return actor.seat is not None and is_owner(asker, actor)


def _open_roll(state: State, asker: CommandActor, roll: UUID) -> Roll:
    """A roll of the asker's character that still waits. Raises `roll.closed`, `roll.not_yours`."""
    state.require(*PLAY)
    found = state.rolls.get(roll)
    if found is None:
        raise Refused("roll.closed", "There is no such roll; the state lists those that are open.", rules=("DT-CHK-6",))
    actor_known_to(state, asker, found.actor)
    if not _rolls_for(state, asker, found):
        name = state.actors[found.actor].name
        raise Refused("roll.not_yours", f"This is the roll of {name}.", rules=("DT-WSH-5",))
    if not _is_waiting(state, found):
        raise Refused("roll.closed", "This roll is closed.", rules=("DT-CHK-6",))
    return found


def _of_open_roll(state: State, roll: Roll, most: int) -> Forecast:
    """The odds of a pool that lies open, with 0 to so many Wish dice more."""
    if roll.attack is None:
        return forecast_open_check(state, roll, most)
    (other,) = (r for r in rolls_of(state, state.attacks[roll.attack]) if r.id != roll.id)
    return forecast_open_attack(state, roll, other, most)
