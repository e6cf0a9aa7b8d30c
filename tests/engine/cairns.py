"""A game of Cairns in memory: the toy ruleset at a playbook, with seats whose ids do not change from run to run."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.engine.game_state import GameInfo, Role, dump
from games.engine.kernel import Actor, Command, Context, Event, Issuer, apply_events
from games.engine.lifecycle.seating import SeatTaken
from games.engine.ruleset import Ruleset
from tests.dice import Planted
from tests.playbook import Playbook, state_from_log
from tests.toy.rules import RULESET

GAME = UUID(int=0xCA1)
ANN, BOB, CYD, HOST, MASTER = (UUID(int=n) for n in range(1, 6))
USER = UUID(int=100)
GM_ACTOR = Actor(Issuer.GM, user=UUID(int=101), seat=MASTER)
HOST_ACTOR = Actor(Issuer.HOST, user=UUID(int=102), seat=HOST)
PLAYERS = {ANN: "Ann", BOB: "Bob", CYD: "Cyd"}
SEATS = {HOST: (Role.HOST, "Host"), MASTER: (Role.GM, "Master")}


class Cairns(Playbook):
    """A playbook that can also run events without a command, and says what its log leads to."""

    options: str = "{}"

    def happens(self, events: Callable[[Any, Context], Iterator[Event]], by: Actor | UUID | None = None) -> list[Event]:
        """Let events happen that a small function decides: (state, context) -> events."""
        actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by)
        ctx = self.context(actor)
        happened = apply_events(self.state, events(self.state, ctx), ctx)
        self.log += happened
        return [h.event for h in happened]

    def retold(self) -> Any:
        """The state that the log alone leads to."""
        fresh = self.ruleset.new_state(GAME)
        fresh.info = GameInfo(GAME, "toy", name="Cairns", options=self.options)
        return state_from_log(self.log, fresh)

    def log_folds_to_state(self) -> bool:
        """Whether folding the log gives the state."""
        assert dump(self.retold()) == dump(self.state)
        return True

    def events_for(self, audience: str = "public") -> list[tuple[str, str, str]]:
        """Type, fields and sentence of what one audience may read, in order."""
        rows = [h for h in self.log if h.audience == audience]
        return [(type(h.event).__name__, h.event.model_dump_json(), h.text) for h in rows]


def table(*players: UUID, ruleset: Ruleset = RULESET, options: str = "{}", dice: list[Planted] | None = None) -> Cairns:
    """A game with these players (Ann and Bob unless said), a host and a game-master; not started."""
    state = ruleset.new_state(GAME)
    state.info = GameInfo(GAME, "toy", name="Cairns", options=options)
    cairns = Cairns(ruleset, state, dice)
    cairns.options = options
    seats = [(p, Role.PLAYER, PLAYERS[p]) for p in players or (ANN, BOB)]
    seats += [(seat, *what) for seat, what in SEATS.items()]
    cairns.happens(lambda state, ctx: iter([SeatTaken(seat=s, role=r, name=n, user=USER) for s, r, n in seats]))
    return cairns


def ruleset_with(
    *commands: type[Command], policies: dict[str, Any] | None = None, gm_policies: dict[str, Any] | None = None
) -> Ruleset:
    """Cairns with a few commands more and these bots."""
    own = replace(RULESET.own, commands=(*RULESET.own.commands, *commands))
    return replace(RULESET, own=own, policies=policies or {}, gm_policies=gm_policies or {})
