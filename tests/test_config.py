"""The house around the code: variables, settings, logs, caches, health, servers, containers.

Long for one reason: each of these is a few tests that share how a process is started with other variables.
"""

import asyncio
import ctypes.util
import importlib
import io
import json
import logging
import os
import re
import shutil
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from config import env, installed, logs
from config.caches.redis import TallyingRedis
from config.composition import Message, compose
from config.databases import databases, place_servers
from config.health import Migrations, ReadyView
from config.secret_key import load_or_make_key
from games.runtime import service_clock
from games.runtime.service_clock import CLOCK, SWEEP, renew
from tests import migrated

ROOT = Path(__file__).resolve().parent.parent
GOOD_KEY = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHECK = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")


# --- variables -------------------------------------------------------------------------------------------------------
def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the service's settings and nothing else in the environment."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment | variables, capture_output=True, text=True, timeout=600)


def printed_default(variable: FieldInfo) -> str:
    """What a variable holds when unset, as one would write it."""
    match variable.default:
        case bool() as is_on:
            return "1" if is_on else "0"
        case list() as words:
            return " ".join(words)
        case value:
            return str(value)


def test_the_handbook_lists_every_variable_as_it_is() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (\w+) \| (.*?) \| (.*) \|$", (ROOT / "docs/operations.md").read_text(), re.M)
    listed = [(name, kind, default.strip("`"), meaning) for name, kind, default, meaning in rows]
    declared = env.VARIABLES.items()
    assert listed == [(name, env.kind(v), printed_default(v) or "empty", v.description) for name, v in declared]


def test_nothing_but_the_declared_variables_is_read_from_the_environment() -> None:
    found = [
        str(path.relative_to(ROOT))
        for package in ("core", "accounts", "worlds", "games", "api", "config")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"os\.(getenv|environ(\[|\.get))", path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "eighty", "PORT is 'eighty'; it must be a whole number from 1 to 65535."),
        ("PORT", "70000", "PORT is '70000'; it must be a whole number from 1 to 65535."),
        ("DEBUG", "maybe", "DEBUG is 'maybe'; it must be 1 or 0."),
        ("SIGN_UP", "never", "SIGN_UP is 'never'; it must be one of open, invitation, closed."),
    ],
)
def test_a_wrong_value_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    assert env.faults() == [sentence]


def test_every_default_is_a_right_value(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in env.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert env.faults() == []


def test_values_may_be_separated_by_spaces_and_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example  c.example,")
    assert env.Environment().ALLOWED_HOSTS == ["a.example", "b.example", "c.example"]


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "HTTPS", "SIGN_UP", "ALLOWED_HOSTS"):
        monkeypatch.setenv(name, "")
    here = env.Environment()
    assert (here.PORT, here.HTTPS, here.SIGN_UP) == (8000, True, "invitation")
    assert here.ALLOWED_HOSTS == ["localhost", "127.0.0.1", "[::1]"]


def test_the_service_does_not_start_on_a_wrong_value(tmp_path: Path) -> None:
    done = run(tmp_path, "-c", "import config.settings", PORT="x", DEBUG="1", SIGN_UP="no")
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "Theogony cannot start:"
    assert len(done.stderr.splitlines()) == 3  # one line each, no traceback


@pytest.mark.parametrize(
    ("places", "url"), [("1", "postgres://127.0.0.1/x"), ("2", "")], ids=["one place", "places in SQLite"]
)
def test_places_that_cannot_be_end_the_process_with_one_sentence(tmp_path: Path, places: str, url: str) -> None:
    done = run(tmp_path, "-c", "import config.settings", DEBUG="1", PLACES=places, DATABASE_URL=url)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2), done.stderr
    assert f"PLACES is {places}; games are spread over 2 to 64 schemas of a PostgreSQL (DATABASE_URL)." in done.stderr


EAST = "east=postgres://us:secret@east:5433/games?sslmode=require"


@pytest.mark.parametrize(
    ("pairs", "places", "says"),
    [
        ([EAST], 0, "PLACE_SERVERS is set and PLACES is 0"),
        ([EAST, EAST], 2, "names a server 'east'"),
        ([EAST.replace("east=", "home=")], 2, "names a server 'home'"),
        ([EAST.replace("east=", 'e"=')], 2, "names a server 'e\"'"),
        (["east"], 2, "has no address of a PostgreSQL for east"),
        (["east=mysql://us:secret@east/games"], 2, "has no address of a PostgreSQL for east"),
    ],
)
def test_servers_of_places_that_cannot_be_are_refused_without_their_passwords(
    pairs: list[str], places: int, says: str
) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        place_servers(pairs, pool=False, places=places)
    assert "secret" not in str(refused.value)


