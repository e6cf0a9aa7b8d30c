"""P8: an upgrade never changes a finished century. Old logs, read by today's code, end in the state they ended in."""

import json
import os
from pathlib import Path

import pytest

from games import registry
from games.engine.kernel import Event
from games.storage import log
from tests.golden.finished import (
    CORE_RENAMED,
    FOLDER,
    PLAYED,
    RENAMED,
    Finished,
    as_then,
    digest,
    packs_of,
    plain_state,
    read,
    without_moved,
    write,
)

LOGS = sorted(FOLDER.glob("*/finished-*.jsonl.xz"))
MOST_BYTES = 300_000


@pytest.fixture(scope="module", params=LOGS, ids=lambda path: f"{path.parent.name}/{path.name.partition('.')[0]}")
def finished_game(request: pytest.FixtureRequest) -> Finished:
    return read(request.param)


@pytest.mark.skipif(not os.environ.get("FINISHED"), reason="adds logs: FINISHED=<name of the new ones>")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", PLAYED)
def test_a_finished_game_is_added(game: str) -> None:
    path = FOLDER / game / f"finished-{os.environ['FINISHED']}.jsonl.xz"
    if not path.exists():
        book = PLAYED[game]()
        write(path, book, packs_of(book))


def test_every_game_has_a_finished_log_below_the_maximum_size() -> None:
    assert {path.parent.name for path in LOGS} == set(PLAYED) == {r.slug for r in registry.rulesets()} - {"toy"}
    assert [path.name for path in LOGS if path.stat().st_size > MOST_BYTES] == []


def test_the_chain_of_digests_is_the_one_that_was_logged(finished_game: Finished) -> None:
    assert finished_game.chain == finished_game.head["chain"]


@pytest.mark.rule("CF-1")
def test_a_finished_log_folds_to_the_state_that_it_ended_in(finished_game: Finished) -> None:
    then = without_moved(finished_game.state)
    today = as_then(
        plain_state(finished_game.state_from_log()), then, CORE_RENAMED | RENAMED.get(finished_game.head["ruleset"], {})
    )
    assert {name for name, rows in then.items() if today[name] != rows} == set()
    assert digest(finished_game.state) == finished_game.head["state"], "the stored state was edited"


def test_every_event_of_a_finished_log_that_is_the_games_own_cites_a_rule(finished_game: Finished) -> None:
    own = {event.__name__ for event in registry.ruleset(finished_game.head["ruleset"]).own.events}
    assert {row.type for row in finished_game.rows if row.type in own and json.loads(row.rules) == []} == set()


def test_an_old_shape_is_read_through_upcast(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of these logs is the service's: a row of another version goes through `upcast`."""
    finished = read(next(path for path in LOGS if path.parent.name == "albraxas"))
    row = next(row for row in finished.rows if row.type == "TurnStarted")
    kind = registry.event_class("albraxas", row.type)
    versions: list[int] = []

    def upcast(v: int, fields: dict) -> dict:
        versions.append(v)
        return fields

    monkeypatch.setattr(kind, "v", row.v + 1)
    monkeypatch.setattr(kind, "upcast", upcast)
    assert isinstance(log.event_of("albraxas", row), Event) and versions == [row.v]


def test_an_existing_log_is_not_overwritten(tmp_path: Path) -> None:
    book = PLAYED["albraxas"]()
    write(tmp_path / "finished-1.jsonl.xz", book, {})
    with pytest.raises(FileExistsError):
        write(tmp_path / "finished-1.jsonl.xz", book, {})
    again = read(tmp_path / "finished-1.jsonl.xz")
    assert again.chain == again.head["chain"]
