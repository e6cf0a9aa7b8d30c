"""The course of Cairns: motions that silence loses, and the tides until the last."""

from collections.abc import Iterator
from datetime import timedelta

from games.engine.audience import PUBLIC
from games.engine.course import Course, When, game_ends, rows
from games.engine.deadlines import deadline_of_window
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule
from games.engine.prompts.questions import Question, Window, every_player
from games.engine.timer import TimerSet
from tests.toy.rules.commands import BringTide, CastVote, settle_motion
from tests.toy.rules.state import Options, State


def _await_tide(state: State, ctx: Context) -> Iterator[Event]:
    due = deadline_of_window(state, ctx.now, timedelta(seconds=Options.of(state).tide_seconds))
    yield TimerSet.of("tide", due, BringTide(), shown=PUBLIC)


COURSE: Course[State] = Course(
    questions=rows(
        Question(
            kind="MOTION",
            lane="motion:{motion}",
            owners=every_player,
            settles=Rule.MAJORITY,
            window="vote",
            answered_by=(CastVote,),
            asks="{text}",
            silence="A missing ballot counts as no.",
            default=lambda state, ctx, motion, late: settle_motion(state, motion.id, carried=False),
            rules=("TOY-VOTE-1",),
        )
    ),
    windows={"vote": Window(live=timedelta(minutes=10), by_post=timedelta(days=1), option="vote_seconds")},
    options=Options.of,
    goes_on=(
        game_ends(lambda state: state.tide.count >= Options.of(state).tides, "the last tide has come", "TOY-TIDE-2"),
        When(lambda state: "tide" not in state.timers, _await_tide, ("TOY-TIDE-1",)),
    ),
)
