"""Streams reveal no secret: neither in what has happened, nor live, nor by a frame, a beat or a cursor more.

Nor does a subscription to notifications tell anybody of those of others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone

from api.notifications import following, reading
from api.notifications.wishes import change_wishes
from api.streams import handshake, notifications
from core.ids import derived_id
from games import services
from games.albraxas.rules.ending.commands import Concede
from games.albraxas.rules.state.schema_types import Step
from games.dietower.rules.table.commands import LeaveSeat
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.seating import Join
from games.models import Notification
from tests import forms
from tests.api.worlds import bearer, restore_afterwards, user
from tests.security.grounds import Ground, cairns, storm, tower
from tests.security.listening import frames_of, frames_of_notifications, in_one_thread
from tests.security.planting import WORD
from tests.security.secrets import PLANTS
from tests.security.secrets_of_table import open_question
from tests.toy.rules.commands import AddStones

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_one_thread")]
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
MOMENT = timedelta(milliseconds=100)
LATER = NOON + timedelta(seconds=1)
OTHERS = {"other seat", "gm"} if forms.SHORT else {"stranger", "observer", "other seat", "rebel", "gm"}
"""Those who are told of the game, beside the owner; else all who can subscribe."""
__all__ = ["in_one_thread"]


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch):
    """Time stands still at noon."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    handshake.PLACES.taken.clear()


@dataclass(frozen=True)
class Hearing:
    """A ground, the last message before anything is done, an act of its other seat, the message about it; a secret."""

    ground: Callable[[], Ground]
    last: str
    act: Command
    reported: str
    secret: str


CAIRNS = Hearing(cairns, "core.Started", AddStones(stones=2), "toy.StonesAdded", "toy.CoinsHidden")
CHECK = Hearing(
    lambda: tower("free"), "dietower.PoolRolled", LeaveSeat(), "dietower.SeatLeft", "dietower.StoryWishWithdrawn"
)
LOCATE = Hearing(lambda: storm(Step.LOCATE), "Turn 2:", Concede(), "albraxas.Conceded", "albraxas.LocationUnlocked")


@pytest.mark.rule("AX-TRN-2")
@pytest.mark.parametrize(
    ("hearing", "socket"),
    [(CAIRNS, False), (CAIRNS, True), (LOCATE, False), (CHECK, False)],
    ids=["events", "subscription", "events of Albraxas", "events of the Die Tower"],
)
def test_no_secret_changes_a_frame_of_what_others_receive(hearing, socket):
    ground = hearing.ground()
    here = ground.slug, ground.step
    kinds = [kind for kind, plant in PLANTS.items() if (plant.game, plant.step) == here and plant.instead is None]
    headers = {name: bearer(v.user) if v.user else {} for name, v in ground.viewers.items()}
    author = Actor(Issuer.SEAT, ground.other.user_id, ground.other.pk)

    def publicly():
        services.run(ground.game.pk, hearing.act, actor=author, now=NOON)

    def listen(name, before, during):
        with restore_afterwards():
            for plant in before:
                plant.how(ground)

            def act():
                for plant in during:
                    plant.how(ground)
                publicly()

            viewer = ground.viewers[name]
            return frames_of(
                ground, viewer, headers[name], act, socket=socket, between=(hearing.last, hearing.reported)
            )

    unaware = _unaware(ground, kinds)
    for name in ("nobody", "other seat", "owner", "gm"):
        plain = listen(name, [], [])
        assert listen(name, [], unaware[name]) == plain, f"{name} hears of a secret as it happens"
        if name == "other seat":
            assert listen(name, unaware[name], []) == plain, f"{name} hears of a secret of the past"
    known = next(plant for kind, plant in PLANTS.items() if hearing.secret.endswith(f".{kind.__name__}"))
    for name in ("owner", "gm"):
        assert any(hearing.secret.encode() in frame for frame in listen(name, [], [known]))
        assert any(hearing.secret.encode() in frame for frame in listen(name, [known], []))


