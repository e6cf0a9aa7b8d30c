"""The big screen and the home page: for everybody, with what a stranger may know and nothing else."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from api.pages.event.screen_view import choose_contests, pool_of
from games import registry, services
from games.engine.insight.event_pages import Contest
from games.engine.prompts.manual_dice import EnterDie
from games.models import Game, Prompt
from games.storage.drawing import Drawing
from tests.api import dietower
from tests.api.worlds import toy_game, user
from tests.event_pages.test_desks_of_rulesets import ground  # noqa: F401
from tests.games.albraxas import ALBERT, writing
from tests.security.grounds import era
from tests.toy.rules.commands import HideCoins, RollStones
from worlds.models import Chronicle, World

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def screen(game: Game, part: str = "", client: Client | None = None) -> bytes:
    """A page of the screen."""
    answer = (client or Client()).get(f"/games/{game.pk}/screen/{part}")
    assert answer.status_code == 200, answer.content
    return answer.content


def timeless(body: bytes) -> bytes:
    """A body without what is left of its deadlines, which goes down while one looks."""
    return re.sub(rb'data-left="[^"]*"', b"", body)


def test_a_game_of_any_ruleset_has_a_screen(ground, django_assert_max_num_queries):  # noqa: F811
    screen(ground.game)  # the state is in the process from now on
    with django_assert_max_num_queries(12):
        text = screen(ground.game).decode()
    assert ground.game.name in text and "data-stream" in text
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=", text)
    for picture in re.findall(r'data-src="([^"]+)"', text):
        drawn = Client().get(picture)
        if drawn.status_code == 404:  # a chart of which strangers see nothing, or not yet
            assert "/charts/" in picture
            continue
        assert drawn["Content-Type"].startswith("image/svg+xml")
        assert picture.endswith("map.svg") is (b'class="title"' not in drawn.content)  # a chart says what it is


def test_the_screen_is_the_same_for_everybody(ground):  # noqa: F811
    lead = Client()
    lead.force_login(ground.game.seats.filter(role="gm")[0].user)
    assert timeless(screen(ground.game, "body/", lead)) == timeless(screen(ground.game, "body/"))


def test_a_secret_does_not_reach_the_screen():
    toy = toy_game()
    before = screen(toy.game, "body/")
    services.run(toy.game.pk, HideCoins(coins=3), actor=toy.actor(toy.ann))
    assert timeless(screen(toy.game, "body/")) == timeless(before)


def test_a_hall_of_screens_asks_little_more_than_one(django_assert_max_num_queries, monkeypatch):
    toy = toy_game()
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # the body is made anew each second
    screen(toy.game, "body/")
    with django_assert_max_num_queries(40):
        for _ in range(20):
            screen(toy.game, "body/")


def test_a_private_game_has_no_screen():
    toy = toy_game(is_public=False)
    lead = Client()
    lead.force_login(toy.host)
    for client in (Client(), lead):
        assert client.get(f"/games/{toy.game.pk}/screen/").status_code == 404


def test_a_chart_that_the_screen_does_not_show_is_missing():
    assert Client().get(f"/games/{toy_game().game.pk}/screen/charts/secrets.svg").status_code == 404


def test_the_home_page_leads_everywhere():
    public, private = toy_game(), toy_game(is_public=False)
    text = Client().get("/").content.decode()
    for address in (f"/games/{public.game.pk}/screen/", "/api/docs/", "/graphql/", "/admin/", "/oauth/log-in/"):
        assert f'"{address}' in text
    assert str(private.game.pk) not in text
    lead = Client()
    lead.force_login(user("host"))
    assert f"/games/{private.game.pk}/desk/" in lead.get("/").content.decode()


def test_games_are_listed_for_people_alone_where_the_service_says_so(settings):
    settings.ANONYMOUS_READ = False
    toy = toy_game()
    assert str(toy.game.pk) not in Client().get("/").content.decode()
    for part in ("", "body/", "map.svg"):
        address = f"/games/{toy.game.pk}/screen/{part}"
        assert Client().get(address)["Location"] == f"/oauth/log-in/?next={address}"
    eve = Client()
    eve.force_login(toy.eve)
    assert toy.game.name.encode() in screen(toy.game, "", eve)


def test_a_screen_may_be_behind_on_purpose(monkeypatch):
    now = timezone.now()
    toy = toy_game('{"tide_seconds": 3600, "spectator_delay": 60}')
    assert b"60 seconds ago" in screen(toy.game)
    services.run(toy.game.pk, RollStones(dice=2), actor=toy.actor(toy.ann), now=timezone.now())
    early = screen(toy.game, "body/")
    assert b"Last dice" not in early and b"Ann" not in early
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=90))
    late = screen(toy.game, "body/")
    assert b"Last dice: 2d6" in late and b"Ann adds" in late


def test_a_chart_that_is_behind_says_nothing_of_what_came_later(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = dietower.playing({"spectator_delay": 60, "mode": "physical"}, now=now - timedelta(seconds=90))
    here.reports(True)
    names = re.findall(r"charts/([a-z-]+)\.svg", screen(here.game, "body/").decode())
    assert names == ["height", "wishes", "outcomes"]
    early = {name: screen(here.game, f"charts/{name}.svg") for name in names}
    assert b"1 to 1." in early["height"]
    here.now = now - timedelta(seconds=30)
    here.reports(True)
    here.rises("ann", 2, 2)
    assert {name: screen(here.game, f"charts/{name}.svg") for name in names} == early
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=60))
    for name in ("height", "wishes"):
        assert screen(here.game, f"charts/{name}.svg") != early[name]


def test_a_chart_with_nothing_on_it_is_not_asked_for():
    here = writing({"phases": 9, "sides": 6, "check_from": 8}, ("ria", "rob", ALBERT), timezone.now())
    assert b"charts/strength.svg" not in screen(here.game, "body/")
    assert Client().get(f"/games/{here.game.pk}/screen/charts/strength.svg").status_code == 404


def test_before_the_first_moment_that_may_be_shown_there_is_no_chart(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = dietower.playing({"spectator_delay": 60}, now=now)
    assert b"charts/" not in screen(here.game, "body/")
    assert Client().get(f"/games/{here.game.pk}/screen/charts/height.svg").status_code == 404


def entry(game: Game, position: int, text: str, heading: str = "", at: datetime | None = None) -> None:
    """An entry of the chronicle of a game's world."""
    assert game.world is not None
    row = {"position": position, "text": text, "heading": heading, "written_at": at}
    Chronicle.objects.create(world=game.world, **row)


