"""Who wrote an anonymous message changes no byte of what anybody else is answered.

Two histories of one game: Bob writes, or Cyd writes the same. Everybody who is neither asks every address and query of
the game, and acts; in the short form the three of them who see most, each in their way. What could tell: fields and
sentences of the events, names and heads of streams in cursors, marks, ids, numbers and gaps of numbers, ETags, times,
filters by type and by seat, the chronicle, the number of a moment to which a game-master may rewind, what a rewind
leaves in force, menus, forecasts, dry runs, and muting: Ann and the game-master mute Bob. After a report its reporter
is asked, too; the game-master is told by it. `tests/api/test_anonymous_messages.py` has streams, webhooks and pages.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.messages import EVERYBODY, SendMessage
from games.engine.lifecycle.reports import ReportMessage
from games.engine.lifecycle.seating import Join
from games.models import LoggedEvent, MutedSeat, Seat
from games.runtime import session
from tests import forms
from tests.api.worlds import restore_afterwards, user
from tests.security.addresses import Question
from tests.security.grounds import Ground, cairns
from tests.security.looking import lift_budgets
from tests.security.test_leaks import FULL, Watch, same

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-9")]
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
SHORT = forms.SHORT and not FULL
NEAREST = {"gm", "other seat", "nobody"}
Deed = Callable[[Ground, Seat], None]


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch):
    """Time stands still at noon, the throw-away dice of dry runs are always the same, and nobody asks too much."""
    lift_budgets(monkeypatch)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    monkeypatch.setattr(session, "os", SimpleNamespace(urandom=bytes))


def three_players(options: str) -> Ground:
    """Cairns with anonymous press: Bob and Cyd may write; Ann and the game-master mute Bob."""
    ground = cairns(options=options, start=False)
    ground.run(Join(name="Cyd"), Actor(Issuer.SEAT, user("cyd").pk))
    ground.run(Start())
    for who in ("ann", "host"):
        MutedSeat.objects.create(game=ground.game, user=user(who).pk, seat=ground.owner.pk)
    return replace(ground, game=ground.fresh())


def write(*receivers: str) -> Deed:
    """Messages: each to everybody, or to some seats by name."""

    def deed(ground: Ground, writer: Seat) -> None:
        seats = dict(Seat.objects.filter(game=ground.game).values_list("name", "pk"))
        for each in receivers:
            to = tuple(EVERYBODY if name == EVERYBODY else str(seats[name]) for name in each.split(", "))
            ground.run(SendMessage(to=to, text="unspeakable"), Actor(Issuer.SEAT, writer.user_id, writer.pk))

    return deed


def report(ground: Ground, writer: Seat) -> None:
    """A message to everybody that Ann reports."""
    write(EVERYBODY)(ground, writer)
    sent = json.loads(LoggedEvent.objects.get(game=ground.game, type="AnonymousMessageSent").body)
    reporter = Actor(Issuer.SEAT, ground.other.user_id, ground.other.pk)
    ground.run(ReportMessage(message=sent["message"], reason="It is rude."), reporter)


CASES: dict[str, tuple[Deed, str, set[str]]] = {
    "written": (write(EVERYBODY, "Ann", "Ann, Game-master", "Ann, Bob, Cyd"), "{}", set()),
    "reported by a receiver": (report, "{}", {"gm"}),
    "game-masters read all": (write("Ann"), '{"gm_reads_messages":true}', set()),
}
"""What is done, the further options, and who learns by it who wrote."""


def questions_of(watch: Watch, name: str) -> list[Question]:
    """What a viewer asks: the addresses of the game, and what an event is asked for by."""
    here = f"/api/v1/games/{watch.ground.game.pk}/"
    seats = Seat.objects.filter(game=watch.ground.game).values_list("pk", flat=True)
    kinds = ("MessageSent", "AnonymousMessageSent", "MessageReported", "AnonymousMessageReported")
    asked = [f"{part}/?about={seat}" for part in ("events", "chronicle") for seat in seats]
    asked += [f"events/?type=core.{kind}" for kind in kinds] + ["events/?last=1", "rewind-preview/?to=0"]
    near = watch.nearest_questions(name) if SHORT else watch.near_questions(name)
    return [*(watch.every_question(name) if FULL else near), *(Question(f"{here}{a}", of_game=True) for a in asked)]


@pytest.mark.parametrize("case", forms.first(CASES, 2))
def test_whoever_writes_everybody_else_is_answered_the_same_bytes(case):
    deed, options, told = CASES[case]
    ground = three_players(json.dumps({"tide_seconds": 3600, "press": "anonymous", **json.loads(options)}))
    cyd, watch = Seat.objects.get(game=ground.game, name="Cyd"), Watch(ground)
    found: list[dict[str, Any]] = []
    for writer in (ground.owner, cyd):
        with restore_afterwards():
            deed(ground, writer)
            own = LoggedEvent.objects.filter(game=ground.game, type="MessageSent").values_list("audience", flat=True)
            assert set(own) == {f"seat:{writer.pk}"}
            names = (NEAREST if SHORT else set(ground.viewers) - {"owner"}) - told
            found.append({name: watch.ask(name, questions_of(watch, name), act=True) for name in sorted(names)})
            for name in told:
                assert {"core.AnonymousMessageSent", "core.MessageReported"} <= watch.visible_types(name)
    for name, answers in found[0].items():
        same(answers, found[1][name], f"{name} learns who wrote")
