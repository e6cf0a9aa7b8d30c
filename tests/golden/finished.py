"""Finished logs: whole games as they were logged on the day they were played, stored for ever (promise P8).

`<game>/finished-<name>.jsonl.xz` holds three kinds of lines: a head (game, chain of digests, digest of the last state,
the packs it was played with), the last state, and every row of the log. A log is added, never changed:

    FINISHED=<name> .venv/bin/python -m pytest tests/golden/test_finished.py -n0

plays a game of each ruleset with the kernel and writes those that are not there yet.
"""

import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from games import registry
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.dawn.rules.state.options import DawnOptions
from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.actors.people_commands import SaveMonster
from games.dietower.rules.checks.commands import RequestCheck
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import ActorKind
from games.dietower.rules.table.commands import CloseSession, FinishGame, LeaveSeat, OpenSession, SetStandingAnswer
from games.engine.dice import commitment
from games.engine.game_state import Role, Status, dump
from games.engine.kernel import CLOCK, Actor, Issuer, apply_events, fold
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.lifecycle.seating import AddSeat, GameOpened, HandOver, Join
from games.engine.ruleset import Options
from games.forgeborn.rules.state.options import ForgebornOptions
from games.gods2 import demo, pack
from games.gods2.rules.pack.pack import build
from games.models import Game, LoggedEvent
from games.storage import log
from tests.golden.answers import settle, settle_encounter
from tests.golden.evening import SHEET
from tests.playbook import Playbook

FOLDER = Path(__file__).parent
GAME = UUID(int=0xF1)
HOST, GM = Actor(Issuer.HOST, user=UUID(int=1)), Actor(Issuer.GM, user=UUID(int=2))
COLUMNS = ("seq", "audience", "ordinal", "type", "v", "body", "rules", "rolls", "text", "by")
RENAMED: Mapping[str, Mapping[str, str]] = {"forgeborn": {"standing_words": "advance_answers"}}
"""Tables of a state that bear another name today, by game: the name in an old log -> the name now."""
CORE_RENAMED: Mapping[str, str] = {"table": "info"}
"""The same of the parts that every state has."""
MOVED: Mapping[str, Mapping[str, str]] = {"seats": {"absent": "An absence is a row of its own, for fewer readers."}}
"""Fields of an old table that are stored elsewhere today, with the reason."""
GONE: Mapping[str, str] = {"floor": "No ruleset ever set it; who may act follows from the state (`waiting_for`)."}
"""Parts of an old state that are no more, with the reason."""


@dataclass(frozen=True)
class Finished:
    """A finished game as it is stored."""

    head: dict[str, Any]
    state: dict[str, Any]
    """The last state, as `dump` wrote it then."""
    rows: list[LoggedEvent]

    @property
    def chain(self) -> str:
        """The last digest of the chain, worked out again over every row."""
        digest = ""
        for row in self.rows:
            digest = log.digest_of(row, digest)
        return digest

    def state_from_log(self) -> Any:
        """Today's state of the log: each row read as the service reads it, applied in order."""
        state = registry.ruleset(self.head["ruleset"]).new_state(UUID(self.head["game"]))
        if self.head["packs"]:
            state.use_packs({int(n): build(int(n), raw) for n, raw in self.head["packs"].items()})
        return fold(state, [(log.event_of(self.head["ruleset"], row), row.at) for row in self.rows])


def canonical(value: Any) -> str:
    """JSON with sorted keys; a decimal is its text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def plain_state(state: Any) -> dict[str, Any]:
    """A state as plain JSON values."""
    plain: dict[str, Any] = json.loads(canonical(dump(state)))
    return plain


def digest(value: Any) -> str:
    return sha256(canonical(value).encode()).hexdigest()


def as_then(today: Mapping[str, Any], then: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Today's dump in the shape of an old one: tables and fields that came later are left out, rows never."""
    found: dict[str, Any] = {}
    for name, old in then.items():
        now = today[renamed.get(name, name)]
        if not isinstance(old, dict) or not isinstance(now, dict):
            found[name] = now
        elif all(isinstance(row, dict) for row in (*old.values(), *now.values())):
            found[name] = {key: _without_news(row, old.get(key, row)) for key, row in now.items()}
        else:
            found[name] = _without_news(now, old)
    return found


def without_moved(state: Mapping[str, Any]) -> dict[str, Any]:
    """An old dump without the fields that are stored elsewhere today."""
    return {
        name: {k: {f: v for f, v in row.items() if f not in MOVED[name]} for k, row in rows.items()}
        if name in MOVED
        else rows
        for name, rows in state.items()
        if name not in GONE
    }


def _without_news(now: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in now.items() if field in old}


# --- reading and writing ----------------------------------------------------------------------------------------------


def read(path: Path) -> Finished:
    head, state, *rows = map(json.loads, lzma.decompress(path.read_bytes()).decode().splitlines())
    game = Game(id=UUID(head["game"]), ruleset=head["ruleset"])
    return Finished(head, state, [_row(game, each) for each in rows])


def _row(game: Game, cells: list[Any]) -> LoggedEvent:
    *plain, at, behalf = cells
    fields = dict(zip(COLUMNS, plain, strict=True))
    acted = UUID(behalf) if behalf else None
    return LoggedEvent(game=game, at=datetime.fromisoformat(at), on_behalf_of=acted, **fields)


