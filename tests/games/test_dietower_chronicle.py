"""The chronicle of a game of the Die Tower: its story by sessions, stored with the world, without what is undone."""

import pytest
from django.utils import timezone

from games.dietower.rules.chronicle import STORY
from games.engine.audience import PUBLIC
from games.models import LoggedEvent
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
    assert lines[0] == (1, "Session 1 begins.")
    assert lines[-1] == (2, "Session 2 begins.")
    assert (
        "ann tries: climb." in words
        and "Gnaw is seen, a Monster." in words
        and "The encounter is over. It runs." in words
    )
    assert "Odo" not in words and "rolls" not in words
    kinds = [kind.__name__ for kind in STORY]
    logged = LoggedEvent.objects.filter(game=here.id, audience=PUBLIC, type__in=kinds).exclude(text="").order_by("seq")
    assert [text for _, text in lines] == list(logged.values_list("text", flat=True))
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
