"""What pages of the console show of ids: the names of seats and of things in the world, asked once for each game."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.dawn import models as dawn
from games.gods2.models import PantheonOrder
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.state.value_types import ShareOf
from games.models import Answer, LoggedEvent, Prompt, Receipt, Seat, Stream, Timer
from tests.api.browsing import address
from tests.games.albraxas import Battle, begin
from tests.games.dawn import peopled_world
from tests.games.live import live
from worlds.models import PantheonShare

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ID_LIKE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}|\[")


def cells(page: Client, model: Any, **query: Any) -> list[str]:
    """The rows of a list as a reader sees them: text without tags; the head first."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    text = page.get(reverse(name), query).content.decode()
    table = text[text.index('id="result_list"') : text.rindex("</table>")]
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in table.split("<tr")[1:]]


def row_of(page: Client, model: Any, word: str) -> str:
    """The only row of a list with a text in it."""
    (row,) = [row for row in cells(page, model)[1:] if word in row]
    return row


def storm() -> Battle:
    """A game of Albraxas in which Ria has settled where she goes, played today."""
    here = begin({"phases": 16}, now=timezone.now())
    here.run(SetLocation(phase=2), "ria")
    here.run(LockLocation(), "ria", key="mine")
    return here


def test_rows_of_dawn_name_gods_races_and_cities(page):
    here = peopled_world(now=timezone.now())
    elves, dwarves = (dawn.RaceSheet.objects.get(race__name=name) for name in ("Elves", "Dwarves"))
    dawn.RaceSheet.objects.filter(pk=dwarves.pk).update(parents=f'["{elves.pk}"]')
    dawn.Mark.objects.create(game_id=here.id, price="catastrophe", target=elves.pk)
    bob, ann = (Seat.objects.get(pk=here.seats[name]).name for name in ("bob", "ann"))

    assert f"{bob} Elves" in row_of(page, dawn.RaceSheet, "Dwarves")
    assert ann in row_of(page, dawn.OrderSheet, "Weavers")
    assert "catastrophe Elves" in row_of(page, dawn.Mark, "catastrophe")
    alliance = dawn.Alliance.objects.get()
    other = alliance.other.name
    assert f"{'Elves' if other == 'Dwarves' else 'Dwarves'} {other}" in row_of(page, dawn.Alliance, other)
    assert len([row for row in cells(page, dawn.Edge) if "crosses water" in row]) == 2
    for model in (dawn.RaceSheet, dawn.OrderSheet, dawn.Edge, dawn.GodSheet, dawn.Alliance, dawn.Mark):
        shown = cells(page, model)[1:]
        assert shown and not any(ID_LIKE.search(row) for row in shown), model


def test_a_form_names_the_owners_of_the_ids_in_it(page):
    here = peopled_world(now=timezone.now())
    sheet = dawn.RaceSheet.objects.get(race__name="Elves")
    ann = Seat.objects.get(pk=here.seats["ann"]).name
    text = page.get(address(sheet)).content.decode()
    assert f"Seats, as JSON. Now: {ann}." in text
    assert text.count("Now: ") == 1  # nothing stands below an empty list


def test_the_table_and_the_log_name_seats_and_users(page):
    here = storm()
    ria = Seat.objects.get(pk=here.seats["ria"])
    assert ria.name in row_of(page, Answer, "Where do you go")
    assert any(ria.name in row for row in cells(page, Stream) if "game-masters" in row)
    assert str(ria.user) in row_of(page, Receipt, "lock-location")
    timer = Timer.objects.get(game=here.id, does="end-step")
    assert "locate" in row_of(page, Timer, "end-step")
    for model in (Answer, Stream, Receipt, Timer, Prompt, LoggedEvent):
        shown = cells(page, model)[1:]
        assert shown and not any("seat:" in row or ID_LIKE.search(row) for row in shown), model
    assert "game-masters" in page.get(address(timer)).content.decode() or timer.audience == "public"
    page_text = page.get(reverse("admin:games_game_extend", args=[here.id])).content.decode()
    assert "end step for locate, " in page_text


def test_names_cost_the_same_for_one_row_and_for_many(page):
    here = storm()
    first = Stream.objects.filter(game=here.id, audience__contains="seat:").first()
    assert first is not None
    Stream.objects.exclude(pk=first.pk).delete()

    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert page.get(reverse("admin:games_stream_changelist")).status_code == 200
        return len(captured)

    statements()  # what is asked once in a process
    one = statements()
    for name in ("rex", "ria"):
        Stream.objects.create(game_id=here.id, audience=f"gm+seat:{here.seats[name]}+{first.audience[-41:]}", head=1)
    assert statements() == one


def test_shares_are_shown_in_percent_and_by_name(page):
    made = live()
    pantheon = tuple(ShareOf(member=str(made.seats[god]), share=5000) for god in ("ana", "ben"))
    made.run(DraftPantheonOrder(race=made.races["Dwarves"], pantheon=pantheon), "ana")
    ana, ben = (Seat.objects.get(pk=made.seats[name]).name for name in ("ana", "ben"))
    row = row_of(page, PantheonOrder, "Dwarves")
    assert f"{ana} 50.00 %" in row and f"{ben} 50.00 %" in row and not ID_LIKE.search(row)
    share = PantheonShare.objects.first()
    assert share is not None
    assert f"{share.share // 100}.{share.share % 100:02d} %" in " ".join(cells(page, PantheonShare))


def test_the_page_of_a_game_shows_its_line_view_and_links_its_rows(page):
    here = storm()
    text = page.get(reverse("admin:games_game_change", args=[here.id])).content.decode()
    river = reverse("admin:games_game_map", args=[here.id])
    assert river in text and "Turn 1: the rebels choose their phases" in text and "no map yet" not in text
    assert f"{reverse('admin:albraxas_character_changelist')}?game__id__exact={here.id}" in text
    drawn = page.get(river).content.decode()
    assert "the rebels choose their phases" in drawn
    rows = page.get(reverse("admin:albraxas_storm_changelist"), {"game__id__exact": here.id})
    assert rows.status_code == 200 and rows.context["cl"].result_count == 1


def test_the_overview_has_its_own_title_and_times_show_their_zone(page):
    storm()
    assert page.get(reverse("admin:index")).context["title"] == "Overview"
    users = page.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", users)
