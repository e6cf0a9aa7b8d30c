"""A power and its questions as facts (sections 9 to 11)."""

from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Mark, Power
from games.dawn.rules.state.schema_types import Place, Price, Share
from games.dawn.rules.state.state import State
from games.engine.audience import SERVER, Audience
from games.engine.economy import purses
from games.engine.economy import purses as escrow
from games.engine.kernel import Event
from games.engine.wording import quantity


class ConsentAsked(Event[State]):
    """Gods are asked to agree to what another begins."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-4", "DW-CMDR-3")

    prompt: UUID
    seats: tuple[UUID, ...]
    shares: tuple[Share, ...] = ()
    """What each would pay, in a joint creation."""


class ConsentAnswered(Event[State]):
    """A god agrees, or does not."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-4", "DW-CMDR-3")

    prompt: UUID
    seat: UUID
    yes: bool

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} {'agrees' if self.yes else 'does not agree'}."


class SharesDrawn(Event[State]):
    """All co-creators have agreed; their shares are held with the caster's."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-4",)

    power: UUID
    shares: tuple[Share, ...]

    def apply(self, state: State) -> None:
        for share in self.shares:
            purses.hold(state.purses, state.holds, self.power, share.seat, share.amount)


class LeaveAsked(Event[State]):
    """Gods are asked for leave to shape squares of theirs."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3",)

    prompt: UUID
    seats: tuple[UUID, ...]
    squares: tuple[Place, ...]


class LeaveAnswered(Event[State]):
    """A god grants leave, or refuses it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3",)

    prompt: UUID
    seat: UUID
    yes: bool

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} {'grants leave' if self.yes else 'refuses leave'}."


class ObjectionRaised(Event[State]):
    """A god objects to a power."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-2", "DW-MIR-3", "DW-MIR-6")

    prompt: UUID
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} objects."


class ObjectionWaived(Event[State]):
    """A god lets it pass."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-2", "DW-MIR-3", "DW-MIR-6", "DW-DC-7", "DW-AVA-5")

    prompt: UUID
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} lets it pass."


class DeclinedWithoutPoints(Event[State]):
    """A god who could only decline, for want of points, is not asked: it counts as declined."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-3",)

    subject: UUID
    """The power, or the dead avatar, that the question would be about."""
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} lacks the points to answer otherwise and lets it pass."


class ChallengeRaised(Event[State]):
    """A god challenges a power."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-7",)

    prompt: UUID
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} challenges it."


class PowerAdvanced(Event[State]):
    """Where an open power stands, for the service alone: what is public of it has events of its own."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-1",)

    power: UUID
    asking: str = ""
    """The key of a question that is put now."""
    settled: str = ""
    """The key of a question that is settled in the caster's favour."""
    refusers: tuple[UUID, ...] = ()
    withdrawn: bool = False
    worked: bool = False

    def audience(self, state: State) -> Audience:
        return SERVER

    def apply(self, state: State) -> None:
        power = state.powers[self.power]
        state.set_power(
            self.power,
            asking=self.asking or power.asking,
            settled=(*power.settled, self.settled) if self.settled else power.settled,
            refusers=self.refusers or power.refusers,
            withdrawn=power.withdrawn or self.withdrawn,
            worked=power.worked or self.worked,
        )


class PowerDeclared(Event[State]):
    """A god uses a power; its price is held until it is settled."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PRC-3",)

    power: UUID
    caster: UUID
    does: str
    """The command's kebab name."""
    arguments: str
    """Its fields as JSON."""
    price_row: Price
    price: int
    escrow: int
    """What is held of the caster's points; shares of others come later."""
    target: UUID | None = None
    """What is marked for this turn."""
    marked: Price | None = None
    words: str = ""

    def apply(self, state: State) -> None:
        state.powers[self.power] = Power(self.power, self.does, self.arguments, self.price_row, self.caster, self.price)
        if self.escrow:
            escrow.hold(state.purses, state.holds, self.power, self.caster, self.escrow)
        if self.marked is not None and self.target is not None:
            state.marks[self.marked, self.target] = Mark(self.marked, self.target)
        state.set_course(begun=True)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.caster)}: {self.words} ({quantity(self.price, 'point')})."


class PowerResolved(Event[State]):
    """A power is settled; its price is spent."""

    rules: ClassVar[tuple[str, ...]] = ("DW-TRN-1",)

    power: UUID

    def apply(self, state: State) -> None:
        escrow.spend_held(state.purses, state.holds, self.power)
        del state.powers[self.power]


class PowerFailed(Event[State]):
    """A power was lost in a Divine Conflict; `refund` of its price comes back."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-4", "DW-DC-5")

    power: UUID
    refund: int

    def apply(self, state: State) -> None:
        _release_holds(state, self.power, self.refund)

    def sentence(self, state: State) -> str:
        return f"The power fails; {quantity(self.refund, 'point')} given back."


class PowerWithdrawn(Event[State]):
    """A power was given up, a consent was denied, or what it was for has gone; `refund` of its price comes back."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3", "DW-RACE-4", "DW-CMDR-3", "DW-AMB-65")

    power: UUID
    refund: int

    def apply(self, state: State) -> None:
        _release_holds(state, self.power, self.refund)

    def sentence(self, state: State) -> str:
        return f"The power is withdrawn; {quantity(self.refund, 'point')} given back."


def _release_holds(state: State, power: UUID, refund: int) -> None:
    settle = escrow.return_held if refund else escrow.spend_held
    settle(state.purses, state.holds, power)
    del state.powers[power]
