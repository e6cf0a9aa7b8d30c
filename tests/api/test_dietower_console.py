"""The console with the Die Tower: every page of its rows opens; sheets, Health and bands are amended or refused."""

from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone

from games.dietower import models as own
from tests.api.browsing import address, form_values
from tests.api.dietower import Evening, eventful, playing

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def here() -> Evening:
    """A game with a row of every kind."""
    return eventful(now=timezone.now())


def amend(page: Any, row: Any, reason: str = "a slip", **changes: Any) -> Any:
    """Send a row's form with changes."""
    row.refresh_from_db()
    return page.post(address(row), form_values(page, row) | changes | {"reason": reason})


def own_models() -> list[Any]:
    """The models of the game that have pages."""
    return [model for model in site._registry if model._meta.app_label == "dietower"]


@pytest.mark.long
def test_every_list_and_every_page_of_the_die_tower_opens(page: Any, here: Evening) -> None:
    opened = 0
    for model in own_models():
        name = f"admin:dietower_{model._meta.model_name}"
        wanted = {"q": "a"} if site._registry[model].search_fields else {}
        assert page.get(reverse(f"{name}_changelist")).status_code == 200, model
        assert page.get(reverse(f"{name}_changelist"), wanted).status_code == 200, model
        assert page.get(reverse(f"{name}_add")).status_code in (200, 403), model
        answer = page.get(address(model._default_manager.first()))
        assert answer.status_code == 200, model
        opened += 1
    assert opened == len([name for name in own.__all__ if hasattr(own, name)])


def test_rows_are_corrected_in_the_log_wherever_they_stand(page: Any, here: Evening) -> None:
    """A sheet and its level, a name, Health, a weakness, a band, a mystery, the course, an encounter's order."""
    before = here.game.seq
    ann, gnaw = here.pc("ann"), here.named("Gnaw")
    sheet = own.Sheet.objects.get(actor=ann)
    assert amend(page, sheet, weapon="lantern", level="4", wishes="4").status_code == 302
    assert amend(page, own.Actor.objects.get(pk=ann), name="Ann the Brave").status_code == 302
    assert amend(page, own.Vitality.objects.get(actor=gnaw), health="7").status_code == 302
    assert amend(page, own.Brief.objects.get(actor=gnaw), weakness="rock salt").status_code == 302
    assert amend(page, own.Distance.objects.get(a=ann, b=gnaw), band="distant").status_code == 302
    assert amend(page, own.Mystery.objects.get(actor=ann), text="An heir.").status_code == 302
    assert amend(page, own.Course.objects.get(game=here.id), idle_rounds="4").status_code == 302
    assert here.game.seq == before + 7
    assert len(here.events_of("Amended")) == 7
    here.rows_agree()
    state = here.state
    assert (state.sheets[ann].weapon, state.sheets[ann].level, state.sheets[ann].wishes) == ("lantern", 4, 4)
    assert state.actors[ann].name == "Ann the Brave"
    assert (state.vitalities[gnaw].health, state.briefs[gnaw].weakness) == (7, "rock salt")
    assert state.distances[ann, gnaw].band == "distant"
    assert (state.mysteries[ann].text, state.course.idle_rounds) == ("An heir.", 4)


@pytest.mark.rule("DT-CHR-5", "DT-CHR-8")
def test_what_is_corrected_in_secret_stays_a_secret(page: Any, here: Evening) -> None:
    """Health and a weakness; the reason of a correction is read with the rows."""
    gnaw = here.named("Gnaw")
    amend(page, own.Vitality.objects.get(actor=gnaw), reason="it ate well", health="271")
    amend(page, own.Brief.objects.get(actor=gnaw), reason="it fears it", weakness="rock salt")
    for who in ("ann", "bob", None):
        for part in ("state/", "events/?limit=500"):
            text = here.client(who).get(here.url(part)).content.decode()
            for secret in ("it ate well", "rock salt", '"271"', ":271"):
                assert secret not in text, (who, part)
    assert "it ate well" in here.client("gm").get(here.url("events/?limit=500&as=gm")).content.decode()


IMPOSSIBLE = [
    ("sheet", {"wishes": "9", "level": "4"}, "no more Wishes than the level"),
    ("sheet", {"level": "2", "wishes": "1"}, "a story Wish holds more Wishes than there are"),
    ("vitality", {"health": "0"}, "a Monster is beaten exactly when it has no Health left"),
    ("actor", {"condition": "beaten"}, "Monsters are beaten, all others fall"),
    ("course", {"step": "free"}, "An encounter runs exactly while there are turns"),
    ("tower", {"height": "12"}, "A tower of height 12 has dice 1 to 12, each once"),
]


def test_what_cannot_be_is_refused_with_the_sentence_of_the_invariant(page: Any, here: Evening) -> None:
    """One game for all of them: each leaves its rows as they were."""
    ann, gnaw = here.pc("ann"), here.named("Gnaw")
    rows = {
        "sheet": lambda: own.Sheet.objects.get(actor=ann),
        "vitality": lambda: own.Vitality.objects.get(actor=gnaw),
        "actor": lambda: own.Actor.objects.get(pk=ann),
        "course": lambda: own.Course.objects.get(game=here.id),
        "tower": lambda: own.Tower.objects.get(game=here.id),
    }
    before = here.game.seq
    for kind, changes, sentence in IMPOSSIBLE:
        answer = amend(page, rows[kind](), **changes)
        assert answer.status_code == 200, sentence
        assert sentence in answer.content.decode()
        assert here.game.seq == before, sentence
    here.rows_agree()


def test_what_no_rule_lets_a_game_master_write_is_there_to_read(page: Any, here: Evening) -> None:
    """Rolls, placements, attacks, aims, holds, Wishes, consequences and miracles are made by commands alone."""
    before = here.game.seq
    for model in (own.Roll, own.Placement, own.Attack, own.Aim, own.Hold, own.StoryWish, own.Consequence, own.Miracle):
        row = model.objects.filter(game=here.id).first()
        assert page.get(address(row)).status_code == 200
        assert page.post(address(row), {"reason": "a whim"}).status_code == 403, model
    reasonless = own.Sheet.objects.get(actor=here.pc("ann"))
    assert "reason.missing" in amend(page, reasonless, reason="", weapon="spoon").content.decode()
    assert here.game.seq == before


def test_members_and_bands_are_made_and_taken_away_by_corrections(page: Any) -> None:
    """A band that is missing is added, and taken away again."""
    here = playing(now=timezone.now())
    gnaw = here.named("Gnaw")
    here.does("gm", "open-encounter", members=[gnaw], first=here.pc("ann"))
    row = own.Distance.objects.get(a=here.pc("ann"), b=gnaw)
    assert page.post(address(row, "delete"), {"reason": "out of sight"}).status_code == 302
    assert not own.Distance.objects.filter(a=here.pc("ann")).exists()
    body = {"game": str(here.id), "a": str(here.pc("ann")), "b": str(gnaw), "band": "long"}
    add = reverse("admin:dietower_distance_add")
    assert "reason.missing" in page.post(add, body).content.decode()
    assert page.post(add, body | {"reason": "it is back"}).status_code == 302
    assert here.state.distances[here.pc("ann"), gnaw].band == "long"
    here.rows_agree()
