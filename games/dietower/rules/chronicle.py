"""The story of each session as it is told: what people tried and what came of it, who fought whom (DT-TBL-2).

Reads alone. Dice, windows and placings are the game's own. What people have written stands in their own words.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from games.dietower.rules.actors.events import ActorFell, ActorRevived, ActorShown, ActorStateSet, LevelRaised, Revealed
from games.dietower.rules.checks.events import CheckSucceeded, RollClosed
from games.dietower.rules.combat.action_events import AttackHit, AttackMissed, HoldReleased, MonsterBeaten
from games.dietower.rules.combat.events import EncounterClosed, EncounterOpened
from games.dietower.rules.state.schema_types import ActorKind, Condition, Harm, Hidden, MiracleKind
from games.dietower.rules.state.state import State
from games.dietower.rules.table.events import GameFinished, SessionClosed, SessionOpened
from games.dietower.rules.tower.events import (
    ConsequenceAmended,
    ConsequenceWritten,
    MiracleChosen,
    MiracleDue,
    PlacementDue,
    TerribleThingDue,
    TowerFell,
)
from games.dietower.rules.wishes.events import StoryWishDecided, WishEarned, WishLost
from games.engine.artifacts.chronicle import ARTIFACT_TELLERS
from games.engine.insight.chronicle import Fact, Scene, Sentence, Story, Teller, names, plain, silent
from games.engine.kernel import Event
from games.engine.wording import full_sentence, quantity

Setting = Scene[State]
STRIKES = {
    Harm.DEATH: ("dies", "die"),
    Harm.INJURY: ("is hurt", "are hurt"),
    Harm.LOSS: ("suffers a loss", "suffer a loss"),
    Harm.OTHER: ("meets something terrible", "meet something terrible"),
}
"""What a terrible thing does to somebody, and to several."""
NO_DEEDS = frozenset(
    ["a", "an", "the", "i", "we", "my", "our", "what", "whatever", "how", "where", "who", "why", "to", "can", "may"]
)
"""First words of an intent that is not what somebody does."""
CONDITIONS = {Condition.ACTIVE: "is up again", Condition.FALLEN: "falls", Condition.BEATEN: "is beaten"}
KINDS = {ActorKind.PC: "one of them", ActorKind.NPC: "somebody new", ActorKind.MONSTER: "a Monster"}


def name_of(scene: Setting, actor: UUID) -> str:
    """The name of somebody whom everybody knows (DT-CHR-8)."""
    found = scene.state.actors.get(actor)
    return found.name if found is not None and found.shown else "somebody"


def verb(every: Sequence[str], one: str, many: str) -> str:
    """A verb for so many."""
    return one if len(set(every)) == 1 else many


# --- what is tried ----------------------------------------------------------------------------------------------------


def tell_roll(scene: Setting, event: RollClosed) -> Iterator[Fact]:
    """What somebody has tried, with others who tried the same; where the tower fell over it, alone."""
    roll = scene.state.rolls.get(event.roll)
    check = scene.state.checks.get(roll.check) if roll is not None and roll.check is not None else None
    if roll is None or check is None or event.success is None:
        return
    if _fall_of(scene, event.roll) is not None:
        yield Fact(("fall", event.roll), partial(_fall, scene, event.roll), event)
        return
    name = name_of(scene, roll.actor)
    yield Fact(
        ("tried", check.intent, event.success),
        partial(_attempt, check.intent, event.success),
        (name, str(event.total)),
    )


def tell_success(scene: Setting, event: CheckSucceeded) -> Iterator[Fact]:
    check = scene.state.checks.get(event.check)
    if check is not None:
        name = name_of(scene, check.actor)
        yield Fact(("tried", check.intent, True), partial(_attempt, check.intent, True), (name, "without a roll"))


def _attempt(intent: str, success: bool, values: Sequence[tuple[str, str]]) -> Sentence:
    who = [name for name, _ in values]
    end = verb(who, "succeeds", "succeed") if success else verb(who, "fails", "fail")
    figures = {name: [figure for of, figure in values if of == name] for name in dict.fromkeys(who)}
    rolled = "; ".join(f"{name} {', '.join(every)}" for name, every in figures.items())
    return Sentence(f"{names(who)} {attempt(who, intent)} and {end}.", rolled)


def attempt(who: Sequence[str], intent: str) -> str:
    """What they try, in the words in which it was asked for: `tries to climb the wall`."""
    tries, words = verb(who, "tries", "try"), " ".join(intent.split()).rstrip(".!?")
    first, _, rest = words.partition(" ")
    if first.lower() in NO_DEEDS or not first.isalpha() or (first != first.capitalize() and first != first.lower()):
        return f"{tries} this: {words},"
    return f"{tries} to {' '.join(filter(None, (first.lower(), rest)))}"


def _fall_of(scene: Setting, roll: UUID) -> TowerFell | None:
    """The fall of the tower that a roll has led to."""
    found = (scene.first(TowerFell, placement=due.placement) for due in scene.all(PlacementDue, roll=roll))
    return next((fell for fell in found if fell is not None), None)


def tell_fall(scene: Setting, event: TowerFell) -> Iterator[Fact]:
    due = scene.first(PlacementDue, placement=event.placement)
    key = due.roll if due is not None else event.placement
    yield Fact(("fall", key), partial(_fall, scene, key), event)


def tell_harm(scene: Setting, event: ConsequenceWritten | ConsequenceAmended) -> Iterator[Fact]:
    thing = scene.first(TerribleThingDue, consequence=event.consequence)
    due = scene.first(PlacementDue, placement=thing.placement) if thing is not None else None
    key = due.roll if due is not None else thing.placement if thing is not None else event.consequence
    yield Fact(("fall", key), partial(_fall, scene, key), event)


def _fall(scene: Setting, roll: UUID, events: Sequence[Any]) -> Sentence:
    """`Brok tries to cross the weir and fails, the tower falls, and Brok is hurt: A bad fall.`"""
    by_kind = {type(event): event for event in events}
    closed, fell = by_kind.get(RollClosed), by_kind.get(TowerFell)
    harm = by_kind.get(ConsequenceAmended) or by_kind.get(ConsequenceWritten)
    clauses, figures = list[str](), list[str]()
    if closed is not None:
        rolled = scene.state.rolls[closed.roll]
        who = name_of(scene, rolled.actor)
        intent = scene.state.checks[rolled.check].intent if rolled.check is not None else ""
        end = "succeeds" if closed.success else "fails"
        clauses.append(f"{who} {attempt([who], intent)} and {end}")
        figures.append(f"{who} {closed.total}")
    if fell is not None:
        falls = "the tower falls" if clauses else f"{name_of(scene, fell.actor)} brings the tower down"
        clauses.append(falls)
        figures.append(f"tower of {quantity(fell.height, 'die', 'dice')}")
    text = ", and ".join(clauses)
    if harm is not None:
        struck = [name_of(scene, target.actor) for target in harm.targets] or ["somebody"]
        strikes = f"{names(struck)} {verb(struck, *STRIKES[harm.kind])}"
        text = f"{text}; {strikes}: {full_sentence(harm.text)}" if text else f"{strikes}: {full_sentence(harm.text)}"
    return Sentence(text if text.endswith((".", "!", "?")) else f"{text}.", "; ".join(figures))


# --- who fights -------------------------------------------------------------------------------------------------------


def tell_encounter(scene: Setting, event: EncounterOpened) -> Iterator[Fact]:
    actors = scene.state.actors
    found = [actors[actor] for actor in event.members if actor in actors and actors[actor].shown]
    heroes = [actor.name for actor in found if actor.kind is ActorKind.PC]
    monsters = [actor.name for actor in found if actor.kind is ActorKind.MONSTER]
    people = [actor.name for actor in found if actor.kind is ActorKind.NPC]
    others = monsters or people
    if heroes and others:
        there = f"; {names(people)} {verb(people, 'is', 'are')} there, too" if monsters and people else ""
        yield plain(f"{names(heroes)} {verb(heroes, 'meets', 'meet')} {names(others)}{there}.")
    elif found:
        yield plain(f"{names(heroes or others)} {verb(heroes or others, 'is', 'are')} drawn into a fight.")


def tell_hit(scene: Setting, event: AttackHit | AttackMissed) -> Iterator[Fact]:
    attack = scene.state.attacks.get(event.attack)
    if attack is not None:
        hit = isinstance(event, AttackHit)
        yield Fact(
            ("blow", attack.target, hit), partial(_blows, scene, attack.target, hit), name_of(scene, attack.actor)
        )


def tell_beaten(scene: Setting, event: MonsterBeaten) -> Iterator[Fact]:
    if not _hits(scene, event.actor):
        yield plain(f"{name_of(scene, event.actor)} is beaten.")


def _hits(scene: Setting, target: UUID) -> list[AttackHit]:
    attacks = scene.state.attacks
    return [e for e in scene.all(AttackHit) if e.attack in attacks and attacks[e.attack].target == target]


def _blows(scene: Setting, target: UUID, hit: bool, who: Sequence[str]) -> Sentence:
    whom = name_of(scene, target)
    if hit and scene.first(MonsterBeaten, actor=target) is not None:
        does = verb(who, "strikes", "strike")
        return Sentence(f"{names(who)} {does} {whom} down.", quantity(len(who), "hit"))
    does = verb(who, "wounds", "wound") if hit else verb(who, "misses", "miss")
    return Sentence(f"{names(who)} {does} {whom}.", quantity(len(who), "hit") if hit else "")


def tell_hold(scene: Setting, event: HoldReleased) -> Iterator[Fact]:
    awaited = f": {full_sentence(event.trigger)}" if event.trigger.strip() else ", and acts."
    yield plain(f"{name_of(scene, event.actor)} has waited for this moment{awaited}")


def tell_encounter_end(scene: Setting, event: EncounterClosed) -> Iterator[Fact]:
    yield plain(f"The encounter ends: {full_sentence(event.text)}" if event.text.strip() else "The encounter ends.")


# --- what becomes of people -------------------------------------------------------------------------------------------


def tell_shown(scene: Setting, event: ActorShown) -> Iterator[Fact]:
    yield plain(f"{event.name} appears, {KINDS[event.kind]}.")


def tell_fallen(scene: Setting, event: ActorFell) -> Iterator[Fact]:
    harms = [*scene.all(ConsequenceWritten), *scene.all(ConsequenceAmended)]
    if any(harm.kind is Harm.DEATH and target.actor == event.actor for harm in harms for target in harm.targets):
        return  # the fall of the tower tells of it
    yield plain(f"{name_of(scene, event.actor)} falls.", event.text.strip())


def tell_miracle(scene: Setting, event: MiracleChosen) -> Iterator[Fact]:
    due = scene.first(MiracleDue, miracle=event.miracle)
    whose = f"the miracle of {name_of(scene, due.actor)}" if due is not None else "a miracle"
    whom = name_of(scene, event.target)
    does = f"brings {whom} back" if event.kind is MiracleKind.REVIVE else f"lends {whom} a stronger hand"
    yield plain(f"The tower has grown to its full height, and {whose} {does}.")


def tell_revived(scene: Setting, event: ActorRevived) -> Iterator[Fact]:
    if all(chosen.kind is not MiracleKind.REVIVE for chosen in scene.all(MiracleChosen, target=event.actor)):
        yield plain(f"{name_of(scene, event.actor)} is up again.")


def tell_state(scene: Setting, event: ActorStateSet) -> Iterator[Fact]:
    yield plain(f"{name_of(scene, event.actor)} {CONDITIONS[event.state]}.", event.reason.strip())


def tell_level(scene: Setting, event: LevelRaised) -> Iterator[Fact]:
    yield Fact(("level", event.level), partial(_growth, event.level), name_of(scene, event.actor))


def _growth(level: int, who: Sequence[str]) -> Sentence:
    return Sentence(f"{names(who)} {verb(who, 'grows', 'grow')} stronger.", f"level {level}")


def tell_deed(scene: Setting, event: WishEarned | WishLost) -> Iterator[Fact]:
    """What a Wish was given for, in the words of who gave it; one for a die is the game's own."""
    if event.text.strip():
        yield plain(f"{name_of(scene, event.actor)} is spoken of. {full_sentence(event.text)}")


