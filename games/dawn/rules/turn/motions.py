"""The end of a vote to lengthen the Age (DW-AGE-2, 4, 5)."""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.state.state import State
from games.dawn.rules.turn.motion_events import Ballot, MotionClosed
from games.engine.audience import reader
from games.engine.kernel import Event
from games.engine.prompts.prompt import answers_to, close, verdict


def count_votes(state: State, *, over: bool = False) -> Iterator[Event]:
    """Close the open motion when all ballots are in, or its time is over. Who has left votes no more.

    It is not closed as soon as its result is certain: at a small table that would tell how the first ones voted.
    """
    for motion in list(state.motions.values()):
        prompt, given = state.prompts[motion.id], answers_to(state, motion.id)
        voters = [UUID(owner.removeprefix("seat:")) for owner in prompt.owners]
        silent = {reader(s): "false" for s in voters if reader(s) not in given and (over or state.has_left(s))}
        ballots_in = {**silent, **given}
        if len(ballots_in) < len(voters):
            continue
        passed = verdict(prompt, ballots_in) or False
        answers = {s: state.answers[motion.id, reader(s)] for s in voters if reader(s) in given}
        ballots = tuple(Ballot(seat=s, yes=a.value == "true", salt=a.salt, digest=a.digest) for s, a in answers.items())
        yes = sum(b.yes for b in ballots)
        yield from close(state, motion.id, "passed" if passed else "failed")
        yield MotionClosed(
            motion=motion.id,
            yes=yes,
            no=len(ballots) - yes,
            missing=len(voters) - len(ballots),
            ballots=ballots,
            passed=passed,
            length=motion.length if passed else state.course.length,
        )
