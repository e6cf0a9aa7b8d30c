"""The commands of a vote: ask for an artifact, vote, let it be (FB-VLT-1, 2)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.forgeborn.rules.conflict.deeds import require_kind, require_standing_at, require_vault
from games.forgeborn.rules.conflict.rules import answerable
from games.forgeborn.rules.state.records import Character, Vote
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.rules import require_turn
from games.forgeborn.rules.vault.rules import ask_vault, cast_ballot, leave_artifact, open_vote

RULE = "FB-VLT-1"


class RequestArtifact(Enumerable[State]):
    """Ask for an artifact of the Vault; the others vote. Asking is the action, whatever they say."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-VLT-2", "FB-END-3")

    artifact: UUID
    """What lies in the Vault."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = self._smith(state, ctx.actor)
        artifact = require_vault(state, self.artifact, RULE)
        yield from ask_vault(state, ctx, smith, artifact)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_turn(state, actor)
        artifacts = [artifact.id for artifact in state.vault()]
        domains = {"artifact": Choices.of(artifacts)}
        try:
            cls._smith(state, actor)
            if not artifacts:
                raise Refused("artifact.not_in_vault", "Nothing lies in the Vault.", rules=(RULE,))
        except Refused as barred:
            yield LegalCommand(cls.slug(), domains, barred=barred)
            return
        yield LegalCommand(cls.slug(), domains)

    @staticmethod
    def _smith(state: State, actor: Actor) -> Character:
        smith = require_turn(state, actor)
        require_kind(smith, CharacterKind.SMITH, RULE)
        require_standing_at(state.places[smith.place], (PlaceKind.CITADEL,), RULE)
        return smith


class CastBallot(Enumerable[State]):
    """Vote on what another player has asked for; you may vote anew until the vote closes."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-VLT-2", "FB-AMB-45")

    yes: bool
    """Whether they shall have it."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        vote, seat = self._vote(state, ctx.actor)
        yield from cast_ballot(state, vote, seat, is_yes=self.yes)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._vote(state, actor)
        yield LegalCommand(cls.slug(), {"yes": Flag()})

    @classmethod
    def _vote(cls, state: State, actor: Actor) -> tuple[Vote, UUID]:
        """(the vote, the seat). Raises `phase.closed`, `prompt.closed`, `prompt.not_yours`."""
        answerable(state, actor, cls)
        vote, seat = open_vote(state), state.seat(actor.acting_seat).id
        if vote is None or seat not in vote.electorate:
            raise Refused(
                "prompt.not_yours",
                "You do not vote on this: the seat was empty when it was asked.",
                rules=("FB-AMB-62",),
            )
        return vote, seat


class LetArtifactBe(Enumerable[State]):
    """Let the artifact that was denied stay in the Vault; the turn is over."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        if prompt.subject is None:
            raise RuntimeError("what was denied is an artifact")
        yield from leave_artifact(state, prompt.subject)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug())
