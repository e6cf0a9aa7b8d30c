"""What every player's bot of Forgeborn does with a question; a policy says the rest (`steady`, `wild`).

The labels of dice and their order are part of games that were played: a policy rolls nothing that it does not need.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import Answer, Look, QuestionPolicy
from games.forgeborn.rules.bots.common import acting_character, free_pool, pause
from games.forgeborn.rules.conflict.commands import ChoosePool, ContestArtifact
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.rules import default_pool
from games.forgeborn.rules.conflict.spending import default_purchase
from games.forgeborn.rules.forge.commands import DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.state.schema_types import Asked
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe

Choice = Callable[[Look[State], Prompt], bool]


def player_policy(
    own: Mapping[str, Answer[State]], *, is_helpful: Choice, is_in_favour: Choice, is_bold: Choice
) -> QuestionPolicy[State]:
    """A policy with answers of its own.

    is_helpful: whether it helps to make an artifact. is_in_favour: whether it votes for taking one from the Vault.
    is_bold: whether it fights for one that the vote denied.
    """

    def help_or_decline(look: Look[State], prompt: Prompt) -> Command:
        smith = look.state.smith_of(look.seat)
        if smith is None or not is_helpful(look, prompt):
            return DeclineHelp()
        return OfferHelp(free=free_pool(smith).free)

    def contest_or_let_be(look: Look[State], prompt: Prompt) -> Command:
        return ContestArtifact(pool=free_pool(acting_character(look))) if is_bold(look, prompt) else LetArtifactBe()

    shared: dict[str, Answer[State]] = {
        Asked.REPOOL: lambda look, prompt: ChoosePool(pool=default_pool(look.state, look.state.require_action())),
        Asked.HELP: help_or_decline,
        Asked.FORGE: _forge,
        Asked.SPEND: _spend,
        Asked.VAULT: lambda look, prompt: CastBallot(yes=is_in_favour(look, prompt)),
        Asked.DENIED: contest_or_let_be,
    }
    return QuestionPolicy(answers={**shared, **own}, again_in=_again_in)


def _forge(look: Look[State], prompt: Prompt) -> Command:
    state, action = look.state, look.state.require_action()
    offers = [o.seat for o in state.offers.values() if o.action == action.id and not o.is_declined]
    return ForgeArtifact(free=free_pool(state.characters[action.character]).free, helpers=tuple(offers))


def _spend(look: Look[State], prompt: Prompt) -> Command:
    action = look.state.require_action()
    return SpendRoll(dice=default_purchase(action.total or 0, bought_by(action)))


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    on_turn = prompt is not None and prompt.kind == Asked.TURN
    return look.state.thinking_time if on_turn else pause(look.state)
