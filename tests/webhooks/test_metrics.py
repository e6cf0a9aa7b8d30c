"""What `/metrics` says of those that follow the logs of games: attempts by outcome, who is behind, and for how long."""

from datetime import timedelta
from typing import Any

import pytest

from api.notifications import following, tasks
from config import metrics as pages
from core.places import routing
from games.models import ChatHook
from games.runtime import metrics
from tests.chat_hooks.channels import opened, serving
from tests.chat_hooks.told import Told
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed


def posts(kind: str) -> dict[str, float]:
    outcomes = ("taken", "refused", "unanswered")
    return {outcome: metrics.POSTS.labels(kind, outcome)._value.get() for outcome in outcomes}


def added(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def behind(game: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[float, float]]:
    """By kind: how many are to be looked at, and how long the first has waited."""
    with monkeypatch.context() as clock:
        clock.setattr(pages.timezone, "now", lambda: game.now)
        count, oldest = pages.following()
    waited = {each.labels["kind"]: each.value for each in oldest.samples}
    return {each.labels["kind"]: (each.value, waited[each.labels["kind"]]) for each in count.samples}


@pytest.mark.parametrize(("path", "outcome"), [("200", "taken"), ("500", "refused"), ("rubbish", "unanswered")])
def test_an_attempt_counts_once_by_what_came_of_it(
    game: Subscribed, receiver: Receiver, path: str, outcome: str
) -> None:
    game.subscribe(game.cairns.ann, receiver.url(path))
    game.add_stones()
    before, chats = posts("webhook"), posts("chat_hook")
    game.deliver()
    assert added(before, posts("webhook")) == {outcome: 1}
    assert added(chats, posts("chat_hook")) == {}


def test_a_webhook_is_behind_from_the_event_on_until_it_is_posted(
    game: Subscribed, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.subscribe(game.cairns.ann, receiver.url())
    assert behind(game, monkeypatch)["webhook"] == (0, 0)
    game.add_stones()
    game.pass_time(seconds=90)
    assert behind(game, monkeypatch)["webhook"] == (1, 90)
    game.deliver_all()
    assert behind(game, monkeypatch)["webhook"] == (0, 0)


def test_a_webhook_that_rests_after_a_failure_is_not_behind_and_then_waits_from_the_end_of_its_rest(
    game: Subscribed, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = game.subscribe(game.cairns.ann, receiver.url("500"))
    game.add_stones()
    game.deliver()
    assert behind(game, monkeypatch)["webhook"] == (0, 0)
    webhook.refresh_from_db()
    game.now = webhook.next_try_at + timedelta(seconds=3)
    assert behind(game, monkeypatch)["webhook"] == (1, 3)


def test_a_chat_hook_is_behind_until_its_line_is_posted(game: Subscribed, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(game.cairns)
    with serving() as server:
        told.hook(opened(server)["slack"])
        told.deliver_all()
        assert behind(told, monkeypatch)["chat_hook"] == (0, 0)
        told.propose()
        told.now += timedelta(seconds=30)
        assert behind(told, monkeypatch)["chat_hook"] == (1, 30)
        before = posts("chat_hook")
        ChatHook.objects.update(posted_at=None)  # the last line was long ago
        told.deliver_all()
        assert added(before, posts("chat_hook")) == {"taken": 1}
    assert behind(told, monkeypatch)["chat_hook"] == (0, 0)


def test_a_game_is_behind_until_it_is_looked_through_and_looks_count_by_outcome(
    game: Subscribed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looks() -> dict[str, float]:
        return {outcome: metrics.LOOKS.labels(outcome)._value.get() for outcome in ("done", "failed")}

    before = looks()
    tasks.follow_everywhere(game.clock)
    assert added(before, looks()) == {"done": 1}
    assert behind(game, monkeypatch)["notifications"] == (0, 0)
    game.add_stones()
    game.pass_time(seconds=40)
    assert behind(game, monkeypatch)["notifications"] == (1, 40)

    monkeypatch.setattr(following, "look_at", lambda *_: 1 / 0)
    before = looks()
    tasks.follow_everywhere(game.clock)
    assert added(before, looks()) == {"failed": 1}
    assert behind(game, monkeypatch)["notifications"] == (0, 0), "it rests"
    game.pass_time(seconds=following.MIN_REST.total_seconds() + 5)
    assert behind(game, monkeypatch)["notifications"] == (1, 5)


def test_who_is_behind_is_asked_in_three_queries_a_place(game: Subscribed, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(3 * len(routing.every_place())):
        list(pages.following())
