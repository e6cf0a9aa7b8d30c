"""The chronicle of a game of the Die Tower: its story by sessions, stored with the world, without what is undone."""

import pytest
from django.utils import timezone

from tests.api.worlds import client, user
from tests.games.dietower import begin, fighting
from tests.games.moments import rewind_to
from worlds.models import Chronicle

pytestmark = pytest.mark.django_db


def lines_of(here):
    """The chronicle of the game's world, in order: session, sentence."""
    rows = Chronicle.objects.filter(world=here.game.world).order_by("position")
    return list(rows.values_list("chapter", "text"))


@pytest.mark.rule("DT-TBL-2", "DT-CHR-8")
def test_the_chronicle_tells_the_story_by_sessions_and_no_secret():
    here = fighting(now=timezone.now())
    here.does("gm", "save-npc", name="Odo the unseen")
    here.does("gm", "close-encounter", text="It runs.")
    here.fails("ann")
    here.places_all("ann")
    here.does("gm", "close-session")
    here.does("gm", "open-session")

    lines = lines_of(here)

    words = " ".join(text for _, text in lines)
    assert lines[0] == (1, "The company meets.")
    assert lines[-2:] == [(1, "The company parts."), (2, "The company meets again.")]
    assert "ann tries to climb and fails." in words
    assert "Gnaw appears, a Monster." in words and "The encounter ends: It runs." in words
    assert "Odo" not in words and "rolls" not in words
    address = f"/api/v1/worlds/chronicle/?world={here.game.world_id}&limit=100"
    found = client(user("ann")).get(address).json()["results"]
    assert [(line["chapter"], line["heading"], line["text"]) for line in found] == [
        (session, f"Session {session}", text) for session, text in lines
    ]


@pytest.mark.rule("DT-TBL-5")
def test_what_a_rewind_takes_back_is_not_in_the_chronicle():
    here = begin(now=timezone.now())
    before, place = lines_of(here), here.game.seq
    here.fails("ann")
    assert len(lines_of(here)) > len(before)

    here.run(rewind_to(here.id, place, "Once more."), "gm")

    assert lines_of(here) == before
