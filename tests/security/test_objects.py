"""Who may do what to whose things: strangers change nothing, what may not be seen is missing, and text stays text.

The matrix is made from the addresses themselves: each that changes something is tried by everybody who should not.
"""

import json
from collections.abc import Callable
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.test import Client

from accounts.models import Invitation, Scope, Token, User
from accounts.services import mint_token
from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Overrule
from games.engine.lifecycle.seating import Join
from games.models import Game, LoggedEvent, Seat
from tests.api.worlds import atlantis, bearer, client, toy_game
from tests.security.addresses import routes

pytestmark = pytest.mark.django_db
METHODS = ("POST", "PUT", "PATCH", "DELETE")
OPEN = {"sign-up": "for those who are let in", "games": "any player may open a game", "tokens": "one's own",
        "calendar-address": "one's own", "email-confirmation": "one's own",
        "webhooks": "one's own, of a public game: tests/webhooks",
        "webhook-endpoints": "one's own",
        "chat-hooks": "one's own, of a public game: tests/chat_hooks",
        "muted-seats": "one's own, of a public game: tests/api/test_messages", "muted-seat": "one's own",
        "push-subscriptions": "one's own", "push-renewals": "by a secret: tests/notifications/test_push_api",
        "push-worker": "one script, the same for all",
        "notification-settings": "one's own", "notifications-page": "one's own",
        "me": "oneself", "password": "oneself", "join": "a public game is open to all", "home": "leads elsewhere",
        "graphql": "mutations are tried below", "metrics": "answers, whatever is sent",
        "livez": "answers, whatever is sent", "readyz": "answers, whatever is sent",
        "graphql-asset": "files of a page", "graphql-schema": "is the same for all",
        "asyncapi": "is the same for all"}  # fmt: skip
UGLY = '<script>alert(1)</script><svg onload="x">&\u202e]]>--\'"*_#[a](javascript:b)'


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()


def bodies(name: str) -> list[dict]:
    """Fields of a command that its owner could send."""
    return {"add-stones": [{"stones": 1}], "hide-coins": [{"coins": 1}]}.get(name, [{}])


def is_unknown(view: type | Callable[..., object], method: str) -> bool:
    """Whether a class of a view has nothing that answers a method."""
    return isinstance(view, type) and not hasattr(view, method.lower())


def counts() -> tuple[int, ...]:
    return tuple(m.objects.count() for m in (Game, LoggedEvent, Seat, Token, Invitation, User))


def test_no_address_lets_a_stranger_change_the_things_of_another_user():
    toy = toy_game()
    mark, _ = mint_token(toy.ann, "anns", tuple(Scope))
    people = {"nobody": {}, "stranger": bearer(toy.eve), "reader": bearer(toy.ann, Scope.READ)}
    filled = {
        "<uuid:game_id>": str(toy.game.pk),
        "<uuid:key>": str(mark.pk),
        "<uuid:world_id>": str(uuid4()),
        "<slug:slug>": "toy",
    }
    commands = list(registry.ruleset("toy").open_commands)
    tried, before, seq = 0, counts(), toy.fresh().seq
    for template, name, view in routes():
        if name in OPEN:
            continue
        path = template
        for place, value in filled.items():
            path = path.replace(place, value)
        for command in commands if "<str:name>" in path else [""]:
            for who, headers in people.items():
                for method in METHODS:
                    if is_unknown(view, method) and who != "stranger":
                        continue  # 405, whoever asks: one suffices
                    for body in bodies(command):
                        caches["throttles"].clear()
                        answer = Client(headers=headers).generic(
                            method, "/" + path.replace("<str:name>", command), json.dumps(body),
                            content_type="application/json",
                        )  # fmt: skip
                        ticket = name == "tickets-of-game" and who != "nobody"  # a key to what the user may see anyway
                        assert answer.status_code >= 400 or ticket, f"{who}: {method} {path}: {answer.status_code}"
                        tried += 1
    assert tried > 500
    assert counts() == before
    assert toy.fresh().seq == seq
    assert Token.objects.live().filter(pk=mark.pk).exists()


def test_no_mutation_lets_a_stranger_change_the_game_of_another_user():
    toy = toy_game()
    seq, tried = toy.fresh().seq, 0
    people = (Client(), client(toy.eve), client(toy.ann, Scope.READ))
    for name, kind in registry.ruleset("toy").open_commands.items():
        fields = bodies(name)[0]
        if name != "join" and all(not found.is_required() or key in fields for key, found in kind.model_fields.items()):
            first, *more = name.split("-")
            given = "".join(f"{key}: {value} " for key, value in fields.items())
            args = f"input: {{ {given}}}" if kind.model_fields else ""
            field = f"toy{first.title()}{''.join(word.title() for word in more)}"
            query = f'mutation {{ {field}(game: "{toy.game.pk}" {args}) {{ __typename ... on Refusal {{ status }} }} }}'
            for somebody in people:
                answer = somebody.post(
                    "/graphql/", json.dumps({"query": query}), content_type="application/json"
                ).json()
                assert "errors" not in answer, answer
                assert answer["data"][field]["__typename"] == "Refusal"
                assert answer["data"][field]["status"] in (401, 403, 404, 409)
                tried += 1
    assert tried >= 15
    assert toy.fresh().seq == seq


