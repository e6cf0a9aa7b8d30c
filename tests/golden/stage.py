"""The stage of the golden games of The Gods II: a table whose dice are entered by hand, played through the services.

A story names gods, races and squares as the rulebook does; each of its numbers is worked out by hand. `proven` shows
that rows equal the folded log, the chain of digests is whole, every invariant holds and every die comes out.
`told_as` compares what happened with the story's committed telling (`GOLDEN=write` writes it anew): a rule that
changes changes that file, and the change can be read.
"""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management import call_command

from accounts.models import User
from games import log, registry, services
from games.engine.conduct import Start
from games.engine.handdice import KIND as DICE
from games.engine.handdice import EnterDie
from games.engine.kernel import Actor, Command, Event, Issuer
from games.engine.seating import Join
from games.engine.table import dump
from games.gods2.rules.calculation import ApproveWorksheet
from games.gods2.rules.castpower import CastPower
from games.gods2.rules.century import OpenSession
from games.gods2.rules.fields import CardOf, CityAt, Held, PartOf, Place, ShareOf
from games.gods2.rules.invariants import violations
from games.gods2.rules.options import Gods2Options
from games.gods2.rules.setup import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.targets import Target
from games.models import Game, LoggedEvent, Prompt, Seat, Timer

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GAME = UUID(int=0x601D)
TELLINGS = Path(__file__).parent / "gods2"


