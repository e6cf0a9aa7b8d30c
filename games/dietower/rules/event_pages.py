"""What the pages of a live event show of the Die Tower game: checks, consequences, Wishes, the encounter, the tower."""

from collections.abc import Iterator
from uuid import UUID

from games.dietower.rules.actors.events import ActorFell, ActorRevived, ActorStateSet
from games.dietower.rules.checks.commands import SetCheck, WithdrawCheck
from games.dietower.rules.checks.events import CheckSucceeded, RollClosed
from games.dietower.rules.chronicle import STORY
from games.dietower.rules.combat.action_events import AttackHit, AttackMissed, MonsterBeaten, MonsterHurt
from games.dietower.rules.combat.commands import EndTurn
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.events import ActorMoved, EncounterOpened
from games.dietower.rules.combat.ruling_commands import TriggerHold
from games.dietower.rules.state.schema_types import CheckStatus, Condition, PlacementStatus, WishStatus
from games.dietower.rules.state.state import State
from games.dietower.rules.table.events import GameFinished, SessionOpened
from games.dietower.rules.tower.commands import WriteConsequence
from games.dietower.rules.tower.events import ConsequenceWritten, DiePlaced, MiracleChosen, TowerFell
from games.dietower.rules.wishes.commands import DecideWish
from games.dietower.rules.wishes.events import StoryWishDecided
from games.engine.insight.event_pages import (
    Accent,
    Action,
    Contest,
    ContestSide,
    EventPages,
    Face,
    FaceKind,
    Highlight,
    HighlightKind,
    Holdings,
    Line,
    Panel,
)
from games.engine.kernel import Event
from games.engine.wording import phrase, quantity

OVER = (CheckStatus.DONE, CheckStatus.WITHDRAWN)


def desk(state: State) -> Iterator[Panel]:
    """The panels of the desk: requests for checks, what is to be written, story Wishes, the encounter, the tower."""
    yield _requests(state)
    yield _consequences(state)
    yield _wishes(state)
    yield _encounter(state)
    yield _holds(state)
    yield _tower(state)


def _name(state: State, actor: object) -> str:
    found = next((each for each in state.actors.values() if each.id == actor), None)
    return found.name if found is not None else "somebody"


def _requests(state: State) -> Panel:
    """Checks that are asked for or under way (DT-CHK-1)."""
    lines = tuple(
        Line(
            (_name(state, check.actor), check.intent, check.trait, check.status.value),
            (
                Action(SetCheck.slug(), {"check": check.id}, "Set"),
                Action(WithdrawCheck.slug(), {"check": check.id}, "Withdraw", asks=True),
            )
            if check.status is CheckStatus.ASKED
            else (),
        )
        for check in state.checks.values()
        if check.status not in OVER
    )
    return Panel("requests", "Checks", ("Character", "Intent", "Trait", "Status"), lines)


def _consequences(state: State) -> Panel:
    """Consequences that nobody has written yet."""
    lines = tuple(
        Line(
            (_name(state, found.actor),),
            (Action(WriteConsequence.slug(), {"consequence": found.id}, "Write", asks=True),),
        )
        for found in state.consequences.values()
        if not found.written
    )
    return Panel("consequences", "Consequences to write", ("Of whom",), lines)


def _wishes(state: State) -> Panel:
    """Story Wishes that wait for a word (DT-WSH-6)."""
    lines = tuple(
        Line(
            (_name(state, wish.actor), wish.kind.value, wish.asked, wish.price),
            (
                Action(DecideWish.slug(), {"wish": wish.id, "accept": True}, "Accept", asks=True),
                Action(DecideWish.slug(), {"wish": wish.id, "accept": False}, "Refuse", asks=True),
            ),
        )
        for wish in state.wishes.values()
        if wish.status is WishStatus.PENDING
    )
    return Panel("wishes", "Story Wishes", ("Character", "Kind", "Wish", "Price"), lines)


def _encounter(state: State) -> Panel:
    """Whose turn it is in the encounter."""
    encounter = state.encounter
    if encounter is None:
        return Panel(
            "encounter", "Encounter", (), (), (Action(OpenEncounter.slug(), {}, "Open an encounter", asks=True),)
        )
    lines = tuple(
        Line((_name(state, actor), state.actors[actor].condition.value, "acts" if actor == encounter.turn else ""))
        for actor in encounter.order
        if actor in state.actors
    )
    title = f"Encounter {encounter.number}, round {encounter.round}"
    return Panel(
        "encounter",
        title,
        ("Who", "Condition", "Turn"),
        lines,
        (Action(EndTurn.slug(), {}, "End the turn", asks=True),),
    )


def _holds(state: State) -> Panel:
    """Held actions that wait for their trigger."""
    lines = tuple(
        Line((_name(state, hold.actor), hold.trigger), (Action(TriggerHold.slug(), {"hold": hold.id}, "It happens"),))
        for hold in state.holds.values()
    )
    return Panel("holds", "Held actions", ("Who", "Trigger"), lines)