def test_commands_of_another_seat_or_role_are_refused_and_write_nothing():
    toy = toy_game()
    seq = toy.fresh().seq
    commands = registry.ruleset("toy").open_commands
    ann = client(toy.ann)
    anns, hosts = toy.seat(toy.ann), toy.seat(toy.host, "gm")
    for name, kind in commands.items():
        for query in (f"?seat={hosts}", f"?seat={toy.seat(toy.bob)}", "?as=gm", f"?as=gm&seat={anns}"):
            answer = ann.post(
                toy.path(f"commands/{name}/{query}"), json.dumps(bodies(name)[0]), content_type="application/json"
            )
            assert answer.status_code == 404 or (answer.status_code, answer.json()["code"]) == (422, "body.invalid")
        if Issuer.SEAT not in kind.issuers:
            answer = ann.post(toy.path(f"commands/{name}/"), "{}", content_type="application/json")
            assert answer.status_code >= 400
    assert toy.fresh().seq == seq


def test_what_may_not_be_seen_is_missing_byte_for_byte_for_every_verb():
    hidden = toy_game(is_public=False)
    own, _ = mint_token(hidden.host, "hosts")
    world = atlantis("Hidden", is_public=False).world
    there = {"<uuid:game_id>": str(hidden.game.pk), "<uuid:world_id>": str(world.pk)}
    strangers, requests = ({}, bearer(hidden.eve)), 0
    for template, name, view in routes():
        known = there | {"<uuid:key>": str(own.pk if name == "token" else world.pk), "<str:name>": "add-stones"}
        if not any(place in template for place in ("game_id", "world_id", "key")) or "<slug" in template:
            continue
        for headers in strangers:
            for method in ("GET", "POST", "DELETE"):
                if is_unknown(view, method) and headers:
                    continue
                answers = []
                for missing in (False, True):
                    path = template
                    for place, value in known.items():
                        path = path.replace(place, value if not missing or place == "<str:name>" else str(uuid4()))
                    caches["throttles"].clear()
                    answer = Client(headers={**headers, "X-Request-Id": "the-same-one"}).generic(
                        method, f"/{path}", '{"stones": 1}', content_type="application/json"
                    )
                    answers.append((answer.status_code, answer.content))
                    requests += 1
                assert answers[0] == answers[1], f"{method} {template} reveals what is there"
                assert answers[0][0] not in (200, 201, 204, 403)
    assert requests > 100


def test_names_and_messages_stay_text_in_the_map_the_chronicle_and_the_admin():
    toy = toy_game()
    observer = Join(name=UGLY.replace("\u202e", ""), role="observer")
    services.run(toy.game.pk, observer, actor=Actor(Issuer.SEAT, toy.eve.pk))
    services.run(toy.game.pk, Overrule(rule="G2-WAR-1", reason=UGLY), actor=toy.gm)
    markdown = client(toy.ann).get(toy.path("chronicle/?format=markdown"))
    assert markdown["Content-Type"].startswith("text/markdown") and markdown["X-Content-Type-Options"] == "nosniff"
    lines = [line for line in markdown.content.decode().splitlines() if "alert" in line]
    assert len(lines) == 2
    for line in lines:
        for letter in "<>[*":
            assert all(line[i - 1] == "\\" for i, found in enumerate(line) if found == letter)
    assert client(toy.ann).get(toy.path("chronicle/?format=text"))["Content-Type"].startswith("text/plain")
    world = atlantis(UGLY)
    type(world.elves).objects.filter(pk=world.elves.pk).update(name=UGLY)
    drawn = client().get(f"/api/v1/worlds/{world.world.pk}/map.svg")
    tree = ElementTree.fromstring(drawn.content)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert not tags & {"script", "foreignObject", "image", "a"}
    assert not any(name.startswith("on") for element in tree.iter() for name in element.attrib)
    assert "\u202e" not in drawn.content.decode()
    assert "sandbox" in drawn["Content-Security-Policy"]
    browser = Client()
    browser.force_login(User.objects.create_superuser("root", password="Root-of-all-99"))
    event = LoggedEvent.objects.filter(game=toy.game, type="Overruled").get()
    pages = [
        "/admin/",
        "/admin/games/seat/",
        "/admin/games/loggedevent/",
        f"/admin/games/loggedevent/{event.pk}/change/",
    ]
    pages += [f"/admin/games/game/{toy.game.pk}/change/", f"/admin/worlds/world/{world.world.pk}/change/"]
    pages += ["/admin/worlds/race/", "/admin/worlds/world/"]
    pages_with_text = 0
    for page in pages:
        answer = browser.get(page, follow=True)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        pages_with_text += "&lt;script&gt;alert(1)" in text
        assert "<script>alert(1)" not in text and '<svg onload="x"' not in text, page
    assert pages_with_text >= 4