def test_the_chronicle_of_the_world_is_retold_with_its_chapters(monkeypatch):
    game = dietower.playing().game
    Chronicle.objects.filter(world=game.world).delete()
    told = screen(game, "body/").decode()
    assert "The company meets." in told  # of the log: the world has no entry
    noon = datetime(2026, 6, 1, 12, 30, tzinfo=UTC)
    entry(game, 1, "The lamp breaks.", "Session 1")
    entry(game, 2, "Somebody wrote this.", at=noon)
    caches["responses"].clear()
    told = screen(game, "body/").decode()
    assert "The company meets." not in told
    assert '<span class="when">Session 1</span> <span>The lamp breaks.</span>' in told
    assert 'id="headline">Somebody wrote this.</p>' in told and told.count("Somebody wrote this.") == 1
    entry(game, 3, "It is over.", "Session 1")
    caches["responses"].clear()
    told = screen(game, "body/").decode()
    assert '<time class="when" datetime="2026-06-01T12:30:00+00:00">12:30</time> <span>Somebody wrote this.' in told
    assert told.index("Somebody wrote this.") < told.index("The lamp breaks.")


def test_the_chronicle_of_a_world_that_strangers_may_not_see_is_not_retold():
    game = dietower.playing().game
    entry(game, 900, "Whispered among members.", "Session 1")
    World.objects.filter(pk=game.world_id).update(is_public=False)
    assert b"Whispered among members." not in screen(game, "body/")