def test_servers_of_places_are_read_from_one_variable_and_connect_as_the_first_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLACE_SERVERS", f"{EAST}; west=postgresql://west/games")
    found = place_servers(env.Environment().PLACE_SERVERS, pool=False, places=2)
    east = found["east"]
    assert [*found] == ["east", "west"] and (east["NAME"], east["USER"], east["HOST"]) == ("games", "us", "east")
    assert east["OPTIONS"]["sslmode"] == "require" and "lock_timeout=10s" in east["OPTIONS"]["options"]
    assert not place_servers([], pool=False, places=0)


def test_without_places_neither_app_nor_engine_nor_router_of_theirs_is_there(tmp_path: Path) -> None:
    shown = ("'core.places' in INSTALLED_APPS", "'DATABASE_ROUTERS' in globals()", "DATABASES['default']['ENGINE']")
    script = f"from config.settings import *; print({', '.join(shown)})"
    found = [
        run(tmp_path, "-c", script, DEBUG="1", DATABASE_URL="postgres://127.0.0.1/x", **more).stdout.split()
        for more in ({}, {"PLACES": "2"})
    ]
    assert found == [["False", "False", "django.db.backends.postgresql"], ["True", "True", "core.places.postgresql"]]


def test_no_library_is_looked_for_that_nothing_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: pytest.fail(f"{name} is looked for"))
    with pytest.raises(ImproperlyConfigured, match="GDAL is not used"):
        importlib.import_module("django.contrib.gis.gdal.libgdal")


def test_without_debug_a_secret_key_is_demanded(tmp_path: Path) -> None:
    done = run(tmp_path, "-c", "import config.settings")
    assert done.returncode == 1
    assert "SECRET_KEY is empty" in done.stderr
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize("key", ["x" * 49, "django-insecure-" + 60 * "x"])
def test_without_debug_a_secret_key_that_can_be_guessed_ends_the_process_with_one_sentence(
    tmp_path: Path, key: str
) -> None:
    done = run(tmp_path, "-c", "import config.settings", SECRET_KEY=key)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2)
    assert "SECRET_KEY has fewer than 50 characters" in done.stderr
    assert key not in done.stderr


def test_the_secret_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    first = load_or_make_key(tmp_path)
    assert len(first) >= 50
    assert load_or_make_key(tmp_path) == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.long
def test_the_production_settings_pass_djangos_own_check(tmp_path: Path) -> None:
    production = {"SECRET_KEY": GOOD_KEY, "ALLOWED_HOSTS": "gods.example"}
    shutil.copyfile(migrated.sqlite_file(), tmp_path / "theogony.sqlite3")  # the check looks for demo users
    done = run(tmp_path, *CHECK, **production)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_pages_have_their_styles_where_nobody_has_collected_files(tmp_path: Path) -> None:
    """As `docs/operations.md` starts it on one machine; the image has collected them."""
    ask = (
        "import django; django.setup(); from django.test import Client; "
        "answer = Client().get('/static/pages/pages.css'); print(answer.status_code, len(b''.join(answer)))"
    )
    served = run(tmp_path, "-c", ask, SECRET_KEY=GOOD_KEY, HTTPS="0", ALLOWED_HOSTS="testserver")
    size = (ROOT / "api/pages/static/pages/pages.css").stat().st_size
    assert served.stdout == f"200 {size}\n", served.stderr[-2000:]
    (tmp_path / "static" / "pages").mkdir()
    ask = "from config import settings; print(settings.WHITENOISE_USE_FINDERS)"
    assert run(tmp_path, "-c", ask, SECRET_KEY=GOOD_KEY).stdout == "False\n"


@pytest.mark.parametrize(
    ("variables", "expected"), [({}, (0, False)), ({"DEBUG": "1"}, (1, False)), ({"DEMO": "1"}, (1, True))]
)
def test_pages_of_this_machine_and_the_next_demo_game_are_for_demo_and_debug(
    tmp_path: Path, variables: dict[str, str], expected: tuple[object, bool]
) -> None:
    text = "len(s.CORS_ALLOWED_ORIGIN_REGEXES), 'keep-demo' in s.CELERY_BEAT_SCHEDULE"
    script = f"from config import settings as s; print({text})"
    done = run(tmp_path, "-c", script, SECRET_KEY=60 * "x", **variables)
    assert done.stdout.split() == [str(expected[0]), str(expected[1])], done.stderr


