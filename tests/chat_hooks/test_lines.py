"""What stands in a channel while a game goes on: one line of who is waited for, a line a chapter, nothing twice."""

from datetime import timedelta

import pytest

from api.outbound import posting
from api.webhooks import tasks
from api.webhooks.attempts import GIVE_UP, LEASE
from api.webhooks.chat import delivery, hooks
from games.engine.insight.charts import Chapters
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.models import ChatHook
from games.runtime import failpoints
from tests.chat_hooks.channels import RETRY_AFTER, Channel
from tests.chat_hooks.told import Told
from tests.games.moments import rewind_to
from tests.toy.rules import RULESET
from tests.toy.rules.commands import TideCame

FREE = "Cairns, running: Ann and Bob may act."


@pytest.fixture
def tides(monkeypatch) -> None:
    """Let each tide be a chapter of Cairns."""
    chapters = Chapters("Tide", (TideCame,), number=lambda event: event.count, ended=lambda state: False)
    monkeypatch.setitem(vars(RULESET), "chapters", chapters)


def stamp(game: Told, **time: float) -> str:
    return f"<t:{int((game.now + timedelta(**time)).timestamp())}:R>"


def test_discord_has_one_line_which_is_edited_and_calls_nobody_then(game: Told, discord: Channel):
    ann = game.cairns.seat(game.cairns.ann)
    game.hook(discord, mentions=[{"seat": ann, "mention": "<@77>"}])
    game.deliver_all()
    assert discord.lines == [FREE.replace("Ann", "<@77>")]
    assert discord.called == ["77"]
    game.pass_time(minutes=20)
    game.propose()
    game.deliver_all()
    assert discord.lines == [f"Cairns, running: waiting for <@77> and Bob until 12:30 UTC ({stamp(game, minutes=10)})."]
    assert discord.called == ["77"], "an edit calls nobody"
    game.vote(game.cairns.ann)
    game.deliver_all()
    wanted = f"Cairns, running: waiting for Bob until 12:30 UTC ({stamp(game, minutes=10)}); <@77> may act."
    assert discord.lines == [wanted]
    assert len(discord.posted) == 1


def test_after_an_hour_who_is_newly_waited_for_is_called_by_a_new_line_in_place_of_the_old(game: Told, discord):
    bob = game.cairns.seat(game.cairns.bob)
    game.hook(discord, mentions=[{"seat": bob, "mention": "<@&88>"}])
    game.deliver_all()
    game.pass_time(minutes=61)
    game.propose()
    game.deliver_all()
    (line,) = discord.lines
    assert line.startswith("Cairns, running: waiting for Ann and <@&88> until 13:11 UTC (")
    assert len(discord.posted) == 2 and discord.called == ["88", "88"]
    game.deliver_all()
    assert len(discord.posted) == 2, "nobody is called twice for one turn"


def test_who_becomes_waited_for_within_the_hour_is_called_when_it_is_over_if_still_waited_for(game: Told, slack):
    bob = game.cairns.seat(game.cairns.bob)
    game.hook(slack, mentions=[{"seat": bob, "mention": "<@U8>"}])
    game.deliver_all()
    assert slack.lines == [FREE.replace("Bob", "<@U8>")]
    game.pass_time(minutes=55)
    game.propose()
    game.deliver_all()
    assert len(slack.posted) == 1
    game.pass_time(minutes=5)
    game.deliver_all()
    assert slack.lines[1:] == ["Cairns, running: waiting for Ann and <@U8> until 13:05 UTC (in 5 min)."]
    assert slack.called == ["@U8", "@U8"]


def test_a_turn_that_is_over_is_called_for_by_nobody(game: Told, channels: dict[str, Channel]):
    for channel in channels.values():
        game.hook(channel)
    game.deliver_all()
    game.pass_time(minutes=30)
    game.propose()
    game.deliver_all()
    game.pass_time(minutes=10)  # the motion is lost
    game.deliver_all()
    game.pass_time(minutes=30)
    game.deliver_all()
    for channel in channels.values():
        assert channel.posted == [FREE]
    assert channels["discord"].lines == [FREE]