def test_a_screen_that_is_behind_retells_only_what_was_written_by_then(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    game = dietower.playing({"spectator_delay": 60}, now=now - timedelta(seconds=600)).game
    entry(game, 900, "Long ago.", "Session 1", now - timedelta(seconds=61))
    entry(game, 901, "Just now.", "Session 1", now - timedelta(seconds=59))
    entry(game, 902, "Nobody knows when.", "Session 1")
    told = screen(game, "body/")
    assert b"Long ago." in told and b"Just now." not in told and b"Nobody knows when." not in told


def test_dice_are_shown_with_what_they_were_for():
    toy = toy_game()
    services.run(toy.game.pk, RollStones(dice=2), actor=toy.actor(toy.ann))
    text = screen(toy.game, "body/").decode()
    box = text[text.index('id="dice"') :]
    assert re.search(r"Last dice: 2d6</h2><p>Ann adds \d+ stones?\.</p>", box) and "rolled at the table" not in text


def test_dice_of_a_real_table_say_so():
    toy = toy_game('{"dice_by_hand": true, "tide_seconds": 3600}')
    services.run(toy.game.pk, RollStones(), actor=toy.actor(toy.ann))
    die = EnterDie(prompt=Prompt.objects.get(kind="DICE").pk, value=4)
    services.run(toy.game.pk, die, actor=toy.gm)
    assert "Last dice: 1d6, rolled at the table</h2><p>Ann adds 4 stones.</p>" in screen(toy.game, "body/").decode()


def test_a_pool_is_named_by_the_sides_of_its_dice():
    assert [pool_of(sides) for sides in ([6], [6, 6], [20, 6, 6], [5, 4, 3, 2])] == [
        "1d6", "2d6", "1d20 and 2d6", "4 dice",
    ]  # fmt: skip


def test_the_next_contest_stands_before_the_last_that_was_decided():
    first, second, third = (Contest(f"War {number}", ()) for number in (1, 2, 3))
    over, former = Contest("War 4", (), outcome="Over."), Contest("War 5", (), outcome="Over.")
    assert choose_contests([first, second, over, former]) == [first, over]
    assert choose_contests([first, second, third]) == [first, second]
    assert choose_contests([over]) == [over]


def test_the_map_of_the_screen_is_the_map_alone(settings, tmp_path, monkeypatch):
    game = era(settings, tmp_path).game
    drawn = screen(game, "map.svg").decode()
    assert "Ultra-Dwarves" in drawn and "Beck et al. 2018" in drawn
    for left_out in ("UNITS", "TERRAIN", 'class="axis"', 'class="title"'):
        assert left_out not in drawn
    # The picture of a state, as of a moment that is over, is the same.
    state = registry.store("gods2").load(game)
    caption = registry.store("gods2").caption(game)
    assert registry.store("gods2").drawing.wall_svg(state, game, caption) == drawn


def test_a_picture_for_a_wall_is_the_ordinary_one_unless_a_game_has_another():
    game = toy_game().game
    drawing = Notice()
    assert drawing.wall_svg(None, game, "now") == drawing.svg(None, game, "now") == f"{game.name}: now"


class Notice(Drawing):
    """A drawing of words alone."""

    def shows(self, state: object) -> bool:
        return True

    def svg(self, state: object, game: Game, subtitle: str) -> str:
        return f"{game.name}: {subtitle}"


def test_a_screen_without_delay_is_of_now():
    toy = toy_game()
    services.run(toy.game.pk, RollStones(dice=2), actor=toy.actor(toy.ann))
    text = screen(toy.game, "body/")
    assert b"Last dice: 2d6" in text and b"seconds ago" not in text