@pytest.mark.parametrize(
    ("variables", "seconds"),
    [
        ({}, 60),
        ({"DEMO_PREVIEWS": "1"}, 1800),
        ({"DEMO_PREVIEWS": "1", "DEMO_STEP_SECONDS": ""}, 1800),
        ({"DEMO_PREVIEWS": "1", "DEMO_STEP_SECONDS": "60"}, 60),
    ],
)
def test_previews_of_the_demo_event_are_open_long_enough_to_be_read(
    tmp_path: Path, variables: dict[str, str], seconds: int
) -> None:
    script = "from config import settings as s; print(s.DEMO_STEP_SECONDS)"
    done = run(tmp_path, "-c", script, SECRET_KEY=60 * "x", **variables)
    assert done.stdout.split() == [str(seconds)], done.stderr


@pytest.mark.parametrize("command", ["check", "serve", "migrate", "replay", ""])
def test_manage_py_loads_what_a_command_is_for(command: str) -> None:
    expected = {"serve": "supervisor", "migrate": "clock", "replay": "clock"}.get(command, "web")
    assert installed.process_of(["manage.py", command] if command else ["manage.py"]) == expected


@pytest.mark.long
def test_a_migrating_process_loads_the_tables_that_web_loads(tmp_path: Path) -> None:
    models = "sorted(model._meta.label for model in django.apps.apps.get_models())"
    script = f"import django; django.setup(); print(*{models})"
    found = [run(tmp_path, "-c", script, DEBUG="1", THEOGONY_PROCESS=process) for process in ("web", "clock")]
    assert found[0].stdout == found[1].stdout and "admin.LogEntry" in found[0].stdout, found[1].stderr


@pytest.mark.long
@pytest.mark.parametrize("module", ["config.celery", "config.beat"])
def test_what_ticks_and_what_works_talk_through_our_transport(module: str, tmp_path: Path) -> None:
    script = f"from {module} import app; print(app.connection_for_write().get_transport_cls())"
    done = run(tmp_path, "-c", script, DEBUG="1", THEOGONY_PROCESS="clock")
    assert "config.broker.Transport" in done.stdout, done.stderr


# --- database, caches ------------------------------------------------------------------------------------------------
def test_sqlite_takes_its_lock_at_the_beginning(tmp_path: Path) -> None:
    options = databases("", tmp_path, pool=True)["default"]["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "pool" not in options


def test_postgresql_has_persistent_connections_or_a_pool_never_both(tmp_path: Path) -> None:
    url = "postgres://someone@127.0.0.1/theogony"
    assert databases(url, tmp_path, pool=False)["default"]["CONN_MAX_AGE"] == 60
    pooled = databases(url, tmp_path, pool=True)["default"]
    assert (pooled["CONN_MAX_AGE"], pooled["OPTIONS"]["pool"]["max_size"]) == (0, 8)


def test_a_cache_whose_redis_is_away_is_an_empty_cache(caplog: pytest.LogCaptureFixture) -> None:
    cache = TallyingRedis("redis://127.0.0.1:1/0", {"OPTIONS": {"SOCKET_CONNECT_TIMEOUT": 0.2}})
    cache.set("a", 1)
    cache.set_many({"a": 1})
    cache.delete_many(["a"])
    assert cache.get("a", "nothing") == "nothing"
    assert cache.get_many(["a"]) == {}
    assert not any((cache.add("a", 1), cache.delete("a"), cache.has_key("a"), cache.incr("a")))
    assert cache.tally("a", 60) == 1
    records = [r for r in caplog.records if r.name == logs.CACHE_LOGGER]
    assert len(records) == 9 and {(r.levelname, r.getMessage(), r.exc_info) for r in records} == {
        ("WARNING", "cache_away: ConnectionError", None)
    }


# --- logs ------------------------------------------------------------------------------------------------------------
def test_a_log_line_is_json_and_never_holds_a_token() -> None:
    settings = logs.logging_settings("json", "INFO")
    formatter = settings["formatters"]["line"]
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter["()"](formatter["renderer"]))
    log = logging.Logger("test")
    log.addHandler(handler)

    log.info("GET /api/v1/games/stream/?ticket=%s&after=4 Authorization: Bearer %s", "abc-def", "tok.en_1")

    line = json.loads(out.getvalue())
    assert line["event"] == "GET /api/v1/games/stream/?ticket=[hidden]&after=4 Authorization: Bearer [hidden]"
    assert (line["level"], line["logger"]) == ("info", "test")