class Story:
    """One game of The Gods II, told step by step. Times are minutes of the century after noon."""

    def __init__(self, monkeypatch: Any, **options: Any) -> None:
        self.options = Gods2Options(dice_by_hand=True, plan=(16,), **options)
        self.users: dict[str, UUID] = {}
        host = self._user("host")
        with monkeypatch.context() as known:  # the same game, with the same ids, every time it is told
            known.setattr(services, "uuid4", lambda: GAME)
            known.setattr(services.os, "urandom", lambda count: b"golden games, known to everybody"[:count])
            self.game = services.open_game("gods2", "A golden game", user=host, options="{}", now=NOON)
        self.now = NOON
        self.seats: dict[str, UUID] = {}
        self.races: dict[str, UUID] = {}
        self.host, self.gm = (self._seated(host, role) for role in (Issuer.HOST, Issuer.GM))

    def _user(self, name: str) -> UUID:
        user = User.objects.create(id=UUID(int=len(self.users) + 1), username=f"golden-{name}")
        self.users[name] = user.pk
        return user.pk

    def _seated(self, user: UUID, role: Issuer) -> Actor:
        return Actor(role, user, Seat.objects.get(game=self.game, user=user, role=role.value).pk)

    # --- before the game -------------------------------------------------------------------------------------------

    def earth(self, *rows: str) -> None:
        """The map, a letter for each square."""
        self.by_gm(ConfigureGame(options=self.options))
        self.by_gm(SetMap(width=len(rows[0]), height=len(rows), rows=rows))

    def god(self, name: str, mana: int = 20, kind: str = "god", **cards: int) -> None:
        """A god with a person behind him, his mana and his cards by sphere."""
        user = self._user(name)
        self._run(Join(name=name), Actor(Issuer.SEAT, user))
        self.seats[name] = Seat.objects.get(game=self.game, user=user).pk
        held = tuple(CardOf(sphere=sphere, count=count) for sphere, count in cards.items())
        self.by_gm(DefineGod(seat=self.seats[name], name=name, kind=kind, cards=held, amount=mana))

    def race(
        self,
        name: str,
        units: Mapping[int | tuple[int, int], int],
        *,
        worships: Mapping[str, int] | None = None,
        attributes: Sequence[str] = (),
        knows: Sequence[str] = (),
        cities: Mapping[int, str] | None = None,
    ) -> None:
        """A race: units by column (of row 0) or (row, column), its pantheon in percent, its cities by column."""
        held = tuple(Held(square=spot(at), units=n) for at, n in units.items())
        built = tuple(CityAt(square=spot(at), kind=kind) for at, kind in (cities or {}).items())
        defined = self.by_gm(
            DefineRace(
                name=name,
                attributes=tuple(attributes),
                knowledges=tuple(knows),
                placed=held,
                cities=built,
                pantheon=self.pantheon(**(worships or {})),
            )
        )
        self.races[name] = defined[0].race

    def pantheon(self, **percent: float) -> tuple[ShareOf, ...]:
        """Shares in percent, by the god's name or the special member."""
        return tuple(
            ShareOf(member=str(self.seats.get(member, member)), share=round(share * 100))
            for member, share in percent.items()
        )

    def begins(self, *dice: tuple[str, int]) -> list[Event]:
        """Start and open the first session; these are the dice of the first century's beginning."""
        self.by_gm(Start())
        begun = self.by_gm(OpenSession())
        return [*begun, *self.dice(*dice)]

    # --- during the game -------------------------------------------------------------------------------------------

    def _run(self, command: Command, actor: Actor) -> list[Event]:
        seen = Game.objects.values_list("seq", flat=True).get(pk=self.game.pk)
        services.run(self.game.pk, command, actor=actor, now=self.now)
        return self.events(after=seen)

    def by_gm(self, command: Command) -> list[Event]:
        """The game-master, or the host of the set-up, says so; what followed."""
        actor = self.gm if Issuer.GM in command.issuers else self.host
        return self._run(command, actor)

    def by(self, god: str, command: Command) -> list[Event]:
        """A god does something; what followed."""
        return self._run(command, Actor(Issuer.SEAT, self.users[god], self.seats[god]))

    def cast(self, god: str, power: str, *targets: Target, parts: Mapping[str, int] | None = None) -> list[Event]:
        """A god casts a power, alone or with others who pay their parts."""
        paid = tuple(PartOf(seat=self.seats[name], amount=amount) for name, amount in (parts or {}).items())
        split = "given" if paid else "equal"
        return self.by(god, CastPower(power=power, targets=targets, parts=paid, split=split))

    def dice(self, *dice: tuple[str, int]) -> list[Event]:
        """The GM enters the dice of the real table, each `d6 for` the rule that asks for it; what followed."""
        events: list[Event] = []
        for wanted, value in dice:
            asked = Prompt.objects.filter(game=self.game, kind=DICE).order_by("opened_at").first()
            assert asked is not None, f"no die is asked, not even {wanted}"
            die, rule = wanted.split(" ")
            assert asked.question.startswith(f"Roll a {die} at the table for {rule} "), (
                f"{asked.question}, not {wanted}"
            )
            events += self.by_gm(EnterDie(prompt=asked.pk, value=value))
        return events

    def wait(self, minutes: float) -> list[Event]:
        """Let time pass: every timer fires at its own time; what followed."""
        seen, until = self.fresh().seq, self.now + timedelta(minutes=minutes)
        while timer := Timer.objects.filter(game=self.game, due__lte=until).order_by("due").first():
            if self.fresh().paused_at is not None:
                break
            self.now = max(self.now, timer.due)
            services.fire_due(self.game.pk, now=self.now)
        self.now = until
        return self.events(after=seen)

    def until(self, minute: float) -> list[Event]:
        """Let time pass until so many minutes after noon."""
        return self.wait((NOON - self.now) / timedelta(minutes=1) + minute)

    def reckoned(self, minute: float) -> list[Event]:
        """Let time pass until the Activity Phase has ended, and approve the worksheet: mana is paid; what followed."""
        return [*self.until(minute), *self.by_gm(ApproveWorksheet())]

    # --- what is there ---------------------------------------------------------------------------------------------

    def fresh(self) -> Game:
        """The game's row."""
        return Game.objects.get(pk=self.game.pk)

    @property
    def state(self) -> Any:
        """The state of the rows."""
        return registry.store("gods2").load(self.fresh())

    def events(self, after: int = 0) -> list[Event]:
        """The events behind a place of the log."""
        rows = LoggedEvent.objects.filter(game=self.game, seq__gt=after).order_by("seq")
        return [log.event_of("gods2", row) for row in rows]

    def units(self, race: str) -> dict[int, int]:
        """The units of a race by column; its squares lie in row 0."""
        board = self.state.board
        return {
            column: int(board.units[0, column])
            for column in range(board.width)
            if board.people_at(spot(column).square) == self.races[race]
        }

    def shares(self, race: str) -> dict[str, float]:
        """The pantheon of a race in percent, by name."""
        names = {str(seat): name for name, seat in self.seats.items()}
        pantheon = self.state.pantheon(self.races[race])
        return {names.get(str(member), str(member)): share / 100 for member, share in pantheon.items()}

    def mana(self) -> dict[str, int]:
        """What every god has."""
        purses = self.state.purses
        return {name: purses[seat].balance for name, seat in self.seats.items() if seat in purses}

    def asked(self, kind: str) -> UUID:
        """The one open question of a kind."""
        return Prompt.objects.get(game=self.game, kind=kind).pk

    # --- at the end ------------------------------------------------------------------------------------------------

    def proven(self) -> None:
        """Rows equal the folded log, the chain is whole, the invariants hold, every die comes out."""
        game = self.fresh()
        rows, told = dump(self.state), dump(log.folded(game))
        assert {name for name in rows if rows[name] != told[name]} == set()
        assert violations(self.state) == []
        call_command("replay", str(game.pk), verbosity=0)
        call_command("verify_dice", str(game.pk), verbosity=0)

    def told_as(self, name: str) -> None:
        """What happened is what the committed telling says, to the last digest."""
        self.proven()
        path, telling = TELLINGS / f"{name}.txt", self.telling()
        if os.environ.get("GOLDEN") == "write":
            path.write_text(telling, encoding="utf-8")
        assert telling == path.read_text(encoding="utf-8")

    def telling(self) -> str:
        """The whole log, a line for each event: when, who may read it, what happened."""
        names = {str(seat): name for name, seat in self.seats.items()}
        rows = LoggedEvent.objects.filter(game=self.game).order_by("seq")
        lines = [
            f"{row.at - NOON!s:>8}  {named(row.audience, names):<18}{row.type:<24}{told(row, names)}".rstrip()
            for row in rows
        ]
        return "\n".join([*lines, f"digest {self.fresh().digest}", ""])


def told(row: LoggedEvent, names: Mapping[str, str]) -> str:
    """What an event says, with its dice."""
    dice = "".join(f" [d{roll['sides']}: {roll['value']}]" for roll in json.loads(row.rolls))
    return f"{named(row.text, names)}{dice}"


def named(text: str, names: Mapping[str, str]) -> str:
    """A text with the names of the seats in place of their ids."""
    for seat, name in names.items():
        text = text.replace(seat, name)
    return text.replace("\n", " ")


def spot(at: int | tuple[int, int]) -> Place:
    """A square by its column in row 0, or by (row, column)."""
    row, column = (0, at) if isinstance(at, int) else at
    return Place(x=column, y=row)


def at(*squares: int | tuple[int, int]) -> Target:
    """Squares as a power's target."""
    return Target(squares=tuple(spot(square) for square in squares))
