"""How a check runs: set, thrown, the window for Wishes, closed (DT-CHK-1..16)."""

from collections.abc import Generator, Iterator
from uuid import UUID

from games.dietower.rules.actors.rules import require_upright, show, use_standing_answer
from games.dietower.rules.checks.events import (
    CheckRequested,
    CheckSet,
    CheckSucceeded,
    CheckWithdrawn,
    PoolRolled,
    RollClosed,
)
from games.dietower.rules.checks.pool import (
    Cd,
    Difficulty,
    PoolShape,
    Tally,
    base_dice_of_check,
    cd_of,
    check_result,
    has_miracle_die,
    is_rolled,
    joint_adv,
    net,
    pool_of,
)
from games.dietower.rules.state.records import Actor, Check, Roll
from games.dietower.rules.state.schema_types import (
    ActionKind,
    Adv,
    Asked,
    CheckStatus,
    Condition,
    Hindrance,
    HindranceAs,
    Means,
    Terms,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import means
from games.dietower.rules.tower.rules import owe_placements, require_tower_free, risk_in_words
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.engine.prompts.standing import standing_answer

STANDING_WINDOW = "window"
CLOSE, CLOSE_WHEN_EMPTY = "close", "close_when_empty"


class Ruling(Terms):
    """What the world master says of a check."""

    cd: Difficulty
    """A name, or a custom number from 1 to 40."""
    good: bool
    """Whether the character is good at it: 2d6, else 1d6."""
    free: bool = False
    """Whether it uses no action of the turn."""


def open_roll_of(state: State, actor: UUID) -> Roll | None:
    """The roll of somebody that is not closed yet."""
    return next((r for r in state.rolls.values() if r.actor == actor and not r.closed), None)


def open_check_of(state: State, actor: UUID) -> Check | None:
    """The check of somebody that is asked or thrown."""
    going_on = (CheckStatus.ASKED, CheckStatus.THROWN)
    return next((c for c in state.checks.values() if c.actor == actor and c.status in going_on), None)


def require_no_roll(state: State, actor: Actor) -> None:
    """Refuse (`roll.open`) a second roll of somebody (DT-CHK-14)."""
    attacked = any(not a.over and actor.id in (a.actor, a.target) for a in state.attacks.values())
    if open_check_of(state, actor.id) or open_roll_of(state, actor.id) or attacked:
        raise Refused(
            "roll.open",
            f"A check or an attack of {actor.name} is not over yet; one at a time.",
            rules=("DT-CHK-14",),
        )


def require_checkable(state: State, actor: Actor) -> None:
    """Refuse a check that cannot be asked now: `actor.fallen`, `actor.beaten`, `roll.open`, `prompt.open`."""
    require_upright(actor)
    require_no_roll(state, actor)
    require_tower_free(state)


def request_check(
    state: State,
    ctx: Context,
    actor: Actor,
    intent: str,
    trait: str,
    uses: Means = Means.NONE,
    *,
    by: UUID | None,
    own_turn: bool,
) -> Generator[Event, None, Check]:
    """Enter a check, and return it; `ask_ruling` or `set_check` follows."""
    yield from show(state, actor)
    check = ctx.mint(PUBLIC)
    yield CheckRequested(
        check=check,
        actor=actor.id,
        intent=intent,
        trait=trait,
        by=by,
        own_turn=own_turn,
        uses=uses,
        session=state.course.session,
    )
    return state.checks[check]


def ask_ruling(state: State, ctx: Context, check: Check) -> Iterator[Event]:
    """Ask the world master how hard a check is."""
    yield from ask_row(
        state,
        ctx,
        Asked.CHECK_SET,
        check.id,
        check=check.id,
        actor=state.actors[check.actor].name,
        means=means(check.trait, check.uses),
        intent=check.intent,
        risk=risk_in_words(state),
    )


def require_ruling(state: State, actor: UUID, ruling: Ruling, *, own_turn: bool) -> int:
    """The CD of a ruling. Raises `cd.unknown`, `action.used`, `hindrance.missing`, before anything is thrown."""
    cd = cd_of(ruling.cd)
    require_hindrance(state, actor, ruling)
    if own_turn and not ruling.free and is_attack_spent(state, actor):
        raise Refused(
            "action.used",
            "The attack action of this turn is used or held; a check is free or withdrawn.",
            rules=("DT-CMB-3", "DT-AMB-37"),
        )
    return cd


def is_attack_spent(state: State, actor: UUID) -> bool:
    """Whether the attack action of somebody's turn in an encounter is used, or held (DT-AMB-37)."""
    held = any(h.actor == actor and h.action is ActionKind.ATTACK for h in state.holds.values())
    return state.encounter is not None and (state.encounter.attacked or held)


def require_hindrance(state: State, actor: UUID, terms: Terms) -> None:
    """Refuse (`hindrance.missing`) a drawback or deviation that is not on the sheet, or one that does nothing."""
    if terms.hindrance is Hindrance.NONE:
        return
    sheet = state.sheets.get(actor)
    words = ""
    if sheet is not None:
        words = sheet.power_drawback if terms.hindrance is Hindrance.DRAWBACK else sheet.deviation
    if not words or terms.hindrance_as is None:
        what = "says what the hindrance does" if words else f"has a {terms.hindrance} on the sheet"
        raise Refused(
            "hindrance.missing",
            f"A hindrance {what}: dis, or no_power." if words else f"Nobody here {what}.",
            rules=("DT-CHR-7",),
        )


def shape_of(state: State, actor: UUID, base: int, terms: Terms) -> PoolShape:
    """The dice of a roll before its Wish window (DT-CHK-5, DT-CMB-13, DT-TWR-5)."""
    invoked = terms.hindrance is not Hindrance.NONE and terms.hindrance_as is HindranceAs.DIS
    adv = joint_adv((terms.adv, Adv.DIS if invoked else Adv.NONE))
    miracles = sum(bonus.actor == actor for bonus in state.bonuses.values())
    return PoolShape(base, adv, terms.edge_die, has_miracle_die(miracles))


def has_no_power(terms: Terms) -> bool:
    """Whether the 2d6 of the power is refused for this roll (DT-CHR-7)."""
    return terms.hindrance is not Hindrance.NONE and terms.hindrance_as is HindranceAs.NO_POWER


def set_check(state: State, ctx: Context, check: Check, ruling: Ruling) -> Iterator[Event]:
    """Set a check, and throw its dice; CD Simple succeeds without any (DT-CHK-3)."""
    cd = require_ruling(state, check.actor, ruling, own_turn=check.own_turn)
    name = ruling.cd.value if isinstance(ruling.cd, Cd) else "custom"
    yield CheckSet(
        check=check.id,
        cd=cd,
        name=name,
        good=ruling.good,
        adv=ruling.adv,
        edge=ruling.edge,
        edge_die=ruling.edge_die,
        hindrance=ruling.hindrance,
        hindrance_as=ruling.hindrance_as,
        free=ruling.free,
    )
    yield from close_question(state, Asked.CHECK_SET, "set", check.id)
    if not is_rolled(cd):
        yield CheckSucceeded(check=check.id)
        return
    shape = shape_of(state, check.actor, base_dice_of_check(ruling.good, no_power=has_no_power(ruling)), ruling)
    roll = ctx.mint(PUBLIC)
    thrown = ctx.tray.pool(f"check:{check.id}", len(shape.kinds), 6, "DT-CHK-4", roller=state.actors[check.actor].seat)
    pool = pool_of(shape, thrown)
    yield PoolRolled(
        roll=roll,
        actor=check.actor,
        check=check.id,
        dice=pool.dice,
        discarded=pool.discarded,
        pool=pool.pool,
        flat=ruling.edge,
    )
    yield from open_window(state, ctx, state.rolls[roll])


def open_window(state: State, ctx: Context, roll: Roll) -> Iterator[Event]:
    """Ask the owner of a roll for Wish dice; without a window it closes at once (DT-CHK-6, DT-WSH-5, 7)."""
    actor = state.actors[roll.actor]
    if not has_window(state, actor):
        if actor.seat is not None and actor.condition is Condition.ACTIVE:
            yield from use_standing_answer(state, ctx, actor, STANDING_WINDOW, roll.id)
        yield from close_roll(state, ctx, roll)
        return
    yield from ask_row(state, ctx, Asked.CHECK_WISH, roll.id, check=roll.check, actor=actor.name)


def has_window(state: State, actor: Actor) -> bool:
    """Whether somebody is asked for Wish dice: a player's character whose seat has not said no in advance."""
    if actor.seat is None or actor.condition is not Condition.ACTIVE:
        return False
    said = standing_answer(state, actor.seat, STANDING_WINDOW)
    return not (said == CLOSE or (said == CLOSE_WHEN_EMPTY and state.sheets[actor.id].wishes == 0))


def close_roll(state: State, ctx: Context, roll: Roll, *, left: bool = False) -> Iterator[Event]:
    """Close the roll of a check: extra dice, the total, and what it owes the tower (DT-CHK-7..11).

    left: whether its seat was left, so that the service places its dice (DT-AMB-53).
    """
    check = state.checks[roll.check] if roll.check is not None else None
    if check is None:
        raise RuntimeError("the rolls of an attack are closed by the attack")
    yield from close_question(state, Asked.CHECK_WISH, "closed", roll.id)
    tally = tally_of(ctx, roll, state.actors[roll.actor].seat)
    result = check_result(check.cd, tally, kind=state.actors[roll.actor].kind)
    yield RollClosed(
        roll=roll.id,
        net=tally.net,
        extra=tally.extra,
        flat=tally.flat,
        total=tally.total,
        success=result.success,
    )
    owed = [(roll.actor, reason) for reason in result.placements]
    yield from owe_placements(state, ctx, roll.id, owed, unasked=left)


def tally_of(ctx: Context, roll: Roll, seat: UUID | None) -> Tally:
    """Throw the extra dice of a pool and count it (DT-CHK-8). seat: whose they are, where a player rolls them."""
    count = max(0, net(roll.pool))
    extra = ctx.tray.pool(f"extra:{roll.id}", count, 6, "DT-CHK-8", roller=seat)
    return Tally(roll.pool, tuple(extra), roll.flat)


def withdraw_check(state: State, check: Check, reason: str) -> Iterator[Event]:
    """A check whose dice are not thrown is not made (DT-CHK-15, 16)."""
    yield CheckWithdrawn(check=check.id, reason=reason)
    yield from close_question(state, Asked.CHECK_SET, "withdrawn", check.id)


def settle_rolls_of(state: State, ctx: Context, actor: UUID, reason: str, *, left: bool = False) -> Iterator[Event]:
    """Somebody fell, or the seat is left: a check without dice is withdrawn, thrown dice close (DT-CHK-15)."""
    check, roll = open_check_of(state, actor), open_roll_of(state, actor)
    if check is not None and check.status is CheckStatus.ASKED:
        yield from withdraw_check(state, check, reason)
    elif roll is not None and roll.check is not None:
        yield from close_roll(state, ctx, roll, left=left)
