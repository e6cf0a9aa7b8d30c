"""The state over REST: its shape, visibility, positions, what is not sent twice, query counts."""

import json
import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone
from rest_framework.settings import api_settings

from accounts.models import Token, User
from api.representations.shapes.commands import LegalCommandList
from api.representations.shapes.games import SeatList, TimerList
from api.representations.shapes.state_schemas import state_schema
from core.process_cache import clear_process_caches
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import Join
from games.models import Timer
from tests.api.worlds import assert_refused, atlantis, client, max_queries, run, toy_game
from tests.toy.rules.commands import AddStones, HideCoins, Propose

pytestmark = pytest.mark.django_db


def test_the_state_has_its_shape_for_everybody():
    toy = toy_game()
    run(toy, AddStones(stones=3), toy.ann)
    run(toy, Propose(text="Stop?"), toy.ann)
    for who, query in ((client(), ""), (client(toy.ann), ""), (client(toy.host), "?as=gm"), (client(toy.eve), "")):
        answer = who.get(toy.path(f"state/{query}"))
        state = state_schema("toy").model_validate_json(answer.content, strict=True)
        assert state.cursor and (state.game.status, state.game.step) == ("running", "running")
        (pile,) = answer.json()["piles"]
        assert (pile["id"], pile["stones"]) == (str(toy.seat(toy.ann)), 3)
        assert [t.key for t in state.timers if t.key == "tide"] == ["tide"]
        assert len(state.prompts) == 1


def test_a_secret_is_in_the_state_of_its_seat_and_of_the_gm_alone():
    toy = toy_game()
    run(toy, HideCoins(coins=7), toy.ann)
    hoard = [{"id": str(toy.seat(toy.ann)), "coins": 7}]
    assert client(toy.ann).get(toy.path("state/")).json()["hoards"] == hoard
    assert client(toy.host).get(toy.path("state/?as=gm")).json()["hoards"] == hoard
    assert client(toy.host).get(toy.path("state/")).json()["hoards"] == []
    assert client(toy.bob).get(toy.path("state/")).json()["hoards"] == []
    assert client().get(toy.path("state/")).json()["hoards"] == []


def test_no_number_of_the_whole_game_is_shown_but_in_the_log_of_the_gm():
    toy = toy_game()
    bob = client(toy.bob)
    paths = [
        toy.path(p)
        for p in ("", "state/", "events/", "timers/", "prompts/", "dice/", "chronicle/", "seats/", "legal-commands/")
    ]

    def bodies():
        views = []
        for path in paths:
            body = bob.get(path).json()
            body.pop("at", None)
            views.append(re.sub(r'"due_in": [0-9.]+', "", json.dumps(body)))
        return views

    before = bodies()
    run(toy, HideCoins(coins=7), toy.ann)
    assert bodies() == before


def test_the_state_is_not_sent_again_while_nothing_has_happened():
    toy = toy_game()
    ann = client(toy.ann)
    tag = ann.get(toy.path("state/"))["ETag"]
    with max_queries(9) as captured:
        again = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert not any("toy_pile" in query["sql"] for query in captured.captured_queries)
    assert client(toy.bob).get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200
    run(toy, HideCoins(coins=7), toy.bob)
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 304
    run(toy, AddStones(stones=1), toy.bob)
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200


def test_a_deadline_that_moves_without_an_event_is_sent_anew():
    toy = toy_game()
    tag = client().get(toy.path("state/"))["ETag"]
    Timer.objects.filter(game=toy.game, key="tide").update(due=None, left=timedelta(seconds=90))
    clear_process_caches()  # no event says so
    again = client().get(toy.path("state/"), headers={"If-None-Match": tag})
    assert again.status_code == 200
    (timer,) = again.json()["timers"]
    assert (timer["due"], timer["due_in"], timer["frozen"]) == (None, 90.0, True)


