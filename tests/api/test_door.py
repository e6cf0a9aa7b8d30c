"""The door: what it takes, in which order, together with whom; what it leaves to Django; and what it refuses.

Long for one reason: all tests hand the door what they ask in the same way.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from threading import Event
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, connections, transaction

from accounts import keys
from accounts.models import Token
from accounts.services import revoke_token
from api.common import fast_auth
from api.common.authentication import user_and_token_of_header
from api.door import answers, writers
from api.door import queue as queue_module
from api.door.application import Door
from api.door.incoming import Incoming, incoming, is_usual
from api.door.queue import Batch, CommandQueue
from games.models import LoggedEvent
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import ToyGame, bearer, toy_game, user
from tests.toy.rules.commands import AddStones
from tests.toy.rules.state import State

Answer = tuple[int, dict[str, str], Any]
Sent = tuple[str, dict[str, str], bytes]
pytestmark = pytest.mark.timeout(120)  # a queue that is wrong waits for ever
QUIET = '{"tide_seconds": 3600}'


def known_bearer(name: str) -> dict[str, str]:
    """The header of a person whose token this process has seen before."""
    header = bearer(user(name))
    plain = header["Authorization"]
    fast_auth._known.put(keys.digest(plain.partition(" ")[2]), user_and_token_of_header(plain))
    return header


def scope_of(
    path: str, headers: dict[str, str], body: bytes, *, query: str = "", method: str = "POST"
) -> dict[str, Any]:
    """A request as a server hands it on."""
    given = {"Host": "testserver", "Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    return {
        "type": "http", "method": method, "path": path, "query_string": query.encode(), "scheme": "http",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in given.items()],
        "client": ("127.0.0.1", 1), "server": ("testserver", 80),
    }  # fmt: skip


async def send(door: Door, scope: dict[str, Any], body: bytes) -> Answer:
    """What is answered to a request whose body comes in two parts."""
    parts = iter([(body[:5], True), (body[5:], False)])
    said: list[Any] = []

    async def receive() -> Any:
        part, more = next(parts)
        return {"type": "http.request", "body": part, "more_body": more}

    async def keep(message: Any) -> None:
        said.append(message)

    await door(scope, receive, keep)
    head, *bodies = said
    headers = {name.decode(): value.decode("latin-1") for name, value in head["headers"]}
    whole = b"".join(each["body"] for each in bodies)
    return head["status"], headers, json.loads(whole) if headers.get("content-type", "").endswith("json") else whole


async def django(scope: Any, receive: Callable[[], Awaitable[Any]], reply: Callable[[Any], Awaitable[None]]) -> None:
    """Stands for Django: answers with the body it was sent."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message["body"], message["more_body"]
    await reply({"type": "http.response.start", "status": 299, "headers": []})
    await reply({"type": "http.response.body", "body": body})


def ask(door: Door, sent: Sequence[Sent]) -> list[Answer]:
    """What is answered to requests that come in at one moment, in their order."""

    async def ask_all() -> list[Answer]:
        return await asyncio.gather(*(send(door, scope_of(path, headers, body), body) for path, headers, body in sent))

    return asyncio.run(ask_all())


def adding(toy: ToyGame, stones: int = 1, **headers: str) -> Sent:
    return toy.path("commands/add-stones/"), headers, json.dumps({"stones": stones}).encode()


def header_of(found: answers.Answer | None, name: str) -> str:
    """One header of what the door answers."""
    assert found is not None
    return dict(found.headers)[name.encode()].decode()


@pytest.fixture
def door() -> Iterator[Door]:
    """A door whose writers work in threads of their own, until the test has ended."""
    made = Door(django)
    yield made
    made.writers.end()


