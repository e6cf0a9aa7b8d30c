"""A seat that a bot keeps is taken by `join` alike in REST and GraphQL, by one rule and with one refusal."""

import pytest
from django.test import Client

from games import registry, services
from games.engine.lifecycle.seating import HandOver
from games.engine.policies import QuestionPolicy
from games.models import LoggedEvent, Seat
from tests.api.test_bounds_of_people import ask, post
from tests.api.worlds import ToyGame, assert_refused, client, toy_game, user

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-5")]
JOIN = """mutation($g: UUID!, $i: JoinInput!) { it: toyJoin(game: $g, input: $i) {
  __typename ... on Refusal { code detail } ... on CommandDone { events { type } } } }"""
SEATS = "query($g: UUID!) { game(id: $g) { seats { id isClaimable } } }"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyGame:
    """A game in which bots stand in: for Ann, and for Bob, whose seat is for anybody."""
    monkeypatch.setitem(registry.ruleset("toy").policies, "idle", QuestionPolicy(answers={}))
    toy = toy_game()
    for person in (toy.ann, toy.bob):
        actor = toy.actor(person)
        keep = HandOver(seat=actor.seat, user=person.pk, bot="idle", is_claimable=person == toy.bob)
        services.run(toy.game.pk, keep, actor=actor)
    return toy


def claimable(viewer: Client, toy: ToyGame) -> set[str]:
    """The seats that both APIs list as kept for anybody."""
    graphql = ask(viewer, SEATS, g=str(toy.game.pk))["game"]["seats"]
    found = {each["id"] for each in graphql if each["isClaimable"]}
    for path, part in (("seats/", "results"), ("state/", "seats")):
        rows = viewer.get(toy.path(path)).json()[part]
        assert {each["id"] for each in rows if each["is_claimable"]} == found
    return found


def test_a_kept_seat_is_listed_offered_and_taken_in_both_apis_and_that_of_an_absent_person_in_none(toy):
    ann, bob, game = str(toy.seat(toy.ann)), str(toy.seat(toy.bob)), str(toy.game.pk)
    eve, former = client(toy.eve), client(toy.bob)
    assert claimable(client(), toy) == {bob}
    menu = eve.get(toy.path("legal-commands/?command=join&legal=1")).content.decode()
    assert bob in menu and ann not in menu
    moves = LoggedEvent.objects.filter(game=toy.game, type="HandedOver")  # bots look at the game meanwhile
    before = moves.count()
    refused = post(eve, toy.path("join/"), {"name": "Eve", "seat": ann})
    assert_refused(refused, 409, "seat.taken")
    again = ask(eve, JOIN, g=game, i={"name": "Eve", "seat": ann})["it"]
    assert again == {"__typename": "Refusal", "code": "seat.taken", "detail": refused.json()["detail"]}
    assert "that a bot keeps for anybody" in again["detail"] and moves.count() == before

    done = ask(eve, JOIN, g=game, i={"name": "Eve", "seat": bob})["it"]
    assert done == {"__typename": "CommandDone", "events": [{"type": "core.HandedOver"}]}
    seat = Seat.objects.get(pk=bob)
    assert (seat.user_id, seat.bot, seat.is_claimable) == (toy.eve.pk, "", False)
    assert claimable(eve, toy) == set()
    assert eve.get(toy.path(f"state/?seat={bob}")).status_code == 200
    assert_refused(former.get(toy.path(f"state/?seat={bob}")), 404, "seat.missing")
    for path in ("join/", "commands/join/"):
        assert_refused(post(client(user("olga")), toy.path(path), {"name": "Olga", "seat": bob}), 409, "seat.taken")


def test_who_plays_here_is_told_which_seat_they_have(toy):
    bob, ann = str(toy.seat(toy.bob)), client(toy.ann)
    answer = post(ann, toy.path("join/"), {"name": "Ann II", "seat": bob})
    assert_refused(answer, 409, "seat.held")
    assert answer.json()["facts"] == {"seat": str(toy.seat(toy.ann)), "most": 1}
    assert ask(ann, JOIN, g=str(toy.game.pk), i={"name": "Ann II", "seat": bob})["it"]["code"] == "seat.held"


def test_a_seat_is_opened_to_anybody_by_rest_as_by_a_command_of_the_service(toy):
    ann = toy.seat(toy.ann)
    wish = {"seat": str(ann), "user": str(toy.ann.pk), "bot": "idle", "is_claimable": True}
    assert post(client(toy.ann), toy.path("commands/hand-over/"), wish).status_code == 201
    assert Seat.objects.get(pk=ann).is_claimable
    events = LoggedEvent.objects.filter(game=toy.game, type="SeatMadeClaimable")
    assert [row.audience for row in events] == ["public", "public"]
    assert post(client(toy.eve), toy.path("join/"), {"name": "Eve", "seat": str(ann)}).status_code == 201
