"""The frame of a power: declared, asked about, fought over, worked or not, settled. The powers are in their chapters.

declared (price held, mark used) -> its questions one by one (each may withdraw it or raise a conflict) -> leave that
was refused: a conflict with each refuser -> under the option: anybody's challenge -> effect -> questions after it ->
resolved (price spent) -> what comes after. Lost in a conflict: failed, its price comes back (DW-DC-5).
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.powers.events import PowerAdvanced, PowerDeclared, PowerFailed, PowerResolved, PowerWithdrawn
from games.dawn.rules.powers.questions import Challenge, Decide, PowerQuestion
from games.dawn.rules.state.constants import MARKED_ONCE, PAID, PRICES
from games.dawn.rules.state.records import Mark, Power
from games.dawn.rules.state.schema_types import Price
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.rules import lapse_places
from games.engine.audience import PUBLIC
from games.engine.economy import purses as escrow
from games.engine.economy.purses import hold_total
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.breakdown import Sum
from games.engine.insight.legal_commands import Enumerable
from games.engine.kernel import Context, Event


@dataclass(frozen=True, slots=True)
class Cast:
    """Who uses a power, and through which avatar if it is a free one (DW-AVA-3, 4)."""

    caster: UUID
    avatar: UUID | None = None
    reach: bool = False
    """The GM has opened the way that a march lacks (DW-WAR-3)."""


class PowerRules(Enumerable[State], abstract=True):
    """A power of the price table as rules: what it costs, who is asked, what it does. Its fields are its arguments.

    `casting.PowerCommand` makes it a command.
    """

    refundable: ClassVar[bool] = True
    """Whether its price comes back when it fails (DW-AVA-3 says no for command-avatar)."""

    @abstractmethod
    def row(self, state: State) -> Price:
        """Its row in the price table."""

    @abstractmethod
    def check(self, state: State, cast: Cast) -> None:
        """Refuse what cannot be done; whose turn it is, marks and points are checked by the frame."""

    @abstractmethod
    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        """What it does."""

    def check_again(self, state: State, cast: Cast) -> None:
        """Refuse what can be done no longer when it was asked about (DW-AMB-65): what `check` does, points aside."""
        self.check(state, cast)

    def cost(self, state: State, cast: Cast) -> int:
        """Its whole price in this Age (DW-PRC-3)."""
        return int(self.price_sum(state, cast).value)

    def price_sum(self, state: State, cast: Cast) -> Sum:
        """Its price step by step, from its row in the column of this Age; its `check` comes first."""
        row, price = self.row(state), Sum()
        price.step("price", row, f"Age {state.course.age}", "DW-PRC-3", "add", PRICES[row][state.course.age - 1])
        return price

    def own_share(self, state: State, cast: Cast) -> int:
        """What the caster's own seat pays at once; all of it unless others pay shares (DW-RACE-4)."""
        return self.cost(state, cast)

    def does_work_beaten(self, power: Power) -> bool:
        """Whether it takes effect though a conflict about it was lost; `effect` reads `power.beaten` (DW-MIR-3)."""
        return False

    def hits(self) -> UUID | None:
        """What it hits, for the mark `1` (DW-PRC-1)."""
        return None

    def mark(self, state: State) -> Mark | None:
        """The mark it uses up, if its row has one."""
        row, target = self.row(state), self.hits()
        return Mark(row, target) if row in MARKED_ONCE and target is not None else None

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        """What is asked before it takes effect, in order; each with a key of its own."""
        return ()

    def afterwards(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        """What is asked after the effect and before it is resolved; read anew after each answer."""
        return ()

    def following(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        """What comes right after it is resolved: a war begins."""
        return iter(())

    def saying(self, state: State) -> str:
        """What is done, for the chronicle."""
        return self.slug().replace("-", " ")


def declare_power(state: State, ctx: Context, command: PowerRules, cast: Cast) -> Iterator[Event]:
    """Check a power and declare it. Raises `target.marked`, what `check` raises, `points.short`."""
    mark = command.mark(state)
    require_unmarked(state, mark)  # before `check`: the first use may have led to the end of the scale
    command.check(state, cast)
    price, share = command.cost(state, cast), command.own_share(state, cast)
    saying = command.saying(state)
    escrow.require(state.purses, cast.caster, share, saying[:1].upper() + saying[1:], rules=PAID)
    yield PowerDeclared(
        power=ctx.mint(PUBLIC),
        caster=cast.caster,
        does=command.slug(),
        arguments=command.model_dump_json(),
        price_row=command.row(state),
        price=price,
        escrow=share,
        target=mark.target if mark else None,
        marked=mark.price if mark else None,
        words=saying,
    )
    yield from lapse_places(state)


def require_unmarked(state: State, mark: Mark | None) -> None:
    """Refuse (`target.marked`) to hit a target with the same power again in one turn."""
    if mark is not None and (mark.price.value, mark.target) in state.marks:
        raise Refused(
            "target.marked",
            f"{state.title(mark.target)} has been hit by this power in this turn; once a turn is all.",
            rules=("DW-PRC-1",),
        )


def power_goes_on(state: State, ctx: Context) -> Iterator[Event]:
    """One step of the open power: it is settled, the next question is put, or it takes effect."""
    power = next(iter(state.powers.values()))
    command = rules_of(ctx, power)
    lost = power.beaten and not command.does_work_beaten(power)
    if power.withdrawn or lost or is_void(state, command, power):
        refund = hold_total(state.holds, power.id) if command.refundable else 0
        kind = PowerFailed if lost and not power.withdrawn else PowerWithdrawn
        yield kind(power=power.id, refund=refund)
        return
    asked = next_question(state, ctx, power)
    if asked is not None:
        yield PowerAdvanced(power=power.id, asking=asked.key)
        yield from asked.ask(state, ctx, power)
    elif not power.worked:
        yield from command.effect(state, ctx, power)
        yield PowerAdvanced(power=power.id, worked=True)
    else:
        yield PowerResolved(power=power.id)
        yield from command.following(state, ctx, power)


def is_void(state: State, command: PowerRules, power: Power) -> bool:
    """Whether what was asked about can be done no longer: its target is gone, or another than it was (DW-AMB-65).

    The way of a march is not looked at again: the GM may have opened it (DW-WAR-3).
    """
    if power.worked or not power.asking:
        return False
    try:
        command.check_again(state, Cast(power.caster, reach=True))
    except Refused:
        return True
    return False


def next_question(state: State, ctx: Context, power: Power) -> PowerQuestion | None:
    """What is to be asked about a power now; None when it may take effect, or is to be resolved."""
    return next((q for q in _open_questions(state, ctx, power) if q.asked), None)


def question_of(state: State, ctx: Context, prompt: Prompt) -> PowerQuestion | None:
    """The question of the open power that a prompt asks, of those who were asked; None when it has become void."""
    power = state.powers.get(prompt.subject) if prompt.subject else None
    if power is None or is_void(state, rules_of(ctx, power), power):
        return None
    found = next((q for q in _open_questions(state, ctx, power) if q.key == power.asking), None)
    owners = state.in_turn_order(UUID(owner.removeprefix("seat:")) for owner in prompt.owners)
    return replace(found, asked=tuple(owners)) if found is not None else None


def _open_questions(state: State, ctx: Context, power: Power) -> Iterator[PowerQuestion]:
    """The questions of a power that are not settled, in order."""
    command = rules_of(ctx, power)
    if power.worked:
        every: Iterable[PowerQuestion] = command.afterwards(state, power)
    else:
        every = () if power.beaten else _before(state, command, power)
    return (q for q in every if q.key not in power.settled)


def _before(state: State, command: PowerRules, power: Power) -> Iterator[PowerQuestion]:
    """The questions before the effect: the power's own, after each those of its refusers, last a challenge."""
    heard = {power.caster}
    for asked in command.questions(state, power):
        yield asked
        if asked.asked_once:
            heard.update(asked.asked)
        if asked.key in power.settled:
            for refuser in state.present(power.refusers):
                yield Decide(f"decide:{refuser}", (power.caster,), refuser=refuser)
    if state.course.open_challenge:
        others = (g.id for g in state.playing() if g.id not in heard)
        yield Challenge(asked=tuple(state.present(others)))


def rules_of(ctx: Context, power: Power) -> PowerRules:
    """The rules of an open power, with its arguments."""
    command = ctx.command(power.does, power.arguments)
    if not isinstance(command, PowerRules):
        raise RuntimeError(f"{power.does} is no power")
    return command
