"""Bots: seats with a policy. A policy is a pure function of what its seat may see; a timer runs it in the worker.

A policy plays players' seats or game-masters' seats, as the mapping says in which its ruleset names it
(`Ruleset.policies`, `Ruleset.gm_policies`); one that stands in both plays either. Hosts and observers are people.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.engine.audience import GM, GM_READER, Audience
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import ROLES, GameState, Role, S, Status
from games.engine.kernel import Actor, Command, Context, Event, Issuer, follow, require_issuer
from games.engine.timer import TimerSet

WAKING = timedelta(seconds=2)  # how soon a bot looks at the game it has come into


@dataclass(frozen=True, slots=True)
class Thought:
    """What a policy wants: a command or none, and when it wants to be asked again."""

    command: Command | None
    again_in: timedelta | None


Policy = Callable[[S, UUID, Tray], Thought]
"""(the state as its seat may see it, a GM's seat as a GM; the seat, dice of its own) -> what it does.

One that answers questions is a `games.engine.policies.QuestionPolicy`: a function by kind of question.
"""


class BotPassed(Event[GameState]):
    """A bot wanted something that the rules refuse, or its policy does not play such a seat; it passes."""

    seat: UUID
    code: str

    def audience(self, state: GameState) -> Audience:
        return GM


class PlayBot(Command[GameState]):
    """Let a bot do what its policy says, and ask it again later."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    is_followed: ClassVar[bool] = False

    seat: UUID
    """The seat that a policy plays."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat = state.seat(self.seat)
        if not seat.bot or state.info.status is Status.FINISHED:
            return
        if ctx.bot_tray is None:
            raise RuntimeError("bots play with dice of their own")
        policy = policies_for(ctx, seat.role).get(seat.bot)
        if policy is None:
            yield BotPassed(seat=seat.id, code="bot.missing")
            return
        master = seat.role is Role.GM
        thought: Thought = policy(state.view_for(frozenset({seat.id}), gm=master), seat.id, ctx.bot_tray)
        ctx.bot_tray.take()
        if thought.again_in is not None:
            yield TimerSet.of(bot_key(seat.id), ctx.now + thought.again_in, PlayBot(seat=seat.id))
        if thought.command is not None:
            own = replace(ctx, actor=Actor(Issuer.GM if master else Issuer.SEAT, seat=seat.id))
            begun = False
            try:
                require_issuer(thought.command, own.actor)
                for event in follow(state, thought.command, own):
                    begun = True
                    yield event
            except Refused as refused:
                if begun:  # half a command cannot stand: the whole turn of the bot is refused
                    raise
                yield BotPassed(seat=seat.id, code=refused.code)


def policies_for(ctx: Context, role: Role) -> Mapping[str, Any]:
    """The policies that play seats of a role, by name; none for hosts and observers."""
    match role:
        case Role.PLAYER:
            return ctx.policies
        case Role.GM:
            return ctx.gm_policies
        case _:
            return {}


def owners_among(state: GameState, owners: Iterable[str]) -> set[UUID]:
    """The seats that own a prompt: those that are named, and every GM's where the GMs are asked."""
    named = set(owners)
    masters = state.seats_of(Role.GM) if GM_READER in named else []
    return {UUID(o.removeprefix("seat:")) for o in named - {GM_READER}} | {seat.id for seat in masters}


def wake_bots(state: GameState, ctx: Context, seats: Iterable[UUID], wait: timedelta | None = None) -> Iterator[Event]:
    """Let the bots among these seats look at the game soon: after `wait`, else the thinking time of their game.

    A bot that looks sooner by itself is left alone: at a busy table it would never come to look. Nothing follows where
    a game has no thinking time: its bots look at times of their own.
    """
    wait = state.thinking_time if wait is None else wait
    if wait is None:
        return
    for seat in sorted(seats):
        timer = state.timers.get(bot_key(seat))
        looks = timer.due if timer is not None else None
        if state.seats[seat].bot and (looks is None or looks > ctx.now + wait):
            yield TimerSet.of(bot_key(seat), ctx.now + wait, PlayBot(seat=seat))


def bot_key(seat: UUID) -> str:
    """The key of the timer that runs a bot."""
    return f"bot:{seat}"


def require_policy(bot: str, role: Role, ctx: Context) -> None:
    """Refuse a bot that this ruleset does not have (`bot.missing`), or that plays no seat of this role (`bot.role`)."""
    fitting = policies_for(ctx, role)
    if not bot or bot in fitting:
        return
    known = ", ".join(sorted(fitting)) or "none"
    if role not in (Role.PLAYER, Role.GM):
        raise Refused("bot.role", f"The seat of {ROLES[role]} takes no bot; leave it empty, or give it to a person.")
    if bot in ctx.policies or bot in ctx.gm_policies:
        raise Refused("bot.role", f"The bot {bot} does not play the seat of {ROLES[role]}; there is: {known}.")
    raise Refused("bot.missing", f"There is no bot {bot} here; there is: {known}.")
