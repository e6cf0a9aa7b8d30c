"""The guards of the door: whoever asks, through whichever seat, before or after a hand-over, with or without a key, in
earnest or as a dry run: what is answered and done is what Django's own view answers and does, and it is right."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from api.common import fast_auth
from games import services
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.models import LoggedEvent
from games.runtime import batch as batches
from games.services import Outcome, PendingCommand
from tests.api.both_ways import Ask, Sender, Went, taken_back
from tests.api.door_stories import NOON, ONE, TABLE, TWO, Stage, add
from tests.api.worlds import client, run, toy_game
from tests.toy.rules.commands import AddStones
from tests.toy.rules.state import State


def happened(went: Went, before: int) -> tuple[str, ...]:
    """What a story has added to the log: each event with the name of the seat that it is about."""
    names = {str(pk): name for pk, _, name, _ in went.rows["seats"]}
    fields = [(kind, json.loads(body)) for kind, _, body, _ in went.rows["log"][before:]]
    return tuple(" ".join(filter(None, (kind, names.get(str(body.get("seat")))))) for kind, body in fields)


@pytest.fixture
def stage(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A game in which the clock stands, and whose throw-away secrets are always the same."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    monkeypatch.setattr("time.time", NOON.timestamp)
    for module in ("api.door.writers.time", "api.common.throttles.time.time"):
        monkeypatch.setattr(module, NOON.timestamp)
    monkeypatch.setattr("games.runtime.session.os", SimpleNamespace(urandom=lambda count: b"x" * count))
    monkeypatch.setattr(State, "joining", lambda *_: None)  # more than four sit here
    made = Stage()
    yield made
    fast_auth._known.clear()


def test_the_door_answers_and_does_what_django_answers_and_does(stage: Stage) -> None:
    sender = Sender(stage.toy.game.pk)
    before = LoggedEvent.objects.filter(game=stage.toy.game).count()
    wrong: dict[str, Any] = {}
    for story in (story for some in TABLE for story in some(stage)):
        asked = sum(isinstance(step, Ask) for step in story.steps)
        plain = sender.through_django(story.steps)
        found = tuple(each.short for each in plain.told), happened(plain, before)
        if found != (story.answers, story.done):
            wrong[story.what] = found
        for together in (False, True):
            went = sender.through_door(story.steps, together=together)
            if went.taken != asked - story.left:
                wrong[f"{story.what}: taken"] = went.taken
            if (went.told, went.rows) != (plain.told, plain.rows):
                differing = [pair for pair in zip(went.told, plain.told, strict=True) if pair[0] != pair[1]]
                rows = {name: rows for name, rows in went.rows.items() if rows != plain.rows[name]}
                wrong[f"{story.what}: {'together' if together else 'one by one'}"] = differing or rows
    assert wrong == {}


def test_who_was_seated_by_a_batch_that_is_taken_back_is_not_remembered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender = Sender(stage.toy.game.pk)
    moved = Ask("ann", "hand-over", stage.give("Ann", "eve"))

    def break_off(*_: Any) -> None:
        raise OperationalError("the server closed the connection")

    with taken_back():
        sender.play([add("ann"), add("eve")])
        with monkeypatch.context() as broken:
            broken.setattr(batches, "write", break_off)
            answers = sender.play([moved, add("eve"), add("ann")])
        assert [each.short for each in answers] == ["503 database.down"] * 3
        assert [each.short for each in sender.play([add("eve"), add("ann")])] == ["404 seat.missing", "201"]


def test_who_joins_is_answered_as_whom_they_have_become(stage: Stage) -> None:
    sender = Sender(stage.toy.game.pk)
    leaves = Ask("bob", "hand-over", stage.give("Bob", None))
    join = Ask("eve", "join", {"name": "x", "seat": str(stage["Bob"])})
    with taken_back():
        sender.play([Ask("bob", "hide-coins", {"coins": 3}), leaves])
        (joined,) = sender.play([join])
        read_to = json.loads(joined.body)["cursor"]  # with what Bob alone has read
        assert [each.short for each in sender.play([add("eve", f"expected={read_to}")])] == ["201"]


def test_who_looked_at_another_log_looks_anew_where_the_restored_one_has_gone_on_past_it(stage: Stage) -> None:
    sender = Sender(stage.toy.game.pk)
    with taken_back():
        sender.play([add("ann"), add("eve")])
        with transaction.atomic():
            sender.play([Ask("ann", "hand-over", stage.give("Ann", "eve"))])
            assert [each.short for each in sender.play([add("eve"), add("ann")])] == ["201", "404 seat.missing"]
            transaction.set_rollback(True)
        assert [each.short for each in sender.play([add("bob")] * 5)] == ["201"] * 5
        assert [each.short for each in sender.play([add("eve"), add("ann")])] == ["404 seat.missing", "201"]


def test_a_position_of_another_log_is_stale_where_the_restored_one_has_come_to_the_same_heads(stage: Stage) -> None:
    sender = Sender(stage.toy.game.pk)
    with taken_back():
        sender.play([add("ann")])
        with transaction.atomic():
            sender.play([add("ann", body=TWO)])
            other = stage.cursor("ann")
            transaction.set_rollback(True)
        sender.play([add("ann")])
        asked = [add("ann", f"expected={other}"), add("ann", f"expected={stage.cursor('ann')}")]
        assert [each.short for each in sender.play(asked)] == ["412 position.stale", "201"]


@pytest.mark.django_db
@pytest.mark.parametrize("api", ["rest", "graphql"])
def test_a_refusal_is_answered_though_its_key_has_succeeded_since(api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused was not done: another sending of it, while the refusal is on its way, is another answer."""
    toy = toy_game()
    run(toy, Pause(reason="Tea."), toy.gm)
    carry_out = services.carry_out

    def and_again(waiting: PendingCommand) -> Outcome:
        try:
            return carry_out(waiting)
        except Refused:
            run(toy, Resume(), toy.gm)
            run(toy, AddStones(stones=1), toy.ann, key="k")
            raise

    monkeypatch.setattr(services, "carry_out", and_again)
    ann = client(toy.ann)
    if api == "rest":
        sent = ann.post(
            toy.path("commands/add-stones/"), ONE, content_type="application/json", headers={"Idempotency-Key": "k"}
        )
        found = sent.json()
    else:
        wanted = "__typename ... on Refusal { status code } ... on CommandDone { replayed }"
        sent = f'toyAddStones(game: $g, input: {{stones: 1}}, idempotencyKey: "k") {{ {wanted} }}'
        asked = {"query": f"mutation($g: UUID!) {{ it: {sent} }}", "variables": {"g": str(toy.game.pk)}}
        found = ann.post("/graphql/", asked, content_type="application/json").json()["data"]["it"]
    assert (found.get("status"), found.get("code")) == (409, "clock.paused")
