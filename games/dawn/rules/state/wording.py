"""What the words of the rules are called in sentences: steps, questions, why wars end, what wonders do (pure)."""

from collections.abc import Mapping
from typing import Final

from games.dawn.rules.state.schema_types import Pace, Step, WarEnd, Works
from games.engine.economy.trade_offers import Result
from games.engine.phases import Steps

STANDS: Final[Mapping[str, str]] = {
    Step.LOBBY: "the game has not begun",
    Step.SETUP: "the gods are being defined",
    Step.TURN: "the gods take their turns",
    Step.ROUND_END: "the last round of the Age has ended, and a motion is open",
    Step.FINISHED: "the game is over",
}
"""Where a game is, in words."""
TIMES: Final[Mapping[str, str]] = {
    Step.LOBBY: "before the start",
    Step.SETUP: "while the gods are being defined",
    Step.TURN: "in the turns of the gods",
    Step.ROUND_END: "while a motion is open at the end of an Age",
    Step.FINISHED: "after the game",
}
"""When something is done, in words."""
STEPS: Final = Steps(
    order=Step, last=Step.FINISHED, now=STANDS, times=TIMES, once=(Step.LOBBY, Step.SETUP), rules=("DW-TRN-1",)
)
ENDS: Final[Mapping[WarEnd, str]] = {
    WarEnd.RETREAT: "the attacker retreats",
    WarEnd.STOPPED: "the attacker has stopped",
    WarEnd.BEATEN: "the attacker is beaten",
    WarEnd.CAPTURED: "the city is captured",
    WarEnd.SLAIN: "the avatar is slain",
    WarEnd.VOID: "what was attacked is no more",
}
WORKS: Final[Mapping[Works, str]] = {
    Works.DEED: "",
    Works.SAVE_CITY: " that saves cities",
    Works.BREAKTHROUGH: " that brings a breakthrough",
    Works.RESTORE: " that restores what was nearly lost",
    Works.ARTIFACT: " that makes an artifact",
    Works.KILL_AVATAR: " that kills avatars",
    Works.RAZE_CITY: " that razes cities",
    Works.RAVAGE: " that ravages the land",
    Works.EXTINGUISH_RACE: " that ends a race",
}
"""What a wonder does, after its kind."""
WORK_TITLES: Final[Mapping[Works, str]] = {
    Works.DEED: "a deed in words",
    Works.SAVE_CITY: "save a city",
    Works.BREAKTHROUGH: "a breakthrough: an edge for a race or a city",
    Works.RESTORE: "restore a race that is near extinct, or a fallen avatar",
    Works.ARTIFACT: "make an artifact, for a race, a city or nobody",
    Works.KILL_AVATAR: "kill an avatar",
    Works.RAZE_CITY: "raze a city",
    Works.RAVAGE: "ravage: end all armies there",
    Works.EXTINGUISH_RACE: "end a race",
}
"""What a wonder does, as a form calls it."""
RESULTS: Final[Mapping[Result, str]] = {
    Result.ACCEPTED: "is accepted",
    Result.DECLINED: "is declined",
    Result.CANCELLED: "is taken back",
    Result.LAPSED: "has lapsed",
}
PACES: Final[Mapping[Pace, str]] = {Pace.LIVE: "live play", Pace.POST: "play by post"}
