"""Who is waited for: the seats that may or must act now, and until when.

It follows from what refuses everybody else: who owes an answer to an open question (`prompts.prompt.owner_for`), who
may act unasked (`GameState.require_turn`), and whether only the host or a GM can move the game on. While the clock
stands still votes of the players alone wait for anybody, without a deadline; after the end nothing does.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from games.engine.audience import GM_READER, PUBLIC, SERVER, Audience, Reader, readable, reader
from games.engine.deadlines import TABLE_VOTE
from games.engine.errors import Refused
from games.engine.game_state import Answer, GameState, Prompt, Role, Status, Timer
from games.engine.prompts.prompt import timer_key


@dataclass(frozen=True, slots=True)
class Waiting:
    """One seat that is waited for, or the game-masters (`gm`)."""

    owner: Reader
    must: bool
    """Whether it owes an answer to a question; else it may act unasked."""
    due: datetime | None = None
    """Until when; None without a deadline, and while that stands still."""
    readers: Audience = PUBLIC
    """Who may know that it is waited for."""
    due_readers: Audience = SERVER
    """Who may know until when."""
    hidden_from: Audience = SERVER
    """Who knows better: of a sealed answer that is in already, of an absence."""

    def as_json(self) -> dict[str, Any]:
        """It as JSON values."""
        due = self.due.isoformat() if self.due is not None else None
        return {
            "owner": self.owner,
            "must": self.must,
            "due": due,
            "readers": self.readers,
            "due_readers": self.due_readers,
            "hidden_from": self.hidden_from,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Waiting":
        """It from the values of `as_json`."""
        return cls(**{**values, "due": datetime.fromisoformat(values["due"]) if values["due"] else None})


def waiting_for(state: GameState) -> list[Waiting]:
    """Everybody who is waited for, as nobody sees it all: each entry says who may know."""
    if state.info.status is Status.FINISHED:
        return []
    if state.info.paused_at is not None:
        return list(_prompt_owners(state))
    return [*_prompt_owners(state), *_conductors(state), *_free(state)]


def _prompt_owners(state: GameState) -> Iterator[Waiting]:
    """The owners of open questions whose answer is not in, as far as everybody knows who may see the question."""
    is_paused, outer = state.info.paused_at is not None, {p.parent for p in state.prompts.values()}
    for prompt in sorted(state.prompts.values(), key=lambda p: p.id):
        if prompt.id in outer or (is_paused and prompt.kind != TABLE_VOTE):
            continue
        timer = None if is_paused else deadline_of(state, prompt)
        for owner in prompt.owners:
            given = state.answers.get((prompt.id, owner))
            if given is not None and is_told(state, prompt, given):
                continue
            yield Waiting(
                owner,
                must=True,
                due=timer.due if timer is not None else None,
                readers=prompt.audience,
                due_readers=timer.shown if timer is not None else SERVER,
                hidden_from=given.audience if given is not None else SERVER,
            )


def is_told(state: GameState, prompt: Prompt, given: Answer) -> bool:
    """Whether everybody who sees a question reads that this answer is in, be it sealed or not."""
    row = state.course_rows.questions.get(prompt.kind)
    return not prompt.sealed or bool(given.digest) or (row is not None and row.tells_who)


def deadline_of(state: GameState, prompt: Prompt) -> Timer | None:
    """The timer that settles a question: its own, else the earliest of what its row names."""
    own = state.timers.get(timer_key(prompt.id))
    does = state.course_rows.ending_commands.get(prompt.kind)
    if own is not None or does is None:
        return own
    others = [t for t in state.timers.values() if t.does == does and t.subject in (None, prompt.subject) and t.due]
    return min(others, key=lambda t: (t.due, t.key), default=None)


def _conductors(state: GameState) -> Iterator[Waiting]:
    roles = state.conducting_roles()
    if Role.GM in roles:
        yield Waiting(GM_READER, must=False)
    if Role.HOST in roles:
        yield from (Waiting(reader(seat.id), must=False) for seat in state.seats_of(Role.HOST))


def _free(state: GameState) -> Iterator[Waiting]:
    for seat in state.seats_of(Role.PLAYER) if state.has_turns() else ():
        try:
            state.require_turn(seat.id, publicly=True)
        except Refused:
            continue
        yield Waiting(reader(seat.id), must=False, hidden_from=state.turn_hidden_from(seat.id))


def visible_waiting(waiting: Iterable[Waiting], seats: Collection[UUID], *, gm: bool) -> list[Waiting]:
    """Who is waited for as somebody with these seats may know it: one entry for each owner, the earliest deadline."""
    found: dict[Reader, Waiting] = {}
    for each in waiting:
        if not readable(each.readers, seats, gm) or readable(each.hidden_from, seats, gm):
            continue
        due = each.due if readable(each.due_readers, seats, gm) else None
        known = found.get(each.owner)
        dues = [d for d in (due, known.due if known is not None else None) if d is not None]
        must = each.must or (known is not None and known.must)
        found[each.owner] = Waiting(each.owner, must, min(dues, default=None))
    return list(found.values())
