"""The console with artifacts: those of a live game are corrected in its log, all others are edited freely."""

from typing import Any

import pytest
from django.utils import timezone

from games.models import LoggedEvent
from tests.api.browsing import address, form_values
from tests.games.artifacts import Stage, holders_of
from tests.games.dawn import peopled_world
from worlds.models import Artifact, World

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_admin_corrects_an_artifact_of_a_live_game_in_its_log(page: Any) -> None:
    here = peopled_world(now=timezone.now())
    elves = next(race for race in here.state.races.values() if race.name == "Elves")
    stage = Stage(here, "gm", [here.seats["ann"], elves.id])
    ring = stage.creates()
    before = here.game.seq
    values = form_values(page, ring)
    # A correction without a reason is refused with what is missing; nothing changes.
    answer = page.post(address(ring), values | {"deity": "", "race": str(elves.id)})
    assert answer.status_code == 200 and b"say why" in answer.content
    assert here.game.seq == before
    sent = values | {"deity": "", "race": str(elves.id), "reason": "It was theirs."}
    assert page.post(address(ring), sent).status_code == 302
    assert LoggedEvent.objects.filter(game=here.id, seq__gt=before).values_list("type", flat=True)[0] == "Amended"
    assert here.state.artifacts[ring.pk].holder == elves.id
    assert holders_of(ring) == [(stage.first, False), (elves.id, True)]
    # What cannot be is refused in the words of the game.
    refused = page.post(address(ring), form_values(page, ring) | {"lost": "on", "reason": "Gone."})
    assert b"Ring is lost, so nobody has it." in refused.content
    here.rows_agree()


def test_an_artifact_of_a_world_without_a_game_is_edited_freely(page: Any) -> None:
    world = World.objects.create(name="Atlantis", width=0, height=0)
    ring = Artifact.objects.create(world=world, name="Ring")
    assert page.post(address(ring), form_values(page, ring) | {"name": "Great Ring"}).status_code == 302
    ring.refresh_from_db()
    assert ring.name == "Great Ring" and holders_of(ring) == [(None, True)]