def test_whose_time_is_over_is_not_called_while_the_game_has_not_settled_it_yet(game: Told, slack: Channel):
    game.propose()
    game.now += timedelta(minutes=10)
    game.hook(slack)
    game.deliver_all()
    assert slack.posted == []


def test_while_a_receiver_fails_time_goes_on_and_what_it_takes_at_last_is_what_is_so_then(game: Told, slack: Channel):
    hook = game.hook(slack)
    slack.mode = "busy"
    game.propose()
    game.deliver_all()
    hook.refresh_from_db()
    assert (hook.status, hook.failures, slack.posted) == (429, 1, [])
    assert hook.next_try_at == game.now + timedelta(seconds=RETRY_AFTER)
    slack.mode = "ok"
    game.vote(game.cairns.ann)
    game.deliver_all()
    assert slack.posted == [], "it asked for a pause"
    game.pass_time(seconds=RETRY_AFTER)
    game.deliver_all()
    assert slack.posted == ["Cairns, running: waiting for Bob until 12:10 UTC (in 8 min); Ann may act."]


@pytest.mark.parametrize("name", ["discord", "slack", "mattermost"])
def test_an_address_that_was_deleted_is_asked_once(game: Told, channels: dict[str, Channel], name: str):
    hook = game.hook(channels[name])
    channels[name].mode = "gone"
    game.deliver_all()
    hook.refresh_from_db()
    assert (hook.is_active, hook.reason) == (False, "receiver.gone")
    game.propose()
    game.pass_time(days=1)
    game.deliver_all()
    assert len(channels[name].asked) == 1
    channels[name].mode = "ok"
    hooks.change(hook, game.now, is_active=True)
    game.deliver_all()
    assert len(channels[name].posted) == 1, "switched on, it says what is so"


def test_an_answer_of_5_mb_is_not_read_and_such_a_line_is_not_edited(game: Told, channels: dict[str, Channel]):
    for channel in channels.values():
        channel.mode = "large"
        game.hook(channel)
    game.deliver_all()
    game.propose()
    game.deliver_all()
    assert [channel.posted for channel in channels.values()] == [[FREE]] * 3
    assert {method for channel in channels.values() for method, _ in channel.asked} == {"POST"}
    assert set(ChatHook.objects.values_list("message", "failures")) == {("", 0)}


def test_a_receiver_that_hangs_is_left_and_tried_again(game: Told, slack: Channel, monkeypatch):
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 0.2)
    hook = game.hook(slack)
    slack.mode = "hang"
    assert game.deliver() == [posting.Answer(error="time.exceeded")]
    slack.mode = "ok"
    game.pass_time(seconds=10)
    game.deliver_all()
    hook.refresh_from_db()
    assert (slack.posted, hook.failures) == ([FREE], 0)


def test_after_three_days_of_failures_it_is_off(game: Told, slack: Channel):
    hook = game.hook(slack)
    slack.mode = "busy"
    game.deliver_all()
    game.pass_time(seconds=GIVE_UP.total_seconds())
    game.deliver_all()
    hook.refresh_from_db()
    assert (hook.is_active, hook.reason) == (False, "receiver.failing")


def test_a_line_that_somebody_deletes_comes_back_when_somebody_else_is_waited_for(game: Told, discord: Channel):
    game.hook(discord)
    game.deliver_all()
    discord.standing.clear()
    game.propose()
    game.deliver_all()
    assert (discord.lines, len(discord.posted)) == ([], 1)
    game.pass_time(minutes=61)
    game.propose()
    game.deliver_all()
    assert len(discord.lines) == 1


def test_while_the_clock_stands_still_nobody_is_waited_for(game: Told, discord: Channel):
    game.hook(discord)
    game.deliver_all()
    game.run(Pause(), game.cairns.gm)
    game.deliver_all()
    assert discord.lines == ["Cairns, running: nobody is waited for."]
    game.run(Resume(), game.cairns.gm)
    game.deliver_all()
    assert (discord.lines, len(discord.posted)) == ([FREE], 1)


def test_bots_are_not_named(game: Told, slack: Channel):
    game.cairns.game.seats.filter(user=game.cairns.bob).update(bot="keeper")
    game.hook(slack)
    game.deliver_all()
    assert slack.posted == ["Cairns, running: Ann may act."]


