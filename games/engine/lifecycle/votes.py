"""Votes of the people who play: to pause, to let the clock go on, to put a deadline off, to end what goes on now.

What is voted for is what the host would do by a command of the same name. Asked are the players' seats that people
play and that are not on vacation: bots have no voice. Silence agrees to nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC, reader
from games.engine.deadlines import TABLE_VOTE, away_until, deadline_of_window
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import GameState, Prompt
from games.engine.insight.domains import Choices, Domain, Flag, Range
from games.engine.insight.legal_commands import LegalCommand, TableCommand, refusal_of, require_accepted
from games.engine.kernel import Actor, Command, Context, Event, Issuer, apply_events, require_clock
from games.engine.lifecycle.gm_commands import EndNow, Extend, Pause, Resume
from games.engine.post_options import post_options
from games.engine.prompts.prompt import (
    Rule,
    answer,
    answers_to,
    ask,
    close,
    expire_prompt,
    more_than_half,
    open_prompt,
    owner_for,
    timer_key,
    verdict,
)
from games.engine.wording import span

Subject = Literal["pause", "resume", "extend", "end"]
SUBJECTS: tuple[Subject, ...] = ("pause", "resume", "extend", "end")
VOTE_TIME = timedelta(days=1)
"""How long a vote is open, if its result is not certain sooner."""
LONGEST_EXTENSION = 7 * 24 * 3600
REASON = "The players have voted for it."


class VoteSettled(Event[GameState]):
    """A vote of the players is over."""

    prompt: UUID
    subject: Subject
    passed: bool
    refused: str = ""
    """Why what was voted for cannot be done any more: a code; "" where it follows."""

    def sentence(self, state: GameState) -> str:
        if not self.passed:
            return f"The vote to {_action(self.subject)} is lost."
        return f"The vote to {_action(self.subject)} is carried{', but that cannot be done now' * bool(self.refused)}."


class ProposeVote(TableCommand):
    """Call a vote of the people who play: to pause, resume, extend, or end what goes on now; you vote for it yourself.

    What is carried happens at once, as if the host had done it. Open for a day, or until the result is certain.
    """

    while_paused: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True

    subject: Subject
    """`pause`, `resume`, `extend` (the deadline of what goes on now), or `end` (what goes on now, as if in time)."""
    seconds: int = Field(default=86_400, ge=1, le=LONGEST_EXTENSION)
    """By how much to extend."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        _require_votes(state)
        seat = state.seat(ctx.actor.acting_seat)
        electorate = voters(state, ctx)
        if seat.id not in electorate:
            raise Refused("vote.voiceless", "Votes are for people who play and are not on vacation.")
        if any(prompt.kind == TABLE_VOTE and prompt.lane == _lane(self.subject) for prompt in state.prompts.values()):
            raise Refused("vote.open", f"There is a vote to {_action(self.subject)} already; `answer-vote` takes part.")
        effect = _effect(self.subject, self.seconds)
        require_clock(state, type(effect), ctx.actor)
        require_accepted(effect, state, ctx.actor)
        options, prompt = post_options(state.info.options), ctx.mint(PUBLIC)
        rule = Rule.UNANIMOUS if options.votes == "unanimous" else Rule.MAJORITY
        yield from ask(
            state,
            ctx,
            TABLE_VOTE,
            f"{seat.name} calls a vote to {_action(self.subject, self.seconds)}.",
            owners=[reader(each) for each in electorate],
            lane=_lane(self.subject),
            rule=rule,
            answered_by=(AnswerVote,),
            prompt=prompt,
            readers=PUBLIC,
            threshold=more_than_half(len(electorate)) if rule is Rule.MAJORITY else 0,
            due=deadline_of_window(state, ctx.now, VOTE_TIME),
            default=SettleVote(prompt=prompt, subject=self.subject, seconds=self.seconds),
            silence="A missing ballot agrees to nothing.",
            early=False,
        )
        yield from _cast(state, ctx, prompt, yes=True)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """Nothing is listed where the game has no votes."""
        if post_options(state.info.options).votes == "none":
            return
        refusals = {each: refusal_of(cls(subject=each), state, actor) for each in SUBJECTS}
        able = [each for each, barred in refusals.items() if barred is None]
        if not able:
            raise next(barred for barred in refusals.values() if barred is not None)
        terms: dict[str, Domain] = {"seconds": Range(low=1, high=LONGEST_EXTENSION)} if "extend" in able else {}
        yield LegalCommand(cls.slug(), {"subject": Choices(tuple(able)), **terms})