@pytest.mark.django_db(transaction=True)
def test_what_comes_in_at_one_moment_is_played_in_order_and_each_has_an_answer(door: Door) -> None:
    games = [toy_game(options=QUIET) for _ in range(3)]
    ann = known_bearer("ann")
    sent = [
        adding(games[number % 3], 1 + number % 5, **ann, **{"Idempotency-Key": f"k{number}"}) for number in range(45)
    ]

    answers = ask(door, sent)

    assert Counter(status for status, _, _ in answers) == {201: 45}
    for place, toy in enumerate(games):
        stones = [each["events"][0]["data"]["stones"] for _, _, each in answers[place::3]]
        assert stones == [1 + number % 5 for number in range(place, 45, 3)]
        rows = LoggedEvent.objects.filter(game=toy.game, type="StonesAdded").order_by("seq")
        assert [json.loads(row.body)["stones"] for row in rows] == stones
        seqs = list(LoggedEvent.objects.filter(game=toy.game).order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))
    again = ask(door, sent[:3])
    assert [each["replayed"] for _, _, each in again] == [True] * 3


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_breaks_is_answered_and_the_writers_go_on(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    toy, ann = toy_game(options=QUIET), known_bearer("ann")
    with monkeypatch.context() as broken:
        play, tries = writers.play, Counter[str]()

        def break_once(*asked: Any) -> Any:
            tries["play"] += 1
            if tries["play"] == 1:
                raise ValueError("broken")
            return play(*asked)

        broken.setattr(writers, "play", break_once)
        ((status, _, problem),) = ask(door, [adding(toy, **ann)])
    assert (status, problem["code"], tries["play"]) == (500, "server.error", 1)
    assert [each for each, _, _ in ask(door, [adding(toy, **ann)])] == [201]
    assert len(door.writers._threads) == (writers.WRITERS if connection.vendor == "postgresql" else 1)


@pytest.mark.django_db(transaction=True)
def test_a_loop_that_ends_before_the_answer_takes_no_writer_with_it(
    door: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    toy, ann = toy_game(options=QUIET), known_bearer("ann")
    path, headers, body = adding(toy, **ann, **{"X-Request-Id": "told-to-nobody"})
    has_ended, play, logged = Event(), writers.play, list[str]()

    def play_late(*asked: Any) -> Any:
        assert has_ended.wait(60)
        return play(*asked)

    async def leave() -> None:
        command = incoming(scope_of(path, headers, body), body, asyncio.get_running_loop())
        assert command is not None and door.queue.put(command)
        door.writers.begin()

    def note_lines(works: Any, _ended: float) -> None:
        logged.extend(each.about["request_id"] for work in works for each in work.waiting)

    monkeypatch.setattr(writers, "play", play_late)
    monkeypatch.setattr("games.services.log_commands", note_lines)
    asyncio.run(leave())
    has_ended.set()
    assert [each for each, _, _ in ask(door, [adding(toy, **ann)])] == [201]
    assert all(thread.is_alive() for thread in door.writers._threads)
    assert "door.untold" in caplog.text
    assert "told-to-nobody" in logged  # it has happened, so it has its line
    assert LoggedEvent.objects.filter(game=toy.game, type="StonesAdded").count() == 2


async def test_who_has_gone_keeps_no_answer_from_who_waits_beside_them() -> None:
    path, body = USUAL
    loop = asyncio.get_running_loop()
    gone, here = (incoming(scope_of(path, TOKEN, body), body, loop) for _ in range(2))
    assert gone is not None and here is not None
    broken: list[Any] = []
    loop.set_exception_handler(lambda _, context: broken.append(context))
    gone.answer.cancel()
    writers._tell([(gone, None), (here, None)])
    assert await asyncio.wait_for(here.answer, 5) is None and broken == []


@pytest.mark.django_db
def test_a_game_that_another_process_holds_is_named_and_its_commands_have_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toy = toy_game(options=QUIET)
    (command,) = _incoming([adding(toy, **known_bearer("ann"))])

    def held_elsewhere(works: Any, *, wait: bool, **_: Any) -> None:
        assert not wait
        works[0].was_held = True

    monkeypatch.setattr("games.services.play", held_elsewhere)
    played = writers.play(Batch({toy.game.pk: [command]}))
    assert (played.answered, played.held) == ([], {toy.game.pk})


@pytest.mark.django_db
def test_people_who_are_not_known_yet_or_no_longer_are_left_to_django(door: Door) -> None:
    toy = toy_game(options=QUIET)
    header = known_bearer("ann")
    secret = keys.digest(header["Authorization"].partition(" ")[2])
    (command,) = _incoming([adding(toy, **header)])
    ((_, found),) = writers.play(Batch({toy.game.pk: [command]})).answered
    assert found is not None and found.status == 201

    revoke_token(Token.objects.get(digest=secret))
    (command,) = _incoming([adding(toy, **header)])
    assert writers.play(Batch({toy.game.pk: [command]})).answered == [(command, None)]
    (command,) = _incoming([adding(toy, **bearer(user("bob")))])
    assert writers.play(Batch({toy.game.pk: [command]})).answered == [(command, None)]


def _incoming(sent: Sequence[Sent]) -> list[Incoming]:
    loop = asyncio.new_event_loop()
    found = [incoming(scope_of(path, headers, body), body, loop) for path, headers, body in sent]
    assert all(found)
    return [each for each in found if each is not None]


USUAL = ("/api/v1/games/0b0e7a52-0000-4000-8000-000000000001/commands/add-stones/", b"{}")
TOKEN = {"Authorization": "Bearer theo_x"}
UNUSUAL: list[tuple[str, dict[str, Any]]] = [
    ("another method", {"method": "GET"}),
    ("another address", {"path": "/api/v1/games/"}),
    ("nobody", {"headers": {}}),
    ("another scheme", {"headers": {"Authorization": "Basic eDp5"}}),
    ("a session", {"headers": TOKEN | {"Cookie": "sessionid=x"}}),
    ("a condition", {"headers": TOKEN | {"If-Match": '"x"'}}),
    ("another kind of body", {"headers": TOKEN | {"Content-Type": "text/plain"}}),
    ("another kind of answer", {"headers": TOKEN | {"Accept": "text/html"}}),
    ("no end in sight", {"headers": TOKEN | {"Transfer-Encoding": "chunked"}}),
    ("a body that is too large", {"headers": TOKEN | {"Content-Length": "99999999"}}),
    ("a length that is none", {"headers": TOKEN | {"Content-Length": "-1"}}),
    ("a strange host", {"headers": TOKEN | {"Host": "evil.example"}}),
    ("a key that is none", {"headers": TOKEN | {"Idempotency-Key": ""}}),
    ("an unknown parameter", {"query": "sea=1"}),
    ("a parameter twice", {"query": "dry_run=1&dry_run=1"}),
    ("a seat that is none", {"query": "seat=x"}),
    ("a view that is none", {"query": "as=god"}),
    ("a switch that is none", {"query": "dry_run=yes"}),
    ("a switch that says nothing", {"query": "dry_run="}),
    ("a seat that says nothing", {"query": "seat="}),
    ("a view that says nothing", {"query": "as="}),
    ("a position that is too long", {"query": f"expected={'x' * 1001}"}),
    ("a position with a NUL", {"query": "expected=%00"}),
    ("the token twice", {"headers": TOKEN, "twice": "Authorization"}),
    ("a length twice", {"headers": TOKEN, "twice": "Content-Length"}),
    ("a key twice", {"headers": TOKEN | {"Idempotency-Key": "k"}, "twice": "Idempotency-Key"}),
    ("a method in a header", {"headers": TOKEN | {"X-HTTP-Method-Override": "PUT"}}),
    ("a body that is packed", {"headers": TOKEN | {"Content-Encoding": "gzip"}}),
    ("what waits to be asked for its body", {"headers": TOKEN | {"Expect": "100-continue"}}),
    ("a body longer than said", {"headers": TOKEN | {"Content-Length": "5"}}),
    ("a code", {"path": "/api/v1/games/0b0e7a52-0000-4000-8000-000000000001/join/", "body": b'{"code": "x"}'}),
    ("a body that ends too early", {"body": b"{}", "headers": TOKEN | {"Content-Length": "3"}}),
]


@pytest.mark.parametrize(("what", "given"), UNUSUAL, ids=[what for what, _ in UNUSUAL])
def test_what_is_unusual_is_left_to_django_with_its_whole_body(door: Door, what: str, given: dict[str, Any]) -> None:
    body = given.get("body", b'{"stones": 1}')
    scope = scope_of(
        given.get("path", USUAL[0]), given.get("headers", TOKEN), body,
        query=given.get("query", ""), method=given.get("method", "POST"),
    )  # fmt: skip
    twice = given.get("twice", "").lower().encode()
    scope["headers"] += [(name, value) for name, value in scope["headers"] if name == twice]
    assert not is_usual(scope) or incoming(scope, body, asyncio.new_event_loop()) is None
    status, _, found = asyncio.run(send(door, scope, body))
    assert (status, found) == (299, body)


def test_what_is_usual_is_taken() -> None:
    path, body = USUAL
    for headers in (TOKEN, TOKEN | {"Origin": "https://play.example"}, TOKEN | {"Accept": "*/*"}):
        assert is_usual(scope_of(path, headers, body))
        found = incoming(scope_of(path, headers, body, query="as=gm&dry_run=1"), body, asyncio.new_event_loop())
        assert found is not None and (found.as_, found.dry_run, found.name) == ("gm", True, "add-stones")


@pytest.mark.django_db(transaction=True)
def test_where_too_many_wait_the_next_is_told_so_at_once(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = toy_game(options=QUIET)
    monkeypatch.setattr(queue_module, "MAX_WAITING", 0)
    elsewhere = {"Origin": "https://play.example"}  # which is looked up among the applications
    ((status, headers, body),) = ask(door, [adding(toy, **known_bearer("ann"), **elsewhere)])
    assert (status, body["code"], headers["retry-after"]) == (503, "game.busy", "1")
    assert headers["x-request-id"] == body["request_id"]


@pytest.mark.django_db
def test_who_has_spent_a_budget_is_told_when_it_is_renewed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = toy_game(options=QUIET)
    monkeypatch.setattr("api.common.throttles.rate_of", lambda scope: (2, 60))
    header = known_bearer("ann")
    commands = _incoming([adding(toy, **header) for _ in range(4)])
    answered = writers.play(Batch({toy.game.pk: commands})).answered
    found = dict(answered)
    told = [found[each] for each in commands]
    assert [each and each.status for each in told] == [201, 201, 429, 429]
    assert 0 < int(header_of(told[3], "retry-after")) <= 60
    assert [header_of(each, "ratelimit-remaining") for each in told] == ["1", "0", "0", "0"]


@pytest.mark.django_db
def test_a_command_that_waits_again_is_counted_once() -> None:
    toy = toy_game(options=QUIET)
    (command,) = _incoming([adding(toy, **known_bearer("ann"))])
    assert writers.play(Batch({toy.game.pk: [command]}), seconds=-1).answered == []
    ((_, found),) = writers.play(Batch({toy.game.pk: [command]})).answered
    assert found is not None
    assert (found.status, header_of(found, "ratelimit-remaining")) == (201, "1199")


@pytest.mark.django_db
def test_a_body_that_breaks_a_rule_of_ours_is_answered_500_and_the_others_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toy = toy_game(options=QUIET)
    header = known_bearer("ann")
    commands = _incoming([adding(toy, stones, **header) for stones in (1, 5, 2)])
    decide = AddStones.decide

    def decide_unless_five(self: AddStones, state: State, ctx: Any) -> Any:
        if self.stones == 5:
            raise ZeroDivisionError("a bug")
        return decide(self, state, ctx)

    monkeypatch.setattr(AddStones, "decide", decide_unless_five)
    answered = writers.play(Batch({toy.game.pk: commands})).answered
    found = dict(answered)
    assert [found[each].status for each in commands] == [201, 500, 201]  # type: ignore[union-attr]


@pytest.mark.django_db
def test_a_body_that_cannot_be_read_does_not_take_a_batch_back(caplog: pytest.LogCaptureFixture) -> None:
    toy = toy_game(options=QUIET)
    header = known_bearer("ann")
    path = toy.path("commands/add-stones/")
    bodies = (b'{"stones": 1}', b'{"stones": "x"}', b"{", b'{"stones": 1, "stones": 2}', b'{"stones": 2}')
    commands = _incoming([(path, header, body) for body in bodies])
    commands += _incoming([(toy.path("commands/dance/"), header, b"{}")])
    answered = writers.play(Batch({toy.game.pk: commands})).answered
    found = dict(answered)
    assert [found[each].status for each in commands] == [201, 422, 400, 400, 201, 404]  # type: ignore[union-attr]
    assert "batch.apart" not in caplog.text


# --- the queue -------------------------------------------------------------------------------------------------------
def taken(queue: CommandQueue) -> Batch:
    """What is taken next."""
    batch = queue.take()
    assert batch is not None
    return batch


def waiting(game: UUID, name: str = "add-stones") -> Any:
    return SimpleNamespace(game=game, name=name)


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> set[UUID]:
    """The games whose states are in this process."""
    here: set[UUID] = set()
    monkeypatch.setattr(type(STATE_CACHE), "holds", lambda self, game: game in here)
    return here


def test_the_warm_games_are_taken_together_and_a_cold_one_alone(warm: set[UUID]) -> None:
    cold, one, two = uuid4(), uuid4(), uuid4()
    warm |= {one, two}
    queue = CommandQueue()
    for game in (one, cold, two, one):
        queue.put(waiting(game))
    first = taken(queue)
    assert {game: len(commands) for game, commands in first.commands.items()} == {one: 2, two: 1}
    assert list(taken(queue).commands) == [cold]


def test_what_takes_long_comes_alone_and_in_its_place(warm: set[UUID]) -> None:
    one, two = uuid4(), uuid4()
    warm |= {one, two}
    queue = CommandQueue()
    for each in (waiting(one), waiting(one, "rewind"), waiting(one), waiting(two)):
        queue.put(each)
    order = []
    for _ in range(3):
        batch = taken(queue)
        order.append([(game, [each.name for each in commands]) for game, commands in batch.commands.items()])
        queue.give_back(batch, (), ())
    assert order == [
        [(one, ["add-stones"]), (two, ["add-stones"])],
        [(one, ["rewind"])],
        [(one, ["add-stones"])],
    ]


def test_what_was_not_settled_comes_first_again_and_a_game_that_was_held_alone(warm: set[UUID]) -> None:
    one, two = uuid4(), uuid4()
    warm |= {one, two}
    queue = CommandQueue()
    commands = [waiting(one), waiting(one), waiting(two)]
    for each in commands:
        queue.put(each)
    batch = taken(queue)
    queue.put(late := waiting(one))
    queue.give_back(batch, commands, [one])
    assert list(taken(queue).commands.items()) == [(one, [*commands[:2], late])]
    assert list(taken(queue).commands.items()) == [(two, commands[2:])]


def test_a_game_is_in_the_hands_of_one_writer_and_one_waits_for_a_held_game_at_a_time(warm: set[UUID]) -> None:
    one, two, three = uuid4(), uuid4(), uuid4()
    warm |= {one, two}  # of the warm ones there is one batch at a time
    queue = CommandQueue()
    held = [waiting(one), waiting(two)]
    for each in held:
        queue.put(each)
    first = taken(queue)
    assert list(first.commands) == [one, two]
    queue.put(waiting(one))
    queue.put(waiting(three))
    assert list(taken(queue).commands) == [three]  # nobody else takes what is taken

    queue.give_back(first, held, [one, two])
    waited = taken(queue)
    assert (list(waited.commands), waited.waits) == ([one], True)
    queue.put(waiting(three))
    queue.close()
    queue.give_back(waited, (), ())
    assert list(taken(queue).commands) == [two]


@pytest.mark.django_db(transaction=True)
def test_a_game_that_another_process_holds_does_not_keep_the_others_waiting(door: Door) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks the whole database")
    held, free = toy_game(options=QUIET), toy_game(options=QUIET)
    header = known_bearer("ann")
    ask(door, [adding(held, **header), adding(free, **header)])  # both states are here
    commands = _incoming([adding(held, **header), adding(free, **header)])
    other = connections["default"].copy()
    try:
        with transaction.atomic():
            other.connect()
            other.set_autocommit(False)
            with other.cursor() as cursor:
                cursor.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [held.game.pk])
            played = writers.play(Batch({each.game: [each] for each in commands}))
            assert [each.game for each, _ in played.answered] == [free.game.pk]
            assert played.held == {held.game.pk}
            other.rollback()
    finally:
        other.close()
    answered = writers.play(Batch({held.game.pk: commands[:1]})).answered
    assert [found.status for _, found in answered if found] == [201]
