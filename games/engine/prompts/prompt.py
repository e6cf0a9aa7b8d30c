"""Prompts: who owes an answer, by which settling rule, until when, and what silence means.

Votes, consents, rulings, offers and sealed orders are one thing. A prompt stands in a lane and may have a parent; lanes
run side by side. In a lane only the innermost open prompt is answerable and runs its deadline; those below keep what is
left; a parent cannot settle while a child is open. The state holds open prompts only; the log keeps the rest.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from games.engine.audience import GM_READER, Audience, Reader, reader
from games.engine.bots import owners_among, wake_bots
from games.engine.deadlines import realign_timer
from games.engine.errors import Refused
from games.engine.game_state import Answer, GameState, Prompt
from games.engine.kernel import Actor, Command, Context, Event
from games.engine.timer import CommandRef, TimerFrozen, TimerSet, TimerThawed, WindowSet, clear_timer


class Rule(StrEnum):
    """How a prompt settles."""

    FIRST = "first"
    """The first answer of any owner settles it: rulings and choices."""
    UNANIMOUS = "unanimous"
    """Settled when all have said yes, or as soon as one says no: consents and signatures."""
    MAJORITY = "majority"
    """Settled as soon as the result is certain: votes with an electorate and a threshold."""
    ALL = "all"
    """Settled when every owner has answered: sealed orders and ballots."""


class PromptOpened(Event[GameState]):
    """Somebody is asked something."""

    prompt: UUID
    kind: str
    lane: str
    parent: UUID | None = None
    owners: tuple[str, ...]
    """Readers: `gm` or `seat:<id>`."""
    rule: Rule
    readers: str
    answered_by: tuple[str, ...]
    question: str
    subject: UUID | None = None
    choices: tuple[str, ...] = ()
    silence: str = ""
    threshold: int = 0
    sealed: bool = False

    def audience(self, state: GameState) -> Audience:
        return Audience(self.readers)

    def apply(self, state: GameState) -> None:
        depth = state.prompts[self.parent].depth + 1 if self.parent else 0
        state.prompts[self.prompt] = Prompt(
            id=self.prompt,
            kind=self.kind,
            lane=self.lane,
            depth=depth,
            parent=self.parent,
            owners=tuple(Reader(o) for o in self.owners),
            rule=self.rule,
            audience=Audience(self.readers),
            answered_by=self.answered_by,
            question=self.question,
            subject=self.subject,
            choices=self.choices,
            silence=self.silence,
            threshold=self.threshold,
            sealed=self.sealed,
            opened_at=state.now,
        )

    def sentence(self, state: GameState) -> str:
        return self.question


class PromptAnswered(Event[GameState]):
    """An owner has answered. A sealed answer is for its owner alone."""

    prompt: UUID
    owner: Reader
    answer: str
    """JSON."""

    def audience(self, state: GameState) -> Audience:
        prompt = state.prompts[self.prompt]
        return Audience(self.owner) if prompt.sealed else prompt.audience

    def apply(self, state: GameState) -> None:
        prompt = state.prompts[self.prompt]
        readers = Audience(self.owner) if prompt.sealed else prompt.audience
        state.answers[self.prompt, self.owner] = Answer(self.prompt, self.owner, self.answer, readers)


class PromptCounted(Event[GameState]):
    """How many have answered a sealed prompt: those who may see the question see the number, not the answers."""

    prompt: UUID
    count: int

    def audience(self, state: GameState) -> Audience:
        return state.prompts[self.prompt].audience


class AnswerWithdrawn(Event[GameState]):
    """An owner has withdrawn their answer."""

    prompt: UUID
    owner: Reader

    def audience(self, state: GameState) -> Audience:
        prompt = state.prompts[self.prompt]
        return Audience(self.owner) if prompt.sealed else prompt.audience

    def apply(self, state: GameState) -> None:
        del state.answers[self.prompt, self.owner]


class PromptClosed(Event[GameState]):
    """A prompt is settled, withdrawn, or void."""

    prompt: UUID
    result: str
    readers: str

    def audience(self, state: GameState) -> Audience:
        return Audience(self.readers)

    def apply(self, state: GameState) -> None:
        for owner in [o for p, o in state.answers if p == self.prompt]:
            del state.answers[self.prompt, owner]
        del state.prompts[self.prompt]


class DeadlinePassed(Event[GameState]):
    """Nobody answered in time; the default follows."""

    prompt: UUID
    readers: str
    seats: tuple[UUID, ...] = ()
    """Who was late, where that is no secret."""

    def audience(self, state: GameState) -> Audience:
        return Audience(self.readers)

    def sentence(self, state: GameState) -> str:
        return "The time to answer has passed."


def timer_key(prompt: UUID) -> str:
    """The key of a prompt's deadline."""
    return f"prompt:{prompt}"


