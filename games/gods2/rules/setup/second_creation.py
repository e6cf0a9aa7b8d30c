"""Second Creation (G2-CREA-1 to 5; AMB-49): a century that begins without a mortal has no growth and no wars.

Powers of kind `creation` can be cast, and no others: they shape the Earth (codes T and F), and make peoples and their
traits (R and Rc). The host or a GM may define peoples beside, by the command of the set-up. The century keeps its
number: 16 stay 16. The GMs are asked first, since a race may have died by a slip; their silence lets it start. A
Creation that ends without a mortal ends the era.
"""

import json
from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.setup.events import CreationFailed, SecondCreationCalled
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State

Steps = Iterator[Event]

SHAPING = ("T", "F", "R")
"""Capitals of the codes that are left of the creation rules: terrain, features, peoples; not Heaven and demesnes."""
RULES = ("G2-CREA-1", "G2-AMB-49")


def call_creation(state: State, ctx: Context) -> Steps:
    """Step 18: when no mortal is left, and a century is, the next one is a Creation; the GMs are asked.

    After a Creation that has brought forth none there is no other one: the era ends (G2-CREA-5).
    """
    following = state.era.century + 1
    if state.living() or following > CENTURIES:
        return
    if state.era.creation:
        yield CreationFailed(century=state.era.century)
        return
    prompt = ctx.mint(PUBLIC)
    yield SecondCreationCalled(century=following, prompt=prompt)
    carried = json.dumps({"century": following}, separators=(",", ":"))
    yield from ask_row(state, ctx, Asked.CREATION, prompt=prompt, carries=carried, century=following)


def open_question(state: State) -> UUID | None:
    """The open question of a second Creation."""
    return state.question(Asked.CREATION)


def require_question(state: State) -> UUID:
    """The open question. Raises `prompt.closed`, also when a race lives again by a correction; `clock.paused`."""
    prompt = open_question(state)
    if prompt is None or state.living():
        raise Refused("prompt.closed", "No second Creation waits for your word now.", rules=RULES)
    state.require(Phase.CLOSED)
    return prompt


def creation_due(state: State) -> bool:
    """Whether the next century is a second Creation."""
    return state.era.creation and not state.living()


def has_failed(state: State) -> bool:
    """Whether the era ends with this century: it was a second Creation, and no mortal lives (G2-CREA-5)."""
    return not state.living() and not state.era.creation


def withdraw_question(state: State) -> Steps:
    """The question falls away: a race lives again by a correction."""
    yield from close_question(state, Asked.CREATION, "withdrawn")


def castable(state: State, power: Power) -> bool:
    """Whether a power belongs to the present century: history, or a second Creation with what is left of its rules."""
    if state.era.phase is Phase.CREATION:
        return power.kind == "creation" and all(code[0] in SHAPING for code in power.codes)
    return power.kind != "creation"