class AnswerVote(TableCommand):
    """Vote for or against what was proposed; the ballot may be changed until the vote is settled."""

    while_paused: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True

    prompt: UUID
    """The vote."""
    yes: bool
    """For it?"""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        _require_vote(state, self.prompt)
        yield from _cast(state, ctx, self.prompt, yes=self.yes)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """Nothing is listed where the game has no votes."""
        if post_options(state.info.options).votes == "none":
            return
        asked = [each for each in _votes(state) if not refusal_of(cls(prompt=each.id, yes=True), state, actor)]
        if not asked:
            raise Refused("prompt.closed", "No vote is open in which you have a voice.")
        votes = Choices.with_titles({each.id: each.question for each in asked})
        yield LegalCommand(cls.slug(), {"prompt": votes, "yes": Flag()})


class SettleVote(Command[GameState]):
    """The time of a vote is up: what is not carried by then is lost."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    is_followed: ClassVar[bool] = False

    prompt: UUID
    subject: Subject
    seconds: int

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from expire_prompt(state, self.prompt)
        yield VoteSettled(prompt=self.prompt, subject=self.subject, passed=False)


def voters(state: GameState, ctx: Context) -> list[UUID]:
    """The seats that have a voice: those of players whom people play and who are not on vacation, in their order."""
    people = (seat for seat in state.players() if seat.user is not None and not seat.bot)
    return [seat.id for seat in people if away_until(state, seat.id, ctx.happens_at) is None]


def _cast(state: GameState, ctx: Context, prompt: UUID, *, yes: bool) -> Iterator[Event]:
    """Record a ballot; where it makes the result certain the vote is over, and what was voted for follows."""
    asked = open_prompt(state, prompt)
    owner_for(state, asked, ctx.actor)
    proposal = json.loads(state.timers[timer_key(prompt)].arguments)
    yield from answer(state, ctx, prompt, "true" if yes else "false")
    carried = verdict(asked, answers_to(state, prompt))
    if carried is None:
        return
    subject: Subject = proposal["subject"]
    effect = _effect(subject, proposal["seconds"])
    yield from close(state, prompt, "carried" if carried else "lost")
    refused = _refusal(state, ctx, effect) if carried else None
    yield VoteSettled(prompt=prompt, subject=subject, passed=carried, refused=refused.code if refused else "")
    if carried and refused is None:
        yield from effect.decide(state, ctx)


def _refusal(state: GameState, ctx: Context, effect: Command) -> Refused | None:
    """What refuses the effect of a vote, be it behind its first event: then no ballot is refused with it.

    It is tried on a copy of the state, with dice and ids of its own.
    """
    tray, twin = Tray(SecretDice(b"", "")), state.twin()
    trial = replace(ctx, tray=tray, bot_tray=tray, id_secret=b"", heads=dict(ctx.heads), _minted={})
    try:
        require_clock(state, type(effect), ctx.actor)
        apply_events(twin, effect.decide(twin, trial), trial)
    except Refused as refused:
        return refused
    return None


def _effect(subject: Subject, seconds: int) -> Command:
    """The command of the host that has the effect of a vote."""
    match subject:
        case "pause":
            return Pause(reason=REASON)
        case "resume":
            return Resume()
        case "extend":
            return Extend(seconds=seconds, reason=REASON)
        case "end":
            return EndNow()


def _action(subject: Subject, seconds: int | None = None) -> str:
    """What is voted for, in words that follow `a vote to`."""
    match subject:
        case "pause":
            return "stop the clock"
        case "resume":
            return "let the clock go on"
        case "extend":
            return "put the deadline off" + (f" by {span(seconds)}" if seconds is not None else "")
        case "end":
            return "end what goes on now"


def _lane(subject: Subject) -> str:
    return f"vote:{subject}"


def _votes(state: GameState) -> list[Prompt]:
    """The open votes, the oldest first."""
    found = (prompt for prompt in state.prompts.values() if prompt.kind == TABLE_VOTE)
    return sorted(found, key=lambda prompt: (prompt.opened_at, prompt.id))


def _require_votes(state: GameState) -> None:
    """Refuse (`phase.closed`, `votes.none`) where nothing is voted on."""
    state.require_running()
    if post_options(state.info.options).votes == "none":
        raise Refused("votes.none", "This game has no votes of its players; ask the host or a game-master.")


def _require_vote(state: GameState, prompt: UUID) -> None:
    """Refuse (`prompt.closed`) a question that is no open vote."""
    _require_votes(state)
    if open_prompt(state, prompt).kind != TABLE_VOTE:
        raise Refused("prompt.closed", "This question is no vote of the players; answer it by the commands it names.")