def test_a_chapter_is_told_when_it_begins_and_not_again_after_a_rewind(tides, game: Told, slack: Channel):
    game.hook(slack)
    game.deliver_all()
    before = game.cairns.fresh().seq
    game.pass_time(hours=1)
    game.deliver_all()
    assert slack.posted == [FREE, "Cairns, Tide 1."]
    game.run(rewind_to(game.cairns.game.pk, before, "a mistake"), game.cairns.gm)
    game.deliver_all()
    game.pass_time(hours=1)
    game.deliver_all()
    assert game.cairns.fresh().chapter == 1
    game.pass_time(hours=1)
    game.deliver_all()
    assert slack.posted == [FREE, "Cairns, Tide 1.", "Cairns, Tide 2."]


def test_of_chapters_that_went_by_the_last_is_told(tides, game: Told, slack: Channel):
    game.hook(slack)
    game.deliver_all()
    for _ in range(2):
        game.pass_time(hours=1)
    game.deliver_all()
    assert slack.posted == [FREE, "Cairns, Tide 2."]


def test_the_end_is_told_once_and_the_line_goes(game: Told, discord: Channel):
    game.hook(discord)
    game.deliver_all()
    before = game.cairns.fresh().seq
    for _ in range(2):
        for _ in range(3):
            game.pass_time(hours=1)
        game.deliver_all()
        assert game.cairns.fresh().status == "finished"
        assert discord.lines == ["Cairns is over: the last tide has come."]
        assert discord.posted == [FREE, "Cairns is over: the last tide has come."]
        game.run(rewind_to(game.cairns.game.pk, before, "a mistake"), game.cairns.gm)


def test_the_tick_of_the_worker_takes_what_is_due(game: Told, slack: Channel, monkeypatch):
    hook, taken = game.hook(slack), []

    def deliver(kind: object, key: object) -> None:
        taken.append((kind, key))

    monkeypatch.setattr(tasks, "_deliver", deliver)
    for begun in tasks.begin_due():
        begun.result(timeout=60)
    assert taken == [(delivery, hook.pk)]


def test_a_test_is_posted_first(game: Told, slack: Channel):
    hook = game.hook(slack)
    hooks.send_test(hook, game.now)
    game.deliver_all()
    assert [line.partition(".")[0] for line in slack.posted] == [
        "Cairns: a test",
        "Cairns, running: Ann and Bob may act",
    ]


@pytest.mark.parametrize(("point", "times"), [(failpoints.MESSAGE_WRITTEN, 1), (failpoints.MESSAGE_POSTED, 2)])
def test_a_worker_that_is_killed_loses_no_line_and_repeats_at_most_the_one_it_had_posted(
    game: Told, slack: Channel, monkeypatch, point: str, times: int
):
    def reach(reached: str) -> None:
        if reached == point:
            raise SystemExit

    game.hook(slack)
    with monkeypatch.context() as killed:
        killed.setattr(failpoints, "reach", reach)
        with pytest.raises(SystemExit):
            game.deliver()
    assert game.deliver() == [], "its lease lasts"
    game.pass_time(seconds=LEASE.total_seconds())
    game.deliver_all()
    game.propose()
    game.deliver_all()
    assert slack.posted == [FREE] * times


def test_what_is_changed_while_a_line_is_posted_stays_changed(game: Told, discord: Channel, monkeypatch):
    hook = game.hook(discord)
    (key,) = (each.pk for each in ChatHook.objects.all())
    changed = {"url": f"{discord.url}?thread_id=5", "time_zone": "Asia/Tokyo"}
    monkeypatch.setattr(failpoints, "reach", lambda *_: ChatHook.objects.filter(pk=key).update(**changed))
    game.deliver()
    monkeypatch.undo()
    hook.refresh_from_db()
    assert (hook.url, hook.time_zone, hook.message) == (changed["url"], "Asia/Tokyo", "")


def test_times_are_those_of_the_time_zone_and_say_the_day_where_it_is_another(game: Told, slack: Channel):
    game.pass_time(hours=2, minutes=55)
    game.hook(slack, time_zone="Asia/Tokyo")
    game.propose()
    game.deliver_all()
    assert slack.posted == ["Cairns, running: waiting for Ann and Bob until Mon 2 Mar, 00:05 JST (in 10 min)."]
