"""Games played through the forms of a seat's page alone, against bots: what a page offers suffices for each ruleset."""

import os
from collections.abc import Iterator
from datetime import datetime
from random import Random
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from api.representations import table
from games import registry, services
from games.engine.game_state import Status
from games.models import Game, Prompt, Timer
from tests.api.worlds import user
from tests.play.by_forms import FormPage, PlayerByForms

LONGEST = 5_000
"""More moments at which a bot thinks or a time ends than any of the games has."""
PATIENCE = 5
"""So often somebody finds nothing to do while nothing is due."""
EAGER = 0.3
"""How often somebody does what they may do but need not."""
LAST_CHAPTERS = {"gods2": 2} | ({} if os.environ.get("EXAMPLES") == "full" else {"dawn": 2})
"""The century of The Gods II that is played to its end, with which the game against bots begins, and the age of Dawn by
day: the last one asks the most questions, and is played to its end by clicks and by schemas, too."""
FILLED = 3
"""So many kinds of commands are issued in a game at least; those of Albraxas need no more."""


@pytest.fixture
def moving(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[datetime]]:
    """The time of the service, which stands still but for what a test sets."""
    now = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    yield now


@pytest.mark.long
@pytest.mark.django_db(transaction=True)  # in one transaction states are read anew each time, and old rows pile up
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("slug", registry.demos())
def test_a_whole_game_can_be_played_by_the_forms_of_a_seat_alone(slug: str, moving: list[datetime]) -> None:
    client = Client(headers={"HX-Request": "true"})
    client.force_login(user("ana"))
    client.post(reverse("play-now", args=[slug]))
    game = Game.objects.get(opened_by=user("ana"))
    player = PlayerByForms(client, client.get(reverse("own-seat", args=[game.pk]))["Location"], Random(slug))
    idle = 0
    for _ in range(LONGEST):
        game.refresh_from_db()
        if is_over(game):
            break
        play(player, game)
        due = Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()
        if due is None or due.due is None:  # all wait for this seat, without a deadline
            idle += 1
            assert player.act(kinds_asked(player, game)) or idle < PATIENCE, (
                registry.store(slug).caption(game),
                game.waiting_for,
            )
            continue
        moving[0] = max(moving[0], due.due)
        services.fire_due(game.pk, now=moving[0])
    assert is_over(game), registry.store(slug).caption(game)
    assert len(player.done) >= FILLED, player.done
    # What fields have together, such as shares that add up or the price of several, is no matter of chance.
    assert player.given_up.total() < player.done.total(), (player.given_up, player.refused)
    assert player.read(player.path + "body/") and player.read(player.path + "may/")


def is_over(game: Game) -> bool:
    """Whether a game is played far enough."""
    last = LAST_CHAPTERS.get(game.ruleset)
    return game.status == Status.FINISHED or (last is not None and (game.chapter or 0) > last)


def play(player: PlayerByForms, game: Game) -> None:
    """Answer what must be answered; of what may be done something now and then."""
    asked = table.waiting_json(game.waiting_for, [seat_of(player)], gm=False)
    must = any(each["must"] for each in asked)
    if must or (asked and player.chance.random() < EAGER):
        player.act(kinds_asked(player, game) if must else ())


def seat_of(player: PlayerByForms) -> UUID:
    """Where they sit."""
    return UUID(player.path.rstrip("/").rpartition("/")[2])


def kinds_asked(player: PlayerByForms, game: Game) -> set[str]:
    """The kinds of the questions that their seat is asked."""
    asked = Prompt.objects.filter(game=game, owners__contains=f'"seat:{seat_of(player)}"')
    return set(asked.values_list("kind", flat=True))


def test_a_form_is_filled_in_as_it_says() -> None:
    text = """<form><input type="hidden" name="key" value="k"><fieldset data-least="2" data-most="2">
        <input type="hidden" name="a:choices" value=""><input type="checkbox" name="a:choices" value="1">
        <input type="checkbox" name="a:choices" value="2"><input type="checkbox" name="a:choices" value="3"></fieldset>
        <input name="b.0.x:number" type="number" min="3" max="3">
        <input name="b.0.y:number" type="number" min="4" max="4">
        <select name="c:json" required><option value=""></option><option value="5">Five</option></select></form>"""
    form = FormPage(text)
    for number in range(20):
        sent = form.filled(Random(number), 0.5)
        assert sent["key"] == ["k"] and sent["c:json"] == ["5"]
        assert len(sent["a:choices"]) == 3 and sent["a:choices"][0] == ""
        assert (sent["b.0.x:number"], sent["b.0.y:number"]) in ((["3"], ["4"]), ([""], [""]))
