"""The whole Python client, made from the documents as they are, against the service: requests, refusals, the stream."""

import asyncio
import importlib
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import httpx
import pytest
import uvicorn
from django.utils import timezone

from api.streams import handshake, hub, sse
from clients.build import DOCUMENTS
from clients.python.generate import Module, Unknown
from core.ids import derived_id
from games.models import Notification
from tests.api.gods2 import Earth, earth
from tests.api.worlds import bearer, user
from tests.clients.assembled import importable
from tests.pages import ROOT, blocks
from tests.test_serve import free_port, until


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The assembled package, to be imported as `theogony`."""
    with importable(tmp_path_factory.mktemp("clients") / "python") as folder:
        yield folder


@pytest.fixture
def gods2(package: Path) -> ModuleType:
    return importlib.import_module("theogony.gods2")


@pytest.fixture
def streaming_port() -> Iterator[int]:
    """The server of streams, beside the one of requests."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(sse.events, port=port, lifespan="off", log_config=None))

    async def serve() -> None:
        await server.serve()
        await hub.hub().close()

    handshake.PLACES.taken.clear()
    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    until(lambda: server.started, 20)
    yield port
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()


class Wire(httpx.BaseTransport):
    """As a proxy: streams go to their server. The first one breaks off behind its first event."""

    def __init__(self, port: int) -> None:
        self.below, self.port, self.streams = httpx.HTTPTransport(), port, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/stream/"):
            return self.below.handle_request(request)
        self.streams += 1
        request.url = request.url.copy_with(port=self.port, host="127.0.0.1")
        answer = self.below.handle_request(request)
        if self.streams == 1:
            answer.stream = Cut(answer.stream)
        return answer

    def close(self) -> None:
        self.below.close()


