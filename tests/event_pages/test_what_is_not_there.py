"""What desk and screen must not show: buttons for what is answered, undone, over, paused, or of another game."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from games import services
from games.engine.kernel import Actor, Command
from games.engine.lifecycle.gm_commands import EndNow, Pause, Resume, Start
from games.engine.lifecycle.seating import HandOver
from games.engine.prompts.manual_dice import EnterDie
from games.models import Game, LoggedEvent, Prompt
from tests.api import dietower
from tests.api.worlds import ToyGame, toy_game
from tests.event_pages.desks import Desk
from tests.games.moments import rewind_to
from tests.toy.rules.commands import AddStones, CastVote, Propose, RollStones

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CLOCK = ("Start", "Pause", "Resume", "+1 min", "+5 min", "End now", "Now")
HAND = '{"dice_by_hand": true, "tide_seconds": 3600}'


@pytest.fixture(autouse=True)
def minutes_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a little later, so that no two commands of a test share a moment."""
    moments = (datetime(2026, 6, 1, 12, tzinfo=UTC) + timedelta(milliseconds=20 * n) for n in range(1_000_000))
    monkeypatch.setattr(timezone, "now", lambda: next(moments))


def act(toy: ToyGame, command: Command, by: Any = None) -> services.Outcome:
    """Somebody issues a command; the game-master unless said."""
    actor = by if isinstance(by, Actor) else toy.actor(by) if by is not None else toy.gm
    return services.run(toy.game.pk, command, actor=actor, key=f"k{LoggedEvent.objects.count()}")


def labels(desk: Desk) -> list[str]:
    """What is written on the buttons of a desk."""
    return [label.rstrip("…") for _, _, label in desk.buttons()]


def clock(desk: Desk) -> set[str]:
    """The buttons of a desk that move the clock."""
    return set(labels(desk)) & set(CLOCK)


def events(desk: Desk) -> list[str]:
    """The entries of the log of a desk, the latest first."""
    body = desk.body()
    return re.findall(r"<li(?: class=\"undone\")?>.*?</li>", body[body.index('class="events"') :], re.DOTALL)


def rewinds(desk: Desk) -> list[bool]:
    """Of each entry of the log, the latest first, whether it may be rewound to."""
    return ["Rewind to here" in entry for entry in events(desk)]


def screen(game: Game, part: str = "body/") -> str:
    """A part of the screen, made now."""
    caches["responses"].clear()
    answer = Client().get(f"/games/{game.pk}/screen/{part}")
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_what_was_undone_is_no_place_to_rewind_to_and_nothing_to_correct() -> None:
    toy = toy_game()
    desk = Desk.of(toy.game)
    kept = act(toy, AddStones(stones=1), toy.ann)
    act(toy, AddStones(stones=2), toy.bob)
    assert "Bob adds 2 stones" in events(desk)[0] and all(rewinds(desk)[:2])
    act(toy, rewind_to(toy.game.pk, kept.last_seq, "Again."))
    entries = events(desk)
    (gone,) = (entry for entry in entries if "Bob adds 2 stones" in entry)
    (stands,) = (entry for entry in entries if "Ann adds 1 stone" in entry)
    assert 'class="undone"' in gone and "undone</em>" in gone and "Rewind" not in gone and "Amend" not in gone
    assert 'class="undone"' not in stands and "Rewind to here" in stands
    assert "Time was turned back" in entries[0] and 'class="undone"' not in entries[0]


def test_a_host_who_is_no_game_master_is_offered_no_rewind_and_no_correction() -> None:
    toy = toy_game()
    act(toy, AddStones(stones=1), toy.ann)
    act(toy, HandOver(seat=toy.seat(toy.host, "gm"), user=toy.eve.pk))
    of_host, of_gm = Desk.of(toy.game, "host"), Desk.of(toy.game)
    assert any(rewinds(of_gm)) and "Correct a row" in of_gm.body()
    assert not any(rewinds(of_host)) and "Amend" not in of_host.body() and "Correct a row" not in of_host.body()
    assert "Overrule" not in labels(of_host) and "Overrule" in labels(of_gm)
    act(toy, Propose(text="Rest?"), toy.ann)
    prompt = Prompt.objects.get(game=toy.game, kind="MOTION").pk
    assert f"question={prompt}" in of_gm.body() and f"question={prompt}" not in of_host.body()


def test_the_clock_has_the_buttons_of_its_moment_and_no_others() -> None:
    toy = toy_game(start=False)
    desk = Desk.of(toy.game)
    assert clock(desk) == {"Start"}
    services.run(toy.game.pk, Start(), actor=toy.gm)
    assert clock(desk) == {"Pause", "+1 min", "+5 min", "End now"}
    act(toy, Propose(text="Rest?"), toy.ann)
    assert clock(desk) == {"Pause", "+1 min", "+5 min", "End now", "Now"}
    act(toy, Pause(reason="Tea."))
    assert clock(desk) == {"Resume", "+1 min", "+5 min"}  # a deadline is put off while the clock stands, too
    assert not {"Propose", "Add stones"} & set(labels(desk))
    act(toy, Resume())
    assert "Resume" not in clock(desk)


