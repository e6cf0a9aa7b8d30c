"""The console with the sixth game: rows of a live game are amended, logged, refused; the table is conducted."""

import json

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game, LoggedEvent, Secret, Timer
from tests.games import cairns as cairns_at_noon
from tests.games.cairns import Cairns, table
from tests.games.moments import number_at
from tests.toy.models import Hoard, Pile
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today(monkeypatch):
    """The tests' game is played now: the console has no other clock."""
    monkeypatch.setattr(cairns_at_noon, "NOON", timezone.now())


@pytest.fixture
def cairns() -> Cairns:
    """A running game in which Ann has three stones."""
    made = table()
    made.run(AddStones(stones=3), made.ann)
    return made


@pytest.fixture
def page() -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return client


def address(row, action: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{action}", args=[row.pk])


def opened_form(page: Client, row) -> dict[str, str]:
    """What the form of a row carries when it is opened."""
    form = page.get(address(row)).context["adminform"].form
    return {"seen": form["seen"].value()}


def test_no_page_shows_the_secrets_of_a_game():
    assert Secret not in site._registry


def test_a_corrected_row_is_one_amended_event_and_rows_equal_the_log(page, cairns):
    pile = Pile.objects.get()
    form = opened_form(page, pile) | {"stones": "7", "rolled": "0", "reason": "a stone rolled away"}
    before = cairns.fresh().seq

    assert page.post(address(pile), form).status_code == 302

    pile.refresh_from_db()
    event = cairns.fresh().events.get(seq=before + 1)
    assert (pile.stones, event.type, event.by, cairns.fresh().seq) == (7, "Amended", "", before + 1)
    body = json.loads(event.body)
    assert body["reason"] == "a stone rolled away"
    assert [(f["field"], f["before"], f["value"]) for f in body["changes"][0]["fields"]] == [("stones", "3", "7")]
    assert cairns.rows_equal_log()


def test_a_secret_row_is_amended_in_its_own_stream(page, cairns):
    seat = cairns.seat(cairns.ann)
    cairns.run(HideCoins(coins=3), cairns.ann)
    hoard = Hoard.objects.get()
    form = opened_form(page, hoard) | {"coins": "5", "reason": "found behind a stone"}

    assert page.post(address(hoard), form).status_code == 302

    event = cairns.fresh().events.last()
    assert (event.type, event.audience) == ("Amended", f"gm+seat:{seat}")
    assert Hoard.objects.get().coins == 5
    assert cairns.rows_equal_log()


def test_without_a_reason_nothing_is_corrected(page, cairns):
    pile = Pile.objects.get()
    before = cairns.fresh().seq

    answer = page.post(address(pile), opened_form(page, pile) | {"stones": "7", "rolled": "0", "reason": "  "})

    assert answer.status_code == 200
    assert "say why it is corrected. (reason.missing)" in answer.content.decode()
    assert (Pile.objects.get().stones, cairns.fresh().seq) == (3, before)


def test_a_form_opened_before_somebody_else_wrote_is_refused_as_stale(page, cairns):
    pile = Pile.objects.get()
    form = opened_form(page, pile) | {"stones": "9", "rolled": "0", "reason": "too late"}
    cairns.run(AddStones(stones=1), cairns.ann)
    before = cairns.fresh().seq

    answer = page.post(address(pile), form)

    assert "position.stale" in answer.content.decode()
    assert (Pile.objects.get().stones, cairns.fresh().seq) == (4, before)


def test_a_form_that_changes_nothing_needs_no_reason_and_logs_nothing(page, cairns):
    pile, before = Pile.objects.get(), cairns.fresh().seq
    assert page.post(address(pile), opened_form(page, pile) | {"stones": "3", "rolled": "0"}).status_code == 302
    assert cairns.fresh().seq == before


def test_a_ruled_row_is_deleted_by_a_correction(page, cairns):
    pile = Pile.objects.get()
    assert "reason" in page.get(address(pile, "delete")).content.decode()
    assert page.post(address(pile, "delete"), {"reason": ""}).status_code == 200
    assert Pile.objects.count() == 1

    assert page.post(address(pile, "delete"), {"reason": "never piled"}).status_code == 302

    assert Pile.objects.count() == 0
    assert cairns.fresh().events.last().type == "Amended"
    assert cairns.rows_equal_log()


def test_rows_of_a_finished_game_are_edited_freely(page, cairns):
    Game.objects.filter(pk=cairns.game.pk).update(status="finished")
    pile, before = Pile.objects.get(), cairns.fresh().seq
    form = {"seat": str(pile.seat_id), "game": str(pile.game_id), "stones": "8", "rolled": "0"}

    assert page.post(address(pile), form).status_code == 302

    assert (Pile.objects.get().stones, cairns.fresh().seq) == (8, before)


def test_the_log_can_be_read_and_neither_added_to_nor_changed_nor_deleted(page, cairns):
    event = LoggedEvent.objects.filter(game=cairns.game).last()
    text = page.get(address(event)).content.decode()
    assert event.digest in text
    assert page.get(reverse("admin:games_loggedevent_add")).status_code == 403
    assert page.post(address(event), {"text": "never happened"}).status_code == 403
    assert page.post(address(event, "delete"), {"post": "yes"}).status_code == 403
    form = {"action": "delete_selected", "_selected_action": [str(event.pk)], "post": "yes"}
    page.post(reverse("admin:games_loggedevent_changelist"), form)
    assert LoggedEvent.objects.filter(pk=event.pk, text=event.text).exists()


def post_gm_command(page: Client, game: Game, action: str, **form):
    return page.post(reverse(f"admin:games_game_{action}", args=[game.pk]), form)


def test_a_game_is_paused_and_resumed_with_a_word_to_the_table(page, cairns):
    assert page.get(reverse("admin:games_game_pause", args=[cairns.game.pk])).status_code == 200
    assert cairns.fresh().paused_at is None

    assert post_gm_command(page, cairns.game, "pause", reason="pizza").status_code == 302
    assert cairns.fresh().paused_at is not None
    assert "pizza" in cairns.fresh().events.last().text
    assert "clock.paused" in post_gm_command(page, cairns.game, "pause", reason="more").content.decode()

    assert post_gm_command(page, cairns.game, "resume").status_code == 302
    assert cairns.fresh().paused_at is None
    assert cairns.rows_equal_log()


def test_a_deadline_is_put_off_by_a_minute_and_ended_at_once(page, cairns):
    assert post_gm_command(page, cairns.game, "fire_due").status_code == 302
    due = Timer.objects.get(key="tide").due

    assert post_gm_command(page, cairns.game, "extend", seconds="60", timer="", reason="").status_code == 302
    assert (Timer.objects.get(key="tide").due - due).total_seconds() == 60

    before = cairns.fresh().events.filter(type="TideCame").count()
    assert post_gm_command(page, cairns.game, "end_now").status_code == 302
    assert post_gm_command(page, cairns.game, "fire_now", timer="tide").status_code == 302
    assert cairns.fresh().events.filter(type="TideCame").count() == before + 2
    assert cairns.rows_equal_log()


def test_a_form_acts_on_the_stage_that_it_was_made_in_and_on_no_later_one(page, cairns):
    """The kind: a command of the clock that names nothing, sent after the stage has moved on."""
    end = reverse("admin:games_game_end_now", args=[cairns.game.pk])
    shown = page.get(end)
    sent = {name: shown.context["form"][name].value() for name in ("key", "stage")}
    assert sent["stage"] and "Now: " in shown.context["text"]
    assert post_gm_command(page, cairns.game, "end_now", **sent).status_code == 302
    before = cairns.fresh().seq

    stale = page.post(end, sent | {"key": "another"})
    assert stale.status_code == 200 and cairns.fresh().seq == before
    told = stale.content.decode()
    assert "The game has moved on since this was shown" in told and "position.stale" in told
    anew = {name: stale.context["form"][name].value() for name in ("key", "stage")}
    assert anew["stage"] != sent["stage"]
    assert page.post(end, anew).status_code == 302 and cairns.fresh().seq > before


def test_a_pause_is_of_the_whole_game_and_a_deadline_of_its_stage(page, cairns):
    moved = {"stage": "another"}
    assert post_gm_command(page, cairns.game, "pause", reason="", **moved).status_code == 302
    assert post_gm_command(page, cairns.game, "resume", **moved).status_code == 302
    assert (
        post_gm_command(page, cairns.game, "extend", seconds="60", timer="tide", reason="", **moved).status_code == 200
    )


def test_a_refused_command_comes_back_on_its_form(page, cairns):
    before = cairns.fresh().seq
    answer = post_gm_command(page, cairns.game, "rewind", to="999", reason="x")
    assert "is no moment of this game" in answer.content.decode()
    assert "history.missing" in answer.content.decode()
    assert post_gm_command(page, cairns.game, "overrule", rule="nonsense", reason="x").status_code == 200
    assert cairns.fresh().events.filter(type="Overruled").count() == 0
    assert cairns.fresh().seq >= before


def test_an_address_of_no_game_leads_to_no_page(page):
    for key in ("nonsense", "00000000-0000-0000-0000-000000000000"):
        assert page.get(f"/admin/games/game/{key}/pause").status_code in (301, 404)
        assert page.get(f"/admin/games/game/{key}/pause/").status_code == 404
        assert page.get(f"/admin/games/game/{key}/change/").status_code == 302


def test_buttons_fit_the_clock(page, cairns):
    address = reverse("admin:games_game_change", args=[cairns.game.pk])
    assert [a["title"] for a in page.get(address).context["actions_detail"]] == ["Pause", "Extend", "More"]
    post_gm_command(page, cairns.game, "pause")
    assert [a["title"] for a in page.get(address).context["actions_detail"]] == ["Resume", "More"]


def test_staff_without_rights_neither_issue_gm_commands_nor_amend(cairns):
    clerk = User.objects.create_user("clerk", password="seven-gates-of-horn", is_staff=True)
    client = Client()
    client.force_login(clerk)
    pile, before = Pile.objects.get(), cairns.fresh().seq

    assert post_gm_command(client, cairns.game, "pause", reason="mine").status_code == 403
    assert client.post(address(pile), {"stones": "99", "rolled": "0", "reason": "mine"}).status_code == 403
    assert client.post(address(pile, "delete"), {"reason": "mine"}).status_code == 403
    assert client.get(reverse("admin:index")).status_code == 200
    assert (Pile.objects.get().stones, cairns.fresh().seq, cairns.fresh().paused_at) == (3, before, None)


def test_staff_who_may_change_piles_but_issue_no_gm_commands_cannot_amend(cairns):
    clerk = User.objects.create_user("clerk", password="seven-gates-of-horn", is_staff=True)
    rights = ("view_pile", "change_pile", "delete_pile")
    clerk.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(clerk)
    pile = Pile.objects.get()

    assert client.get(address(pile)).status_code == 200
    assert client.post(address(pile), {"stones": "99", "rolled": "0", "reason": "mine"}).status_code == 403
    assert client.post(address(pile, "delete"), {"reason": "mine"}).status_code == 403
    assert Pile.objects.get().stones == 3


def test_the_page_of_a_rewind_previews_what_would_be_undone(page, cairns):
    address = reverse("admin:games_game_rewind", args=[cairns.game.pk])
    log, last = cairns.fresh().seq, number_at(cairns.game.pk, cairns.fresh().seq)
    first = page.get(address).content.decode()
    assert "Which event is the last that stands?" in first and f"?to={last}" in first

    answer = page.get(address, {"to": str(last - 2)})

    lost = answer.context["lost"]
    assert (lost.to, lost.count) == (last - 2, len(lost.results))
    assert all(each.number > last - 2 for each in lost.results)
    assert answer.context["form"]["to"].value() == last - 2
    assert "What the rewind would undo" in answer.content.decode()
    assert cairns.fresh().seq == log
    assert "history.missing" in page.get(address, {"to": str(last + 50)}, follow=True).content.decode()
    assert "Which event" in page.get(address, {"to": "x" * 40}).content.decode()


def test_a_game_without_packs_is_moved_to_none(page, cairns):
    assert page.get(reverse("admin:games_game_move_pack", args=[cairns.game.pk])).status_code == 404
    assert "/move_pack/" not in page.get(reverse("admin:games_game_change", args=[cairns.game.pk])).content.decode()
