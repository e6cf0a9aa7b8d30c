"""From a line of the log to the events and back: each command and each timer says which rows it wrote."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from games import services
from games.engine.bots import PlayBot
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import Pause
from games.models import LoggedEvent, Receipt
from games.runtime import command_log, metrics
from games.workers import tasks, watchdog
from tests.api.worlds import client, toy_game
from tests.games.cairns import Cairns, table
from tests.operations.lines import Lines, reading
from tests.toy.rules.commands import AddStones, RollStones

pytestmark = pytest.mark.django_db
COMMON = {"event", "level", "logger", "timestamp", "game", "ruleset", "command", "outcome", "role", "ms"}
DONE = COMMON | {"command_id", "first_seq", "last_seq"}


@pytest.fixture
def lines() -> Iterator[Lines]:
    with reading() as found:
        yield found


@pytest.fixture
def cairns() -> Cairns:
    return table()


def rows(line: dict) -> list[LoggedEvent]:
    """The rows of the log that a line names, looked up as the handbook says."""
    game, first = line["command_id"].split(":")
    assert (game, int(first)) == (line["game"], line["first_seq"])
    return list(LoggedEvent.objects.filter(game=game, seq__gte=first, seq__lte=line["last_seq"]).order_by("seq"))


def test_a_command_is_one_line_that_names_its_events(cairns: Cairns, lines: Lines) -> None:
    cairns.run(AddStones(stones=2), cairns.ann)
    cairns.run(RollStones(), cairns.bob)

    one, other = lines.of("command")
    assert set(one) == DONE  # and nothing else: no argument, no person
    assert (one["command"], one["outcome"], one["role"], one["level"]) == ("add-stones", "done", "seat", "info")
    assert one["ms"] > 0
    assert [row.type for row in rows(one)] == ["StonesAdded"]
    assert {row.cause for row in rows(other)} == {"roll-stones"}
    # Back again: each row lies within exactly one line.
    for row in rows(one) + rows(other):
        holding = [line for line in lines.of("command") if line["first_seq"] <= row.seq <= line["last_seq"]]
        assert [line["command"] for line in holding] == [row.cause]


def test_the_id_of_a_request_leads_to_the_events_and_back() -> None:
    toy = toy_game()
    with reading() as lines:
        answer = client(toy.ann).post(
            toy.path("commands/add-stones/"), json.dumps({"stones": 2}), content_type="application/json",
            headers={"X-Request-Id": "asked-by-an-operator", "Idempotency-Key": "stones-of-ann"},
        )  # fmt: skip
    assert answer.status_code == 201, answer.content
    (line,) = lines.of("command")
    assert line["request_id"] == answer["X-Request-Id"] == "asked-by-an-operator"
    assert [row.type for row in rows(line)] == ["StonesAdded"]
    receipt = Receipt.objects.get(game=toy.game, key="stones-of-ann")
    assert (receipt.first_seq, receipt.last_seq) == (line["first_seq"], line["last_seq"])
    assert line["key_sha256"] == command_log.hash_of(receipt.key)
    assert "stones-of-ann" not in json.dumps(lines.all())


def test_a_command_that_comes_again_names_the_events_of_the_first(cairns: Cairns, lines: Lines) -> None:
    for _ in range(2):
        cairns.run(AddStones(stones=2), cairns.ann, key="again")
    first, again = lines.of("command")
    assert (first["outcome"], again["outcome"]) == ("done", "replayed")
    assert first["command_id"] == again["command_id"]
    assert first["key_sha256"] == again["key_sha256"]


def test_a_refusal_is_logged_with_its_code_and_without_events(cairns: Cairns, lines: Lines) -> None:
    with pytest.raises(Refused):
        cairns.run(Pause(reason="because"), cairns.ann)
    (line,) = lines.of("command")
    assert set(line) == COMMON | {"code"}
    assert (line["command"], line["outcome"], line["code"]) == ("pause", "refused", "issuer.other")
    assert "because" not in json.dumps(lines.all())


def test_a_dry_run_names_no_events(cairns: Cairns, lines: Lines) -> None:
    cairns.run(AddStones(stones=2), cairns.ann, dry_run=True)
    (line,) = lines.of("command")
    assert (set(line), line["outcome"]) == (COMMON, "dry_run")


def test_a_command_that_breaks_is_logged_before_the_exception_is_raised(
    cairns: Cairns, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: AddStones, state: object, ctx: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(AddStones, "decide", fail)
    with pytest.raises(ZeroDivisionError):
        cairns.run(AddStones(stones=2), cairns.ann)
    (line,) = lines.of("command")
    assert (line["outcome"], line["code"]) == ("failed", "ZeroDivisionError")


def test_a_command_whose_line_cannot_be_written_is_done_all_the_same(
    cairns: Cairns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command_log.log, "info", full)
    cairns.run(AddStones(stones=2), cairns.ann)
    assert cairns.types()[-1] == "StonesAdded"


@pytest.mark.django_db(transaction=True)
def test_a_timer_is_a_line_with_its_lag_and_the_ids_of_sweep_and_task(lines: Lines) -> None:
    cairns = table('{"tide_seconds": 10}')  # begun months ago: its tide is long due
    seq = cairns.fresh().seq
    tasks.sweep.delay()
    line = lines.of("timer")[0]
    assert (line["game"], line["ruleset"], line["timer"], line["does"]) == (
        str(cairns.game.pk),
        "toy",
        "tide",
        "bring-tide",
    )
    assert line["first_seq"] > seq
    assert {row.cause.split("#")[0] for row in rows(line)} == {"tide"}
    assert isinstance(line["lag_ms"], float)
    assert re.fullmatch(r"[0-9a-f-]{36}", line["task_id"])
    assert re.fullmatch(r"[0-9a-f-]{36}", line["sweep_id"])
    assert line["sweep_id"] != line["task_id"]  # the sweep found the game, a task of its own fired the timer


def test_a_turn_of_a_bot_is_logged_at_debug(
    cairns: Cairns, lines: Lines, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    logging.getLogger("games.runtime.command_log").setLevel(logging.DEBUG)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            for does in ("bring-tide", PlayBot.slug()):
                command_log.log_timer(cairns.game, "key", does, timezone.now(), 1)
    finally:
        logging.getLogger("games.runtime.command_log").setLevel(logging.NOTSET)
    assert [(line["does"], line["level"]) for line in lines.of("timer")] == [
        ("bring-tide", "info"), ("play-bot", "debug"),
    ]  # fmt: skip


def test_what_piled_up_while_nothing_ran_is_no_warning(monkeypatch: pytest.MonkeyPatch, lines: Lines) -> None:
    begin = timezone.now()
    monkeypatch.setattr(watchdog.due_timers, "games_with_due_timers", lambda now: [uuid4()])
    monkeypatch.setattr(watchdog.services, "fire_due", lambda game: 1)
    watchdog.sweep_what_is_late(begin, watchdog.level_after(watchdog.START_SECONDS - 1))
    watchdog.sweep_what_is_late(begin, watchdog.level_after(watchdog.START_SECONDS))
    assert [line["level"] for line in lines.of("watchdog_swept")] == ["info", "warning"]


@pytest.mark.django_db(transaction=True)
def test_what_the_watchdog_fires_says_so(lines: Lines) -> None:
    table('{"tide_seconds": 10}')
    watchdog.sweep_what_is_late(timezone.now())
    assert {line["sweep_id"].split("-")[0] for line in lines.of("timer")} == {"watchdog"}
    assert len({line["sweep_id"] for line in [*lines.of("timer"), *lines.of("watchdog_swept")]}) == 1


@pytest.mark.django_db(transaction=True)
def test_a_timer_whose_transaction_is_rolled_back_is_not_logged(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    cairns = table('{"tide_seconds": 10}')

    def fail(*_: object) -> None:
        raise OSError("gone before the commit")

    monkeypatch.setattr("games.runtime.batch.cache_on_commit", fail)
    with pytest.raises(OSError):
        services.fire_due(cairns.game.pk, timezone.now())
    assert lines.of("timer") == []


def test_our_lines_are_logged_where_a_server_sets_the_level_of_all_others(cairns: Cairns, lines: Lines) -> None:
    root = logging.getLogger()
    former = root.level
    root.setLevel(logging.WARNING)  # what `celery worker --loglevel warning` does
    try:
        cairns.run(AddStones(stones=2), cairns.ann)
    finally:
        root.setLevel(former)
    assert len(lines.of("command")) == 1


def test_labels_are_names_out_of_a_list(cairns: Cairns) -> None:
    class Unheard(AddStones):
        """A command that no ruleset lists."""

    assert metrics.name_of("toy", AddStones(stones=1)) == "add-stones"
    assert metrics.name_of("toy", Unheard(stones=1)) == "other"
    assert metrics.name_of("unheard", AddStones(stones=1)) == "other"
    assert metrics.label_of("unheard") == "other"
