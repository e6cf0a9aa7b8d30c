"""The Die Tower over both APIs, for the tests: a table of a world master, Ann and Bob, and one command sent twice.

The world master is the host, who leads the game; through the APIs `gm` is the same person with a game-master's seat.
"""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from games import services
from games.dietower.rules import RULESET
from games.dietower.rules.state.schema_types import Asked
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat, Join
from games.models import Game, Seat
from tests.api.worlds import user
from tests.games.table import DAWN, Table

JSON = "application/json"
PEOPLE = ("ann", "bob")
MYSTERY = "Whose feathers are these?"
WHOLE = {
    "weapon": "knife",
    "power": "whisper to crows",
    "power_drawback": "they answer",
    "deviation": "feathers",
    "mystery": MYSTERY,
}
"""What a sheet needs for play."""
NEVER = 40
"""A CD that two dice cannot reach."""


class Evening(Table):
    """A game of the Die Tower."""

    def does(self, name: str, does: str, /, **arguments: Any) -> services.Outcome:
        """Issue a command by its name."""
        return self.run(command(does, **arguments), name)

    def pc(self, name: str) -> UUID:
        """The character of a player."""
        (found,) = self.state.characters_of(self.seats[name])
        return UUID(str(found.id))

    def named(self, name: str) -> UUID:
        """Somebody by name."""
        return next(UUID(str(a.id)) for a in self.state.actors.values() if a.name == name)

    def rises(self, name: str, level: int, wishes: int = 1) -> None:
        """Let a player's character rise to a level, and have so many Wishes."""
        for _ in range(level - 1):
            self.does("gm", "raise-level", actor=self.pc(name), reason="a test")
        for _ in range(wishes - 1):
            self.does("gm", "award-wish", actor=self.pc(name), reason="story")

    def checks(self, actor: UUID, cd: int | str = "moderate", **terms: Any) -> None:
        """Let the world master ask for a check, and set it at once."""
        ruling = {"cd": cd, "good": True, **terms}
        self.does("gm", "request-check", actor=actor, intent="climb", ruling=ruling)

    def open_roll(self, name: str) -> UUID:
        """The open roll of a player's character."""
        own = self.pc(name)
        return next(UUID(str(r.id)) for r in self.state.rolls.values() if r.actor == own and not r.closed)

    def due(self) -> list[UUID]:
        """The dice that the tower waits for, the next first."""
        return [UUID(str(p.id)) for p in self.state.due_placements()]

    def reports(self, *stands: bool) -> None:
        """Let the world master report dice of the real tower, of checks that a person fails."""
        for each in stands:
            if not self.due():
                self.checks(self.named("Odo"), NEVER)
            self.does("gm", "report-die", placement=self.due()[0], stands=each)

    def question(self, kind: Asked) -> UUID:
        """What the open question of a kind is about."""
        (found,) = (p.subject for p in self.state.prompts.values() if p.kind == kind)
        return UUID(str(found))


def command(does: str, /, **arguments: Any) -> Command:
    """A command of this game by its name."""
    return RULESET.commands[does].model_validate_json(json.dumps(arguments, default=str))


def open_lobby(
    options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN, **more: Any
) -> Evening:
    """A game in the lobby with a seat for each of these people."""
    game: Game = services.open_game(
        "dietower", "Tower", user=user("host").pk, options=json.dumps(options or {}), now=now, **more
    )
    here = Evening(game.pk, now=now)
    for name in people:
        # A private game is joined by those whom its host seats.
        if game.is_public:
            services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=now)
        else:
            here.run(AddSeat(name=name.title(), user=user(name).pk))
        here.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
    return here


def setting_up(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> Evening:
    """A game in SETUP; nobody has a sheet yet."""
    here = open_lobby(options, people, **more)
    here.run(Start())
    return here


def written(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> Evening:
    """SETUP with a whole sheet for each, Ann's mystery secret; the person Odo and the Monster Gnaw, both unseen."""
    here = setting_up(options, people, **more)
    for name in people:
        here.does(name, "save-sheet", name=f"Brave {name}", secret_mystery=name == "ann", **WHOLE)
    here.does("gm", "save-npc", name="Odo", notes="owes money")
    here.does("gm", "save-monster", name="Gnaw", health=3, weakness="cold iron", weapon="teeth")
    here.does("gm", "save-chart", field="weapon", lines=["axe", "bow", "whip"])
    here.does("gm", "save-chart", field="mystery", lines=["an heir", "a ghost", "a debt"])
    return here


def playing(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> Evening:
    """The first session, between encounters."""
    here = written(options, people, **more)
    here.does("gm", "open-session")
    return here


def fighting(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> Evening:
    """An encounter with Gnaw; it is Ann's turn."""
    here = playing(options, people, **more)
    here.does("gm", "open-encounter", members=[here.named("Gnaw")], first=here.pc("ann"))
    return here


def eventful(**more: Any) -> Evening:
    """A session on a real tower with a row of every kind, in Gnaw's turn: its attack on Ann waits for Wish dice.

    Odo's die brought a tower down, Odo's thirteenth was a miracle for Ann; Bob's Wish was granted, Ann's waits.
    """
    here = playing({"mode": "physical"}, **more)
    here.rises("ann", 3, 3)
    here.rises("bob", 2, 2)
    here.does("gm", "save-npc", name="Shade", notes="never seen")
    here.reports(True, False)
    here.does(
        "gm", "write-consequence", consequence=here.question(Asked.TERRIBLE), kind="loss", text="The lamp breaks."
    )
    here.reports(*13 * (True,))
    miracle = here.question(Asked.MIRACLE)
    here.does("gm", "choose-miracle", miracle=miracle, kind="extra_die", target=here.pc("ann"))
    here.reports(True)
    while here.due():
        here.reports(True)
    here.does("ann", "ask-wish", kind="element", text="a hidden door")
    here.does("bob", "ask-wish", kind="element", text="an old friend")
    (wish,) = (w.id for w in here.state.wishes.values() if w.seat == here.seats["bob"])
    here.does("gm", "decide-wish", wish=wish, accept=True, text="She owes a favour.")
    here.does("gm", "reveal", actor=here.named("Odo"), field="notes")
    gnaw = here.named("Gnaw")
    here.does("gm", "open-encounter", members=[gnaw], first=here.pc("bob"))
    here.does("bob", "hold-action", action="move", trigger="when the door opens")
    here.does("bob", "end-turn")
    while here.state.require_encounter().turn != gnaw:
        here.does("gm", "end-turn")
    here.does("gm", "hold-action", actor=gnaw, action="move", trigger="when they run")
    here.does("gm", "declare-attack", actor=gnaw, target=here.pc("ann"), uses="weapon")
    attack = here.question(Asked.ATTACK_DEFEND)
    here.does("ann", "choose-defence", attack=attack, uses="none")
    here.does("gm", "set-attack", attack=attack)
    return here
