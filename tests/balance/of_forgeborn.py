"""Forgeborn in the frame: two to four `steady` bots, every fourth game with a referee who is a bot, too.

There the dice are those of the table, which silence drops at the deadline.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.boons.events import Boon, BoonTaken
from games.forgeborn.rules.charts import glory
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimMade, ClaimUsed
from games.forgeborn.rules.conflict.events import DragonSlain, PrinceSwayed
from games.forgeborn.rules.forge.events import ArtifactMade, HeroineRecruited
from games.forgeborn.rules.gains.events import GloryGained, TokenGained
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import CameBy, DropBy, Form, Function, Referee, Step
from games.forgeborn.rules.turns.events import RoundStarted
from tests.balance.frame import Bound, Facts
from tests.balance.tables import HOST, fresh, to_the_end
from tests.playbook import Playbook

ROUND_LIMIT = 60
FEWEST, SIZES, REFEREES = 2, 3, 4
"""Two players, three, four, two, ...; every fourth game has a referee."""


def start(number: int) -> Any:
    """The seats and options of game `number`."""
    has_referee = number % REFEREES == REFEREES - 1
    options = ForgebornOptions(
        round_limit=ROUND_LIMIT,
        referee=Referee.PERSON if has_referee else Referee.NONE,
        drop=DropBy.TABLE if has_referee else DropBy.SERVICE,
    )
    bots = ("steady",) * (FEWEST + number % SIZES)
    return fresh(RULESET, UUID(int=0xBA1F << 64 | number), bots, options, master="steady" if has_referee else "")


def play(number: int) -> tuple[Playbook, Any]:
    """A whole game."""
    book = Playbook(RULESET, start(number))
    book.when(Start(), by=HOST)
    to_the_end(book, lambda state: state.course.step is Step.FINISHED, timedelta(minutes=1))
    return book, start(number)


def powers(event: Event) -> Iterator[str]:
    """What an artifact is and is for, how somebody came by one, what the Prince gives."""
    match event:
        case ArtifactMade():
            yield f"form {event.form.value}"
            yield f"function {event.function.value}"
        case ArtifactTaken():
            yield f"taken by {event.came_by.value}"
        case ClaimUsed():
            yield f"taken by {CameBy.CLAIM.value}"
        case BoonTaken():
            yield f"boon {event.kind.value}"


FOR_PEOPLE = "for people: it tells or prepares something and decides nothing"
FOR_HOSTS = "of the host and the game-master, beside play"
FACTS = Facts(
    ruleset=RULESET,
    word="round",
    play=play,
    opened_by=(RoundStarted,),
    changes=(
        GloryGained, TokenGained, ArtifactMade, ArtifactTaken, ClaimMade, ClaimUsed, HeroineRecruited, PrinceSwayed,
        DragonSlain,
    ),
    ahead="victory points",
    standing=lambda state: {figure.key: figure.amount for figure in glory(state, None)},
    winners=lambda state: [str(seat) for seat in state.course.winners],
    powers=powers,
    every_power=(
        *(f"form {form.value}" for form in Form),
        *(f"function {function.value}" for function in Function),
        *(f"boon {boon.value}" for boon in Boon),
        *(f"taken by {by.value}" for by in CameBy if by is not CameBy.GIFT),
    ),
    unused={
        **dict.fromkeys(("draw-line", "tell-scene", "write-note", "name-place", "set-standing-answer"), FOR_PEOPLE),
        **dict.fromkeys(("configure-game", "enter-map", "edit-map", "call-time", "leave-seat"), FOR_HOSTS),
        "step-back": "a failed conflict costs nothing and brings a die (FB-CON-5)",
        "let-artifact-be": "a failed conflict costs nothing and brings a die (FB-CON-5)",
        "accept-map": "where a real table drops the dice, people accept the map; else it stands",
        "drop-dice": "a real drop it leaves to people, and at the deadline to the service",
        "give-up-die": "it asks the Spirits for no more than they grant",
        "give-artifact": "the Smith goes to the Dragon, and takes all artifacts along",
    },
    bounds={
        "shortest": Bound(least=6),
        "longest": Bound(most=30),
        "spread": Bound(least=33),
        "comebacks": Bound(most=70),
        "idle": Bound(most=15),
        "early": Bound(most=50),
    },
    in_one={"longest": Bound(most=ROUND_LIMIT + 1), "idle": Bound(most=60)},
)  # fmt: skip
