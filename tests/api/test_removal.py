"""A person is taken off their seat: what they saw ends with it, and a ban is kept in both APIs until it is lifted."""

import pytest

from games.models import Ban, Seat
from tests.api.test_bounds_of_people import ask
from tests.api.worlds import assert_refused, client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-5")]
JOIN = "mutation($g: UUID!, $i: JoinInput!) { it: toyJoin(game: $g, input: $i) { __typename ... on Refusal { code } } }"
REMOVE = """mutation($g: UUID!, $i: RemoveSeatInput!) { it: toyRemoveSeat(game: $g, asGm: true, input: $i) {
  __typename ... on Refusal { code } ... on CommandDone { events { type } } } }"""
MENU = "query($g: UUID!) { game(id: $g) { legalCommands { results { command legal barred { code } } } } }"
LIFT = "mutation($g: UUID!, $i: LiftBanInput!) { it: toyLiftBan(game: $g, asGm: true, input: $i) { __typename } }"


def join_in_menu(viewer, toy) -> list[tuple[bool, str]]:
    """What a person's menu says of `join`, the same in both APIs: whether it is legal, and what bars it."""
    rest = viewer.get(toy.path("legal-commands/")).json()["results"]
    graphql = ask(viewer, MENU, g=str(toy.game.pk))["game"]["legalCommands"]["results"]
    found, again = (
        [(each["legal"], (each["barred"] or {"code": ""})["code"]) for each in listed if each["command"] == "join"]
        for listed in (rest, graphql)
    )
    assert found == again
    return found


def test_who_is_removed_and_banned_sees_and_sits_no_more_until_the_ban_is_lifted():
    toy = toy_game()
    eve, host, ann = client(toy.eve), client(toy.host), client(toy.ann)
    game, as_host = str(toy.game.pk), f"?seat={toy.seat(toy.host, 'host')}"
    wish = {"name": "Eve", "role": "observer"}
    assert eve.post(toy.path("join/"), wish, "application/json").status_code == 201
    seat = str(toy.seat(toy.eve, "observer"))
    assert eve.get(toy.path(f"state/?seat={seat}")).status_code == 200
    removal = {"seat": seat, "ban": True, "reason": "shouts"}
    assert_refused(ann.post(toy.path("commands/remove-seat/"), removal, "application/json"), 409, "issuer.other")
    assert ask(ann, REMOVE, g=game, i=removal)["it"]["code"] == "gm.missing"
    done = host.post(toy.path(f"commands/remove-seat/{as_host}"), removal, "application/json")
    assert done.status_code == 201, done.content
    assert [event["type"] for event in done.json()["events"]] == ["core.SeatRemoved", "core.Banned"]
    assert_refused(eve.get(toy.path(f"state/?seat={seat}")), 404, "seat.missing")
    assert not Seat.objects.filter(pk=seat).exists()
    for body in (wish, {"name": "Mask"}):
        assert_refused(eve.post(toy.path("join/"), body, "application/json"), 409, "person.banned")
        assert ask(eve, JOIN, g=game, i=body)["it"] == {"__typename": "Refusal", "code": "person.banned"}
    assert join_in_menu(eve, toy) == [(False, "person.banned")]
    given = {"seat": str(toy.seat(toy.ann)), "user": str(toy.eve.pk)}
    assert_refused(ann.post(toy.path("commands/hand-over/"), given, "application/json"), 409, "person.banned")
    for viewer, query, count in ((host, as_host, 1), (host, "?as=gm", 1), (ann, "", 0), (eve, "", 0)):
        assert len(viewer.get(toy.path(f"state/{query}")).json()["bans"]) == count
    listed = host.get(toy.path("legal-commands/?as=gm&command=lift-ban")).json()["results"]
    ban = str(Ban.objects.get().pk)
    assert [each["legal"] for each in listed] == [True] and ban in str(listed)
    assert ask(host, LIFT, g=game, i={"ban": ban})["it"]["__typename"] == "CommandDone"
    assert not Ban.objects.exists() and join_in_menu(eve, toy)[0] == (True, "")
    assert eve.post(toy.path("join/"), wish, "application/json").status_code == 201
    again = {"seat": str(toy.seat(toy.eve, "observer")), "reason": "shouts"}
    events = ask(host, REMOVE, g=game, i=again)["it"]["events"]
    assert [event["type"] for event in events] == ["core.SeatRemoved", "core.SeatMoved"]
