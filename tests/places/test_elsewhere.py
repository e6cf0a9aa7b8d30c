"""A bucket on another server: its games go on there, and home and all other places need that server for nothing."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections, transaction
from django.test import Client

from accounts.models import User
from api.notifications.reading import notifications_of
from core.places import cards, routing
from core.places.place import BeingMoved
from core.places.postgresql import servers
from core.places.postgresql.servers import UnknownServer
from games import services
from games.engine.errors import Refused
from games.engine.lifecycle.seating import Invite
from games.models import Game, Invitation, Timer
from games.workers import tasks
from tests.event_pages.test_forms_sent_twice import form_at, values_in
from tests.faults.shared import clock_at
from tests.games.cairns import Cairns
from tests.places.buckets import ONE, id_in
from tests.places.elsewhere import (
    AWAY,
    OTHER,
    ask_other,
    first_game,
    opened_beside,
    ordinary_tables_at_home,
    places,
    relocate,
    server_away,
    where,
    write_stop,
)  # fmt: skip
from tests.places.games import change, ids, in_its_place, of
from tests.places.test_games import issue, play, seq, stones
from tests.security.looking import client_of
from tests.toy.rules.commands import AddStones

TIDES = '{"tide_seconds": 60}'
GAMES = "/api/v1/games/"


@pytest.fixture(scope="module")
def first(two_servers: None) -> Cairns:
    return first_game()


@pytest.fixture
def second(first: Cairns, slots_as_they_are: None) -> Iterator[Cairns]:
    """A game of the second bucket, which lies on the other server."""
    if where() != (OTHER, "open"):
        relocate()
    yield opened_beside(first, options=TIDES)
    assert where() == (OTHER, "open")


def send(client: Client, game: Cairns, key: str = "") -> tuple[int, str]:
    """Ann adds a stone by REST: the status, and the code of a problem."""
    answer = client.post(
        f"{GAMES}{game.game.pk}/commands/add-stones/", {"stones": 1}, content_type="application/json",
        headers={"Idempotency-Key": key} if key else {},
    )  # fmt: skip
    return answer.status_code, answer.json().get("code", "")


def tides(cairns: Cairns) -> int:
    return in_its_place(cairns, lambda of: of.types().count("TideCame"))


def test_a_game_is_opened_and_played_there_its_timers_fire_and_its_rows_are_its_log(second):
    play(issue(second, AddStones(stones=2)))
    assert stones(second) == 2
    with clock_at(70):
        tasks.sweep(2)
    assert tides(second) == 1 and stones(second) == 1 and routing.place_of(second.game.pk) == AWAY
    out = StringIO()
    call_command("replay", str(second.game.pk), stdout=out)
    assert "rows equal the log, chain whole" in out.getvalue()
    question = "SELECT count(*) FROM place_02.games_loggedevent WHERE game_id = %s"
    assert ask_other(question, second.game.pk) == [(seq(second),)] and ordinary_tables_at_home() == 0
    assert places("check") == "Every row lies where its slot is.\n"
    assert "place_02: 2048 slots" in places("list") and ", on other\n" in places("list")


def test_requests_of_a_game_there_are_answered_and_the_log_in_is_looked_up_at_home(first, second):
    ann = client_of(second.ann)
    assert send(ann, second, "key") == send(ann, second, "key") == (201, "") and stones(second) == 1
    assert ann.get(f"{GAMES}{second.game.pk}/").json()["id"] == str(second.game.pk)


def test_lists_across_games_show_a_game_there_and_follow_its_changes(first, second):
    assert ids(Client().get(GAMES))[0] == str(second.game.pk)
    change(second, name="Renamed")
    with routing.at_place(AWAY):
        left = cards.NOTES
    assert Client().get(GAMES).json()["results"][0]["name"] == "Renamed"
    assert ask_other(f"SELECT count(*) FROM place_02.{left}") == [(0,)]
    call_command("cards", "--check", stdout=StringIO())


def test_a_follower_that_is_killed_before_the_notes_go_follows_them_again(second, monkeypatch):
    cards.follow_all()
    change(second, name="Twice")
    copied, copy = [], cards._copy
    monkeypatch.setattr(cards, "_copy", lambda *given: (copy(*given), copied.append(given[3])))
    with pytest.raises(KeyboardInterrupt), connection.execute_wrapper(_refuse_deleting_notes):
        cards.follow_all()
    cards.follow_all()
    assert copied == [[second.game.pk]] * 2 and ask_other(f"SELECT count(*) FROM place_02.{cards.NOTES}") == [(0,)]


def _refuse_deleting_notes(execute: Any, sql: str, *more: Any) -> Any:
    if str(sql).startswith(f"DELETE FROM {cards.NOTES}"):
        raise KeyboardInterrupt
    return execute(sql, *more)


def test_while_its_server_is_away_its_games_alone_answer_503_and_go_on_without_a_restart(first, second):
    ann, before = client_of(second.ann), stones(first)
    ann.raise_request_exception = False
    cards.follow_all()
    with server_away():
        assert send(ann, second) == (503, "database.down")
        answer = ann.get(f"{GAMES}{second.game.pk}/")
        assert answer.status_code == 503 and answer["Retry-After"] == "5"
        assert send(ann, first) == (201, "")  # whose token was just looked up
        assert ids(Client().get(GAMES))[:1] == of(second)  # the card of what cannot be asked
        assert notifications_of(second.ann.pk, 10) == []
        assert Client().get(f"{GAMES}{first.game.pk}/").status_code == 200
        assert "place_02: 2048 slots, its server is away, on other\n" in places("list")
        tasks.sweep()
        tasks.sweep(2)
        ready = Client().get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
    assert send(ann, second) == (201, "") and stones(second) == 1 and stones(first) == before + 1


def test_commands_of_other_places_in_the_same_call_are_played_while_a_server_is_away(first, second):
    before = stones(first)
    there, here = issue(second, AddStones(stones=1), at=2), issue(first, AddStones(stones=1), at=2)
    with server_away(), pytest.raises(OperationalError):
        play(there, here)
    assert here.outcome and not there.outcome and stones(first) == before + 1 and stones(second) == 0


def test_a_server_that_did_not_answer_is_not_asked_again_at_once(second):
    with server_away():
        for expected in ("terminating connection", "not currently accepting", "did not answer a moment ago"):
            with pytest.raises(OperationalError, match=expected), routing.at_place(AWAY):
                Game.objects.count()
        servers._away_until[OTHER] -= servers.AWAY_SECONDS
        with pytest.raises(OperationalError, match="not currently accepting"), routing.at_place(AWAY):
            Game.objects.count()


def test_a_transaction_whose_server_goes_away_in_its_middle_is_taken_back(second):
    with pytest.raises(OperationalError), routing.at_place(AWAY), transaction.atomic():
        Game.objects.filter(pk=second.game.pk).update(name="Half")
        with server_away():
            Game.objects.filter(pk=second.game.pk).update(name="Whole")
    assert in_its_place(second, lambda of: of.fresh().name) == "More"


def test_a_place_whose_server_has_no_address_here_is_refused_in_words(second, monkeypatch, settings):
    ann, actor = client_of(second.ann), in_its_place(second, lambda of: of.actor(of.ann))
    monkeypatch.setattr(connections["default"], "_servers", servers.Servers(connection.settings_dict))
    monkeypatch.setattr(settings, "PLACE_SERVERS", {})
    with pytest.raises(UnknownServer, match="the server other, which PLACE_SERVERS of this process does not name"):
        services.run(second.game.pk, AddStones(stones=1), actor=actor)
    assert send(ann, second) == (503, "database.down")


def test_while_it_moves_a_place_is_read_and_not_written_and_the_same_key_works_later(first, second):
    ann = client_of(second.ann)
    with write_stop():
        answer = ann.post(
            f"{GAMES}{second.game.pk}/commands/add-stones/", {"stones": 1}, content_type="application/json",
            headers={"Idempotency-Key": "later"},
        )  # fmt: skip
        assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "game.moving", "1")
        with pytest.raises(Refused, match=r"game\.moving"):
            services.run(second.game.pk, AddStones(stones=1), actor=in_its_place(second, lambda of: of.actor(of.ann)))
        assert ann.get(f"{GAMES}{second.game.pk}/state/").status_code == 200 and stones(second) == 0
        with pytest.raises(BeingMoved):
            opened_beside(first)
        assert send(ann, first) == (201, "")
    assert send(ann, second, "later") == send(ann, second, "later") == (201, "") and stones(second) == 1


MUTATION = """mutation($game: UUID!) { toyAddStones(game: $game, input: {stones: 1}) {
    ... on Refusal { code } ... on CommandDone { cursor } } }"""


def test_a_mutation_and_a_form_that_come_while_a_place_moves_are_refused_and_can_be_sent_again(second):
    """As the command in REST above: of the kind "a write that comes too early, on every way in"."""
    ann, browser = client_of(second.ann), Client()
    browser.force_login(second.ann)
    assert send(ann, second) == (201, "")  # what was due is past
    seat = in_its_place(second, lambda of: of.seat(of.ann))
    address = f"/games/{second.game.pk}/seats/{seat}/commands/add-stones/?values=%7B%7D"
    sent = form_at(browser, address) | {"stones:number": ["3"]}
    body = {"query": MUTATION, "variables": {"game": str(second.game.pk)}}
    with write_stop():
        answer = ann.post("/graphql/", body, content_type="application/json").json()
        assert answer == {"data": {"toyAddStones": {"code": "game.moving"}}}
        refused = browser.post(address, sent)
        assert refused.status_code == 422 and str(BeingMoved()) in refused.content.decode()
        assert values_in(refused)["stones:number"] == ["3"]
    before = stones(second)
    assert browser.post(address, values_in(refused)).status_code == 302 and stones(second) == before + 3


def test_who_joins_or_leads_while_a_place_moves_is_refused_in_words(second):
    in_its_place(second, lambda of: of.run(Invite(), of.gm))
    code = in_its_place(second, lambda of: Invitation.objects.get(game=of.game).code)
    desk = f"/games/{second.game.pk}/desk/commands/pause/?values=%7B%7D"
    for user, address, more in (
        (User.objects.create_user(f"guest-{code[:8]}"), f"/join/{code}/", {"name:text": ["Guest"]}),
        (second.host, desk, {"reason:text": ["Tea."]}),
    ):
        browser = Client()
        browser.force_login(user)
        sent = form_at(browser, address) | more
        with write_stop():
            refused = browser.post(address, sent)
        assert refused.status_code == 422 and str(BeingMoved()) in refused.content.decode(), address
        assert browser.post(address, values_in(refused)).status_code == 302, address


def test_a_game_is_opened_beside_a_place_that_moves(first, second, monkeypatch):
    given = [id_in(AWAY), id_in(AWAY), id_in(ONE)]
    monkeypatch.setattr("games.services.uuid4", lambda: given.pop(0) if given else id_in(AWAY))
    with write_stop():
        opened = services.open_game("toy", "Beside", user=first.host.pk)
        assert routing.place_of(opened.pk) == ONE and given == []
        with pytest.raises(BeingMoved):  # no id of fifty lies elsewhere
            services.open_game("toy", "Nowhere", user=first.host.pk)
        browser = Client(raise_request_exception=False)
        browser.force_login(first.host)
        answer = browser.post("/games/new/toy/", form_at(browser, "/games/new/toy/") | {"name:text": ["Page"]})
        assert (answer.status_code, answer["Retry-After"]) == (503, "1")
        assert str(BeingMoved()) in answer.content.decode()
        assert browser.get("/games/new/toy/").status_code == 200


def test_while_it_moves_timers_are_left_and_fire_afterwards(second):
    with write_stop(), clock_at(70):
        tasks.sweep()
        assert services.fire_due(second.game.pk) == 0 and tides(second) == 0
        assert in_its_place(second, lambda of: Timer.objects.filter(game=of.game).count()) > 0
    with clock_at(70):
        tasks.sweep(2)
    assert tides(second) == 1


def test_what_forgets_to_ask_is_refused_by_the_server_while_a_place_moves(second):
    with write_stop(), pytest.raises(Exception, match="read-only transaction"):
        change(second, name="Written")
    assert in_its_place(second, lambda of: of.fresh().name) == "More"
