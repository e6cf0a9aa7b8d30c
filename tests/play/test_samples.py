"""What the Python client makes of each legal command's schema is taken by the service (dry run) in the demo's games."""

from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.workers import demo
from tests.play.ruleless import body_for
from tests.play.tables import UNKNOWABLE

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def listing(settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The demo, opened, at a moment that lasts: its people and its games."""
    settings.DEMO, settings.DATA_DIR = True, str(tmp_path)
    found, now = demo.prepare(), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for game in found["games"]:  # else the first command of a game fires what came due since it was opened
        services.fire_due(UUID(game["game"]), now=now)
    return found


def test_a_sample_of_every_legal_command_is_what_the_service_takes(listing: dict[str, Any]) -> None:
    chance, tokens = Random(1), {each["name"]: each["token"] for each in listing["users"]}
    tried = dict[str, set[str]]()  # the commands of each ruleset
    for game in listing["games"]:
        path = f"/api/v1/games/{game['game']}/"
        for seat in game["seats"]:
            person = Client(headers={"Authorization": f"Bearer {tokens[seat['user']]}"})
            view = "as=gm" if seat["role"] == "gm" else f"seat={seat['seat']}"
            answer = person.get(f"{path}legal-commands/?legal=1&{view}").json()
            for entry in answer["results"]:
                seen = tried.setdefault(game["ruleset"], set())
                if entry.get("partial") or entry["command"] in seen:
                    continue
                seen.add(entry["command"])
                body = body_for(entry, answer, chance)
                address = f"{path}commands/{entry['command']}/?dry_run=1&{view}"
                done = person.post(address, body, content_type="application/json")
                refused = done.json().get("code") if done.status_code != 200 else None
                assert refused is None or refused in UNKNOWABLE, (entry["command"], body, done.content)
    assert set(tried) == {game["ruleset"] for game in listing["games"]}
    assert all(len(commands) > 8 for commands in tried.values()), tried
