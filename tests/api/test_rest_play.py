"""A game of Cairns over REST, from its opening to its end: commands, refusals, keys, positions, previews."""

import json
from uuid import uuid4

import pytest

from api.representations.shapes.commands import CommandDone, CommandDryRun
from api.representations.shapes.games import GameDetail
from games.models import Game, LoggedEvent, Receipt
from tests.api.worlds import client, toy_game, user
from tests.toy.models import Hoard, Pile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
JSON = "application/json"


def post(who, path, body=None, **headers):
    raw = body if isinstance(body, str | bytes) else json.dumps(body or {})
    return who.post(path, raw, content_type=JSON, headers={k.replace("_", "-"): v for k, v in headers.items()})


def assert_refused(answer, status, code):
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), answer.content
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]
    return problem


def counts():
    return LoggedEvent.objects.count(), Receipt.objects.count(), Pile.objects.count(), Hoard.objects.count()


def test_a_game_is_opened_joined_begun_and_played():
    host, ann = client(user("host")), client(user("ann"))
    opened = post(host, "/api/v1/games/", {"ruleset": "toy", "name": "Shore", "options": {"tides": 3}})
    assert opened.status_code == 201
    detail = GameDetail.model_validate_json(opened.content)
    assert (detail.name, detail.status, detail.options["tides"]) == ("Shore", "lobby", 3)
    assert sorted(seat.role for seat in detail.my_seats) == ["gm", "host"]
    place = opened["Location"].removeprefix("http://testserver")
    assert place == f"/api/v1/games/{detail.id}/"

    joined = post(ann, f"{place}join/", {"name": "Ann"})
    assert joined.status_code == 201
    done = CommandDone.model_validate_json(joined.content)
    assert [(e.type, e.data["name"]) for e in done.events] == [("core.SeatTaken", "Ann")]

    begun = post(host, f"{place}commands/start/?as=gm")
    assert [e["type"] for e in begun.json()["events"]] == ["core.Started"]

    added = post(ann, f"{place}commands/add-stones/", {"stones": 3})
    assert added.status_code == 201
    (event,) = added.json()["events"]
    assert (event["type"], event["data"]["stones"], event["rules"], event["text"]) == (
        "toy.StonesAdded", 3, ["TOY-PILE-1"], "Ann adds 3 stones.",
    )  # fmt: skip
    assert added.json()["cursor"] == event["cursor"] == ann.get(place).json()["cursor"]
    assert Pile.objects.get().stones == 3


def test_a_body_that_is_no_json_is_unreadable():
    toy = toy_game()
    before = counts()
    for raw in ("{", b'{"stones": \xff}', '{"stones": 1, "stones": 2}', '{"stones": NaN}', "[" * 200):
        assert_refused(post(client(toy.ann), toy.path("commands/add-stones/"), raw), 400, "body.unreadable")
    assert counts() == before


def test_a_field_that_does_not_exist_is_named_by_its_pointer():
    toy = toy_game()
    before = counts()
    problem = assert_refused(
        post(client(toy.ann), toy.path("commands/add-stones/"), {"stones": 1, "colour": "red"}), 422, "body.invalid"
    )
    assert [(e["pointer"], e["code"]) for e in problem["errors"]] == [("/colour", "extra_forbidden")]
    assert counts() == before


@pytest.mark.parametrize("stones", ["3", 3.0, True, None, 0, 6, [3]])
def test_a_value_of_another_type_is_not_turned_into_the_right_one(stones):
    toy = toy_game()
    before = counts()
    problem = assert_refused(
        post(client(toy.ann), toy.path("commands/add-stones/"), {"stones": stones}), 422, "body.invalid"
    )
    assert [e["pointer"] for e in problem["errors"]] == ["/stones"]
    assert counts() == before


def test_a_body_of_another_media_type_is_not_taken():
    toy = toy_game()
    answer = client(toy.ann).post(
        toy.path("commands/add-stones/"), "stones=3", content_type="application/x-www-form-urlencoded"
    )
    assert_refused(answer, 415, "body.type_unknown")


