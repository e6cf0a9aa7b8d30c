"""`phase.closed`: the refusal of what belongs to another phase, in one wording for every game (pure)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.engine.errors import Refused
from games.engine.wording import capital, listing

WAIT = "Wait until then."
CORRECT = "A GM may correct rows still."


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a game in their order, and what they are called when something is refused."""

    order: Iterable[str]
    last: str
    """The step after the end."""
    now: Mapping[str, str]
    """Where the game is, as a clause: `a turn runs`."""
    times: Mapping[str, str]
    """When something is done: `before the start`."""
    once: Iterable[str]
    """The steps that come once; others come again until the end."""
    rules: tuple[str, ...]
    """The rules that say what belongs to which step."""


def other_step(
    steps: Steps, step: str, wanted: Iterable[str], *, rules: tuple[str, ...] = (), instead: str = ""
) -> Refused:
    """The refusal of what belongs to other steps than the present one.

    rules: those of the steps unless said. instead: a sentence that says what would do.
    """
    cited, belongs = rules or steps.rules, {*wanted}
    if step == steps.last:
        return ended_game(steps.now[step], step=step, rules=cited)
    over = belongs <= {*steps.once} and are_past(belongs, step, steps.order)
    times = (steps.times[each] for each in steps.order if each in belongs)
    return closed_phase(steps.now[step], times, step=step, over=over, rules=cited, instead=instead)


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
