"""State, prompts, timers, events, dice and chronicle over REST: shapes, sight, positions, query counts."""

import json
import re
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.settings import api_settings

from accounts.models import Token, User
from api.kit import glances
from api.nouns import shapes
from games import services
from games.engine.conduct import EndNow, Pause
from games.engine.dice import die, reveal_matches
from games.engine.kernel import Actor, Issuer
from games.engine.seating import Join
from games.models import Timer
from tests.api.worlds import atlantis, client, toy_game, user
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose, RollStones

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_caches():
    caches["throttles"].clear()


@contextmanager
def max_queries(most):
    with CaptureQueriesContext(connection) as asked:
        yield asked
    assert len(asked) <= most, [query["sql"] for query in asked.captured_queries]


def run(toy, command, person, **more):
    actor = person if isinstance(person, Actor) else toy.actor(person)
    return services.run(toy.game.pk, command, actor=actor, **more)


def refused(answer, status, code):
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), answer.content
    assert answer.json()["code"] == code


def test_the_state_has_its_shape_for_everybody():
    toy = toy_game()
    run(toy, AddStones(stones=3), toy.ann)
    run(toy, Propose(text="Stop?"), toy.ann)
    for who, query in ((client(), ""), (client(toy.ann), ""), (client(toy.host), "?as=gm"), (client(toy.eve), "")):
        answer = who.get(toy.path(f"state/{query}"))
        state = shapes.GameState.model_validate_json(answer.content)
        assert state.cursor and state.game.floor.kind == "open"
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


def test_no_number_of_the_whole_game_is_told_to_anybody_but_in_the_log_of_the_gm():
    toy = toy_game()
    bob = client(toy.bob)
    paths = [
        toy.path(p)
        for p in ("", "state/", "events/", "timers/", "prompts/", "dice/", "chronicle/", "seats/", "legal-commands/")
    ]

    def told():
        seen = []
        for path in paths:
            body = bob.get(path).json()
            body.pop("at", None)
            seen.append(re.sub(r'"due_in": [0-9.]+', "", json.dumps(body)))
        return seen

    before = told()
    run(toy, HideCoins(coins=7), toy.ann)
    assert told() == before


def test_the_state_is_not_sent_again_while_nothing_has_happened():
    toy = toy_game()
    ann = client(toy.ann)
    tag = ann.get(toy.path("state/"))["ETag"]
    with max_queries(9) as asked:
        again = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert not any("toy_pile" in query["sql"] for query in asked.captured_queries)
    assert client(toy.bob).get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200
    run(toy, HideCoins(coins=7), toy.bob)
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 304
    run(toy, AddStones(stones=1), toy.bob)
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200


def test_a_deadline_that_moves_untold_is_sent_anew():
    toy = toy_game()
    tag = client().get(toy.path("state/"))["ETag"]
    Timer.objects.filter(game=toy.game, key="tide").update(due=None, left=timedelta(seconds=90))
    glances.forget()  # no event tells of this
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


def test_a_seat_that_is_not_ones_own_or_no_seat_at_all_is_missing():
    toy = toy_game()
    refused(client(toy.ann).get(toy.path(f"state/?seat={toy.seat(toy.bob)}")), 404, "seat.missing")
    refused(client(toy.ann).get(toy.path("state/?seat=1")), 422, "query.invalid")
    refused(client(toy.ann).get(toy.path("state/?as=gm")), 404, "gm.missing")
    refused(client(toy.ann).get(toy.path("state/?as=god")), 422, "view.invalid")
    refused(client(toy.ann).get(toy.path("state/?zoom=3")), 422, "query.invalid")


def test_a_prompt_asks_its_owners_until_they_answer():
    toy = toy_game()
    run(toy, Propose(text="Stop?", seconds=60), toy.ann)
    page = shapes.PromptList.model_validate_json(client(toy.bob).get(toy.path("prompts/")).content)
    (asked,) = page.results
    assert (asked.question, asked.kind, asked.answered_by) == ("Stop?", "MOTION", ["cast-vote"])
    assert (asked.answerable, asked.asks_me, asked.answered, asked.frozen) == (True, True, False, False)
    assert asked.silence == "A missing ballot counts as no." and asked.due and 0 < asked.due_in <= 60
    run(toy, CastVote(prompt=asked.id, yes=True), toy.bob)
    assert client(toy.bob).get(toy.path("prompts/")).json()["results"][0]["answered"] is True
    assert client(toy.eve).get(toy.path("prompts/")).json()["results"] == []
    assert len(client(toy.eve).get(toy.path("prompts/?all=1")).json()["results"]) == 1
    assert client(toy.host).get(toy.path("prompts/?as=gm")).json()["results"] == []


