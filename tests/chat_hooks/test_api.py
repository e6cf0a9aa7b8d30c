"""Chat hooks over REST, GraphQL and in the admin: made, read, changed, tested, refused. No answer has an address."""

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts.models import Scope, User
from api.common.authentication import Principal
from api.webhooks.chat import hooks
from games.models import ChatHook, Game
from tests.api.people import asking, post, refusal_of
from tests.chat_hooks.told import Told

KEY = "a-key-that-nobody-sees-9z9z"
URL = f"https://hooks.example.com/services/{KEY}"
ROW = "id address format timeZone mentions { seat mention } isActive reason game"
PARTS = {
    "createChatHook": f"... on ChatHookMade {{ chatHook {{ {ROW} }} }}",
    "changeChatHook": f"... on ChatHookChanged {{ chatHook {{ {ROW} }} }}",
    "testChatHook": f"... on ChatHookTested {{ chatHook {{ {ROW} }} }}",
    "deleteChatHook": "... on ChatHookDeleted { id }",
}


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    caches["throttles"].clear()


def graph(client: Client, query: str) -> Any:
    answer = client.post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def mutate(client: Client, name: str, arguments: str) -> Any:
    return graph(client, f"mutation {{ {name}({arguments}) {{ {PARTS[name]} ... on Refusal {{ code }} }} }}")[name]


def wish(told: Told, /, **more: Any) -> dict[str, Any]:
    return {"game": str(told.cairns.game.pk), "url": URL, "format": "slack", **more}


def patch(client: Client, address: str, body: dict[str, Any]) -> Any:
    return client.patch(address, body, content_type="application/json")


def test_one_is_made_read_changed_tested_and_deleted_over_rest(game: Told):
    ann, seat = asking(game.cairns.ann), str(game.cairns.seat(game.cairns.ann))
    mentions = [{"seat": seat, "mention": "<@U1>"}]
    made = post(ann, "me/chat-hooks/", wish(game, mentions=mentions, time_zone="Europe/Vienna"))
    assert made.status_code == 201
    row, here = made.json(), f"/api/v1/me/chat-hooks/{made.json()['id']}/"
    assert (row["address"], row["mentions"]) == ("hooks.example.com/…9z9z", mentions)
    assert ann.get(here).json() == row and ann.get("/api/v1/me/chat-hooks/").json() == {"results": [row]}
    changed = patch(ann, here, {"time_zone": "UTC", "mentions": [], "is_active": False}).json()
    assert (changed["time_zone"], changed["mentions"], changed["reason"]) == ("UTC", [], "owner.off")
    assert refusal_of(ann.post(f"{here}test/")) == (409, "chat_hook.off")
    on = patch(ann, here, {"is_active": True, "url": f"{URL}/abcd"}).json()
    assert (on["address"], on["is_active"], on["reason"]) == ("hooks.example.com/…abcd", True, "")
    assert ann.post(f"{here}test/").status_code == 202
    assert ChatHook.objects.get().is_test_asked
    assert ann.delete(here).status_code == 204
    assert refusal_of(ann.get(here)) == (404, "thing.missing")


def test_the_same_in_graphql(game: Told):
    ann, seat = asking(game.cairns.ann), game.cairns.seat(game.cairns.ann)
    mention = f'{{seat: "{seat}", mention: "<@U1>"}}'
    arguments = f'game: "{game.cairns.game.pk}", url: "{URL}", format: "slack", mentions: [{mention}]'
    row = mutate(ann, "createChatHook", arguments)["chatHook"]
    assert (row["address"], row["mentions"]) == (
        "hooks.example.com/…9z9z",
        [{"seat": str(seat), "mention": "<@U1>"}],
    )
    assert graph(ann, f"{{ chatHooks {{ {ROW} }} }}")["chatHooks"] == [row]
    key = f'id: "{row["id"]}"'
    changed = mutate(ann, "changeChatHook", f'{key}, mentions: [], timeZone: "Asia/Tokyo"')["chatHook"]
    assert (changed["mentions"], changed["timeZone"]) == ([], "Asia/Tokyo")
    assert mutate(ann, "testChatHook", key)["chatHook"]["id"] == row["id"]
    assert mutate(ann, "changeChatHook", f"{key}, isActive: false")["chatHook"]["reason"] == "owner.off"
    assert mutate(ann, "testChatHook", key)["code"] == "chat_hook.off"
    assert mutate(ann, "deleteChatHook", key)["id"] == row["id"]
    assert mutate(ann, "deleteChatHook", key)["code"] == "thing.missing"


def over_rest(client: Client, body: dict[str, Any]) -> str:
    return str(post(client, "me/chat-hooks/", body).json().get("code", ""))