def test_before_the_start_a_command_is_refused_as_phase_closed():
    toy = toy_game(start=False)
    before = counts()
    assert_refused(post(client(toy.ann), toy.path("commands/add-stones/"), {"stones": 1}), 409, "phase.closed")
    assert counts() == before


def test_a_command_that_is_unknown_or_the_clocks_is_missing():
    toy = toy_game()
    for name in ("add-gold", "bring-tide", "settle-default", "Add-Stones"):
        assert_refused(post(client(toy.ann), toy.path(f"commands/{name}/")), 404, "command.missing")


def test_a_command_of_the_gms_needs_a_game_masters_visibility():
    toy = toy_game()
    before = counts()
    assert_refused(
        post(client(toy.host), toy.path("commands/overrule/"), {"rule": "G2-WAR-1", "reason": "x"}), 409, "issuer.other"
    )
    assert_refused(post(client(toy.ann), toy.path("commands/pause/?as=gm")), 404, "gm.missing")
    assert_refused(post(client(toy.ann), toy.path("commands/pause/")), 409, "issuer.other")
    assert counts() == before


def test_the_seat_of_another_user_is_missing():
    toy = toy_game()
    before = counts()
    assert_refused(
        post(client(toy.ann), toy.path(f"commands/add-stones/?seat={toy.seat(toy.bob)}"), {"stones": 1}),
        404,
        "seat.missing",
    )
    assert_refused(post(client(toy.eve), toy.path("commands/add-stones/"), {"stones": 1}), 404, "seat.missing")
    assert counts() == before


def test_a_gm_acts_for_an_absent_seat_and_the_event_says_so():
    toy = toy_game()
    seat = toy.seat(toy.bob)
    answer = post(client(toy.host), toy.path(f"commands/add-stones/?as=gm&seat={seat}"), {"stones": 2})
    (event,) = answer.json()["events"]
    assert (event["data"]["seat"], event["on_behalf_of"]) == (str(seat), str(seat))


def test_a_gm_who_acts_for_a_seat_reads_its_menu_in_both_apis():
    toy = toy_game()
    own = client(toy.bob).get(toy.path("legal-commands/")).json()
    acting = client(toy.host).get(toy.path(f"legal-commands/?as=gm&seat={toy.seat(toy.bob)}")).json()
    assert acting["$defs"] == {} and set(own["$defs"]) == {"text"}  # of a message
    of_holder = {"hand-over", "report-message", "send-message"}  # done by its holder alone
    without = [each for each in own["results"] if each["command"] not in of_holder]
    assert [each["command"] for each in without] == ["add-stones", "enter-dice"]
    assert acting["results"] == without
    query = """query($g: UUID!, $s: UUID!) {
      game(id: $g, asGm: true, seat: $s) { legalCommands { results { command } } } }"""
    body = {"query": query, "variables": {"g": str(toy.game.pk), "s": str(toy.seat(toy.bob))}}
    found = client(toy.host).post("/graphql/", body, content_type="application/json").json()
    assert [each["command"] for each in found["data"]["game"]["legalCommands"]["results"]] == [
        "add-stones",
        "enter-dice",
    ]


