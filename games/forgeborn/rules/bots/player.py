"""What every player's bot of Forgeborn does with a question; a policy says the rest (`steady`, `wild`).

The labels of dice and their order are part of games that were played: a policy rolls nothing that it does not need.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import Answer, Look, QuestionPolicy
from games.forgeborn.rules.bots.bargaining import is_worth_a_point
from games.forgeborn.rules.bots.common import acting_character, careful_pool, free_pool, pause
from games.forgeborn.rules.conflict.commands import ChoosePool, ContestArtifact
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.rules import default_pool
from games.forgeborn.rules.conflict.spending import default_purchase
from games.forgeborn.rules.forge.commands import DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.state.schema_types import Asked, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe

Choice = Callable[[Look[State], Prompt], bool]
Dice = Callable[[Look[State], Prompt], tuple[Size, ...]]


def player_policy(
    own: Mapping[str, Answer[State]], *, help_offered: Dice, is_in_favour: Choice, is_bold: Choice
) -> QuestionPolicy[State]:
    """A policy with answers of its own.

    help_offered: the dice that it offers to a maker, three at most; none where it declines. is_in_favour: whether it
    votes for giving an artifact of the Vault to who asks. is_bold: whether it fights for one that the vote denied.
    """

    def help_or_decline(look: Look[State], prompt: Prompt) -> Command:
        dice = help_offered(look, prompt)
        return OfferHelp(free=dice) if dice else DeclineHelp()

    def contest_or_let_be(look: Look[State], prompt: Prompt) -> Command:
        if not is_bold(look, prompt):
            return LetArtifactBe()
        return ContestArtifact(pool=careful_pool(look.state, acting_character(look)))

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
    """The three largest dice, and every help that brings as much as its giver has for it."""
    state, action = look.state, look.state.require_action()
    offers = [
        offer.seat
        for offer in state.offers.values()
        if offer.action == action.id and not offer.is_declined and is_worth_a_point((*offer.free, *offer.sacrifice))
    ]
    return ForgeArtifact(free=free_pool(state.characters[action.character]).free, helpers=tuple(offers))


def _spend(look: Look[State], prompt: Prompt) -> Command:
    action = look.state.require_action()
    return SpendRoll(dice=default_purchase(action.total or 0, bought_by(action)))


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    on_turn = prompt is not None and prompt.kind == Asked.TURN
    return look.state.thinking_time if on_turn else pause(look.state)
