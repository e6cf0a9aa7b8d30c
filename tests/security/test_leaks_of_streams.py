"""Streams reveal no secret: neither in what has happened, nor live, nor by a frame, a beat or a cursor more."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from api.streams import handshake
from games import services
from games.albraxas.rules.ending.commands import Concede
from games.albraxas.rules.state.schema_types import Step
from games.dietower.rules.table.commands import LeaveSeat
from games.engine.kernel import Actor, Command, Issuer
from tests.api.worlds import bearer, restore_afterwards
from tests.security.grounds import Ground, cairns, storm, tower
from tests.security.listening import frames_of, in_one_thread
from tests.security.secrets import PLANTS
from tests.toy.rules.commands import AddStones

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_one_thread")]
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
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
