"""Who is waited for, held against what the commands themselves refuse, at every event of a game that was played.

A seat must act exactly where the engine takes its answer to an open question; it may act exactly where the command that
nobody else may issue is accepted from it: drawing a number at the Window (The Gods II), ending the turn (Dawn).
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from games import registry
from games.dawn.rules.turn.commands import EndTurn
from games.engine.audience import GM_READER, reader
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import Role, Status
from games.engine.kernel import Actor, Command, Context, Issuer
from games.engine.lifecycle.waiting import is_told, waiting_for
from games.engine.prompts.prompt import answer
from games.gods2.rules.window.commands import DrawNumber
from games.models import Game, LoggedEvent
from games.storage import log

PROBES: Mapping[str, tuple[Command, frozenset[str]]] = {
    "gods2": (DrawNumber(), frozenset({"number.held"})),
    "dawn": (EndTurn(), frozenset()),
}
"""What a seat may do unasked, and the codes that refuse it for another reason than whose turn it is."""


def disagreements(game: Game) -> Iterator[str]:
    """Where `waiting_for` says something else than a refusal does, event by event."""
    rules = registry.ruleset(game.ruleset)
    state = registry.store(game.ruleset).new_state(game.pk)
    ends = _ends_of_commands(game)
    for seq, event, at in log.numbered_line(game):
        state.note_time(at)
        event.apply(state)
        waiting = waiting_for(state)
        must = {each.owner for each in waiting if each.must}
        may = {each.owner for each in waiting if not each.must and each.hidden_from == "server"}
        if must != _answerers(state, rules.commands, at):
            yield f"{seq} {type(event).__name__}: must {must}"
        if game.ruleset in PROBES and seq in ends and may - _conductors(state) != _actors(state, rules.commands, at):
            yield f"{seq} {type(event).__name__}: may {may}"


def _ends_of_commands(game: Game) -> set[int]:
    """The events after which a command could be issued; inside one the state is half way."""
    rows = list(LoggedEvent.objects.filter(game=game).order_by("seq").values_list("seq", "at", "cause"))
    return {one[0] for one, after in zip(rows, [*rows[1:], None], strict=True) if after is None or one[1:] != after[1:]}


def _conductors(state: Any) -> set[str]:
    return {GM_READER, *(reader(seat.id) for seat in state.seats_of(Role.HOST))}


def _context(state: Any, commands: Mapping[str, type[Command]], actor: Actor, at: Any) -> Context:
    tray = Tray(SecretDice(b"turns", str(state.info.id)))
    return Context(state.info.id, at, actor, tray, b"ids", commands, salt_secret=b"salts")


def _answerers(state: Any, commands: Mapping[str, type[Command]], at: Any) -> set[str]:
    """The owners whose answer to some open question would be taken now, and is not in."""
    seats = [(reader(seat.id), Actor(Issuer.SEAT, seat=seat.id)) for seat in state.seats.values()]
    found: set[str] = set()
    if _stands_still(state):
        return found
    for prompt in state.prompts.values():
        for owner, actor in (*seats, (GM_READER, Actor(Issuer.GM, seat=UUID(int=0)))):
            given = state.answers.get((prompt.id, owner))
            if given is not None and is_told(state, prompt, given):
                continue
            if _is_accepted(answer(state, _context(state, commands, actor, at), prompt.id, "null")):
                found.add(owner)
    return found


def _actors(state: Any, commands: Mapping[str, type[Command]], at: Any) -> set[str]:
    """The seats from which the command of the game's turn is accepted."""
    command, beside = PROBES[state.info.ruleset]
    found = set()
    for seat in state.seats.values():
        ctx = _context(state, commands, Actor(Issuer.SEAT, seat=seat.id), at)
        if not _stands_still(state) and _is_accepted(command.decide(state, ctx), beside):
            found.add(reader(seat.id))
    return found


def _stands_still(state: Any) -> bool:
    return state.info.paused_at is not None or state.info.status is Status.FINISHED


def _is_accepted(events: Iterator[Any], beside: frozenset[str] = frozenset()) -> bool:
    try:
        next(events, None)
    except Refused as refused:
        return refused.code in beside
    return True
