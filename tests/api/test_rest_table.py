"""Prompts, the inbox, lists of games and timers over REST."""

import pytest

from api.representations.shapes.games import GameList, PromptList, TimerList
from games.engine.lifecycle.gm_commands import Pause
from tests.api.worlds import atlantis, client, max_queries, run, toy_game, user
from tests.toy.rules.commands import CastVote, Propose

pytestmark = pytest.mark.django_db


def test_a_prompt_asks_its_owners_until_they_answer():
    toy = toy_game()
    run(toy, Propose(text="Stop?"), toy.ann)
    page = PromptList.model_validate_json(client(toy.bob).get(toy.path("prompts/")).content)
    (waiting,) = page.results
    assert (waiting.question, waiting.kind, waiting.answered_by) == ("Stop?", "MOTION", ["cast-vote"])
    assert (waiting.answerable, waiting.asks_me, waiting.answered, waiting.frozen) == (True, True, False, False)
    assert waiting.silence == "A missing ballot counts as no." and waiting.due and 0 < waiting.due_in <= 600
    run(toy, CastVote(prompt=waiting.id, yes=True), toy.bob)
    assert client(toy.bob).get(toy.path("prompts/")).json()["results"][0]["answered"] is True
    assert client(toy.eve).get(toy.path("prompts/")).json()["results"] == []
    assert len(client(toy.eve).get(toy.path("prompts/?all=1")).json()["results"]) == 1
    assert client(toy.host).get(toy.path("prompts/?as=gm")).json()["results"] == []


def test_one_inbox_lists_the_games_that_ask():
    one, two = toy_game(), toy_game()
    atlantis("Elsewhere")
    ann, bob = client(one.ann), client(one.bob)
    run(two, Propose(text="Stop?"), two.ann)
    ids = lambda who, query: [g["id"] for g in who.get(f"/api/v1/games/?{query}").json()["results"]]  # noqa: E731
    assert ids(bob, "mine=1&asked=1") == [str(two.game.pk)]
    assert ids(bob, "mine=1") == [str(two.game.pk), str(one.game.pk)]
    assert ids(client(user("eve")), "mine=1") == ids(client(), "asked=1") == []
    prompt = two.fresh().prompts.get().pk
    run(two, CastVote(prompt=prompt, yes=False), two.bob)
    assert ids(bob, "asked=1") == []
    assert ids(ann, "asked=1") == [] or two.fresh().prompts.exists()


def test_games_are_filtered_and_paged():
    games = [toy_game(start=number % 2 == 0) for number in range(5)]
    hidden = toy_game(is_public=False, start=False)
    eve = client(user("eve"))
    ids = [str(toy.game.pk) for toy in reversed(games)]
    page = GameList.model_validate_json(eve.get("/api/v1/games/?limit=2").content)
    found = [str(game.id) for game in page.results]
    while page.next:
        page = GameList.model_validate_json(eve.get(page.next).content)
        found += [str(game.id) for game in page.results]
    assert found == ids
    assert str(hidden.game.pk) in [
        g["id"] for g in client(hidden.host).get("/api/v1/games/?ruleset=toy").json()["results"]
    ]
    assert len(eve.get("/api/v1/games/?status=lobby").json()["results"]) == 2
    assert eve.get("/api/v1/games/?ruleset=chess").json()["results"] == []
    for query in ("status=over", "limit=0", "limit=101", "cursor=x", "mine=yes!", "world=1", "colour=red"):
        assert eve.get(f"/api/v1/games/?{query}").status_code == 422


@pytest.mark.parametrize("games", [2, 9])
def test_the_list_of_games_is_read_in_as_many_queries_whatever_its_length(games):
    for _ in range(games):
        toy_game()
    bob = client(user("bob"))
    bob.get("/api/v1/me/")
    with max_queries(5):
        assert len(bob.get("/api/v1/games/?mine=1&asked=1").json()["results"]) == 0
    with max_queries(3):
        assert len(bob.get("/api/v1/games/").json()["results"]) == games


def test_timers_say_when_and_freeze_with_the_clock():
    toy = toy_game()
    (timer,) = TimerList.model_validate_json(client().get(toy.path("timers/")).content).results
    assert (timer.key, timer.does, timer.frozen) == ("tide", "bring-tide", False)
    assert 3590 < timer.due_in <= 3600
    run(toy, Pause(), toy.gm)
    first, second = (client().get(toy.path("timers/")).json()["results"][0] for _ in "12")
    assert first["frozen"] and first["due_in"] == second["due_in"]