@pytest.mark.parametrize(
    "hearing",
    [
        pytest.param(CAIRNS, id="Cairns"),
        pytest.param(LOCATE, id="Albraxas", marks=pytest.mark.long),
        pytest.param(CHECK, id="the Die Tower", marks=pytest.mark.long),
    ],
)
def test_nobody_is_told_of_a_secret_nor_of_what_others_are_told(hearing, monkeypatch):
    """The kind: a filter by person, seat or audience that is missing in what is subscribed to."""
    monkeypatch.setattr(notifications, "TICK_SECONDS", 0.001)
    ground = hearing.ground()
    following.look_at(ground.game.pk, NOON)
    here = ground.slug, ground.step
    kinds = [kind for kind, plant in PLANTS.items() if (plant.game, plant.step) == here and plant.instead is None]
    headers = {name: bearer(v.user) for name, v in ground.viewers.items() if v.user}
    marks = _marks(ground)
    author = Actor(Issuer.SEAT, ground.other.user_id, ground.other.pk)

    def happen(*acts):
        for act in acts:
            act(ground)

    def publicly(_):
        services.run(ground.game.pk, hearing.act, actor=author, now=NOON)

    def look(_, at=NOON):
        following.look_at(ground.game.pk, at)

    def listen(name, before=(), during=()):
        after, last, reported = marks[name]
        of_owner = OF_OWNER if name != "owner" else ()
        with restore_afterwards():
            happen(*before, look, *(of_owner if before else ()))

            def act():
                happen(*during, publicly, partial(look, at=LATER), *(of_owner if during else ()))
                reported.save(force_insert=True)

            between = tuple(f'"id":"{row.pk}"' for row in (last, reported))
            return frames_of_notifications(headers[name], after.pk, act, between=between)

    unaware = _unaware(ground, kinds)
    for name in sorted(OTHERS & set(headers)):
        plain = listen(name)
        plants = [plant.how for plant in unaware[name]]
        assert listen(name, during=plants) == plain, f"{name} is told of what is another's"
        assert listen(name, before=plants) == plain, f"{name} is told of what was another's"
    if ground.slug == "toy":
        assert any(WORD.encode() in frame for frame in listen("owner", during=[open_question]))
        assert any(WORD.encode() in frame for frame in listen("owner", before=[open_question]))


def _marks(ground):
    """Viewer -> their notifications in a game that all watch: an old one, a newer one, and one yet to be written."""
    users = {name: viewer.user for name, viewer in ground.viewers.items() if viewer.user}
    watched = services.open_game("toy", "Watched", user=user("opener").pk, now=NOON)
    for each in users.values():
        join = Join(name=f"{each.username.title()} watching", role=Role.OBSERVER)
        services.run(watched.pk, join, actor=Actor(Issuer.SEAT, each.pk), now=NOON)
    marks = {}
    for name, each in users.items():
        rows = [
            Notification(
                id=derived_id(watched.pk, f"{each.pk}:{key}"), game=watched, user_id=each.pk, kind="over", key=key,
                created_at=at, changed_at=at,
            )
            for key, at in (("first", NOON - timedelta(hours=1)), ("last", NOON + MOMENT), ("next", NOON + 2 * MOMENT))
        ]  # fmt: skip
        Notification.objects.bulk_create(rows[:2])
        marks[name] = rows
    return marks


def _tell_owner(ground):
    """The owner is told of the game, as all others are not; it stands since this moment."""
    at = timezone.now() + MOMENT / 2
    Notification.objects.create(
        id=derived_id(ground.game.pk, "owner"), game=ground.game, user_id=ground.owner.user_id, seat=ground.owner.pk,
        kind="attacked", key="attacked:1.1", created_at=at, changed_at=at,
    )  # fmt: skip


def _read_as_owner(ground):
    """The owner has read everything."""
    for row in Notification.objects.filter(game=ground.game, user=ground.owner.user_id, gone_at=None):
        reading.read(ground.owner.user_id, [row.pk], NOON + MOMENT)


def _mute_as_owner(ground):
    """The owner wants to be told nothing of the game."""
    change_wishes(ground.owner.user_id, NOON, {"games_off": [str(ground.game.pk)]})


OF_OWNER = (_tell_owner, _read_as_owner, _mute_as_owner)
"""What happens to notifications of the owner alone."""


def _unaware(ground, kinds):
    """Viewer -> the plants outside that viewer's audience."""
    found = {name: [] for name in ground.viewers}
    for kind in kinds:
        with restore_afterwards():
            seq = ground.fresh().seq
            PLANTS[kind].how(ground)
            shown = ground.audiences_behind(seq)
        for name, viewer in ground.viewers.items():
            if not any(viewer.may_read(audience) for audience in shown):
                found[name].append(PLANTS[kind])
    assert all(len(found[name]) == len(kinds) for name in ("nobody", "stranger", "observer", "other seat"))
    assert found["gm"] or ground.step  # a game-master may know all that players hide
    return found