def _tower(state: State) -> Panel:
    """The tower, and the dice that are to be placed on it."""
    if not state.towers:
        return Panel("tower", "The tower", (), ())
    due = tuple(Line((_name(state, p.actor), phrase(p.reason))) for p in state.due_placements())
    title = f"The tower: {quantity(state.tower.height, 'die', 'dice')} high"
    return Panel("tower", title, ("To place a die", "Why"), due, empty="Nobody owes a die.")


def standings(state: State) -> Panel:
    """The characters by their level, then by name, with what is theirs for all to see."""
    lines = tuple(
        Line((actor.name, state.sheets[actor.id].level, state.sheets[actor.id].wishes, actor.condition.value))
        for actor in sorted(state.player_characters(), key=lambda a: (-state.sheets[a.id].level, a.name))
    )
    return Panel("standings", "Characters", ("Character", "Level", "Wishes", "Condition"), lines)


def contests(state: State) -> Iterator[Contest]:
    """The attack that is under way, then the tower with what came of its last die."""
    for attack in state.attacks.values():
        if not attack.over:
            sides = (ContestSide(_name(state, attack.actor)), ContestSide(_name(state, attack.target)))
            yield Contest("Attack", sides)
    if state.towers:
        tower = state.tower
        last = max(state.placements.values(), key=lambda placement: placement.number, default=None)
        words = {PlacementStatus.STOOD: "The last die stood.", PlacementStatus.FELL: "The tower has fallen."}
        height = ContestSide(f"{quantity(tower.height, 'die', 'dice')} high")
        yield Contest("The tower", (height,), outcome=words.get(last.status, "") if last is not None else "")


def highlights(state: State, event: Event) -> Iterator[Highlight]:
    """The die that has been placed; who moved to whom, attacked whom, was hurt, fell, is up again or succeeded.

    A frame or a ring leaves the emblem under it to be seen, as a star would not.
    """
    match event:
        case DiePlaced() if state.towers:
            yield Highlight(HighlightKind.CONTEST, (str(state.tower.height),))
        case ActorMoved():
            yield Highlight(HighlightKind.MARCH, (str(event.actor), str(event.target)))
        case AttackHit() | AttackMissed() if event.attack in state.attacks:
            attack = state.attacks[event.attack]
            yield Highlight(HighlightKind.MARCH, (str(attack.actor), str(attack.target)))
            if isinstance(event, AttackHit):
                yield Highlight(HighlightKind.CONTEST, (str(attack.target),))
        case MonsterHurt():
            yield Highlight(HighlightKind.CONTEST, (str(event.actor),))
        case ActorFell() | MonsterBeaten():
            yield Highlight(HighlightKind.LOST, (str(event.actor),))
        case ActorStateSet() if event.state is not Condition.ACTIVE:
            yield Highlight(HighlightKind.LOST, (str(event.actor),))
        case ActorRevived() | ActorStateSet():
            yield Highlight(HighlightKind.WON, (str(event.actor),))
        case CheckSucceeded() if event.check in state.checks:
            yield Highlight(HighlightKind.WON, (str(state.checks[event.check].actor),))
        case RollClosed(success=bool(), roll=roll) if roll in state.rolls:
            kind = HighlightKind.WON if event.success else HighlightKind.CONTEST
            yield Highlight(kind, (str(state.rolls[roll].actor),))


def faces(state: State) -> Iterator[Face]:
    """The characters and Monsters that everybody knows of."""
    for actor in state.actors.values():
        yield Face(FaceKind.HERO if actor.seat is not None else FaceKind.PEOPLE, actor.name, actor.seat or actor.id)


def holdings(state: State, seat: UUID) -> Holdings:
    """The characters of a seat with their levels and Wishes, and the dice that they owe the tower."""
    own = {actor.id: actor for actor in state.characters_of(seat) if actor.id in state.sheets}
    found: dict[str, str | int] = {}
    for actor in own.values():
        wishes = quantity(state.held_wishes(actor.id), "Wish", "Wishes")
        condition = "" if actor.condition is Condition.ACTIVE else phrase(actor.condition.value)
        found[actor.name] = ", ".join(filter(None, (f"level {state.sheets[actor.id].level}", wishes, condition)))
    owed = sum(placement.actor in own for placement in state.due_placements())
    return found | ({"To place": quantity(owed, "die", "dice")} if owed else {})


PAGES: EventPages[State] = EventPages(
    holdings=holdings,
    desk=desk,
    standings=standings,
    contests=contests,
    faces=faces,
    highlights=highlights,
    story=STORY,
    headlines=(
        GameFinished,
        ActorFell,
        MiracleChosen,
        TowerFell,
        ConsequenceWritten,
        ActorRevived,
        MonsterBeaten,
        StoryWishDecided,
        EncounterOpened,
        CheckSucceeded,
        SessionOpened,
    ),
    finished_by=(GameFinished,),
    accent=Accent("#3d5a1f", "#b7d98a"),
    main_chart="wishes",
)
