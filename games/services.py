"""The one writer: every change of a game passes through `run`, under that game's lock, and is logged.

REST, GraphQL, Celery and the admin call these functions. Nothing here names a game.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.places import routing
from games import registry
from games.engine.audience import PUBLIC
from games.engine.dice import commitment
from games.engine.errors import Refused
from games.engine.game_state import Role, Status
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, apply_events
from games.engine.lifecycle.seating import GameOpened, SeatTaken
from games.engine.wording import quantity
from games.models import Game, Pulse, Secret
from games.runtime import batch, service_clock
from games.runtime.batch import GameWork, log_commands, play
from games.runtime.decision import Expected, IssuedCommand, Outcome, PendingCommand, Shown
from games.runtime.sequence import PendingSequence
from games.runtime.session import GameSession, commit_events, context_of
from games.storage.rolled_dice import RolledDice

__all__ = [
    "Expected",
    "GameWork",
    "IssuedCommand",
    "Outcome",
    "PendingCommand",
    "PendingSequence",
    "Shown",
    "carry_out",
    "fire_due",
    "fire_due_in",
    "issue",
    "log_commands",
    "new_game_id",
    "open_game",
    "play",
    "run",
    "run_all",
    "turn_back",
]


ID_TRIES = 50
"""Of which each falls, by chance, into a place that is being moved."""


def new_game_id() -> UUID:
    """An id for a game to be opened, in a place that takes changes, if one of many ids lies there.

    Who opens it in a transaction of more enters its place before.
    """
    for _ in range(ID_TRIES):
        game_id = uuid4()
        if (place := routing.place_of(game_id)) is None or not place.is_moving:
            break
    return game_id


def open_game(
    ruleset: str,
    name: str,
    *,
    user: UUID | None,
    game_id: UUID | None = None,
    options: str = "{}",
    is_public: bool = True,
    is_demo: bool = False,
    now: datetime | None = None,
) -> Game:
    """Open a game of a ruleset; its opener gets the host's and a game-master's seat.

    options: JSON that the ruleset's options model accepts. is_demo: whether the demo opens it. game_id: its id, a new
    one where it is left out; who calls this in a transaction gives it (`new_game_id`). Raises BeingMoved,
    `ruleset.missing`, pydantic's ValidationError, what the options refuse (`pack.missing`), and `lobbies.many` where
    too many games of this user wait for their start.
    """
    rules = registry.ruleset(ruleset)
    chosen = rules.options.model_validate_json(options)
    at = now or timezone.now()  # before its row is made: what is public later than `created_at` has happened since
    secrets = {kind: os.urandom(32) for kind in ("dice", "ids", "salts", "bots")}
    game_id = game_id or new_game_id()
    with routing.making(game_id):
        if user is not None:
            _require_few_lobbies(user)
        game = Game.objects.create(
            id=game_id, ruleset=ruleset, name=name, opened_by_id=user, is_public=is_public,
            is_demo=is_demo, commitment=commitment(secrets["dice"]),
        )  # fmt: skip
        Secret.objects.create(game=game, **secrets)
        session = GameSession(game, registry.store(ruleset).new_state(game.pk), {}, RolledDice(game.pk))
        chosen.check(session.state)
        opened = GameOpened(
            ruleset=ruleset,
            name=name,
            chosen=chosen.model_dump_json(),
            commitment=game.commitment,
            is_public=is_public,
        )

        def events(ctx: Context) -> Iterator[Event]:
            yield opened
            if user is not None:
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.HOST, name="Host", user=user)
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.GM, name="Game-master", user=user)

        ctx = context_of(session, at, CLOCK)
        commit_events(session, apply_events(session.state, events(ctx), ctx), cause="open-game")
    return game


def _require_few_lobbies(user: UUID) -> None:
    """Refuse (`lobbies.many`) one more game to somebody of whose games too many were never started."""
    User.objects.select_for_update().filter(pk=user).first()  # so that two at once cannot pass the limit together
    found, most = (
        routing.count_everywhere(Game.objects.filter(opened_by_id=user, status=Status.LOBBY)),
        settings.MAX_LOBBIES,
    )
    if found >= most:
        raise Refused(
            "lobbies.many",
            f"{quantity(found, 'game')} that you have opened {'waits' if found == 1 else 'wait'} for the start; "
            f"start one of them first. This service allows {most} (MAX_LOBBIES).",
            most=most,
            setting="MAX_LOBBIES",
        )


def run(
    game_id: UUID,
    command: Command,
    *,
    actor: Actor,
    key: str = "",
    expected: Expected | None = None,
    dry_run: bool = False,
    now: datetime | None = None,
) -> Outcome:
    """Run one command of one game, under that game's lock, and log what happened.

    The clock goes first: every timer that is due fires at its own time. The same `key` again returns the first outcome.
    Raises Refused; then nothing of the command has changed or is stored. A dry run keeps nothing and uses other dice.
    """
    return issue(game_id, IssuedCommand(command, actor, expected, dry_run), key=key, now=now)


def issue(game_id: UUID, issued: IssuedCommand, *, key: str = "", now: datetime | None = None) -> Outcome:
    """As `run`, for what was issued already."""
    return carry_out(PendingCommand(game=game_id, user=issued.actor.user, issued=issued, key=key, now=now))


def carry_out(waiting: PendingCommand) -> Outcome:
    """Let one command of one game have its turn; its outcome. Raises the error that it has instead."""
    play([GameWork(waiting.game, [waiting])])
    if waiting.outcome is None:
        raise waiting.error or RuntimeError("the command was not reached")
    return waiting.outcome


def run_all(game_id: UUID, commands: Sequence[tuple[Actor, Command]], *, now: datetime | None = None) -> None:
    """Run some commands of one game in their order, under one lock, with its state loaded and written once.

    Raises the first error; to take back the commands that have none, call it in a transaction.
    """
    waiting = [
        PendingCommand(game=game_id, user=actor.user, issued=IssuedCommand(command, actor), now=now)
        for actor, command in commands
    ]
    play([GameWork(game_id, waiting)])
    for each in waiting:
        if each.outcome is None:
            raise each.error or RuntimeError("the command was not reached")


def fire_due(game_id: UUID, now: datetime | None = None) -> int:
    """Fire what is due in one game; how many timers fired. A game that another worker holds is left to it."""
    return fire_due_in([game_id], now)[game_id]


def fire_due_in(games: Sequence[UUID], now: datetime | None = None) -> dict[UUID, int]:
    """Fire what is due in some games, a place in one transaction; how many timers fired in each. As `fire_due`."""
    works = [GameWork(game, now=now) for game in games]
    play(works, wait=False)
    return {work.game: work.fired for work in works}


def turn_back(standing: datetime, now: datetime, waited: timedelta) -> int:
    """Follow the wall clock, which went back: every deadline moves, so that what was left is left; how many games do.

    standing: the pulse of the service's clock, which stands in the future; where another process has renewed it,
    nothing happens. waited: how long it was looked at, which has passed for the games too. In one transaction: the
    games move once, whatever is killed. Of games in places those of the place in force, which has a pulse of its own.
    """
    with transaction.atomic():
        if not Pulse.objects.select_for_update().filter(part=service_clock.CLOCK, at=standing):
            return 0
        games = service_clock.games_ahead_of(now)
        turned = sum(batch.turn_back(game, now - waited - standing, now) for game in games)
        service_clock.renew(service_clock.CLOCK, now)
    return turned