def test_one_inbox_lists_the_games_that_ask():
    one, two = toy_game(), toy_game()
    atlantis("Elsewhere")
    ann, bob = client(one.ann), client(one.bob)
    run(two, Propose(text="Stop?"), two.ann)
    ids = lambda who, query: [g["id"] for g in who.get(f"/api/v1/games/?{query}").json()["results"]]  # noqa: E731
    assert ids(bob, "mine=1&asked=1") == [str(two.game.pk)]
    assert ids(bob, "mine=1") == [str(two.game.pk), str(one.game.pk)]
    assert ids(client(user("eve")), "mine=1") == ids(client(), "asked=1") == []
    prompt = two.fresh().prompts.get().pk
    run(two, CastVote(prompt=prompt, yes=False), two.bob)
    assert ids(bob, "asked=1") == []
    assert ids(ann, "asked=1") == [] or two.fresh().prompts.exists()


def test_games_are_filtered_and_paged():
    games = [toy_game(start=number % 2 == 0) for number in range(5)]
    hidden = toy_game(is_public=False, start=False)
    eve = client(user("eve"))
    ids = [str(toy.game.pk) for toy in reversed(games)]
    page = shapes.GameList.model_validate_json(eve.get("/api/v1/games/?limit=2").content)
    found = [str(game.id) for game in page.results]
    while page.next:
        page = shapes.GameList.model_validate_json(eve.get(page.next).content)
        found += [str(game.id) for game in page.results]
    assert found == ids
    assert str(hidden.game.pk) in [
        g["id"] for g in client(hidden.host).get("/api/v1/games/?ruleset=toy").json()["results"]
    ]
    assert len(eve.get("/api/v1/games/?status=lobby").json()["results"]) == 2
    assert eve.get("/api/v1/games/?ruleset=chess").json()["results"] == []
    for query in ("status=over", "limit=0", "limit=101", "cursor=x", "mine=yes!", "world=1", "colour=red"):
        assert eve.get(f"/api/v1/games/?{query}").status_code == 422


@pytest.mark.parametrize("games", [2, 9])
def test_the_list_of_games_is_read_in_as_many_queries_whatever_its_length(games):
    for _ in range(games):
        toy_game()
    bob = client(user("bob"))
    bob.get("/api/v1/me/")
    with max_queries(5):
        assert len(bob.get("/api/v1/games/?mine=1&asked=1").json()["results"]) == 0
    with max_queries(3):
        assert len(bob.get("/api/v1/games/").json()["results"]) == games


def test_timers_say_when_and_freeze_with_the_clock():
    toy = toy_game()
    (timer,) = shapes.TimerList.model_validate_json(client().get(toy.path("timers/")).content).results
    assert (timer.key, timer.does, timer.frozen) == ("tide", "bring-tide", False)
    assert 3590 < timer.due_in <= 3600
    run(toy, Pause(), toy.gm)
    first, second = (client().get(toy.path("timers/")).json()["results"][0] for _ in "12")
    assert first["frozen"] and first["due_in"] == second["due_in"]


def test_the_log_is_resumed_at_every_event_without_gap_or_repeat():
    toy = toy_game()
    for stones in (1, 2, 3):
        run(toy, AddStones(stones=stones), toy.ann)
        run(toy, HideCoins(coins=stones), toy.bob)
    for who, query in ((client(toy.ann), ""), (client(toy.bob), ""), (client(toy.host), "&as=gm"), (client(), "")):
        whole = shapes.EventPage.model_validate_json(who.get(toy.path(f"events/?limit=500{query}")).content)
        assert not whole.more
        for index, event in enumerate(whole.results):
            rest = who.get(toy.path(f"events/?after={event['cursor']}{query}")).json()
            assert rest["results"] == whole.results[index + 1 :]
        paged, after, more = [], "", True
        while more:
            page = who.get(toy.path(f"events/?limit=1&after={after}{query}")).json()
            paged, after, more = paged + page["results"], page["cursor"], page["more"]
        assert paged == whole.results
        assert after == whole.cursor == who.get(toy.path(f"?{query[1:]}")).json()["cursor"]
    assert len(client(toy.bob).get(toy.path("events/")).json()["results"]) == 3 + len(
        client().get(toy.path("events/")).json()["results"]
    )


