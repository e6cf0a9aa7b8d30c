"""An evening of the Die Tower through the service: what its dice cost beside a plain command, and a read afterwards.

A job of `bench/within.py`: twelve characters, and checks until the log is long; those who are asked answer.
"""

import statistics
import time
from collections import defaultdict
from typing import Any
from uuid import UUID

from accounts.models import User
from games import services
from games.dietower.models import Actor as ActorRow
from games.dietower.models import Check, Consequence, Miracle, Placement, Roll
from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck, WithdrawCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import CheckStatus, Harm, MiracleKind
from games.dietower.rules.table.commands import OpenSession
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie, WriteConsequence
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat
from games.models import Game, Seat
from games.reads import selectors
from worlds.visibility import Visibility

ASKED = "request-check with its ruling"
"""A command that asks a question and knows no tower: it opens a check and a roll."""
SEATS, CHARACTERS = 6, 2
EVENTS = 2_000
READS = 15
WHOLE = {
    "weapon": "knife",
    "power": "crows",
    "power_drawback": "they talk",
    "deviation": "feathers",
    "mystery": "whose?",
}


class Evening:
    """A game that is played by itself; it keeps the time of each of its commands."""

    def __init__(self) -> None:
        self.user = User.objects.create_user("bench-world-master", password=None)
        options = DieTowerOptions(seats=SEATS, characters=CHARACTERS, half_width=8)
        self.game = services.open_game("dietower", "Bench", user=self.user.pk, options=options.model_dump_json())
        self.times: dict[str, list[float]] = defaultdict(list)
        roles = {role: Seat.objects.get(game=self.game, role=role).pk for role in ("host", "gm")}
        self.host = Actor(Issuer.HOST, self.user.pk, roles["host"])
        self.master = Actor(Issuer.GM, self.user.pk, roles["gm"])
        for number in range(SEATS):
            self.run(AddSeat(name=f"Seat {number}"), self.host)
        self.run(Start(), self.host)
        for seat in Seat.objects.filter(game=self.game, role="player"):
            for number in range(CHARACTERS):
                self.run(SaveSheet(name=f"{seat.name} {number}", **WHOLE), self.of(seat.pk))
        self.run(OpenSession(), self.master)

    def of(self, seat: UUID | None) -> Actor:
        """The world master in place of a seat."""
        return Actor(Issuer.GM, self.user.pk, self.master.seat, on_behalf_of=seat)

    def run(self, command: Command, actor: Actor, name: str = "") -> None:
        """One command, and how long it took. name: under which it is counted, if not its own."""
        begun = time.perf_counter()
        services.run(self.game.pk, command, actor=actor)
        self.times[name or command.slug()].append((time.perf_counter() - begun) * 1000)

    def play(self, events: int) -> None:
        """Checks of one character after the other until the log has so many events."""
        people = list(ActorRow.objects.filter(game=self.game, kind="pc").values_list("pk", "seat"))
        for round_ in range(events):
            actor, seat = people[round_ % len(people)]
            ruling = Ruling(cd=Cd.EPIC, good=False)
            self.run(RequestCheck(actor=actor, intent="Climb", ruling=ruling), self.master, ASKED)
            self.run(CloseRoll(roll=Roll.objects.get(game=self.game, closed=False).pk), self.of(seat))
            for due in Placement.objects.filter(game=self.game, status="due").values_list("pk", flat=True):
                if Placement.objects.filter(pk=due, status="due").exists():
                    self.run(PlaceDie(placement=due), self.of(seat))
                    self.settle(seat)
            self.run(RequestCheck(actor=actor, intent="Think twice"), self.of(seat))
            asked = Check.objects.get(game=self.game, status=CheckStatus.ASKED.value)
            self.run(WithdrawCheck(check=asked.pk), self.of(seat))
            if Game.objects.values_list("seq", flat=True).get(pk=self.game.pk) >= events:
                return

    def settle(self, seat: UUID | None) -> None:
        """What a fall or a miracle asks for."""
        for each in Consequence.objects.filter(game=self.game, written=False).values_list("pk", flat=True):
            self.run(WriteConsequence(consequence=each, kind=Harm.LOSS, text="The rope."), self.master)
        for miracle in Miracle.objects.filter(game=self.game, kind=None):
            Seat.objects.filter(pk=seat).update(user=None)
            choice = ChooseMiracle(miracle=miracle.pk, kind=MiracleKind.EXTRA_DIE, target=miracle.actor_id)
            self.run(choice, self.master)


def evening() -> dict[str, Any]:
    """Medians in milliseconds: commands by name, and reads of the state at the end."""
    played = Evening()
    played.play(EVENTS)
    game = Game.objects.get(pk=played.game.pk)
    medians = {name: statistics.median(times) for name, times in played.times.items()}
    beside = Game.objects.filter(ruleset="gods2").order_by("pk")[0]
    return medians | {"state": read_ms(game), "state of The Gods II": read_ms(beside), "events": game.seq}


def read_ms(game: Game) -> float:
    """The median time in which a stranger reads the state of a game."""
    times = []
    for _ in range(READS):
        begun = time.perf_counter()
        selectors.state_for(game, Visibility.nobody())
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)
