"""Attacks: declared, defended, set, rolled, and what a hit does (DT-CMB-5..10, 13, 15)."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from games.dietower.rules.actors.rules import (
    defence_uses,
    lay_down,
    show,
    use_standing_answer,
)
from games.dietower.rules.checks.events import PoolRolled, RollClosed, WindowClosed
from games.dietower.rules.checks.pool import (
    Side,
    attack_result,
    base_dice_of_attack,
    pool_of,
)
from games.dietower.rules.checks.rules import (
    STANDING_WINDOW,
    has_no_power,
    has_window,
    shape_of,
    tally_of,
)
from games.dietower.rules.combat.action_events import (
    AttackCalledOff,
    AttackDeclared,
    AttackHit,
    AttackMissed,
    AttackSet,
    DefenceChosen,
    HealthChanged,
    HoldReturned,
    MonsterBeaten,
    MonsterHurt,
    WeaknessAimed,
)
from games.dietower.rules.state.records import Actor, Attack, Hold, Roll
from games.dietower.rules.state.schema_types import ActorKind, Asked, Condition, Terms, Uses
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.rules import owe_placements, risk_in_words
from games.engine.audience import GM, PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.engine.prompts.standing import standing_answer
from games.engine.wording import listing

STANDING_DEFEND = "defend"


def check_target(state: State, actor: UUID, target: UUID) -> None:
    """Refuse (`target.invalid`) whom nobody attacks: oneself, no member, fallen, beaten (DT-CMB-14)."""
    found = state.actors.get(target)
    if found is None or target == actor or target not in state.members or found.condition is not Condition.ACTIVE:
        raise Refused(
            "target.invalid", "Attack another member of the encounter who is up.", rules=("DT-CMB-5", "DT-CMB-14")
        )


def check_uses(uses: Uses, possible: list[Uses]) -> None:
    """Refuse (`uses.invalid`) a use that is not there, or for the other side (DT-CMB-5, DT-AMB-27)."""
    if uses not in possible:
        raise Refused(
            "uses.invalid",
            f"Here that is {listing(list(possible), 'or')}, not {uses}.",
            rules=("DT-CMB-5", "DT-AMB-27"),
            uses=[each.value for each in possible],
        )


def open_attack(state: State) -> Attack | None:
    """The attack that is not over; there is one at most."""
    return next((attack for attack in state.attacks.values() if not attack.over), None)


def declare_attack(
    state: State, ctx: Context, actor: Actor, target: UUID, uses: Uses, hold: Hold | None = None
) -> Iterator[Event]:
    """Declare an attack, of a turn or as a held action; the defender's owner is asked, then the world master."""
    yield from show(state, actor)
    attack = ctx.mint(PUBLIC)
    held = {"hold": hold.id, "trigger": hold.trigger} if hold is not None else {}
    yield AttackDeclared(attack=attack, actor=actor.id, target=target, uses=uses, **held)
    defender = state.actors[target]
    if defender.seat is None:
        yield from ask_terms(state, ctx, attack)
        return
    said = standing_answer(state, defender.seat, STANDING_DEFEND)
    if said is not None and said in defence_uses(state, target):
        yield from use_standing_answer(state, ctx, defender, STANDING_DEFEND, attack)
        yield from choose_defence(state, ctx, state.attacks[attack], Uses(said))
        return
    yield from ask_row(state, ctx, Asked.ATTACK_DEFEND, attack, attacker=actor.name, defender=defender.name)


def choose_defence(state: State, ctx: Context, attack: Attack, uses: Uses) -> Iterator[Event]:
    """Say what the attacked defends with; the world master is asked next."""
    yield DefenceChosen(attack=attack.id, uses=uses)
    yield from close_question(state, Asked.ATTACK_DEFEND, "chosen", attack.id)
    yield from ask_terms(state, ctx, attack.id)