def test_a_value_under_the_key_of_a_secret_is_hidden() -> None:
    event: dict[str, Any] = {"event": "x", "token": "t", "request": {"Authorization": "a", "path": "/?token=t"}, "n": 3}
    assert logs.hide_secrets(None, "info", event) == {
        "event": "x",
        "token": "[hidden]",
        "request": {"Authorization": "[hidden]", "path": "/?token=[hidden]"},
        "n": 3,
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ticket=abc", "ticket=[hidden]"),
        ("x\tBearer\tabc", "x\tBearer\t[hidden]"),
        ("token\u2003abc", "token\u2003[hidden]"),
        ("PASSWORD=abc", "PASSWORD=[hidden]"),
        ("theo_0123456789abcdef", "theo_[hidden]"),
        ("/join/theoinvite_0123456789abcdef", "/join/theoinvite_[hidden]"),
        ("0b0e7a52-0000-4000-8000-000000000001", "0b0e7a52-0000-4000-8000-000000000001"),
    ],
)
def test_a_secret_is_found_wherever_a_text_may_hold_one(text: str, shown: str) -> None:
    assert logs.redact({"list": [text]}) == {"list": [shown]}


PIECES = (*logs.NAMES, "Bearer", "TOKEN", "x", "=", "=", " ", "\t", "&", ";", "'", "abc", "K")


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=300)
def test_what_is_found_by_a_sign_is_what_a_name_in_front_of_a_value_says(text: str) -> None:
    """Read at every place of the text: a name and `=`, or a word and a space, then a value."""
    names = "|".join(f"{name}=" for name in logs.NAMES)
    plain = re.compile(rf"(?P<name>(?:{names})|\b(?:bearer|token)\s+)(?P<value>{logs.VALUE})", re.IGNORECASE)
    values = [found["value"] for found in plain.finditer(text)]
    shown = logs.redact(text)
    assert shown == plain.sub(r"\g<name>[hidden]", text)
    assert bool(values) == ("[hidden]" in shown)


@pytest.mark.parametrize("value", ["half a character \ud800", 2**70, {1: "a key that is no text"}, {"a set"}])
def test_a_line_is_written_whatever_it_holds(value: Any) -> None:
    line = logs.json_text({"event": "x", "value": value}, default=repr)
    assert json.loads(line)["event"] == "x"


# --- health ----------------------------------------------------------------------------------------------------------
def test_a_live_process_says_so_without_any_query(client: Client) -> None:
    answer = client.get("/livez")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


@pytest.mark.django_db(transaction=True)
def test_a_ready_service_names_what_it_found(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_clock, "SILENT", timedelta(hours=1))
    for part in (CLOCK, SWEEP):
        renew(part, timezone.now())
    answer = client.get("/readyz")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["status"] == "ready"
    assert {"database", "migrations", "cache"} <= set(answer.json()["checks"])


class Missing(Migrations):
    """As on a new version before its migrations."""

    def run(self) -> None:
        """Never ready."""
        raise RuntimeError("not yet")


def test_an_unready_service_asks_to_be_tried_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadyView, "needed", (Missing,))
    monkeypatch.setattr(ReadyView, "wished", ())
    answer = client.get("/readyz")
    assert (answer.status_code, answer["Retry-After"], answer.json()["status"]) == (503, "5", "unready")


def test_without_cache_or_broker_the_service_is_degraded_and_still_serves(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReadyView, "needed", ())
    monkeypatch.setattr(ReadyView, "wished", (Missing,))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")


# --- one application out of many -------------------------------------------------------------------------------------
async def call(app: Any, scope: Message, *messages: Message) -> list[Message]:
    sent: list[Message] = []
    waiting = list(messages)

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await asyncio.wait_for(app(scope, receive, send), 5)
    return sent


def app_named(name: str) -> Any:
    async def app(scope: Message, receive: Any, send: Any) -> None:
        await send({"type": "test", "app": name})

    return app


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("http", "/events/1/stream/", {"type": "test", "app": "stream"}),
        ("websocket", "/events/1/stream/", {"type": "test", "app": "stream"}),
        ("http", "/events/1/stream/more", {"type": "test", "app": "django"}),
        ("http", "/", {"type": "test", "app": "django"}),
        ("websocket", "/", {"type": "websocket.close", "code": 4404}),
    ],
)
async def test_streams_stand_in_front_of_django(kind: str, path: str, expected: Message) -> None:
    app = compose(app_named("django"), {r"/events/\d+/stream/": app_named("stream")})
    assert await call(app, {"type": kind, "path": path}) == [expected]


async def test_start_and_stop_are_answered() -> None:
    app = compose(app_named("django"), {})
    sent = await call(app, {"type": "lifespan"}, {"type": "lifespan.startup"}, {"type": "lifespan.shutdown"})
    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


# --- metrics ---------------------------------------------------------------------------------------------------------
def test_a_port_for_metrics_without_a_folder_to_meet_in_is_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "-c", "import config.settings", DEBUG="1", METRICS_PORT="9100")
    assert done.returncode == 1
    assert "METRICS_PORT is set without PROMETHEUS_MULTIPROC_DIR" in done.stderr