def test_without_a_token_nobody_acts():
    toy = toy_game()
    answer = post(client(), toy.path("commands/add-stones/"), {"stones": 1})
    assert_refused(answer, 401, "token.needed")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_the_same_key_again_is_answered_with_the_same_bytes_and_does_nothing():
    toy = toy_game()
    ann = client(toy.ann)
    first = post(ann, toy.path("commands/add-stones/"), {"stones": 3}, Idempotency_Key="k-1")
    before = counts()
    again = post(ann, toy.path("commands/add-stones/"), '{ "stones" : 3 }', Idempotency_Key="k-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content.replace(b'"replayed":false', b'"replayed":true') == again.content
    assert counts() == before
    assert Pile.objects.get().stones == 3


def test_the_same_key_with_another_body_is_refused():
    toy = toy_game()
    ann = client(toy.ann)
    post(ann, toy.path("commands/add-stones/"), {"stones": 3}, Idempotency_Key="k-1")
    before = counts()
    assert_refused(post(ann, toy.path("commands/add-stones/"), {"stones": 4}, Idempotency_Key="k-1"), 422, "key.reused")
    assert_refused(post(ann, toy.path("commands/hide-coins/"), {"coins": 4}, Idempotency_Key="k-1"), 422, "key.reused")
    assert counts() == before


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there"])
def test_a_key_has_one_to_255_printable_characters(key):
    toy = toy_game()
    before = counts()
    assert_refused(
        post(client(toy.ann), toy.path("commands/add-stones/"), {"stones": 1}, Idempotency_Key=key),
        400,
        "request.unfit",
    )
    assert counts() == before


def test_a_key_of_255_characters_is_taken():
    toy = toy_game()
    assert (
        post(client(toy.ann), toy.path("commands/add-stones/"), {"stones": 1}, Idempotency_Key="x" * 255).status_code
        == 201
    )


def test_a_command_on_an_old_position_is_stale():
    toy = toy_game()
    ann, bob = client(toy.ann), client(toy.bob)
    state = ann.get(toy.path("state/"))
    cursor, tag = state.json()["cursor"], state["ETag"]
    assert post(bob, toy.path("commands/add-stones/"), {"stones": 1}).status_code == 201
    before = counts()
    assert_refused(post(ann, toy.path(f"commands/add-stones/?expected={cursor}"), {"stones": 1}), 412, "position.stale")
    assert_refused(
        post(ann, toy.path("commands/add-stones/"), {"stones": 1}, If_Match=f'"{cursor}"'), 412, "position.stale"
    )
    assert_refused(post(ann, toy.path("commands/add-stones/"), {"stones": 1}, If_Match=tag), 412, "position.stale")
    assert counts() == before


def test_a_command_on_the_current_position_is_done():
    toy = toy_game()
    ann = client(toy.ann)
    cursor = ann.get(toy.path("state/")).json()["cursor"]
    done = post(ann, toy.path(f"commands/add-stones/?expected={cursor}"), {"stones": 1})
    assert done.status_code == 201
    assert (
        post(ann, toy.path("commands/add-stones/"), {"stones": 1}, If_Match=f'"{done.json()["cursor"]}"').status_code
        == 201
    )
    assert (
        post(
            ann, toy.path("commands/add-stones/"), {"stones": 1}, If_Match=ann.get(toy.path("state/"))["ETag"]
        ).status_code
        == 201
    )


def test_what_others_do_in_secret_makes_no_position_stale():
    toy = toy_game()
    ann, bob = client(toy.ann), client(toy.bob)
    cursor = ann.get(toy.path("state/")).json()["cursor"]
    assert post(bob, toy.path("commands/hide-coins/"), {"coins": 9}).status_code == 201
    assert post(ann, toy.path(f"commands/add-stones/?expected={cursor}"), {"stones": 1}).status_code == 201


def test_a_dry_run_says_what_would_happen_and_stores_nothing():
    toy = toy_game()
    ann = client(toy.ann)
    before = counts()
    answer = post(ann, toy.path("commands/add-stones/?dry_run=1"), {"stones": 2}, Idempotency_Key="k-1")
    assert answer.status_code == 200
    dry_run = CommandDryRun.model_validate_json(answer.content)
    assert [(e.type, e.data["stones"]) for e in dry_run.events] == [("toy.StonesAdded", 2)]
    assert counts() == before
    assert_refused(post(ann, toy.path("commands/add-stones/?dry_run=perhaps"), {"stones": 2}), 422, "query.invalid")
    assert post(ann, toy.path("commands/add-stones/"), {"stones": 5}, Idempotency_Key="k-1").json()["replayed"] is False


def test_a_misspelt_parameter_is_reported_and_nothing_is_done():
    toy = toy_game()
    before = counts()
    problem = assert_refused(
        post(client(toy.ann), toy.path("commands/add-stones/?dryrun=1"), {"stones": 2}), 422, "query.invalid"
    )
    assert problem["errors"][0]["parameter"] == "dryrun"
    assert counts() == before


def test_the_response_shows_the_actors_secrets_to_the_actor_alone():
    toy = toy_game()
    ann, bob, gm = client(toy.ann), client(toy.bob), client(toy.host)
    start = bob.get(toy.path()).json()["cursor"]
    hidden = post(ann, toy.path("commands/hide-coins/"), {"coins": 9})
    assert [e["type"] for e in hidden.json()["events"]] == ["toy.CoinsHidden"]
    assert bob.get(toy.path()).json()["cursor"] == start
    assert bob.get(toy.path(f"events/?after={start}")).json()["results"] == []
    assert [e["type"] for e in gm.get(toy.path("events/?as=gm&limit=500")).json()["results"]][-1] == "toy.CoinsHidden"


def test_a_game_that_is_not_there_and_one_that_is_hidden_are_missing_alike():
    toy = toy_game(is_public=False, start=False)
    eve = client(toy.eve)
    for path in (
        "",
        "state/",
        "events/",
        "seats/",
        "dice/",
        "timers/",
        "prompts/",
        "chronicle/",
        "map.svg",
        "legal-commands/",
    ):
        hidden = assert_refused(eve.get(toy.path(path)), 404, "game.missing")
        absent = assert_refused(eve.get(f"/api/v1/games/{uuid4()}/{path}"), 404, "game.missing")
        assert {**hidden, "request_id": ""} == {**absent, "request_id": ""}
    for role in ("player", "observer"):
        for address in ("join/", "commands/join/"):
            assert_refused(post(eve, toy.path(address), {"name": "Eve", "role": role}), 404, "game.missing")
            assert_refused(
                post(eve, toy.path(address), {"name": "Eve", "role": role, "code": "0" * 32}), 404, "game.missing"
            )
    assert client(toy.host).get(toy.path()).status_code == 200


def test_a_new_game_says_which_option_is_wrong():
    host = client(user("host"))
    before = Game.objects.count()
    wish = {"ruleset": "toy", "name": "Shore", "options": {"tides": 0}}
    problem = assert_refused(post(host, "/api/v1/games/", wish), 422, "body.invalid")
    assert [e["pointer"] for e in problem["errors"]] == ["/options/tides"]
    assert_refused(post(host, "/api/v1/games/", {**wish, "ruleset": "chess"}), 404, "ruleset.missing")
    assert_refused(post(host, "/api/v1/games/", {"name": "Shore"}), 422, "body.invalid")
    assert_refused(post(host, "/api/v1/games/", "[]"), 422, "body.invalid")
    assert_refused(post(host, "/api/v1/games/", {"ruleset": "toy", "name": " "}), 422, "body.invalid")
    assert_refused(post(client(), "/api/v1/games/", wish), 401, "token.needed")
    assert Game.objects.count() == before


def test_anonymous_reading_is_a_setting(settings):
    toy = toy_game()
    assert client().get(toy.path("state/")).status_code == 200
    settings.ANONYMOUS_READ = False
    for path in (toy.path("state/"), "/api/v1/games/", "/api/v1/worlds/", "/api/v1/toy/piles/", "/api/v1/rulesets/"):
        assert_refused(client().get(path), 401, "token.needed")


def test_an_unsupported_method_is_refused_with_the_allowed_ones():
    toy = toy_game()
    answer = client(toy.ann).delete(toy.path("commands/add-stones/"))
    assert_refused(answer, 405, "method.unknown")
    assert "POST" in answer["Allow"]