def usual_defence(state: State, actor: UUID) -> Uses:
    """What somebody defends with by silence: a defensive weapon, or else nothing (section 8)."""
    return Uses.WEAPON if Uses.WEAPON in defence_uses(state, actor) else Uses.NONE


def ask_terms(state: State, ctx: Context, attack: UUID) -> Iterator[Event]:
    """Ask the world master how an attack is rolled."""
    found = state.attacks[attack]
    attacker, defender = state.actors[found.actor].name, state.actors[found.target].name
    risk = risk_in_words(state)
    yield from ask_row(state, ctx, Asked.ATTACK_SET, attack, attacker=attacker, defender=defender, risk=risk)


def call_off(state: State, ctx: Context, attack: Attack, reason: str) -> Iterator[Event]:
    """An attack whose dice are not thrown is not made; its action is not used, a held one is held again (DT-CMB-15)."""
    yield AttackCalledOff(attack=attack.id, reason=reason)
    if attack.hold is not None:
        is_public = state.actors[attack.actor].seat is not None
        hold = attack.hold if is_public else ctx.mint(GM)  # the old id is known from its release
        yield HoldReturned(hold=hold, actor=attack.actor, trigger=attack.trigger)
    yield from close_question(state, Asked.ATTACK_DEFEND, "off", attack.id)
    yield from close_question(state, Asked.ATTACK_SET, "off", attack.id)


@dataclass(frozen=True, slots=True)
class Sides:
    """What both sides of an attack roll with, as the world master has said."""

    attack_uses: bool
    """Whether what the attacker uses gives its 2d6."""
    defence_uses: bool
    defence: Uses
    attacker: Terms
    defender: Terms

    def base_dice(self, attack: Attack) -> tuple[int, int]:
        """The base dice of the attacker and of the defender (DT-CMB-5, DT-CHR-7)."""
        return (
            base_dice_of_attack(attack.uses, applies=self.attack_uses, no_power=has_no_power(self.attacker)),
            base_dice_of_attack(self.defence, applies=self.defence_uses, no_power=has_no_power(self.defender)),
        )


def set_attack(state: State, ctx: Context, attack: Attack, both: Sides, *, weakness: bool) -> Iterator[Event]:
    """Throw the dice of both sides, the attacker's first (DT-CHK-13, DT-CMB-5, 6)."""
    yield AttackSet(
        attack=attack.id,
        attack_uses=both.attack_uses,
        defence_uses=both.defence_uses,
        defence=both.defence,
        attacker=both.attacker,
        defender=both.defender,
    )
    yield WeaknessAimed(attack=attack.id, weakness=weakness)
    yield from close_question(state, Asked.ATTACK_SET, "set", attack.id)
    ours, theirs = both.base_dice(attack)
    sides = (
        (attack.actor, Side.ATTACKER, ours, both.attacker),
        (attack.target, Side.DEFENDER, theirs, both.defender),
    )
    for actor, side, base, terms in sides:
        yield from show(state, state.actors[actor])
        shape = shape_of(state, actor, base, terms)
        seat = state.actors[actor].seat
        label = f"attack:{attack.id}/{side}"
        pool = pool_of(shape, ctx.tray.pool(label, len(shape.kinds), 6, "DT-CMB-5", roller=seat))
        yield PoolRolled(
            roll=ctx.mint(PUBLIC),
            actor=actor,
            attack=attack.id,
            dice=pool.dice,
            discarded=pool.discarded,
            pool=pool.pool,
            flat=terms.edge,
        )
    for roll in rolls_of(state, attack):
        yield from open_side(state, ctx, roll)


def set_attack_by_silence(state: State, ctx: Context, attack: Attack) -> Iterator[Event]:
    """Both use what they said; no advantage, edge, hindrance or weakness (section 8)."""
    defence = attack.defence or usual_defence(state, attack.target)
    both = Sides(attack_uses=True, defence_uses=True, defence=defence, attacker=Terms(), defender=Terms())
    yield from set_attack(state, ctx, attack, both, weakness=False)


