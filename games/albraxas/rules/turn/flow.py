"""The course of a turn: LOCATE, ORDER, RESOLVE, CHECK, until somebody is waited for (AX-TRN-1, AX-SET-7).

`go_on` is a loop, not a recursion: where nobody is left to decide anything hundreds of turns follow one another.
"""

from collections.abc import Iterator
from typing import ClassVar

from games.albraxas.rules.ending.rules import check_ending
from games.albraxas.rules.locate.rules import settle_locations, unlocked_rebels
from games.albraxas.rules.orders.rules import characters_with_digest_only, junctures_of, revelation, unwritten, writers
from games.albraxas.rules.resolve.rules import resolve_phase
from games.albraxas.rules.state.options import options_of
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Standing, Step
from games.albraxas.rules.state.state import State
from games.engine.audience import PUBLIC, Audience, reader
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, ask, close
from games.engine.prompts.sealed import ask_openings
from games.engine.settling import settle_rounds
from games.engine.timer import CommandRef

LANE = "turn"
END = "end-step"
"""The clock's command when a deadline passes (`clock.EndStep`)."""


class TurnStarted(Event[State]):
    """A turn begins; Albraxas is one phase nearer to the Beginning (AX-SET-7)."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-7",)

    turn: int
    albraxas_phase: int

    def apply(self, state: State) -> None:
        state.set_storm(turn=self.turn)
        if state.storm.albraxas is not None:
            state.set_character(state.storm.albraxas, phase=self.albraxas_phase)

    def sentence(self, state: State) -> str:
        return f"Turn {self.turn}: Albraxas is in phase {self.albraxas_phase}."


class StepStarted(Event[State]):
    """A step of the turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-1",)

    step: Step
    standings: tuple[Standing, ...] = ()
    """In ORDER: what each character brings into their phase."""

    def apply(self, state: State) -> None:
        state.set_storm(step=self.step)


def start_turn(state: State, ctx: Context) -> Iterator[Event]:
    """Begin the next turn with LOCATE."""
    turn = state.storm.turn + 1
    yield TurnStarted(turn=turn, albraxas_phase=state.storm.phases + 1 - turn)
    yield StepStarted(step=Step.LOCATE)
    asked = state.resisting()
    yield from _question(
        state,
        ctx,
        Step.LOCATE,
        "Where do you go?",
        owners=asked,
        readers=state.rebel_readers(),
        answered_by=("set-location", "lock-location"),
        silence="The place you have set; else the next phase.",
    )


def go_on(state: State, ctx: Context, *, over: bool = False) -> Iterator[Event]:
    """Go on as far as nobody is waited for. over: the time of the present question is up."""
    if over:
        yield from _go_a_step(state, ctx, over=True)
    yield from settle_rounds(lambda: _go_a_step(state, ctx, over=False))


def _go_a_step(state: State, ctx: Context, *, over: bool) -> Iterator[Event]:
    """The next step; nothing while somebody is waited for."""
    if state.storm.step is Step.LOCATE and (over or not unlocked_rebels(state)):
        yield from _ordering(state, ctx)
    elif state.storm.step is Step.ORDER:
        yield from _opening(state, ctx, over=over)
        if state.question(f"{Step.ORDER}.open") is None and (over or not unwritten(state)):
            yield from _resolving(state, ctx)


def _ordering(state: State, ctx: Context) -> Iterator[Event]:
    """LOCATE is over: everybody is in place, and orders are asked for."""
    yield from _close_step(state, Step.LOCATE)
    yield from settle_locations(state)
    standings = tuple(Standing(seat=c.id, junctures=junctures_of(c), clones=c.clones) for c in state.in_play())
    yield StepStarted(step=Step.ORDER, standings=standings)
    yield from _question(
        state,
        ctx,
        Step.ORDER,
        "What do you do in this phase?",
        owners=writers(state),
        readers=PUBLIC,
        answered_by=("write-orders", "seal-orders"),
        silence="The orders you have written count; else you hole up in every juncture.",
        sealed=True,
    )


def _opening(state: State, ctx: Context, *, over: bool) -> Iterator[Event]:
    """Let those open their orders who have handed in a digest alone, when all are in; then close their question."""
    asking, window = state.question(Step.ORDER), state.question(f"{Step.ORDER}.open")
    if window is not None:
        if over or not characters_with_digest_only(state):
            yield from close(state, window, "opened")
    elif asking is not None and characters_with_digest_only(state) and (over or not unwritten(state)):
        opening = ctx.mint(PUBLIC)
        yield from ask_openings(
            state,
            ctx,
            asking,
            answered_by=("open-orders",),
            due=ctx.now + options_of(state).window("opening"),
            default=CommandRef(END, f'{{"prompt":"{opening}"}}'),
            silence="A seat that opens nothing holes up in every juncture.",
            opening=opening,
        )


def _resolving(state: State, ctx: Context) -> Iterator[Event]:
    """ORDER is over: everything is shown and resolved; then CHECK, and the next turn."""
    shown = revelation(state)
    yield shown
    yield from _close_step(state, Step.ORDER)
    yield StepStarted(step=Step.RESOLVE)
    yield from resolve_phase(state, ctx)
    if state.storm.step is Step.RESOLVE:
        yield from check_ending(state)
    if state.storm.step is Step.CHECK:
        yield from start_turn(state, ctx)


def _question(
    state: State,
    ctx: Context,
    step: Step,
    question: str,
    *,
    owners: list[Character],
    readers: Audience,
    answered_by: tuple[str, ...],
    silence: str,
    sealed: bool = False,
) -> Iterator[Event]:
    """Ask the characters of a step, with a deadline that everybody sees."""
    if not owners:
        return
    prompt = ctx.mint(readers)
    yield from ask(
        state,
        ctx,
        step.value,
        question,
        owners=[reader(c.id) for c in owners],
        lane=LANE,
        rule=Rule.ALL,
        answered_by=answered_by,
        prompt=prompt,
        readers=readers,
        sealed=sealed,
        due=ctx.now + options_of(state).window("locate" if step is Step.LOCATE else "order"),
        default=CommandRef(END, f'{{"prompt":"{prompt}"}}'),
        silence=silence,
        shown=PUBLIC,
    )


def _close_step(state: State, step: Step) -> Iterator[Event]:
    prompt = state.question(step)
    if prompt is not None:
        yield from close(state, prompt, "settled")
