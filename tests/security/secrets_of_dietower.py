"""The secrets of the Die Tower."""

from collections.abc import Callable
from uuid import UUID

from games.dietower.rules.actors import events as actor_events
from games.dietower.rules.combat import action_events
from games.dietower.rules.state.schema_types import ActionKind
from games.dietower.rules.wishes import events as wish_events
from games.engine.kernel import Command, Event
from tests.api.dietower import WHOLE, command
from tests.security.grounds import Ground
from tests.security.planting import ID, WORD, Plant


def actor_of(g: Ground, name: str) -> UUID:
    """Somebody by name."""
    return next(UUID(str(actor.id)) for actor in g.state().actors.values() if actor.name == name)


def ann_does(*make: Callable[[Ground], Command], step: str) -> Plant:
    """The owner does this, and nothing of it is public."""

    def plant(g: Ground) -> None:
        for each in make:
            g.as_owner(each(g))

    return Plant("dietower", plant, step=step)


def master_does(*make: Callable[[Ground], Command], step: str = "setup") -> Plant:
    """The world master does this, and nothing of it is public."""

    def plant(g: Ground) -> None:
        for each in make:
            g.run(each(g))

    return Plant("dietower", plant, step=step)


def in_turn(*make: Callable[[Ground], Event], step: str = "turn") -> Plant:
    """Events of Bob's turn that happen one after the other."""

    def plant(g: Ground) -> None:
        for one in make:
            g.happen(one(g))

    return Plant("dietower", plant, step=step)


def save_sheet(g: Ground, mystery: str) -> None:
    """Ann writes her sheet anew; that she has done so is public."""
    fields = WHOLE | {"mystery": mystery, "secret_mystery": True, "actor": actor_of(g, "Brave ann")}
    g.as_owner(command("save-sheet", name="Brave ann", **fields))


def held(g: Ground) -> Event:
    """Gnaw holds an attack, in secret."""
    return action_events.ActionHeld(hold=ID, actor=actor_of(g, "Gnaw"), action=ActionKind.ATTACK, trigger=WORD)


def answer_in_advance(g: Ground) -> None:
    """Ann says something in advance, which is used."""
    g.as_owner(command("set-standing-answer", kind="window", answer="close"))
    g.happen(actor_events.StandingAnswerUsed(prompt=ID, seat=g.owner.pk, kind="window"))


def wish(g: Ground) -> Command:
    """Ann asks something of the story."""
    return command("ask-wish", kind="someone", text=WORD)


def last_wish(g: Ground) -> UUID:
    """The Wish that waits."""
    return UUID(str(next(w.id for w in g.state().wishes.values() if w.status == "pending")))


def attack_of(g: Ground) -> UUID:
    """Bob's attack on Gnaw."""
    return UUID(str(next(iter(g.state().attacks))))


DIETOWER = {
    actor_events.MysteryWritten: Plant(
        "dietower",
        lambda g: save_sheet(g, WORD),
        lambda g: save_sheet(g, WHOLE["mystery"]),
        step="setup",
    ),
    actor_events.ChartRolled: ann_does(
        lambda g: command("roll-chart", actor=actor_of(g, "Brave ann"), field="mystery"), step="setup"
    ),
    actor_events.NpcSaved: master_does(
        lambda g: command("save-npc", name="Brave new one", notes=WORD),
        lambda g: command("save-npc", actor=actor_of(g, "Odo"), name="Odo the Grey", power=WORD),
    ),
    actor_events.MonsterSaved: master_does(
        lambda g: command("save-monster", name="Maw", health=13, weakness=WORD),
        lambda g: command("save-monster", actor=actor_of(g, "Gnaw"), name="Gnawer", health=77),
    ),
    actor_events.StandingAnswerUsed: Plant("dietower", answer_in_advance, step="turn"),
    wish_events.StoryWishWithdrawn: ann_does(wish, lambda g: command("withdraw-wish", wish=last_wish(g)), step="free"),
    wish_events.StoryWishAsked: ann_does(wish, step="free"),
    action_events.ActionHeld: in_turn(held),
    action_events.HoldTriggered: in_turn(held, lambda g: action_events.HoldTriggered(hold=ID)),
    action_events.HoldKept: in_turn(held, lambda g: action_events.HoldKept(hold=ID)),
    action_events.HoldLapsed: in_turn(held, lambda g: action_events.HoldLapsed(hold=ID)),
    action_events.HoldReturned: in_turn(
        lambda g: action_events.HoldReturned(hold=ID, actor=actor_of(g, "Gnaw"), trigger=WORD)
    ),
    action_events.WeaknessAimed: in_turn(
        lambda g: action_events.WeaknessAimed(attack=attack_of(g), weakness=True), step="attack"
    ),
    action_events.HealthChanged: in_turn(
        lambda g: action_events.HealthChanged(actor=actor_of(g, "Gnaw"), health=2), step="attack"
    ),
}
"""That Ann has written her sheet is public; not whether the secret mystery was changed."""
