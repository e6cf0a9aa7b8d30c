"""What happens when a deadline passes (section 8 of the rulebook)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.checks.rules import close_roll, withdraw_check
from games.dietower.rules.combat.action_events import HoldKept
from games.dietower.rules.combat.attacks import choose_defence, close_side, set_attack_by_silence, usual_defence
from games.dietower.rules.combat.rules import end_turn
from games.dietower.rules.flow import DieTowerCommand
from games.dietower.rules.state.schema_types import Asked, Harm, Mode, Target
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.commands import settle_fallen
from games.dietower.rules.tower.rules import (
    ask_for_die,
    choose_miracle,
    drop_die,
    place_die,
    usual_miracle,
    write_consequence,
)
from games.dietower.rules.wishes.rules import decide_wish
from games.engine.audience import GM_READER
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.prompt import close, lapse_event, open_prompt

LEFT_OPEN = "left open by the WM"


class SettleDefault(DieTowerCommand):
    """The time of a question is up: silence is taken as the rulebook says."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = ("DT-AMB-31",)

    prompt: UUID
    """The question."""

    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = open_prompt(state, self.prompt)
        ctx.by = "deadline"
        late = [UUID(owner.removeprefix("seat:")) for owner in prompt.owners if owner != GM_READER]
        yield lapse_event(state, prompt.id, late)
        yield from self._default(state, ctx, prompt)

    def _default(self, state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
        """The events of silence."""
        subject = prompt.subject
        if subject is None:
            raise RuntimeError(f"{prompt.kind} is about nothing")
        match Asked(prompt.kind):
            case Asked.CHECK_SET:
                yield from withdraw_check(state, state.checks[subject], "silence")
            case Asked.CHECK_WISH:
                yield from close_roll(state, ctx, state.rolls[subject])
            case Asked.PLACE:
                yield from self._placement(state, ctx, prompt)
            case Asked.TERRIBLE:
                consequence = state.consequences[subject]
                targets = (Target(actor=consequence.actor, fallen=False),)
                yield from write_consequence(state, consequence, Harm.OTHER, LEFT_OPEN, targets)
                yield from settle_fallen(state, ctx, targets)
            case Asked.MIRACLE:
                miracle = state.miracles[subject]
                yield from choose_miracle(state, miracle, *usual_miracle(state, miracle))
            case Asked.WISH_STORY:
                yield from decide_wish(state, state.wishes[subject], accept=False, text="")
            case Asked.TURN:
                yield from end_turn(state, ctx, by_clock=True)
            case Asked.ATTACK_DEFEND:
                attack = state.attacks[subject]
                yield from choose_defence(state, ctx, attack, usual_defence(state, attack.target))
            case Asked.ATTACK_SET:
                yield from set_attack_by_silence(state, ctx, state.attacks[subject])
            case Asked.ATTACK_WISH:
                yield from close_side(state, state.rolls[subject])
            case Asked.HELD:
                yield HoldKept(hold=subject)
                yield from close(state, prompt.id, "deadline")

    def _placement(self, state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
        """The service places a die of the simulated tower; of a real one the host is asked, then it is dropped."""
        placement = state.placements[prompt.subject] if prompt.subject is not None else None
        if placement is None:
            raise RuntimeError("a placement was asked for that is none")
        if state.tower.mode is Mode.SIMULATED:
            yield from place_die(state, ctx, placement)
        elif prompt.owners == (GM_READER,):
            yield from close(state, prompt.id, "deadline")
            yield from ask_for_die(state, ctx, placement, again=True)
        else:
            yield from drop_die(state, placement)
