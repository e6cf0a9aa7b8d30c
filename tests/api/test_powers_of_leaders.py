"""Who may lead a game, and by which token: the kind is a power that goes with a seat, used by somebody else.

Whatever is issued as host or as game-master needs the scope `gm`, in REST, at the door and in GraphQL alike; a
game-master's seat is a game-master's to give; what was acknowledged is answered again as it was.
"""

import json
from uuid import UUID, uuid4

import pytest
from django.core.cache import caches

from accounts.models import Scope, User
from games import registry
from games.engine.kernel import Issuer
from games.models import LoggedEvent, Receipt
from tests.api.both_doors import BothDoors
from tests.api.test_graphql_play import data, fault
from tests.api.worlds import ToyGame, client, toy_game, user

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-5"), pytest.mark.usefixtures("through_both_doors")]
PLAYER = (Scope.READ, Scope.PLAY)
LEADERS = (Issuer.HOST, Issuer.GM)
BODIES = {
    "add-seat": {"name": "Spare"},
    "amend": {"changes": [{"deed": "alter", "table": "piles", "row": "x"}], "reason": "x"},
    "enter-die": {"label": "x", "values": [1]},
    "extend": {"timer": "tide", "seconds": 60},
    "fire-now": {"timer": "tide"},
    "lift-ban": {"ban": str(UUID(int=9))},
    "overrule": {"rule": "CF-4", "reason": "x"},
    "rewind": {"to": 2, "reason": "x"},
}
OF_LEADERS = sorted(
    slug
    for slug, command in registry.ruleset("toy").open_commands.items()
    if Issuer.SEAT not in command.issuers and {*LEADERS} & command.issuers
)


@pytest.fixture(autouse=True)
def fresh() -> None:
    caches["throttles"].clear()


def post(
    toy: ToyGame, person: User, name: str, body: dict[str, object], *scopes: Scope, query: str = "", key: str = ""
):
    headers = {"Idempotency-Key": key} if key else {}
    return client(person, *scopes).post(
        toy.path(f"commands/{name}/{query}"), json.dumps(body), content_type="application/json", headers=headers
    )


def body_of(toy: ToyGame, name: str) -> dict[str, object]:
    seated = {"seat": str(toy.seat(toy.bob)), "reason": "x"}
    return BODIES.get(name, seated if name in ("hand-over", "remove-seat") else {})


@pytest.mark.parametrize("name", [*OF_LEADERS, "hand-over"])
def test_what_leaders_issue_needs_their_scope_however_they_say_who_they_are(through_both_doors: BothDoors, name: str):
    toy = toy_game()
    seats = {role: toy.seat(toy.host, role) for role in ("host", "gm")}
    before = toy.fresh().seq
    ways = ["?as=gm", f"?as=gm&seat={toy.seat(toy.ann)}"]
    if Issuer.HOST in registry.ruleset("toy").open_commands[name].issuers:
        ways += ["", f"?seat={seats['host']}", f"?seat={seats['gm']}"]
    for way in ways:
        for dry in ("", "dry_run=1"):
            query = "?" + "&".join(filter(None, (way.lstrip("?"), dry)))
            answer = post(toy, toy.host, name, body_of(toy, name), *PLAYER, query=query)
            assert (answer.status_code, answer.json()["code"]) == (403, "token.scope"), (query, answer.json())
    assert toy.fresh().seq == before and not Receipt.objects.exists()


def test_graphql_asks_for_the_same_scope():
    toy = toy_game()
    low = client(toy.host, *PLAYER)
    for mutation in ("toyPause", "toyEndNow"):
        for way in ("", ", asGm: true", f', seat: "{toy.seat(toy.host, "host")}"'):
            found = low.post(
                "/graphql/",
                {"query": f'mutation {{ it: {mutation}(game: "{toy.game.pk}"{way}) {{ ... on Refusal {{ code }} }} }}'},
                content_type="application/json",
            ).json()
            code = found["errors"][0]["extensions"]["code"] if "errors" in found else found["data"]["it"]["code"]
            assert code in ("token.scope", "issuer.other"), (mutation, way, found)
    query = f'mutation {{ it: toyInvite(game: "{toy.game.pk}", input: {{role: gm}}) {{ ... on Refusal {{ code }} }} }}'
    found = low.post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "token.scope" in json.dumps(found), found
    assert toy.fresh().paused_at is None


def test_the_host_plays_on_with_a_token_that_plays():
    toy = toy_game(start=False)
    joined = post(toy, toy.host, "join", {"name": "The Host Plays"}, *PLAYER)
    assert joined.status_code == 201, joined.content
    assert toy.seat(toy.host)


def test_with_their_scope_leaders_lead():
    toy = toy_game()
    for name in ("add-seat", "pause"):
        answer = post(toy, toy.host, name, body_of(toy, name), *PLAYER, Scope.GM, query="?as=gm")
        assert answer.status_code == 201, answer.content