class Cut(httpx.SyncByteStream):
    """A body that breaks off once an event has come."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.whole:
            yield piece
            if b"event:" in piece:
                raise httpx.ReadError("cut")

    def close(self) -> None:
        self.whole.close()


@pytest.mark.parametrize("slug", [document.stem for document in DOCUMENTS])
def test_every_ruleset_is_one_import(package, slug):
    module = importlib.import_module(f"theogony.{slug}")
    assert {"Game", "GameDetail", "Refusal", "Stream", "Theogony"} <= set(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    awaited = importlib.import_module(f"theogony.aio.{slug}")
    assert awaited.__all__ == module.__all__ and awaited.GameDetail is module.GameDetail
    for kind in ("Game", "Theogony"):
        assert arguments(getattr(awaited, kind)) == arguments(getattr(module, kind))


def arguments(client: type) -> dict[str, list[str]]:
    """The methods that people call, each with its arguments."""
    called = [each for each in inspect.getmembers(client, inspect.isfunction) if not each[0].startswith("__")]
    return {name: list(map(str, inspect.signature(method).parameters.values())) for name, method in called}


def test_a_switch_of_a_query_is_a_boolean(gods2):
    assert inspect.signature(gods2.Theogony.games).parameters["demo"].annotation == "bool | None"


def test_a_construct_that_is_not_known_is_refused_by_name():
    with pytest.raises(Unknown, match="Strange"):
        Module({"components": {"schemas": {"Strange": {"not": {"type": "string"}}}}}).write_components()


@pytest.mark.django_db(transaction=True)
def test_a_round_of_play(gods2, live_server, streaming_port):
    scene: Earth = earth()
    wire = Wire(streaming_port)
    token = bearer(user("host"))["Authorization"].removeprefix("Bearer ")
    with gods2.Theogony(live_server.url, token, http=httpx.Client(transport=wire, timeout=30)) as theogony:
        assert theogony.me()["username"] == "host"
        game = theogony.game(str(scene.game.pk), as_gm=True)
        state = game.state()
        assert game.state() is state, "nothing has happened: not read again"
        races = theogony.gods2_races(game=game.id, as_="gm", limit=1)
        assert sorted(race["race"] for race in races) == sorted(race["id"] for race in state["races"])

        with pytest.raises(gods2.Refusal) as shape:
            game.pause({"reason": 3})
        assert (shape.value.status, shape.value.errors[0]["pointer"]) == (422, "/reason")

        done = game.pause({"reason": "Tea."}, key="tea", expected=state["cursor"])
        assert not done["replayed"]
        assert game.pause({"reason": "Tea."}, key="tea", expected=state["cursor"])["replayed"]
        with pytest.raises(gods2.Refusal) as used:
            game.pause({"reason": "Soup."}, key="tea")
        assert used.value.code == "key.reused"
        with pytest.raises(gods2.Refusal) as late:
            game.resume(expected=state["cursor"])
        assert late.value.code == "position.stale"
        game.resume()
        assert game.state() is not state

        log = list(game.history(state["cursor"]))
        stream = game.stream(after=state["cursor"])
        seen = list(islice(stream, len(log)))
        assert seen == log and log[0]["type"] == "core.Paused"
        assert (stream.cursor, wire.streams) == (log[-1]["cursor"], 2)

        with pytest.raises(gods2.Refusal) as second:
            game.batch({"commands": [{"name": "pause"}, {"name": "pause"}]})
        assert (second.value.code, second.value.facts["command_index"]) == ("clock.paused", 1)
        tea = {"commands": [{"name": "pause", "body": {"reason": "Tea."}}, {"name": "resume"}]}
        both = game.batch(tea, key="both", expected=game.state()["cursor"])["results"]
        assert [each["events"][0]["type"] for each in both] == ["core.Paused", "core.Resumed"]
        assert all(each["replayed"] for each in game.batch(tea, key="both")["results"])

        row = {"game": scene.game, "user": user("host"), "kind": "over", "key": "over", "created_at": timezone.now()}
        Notification.objects.create(id=derived_id(scene.game.pk, "over"), **row)
        (told,) = theogony.notifications(unread=True)
        assert told["message"] == "The game is over." and theogony.unread_notifications() == {"unread": 1}
        assert theogony.read_notifications({"up_to": told["id"]}) == {"unread": 0}
        assert list(theogony.notifications(unread=True)) == []
        assert theogony.change_notification_settings({"kinds_off": ["over"]})["kinds_off"] == ["over"]

        with pytest.raises(gods2.Refusal) as missing:
            theogony.game("00000000-0000-4000-8000-000000000000").state()
        assert missing.value.status == 404
        assert "<svg" in game.map()


@pytest.mark.django_db(transaction=True)
def test_a_round_of_play_for_asyncio(package, live_server, streaming_port):
    scene: Earth = earth()
    awaited = importlib.import_module("theogony.aio.gods2")
    token = bearer(user("host"))["Authorization"].removeprefix("Bearer ")

    async def play() -> None:
        async with awaited.Theogony(live_server.url, token) as theogony:
            game = theogony.game(str(scene.game.pk), as_gm=True)
            state = await game.state()
            assert await game.state() is state, "nothing has happened: not read again"
            races = [race["race"] async for race in theogony.gods2_races(game=game.id, as_="gm", limit=1)]
            assert sorted(races) == sorted(race["id"] for race in state["races"])
            with pytest.raises(awaited.Refusal):
                await game.pause({"reason": 3})
            tea = {"commands": [{"name": "pause", "body": {"reason": "Tea."}}, {"name": "resume"}]}
            await game.batch(tea, expected=state["cursor"])
            assert [each async for each in theogony.notifications()] == []
            log = [event async for event in game.history(state["cursor"])]
        async with awaited.Theogony(f"http://127.0.0.1:{streaming_port}", token) as streaming:
            events = streaming.game(str(scene.game.pk), as_gm=True).stream(after=state["cursor"]).__aiter__()
            assert [await anext(events) for _ in log] == log and log[0]["type"] == "core.Paused"
            await events.aclose()

    asyncio.run(play())


# --- the client of the README -----------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_the_ten_lines_of_the_readme_tell_what_happens(streaming_port, tmp_path):
    scene: Earth = earth()
    (lines,) = blocks((ROOT / "README.md").read_text(), "python")
    token = bearer(user("host"))["Authorization"].removeprefix("Bearer ")
    users = [{"name": "demo-player-1", "token": token}]
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "demo.json").write_text(
        json.dumps({"base_url": f"http://127.0.0.1:{streaming_port}", "game": str(scene.game.pk), "users": users})
    )
    told = tmp_path / "told"

    def happens() -> bool:
        for name in ("pause", "resume"):
            scene.gm.post(scene.path(f"commands/{name}/?as=gm"), {}, content_type="application/json")
        return "The clock stands still.\n" in told.read_text()

    with told.open("w") as output:
        client = subprocess.Popen([sys.executable, "-u", "-c", lines], cwd=tmp_path, stdout=output)
    try:
        until(happens, 60)
    finally:
        client.kill()
        client.wait()
    assert len(lines.splitlines()) == 10