def test_a_game_that_is_over_is_led_no_more() -> None:
    toy = toy_game('{"tide_seconds": 3600, "tides": 1}')
    act(toy, EndNow())
    desk = Desk.of(toy.game)
    assert Game.objects.get(pk=toy.game.pk).status == "finished"
    assert clock(desk) == set() and '<p class="big">over</p>' in desk.body()


def test_a_question_that_was_answered_has_no_buttons_and_one_that_waits_has_them() -> None:
    toy = toy_game(HAND)
    desk = Desk.of(toy.game)
    act(toy, RollStones(), toy.ann)
    prompt = Prompt.objects.get(game=toy.game, kind="DICE")
    assert "Enter die" in labels(desk) and f"question={prompt.pk}" in desk.body()
    act(toy, EnterDie(prompt=prompt.pk, value=4))
    body = desk.body()
    assert str(prompt.pk) not in body and "Nothing waits for you." in body


def test_a_ballot_that_is_in_is_offered_again_as_one_that_is_given_and_none_when_the_vote_is_over() -> None:
    toy = toy_game()
    desk = Desk.of(toy.game)
    act(toy, Propose(text="Rest?"), toy.ann)
    prompt = Prompt.objects.get(game=toy.game, kind="MOTION").pk
    asked = [address for _, address, label in desk.buttons() if label.startswith("Cast vote")]
    for_whom = [parse_qs(urlsplit(a).query).get("for") for a in asked if f"question={prompt}" in a]
    assert sorted(for_whom) == sorted([[str(toy.seat(toy.ann))], [str(toy.seat(toy.bob))]])
    for person in (toy.ann, toy.bob):
        act(toy, CastVote(prompt=prompt, yes=True), person)
    assert f"question={prompt}" not in desk.body()
    closed = desk.client.get(f"{asked[0]}")
    assert "<form" not in closed.content.decode() or 'role="alert"' in closed.content.decode()


def test_a_question_that_was_undone_is_not_asked_and_its_form_sends_nothing() -> None:
    toy = toy_game(HAND)
    desk = Desk.of(toy.game)
    kept = act(toy, AddStones(stones=1), toy.bob)
    act(toy, RollStones(), toy.ann)
    address = next(address for _, address, label in desk.buttons() if label.startswith("Enter die"))
    act(toy, rewind_to(toy.game.pk, kept.last_seq, "Again."))
    assert parse_qs(urlsplit(address).query)["question"][0] not in desk.body()
    assert "Nothing waits for you." in desk.body()
    before = LoggedEvent.objects.filter(game=toy.game).count()
    answer = desk.client.post(address, {"value:number": "4", "key": "x"})
    assert answer.status_code in (409, 410, 422) and LoggedEvent.objects.filter(game=toy.game).count() == before


def test_a_desk_has_buttons_of_its_own_game_alone_and_another_games_question_is_none_here() -> None:
    one, other = toy_game(HAND), toy_game(HAND)
    for toy in (one, other):
        act(toy, RollStones(), toy.ann)
    prompts = {toy.game.pk: Prompt.objects.get(game=toy.game, kind="DICE").pk for toy in (one, other)}
    desk = Desk.of(one.game)
    body = desk.body()
    assert str(prompts[one.game.pk]) in body and str(prompts[other.game.pk]) not in body
    assert str(other.game.pk) not in body
    assert {address.split("/")[2] for _, address, _ in desk.buttons()} == {str(one.game.pk)}
    wrong = desk.address("enter-die", {"prompt": prompts[other.game.pk], "value": 4})
    before = LoggedEvent.objects.count()
    answer = desk.client.post(f"{wrong}&question={prompts[other.game.pk]}", {"key": "x"})
    assert answer.status_code != 204 and LoggedEvent.objects.count() == before


def test_the_screen_retells_nothing_that_was_undone_nor_its_dice() -> None:
    toy = toy_game()
    kept = act(toy, AddStones(stones=1), toy.ann)
    act(toy, RollStones(dice=2), toy.bob)
    assert "Last dice: 2d6" in screen(toy.game) and "Bob adds" in screen(toy.game)
    act(toy, rewind_to(toy.game.pk, kept.last_seq, "Again."))
    told = screen(toy.game)
    assert "Last dice" not in told and "Bob adds" not in told and "Ann adds 1 stone" in told


def test_the_screen_shows_no_question_that_is_closed_and_no_secret_one() -> None:
    toy = toy_game(HAND)
    act(toy, Propose(text="Rest?"), toy.ann)
    assert "Rest?" in screen(toy.game)
    prompt = Prompt.objects.get(game=toy.game, kind="MOTION").pk
    for person in (toy.ann, toy.bob):
        act(toy, CastVote(prompt=prompt, yes=True), person)
    told = screen(toy.game)
    assert "Rest?" not in told[: told.index("</section>")] and "The motion is carried." in told


def test_a_chart_of_the_screen_is_of_the_moment_that_the_screen_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    here = dietower.playing({"spectator_delay": 60, "mode": "physical"}, now=now - timedelta(seconds=300))
    here.reports(True)
    first = screen(here.game, "charts/height.svg")
    here.now = now - timedelta(seconds=59)
    here.reports(True)
    assert screen(here.game, "charts/height.svg") == first
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=1))
    second = screen(here.game, "charts/height.svg")
    assert second != first
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=100))
    assert screen(here.game, "charts/height.svg") == second
