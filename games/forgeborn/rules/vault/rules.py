"""The vote on an artifact: opened, cast in secret, closed together (FB-VLT-1, 2)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC, reader
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered, PromptCounted
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.claims.rules import take_artifact
from games.forgeborn.rules.state.dice import number_of_dice
from games.forgeborn.rules.state.records import Artifact, Character, Vote
from games.forgeborn.rules.state.schema_types import Asked, CameBy, StandingAnswer, StandingKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.rules import standing_answer
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn
from games.forgeborn.rules.vault.events import (
    ArtifactLeft,
    BallotCast,
    BallotSealed,
    OpenBallot,
    VaultAsked,
    VaultDecided,
)


def ask_vault(state: State, ctx: Context, smith: Character, artifact: Artifact) -> Iterator[Event]:
    """Ask the others; with nobody to ask it is not agreed at once (FB-AMB-47)."""
    vote, electorate = ctx.mint(PUBLIC), state.voters(smith.seat)
    yield VaultAsked(vote=vote, artifact=artifact.id, seat=smith.seat, electorate=electorate)
    if not electorate:
        yield from close_vote(state, ctx, state.votes[vote])
        return
    yield from ask_row(state, ctx, Asked.VAULT, vote, character=smith.name, artifact=artifact.name)
    for seat in electorate:
        word = standing_answer(state, ctx, seat, StandingKind.VAULT)
        if word is not None:
            yield from cast_ballot(state, state.votes[vote], seat, is_yes=word is StandingAnswer.YES)


def cast_ballot(state: State, vote: Vote, seat: UUID, *, is_yes: bool) -> Iterator[Event]:
    """Take the ballot of a seat; that it was changed is shown to nobody else (FB-VLT-2)."""
    asked, is_first = state.question(Asked.VAULT, vote.id), (vote.id, seat) not in state.seals
    if asked is None:
        raise RuntimeError("a ballot is cast while the vote is open")
    yield BallotCast(vote=vote.id, seat=seat, yes=is_yes)
    yield PromptAnswered(prompt=asked, owner=reader(seat), answer="true" if is_yes else "false")
    if is_first:
        yield BallotSealed(vote=vote.id, seat=seat)
        yield PromptCounted(prompt=asked, count=sum(1 for prompt, _ in state.answers if prompt == asked))


def open_vote(state: State) -> Vote | None:
    """The vote that runs."""
    return next((vote for vote in state.votes.values() if vote.is_agreed is None), None)


def are_ballots_in(state: State) -> bool:
    """Whether all who vote and still hold their seat have voted."""
    vote = open_vote(state)
    return vote is not None and all((vote.id, seat) in state.ballots for seat in _electorate(state, vote))


def close_vote(state: State, ctx: Context, vote: Vote) -> Iterator[Event]:
    """Close a vote: more than half of those who still hold their seat agree, or it is denied (FB-AMB-12, FB-AMB-62)."""
    electorate = _electorate(state, vote)
    cast = {seat: state.ballots[vote.id, seat].is_yes for seat in electorate if (vote.id, seat) in state.ballots}
    yes = sum(cast.values())
    agreed = 2 * yes > len(electorate)
    yield VaultDecided(
        vote=vote.id,
        artifact=vote.artifact,
        yes=yes,
        no=len(cast) - yes,
        missing=len(electorate) - len(cast),
        ballots=tuple(OpenBallot(seat=seat, yes=is_yes) for seat, is_yes in cast.items()),
        agreed=agreed,
    )
    yield from close_question(state, Asked.VAULT, "agreed" if agreed else "denied")
    smith = state.smith_of(vote.seat)
    if smith is None:
        raise RuntimeError("a vote is asked for by a Smith")
    if agreed:
        yield from take_artifact(state, vote.artifact, smith.id, CameBy.VOTE)
        yield from end_turn(state, TurnEnd.ACTION)
    elif not number_of_dice(smith):  # nothing can be chosen: without dice there is no conflict
        yield from leave_artifact(state, vote.artifact)
    else:
        yield from _ask_denied(state, ctx, smith, vote.artifact)


def leave_artifact(state: State, artifact: UUID) -> Iterator[Event]:
    """Let be what was denied; the turn is over."""
    yield ArtifactLeft(artifact=artifact)
    yield from close_question(state, Asked.DENIED, "left")
    yield from end_turn(state, TurnEnd.ACTION)


def _electorate(state: State, vote: Vote) -> tuple[UUID, ...]:
    """Those of the electorate who still hold their seat (FB-AMB-62)."""
    return tuple(seat for seat in vote.electorate if state.is_held(seat))


def _ask_denied(state: State, ctx: Context, smith: Character, artifact: UUID) -> Iterator[Event]:
    name = state.artifacts[artifact].name
    yield from ask_row(state, ctx, Asked.DENIED, artifact, artifact=name, character=smith.name)