def led_by_another() -> tuple[ToyGame, User, UUID]:
    """A game whose game-master is somebody else than its host: who, and the seat."""
    toy = toy_game()
    seat, master = toy.seat(toy.host, "gm"), user("master")
    given = post(toy, toy.host, "hand-over", {"seat": str(seat), "user": str(master.pk), "reason": "x"}, query="?as=gm")
    assert given.status_code == 201, given.content
    return toy, master, seat


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("hand-over", lambda toy, seat: {"seat": str(seat), "user": str(toy.host.pk), "reason": "x"}),
        ("hand-over", lambda toy, seat: {"seat": str(seat), "reason": "x"}),
        ("invite", lambda toy, seat: {"role": "gm"}),
    ],
    ids=["take", "empty", "invite"],
)
def test_a_host_does_not_seat_a_game_master_where_one_sits(name: str, body):
    toy, master, seat = led_by_another()
    answer = post(toy, toy.host, name, body(toy, seat))
    assert (answer.status_code, answer.json()["code"]) == (409, "issuer.other")
    assert "game-master" in answer.json()["detail"]
    assert toy.fresh().seats.get(pk=seat).user == master

    # Where nobody is one, the host finds another.
    assert post(toy, master, "hand-over", {"seat": str(seat)}, query="?as=gm").status_code == 201
    assert post(toy, toy.host, name, body(toy, seat)).status_code == 201


def test_a_host_gives_a_players_seat_away():
    toy, _, _ = led_by_another()
    body = {"seat": str(toy.seat(toy.bob)), "user": str(toy.eve.pk), "reason": "Bob is ill."}
    assert post(toy, toy.host, "hand-over", body).status_code == 201


@pytest.mark.parametrize("way", ["", "?seat={seat}", "?as=gm"], ids=["unsaid", "seat", "gm"])
def test_giving_the_own_seat_away_is_acknowledged_then_and_again(way: str):
    """What was acknowledged is answered as it was, also when somebody else sits there."""
    toy = toy_game()
    person, role = (toy.host, "gm") if "as=gm" in way else (toy.ann, "player")
    seat = toy.seat(person, role)
    body = {"seat": str(seat), "user": str(toy.eve.pk), "reason": "I have to go."}
    query = way.format(seat=seat)

    first = post(toy, person, "hand-over", body, query=query, key="k1")
    again = post(toy, person, "hand-over", body, query=query, key="k1")

    assert (first.status_code, again.status_code) == (201, 201), (first.content, again.content)
    assert [each["type"] for each in first.json()["events"]] == ["core.HandedOver", "core.SeatMoved"]
    assert again.json()["replayed"] and again.json()["events"] == first.json()["events"]
    assert LoggedEvent.objects.filter(game=toy.game, type="HandedOver").count() == 1

    # It answers nobody else, and no other command.
    assert post(toy, toy.bob, "hand-over", body, query=query, key="k1").status_code in (404, 409, 422)
    other = post(toy, person, "hand-over", body | {"reason": "Other."}, query=query, key="k1")
    assert other.status_code in (404, 409, 422)
    fresh = post(toy, person, "hand-over", body, query=query, key="k2")
    assert fresh.status_code in (404, 409, 422)


def test_graphql_answers_what_was_acknowledged_too():
    toy = toy_game()
    seat = toy.seat(toy.ann)
    query = f"""mutation {{ it: toyHandOver(game: "{toy.game.pk}", seat: "{seat}", idempotencyKey: "k",
        input: {{seat: "{seat}", user: "{toy.eve.pk}", reason: "x"}})
        {{ ... on CommandDone {{ replayed events {{ type }} }} ... on Refusal {{ code }} }} }}"""
    first, again = (data(client(toy.ann), query)["it"] for _ in range(2))
    assert first["events"] and not first["replayed"]
    assert again == first | {"replayed": True}


def test_a_private_game_that_was_left_answers_who_left_it():
    """Its host gave the last seat away: what they may not see any more was acknowledged all the same."""
    toy = toy_game(is_public=False, start=False)
    for role, query in (("gm", "?as=gm"), ("host", "")):
        body = {"seat": str(toy.seat(toy.host, role)), "user": str(toy.eve.pk), "reason": "x"}
        for replayed in (False, True):
            answer = post(toy, toy.host, "hand-over", body, query=query, key=role)
            assert answer.status_code == 201, (role, replayed, answer.content)
            assert answer.json()["replayed"] is replayed
    assert client(toy.host).get(toy.path()).status_code == 404
    assert post(toy, toy.host, "hand-over", {"seat": str(uuid4())}, key="other").status_code == 404
    assert fault(client(toy.host), f'{{ game(id: "{toy.game.pk}") {{ id }} }}')["code"] == "game.missing"