def over_graphql(client: Client, body: dict[str, Any]) -> str:
    names = {"time_zone": "timeZone"}
    return str(
        mutate(client, "createChatHook", ", ".join(f"{names.get(k, k)}: {_text(v)}" for k, v in body.items())).get(
            "code", ""
        )
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k}: {_text(v)}' for k, v in value.items())}}}"
    return f'"{value}"'


@pytest.mark.parametrize("ask", [over_rest, over_graphql])
def test_what_is_refused_has_its_code(game: Told, ask, settings):
    settings.WEBHOOK_PRIVATE_NETS = False
    ann, seat = asking(game.cairns.ann), str(game.cairns.seat(game.cairns.bob))
    assert ask(Client(), wish(game)) == "token.needed"
    assert ask(asking(game.cairns.ann, Scope.READ), wish(game)) == "token.scope"
    assert ask(ann, wish(game, game="00000000-0000-4000-8000-00000000dead")) == "game.missing"
    assert ask(ann, wish(game, url="https://127.0.0.1/")) == "webhook.address"
    assert ask(ann, wish(game, format="irc")) == "body.invalid"
    assert ask(ann, wish(game, time_zone="Mars/Olympus")) == "time_zone.unknown"
    assert ask(ann, wish(game, time_zone="../etc/passwd")) == "time_zone.unknown"
    assert ask(ann, wish(game, mentions=[{"seat": seat, "mention": "<!channel>"}])) == "chat_hook.mention"
    assert (
        ask(ann, wish(game, mentions=[{"seat": str(game.cairns.game.pk), "mention": "<@U1>"}])) == "chat_hook.mention"
    )
    assert not ChatHook.objects.exists()
    assert ask(ann, wish(game)) == ""


def test_a_refusal_points_to_what_is_wrong(game: Told):
    ann, seat = asking(game.cairns.ann), str(game.cairns.seat(game.cairns.bob))
    for more, pointer in (
        ({"mentions": [{"seat": seat, "mention": "<@U1>"}, {"seat": seat, "mention": "@x"}]}, "/mentions/1/mention"),
        ({"mentions": [{"seat": str(game.cairns.game.pk), "mention": "<@U1>"}]}, "/mentions/0/seat"),
        ({"time_zone": "x"}, "/time_zone"),
    ):
        assert pointer in post(ann, "me/chat-hooks/", wish(game, **more)).content.decode()


def test_those_of_others_and_of_private_games_are_missing(game: Told, monkeypatch):
    hook = hooks.create(Principal(game.cairns.ann), hooks.Wish(URL, game.cairns.game.pk, "slack"), game.now)
    bob, here = asking(game.cairns.bob), f"/api/v1/me/chat-hooks/{hook.pk}/"
    asked = [bob.get(here), patch(bob, here, {"is_active": False}), bob.delete(here), bob.post(f"{here}test/")]
    assert {refusal_of(answer) for answer in asked} == {(404, "thing.missing")}
    assert bob.get("/api/v1/me/chat-hooks/").json() == {"results": []}
    assert hooks.hooks_for(Principal()) == []
    Game.objects.update(is_public=False)
    eve = User.objects.create_user(username="eve", password="x")
    assert refusal_of(post(asking(eve), "me/chat-hooks/", wish(game))) == (404, "game.missing")
    monkeypatch.setattr(hooks, "MAX_CHAT_HOOKS", 1)
    assert refusal_of(post(asking(game.cairns.ann), "me/chat-hooks/", wish(game))) == (409, "chat_hooks.many")


def test_no_answer_and_no_page_of_the_admin_has_the_address(game: Told):
    ann, root = asking(game.cairns.ann), Client()
    root.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    made = post(ann, "me/chat-hooks/", wish(game))
    hook = ChatHook.objects.get()
    here, page = f"/api/v1/me/chat-hooks/{hook.pk}/", reverse("admin:games_chathook_change", args=[hook.pk])
    answers = [
        made, ann.get(here), ann.get("/api/v1/me/chat-hooks/"), ann.post(f"{here}test/"),
        patch(ann, here, {"time_zone": "UTC"}), root.get(reverse("admin:games_chathook_changelist")), root.get(page),
    ]  # fmt: skip
    assert {answer.status_code for answer in answers} == {200, 201, 202}
    assert all("9z9z" in answer.content.decode() for answer in answers)
    assert not any(KEY in answer.content.decode() for answer in answers)
    off = reverse("admin:games_chathook_switch_off", args=[hook.pk])
    assert root.get(off).status_code == 200
    assert root.post(off).status_code == 302
    hook.refresh_from_db()
    assert (hook.is_active, hook.reason) == (False, "admin.off")
