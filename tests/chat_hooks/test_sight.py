"""A channel is told what a stranger may know, whoever has it told; what happens in secret posts nothing."""

import json
from dataclasses import replace
from datetime import timedelta

import orjson
from structlog.testing import capture_logs

from accounts.models import User
from accounts.oauth.models import Application
from accounts.oauth.services import revoke_application
from accounts.retirement import retire
from api.webhooks.chat import delivery
from games.engine.audience import PUBLIC, reader, seat_and_gm
from games.engine.lifecycle.waiting import Waiting
from games.models import ChatHook, Game, Seat
from tests.chat_hooks.channels import KEY, Channel
from tests.chat_hooks.told import Told
from tests.toy.rules.commands import HideCoins
from tests.webhooks.test_sight import signed_in

UGLY = "@everyone @all <!channel> <@99> <@U9> [x](http://evil.example) `a`"


def test_all_are_told_the_same_in_the_words_of_a_stranger(game: Told, slack: Channel):
    eve = User.objects.create_user(username="eve", password="x")
    for user in (eve, game.cairns.ann, game.cairns.bob, game.cairns.host):
        game.hook(slack, user)
    game.run(HideCoins(coins=77), game.cairns.ann)
    game.propose("Let us hide coins.")
    game.deliver_all()
    assert len(slack.posted) == 4 and len(set(slack.posted)) == 1
    assert "coins" not in slack.posted[0] and "hide" not in slack.posted[0]


def test_what_happens_in_secret_asks_no_channel_anything(game: Told, channels: dict[str, Channel]):
    for channel in channels.values():
        game.hook(channel)
    game.deliver_all()
    before = {name: list(channel.asked) for name, channel in channels.items()}
    marks = list(ChatHook.objects.order_by("pk").values("line", "called", "look_at", "next_try_at"))
    game.pass_time(minutes=70)  # the tide came, which nobody is told of
    game.run(HideCoins(coins=77), game.cairns.ann)
    game.deliver_all()
    assert {name: channel.asked for name, channel in channels.items()} == before
    assert list(ChatHook.objects.order_by("pk").values("line", "called", "look_at", "next_try_at")) == marks


def test_who_waits_in_secret_and_until_when_is_in_no_line(game: Told, slack: Channel):
    ann, bob = game.cairns.seat(game.cairns.ann), game.cairns.seat(game.cairns.bob)
    due = game.now + timedelta(hours=5)
    asked = Waiting(reader(ann), must=True, due=due, readers=PUBLIC, due_readers=seat_and_gm(ann))
    secret = replace(asked, owner=reader(bob), readers=seat_and_gm(bob), due_readers=PUBLIC)
    packed = json.dumps([asked.as_json(), secret.as_json()])
    Game.objects.filter(pk=game.cairns.game.pk).update(waiting_for=packed)
    game.hook(slack)
    game.deliver_all()
    assert slack.posted == ["Cairns, running: waiting for Ann."]


def test_names_call_nobody_and_a_mapped_mention_does(game: Told, channels: dict[str, Channel]):
    game.rename(game.cairns.bob, UGLY)
    Game.objects.filter(pk=game.cairns.game.pk).update(name=UGLY)
    seat = game.cairns.seat(game.cairns.ann)
    mentions = {"discord": "<@77>", "slack": "<@U77>", "mattermost": "@ann"}
    for name, channel in channels.items():
        game.hook(channel, mentions=[{"seat": seat, "mention": mentions[name]}])
    game.deliver_all()
    assert {name: channel.called for name, channel in channels.items()} == {
        "discord": ["77"], "slack": ["@U77"], "mattermost": ["ann"]
    }  # fmt: skip
    assert all("http://" not in channel.posted[0] for channel in channels.values())


def test_who_is_out_of_a_private_game_has_no_channel_told_of_it(game: Told, slack: Channel):
    Game.objects.filter(pk=game.cairns.game.pk).update(is_public=False)
    hook = game.hook(slack)
    game.deliver_all()
    assert len(slack.posted) == 1, "a seat of an invitation-only game may"
    Seat.objects.filter(user=game.cairns.ann).update(user=None)
    game.propose(user=game.cairns.bob)
    game.pass_time(hours=2)
    game.deliver_all()
    hook.refresh_from_db()
    assert (hook.is_active, hook.reason, len(slack.posted)) == (False, "game.missing", 1)


def test_who_retires_and_whose_application_is_gone_leaves_none(game: Told, slack: Channel):
    game.hook(slack, game.cairns.bob)
    application = Application.objects.create(name="W", redirect_uris="https://a.example/", scope_words="read play")
    made = game.hook(slack)
    signed_in(game.cairns.ann, application, game)
    ChatHook.objects.filter(pk=made.pk).update(application=application.pk)
    game.deliver_all()
    assert len(slack.posted) == 2
    retire(game.cairns.bob)
    revoke_application(application)
    game.run(HideCoins(coins=1), game.cairns.ann)
    game.deliver_all()
    assert not ChatHook.objects.exists()


def test_an_address_is_in_no_line_of_the_log(game: Told, discord: Channel):
    game.hook(discord)
    with capture_logs() as lines:
        game.deliver_all()
        discord.mode = "gone"
        game.propose()
        game.pass_time(hours=2)
        game.deliver_all()
    assert {line["event"] for line in lines} >= {"chat_hook_posted"}
    assert KEY not in orjson.dumps(lines, default=str).decode()
    assert KEY not in repr(ChatHook.objects.get())
    assert delivery.HEADERS.keys() == {"content-type", "user-agent"}
