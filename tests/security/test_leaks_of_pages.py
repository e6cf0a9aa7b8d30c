"""No page of a game says a secret to whom it is not for: desk, forms, screen and home, for everybody who may open them.

A host who is no game-master leads a game without its secrets; players and observers have no desk at all. Secrets are
planted and taken back as in `test_leaks`; the bytes of each page are the same before and with them.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from api.pages.urls import urlpatterns
from games import registry, services
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.seating import HandOver, Invite
from games.engine.prompts import sealed
from games.models import Invitation, Seat
from games.runtime import session
from tests.api.worlds import restore_afterwards, user
from tests.security.grounds import Ground, Viewer, ages, cairns, era, forge, storm, tower
from tests.security.secrets import PLANTS
from tests.security.test_leaks import SECRET_OF, SECRET_OF_FORGE, SECRET_OF_TOWER, Watch

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
BY_CHANCE = re.compile(rb"[0-9a-f]{32}|[A-Za-z0-9]{64}")
"""Of each look at a page: the keys of its buttons, the token of its session."""
GROUNDS: dict[str, Callable[[Any, Any], Ground]] = {
    "cairns": lambda *_: cairns(),
    "era": era,
    **{f"storm-{step}": lambda *_, step=step: storm(step) for step in SECRET_OF},
    **{f"ages-{step}": lambda *_, step=step: ages(step) for step in ("war", "power")},
    **{f"tower-{step}": lambda *_, step=step: tower(step) for step in SECRET_OF_TOWER},
    **{f"forge-{step}": lambda *_, step=step: forge(step) for step in SECRET_OF_FORGE},
}
"""A game of each ruleset at each step that has secrets of its own: held actions, story Wishes, sealed pools, drafts."""
UNSHOWN = {"era", "storm-characters", "storm-order", "ages-power", "forge-smiths", "forge-vote"}
"""Those of whose secrets the desk shows a game-master nothing either; the APIs do."""
PAGES = (
    "/", "/games/new/", "/games/new/{1}/", "/join/{2}/", "/games/{0}/join/", "/games/{0}/seat/",
    "/games/{0}/screen/", "/games/{0}/screen/body/", "/games/{0}/desk/", "/games/{0}/desk/body/",
    "/games/{0}/desk/commands/pause/", "/games/{0}/desk/commands/hand-over/", "/games/{0}/desk/commands/remove-seat/",
    "/games/{0}/desk/commands/rewind/", "/games/{0}/desk/amend/", "/games/{0}/desk/map/", "/games/{0}/desk/map.svg",
    "/games/{0}/desk/at/?mark=square:1,1&mark=phase:1", "/games/{0}/screen/map.svg",
    "/games/{0}/chronicle/",
    "/games/{0}/replay/", "/games/{0}/replay/body/", "/games/{0}/replay/?at=0", "/games/{0}/replay/map.svg?at=0",
    "/games/{0}/replay/recap/?at=0", "/games/{0}/screen/marks.svg",
)  # fmt: skip

SEAT_PARTS = (
    "", "body/", "may/", "map.svg", "map.svg?wall=1", "at/?mark=square:1,1&mark=phase:1", "commands/leave-seat/",
)  # fmt: skip
"""Of each seat that a viewer holds."""
NOT_LOOKED_AT = {
    "accents": "colours of rulesets, the same for all",
    "icon": "is one drawing",
    "demo-chat": "takes lines alone, and shows nothing of any game",
    "demo-sign-in": "signs in, and shows nothing of any game",
    "forgotten-password": "shows nothing of any game",
    "new-password": "shows nothing of any game",
    "sign-up-page": "shows nothing of any game",
    "confirm-email": "shows nothing of any game",
    "answer": "shows one question to whoever holds its key: tests/notifications/test_answering",
    "mail-off": "shows nothing of any game",
    "calendar-page": "shows nothing of any game",
    "calendar": "shows its owner's own turns (tests/event_pages/test_calendar)",
    "notifications-page": "shows its owner's own: tests/notifications",
    "push-worker": "one script, the same for all",
    "play-now": "takes a press alone, and opens a game",
    "desk-ticket": "takes a press alone; what a ticket opens is in test_leaks_of_streams",
    "desk-mute": "takes a press alone, and leads back to the desk",
    "seat-mute": "takes a press alone, and leads back to the seat",
    "seat-ticket": "takes a press alone; what a ticket opens is in test_leaks_of_streams",
}
"""By the name of an address, why it need not be the same for all."""


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still at noon, and the throw-away dice of dry runs are always the same."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    monkeypatch.setattr(session, "os", SimpleNamespace(urandom=bytes))


def led_by_two(ground: Ground) -> Ground:
    """The same game with a game-master who is not its host: both look at it."""
    gina, seat = user("gina"), Seat.objects.get(game=ground.game, role="gm", user=ground.gm.user)
    services.run(ground.game.pk, HandOver(seat=seat.pk, user=gina.pk), actor=ground.gm, now=NOON)
    host = Seat.objects.get(game=ground.game, role="host", user__isnull=False)
    viewers = {
        **ground.viewers,
        "gm": Viewer(gina, frozenset({seat.pk}), as_gm=True),
        "host": Viewer(host.user, frozenset({host.pk})),
    }
    return replace(ground, gm=Actor(Issuer.GM, gina.pk, seat.pk), viewers=viewers)


def pages_of(slug: str, seats: Iterable[Any]) -> tuple[str, ...]:
    """Every address that is looked at, with places for the game, its ruleset, and the code of an invitation."""
    pictures = [f"{name}.svg" for name in registry.ruleset(slug).charts]
    charts = [f"/games/{{0}}/{page}/charts/{picture}" for page in ("screen", "replay") for picture in pictures]
    parts = [f"/games/{{0}}/seats/{seat}/{part}" for seat in seats for part in SEAT_PARTS]
    return (*PAGES, *charts, *parts)


def look(ground: Ground, viewer: Viewer, code: str) -> dict[str, tuple[int, bytes]]:
    """What each page says to a viewer with a session. code: of an invitation to the game."""
    client, found = Client(headers={"X-Request-Id": "the-same-for-all"}), dict[str, tuple[int, bytes]]()
    if viewer.user is not None:
        client.force_login(viewer.user)
    for page in pages_of(ground.slug, sorted(viewer.seats)):
        path = page.format(ground.game.pk, ground.slug, code)
        answer: Any = client.get(path)
        found[page] = answer.status_code, BY_CHANCE.sub(b"chance", answer.content)
    return found


@pytest.mark.parametrize("name", ["cairns", *(pytest.param(n, marks=pytest.mark.long) for n in [*GROUNDS][1:])])
def test_no_page_says_a_secret_to_whom_it_is_not_for(
    name: str, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commitment is taken for a perfect one, as in `test_leaks`."""
    monkeypatch.setattr(sealed, "digest_of", lambda salt, value: sha256(salt.encode()).hexdigest())
    ground = led_by_two(GROUNDS[name](settings, tmp_path))
    services.run(ground.game.pk, Invite(), actor=ground.gm, now=NOON)
    code = Invitation.objects.get(game=ground.game).code
    watch = Watch(ground)
    plants = {kind: plant for kind, plant in watch.plants.items() if plant.instead is None}
    for kind, plant in plants.items():
        with restore_afterwards():
            watch.plant(kind, plant)
    groups: dict[frozenset[type[Event]], list[str]] = defaultdict(list)
    for viewer in ground.viewers:
        groups[frozenset(kind for kind in plants if viewer in watch.unaware[kind])].append(viewer)
    with restore_afterwards():
        without = {viewer: look(ground, ground.viewers[viewer], code) for viewer in ground.viewers}
    for kinds, viewers in groups.items():
        if not kinds:
            continue  # these know all of them
        with restore_afterwards():
            for kind in (kind for kind in plants if kind in kinds):
                PLANTS[kind].how(ground)
            with_it = {viewer: look(ground, ground.viewers[viewer], code) for viewer in viewers}
        for viewer in viewers:
            wrong = [page for page, seen in with_it[viewer].items() if seen != without[viewer][page]]
            assert wrong == [], f"{viewer} learns of a secret through {wrong}"
    desk = "/games/{0}/desk/body/"
    statuses = {viewer: seen[desk][0] for viewer, seen in without.items()}
    leading = {viewer for viewer, status in statuses.items() if status == 200}
    assert leading == {"gm", "host"}, statuses
    if name in UNSHOWN:
        return
    with restore_afterwards():
        for plant in plants.values():
            plant.how(ground)
        assert look(ground, ground.viewers["gm"], code)[desk] != without["gm"][desk]


def test_every_address_of_the_pages_is_looked_at_or_says_why_it_is_not() -> None:
    game, seat = uuid4(), uuid4()
    paths = [page.partition("?")[0].format(game, "gods2", "code") for page in pages_of("gods2", [seat])]
    looked_at = {resolve(path).url_name for path in paths}
    assert looked_at.isdisjoint(NOT_LOOKED_AT)
    assert looked_at | NOT_LOOKED_AT.keys() == {pattern.name for pattern in urlpatterns}