def test_bytes_from_the_cache_count_their_seconds_anew():
    toy = toy_game()
    ann = client(toy.ann)
    first, second = ann.get(toy.path("state/")), ann.get(toy.path("state/"))
    assert first["ETag"] == second["ETag"]
    (one,), (two,) = first.json()["timers"], second.json()["timers"]
    assert 0 < two["due_in"] < one["due_in"] <= 3600


@pytest.mark.parametrize("motions", [1, 12])
def test_the_state_is_read_in_as_many_queries_whatever_its_size(motions):
    toy = toy_game()
    for number in range(motions):
        run(toy, Propose(text=f"Motion {number}"), toy.ann)
    ann = client(toy.ann)
    ann.get("/api/v1/me/")
    caches["responses"].clear()
    with max_queries(22):
        assert len(ann.get(toy.path("state/")).json()["prompts"]) == motions


def test_a_seat_of_another_user_or_no_seat_at_all_is_missing():
    toy = toy_game()
    assert_refused(client(toy.ann).get(toy.path(f"state/?seat={toy.seat(toy.bob)}")), 404, "seat.missing")
    assert_refused(client(toy.ann).get(toy.path("state/?seat=1")), 422, "query.invalid")
    assert_refused(client(toy.ann).get(toy.path("state/?as=gm")), 404, "gm.missing")
    assert_refused(client(toy.ann).get(toy.path("state/?as=god")), 422, "view.invalid")
    assert_refused(client(toy.ann).get(toy.path("state/?as=")), 422, "view.invalid")
    assert_refused(client(toy.ann).get(toy.path("state/?zoom=3")), 422, "query.invalid")


def test_what_may_be_done_is_listed_with_domains_or_the_reason():
    toy = toy_game()
    listed = LegalCommandList.model_validate_json(client(toy.ann).get(toy.path("legal-commands/")).content)
    legal, *of_every_game = listed.results
    assert {each.command for each in of_every_game} == {"enter-dice", "hand-over", "report-message", "send-message"}
    stones = {"type": "integer", "minimum": 1, "maximum": 5}
    body = {"type": "object", "properties": {"stones": stones}, "required": ["stones"], "additionalProperties": False}
    assert (legal.command, legal.legal, legal.body) == ("add-stones", True, body)
    assert set(listed.definitions) == {"text"}  # of a message
    lobby = toy_game(start=False)
    answer = client(lobby.ann).get(lobby.path("legal-commands/?command=add-stones")).content
    (barred,) = LegalCommandList.model_validate_json(answer).results
    assert (barred.legal, barred.barred.code) == (False, "phase.closed")


def test_every_reader_sees_which_user_holds_which_seat():
    toy = toy_game()
    page = SeatList.model_validate_json(client().get(toy.path("seats/")).content)
    assert [(seat.role.value, seat.name) for seat in page.results] == [
        ("gm", "Game-master"), ("host", "Host"), ("player", "Ann"), ("player", "Bob"),
    ]  # fmt: skip