def rolls_of(state: State, attack: Attack) -> list[Roll]:
    """The rolls of an attack, the attacker's first."""
    found = [roll for roll in state.rolls.values() if roll.attack == attack.id]
    return sorted(found, key=lambda roll: roll.actor != attack.actor)


def open_side(state: State, ctx: Context, roll: Roll) -> Iterator[Event]:
    """Ask one side for Wish dice; without a window it is closed at once (DT-CMB-6)."""
    actor = state.actors[roll.actor]
    if not has_window(state, actor):
        if actor.seat is not None and actor.condition is Condition.ACTIVE:
            yield from use_standing_answer(state, ctx, actor, STANDING_WINDOW, roll.id)
        yield WindowClosed(roll=roll.id)
        return
    yield from ask_row(state, ctx, Asked.ATTACK_WISH, roll.id, actor=actor.name)


def other_side(state: State, roll: Roll) -> Roll | None:
    """The other roll of an attack whose owner has a window; None in a check, or where nobody has one."""
    for other in state.rolls.values():
        if roll.attack is not None and other.attack == roll.attack and other.id != roll.id:
            return other if has_window(state, state.actors[other.actor]) else None
    return None


def ask_sides_again(state: State, ctx: Context, rolls: list[Roll]) -> Iterator[Event]:
    """After a purchase both sides have the whole time again, one that has closed is asked once more (DT-CMB-6)."""
    for roll in rolls:
        yield from close_question(state, Asked.ATTACK_WISH, "again", roll.id)
        yield from open_side(state, ctx, state.rolls[roll.id])


def close_side(state: State, roll: Roll) -> Iterator[Event]:
    """One side buys no more dice; the attack is resolved when both have closed (DT-CMB-6, DT-AMB-56)."""
    yield WindowClosed(roll=roll.id)
    yield from close_question(state, Asked.ATTACK_WISH, "closed", roll.id)


def resolve_attack(state: State, ctx: Context, attack: Attack) -> Iterator[Event]:
    """Count both rolls: hit or miss, harm to a Monster, dice for the tower (DT-CMB-6..10)."""
    one, other = rolls_of(state, attack)
    attacker, defender = state.actors[attack.actor], state.actors[attack.target]
    tallies = []
    for roll in (one, other):
        tally = tally_of(ctx, roll, state.actors[roll.actor].seat)
        tallies.append(tally)
        yield RollClosed(roll=roll.id, net=tally.net, extra=tally.extra, flat=tally.flat, total=tally.total)
    result = attack_result(tallies[0], tallies[1], attacker_kind=attacker.kind, defender_kind=defender.kind)
    if result.hit:
        weakness = state.aims[attack.id].weakness
        yield AttackHit(attack=attack.id, weakness=weakness)
        if defender.kind is ActorKind.MONSTER:
            yield from hurt_monster(state, defender, 2 if weakness else 1)
    else:
        yield AttackMissed(attack=attack.id)
    rolls = {Side.ATTACKER: one, Side.DEFENDER: other}
    for placement in result.placements:
        roll = rolls[placement.side]
        yield from owe_placements(state, ctx, roll.id, [(roll.actor, placement.reason)])


def hurt_monster(state: State, monster: Actor, amount: int) -> Iterator[Event]:
    """A hit takes Health from a Monster; without any it is beaten (DT-CMB-8)."""
    health = max(0, state.vitalities[monster.id].health - amount)
    yield MonsterHurt(actor=monster.id, amount=amount)
    yield HealthChanged(actor=monster.id, health=health)
    if not health:
        yield MonsterBeaten(actor=monster.id)
        yield from lay_down(state, monster.id)


def is_decided(state: State, attack: Attack) -> bool:
    """Whether both sides have closed their rolls."""
    rolls = rolls_of(state, attack)
    return attack.is_set and len(rolls) == len(Side) and not any(roll.waiting for roll in rolls)