def test_a_cursor_is_opaque_and_a_made_up_one_is_refused():
    toy = toy_game()
    run(toy, HideCoins(coins=1), toy.bob)
    cursor = client(toy.bob).get(toy.path()).json()["cursor"]
    assert str(toy.seat(toy.bob)) not in cursor and "=" not in cursor
    refused(client(toy.bob).get(toy.path("events/?after=nonsense")), 422, "cursor.invalid")
    refused(client(toy.bob).get(toy.path("events/?limit=501")), 422, "page.size")


@pytest.mark.parametrize("stones", [2, 30])
def test_events_are_read_in_as_many_queries_whatever_their_number(stones):
    toy = toy_game()
    for _ in range(stones):
        run(toy, AddStones(stones=1), toy.ann)
    bob = client(toy.bob)
    bob.get("/api/v1/me/")
    with max_queries(5):
        assert len(bob.get(toy.path("events/?limit=500")).json()["results"]) > stones


def test_every_die_can_be_checked_once_the_secret_is_shown():
    toy = toy_game('{"tide_seconds": 3600, "tides": 1}')
    for person in (toy.ann, toy.bob, toy.ann):
        run(toy, RollStones(), person)
    page = shapes.DicePage.model_validate_json(client().get(toy.path("dice/")).content)
    assert (len(page.results), page.secret, page.more) == (3, None, False)
    first = client().get(toy.path("dice/?limit=1")).json()
    second = client().get(toy.path(f"dice/?limit=2&after={first['cursor']}")).json()
    assert [d["label"] for d in first["results"] + second["results"]] == [d.label for d in page.results]
    run(toy, EndNow(), toy.gm)
    shown = shapes.DicePage.model_validate_json(client().get(toy.path("dice/")).content)
    secret = bytes.fromhex(shown.secret)
    assert reveal_matches(shown.commitment, secret)
    for d in shown.results:
        assert die(secret, str(shown.game), d.label, d.index, d.sides) == d.value


def test_the_chronicle_is_told_as_json_text_and_markdown():
    toy = toy_game()
    run(toy, Propose(text="*Stop*\n<b>now</b>"), toy.ann)
    run(toy, AddStones(stones=2), toy.ann)
    page = shapes.ChroniclePage.model_validate_json(client().get(toy.path("chronicle/")).content)
    assert page.results[-1].text == "Ann adds 2 stone(s)."
    assert all(line.text for line in page.results)
    text = client().get(toy.path("chronicle/?format=text"))
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode().splitlines()[-1].endswith("  Ann adds 2 stone(s).")
    assert len(text.content.decode().splitlines()) == len(page.results)
    told = client().get(toy.path("chronicle/?format=markdown&limit=3"), headers={"Accept": "text/markdown"})
    assert told["X-More"] == "1"
    assert told.content.decode().startswith("# Cairns\n\n## ")
    rest = client().get(toy.path(f"chronicle/?format=markdown&after={told['X-Cursor']}")).content.decode()
    assert "\\*Stop\\* \\<b\\>now\\</b\\>" in rest
    refused(client().get(toy.path("chronicle/?format=pdf")), 422, "query.invalid")


def test_what_may_be_done_is_listed_with_domains_or_the_reason():
    toy = toy_game()
    offers = shapes.OfferList.model_validate_json(client(toy.ann).get(toy.path("legal-commands/")).content)
    (offer,) = offers.results
    assert (offer.command, offer.legal, offer.arguments["stones"].low, offer.arguments["stones"].high) == (
        "add-stones",
        True,
        1,
        5,
    )
    lobby = toy_game(start=False)
    (barred,) = shapes.OfferList.model_validate_json(
        client(lobby.ann).get(lobby.path("legal-commands/")).content
    ).results
    assert (barred.legal, barred.barred.code) == (False, "phase.closed")


def test_everybody_sees_who_sits_where():
    toy = toy_game()
    page = shapes.SeatList.model_validate_json(client().get(toy.path("seats/")).content)
    assert [(seat.role.value, seat.name) for seat in page.results] == [
        ("gm", "Game-master"), ("host", "Host"), ("player", "Ann"), ("player", "Bob"),
    ]  # fmt: skip