def test_a_game_without_a_map_has_none_and_one_with_a_world_is_drawn():
    toy = toy_game()
    assert_refused(client().get(toy.path("map.svg")), 404, "map.missing")
    toy.game = toy.fresh()
    toy.game.world = atlantis().world
    toy.game.save()
    clear_process_caches()
    drawn = client().get(toy.path("map.svg"), headers={"Accept": "image/svg+xml"})
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert b"Oldhome" in drawn.content and b"<script" not in drawn.content
    with max_queries(6):
        again = client().get(toy.path("map.svg"), headers={"If-None-Match": drawn["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    run(toy, HideCoins(coins=1), toy.bob)
    assert client().get(toy.path("map.svg"), headers={"If-None-Match": drawn["ETag"]}).status_code == 304


def test_the_stream_is_served_beside_django_and_the_response_says_so():
    toy = toy_game()
    assert_refused(client().get(toy.path("stream/"), headers={"Accept": "text/event-stream"}), 421, "stream.elsewhere")


def test_a_user_with_two_seats_says_which():
    toy = toy_game()
    services.run(toy.game.pk, Join(name="Second"), actor=Actor(Issuer.SEAT, toy.ann.pk))
    seats = client(toy.ann).get(toy.path()).json()
    assert seats["acting_seat"] is None and len(seats["my_seats"]) == 2
    second = next(seat["id"] for seat in seats["my_seats"] if seat["name"] == "Second")
    answer = client(toy.ann).post(toy.path("commands/add-stones/"), {"stones": 1}, content_type="application/json")
    assert_refused(answer, 409, "seat.unclear")
    done = client(toy.ann).post(
        toy.path(f"commands/add-stones/?seat={second}"), {"stones": 1}, content_type="application/json"
    )
    assert done.json()["events"][0]["data"]["seat"] == second


def test_times_are_utc_and_the_response_has_the_servers_time():
    toy = toy_game()
    answer = client().get(toy.path("timers/"))
    assert answer.json()["at"].endswith("Z")
    assert "X-Server-Time" in answer and "X-Request-Id" in answer
    at = TimerList.model_validate_json(answer.content).at
    assert abs(timezone.now() - at) < timedelta(seconds=60)


@pytest.fixture
def revalidated():
    """A toy game, Ann's client and her state's tag, which she has asked for with its tag once before."""
    toy = toy_game()
    ann = client(toy.ann)
    tag = ann.get(toy.path("state/"))["ETag"]
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 304
    return toy, ann, tag


def test_an_unchanged_state_costs_one_statement_and_has_the_same_headers(revalidated, django_assert_num_queries):
    toy, ann, tag = revalidated
    first = client(toy.ann).get(toy.path("state/"), headers={"If-None-Match": tag})
    with django_assert_num_queries(1):
        again = ann.get(toy.path("state/"), headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    own = {"X-Request-Id", "X-Server-Time", "RateLimit-Remaining", "RateLimit-Reset", "Allow"}
    assert {k: v for k, v in again.items() if k not in own} == {k: v for k, v in first.items() if k not in own}
    assert int(again["RateLimit-Remaining"]) < int(again["RateLimit-Limit"])


def test_an_event_or_another_tag_ends_the_not_modified_response(revalidated):
    toy, ann, tag = revalidated
    assert ann.get(toy.path("state/"), headers={"If-None-Match": 'W/"another"'}).status_code == 200
    assert ann.get(toy.path("state/")).status_code == 200
    run(toy, AddStones(stones=1), toy.ann)
    changed = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert (changed.status_code, changed["ETag"] == tag) == (200, False)


@pytest.mark.parametrize("end", ["revoked", "expired", "inactive", "deleted", "unused"])
def test_a_rejected_token_gets_no_not_modified_response(revalidated, end):
    toy, ann, tag = revalidated
    tokens, past = Token.objects.filter(user=toy.ann), timezone.now() - timedelta(minutes=2)
    match end:
        case "revoked":
            tokens.update(revoked_at=past)
        case "expired":
            tokens.update(expires_at=past)
        case "inactive":
            User.objects.filter(pk=toy.ann.pk).update(is_active=False)
        case "deleted":
            tokens.delete()
        case "unused":
            tokens.update(last_used_at=past)
    answer = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert answer.status_code == (304 if end == "unused" else 401)
    if end == "unused":
        assert tokens.get().last_used_at > past  # full authentication, which notes the use


def test_the_not_modified_response_spends_the_budget_of_reading(revalidated, monkeypatch):
    toy, ann, tag = revalidated
    monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, "read", "1/d")
    statuses = [ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code for _ in range(2)]
    assert statuses[-1] == 429


def test_the_tag_of_one_address_or_viewer_is_no_tag_of_another(revalidated):
    toy, ann, tag = revalidated
    bob = client(toy.bob)
    assert bob.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200
    assert ann.get(toy.path("state/?as=gm"), headers={"If-None-Match": tag}).status_code == 404
    assert ann.get(toy.path("state/?seats=1"), headers={"If-None-Match": tag}).status_code == 422
