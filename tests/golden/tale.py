"""What every golden game shares: a game with known ids and secrets, played through the services, and its telling.

`proven` shows that rows equal the folded log, the chain of digests is whole and every die comes out. `told_as` compares
what happened with the story's committed telling (`GOLDEN=write` writes it anew): a rule that changes changes that file,
and the change can be read.
"""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management import call_command

from accounts.models import User
from core.ids import in_slot_of
from games import registry, services
from games.engine.game_state import dump
from games.engine.kernel import Actor, Command, Event, Issuer
from games.engine.lifecycle.seating import Join
from games.models import Game, LoggedEvent, Prompt, Seat, Timer
from games.storage import log
from tests.dice import bind_dice_to_slotless_ids
from tests.golden.turns import disagreements

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ROOT_OF_DICE = UUID(int=0x601D)
GAME = in_slot_of(UUID("5c0" + 29 * "0"), ROOT_OF_DICE)
SECRET = b"golden games, known to everybody"
FOLDER = Path(__file__).parent


class Tale:
    """One game, played step by step, with a host and a game-master. Times are minutes after noon."""

    def __init__(self, monkeypatch: Any, ruleset: str, options: str = "{}", *, dice: bytes = SECRET) -> None:
        self.ruleset = ruleset
        bind_dice_to_slotless_ids(monkeypatch, {str(GAME): str(ROOT_OF_DICE)})
        self.users: dict[str, UUID] = {}
        host = self._user("host")
        secrets = iter((dice, SECRET, SECRET, SECRET))
        with monkeypatch.context() as known:  # the same game, with the same ids, in every run
            known.setattr(services, "uuid4", lambda: GAME)
            known.setattr(services.os, "urandom", lambda count: next(secrets)[:count])
            self.game = services.open_game(ruleset, "A golden game", user=host, options=options, now=NOON)
        self.now = NOON
        self.seats: dict[str, UUID] = {}
        self.host, self.gm = (self._actor(host, role) for role in (Issuer.HOST, Issuer.GM))

    def _user(self, name: str) -> UUID:
        user = User.objects.create(id=UUID(int=len(self.users) + 1), username=f"golden-{name}")
        self.users[name] = user.pk
        return user.pk

    def _actor(self, user: UUID, role: Issuer) -> Actor:
        return Actor(role, user, Seat.objects.get(game=self.game, user=user, role=role.value).pk)

    def join(self, name: str) -> UUID:
        """A user takes a player's seat."""
        user = self._user(name)
        self._run(Join(name=name), Actor(Issuer.SEAT, user))
        self.seats[name] = Seat.objects.get(game=self.game, user=user).pk
        return self.seats[name]

    # --- during the game -------------------------------------------------------------------------------------------

    def _run(self, command: Command, actor: Actor) -> list[Event]:
        seq = Game.objects.values_list("seq", flat=True).get(pk=self.game.pk)
        services.run(self.game.pk, command, actor=actor, now=self.now)
        return self.events(after=seq)

    def by_gm(self, command: Command) -> list[Event]:
        """The game-master, or the host of the set-up, says so; what followed."""
        actor = self.gm if Issuer.GM in command.issuers else self.host
        return self._run(command, actor)

    def by(self, name: str, command: Command) -> list[Event]:
        """A user issues a command; the events that followed."""
        return self._run(command, Actor(Issuer.SEAT, self.users[name], self.seats[name]))

    def wait(self, minutes: float) -> list[Event]:
        """Let time pass: every timer fires at its own time; what followed."""
        seq, until = self.fresh().seq, self.now + timedelta(minutes=minutes)
        while timer := Timer.objects.filter(game=self.game, due__lte=until).order_by("due").first():
            if self.fresh().paused_at is not None:
                break
            self.now = max(self.now, timer.due)
            services.fire_due(self.game.pk, now=self.now)
        self.now = until
        return self.events(after=seq)

    def until(self, minute: float) -> list[Event]:
        """Let time pass until so many minutes after noon."""
        return self.wait((NOON - self.now) / timedelta(minutes=1) + minute)

    # --- what is there ---------------------------------------------------------------------------------------------

    def fresh(self) -> Game:
        """The game's row."""
        return Game.objects.get(pk=self.game.pk)

    @property
    def state(self) -> Any:
        """The state of the rows."""
        return registry.store(self.ruleset).load(self.fresh())

    def events(self, after: int = 0) -> list[Event]:
        """The events behind a place of the log."""
        rows = LoggedEvent.objects.filter(game=self.game, seq__gt=after).order_by("seq")
        return [log.event_of(self.ruleset, row) for row in rows]

    def prompt_of(self, kind: str) -> UUID:
        """The one open question of a kind."""
        return Prompt.objects.get(game=self.game, kind=kind).pk

    # --- at the end ------------------------------------------------------------------------------------------------

    def proven(self) -> None:
        """Rows equal the folded log, the chain is whole, every die comes out, and who is waited for is who may act."""
        game = self.fresh()
        rows, found = dump(self.state), dump(log.fold(game))
        assert {name for name in rows if rows[name] != found[name]} == set()
        call_command("replay", str(game.pk), verbosity=0)
        call_command("verify_dice", str(game.pk), verbosity=0)
        assert "\n".join(disagreements(game)) == ""

    def assert_transcript(self, name: str) -> None:
        """What happened is what the committed telling says, to the last digest."""
        self.proven()
        path, transcript = FOLDER / self.ruleset / f"{name}.txt", self.transcript()
        if os.environ.get("GOLDEN") == "write":
            path.write_text(transcript, encoding="utf-8")
        assert transcript == path.read_text(encoding="utf-8")

    def transcript(self) -> str:
        """The whole log, a line for each event: when, who may read it, what happened."""
        names = {str(seat): name for name, seat in self.seats.items()}
        rows = LoggedEvent.objects.filter(game=self.game).order_by("seq")
        lines = [
            f"{row.at - NOON!s:>8}  {in_names(row.audience, names):<18}{row.type:<24}{sentence_of(row, names)}".rstrip()
            for row in rows
        ]
        return "\n".join([*lines, f"digest {self.fresh().digest}", ""])


def sentence_of(row: LoggedEvent, names: Mapping[str, str]) -> str:
    """What an event says, with its dice."""
    dice = "".join(f" [d{roll['sides']}: {roll['value']}]" for roll in json.loads(row.rolls))
    return f"{in_names(row.text, names)}{dice}"


def in_names(text: str, names: Mapping[str, str]) -> str:
    """A text with the names of the seats in place of their ids."""
    for seat, name in names.items():
        text = text.replace(seat, name)
    return text.replace("\n", " ")
