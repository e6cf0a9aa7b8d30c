"""Gods declare wars (G2-HIST-2 to 7, G2-WAR-1): who may, what it costs, and what follows.

`declare_war` takes two War cards and 6 mana, `order_war` no card and 10; both only for a member of the attacker's
pantheon. Who cast is told to himself and the GMs alone.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC, Audience, seat_and_gm, seats
from games.engine.errors import Refused
from games.engine.kernel import Actor, Context, Event
from games.engine.offers import Domain, Offer, Offering
from games.engine.timer import TimerSet
from games.gods2.rules.casters import cards_in, caster, is_worshipped, purse
from games.gods2.rules.fields import PartOf, Value
from games.gods2.rules.fighting import FightWar
from games.gods2.rules.history import HistoryEntered, entered
from games.gods2.rules.mana import ManaSpent
from games.gods2.rules.options import options_of, scaled
from games.gods2.rules.posting import WarDeclared, war_due, war_key
from games.gods2.rules.queue import NumberCalled, drawn, due_of_call, number_of, served
from games.gods2.rules.ranges import contacts
from games.gods2.rules.records import God, Phase, WarKind
from games.gods2.rules.state import State

PowerKey = Literal["declare_war", "order_war"]
POWERS: tuple[PowerKey, ...] = ("declare_war", "order_war")


class Target(Value):
    """What a power is aimed at, in the order of the power's target."""

    race: UUID
    """A race."""


class PowerCast(Event):
    """A history power works; who cast it is told elsewhere."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-1", "G2-QUEUE-2")

    casting: UUID
    power: str
    targets: tuple[Target, ...]
    price: int

    def text(self, state: State) -> str:
        names = " against ".join(state.races[t.race].name for t in self.targets)
        return f"{state.pack.powers[self.power].name} is cast on {names} for {self.price} mana."


class PowerAuthored(Event):
    """Who cast a power."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-2",)

    casting: UUID
    primary: UUID
    seats: tuple[UUID, ...]

    def audience(self, state: State) -> Audience:
        return seats(*self.seats, gm=True)

    def text(self, state: State) -> str:
        return f"This was the work of {', '.join(state.gods[s].name for s in self.seats)}."