def tell_wish(scene: Setting, event: StoryWishDecided) -> Iterator[Fact]:
    end = "and the wish comes true" if event.accept else "and the wish is not granted"
    answer = f" {full_sentence(event.text)}" if event.text.strip() else ""
    yield plain(f"{name_of(scene, event.actor)} wishes, {end}: {full_sentence(event.asked)}{answer}")


def tell_revealed(scene: Setting, event: Revealed) -> Iterator[Fact]:
    name = name_of(scene, event.actor)
    if event.field is Hidden.HEALTH:
        yield plain(f"It shows how much {name} can bear.", f"Health {event.text}")
    else:
        what = "The notes on" if event.field is Hidden.NOTES else f"The {event.field.value} of"
        come = "come" if event.field is Hidden.NOTES else "comes"
        yield plain(f"{what} {name} {come} to light: {full_sentence(event.text)}")


def tell_session(scene: Setting, event: SessionOpened | SessionClosed) -> Iterator[Fact]:
    again = " again" if event.session > 1 else ""
    yield plain("The company parts." if isinstance(event, SessionClosed) else f"The company meets{again}.")


def tell_end(scene: Setting, event: GameFinished) -> Iterator[Fact]:
    last = f" {full_sentence(event.text)}" if event.text.strip() else ""
    yield plain(f"So the story ends.{last}", quantity(event.sessions, "session"))


TELLERS: Mapping[type[Event], Teller] = {
    **ARTIFACT_TELLERS,
    ActorShown: tell_shown,
    CheckSucceeded: tell_success,
    RollClosed: tell_roll,
    PlacementDue: silent,
    TerribleThingDue: silent,
    TowerFell: tell_fall,
    ConsequenceWritten: tell_harm,
    ConsequenceAmended: tell_harm,
    ActorFell: tell_fallen,
    MiracleDue: silent,
    MiracleChosen: tell_miracle,
    ActorRevived: tell_revived,
    ActorStateSet: tell_state,
    LevelRaised: tell_level,
    StoryWishDecided: tell_wish,
    WishEarned: tell_deed,
    WishLost: tell_deed,
    Revealed: tell_revealed,
    EncounterOpened: tell_encounter,
    HoldReleased: tell_hold,
    AttackHit: tell_hit,
    AttackMissed: tell_hit,
    MonsterBeaten: tell_beaten,
    EncounterClosed: tell_encounter_end,
    SessionOpened: tell_session,
    SessionClosed: tell_session,
    GameFinished: tell_end,
}
STORY: Story[State] = Story(TELLERS)
