"""How a seat without a player plays: it casts powers and declares wars now and then, drafts small changes, signs what
does not hurt it.

What harms is aimed at races that do not worship it, what helps at those that do. A policy sees what its seat may see
and nothing else, and throws dice of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.kernel import Command
from games.gods2.rules.casters import cards_in, god_members, purse
from games.gods2.rules.castpower import CastPower
from games.gods2.rules.declaring import POWERS, DeclareWar
from games.gods2.rules.fields import Place
from games.gods2.rules.menu import menu
from games.gods2.rules.operations import (
    CenturyTime,
    Choose,
    DestroyCity,
    Forget,
    Kill,
    LimitCut,
    Manual,
    Migrate,
    Turmoil,
    WarCancel,
)
from games.gods2.rules.orders import listed
from games.gods2.rules.pack import Power
from games.gods2.rules.pantheon import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
)
from games.gods2.rules.posting import waiting
from games.gods2.rules.queue import DrawNumber, PassNumber, number_of
from games.gods2.rules.ranges import contacts
from games.gods2.rules.records import God, GodStatus, Phase
from games.gods2.rules.shares import JEALOUS
from games.gods2.rules.state import State
from games.gods2.rules.targets import Target
from games.gods2.rules.vocabulary import Operation

THOUGHTS = 6  # thoughts in a century
WILL_LOSE = 300  # hundredths of a percent that a bot signs away
WISHES = 200  # what it asks for itself
RULE = "bot"
HARMFUL: tuple[type[Operation], ...] = (Kill, DestroyCity, Forget, LimitCut, Turmoil)


def play_god(state: State, seat: UUID, tray: Tray) -> Thought:
    """The policy `god`: one act at a time, asked again a few times in each century."""
    again = timedelta(seconds=max(1, state.era.century_seconds // THOUGHTS))
    god = state.gods.get(seat)
    if god is None or state.era.phase is Phase.FINISHED:
        return Thought(None, None)
    if god.status is not GodStatus.ALIVE or state.seats[seat].absent:
        return Thought(None, again)
    use = f"bot/{seat}/{state.table.last_at}/{len(state.numbers)}"
    command = _called(state, god, tray, use) or _paper(state, seat)
    if command is None and state.era.phase is Phase.OPEN:
        match tray.roll(f"{use}/mood", 6, RULE):
            case 1 | 2:
                command = _war(state, seat, tray, use)
            case 3:
                command = _draft(state, seat, tray, use)
            case 4 | 5:
                command = _power(state, god, tray, use)
    return Thought(command, again)


def _called(state: State, god: God, tray: Tray, use: str) -> Command | None:
    """What to do at the Window, when the own number is called: a war or a power, whichever is possible."""
    number = number_of(state, god.id)
    if number is None or number != state.era.called:
        return None
    wishes = [wish for wish in (_aimed(state, god.id, tray, use), _cast(state, god, tray, use)) if wish is not None]
    return tray.draw(f"{use}/called", wishes, RULE) if wishes else PassNumber()


def _war(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """A war, or a number for one where others wait."""
    wanted = _aimed(state, seat, tray, use)
    if wanted is None or number_of(state, seat) is not None:
        return None
    return DrawNumber() if state.numbers else wanted


def _power(state: State, god: God, tray: Tray, use: str) -> Command | None:
    """A power, or a number for one where others wait."""
    if number_of(state, god.id) is not None:
        return None
    wanted = _cast(state, god, tray, use)
    return DrawNumber() if wanted is not None and state.numbers else wanted


def _cast(state: State, god: God, tray: Tray, use: str) -> CastPower | None:
    """A power that the seat can pay, on a target where it does the seat good."""
    known = [p.id for p in state.pack.powers.values() if p.id not in POWERS and _sensible(state, p)]
    dishes = [
        (dish.power.id, wanted)
        for dish in menu(state, god, known)
        if dish.price is not None and dish.barred is None
        if (wanted := [t for t in dish.targets.values or () if _welcome(state, god.id, dish.power, t)])
    ]
    if not dishes:
        return None
    power, targets = tray.draw(f"{use}/power", dishes, RULE)
    chosen = tray.draw(f"{use}/target", targets, RULE)
    return CastPower(power=power, targets=tuple(Target.model_validate(target) for target in chosen))


def _sensible(state: State, power: Power) -> bool:
    """Whether a power is for a bot: no task for the GM, no choice, no way to go, no peace where no war waits.

    The time at the table is for people to turn.
    """
    if any(isinstance(effect, (Manual, Choose, Migrate, CenturyTime)) for effect in power.effects):
        return False
    return bool(waiting(state)) or not any(isinstance(effect, WarCancel) for effect in power.effects)


def _harms(power: Power) -> bool:
    """Whether a power is meant to hurt: a disaster, a negative modification, whatever kills or takes away."""
    codes = any(code.startswith("B") for code in power.codes) or "Mn" in power.codes
    return codes or any(isinstance(effect, HARMFUL) for effect in power.effects)


def _welcome(state: State, seat: UUID, power: Power, targets: Sequence[Mapping[str, Any]]) -> bool:
    """Whether all whom the targets touch are such as the seat wants to touch: its worshippers, or others."""
    touched = {race for target in targets for race in _touched(state, target)}
    own = {race for race in touched if (race, str(seat)) in state.shares}
    if not touched:
        return not targets and not _harms(power)
    return not own if _harms(power) else own == touched


def _touched(state: State, target: Mapping[str, Any]) -> Iterator[UUID]:
    """The races of a target: itself, whose city it is, who lives on its squares."""
    if "race" in target:
        yield UUID(target["race"])
    if "city" in target:
        yield state.cities[UUID(target["city"])].race
    for place in target.get("squares", ()):
        race = state.board.people_at(Place.model_validate(place).square)
        if race is not None:
            yield race


def _aimed(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """A declaration that the seat can pay, for one of its races, on one in contact."""
    powers = [state.pack.powers[p] for p in POWERS if p in state.pack.powers]
    prices = [int(p.cost) for p in powers if cards_in(state, seat, p.sphere) >= p.level]
    if not prices or purse(state, seat).balance < min(prices):
        return None
    own = [race.id for race in state.living() if (race.id, str(seat)) in state.shares]
    at_war = {frozenset((war.attacker, war.defender)) for war in waiting(state)}
    pairs = [
        (race, other)
        for race in own
        for other in contacts(state, race)
        if (other, str(seat)) not in state.shares and frozenset((race, other)) not in at_war
    ]
    if not pairs:
        return None
    attacker, defender = tray.draw(f"{use}/war", pairs, RULE)
    return DeclareWar(attacker=attacker, defender=defender)


def _paper(state: State, seat: UUID) -> Command | None:
    """Drafts: sign what is fair, hand in what all have signed, drop what the others do not sign."""
    for order in sorted((o for o in state.orders.values() if not o.deferred), key=lambda o: o.id):
        members = god_members(state, order.race)
        if seat not in members:
            continue
        before, after = state.pantheon(order.race).get(str(seat), 0), dict(order.pantheon).get(str(seat), 0)
        if seat not in order.signed and before - after <= WILL_LOSE and after > 0:
            return SignPantheonOrder(order=order.id)
        if order.drafter == seat and set(members) <= set(order.signed):
            return HandInPantheonOrder(order=order.id)
        if order.drafter == seat and seat in order.signed and state.era.phase in (Phase.RECKONING, Phase.CLOSED):
            return DropPantheonOrder(order=order.id)
    return None


def _draft(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """A little more for oneself, from the largest of the other gods; races with jealous members are left alone."""
    me = str(seat)
    if any(order.drafter == seat for order in state.orders.values()):
        return None
    fitting = []
    for race in state.living():
        shares = state.pantheon(race.id)
        others = [m for m in shares if m != me and m not in JEALOUS]
        if me in shares and others and not any(m in shares for m in JEALOUS):
            fitting.append((race.id, shares, max(others, key=lambda m: (shares[m], m))))
    if not fitting:
        return None
    chosen, held, giver = tray.draw(f"{use}/draft", fitting, RULE)
    if held[giver] <= WISHES:
        return None
    wanted = {**held, me: held[me] + WISHES, giver: held[giver] - WISHES}
    return DraftPantheonOrder(race=chosen, pantheon=listed(wanted))
