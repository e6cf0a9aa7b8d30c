"""A button or form acts upon what it was made for: where the game has moved on it says so, and does nothing.

That every button of every ruleset says what it was made for is in `test_forms_of_rulesets`.
"""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from games import services
from games.engine.kernel import Command
from games.engine.lifecycle.gm_commands import EndNow, Extend
from games.engine.prompts.manual_dice import EnterDie
from games.models import LoggedEvent, Prompt, Timer
from tests.api.worlds import ToyGame, toy_game
from tests.event_pages.desks import Desk, Form
from tests.toy.rules.commands import AddStones, HideCoins, RollStones

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TIDES = '{"tide_seconds": 3600, "tides": 5}'
HAND = '{"dice_by_hand": true, "tide_seconds": 3600}'


def act(toy: ToyGame, command: Command, by: Any = None) -> None:
    """Somebody issues a command; the game-master unless said."""
    services.run(toy.game.pk, command, actor=toy.actor(by) if by is not None else toy.gm)


def events(toy: ToyGame) -> int:
    """How much has happened."""
    return LoggedEvent.objects.filter(game=toy.game).count()


def tides(toy: ToyGame) -> int:
    """How often the tide has come."""
    return LoggedEvent.objects.filter(game=toy.game, type="TideCame").count()


def pressed(desk: Desk, address: str, key: str = "a") -> Any:
    """What a button that acts at once is answered."""
    return desk.client.post(address, {"key": key})


def test_what_ends_now_is_what_was_shown_and_never_what_follows_it() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    address = desk.button("End now")[1]
    form = desk.client.get(address)
    sent = Form(form.content.decode()).values
    assert 'role="alert"' not in form.content.decode() and sent["stage"][0]
    act(toy, EndNow())
    before = events(toy)

    stale = desk.client.post(address, sent)

    assert stale.status_code == 422 and events(toy) == before and tides(toy) == 1
    told = stale.content.decode()
    assert "The game has moved on since this was shown" in told and "Now: <strong>" in told
    assert desk.client.post(address, Form(told).values).status_code == 204  # of what it shows now
    assert tides(toy) == 2


def test_a_form_that_is_opened_by_an_old_button_says_so_before_it_is_sent() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    address = desk.button("End now")[1]
    act(toy, EndNow())
    form = desk.client.get(address)
    assert form.status_code == 200 and "The game has moved on since this button was made" in form.content.decode()
    assert "moved on" not in desk.client.get(desk.button("End now")[1]).content.decode()


def test_a_button_that_acts_at_once_puts_off_the_deadline_that_it_stood_at() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    method, address = desk.button("+1 min")
    act(toy, EndNow())
    due, before = Timer.objects.get(game=toy.game, key="tide").due, events(toy)
    answer = pressed(desk, address)
    assert method == "post" and answer.status_code == 422 and "moved on" in answer.content.decode()
    assert (Timer.objects.get(game=toy.game, key="tide").due, events(toy)) == (due, before)
    assert pressed(desk, desk.button("+1 min")[1], "b").status_code == 204


def test_what_was_pressed_twice_acts_once_and_is_answered_alike_though_it_has_moved_the_game_on() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    address = desk.button("End now")[1]
    sent = Form(desk.client.get(address).content.decode()).values
    assert [desk.client.post(address, sent).status_code for _ in range(2)] == [204, 204] and tides(toy) == 1


def test_what_happens_within_a_stage_and_what_is_put_off_leave_its_buttons_as_they_are() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    address = desk.button("End now")[1]
    sent = Form(desk.client.get(address).content.decode()).values
    act(toy, AddStones(stones=1), toy.ann)
    act(toy, HideCoins(coins=2), toy.bob)
    act(toy, Extend(timer="tide", seconds=60))
    assert desk.client.post(address, sent).status_code == 204 and tides(toy) == 1


def test_a_pause_is_of_the_whole_game_whatever_it_has_come_to() -> None:
    toy = toy_game(TIDES)
    desk = Desk.of(toy.game)
    address = desk.button("Pause")[1]
    act(toy, EndNow())
    assert "stage" not in parse_qs(urlsplit(address).query)
    assert pressed(desk, address).status_code == 204 and toy.fresh().paused_at is not None


def test_an_answer_is_of_its_question_though_another_of_the_kind_is_open() -> None:
    """The kind: an address that names a question which is closed, and values that would do for the next."""
    toy = toy_game(HAND)
    desk = Desk.of(toy.game)
    act(toy, RollStones(), toy.ann)
    first = Prompt.objects.get(game=toy.game, kind="DICE").pk
    act(toy, EnterDie(prompt=first, value=4))
    act(toy, RollStones(), toy.bob)
    second = Prompt.objects.get(game=toy.game, kind="DICE").pk
    assert second != first
    before = events(toy)
    address = desk.address("enter-die", {"prompt": second, "value": 4})
    answer = pressed(desk, f"{address}&question={first}")
    assert answer.status_code == 422 and "not open any more" in answer.content.decode() and events(toy) == before
    assert pressed(desk, f"{address}&question={second}", "b").status_code == 204


def test_a_form_about_what_is_gone_is_closed_and_its_button_does_nothing() -> None:
    """The kind: a fixed value that is the id, or the deadline, of something which is there no more."""
    toy = toy_game(HAND)
    desk = Desk.of(toy.game)
    act(toy, RollStones(), toy.ann)
    prompt = Prompt.objects.get(game=toy.game, kind="DICE").pk
    about = {"extend": {"timer": f"prompt:{prompt}"}, "fire-now": {"timer": f"prompt:{prompt}"}}
    about |= {"enter-die": {"prompt": prompt}}
    for command, values in about.items():
        assert "<form" in desk.form(command, values).content.decode(), command
    act(toy, EnterDie(prompt=prompt, value=4))
    for command, values in about.items():
        assert "<form" not in desk.form(command, values).content.decode(), command
        before = events(toy)
        sent = {"key": command, "seconds:number": "60", "value:number": "3"}
        assert desk.client.post(desk.address(command, values), sent).status_code == 422 and events(toy) == before