def write(path: Path, book: Playbook, packs: Mapping[str, Any]) -> None:
    """Keep a finished game. An old log is never written over."""
    game = Game(id=book.state.info.id, ruleset=book.ruleset.slug, seq=0, digest="")
    rows = log.rows_of(game, book.log, {}, "")
    state = plain_state(book.state)
    head = {"ruleset": game.ruleset, "game": str(game.pk), "chain": game.digest, "state": digest(state), "packs": packs}
    cells = ([*(getattr(r, c) for c in COLUMNS), r.at.isoformat(), str(r.on_behalf_of or "")] for r in rows)
    text = "".join(f"{canonical(line)}\n" for line in (head, state, *cells))
    with path.open("xb") as file:
        file.write(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


# --- playing ----------------------------------------------------------------------------------------------------------


def open_game(slug: str, options: Options, seats: Iterable[tuple[str, str]]) -> tuple[Playbook, dict[str, UUID]]:
    """A game that has just been opened, with a seat for each bot: name and policy."""
    ruleset = registry.ruleset(slug)
    book = Playbook(ruleset, ruleset.new_state(GAME))
    opening = GameOpened(
        ruleset=slug,
        name="A finished game",
        chosen=options.model_dump_json(),
        commitment=commitment(b"secret of the tests"),
        is_public=True,
    )
    book.log += apply_events(book.state, [opening], book.context(CLOCK))
    for name, bot in seats:
        book.when(AddSeat(name=name, bot=bot), by=GM)
    return book, {seat.name: seat.id for seat in book.state.seats_of(Role.PLAYER)}


def to_the_end(book: Playbook, step: timedelta, most: int) -> Playbook:
    for _ in range(most):
        if book.state.info.status is Status.FINISHED:
            return book
        book.wait(step)
    raise AssertionError(f"this game of {book.ruleset.slug} does not end")


def gods2() -> Playbook:
    """The sixteen centuries of the demo's Earth, every god a bot."""
    book, seats = open_game("gods2", demo.options(60), [(name, demo.BOT) for name in demo.GODS])
    for who, command in demo.commands(seats, demo.options(60)):
        book.when(command, by=HOST if who == "host" else GM)
    book.when(Start(), by=HOST)
    for _, command in demo.opening(lambda: book.state):
        book.when(command, by=GM)
    return to_the_end(book, timedelta(seconds=60), 30)


def albraxas() -> Playbook:
    """Three rebels against Albraxas over nine phases, decided when Albraxas arrives or falls."""
    chosen = AlbraxasOptions(phases=9, check_from=8)
    book, seats = open_game("albraxas", chosen, [("Storm", "steady"), *((f"Rebel {n}", "random") for n in (1, 2, 3))])
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=seats["Storm"]), by=HOST)
    book.wait(timedelta(seconds=40))
    book.when(EndSetup(), by=HOST)
    return to_the_end(book, timedelta(minutes=10), 100)


def dawn() -> Playbook:
    """Four gods shape a small world through its three Ages, with every option."""
    chosen = DawnOptions(width=7, height=6, open_challenge=True, free_alignment=True)
    book, _ = open_game("dawn", chosen, [(f"God {n}", "plain") for n in (1, 2, 3, 4)])
    book.when(Start(), by=HOST)
    return to_the_end(book, timedelta(minutes=5), 5000)


def dietower() -> Playbook:
    """Two sessions of three people and a world master, a steady tower: checks, an encounter, a seat that is left."""
    book, _ = open_game("dietower", DieTowerOptions(half_width=7, seats=3), [])
    for number, name in enumerate(("Ada", "Brok", "Cara"), start=11):
        book.when(Join(name=name), by=Actor(Issuer.SEAT, user=UUID(int=number)))
    book.when(Start(), by=HOST)
    seats = {seat.name: seat.id for seat in book.state.seats_of(Role.PLAYER)}
    for name, seat in seats.items():
        book.when(SaveSheet(name=name, **SHEET), by=seat)
    book.when(SaveMonster(name="Gnaw", health=3, weakness="salt", weapon="teeth"), by=GM)
    (monster,) = (actor.id for actor in book.state.actors.values() if actor.kind is ActorKind.MONSTER)
    book.when(SetStandingAnswer(kind="window", answer="close_when_empty"), by=seats["Brok"])
    for session in (1, 2):
        book.when(OpenSession(), by=GM)
        for _ in range(6):
            for seat in seats.values():
                book.when(RequestCheck(intent="cross the weir"), by=seat)
                settle(book)
        if session == 1:
            book.when(OpenEncounter(members=(monster,)), by=GM)
            settle_encounter(book)
            book.when(LeaveSeat(), by=seats.pop("Cara"))
        book.when(CloseSession(), by=GM)
    book.when(FinishGame(text="They are across."), by=GM)
    return book


def forgeborn() -> Playbook:
    """Three bots with a game-master who is one too; a seat is handed to nobody for a while, and taken back."""
    chosen = ForgebornOptions(round_limit=40, answer_seconds=60)
    book, seats = open_game("forgeborn", chosen, [("Ada", "steady"), ("Brok", "wild"), ("Cara", "wild")])
    book.when(AddSeat(role=Role.GM, name="Referee", bot="steady"), by=HOST)
    book.when(Start(), by=HOST)
    for bot in ("", "wild"):
        for _ in range(20):
            book.wait(timedelta(minutes=1))
        book.when(HandOver(seat=seats["Cara"], bot=bot, reason="Away."), by=HOST)
    return to_the_end(book, timedelta(minutes=1), 3000)


PLAYED: Mapping[str, Callable[[], Playbook]] = {
    "gods2": gods2, "albraxas": albraxas, "dawn": dawn, "dietower": dietower, "forgeborn": forgeborn,
}  # fmt: skip


def packs_of(book: Playbook) -> dict[str, Any]:
    """The plain data of the pack that a game was played with, where it was played with one."""
    version = book.state.era.pack_version if book.ruleset.slug == "gods2" else 0
    return {str(version): pack.entries(version)[0]} if version else {}
