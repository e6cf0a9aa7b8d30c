"""The policy `steady`: a world master's bot, which leads a table through three sessions by itself."""

from datetime import timedelta

from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.encounters import DIES, FALLS, lead_encounter
from games.dietower.rules.bots.evening import Due, due_of, own_idea, take_due_step
from games.dietower.rules.bots.fights import best_use, nearest_opponents
from games.dietower.rules.bots.lists import GRANTED, HARMS, REFUSED
from games.dietower.rules.bots.players import miracle
from games.dietower.rules.bots.rulings import rule_on, terms_of_attack
from games.dietower.rules.bots.seen import fresh, has_turn, pause, soon, strikes, subject_of, upright
from games.dietower.rules.checks.commands import WithdrawCheck
from games.dietower.rules.combat.commands import DeclareAttack, EndTurn, MoveActor
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack, TriggerHold
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import ActorKind, Asked, Band, Harm, Mode, Step, Target
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.commands import PlaceDie, ReportDie, WriteConsequence
from games.dietower.rules.wishes.commands import DecideWish
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look, QuestionPolicy

ONE_IN_REFUSALS = 5
SIDES_OF_LUCK, ONE_IN_WEAKNESSES, ONE_IN_BLOWS_OF_FRIENDS = 20, 4, 2
"""A real tower that nobody sees falls when a die of so many sides shows less than its height."""
HARMS_DRAWN = (Harm.INJURY, Harm.INJURY, Harm.INJURY, Harm.LOSS, Harm.LOSS, Harm.OTHER)


def _check(look: Look[State], prompt: Prompt) -> Command:
    """How hard it is; where something else is due that goes first."""
    check = look.state.checks[subject_of(prompt)]
    return take_due_step(look) or rule_on(look.state, check, look.tray, look.use_for(prompt))


def _place(look: Look[State], prompt: Prompt) -> Command:
    """A die of its own of a simulated tower; what happened to a real one, which it does not see."""
    if look.state.tower.mode is Mode.SIMULATED:
        return PlaceDie(placement=subject_of(prompt))
    luck = look.tray.roll(f"{look.use_for(prompt)}/luck", SIDES_OF_LUCK, RULE)
    return ReportDie(placement=subject_of(prompt), stands=luck >= look.state.tower.height)


def _wish(look: Look[State], prompt: Prompt) -> Command | None:
    """Grant it mostly, once nothing else goes before it."""
    if _presses(look, prompt):
        return None
    wish = look.state.wishes[subject_of(prompt)]
    accept = look.tray.roll(f"{look.use_for(prompt)}/refuses", ONE_IN_REFUSALS, RULE) != 1
    lines = fresh(GRANTED if accept else REFUSED, (each.text for each in look.state.wishes.values()))
    text = look.tray.draw(f"{look.use_for(prompt)}/text", lines, RULE)
    return DecideWish(wish=wish.id, accept=accept, text=text)


def _presses(look: Look[State], wish: Prompt) -> bool:
    """Whether something goes before a Wish, which stops nothing (section 8): an encounter, or what else is open.

    In a turn that is what came after the Wish: what is wished in a fight is for it. What is asked much later goes
    before nothing, so that a busy table keeps no Wish waiting.
    """
    state, patience = look.state, look.state.window("ruling")
    after = (p.opened_at - wish.opened_at for p in state.prompts.values() if p.kind != Asked.WISH_STORY)
    earliest = timedelta.min if state.course.step is Step.FREE else timedelta()
    return due_of(state) is Due.ENCOUNTER or any(earliest < each < patience for each in after)


def _consequence(look: Look[State], prompt: Prompt) -> Command:
    """Something that strikes the placer; the third time they fall, the fourth they die."""
    state, consequence = look.state, subject_of(prompt)
    struck, use = state.consequences[consequence].actor, look.use_for(prompt)
    time = 1 + strikes(state, struck)
    kind = look.tray.draw(f"{use}/kind", HARMS_DRAWN, RULE) if time < FALLS else Harm.INJURY
    kind = Harm.DEATH if time >= DIES else kind
    return WriteConsequence(
        consequence=consequence,
        kind=kind,
        text=look.tray.draw(f"{use}/text", fresh(HARMS[kind], (c.text for c in state.consequences.values())), RULE),
        targets=(Target(actor=struck, fallen=time >= FALLS),),
    )


