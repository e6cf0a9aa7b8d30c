"""Vacations and votes through both APIs: what is taken, what is refused, and what the menus list."""

import pytest

from tests.api.test_bounds_of_people import ask
from tests.api.worlds import assert_refused, client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-11")]
OPTIONS = '{"tide_seconds":3600,"vacation_days":3,"votes":"majority"}'
AWAY = """mutation($g: UUID!, $i: TakeVacationInput!) { it: toyTakeVacation(game: $g, input: $i) {
  ... on Refusal { code } } }"""
VOTE = """mutation($g: UUID!, $i: AnswerVoteInput!) { it: toyAnswerVote(game: $g, input: $i) {
  ... on Refusal { code } ... on CommandDone { events { type text } } } }"""
LONG_AGO = {"first_day": "2020-01-01", "last_day": "2020-01-02"}


def test_a_vacation_in_the_past_is_refused_in_both_apis():
    toy = toy_game(OPTIONS)
    ann = client(toy.ann)
    refusal = ann.post(toy.path("commands/take-vacation/"), LONG_AGO, "application/json")
    assert_refused(refusal, 409, "vacation.past")
    wish = {"firstDay": "2020-01-01", "lastDay": "2020-01-02"}
    assert ask(ann, AWAY, g=str(toy.game.pk), i=wish)["it"] == {"code": "vacation.past"}
    assert ann.get(toy.path("state/")).json()["leaves"] == []


def test_players_stop_the_clock_by_votes_through_both_apis():
    toy = toy_game(OPTIONS)
    ann, bob = client(toy.ann), client(toy.bob)
    listed = {each["command"] for each in ann.get(toy.path("legal-commands/")).json()["results"] if each["legal"]}
    assert {"propose-vote", "take-vacation"} <= listed
    called = ann.post(toy.path("commands/propose-vote/"), {"subject": "pause"}, "application/json")
    assert called.status_code == 201, called.content
    (asked,) = bob.get(toy.path("prompts/")).json()["results"]
    answered = ask(bob, VOTE, g=str(toy.game.pk), i={"prompt": asked["id"], "yes": True})["it"]
    texts = {event["type"]: event["text"] for event in answered["events"]}
    assert texts["core.VoteSettled"] == "The vote to stop the clock is carried."
    assert texts["core.Paused"] == "The clock stands still. The players have voted for it."


def test_menus_of_a_game_without_the_options_are_as_they_were():
    toy = toy_game()
    listed = {each["command"] for each in client(toy.ann).get(toy.path("legal-commands/")).json()["results"]}
    assert not listed & {"propose-vote", "answer-vote", "take-vacation", "end-vacation"}
