"""Wars as effects of powers: declared, cancelled, forbidden (G2-WAR-1; AMB-54, AMB-55).

A ban works both ways: a race under it makes no such declarations and rolls no target die for them, and those made on
it are void. What a power declares is a god's war, due five minutes later.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.timer import clear_timer
from games.gods2.rules.declarations.events import DeclarationVoided, WarCancelled, WarDeclared, waiting
from games.gods2.rules.declarations.gm_prompts import ask_about_war, close_war_questions
from games.gods2.rules.declarations.rules import fight_timer, fighting_order, war_due, war_key
from games.gods2.rules.geometry.carried_effects import carried_effects, modification_effects
from games.gods2.rules.geometry.stats import contacts, works_for
from games.gods2.rules.gm_previews.rules import close_void_previews
from games.gods2.rules.pack.operations import WarCancel, WarDeclare, WarForbid
from games.gods2.rules.state.effect_records import Modification
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.records import War, WarKind
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Doing, Working
from games.gods2.rules.workings.modifications import war_over

Steps = Iterator[Event]


def name_of_ban(state: State, attacker: UUID, defender: UUID, kind: WarKind) -> str:
    """Why a war may not be declared: the name of the race under a ban; "" when it may (AMB-55).

    A ban of the kind `against_caster` keeps a race and those who worship its caster apart.
    """
    for race, other in ((attacker, defender), (defender, attacker)):
        bans = (
            ban
            for here, ban in modification_effects(state, race, WarForbid)
            if worships_caster(state, other, here, ban)
        )
        if is_under_ban(state, race, kind) or any(works_for(state, race, ban) for ban in bans):
            return state.races[race].name
    return ""


def is_under_ban(state: State, race: UUID, kind: WarKind) -> bool:
    """Whether a race may fight no war of this kind, against any side (AMB-55)."""
    return any(fits(ban, kind) and works_for(state, race, ban) for _, ban in carried_effects(state, race, WarForbid))


def fits(ban: WarForbid, kind: WarKind) -> bool:
    """Whether a ban concerns wars of this kind, against any side."""
    return ban.kind == "all" or (ban.kind == "aggressive" and kind is WarKind.AGGRESSIVE)


def worships_caster(state: State, race: UUID, here: Modification, ban: WarForbid) -> bool:
    """Whether a ban against its caster's worshippers concerns a race."""
    author = state.authorships.get(here.casting) if here.casting else None
    return ban.kind == "against_caster" and author is not None and (race, str(author.primary)) in state.shares


def pairs(state: State, ctx: Context, working: Working, effect: WarDeclare) -> Iterator[tuple[UUID, UUID]]:
    """Who declares war on whom, attackers by id; a random contact is drawn by dN.

    A random attacker is one of those that are able to attack: with whom the defender is in contact (G2-MOVE-6). A race
    under a ban rolls no die for whom it would attack (AMB-55).
    """
    every = [race.id for race in state.living()]
    chosen = {"target1": working.races[:1], "target2": working.races[1:2], "each_race": tuple(every)}
    if effect.attacker == "random_contact":
        for defender in chosen.get(effect.defender, ()):
            able = [race for race in every if defender in contacts(state, race)]
            if able:
                yield ctx.tray.draw(working.label(f"war/against/{defender}"), able, "G2-DICE-3"), defender
        return
    for attacker in chosen[effect.attacker]:
        if effect.defender == "random_contact":
            reached = [] if is_under_ban(state, attacker, WarKind.GOD) else contacts(state, attacker)
            if reached:
                yield attacker, ctx.tray.draw(working.label(f"war/{attacker}"), reached, "G2-DICE-3")
        else:
            yield from ((attacker, d) for d in chosen[effect.defender] if d != attacker)


def declare_war(state: State, ctx: Context, attacker: UUID, defender: UUID, casting: UUID | None) -> Steps:
    """A god's war is declared, and its time set (G2-WAR-1)."""
    end = state.era.activity_ends_at
    if end is None:
        raise RuntimeError("an open board without an end of the Activity Phase")
    war, due = ctx.mint(PUBLIC), war_due(ctx.now, end, scaled_window(state, options_of(state).war_delay_seconds))
    yield WarDeclared(war=war, attacker=attacker, defender=defender, kind=WarKind.GOD, due=due, casting=casting)
    yield fight_timer(war, due)
    yield from ask_about_war(state, ctx, war)


def check_declare(state: State, working: Working, effect: WarDeclare) -> None:
    """Refuse (`war.forbidden`) a war between two named races of which one is under a ban."""
    if effect.attacker == "target1" and effect.defender == "target2" and len(working.races) > 1:
        held = name_of_ban(state, working.races[0], working.races[1], WarKind.GOD)
        if held:
            raise Refused("war.forbidden", f"{held} may not be at war now.", rules=("G2-AMB-55",))


def _declare(state: State, ctx: Context, working: Working, effect: WarDeclare) -> Steps:
    for attacker, defender in list(pairs(state, ctx, working, effect)):
        held = name_of_ban(state, attacker, defender, WarKind.GOD)
        if held:
            yield DeclarationVoided(attacker=attacker, defender=defender, reason=under_ban(held))
        else:
            yield from declare_war(state, ctx, attacker, defender, working.casting)


def under_ban(race: str) -> str:
    """Why a declaration is void, in words."""
    return f"{race} are under a ban of war"


def _cancel(state: State, ctx: Context, working: Working, effect: WarCancel) -> Steps:
    for war in fighting_order(waiting(state)):
        if effect.scope == "all_pending" or war.attacker in working.races[:1]:
            yield from cancel_war(state, ctx, war, working.casting)
    yield from close_void_previews(state, ctx)


def cancel_war(state: State, ctx: Context, war: War, casting: UUID | None) -> Steps:
    """End a declared war without a fight; a new one needs a new declaration (AMB-54)."""
    yield from close_war_questions(state, ctx, war.id)
    yield WarCancelled(war=war.id, casting=casting)
    yield from clear_timer(state, war_key(war.id))
    yield from war_over(state, war.id)


WAR_DECLARE = Doing(_declare, check_declare, on_race=False)
WAR_CANCEL = Doing(_cancel, on_race=False)