def _terms(look: Look[State], prompt: Prompt) -> Command:
    """What both sides have; now and then somebody finds the weakness of a Monster."""
    state, attack, use = look.state, look.state.attacks[subject_of(prompt)], look.use_for(prompt)
    target = state.actors[attack.target]
    brief = state.briefs.get(target.id)
    known = target.kind is ActorKind.MONSTER and brief is not None and bool(brief.weakness)
    defence = best_use(defence_uses(state, target.id)) if target.seat is None else attack.defence
    return SetAttack(
        attack=attack.id,
        defence=defence if target.seat is None else None,
        weakness=known and look.tray.roll(f"{use}/weakness", ONE_IN_WEAKNESSES, RULE) == 1,
        attacker=terms_of_attack(state, attack.actor, attack.uses, look.tray, f"{use}/attacker"),
        defender=terms_of_attack(state, target.id, defence, look.tray, f"{use}/defender"),
    )


def _turn(look: Look[State], prompt: Prompt) -> Command | None:
    """What the encounter needs; then the turn of somebody of the world master's: come near, attack, end it."""
    state = look.state
    leads = lead_encounter(look)
    if leads is not None:
        return leads
    encounter = state.require_encounter()
    actor = state.actors.get(encounter.turn) if encounter.turn is not None else None
    if actor is None or actor.seat is not None:
        return None
    waits = [hold for hold in state.holds.values() if not hold.hidden and not hold.triggered]
    if waits and not encounter.done:
        return TriggerHold(hold=sorted(waits, key=lambda hold: hold.id)[0].id)
    if actor.kind is ActorKind.NPC:
        return _help(look, prompt, actor)
    nearest = nearest_opponents(state, actor)
    if not nearest:
        return EndTurn()
    target, band = look.tray.draw(f"{look.use_for(prompt)}/whom", nearest, RULE)
    if not encounter.moved and band is not Band.SHORT:
        return MoveActor(actor=actor.id, target=target, band=tuple(Band)[tuple(Band).index(band) - 1])
    if not encounter.attacked:
        return DeclareAttack(actor=actor.id, target=target, uses=best_use(attack_uses(state, actor.id)))
    return EndTurn()


def _help(look: Look[State], prompt: Prompt, actor: Actor) -> Command:
    """Who goes along strikes at a Monster now and then."""
    state = look.state
    monsters = [each.id for each in upright(state, ActorKind.MONSTER) if each.id in state.members]
    helps = look.tray.roll(f"{look.use_for(prompt)}/help", ONE_IN_BLOWS_OF_FRIENDS, RULE) == 1
    if not helps or not monsters or state.require_encounter().attacked:
        return EndTurn()
    return DeclareAttack(actor=actor.id, target=monsters[0], uses=best_use(attack_uses(state, actor.id)))


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    """Soon after whatever it does, and while something is due or the turn is its own; else at its ease."""
    state, wait = look.state, pause(look.state, master=True)
    if isinstance(command, WithdrawCheck | OpenEncounter):
        return timedelta()  # what made way must not be asked for again; an order is said before anybody acts
    if isinstance(command, EndTurn):
        return wait  # who is next is asked, and so woken
    if prompt is not None or (command is not None and state.course.step is not Step.FREE):
        return state.thinking_time
    if due_of(state) is not None or has_turn(state, None):
        return min(wait, soon(state))
    return wait


steady: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.CHECK_SET: _check,
        Asked.PLACE: _place,
        Asked.TERRIBLE: _consequence,
        Asked.MIRACLE: miracle,
        Asked.TURN: _turn,
        Asked.ATTACK_SET: _terms,
        Asked.WISH_STORY: _wish,
    },
    silent=(Asked.HELD,),
    unasked=own_idea,
    again_in=_again_in,
)