class DeedAuthored(Event):
    """Who caused an entry of the history."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1",)

    entry: UUID
    seat: UUID

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)

    def text(self, state: State) -> str:
        return f"{state.gods[self.seat].name} caused this."


class DeclareWar(Offering):
    """Let a race that worships you declare war on one it is in contact with; the war is fought five minutes later.

    Without a number one is drawn and served at once when nobody waits. Who is behind it is not told.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1", "G2-HIST-1")

    power: PowerKey | None = None
    """`declare_war` (two War cards) or `order_war`; the cheapest you can cast when absent."""
    attacker: UUID
    """The race that goes to war; you are a member of its pantheon."""
    defender: UUID
    """A race in contact with it."""
    parts: tuple[PartOf, ...] = Field(default=(), max_length=20)
    """Who pays how much, when several cast together; not offered yet."""
    split: Literal["equal", "given"] = "equal"
    """How a common price is divided."""
    signed: bool = False
    """Whether the public entry of the history names you; not offered yet."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god, number = at_the_window(state, ctx.actor)
        state.require(Phase.OPEN)
        if self.parts or self.signed:
            raise Refused("command.unsupported", "Joint castings and signed entries are not offered yet; cast alone.")
        power = chosen_power(state, god, self.power)
        price = paid_by(state, god, power)
        check_war(state, god, self.attacker, self.defender)
        if number is None:
            number = state.era.next_number
            yield from drawn(state, god.id)
            yield NumberCalled(number=number, due=due_of_call(state, ctx))
        yield from self._cast(state, ctx, god, power.id, price)
        yield from served(state, ctx, number)

    def _cast(self, state: State, ctx: Context, god: God, power: str, price: int) -> Iterator[Event]:
        end = state.era.activity_ends_at
        if end is None:
            raise RuntimeError("an open board without an end of the Activity Phase")
        casting = ctx.mint(PUBLIC)
        targets = (Target(race=self.attacker), Target(race=self.defender))
        yield PowerCast(casting=casting, power=power, targets=targets, price=price)
        yield PowerAuthored(casting=casting, primary=god.id, seats=(god.id,))
        left = purse(state, god.id).balance - price
        yield ManaSpent(seat=god.id, casting=casting, amount=price, balance=left)
        war = ctx.mint(PUBLIC)
        due = war_due(ctx.now, end, scaled(state, options_of(state).war_delay_seconds))
        yield WarDeclared(
            war=war, attacker=self.attacker, defender=self.defender, kind=WarKind.GOD, due=due, casting=casting
        )
        yield TimerSet.of(war_key(war), due, FightWar(war=war), shown=PUBLIC, subject=war)
        attacker, defender = state.races[self.attacker].name, state.races[self.defender].name
        words = f"{attacker} declared war on {defender}."
        for event in entered(state, ctx, kind="war", cause=power, words=words, casting=casting, war=war):
            yield event
            if isinstance(event, HistoryEntered):
                yield DeedAuthored(entry=event.entry, seat=god.id)

    @classmethod
    def offers(cls, state: State, actor: Actor) -> Iterator[Offer]:
        god, _ = at_the_window(state, actor)
        state.require(Phase.OPEN)
        power = chosen_power(state, god, None)
        price = paid_by(state, god, power)
        for race in state.living():
            if is_worshipped(state, race.id, god.id):
                reached = contacts(state, race.id)
                if reached:
                    domains = {"attacker": Domain.of((race.id,)), "defender": Domain.of(reached)}
                    yield Offer(cls.slug(), {"power": Domain.of((power.id,)), **domains}, price=price)


def at_the_window(state: State, actor: Actor) -> tuple[God, int | None]:
    """The caster and his called number; none when nobody is called and nobody waits. Raises `number.not_called`."""
    god = caster(state, actor)
    own = number_of(state, god.id)
    if own is not None and own == state.era.called:
        return god, own
    if state.numbers:
        waiting = len(state.numbers)
        message = f"{waiting} number(s) stand before you at the Window; draw yours and wait until it is called."
        raise Refused("number.not_called", message, rules=("G2-QUEUE-1",), waiting=waiting)
    return god, None


def chosen_power(state: State, god: God, wanted: PowerKey | None) -> Any:
    """The power that is cast: the wanted one, else the cheapest for which the god holds the cards.

    Raises `power.missing`, `power.level`.
    """
    known = state.pack.powers
    if wanted is not None:
        if wanted not in known:
            raise Refused("power.missing", f"The pack of this game has no power {wanted}.")
        power = known[wanted]
        held, sphere = cards_in(state, god.id, power.sphere), state.pack.spheres[power.sphere].name
        if held < power.level:
            raise Refused(
                "power.level",
                f"{power.name} needs {power.level} cards of {sphere}; {god.name} holds {held}.",
                rules=("G2-HIST-7",),
                need=power.level,
                have=held,
            )
        return power
    able = [known[p] for p in POWERS if p in known and cards_in(state, god.id, known[p].sphere) >= known[p].level]
    if not able:
        raise Refused("power.missing", "No power to declare a war is within your reach.", rules=("G2-HIST-7",))
    return min(able, key=lambda p: (int(p.cost), p.id))


def paid_by(state: State, god: God, power: Any) -> int:
    """The price of a power, which the god can pay. Raises `mana.short`."""
    price, have = int(power.cost), purse(state, god.id).balance
    if have < price:
        raise Refused(
            "mana.short",
            f"{power.name} costs {price} mana; {god.name} has {have}.",
            rules=("G2-HIST-3",),
            need=price,
            have=have,
        )
    return price


def check_war(state: State, god: God, attacker: UUID, defender: UUID) -> None:
    """Refuse a war that cannot be declared: `race.missing`, `race.extinct`, `target.*`, `contact.missing`."""
    one, other = state.race(attacker), state.race(defender)
    if attacker == defender:
        raise Refused("target.invalid", "A race does not declare war on itself.", rules=("G2-WAR-1",))
    for race in (one, other):
        if race.extinct:
            raise Refused("race.extinct", f"{race.name} are no more.", rules=("G2-POP-5",))
    if not is_worshipped(state, attacker, god.id):
        raise Refused("target.unfit", f"{one.name} do not worship {god.name}.", rules=("G2-HIST-7",))
    if defender not in contacts(state, attacker):
        raise Refused(
            "contact.missing",
            f"{other.name} are out of reach of {one.name}: no unit of theirs stands where {one.name} can go.",
            rules=("G2-MOVE-6",),
        )