def ask(
    state: GameState,
    ctx: Context,
    kind: str,
    question: str,
    *,
    owners: Collection[str],
    lane: str,
    rule: Rule,
    answered_by: Sequence[type[Command] | str],
    prompt: UUID | None = None,
    readers: Audience | None = None,
    parent: UUID | None = None,
    subject: UUID | None = None,
    choices: Sequence[str] = (),
    threshold: int = 0,
    sealed: bool = False,
    due: datetime | None = None,
    default: Command | CommandRef | None = None,
    silence: str = "",
    shown: Audience | None = None,
    early: bool = True,
) -> Iterator[Event]:
    """Open a prompt. It freezes the deadlines of its parents; `default` is what the clock does at `due`.

    The bots among its owners are scheduled, those on GMs' seats where the GMs are asked.

    readers: who sees the question; its owners and the GMs unless said. shown: who sees its deadline; the readers of the
    question unless said. threshold: yes votes that carry a majority. early: whether a host or GM may fire its deadline
    before its time.
    answered_by: the commands that answer it, as classes or by their kebab names.
    """
    if not owners:
        raise RuntimeError(f"nobody owns the prompt {kind}")
    if (due is None) is not (default is None):
        raise RuntimeError(f"the prompt {kind} needs a deadline with a default, or neither")
    audience = readers or owners_and_gm(owners)
    prompt = prompt or ctx.mint(audience)
    if parent is not None and timer_key(parent) in state.timers:
        yield TimerFrozen(key=timer_key(parent))
    yield PromptOpened(
        prompt=prompt,
        kind=kind,
        lane=lane,
        parent=parent,
        owners=tuple(sorted(owners)),
        rule=rule,
        readers=audience,
        answered_by=tuple(c if isinstance(c, str) else c.slug() for c in answered_by),
        question=question,
        subject=subject,
        choices=tuple(choices),
        silence=silence,
        threshold=threshold,
        sealed=sealed,
    )
    if due is not None and default is not None:
        window: type[TimerSet | WindowSet] = TimerSet if early else WindowSet
        yield window.of(timer_key(prompt), due, default, shown=shown or audience, subject=prompt)
    yield from wake_bots(state, ctx, owners_among(state, owners))


def owners_and_gm(owners: Collection[str]) -> Audience:
    """The readers of a question that its owners and the GMs may see."""
    return Audience("+".join(sorted({*owners, GM_READER})))


def open_prompt(state: GameState, prompt: UUID) -> Prompt:
    """The open prompt of this id. Raises `prompt.closed`, also for one that never was: it shows no secret."""
    if prompt not in state.prompts:
        raise Refused("prompt.closed", "This question is not open: it was answered, withdrawn, or its time has passed.")
    return state.prompts[prompt]


def innermost(state: GameState, prompt: Prompt) -> bool:
    """Whether no other prompt was opened above this one."""
    return not any(p.depth > prompt.depth and p.parent == prompt.id for p in state.prompts.values())


def innermost_in(state: GameState, lane: str) -> Prompt | None:
    """The question of a lane that comes first: the innermost, of several the oldest; None in an idle lane."""
    here = [p for p in state.prompts.values() if p.lane == lane and innermost(state, p)]
    return min(here, key=lambda p: (-p.depth, p.opened_at, p.id), default=None)


def is_owner(prompt: Prompt, actor: Actor) -> bool:
    """Whether a question is asked of an actor, or of the game-masters, of whom they are one."""
    seat = actor.acting_seat
    named = seat is not None and reader(seat) in prompt.owners
    return named or (actor.is_gm and GM_READER in prompt.owners)


