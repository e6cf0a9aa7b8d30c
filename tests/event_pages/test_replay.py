"""The replay and the wall of games: past chapters for everybody who may see a game, with a stranger's eyes."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.pages.accents import accents_css
from games import registry
from games.engine.game_state import Status
from games.models import Game, LoggedEvent
from tests.api import dietower
from tests.api.worlds import toy_game
from tests.event_pages.test_desks_of_rulesets import ground  # noqa: F401
from tests.games.albraxas import of_bots
from tests.games.table import Table

pytestmark = pytest.mark.django_db


def replay(game: Game, part: str = "", client: Client | None = None, status: int = 200) -> str:
    """A page of the replay."""
    answer = (client or Client()).get(f"/games/{game.pk}/replay/{part}")
    assert answer.status_code == status, answer.content
    return answer.content.decode()


@pytest.fixture
def finished() -> Table:
    """A short game of Albraxas that bots have played to its end."""
    here = of_bots(("steady", "random", "steady"), {"phases": 5, "sides": 6, "check_from": 2})
    while here.game.status != "finished":
        here.fire()
    return here


def test_every_past_chapter_of_a_game_of_any_ruleset_has_its_page(ground, django_assert_max_num_queries):  # noqa: F811
    if registry.ruleset(ground.game.ruleset).chapters is None:
        assert "not divided into chapters" in replay(ground.game, status=409)
        return
    replay(ground.game)  # figures of the past are cached from now on
    with django_assert_max_num_queries(40):
        text = replay(ground.game)
    last = re.search(r'max="(\d+)"', text)
    assert (last is None) is ("is over yet" in text)
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=", text)
    for chapter in range(int(last[1]) + 1 if last else 0):
        for picture in re.findall(r'<img src="([^"]+)"', replay(ground.game, f"body/?at={chapter}")):
            drawn = Client().get(picture)
            assert drawn.status_code == 200 or "map.svg?at=0" in picture  # there is no map before it is set
    running = int(last[1]) + 1 if last else 0
    assert "is not over yet" in replay(ground.game, f"?at={running}", status=409)


def test_a_finished_game_is_replayed_to_its_end(finished):
    text = replay(finished.game)
    ending = LoggedEvent.objects.get(game=finished.id, type="GameFinished").text
    assert f'max="{finished.game.chapter}" value="{finished.game.chapter}"' in text and ending in text
    assert 'rel="prev"' in text and 'rel="next"' not in text
    assert 'rel="next"' in replay(finished.game, "?at=0") and 'rel="prev"' not in replay(finished.game, "?at=0")
    assert re.search(r"Turning points:.*?href=\"\?at=\d+\"", text)


def test_map_and_chart_are_of_the_chapter_that_is_asked_for(finished):
    early, late = (replay(finished.game, f"map.svg?at={chapter}") for chapter in (1, finished.game.chapter))
    assert early != late and "Turn 1 of" in early
    chart = replay(finished.game, "charts/strength.svg?at=1")
    assert chart != replay(finished.game, "charts/strength.svg?at=2")
    replay(finished.game, "charts/secrets.svg?at=1", status=404)


def test_what_is_no_chapter_is_refused():
    game = dietower.playing(now=timezone.now()).game
    for at in ("x", "-1", "1e3", "9" * 9):
        assert "the number of a chapter" in replay(game, f"?at={at}", status=422)


def test_a_private_game_is_replayed_for_its_members_with_the_eyes_of_a_stranger():
    here = dietower.playing(now=timezone.now())
    open_to_all = replay(here.game, "body/?at=0")
    Game.objects.filter(pk=here.id).update(is_public=False)
    replay(here.game, status=404)
    for seat in here.game.seats.filter(user__isnull=False):
        member = Client()
        member.force_login(seat.user)
        assert replay(here.game, "body/?at=0", member) == open_to_all


def test_a_replay_that_is_behind_ends_with_what_may_be_shown(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = dietower.playing({"spectator_delay": 60}, now=now)
    assert "is over yet" in replay(here.game)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=90))
    assert "Before the first session" in replay(here.game)


def test_the_wall_has_a_picture_of_each_game_and_how_it_ended(finished):
    text = Client().get("/").content.decode()
    ending = LoggedEvent.objects.get(game=finished.id, type="GameFinished").text
    assert f'<p class="ending">{ending}</p>' in text
    assert f'<img src="/games/{finished.id}/screen/map.svg" alt=""' in text
    assert f'href="/games/{finished.id}/replay/"' in text


def test_the_wall_costs_the_same_queries_with_more_games():
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            Client().get("/")
        return len(asked)

    def open_both() -> None:
        Game.objects.filter(pk=toy_game().game.pk).update(status=Status.FINISHED)
        toy_game()

    open_both()
    one = queries()
    open_both()
    open_both()
    assert queries() == one


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("rules", registry.rulesets(), ids=lambda rules: rules.slug)
def test_the_accent_of_a_ruleset_is_read_on_both_grounds(rules):
    accent = rules.pages.accent
    for ink, grounds in ((accent.light, ("#f7f6f1", "#ffffff")), (accent.dark, ("#131518", "#1d2024"))):
        for paper in grounds:
            high, low = sorted((luminance(ink), luminance(paper)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5
    assert f'[data-ruleset="{rules.slug}"]' in accents_css()
    assert accents_css() == Client().get("/accents.css").content.decode()


def test_the_screen_of_a_finished_game_says_who_has_won_and_where_it_turned(finished):
    text = Client().get(f"/games/{finished.id}/screen/").content.decode()
    ending = LoggedEvent.objects.get(game=finished.id, type="GameFinished").text
    winner = re.search(
        r'<span class="winner"><svg class="emblem"[^>]*><use href="#(face-\w+)"/></svg>\u00a0(.+?)</span>', text
    )
    assert winner is not None and f'id="{winner[1]}"' in text and ending in text
    pictures = re.findall(r'<img id="picture-(?:at-\d+|map|strength)" data-src="([^"]+)"', text)
    assert len(pictures) > 2 and {Client().get(picture).status_code for picture in pictures} == {200}
    assert winner[2] in replay(finished.game) and winner[2] not in replay(finished.game, "body/?at=0").split("<h2")[0]


def test_a_chapter_is_played_again_with_its_three_best_sentences(finished):
    text = replay(finished.game, f"recap/?at={finished.game.chapter}")
    maps, sentences = re.findall(r'<img src="([^"]+)"', text), re.findall("<li[ >]", text)
    assert [int(address.rpartition("=")[2]) for address in maps] == [finished.game.chapter - 1, finished.game.chapter]
    assert 1 <= len(sentences) <= 3


def test_what_just_happened_is_marked_over_the_map_for_twenty_seconds(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = of_bots(("steady", "random", "steady"), {"phases": 5, "sides": 6, "check_from": 2})
    while here.game.chapter < 2:
        here.fire()
    LoggedEvent.objects.filter(game=here.id).update(at=now - timedelta(seconds=19))
    body = Client().get(f"/games/{here.id}/screen/body/").content.decode()
    drawn = Client().get(re.findall(r'data-marks="([^"]+)"', body)[0]).content.decode()
    shown = Client().get(f"/games/{here.id}/screen/map.svg").content.decode()
    assert "<circle" in drawn and re.findall(r'viewBox="([^"]+)"', drawn) == re.findall(r'viewBox="([^"]+)"', shown)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=2))
    assert "data-marks" not in Client().get(f"/games/{here.id}/screen/body/").content.decode()
