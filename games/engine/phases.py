"""`phase.closed`: the refusal of what belongs to another phase, in one wording for every game (pure)."""

from collections.abc import Iterable

from games.engine.errors import Refused
from games.engine.wording import capital, listing

WAIT = "Wait until then."
CORRECT = "A GM may correct rows still."


def closed_phase(
    now: str, times: Iterable[str], *, step: str, over: bool, rules: tuple[str, ...] = (), instead: str = ""
) -> Refused:
    """The refusal of what is done in other phases than the present one; it says whether they are over or to come.

    now: where the game is, as a clause. times: when it is done, each as `before the start`. over: whether none of them
    comes any more. instead: a sentence that says what would do; empty: to wait, or to ask a GM. Facts: step, over.
    """
    now, when = capital(now), listing(times, "or")
    if over:
        return Refused(
            "phase.closed",
            f"{now}; this is done {when}, and that is over. {instead or CORRECT}",
            rules=rules,
            step=step,
            over=True,
        )
    return Refused(
        "phase.closed",
        f"{now}; this is done {when}, and that is still to come. {instead or WAIT}",
        rules=rules,
        step=step,
        over=False,
    )


def are_past(wanted: Iterable[str], present: str, course: Iterable[str]) -> bool:
    """Whether all of some phases lie before the present one. course: the phases that come once, in order."""
    order = list(course)
    return all(order.index(each) < order.index(present) for each in wanted)


def ended_game(now: str, *, step: str, rules: tuple[str, ...] = ()) -> Refused:
    """The refusal of anything in a game that is over. now: as a clause. Facts: step, over."""
    return Refused(
        "phase.closed",
        f"{capital(now)}; nothing more can be done in it, but all that happened can be read.",
        rules=rules,
        step=step,
        over=True,
    )
