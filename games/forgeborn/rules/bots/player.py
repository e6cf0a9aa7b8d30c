"""What every player's bot of Forgeborn does with a question; a policy says the rest (`steady`, `wild`).

The labels of dice and their order are part of games that were played: a policy rolls nothing that it does not need.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from uuid import UUID

from games.engine.bots import Thought, questions_of
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.forgeborn.rules.boons.commands import GiveUpDie
from games.forgeborn.rules.bots.common import free_pool, pause, smith_command
from games.forgeborn.rules.conflict.commands import ChoosePool, ContestArtifact
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.rules import default_pool
from games.forgeborn.rules.conflict.spending import default_purchase
from games.forgeborn.rules.forge.commands import DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import Asked, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe


class PlayerBot(ABC):
    """A player's bot that looks at a game once. `use` is the label of its dice for one question."""

    def __init__(self, state: State, seat: UUID, tray: Tray) -> None:
        self.state, self.seat, self.tray = state, seat, tray

    @classmethod
    def play(cls, state: State, seat: UUID, tray: Tray) -> Thought:
        """Answer the first question that it can answer."""
        bot, use = cls(state, seat, tray), f"bot/{seat}/{state.info.timers_set}"
        for prompt in questions_of(state, seat, last=Asked.TURN):
            command = bot.answer(prompt, f"{use}/{prompt.id}")
            if command is not None:
                return Thought(command, state.thinking_time if prompt.kind == Asked.TURN else pause(state))
        return Thought(None, pause(state))

    def answer(self, prompt: Prompt, use: str) -> Command | None:
        """What it answers to a question; None where it has answered, or waits."""
        state, seat, action = self.state, self.seat, self.state.action()
        match prompt.kind:
            case Asked.SMITHS if seat not in state.drafts:
                return smith_command(state, self.dice(use), self.tray, use)
            case Asked.TURN:
                return self.turn(use)
            case Asked.POOL if action is not None:
                return self.pool(action, use)
            case Asked.REPOOL if action is not None:
                return ChoosePool(pool=default_pool(state, action))
            case Asked.HELP if action is not None and (action.id, seat) not in state.offers:
                smith = state.smith_of(seat)
                helps = smith is not None and self.is_helpful(action, use)
                return OfferHelp(free=free_pool(smith).free) if helps and smith is not None else DeclineHelp()
            case Asked.FORGE if action is not None:
                offers = [o.seat for o in state.offers.values() if o.action == action.id and not o.is_declined]
                return ForgeArtifact(free=free_pool(state.characters[action.character]).free, helpers=tuple(offers))
            case Asked.SPEND if action is not None:
                return SpendRoll(dice=default_purchase(action.total or 0, bought_by(action)))
            case Asked.GAIN:
                return self.gain(action, use)
            case Asked.VAULT if not any(b.seat == seat and not b.is_open for b in state.ballots.values()):
                return CastBallot(yes=self.is_in_favour(use))
            case Asked.DENIED if prompt.subject is not None:
                smith = state.acting_character()
                bold = smith is not None and self.is_bold(smith, prompt.subject, use)
                return ContestArtifact(pool=free_pool(smith)) if bold and smith is not None else LetArtifactBe()
            case Asked.FOREST:
                smith = state.acting_character()
                return GiveUpDie(die=self.die_to_give(smith, use)) if smith is not None else None
        return None

    @abstractmethod
    def dice(self, use: str) -> Sequence[Size]:
        """The dice of its Smith."""

    @abstractmethod
    def turn(self, use: str) -> Command:
        """The next thing it does in its own turn."""

    @abstractmethod
    def pool(self, action: Action, use: str) -> Command:
        """What it rolls, or that it steps back."""

    @abstractmethod
    def is_helpful(self, action: Action, use: str) -> bool:
        """Whether it helps to make an artifact."""

    @abstractmethod
    def gain(self, action: Action | None, use: str) -> Command | None:
        """What it takes for a victory."""

    @abstractmethod
    def is_in_favour(self, use: str) -> bool:
        """Whether it votes for taking an artifact from the Vault."""

    @abstractmethod
    def is_bold(self, smith: Character, artifact: UUID, use: str) -> bool:
        """Whether it fights for an artifact that the vote denied."""

    @abstractmethod
    def die_to_give(self, smith: Character, use: str) -> Size:
        """The die that it leaves in the Forest."""
