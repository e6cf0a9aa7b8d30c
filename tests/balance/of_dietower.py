"""The Die Tower in the frame: four players and a world master, all bots, over three sessions."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.dietower.rules import RULESET
from games.dietower.rules.actors.events import ActorFell, ActorRevived, ActorStateSet
from games.dietower.rules.checks.events import CheckSet, CheckSucceeded, RollClosed
from games.dietower.rules.combat.action_events import AttackHit, MonsterBeaten, MonsterHurt
from games.dietower.rules.combat.events import RoundStarted
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import MiracleKind, Step, WishKind
from games.dietower.rules.tower.events import DiePlaced, MiracleChosen, TowerFell
from games.dietower.rules.wishes.events import StoryWishAsked, WishEarned, WishesSpent
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from tests.balance.frame import Bound, Facts, Standing
from tests.balance.tables import HOST, fresh, to_the_end
from tests.playbook import Playbook

PLAYERS = 4


def start(number: int) -> Any:
    """The seats and options of game `number`."""
    options = DieTowerOptions(seats=PLAYERS)
    return fresh(RULESET, UUID(int=0xBA17 << 64 | number), ("sensible",) * PLAYERS, options, master="steady")


def play(number: int) -> tuple[Playbook, Any]:
    """A whole game."""
    book = Playbook(RULESET, start(number))
    book.when(Start(), by=HOST)
    to_the_end(book, lambda state: state.course.step is Step.FINISHED, timedelta(minutes=1))
    return book, start(number)


def rolls(state: Any) -> Standing:
    """How often each character has rolled."""
    done = Counter({str(actor.id): 0 for actor in state.player_characters()})
    done.update(str(roll.actor) for roll in state.rolls.values() if str(roll.actor) in done)
    return done


def powers(event: Event) -> Iterator[str]:
    """What a miracle brings, and what Wishes are for."""
    match event:
        case MiracleChosen():
            yield f"miracle {event.kind.value}"
        case WishesSpent():
            yield f"wish {event.kind}"
        case StoryWishAsked():
            yield f"wish {event.kind.value}"


CORRECTIONS = "for people: it corrects what was said, or what stands on a table"
FACTS = Facts(
    ruleset=RULESET,
    word="check or round of an encounter",
    play=play,
    opened_by=(CheckSet, RoundStarted),
    changes=(
        ActorFell, ActorRevived, ActorStateSet, AttackHit, CheckSucceeded, DiePlaced, MiracleChosen, MonsterBeaten,
        MonsterHurt, RollClosed, TowerFell, WishEarned, WishesSpent,
    ),
    ahead="rolls of a character",
    standing=rolls,
    powers=powers,
    every_power=(*(f"miracle {kind.value}" for kind in MiracleKind), *(f"wish {kind.value}" for kind in WishKind)),
    unused={
        **dict.fromkeys(("configure-game", "amend-consequence", "reset-tower", "set-state"), CORRECTIONS),
        "leave-seat": "a bot stays to the end",
        "report-die": "the tower is the simulated one; evenings at random have real ones, too",
    },
    seldom={
        "miracle revive": "miracles are few, and somebody must have fallen before one",
    },
    bounds={
        "shortest": Bound(least=30),
        "longest": Bound(most=90),
        "spread": Bound(least=33),
        "comebacks": "the game has no winner (DT-TBL-3), and who rolls most is ahead of nobody",
        "idle": Bound(most=15),
    },
    in_one={"longest": Bound(most=200), "idle": Bound(most=80)},
)  # fmt: skip