def owner_for(state: GameState, prompt: Prompt, actor: Actor) -> Reader:
    """The owner that an actor answers as. Raises `prompt.not_yours`."""
    seat = actor.acting_seat
    if seat is not None and reader(seat) in prompt.owners:
        return reader(seat)
    if actor.is_gm and GM_READER in prompt.owners:
        return GM_READER
    raise Refused("prompt.not_yours", "This question is asked of others.")


def answer(state: GameState, ctx: Context, prompt_id: UUID, value: str) -> Iterator[Event]:
    """Record an answer (JSON text). Raises `prompt.closed`, `prompt.not_yours`, `prompt.open`."""
    prompt = open_prompt(state, prompt_id)
    owner = owner_for(state, prompt, ctx.actor)
    if not innermost(state, prompt):
        raise Refused("prompt.open", "An inner question is still open; it comes first.")
    first = (prompt_id, owner) not in state.answers
    yield PromptAnswered(prompt=prompt_id, owner=owner, answer=value)
    if prompt.sealed and first:  # that somebody has thought again is their secret
        count = sum(1 for p, _ in state.answers if p == prompt_id)
        yield PromptCounted(prompt=prompt_id, count=count)


def withdraw(state: GameState, ctx: Context, prompt_id: UUID) -> Iterator[Event]:
    """Take an answer back. Raises `prompt.closed`, `prompt.not_yours`, and `answer.missing` when there is none."""
    prompt = open_prompt(state, prompt_id)
    owner = owner_for(state, prompt, ctx.actor)
    if (prompt_id, owner) not in state.answers:
        raise Refused("answer.missing", "You have not answered; there is nothing to take back.")
    yield AnswerWithdrawn(prompt=prompt_id, owner=owner)


def close(state: GameState, prompt_id: UUID, result: str) -> Iterator[Event]:
    """Close an innermost prompt, clear its deadline and let its parent's deadline go on."""
    prompt = open_prompt(state, prompt_id)
    if not innermost(state, prompt):
        raise Refused("prompt.open", "An inner question is still open; it comes first.")
    yield from clear_timer(state, timer_key(prompt_id))
    yield PromptClosed(prompt=prompt_id, result=result, readers=prompt.audience)
    parent = prompt.parent
    if parent is not None and parent in state.prompts and innermost(state, state.prompts[parent]):
        timer = state.timers.get(timer_key(parent))
        if timer is not None and timer.left is not None:
            yield TimerThawed(key=timer.key)
            if state.info.paused_at is None:
                yield from realign_timer(state, timer.key, state.now - prompt.opened_at)


def lapse_event(state: GameState, prompt_id: UUID, late: Sequence[UUID] = (), shown: Audience | None = None) -> Event:
    """That the time to answer has passed. late: seats that may be named; shown: who sees the question unless said."""
    return DeadlinePassed(prompt=prompt_id, readers=shown or open_prompt(state, prompt_id).audience, seats=tuple(late))


def expire_prompt(state: GameState, prompt_id: UUID) -> Iterator[Event]:
    """Say that the time to answer has passed, and close the prompt."""
    yield lapse_event(state, prompt_id)
    yield from close(state, prompt_id, "deadline")


def answers_to(state: GameState, prompt: UUID) -> dict[Reader, str]:
    """Who has answered what (JSON text), by owner."""
    return {owner: a.value for (p, owner), a in sorted(state.answers.items(), key=lambda i: i[0][1]) if p == prompt}


def verdict(prompt: Prompt, answers: Mapping[Reader, str]) -> bool | None:
    """How the answers settle the prompt: True, False, or None while it is open.

    Electorate and threshold are those stored at opening; later joins do not change them. A vote is settled as soon as
    the missing ballots cannot change the result; a tie is no majority.
    """
    yes = sum(1 for v in answers.values() if v == "true")
    missing = len(prompt.owners) - len(answers)
    match prompt.rule:
        case Rule.FIRST:
            return True if answers else None
        case Rule.ALL:
            return True if missing == 0 else None
        case Rule.UNANIMOUS:
            if yes < len(answers):
                return False
            return True if missing == 0 else None
        case Rule.MAJORITY:
            if yes >= prompt.threshold:
                return True
            return False if yes + missing < prompt.threshold else None
    raise RuntimeError(f"no such settling rule: {prompt.rule}")


def more_than_half(electorate: int) -> int:
    """The yes votes that make more than half of an electorate."""
    return electorate // 2 + 1