def test_a_game_without_a_map_has_none_and_one_with_a_world_is_drawn():
    toy = toy_game()
    refused(client().get(toy.path("map.svg")), 404, "map.missing")
    toy.game = toy.fresh()
    toy.game.world = atlantis().world
    toy.game.save()
    glances.forget()
    drawn = client().get(toy.path("map.svg"), headers={"Accept": "image/svg+xml"})
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert b"Oldhome" in drawn.content and b"<script" not in drawn.content
    with max_queries(6):
        again = client().get(toy.path("map.svg"), headers={"If-None-Match": drawn["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    run(toy, HideCoins(coins=1), toy.bob)
    assert client().get(toy.path("map.svg"), headers={"If-None-Match": drawn["ETag"]}).status_code == 304


def test_the_stream_is_served_beside_django_and_this_says_so():
    toy = toy_game()
    refused(client().get(toy.path("stream/"), headers={"Accept": "text/event-stream"}), 421, "stream.elsewhere")


def test_a_user_with_two_seats_says_which():
    toy = toy_game()
    services.run(toy.game.pk, Join(name="Second"), actor=Actor(Issuer.SEAT, toy.ann.pk))
    seats = client(toy.ann).get(toy.path()).json()
    assert seats["acting_seat"] is None and len(seats["my_seats"]) == 2
    second = next(seat["id"] for seat in seats["my_seats"] if seat["name"] == "Second")
    answer = client(toy.ann).post(toy.path("commands/add-stones/"), {"stones": 1}, content_type="application/json")
    refused(answer, 409, "seat.unclear")
    done = client(toy.ann).post(
        toy.path(f"commands/add-stones/?seat={second}"), {"stones": 1}, content_type="application/json"
    )
    assert done.json()["events"][0]["seat"] == second


def test_times_are_utc_and_the_server_tells_its_own():
    toy = toy_game()
    answer = client().get(toy.path("timers/"))
    assert answer.json()["at"].endswith("Z")
    assert "X-Server-Time" in answer and "X-Request-Id" in answer
    at = shapes.TimerList.model_validate_json(answer.content).at
    assert abs(timezone.now() - at) < timedelta(seconds=60)


@pytest.fixture
def asked_twice():
    """A toy game, Ann's client and her state's tag, which she has asked for with its tag once before."""
    toy = toy_game()
    ann = client(toy.ann)
    tag = ann.get(toy.path("state/"))["ETag"]
    assert ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 304
    return toy, ann, tag


def test_what_has_not_changed_is_said_in_one_statement_with_the_same_headers(asked_twice, django_assert_num_queries):
    toy, ann, tag = asked_twice
    first = client(toy.ann).get(toy.path("state/"), headers={"If-None-Match": tag})
    with django_assert_num_queries(1):
        again = ann.get(toy.path("state/"), headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    own = {"X-Request-Id", "X-Server-Time", "RateLimit-Remaining", "RateLimit-Reset", "Allow"}
    assert {k: v for k, v in again.items() if k not in own} == {k: v for k, v in first.items() if k not in own}
    assert int(again["RateLimit-Remaining"]) < int(again["RateLimit-Limit"])


def test_an_event_or_another_tag_ends_the_short_answer(asked_twice):
    toy, ann, tag = asked_twice
    assert ann.get(toy.path("state/"), headers={"If-None-Match": 'W/"another"'}).status_code == 200
    assert ann.get(toy.path("state/")).status_code == 200
    run(toy, AddStones(stones=1), toy.ann)
    changed = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert (changed.status_code, changed["ETag"] == tag) == (200, False)


@pytest.mark.parametrize("end", ["revoked", "expired", "inactive", "deleted", "unused"])
def test_a_token_that_is_worth_nothing_gets_no_short_answer(asked_twice, end):
    toy, ann, tag = asked_twice
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
        assert tokens.get().last_used_at > past  # the long way was taken, which notes the use


def test_the_short_answer_spends_the_budget_of_reading(asked_twice, monkeypatch):
    toy, ann, tag = asked_twice
    monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, "read", "1/d")
    statuses = [ann.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code for _ in range(2)]
    assert statuses[-1] == 429


def test_the_tag_of_one_address_or_viewer_is_no_tag_of_another(asked_twice):
    toy, ann, tag = asked_twice
    bob = client(toy.bob)
    assert bob.get(toy.path("state/"), headers={"If-None-Match": tag}).status_code == 200
    assert ann.get(toy.path("state/?as=gm"), headers={"If-None-Match": tag}).status_code == 404
    assert ann.get(toy.path("state/?seats=1"), headers={"If-None-Match": tag}).status_code == 422
