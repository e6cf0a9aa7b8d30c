"""Who is waited for: questions, free acts, the host's and the game-masters' turn, and who may know of it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.engine.audience import GM, GM_READER, PUBLIC, reader, seat_and_gm
from games.engine.deadlines import TABLE_VOTE
from games.engine.game_state import Answer, Status
from games.engine.lifecycle.gm_commands import EndSetup, Pause, Resume, Start
from games.engine.lifecycle.votes import AnswerVote, ProposeVote
from games.engine.lifecycle.waiting import Waiting, visible_waiting, waiting_for
from games.engine.prompts.prompt import Rule, ask
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST, table
from tests.playbook import DAWN, refused
from tests.toy.rules.commands import AddStones, BringTide, CastVote, Propose

MINUTE = timedelta(minutes=1)


def running_game(options='{"vote_seconds": 60}'):
    cairns = table(options=options)
    cairns.when(Start(), GM_ACTOR)
    return cairns


def waiting_seen_by(cairns, *seats, gm=False):
    """Who is waited for, as these seats see it: owner -> (must, due)."""
    waiting = visible_waiting(waiting_for(cairns.state), seats, gm=gm)
    return {each.owner: (each.must, each.due) for each in waiting}


def secret_question(cairns, *owners, **wanted):
    """Ask these seats something that nobody else may know of."""
    cairns.happens(
        lambda state, ctx: ask(
            state, ctx, "SECRET", "?", owners=[reader(o) for o in owners], lane="secret", rule=Rule.ALL,
            answered_by=(CastVote,), **wanted,
        ),
        GM_ACTOR,
    )  # fmt: skip
    return next(p for p in cairns.state.prompts.values() if p.kind == "SECRET")


def test_the_lobby_waits_for_the_host_and_the_game_masters():
    assert waiting_seen_by(table()) == {GM_READER: (False, None), reader(HOST): (False, None)}


def test_everybody_may_act_in_a_game_without_turns():
    assert waiting_seen_by(running_game()) == {reader(ANN): (False, None), reader(BOB): (False, None)}


@pytest.mark.parametrize(("steps", "may_act"), [(None, True), (("running",), True), (("night",), False), ((), False)])
def test_players_act_unasked_in_the_steps_that_the_course_leaves_free(steps, may_act):
    cairns = running_game()
    cairns.state.follow_course(replace(cairns.ruleset.course, free_steps=steps))
    assert (reader(ANN) in waiting_seen_by(cairns)) is may_act


@pytest.mark.rule("CF-5")
def test_a_seat_that_is_not_waited_for_is_refused():
    cairns = table()
    assert reader(ANN) not in waiting_seen_by(cairns)
    with refused("phase.closed", cairns.state):
        cairns.when(AddStones(stones=1), ANN)


@pytest.mark.rule("CF-6")
def test_a_question_must_be_answered_until_its_deadline_and_then_no_more():
    cairns = running_game()
    cairns.when(Propose(text="More moons?"), ANN)
    assert waiting_seen_by(cairns) == {reader(ANN): (True, DAWN + MINUTE), reader(BOB): (True, DAWN + MINUTE)}
    motion = next(iter(cairns.state.prompts))
    cairns.when(CastVote(prompt=motion, yes=False), BOB)
    assert waiting_seen_by(cairns)[reader(BOB)] == (False, None)


def test_nobody_is_waited_for_while_the_clock_stands_still_or_at_the_end():
    cairns = running_game()
    cairns.when(Pause(), GM_ACTOR)
    assert waiting_seen_by(cairns) == {}
    cairns.when(Resume(), GM_ACTOR)
    assert len(waiting_seen_by(cairns)) == 2
    cairns.state.set_status(Status.FINISHED)
    assert waiting_seen_by(cairns) == {}


@pytest.mark.rule("CF-11")
def test_while_the_clock_stands_still_a_vote_of_the_players_alone_is_waited_for_and_has_no_deadline():
    """The kind: a vote to resume that nobody is told of, or one whose time seems to pass in a pause."""
    cairns = running_game('{"votes": "majority"}')
    cairns.when(Propose(text="More moons?"), ANN)
    cairns.when(Pause(), GM_ACTOR)
    cairns.when(ProposeVote(subject="resume"), ANN)
    assert waiting_seen_by(cairns) == {reader(BOB): (True, None)}
    (motion,) = (prompt.id for prompt in cairns.state.prompts.values() if prompt.kind == TABLE_VOTE)
    cairns.when(AnswerVote(prompt=motion, yes=True), BOB)
    assert {owner: must for owner, (must, _) in waiting_seen_by(cairns).items()} == {
        reader(ANN): True,
        reader(BOB): True,
    }


@pytest.mark.rule("CF-9")
def test_a_secret_question_is_known_to_its_readers_alone():
    cairns = running_game()
    before = waiting_seen_by(cairns, BOB)
    secret_question(cairns, ANN, due=DAWN + MINUTE, default=BringTide())
    assert waiting_seen_by(cairns, BOB) == before
    assert (
        waiting_seen_by(cairns, ANN)[reader(ANN)]
        == waiting_seen_by(cairns, gm=True)[reader(ANN)]
        == (True, DAWN + MINUTE)
    )


@pytest.mark.rule("CF-9")
def test_a_deadline_is_shown_to_the_readers_of_its_timer():
    cairns = running_game()
    options = {"readers": PUBLIC, "due": DAWN + MINUTE, "default": BringTide(), "shown": GM}
    secret_question(cairns, ANN, **options)
    assert waiting_seen_by(cairns, ANN)[reader(ANN)] == (True, None)
    assert waiting_seen_by(cairns, gm=True)[reader(ANN)] == (True, DAWN + MINUTE)


@pytest.mark.rule("CF-9")
def test_a_sealed_answer_reveals_that_it_was_given_to_its_readers_until_its_digest_is_public():
    cairns = running_game()
    prompt = secret_question(cairns, ANN, readers=PUBLIC, sealed=True)
    own = Answer(prompt.id, reader(ANN), "1", seat_and_gm(ANN))
    cairns.state.answers[prompt.id, reader(ANN)] = own
    assert waiting_seen_by(cairns, BOB)[reader(ANN)] == (True, None)
    assert waiting_seen_by(cairns, ANN)[reader(ANN)] == (False, None)
    cairns.state.answers[prompt.id, reader(ANN)] = replace(own, digest="0" * 64)
    assert waiting_seen_by(cairns, BOB)[reader(ANN)] == (False, None)


@pytest.mark.rule("CF-9")
@pytest.mark.parametrize("tells_who", [False, True])
def test_of_a_sealed_question_everybody_knows_who_has_answered_where_the_game_tells_it(tells_who):
    cairns = running_game()
    row = replace(cairns.ruleset.course.questions["MOTION"], kind="SECRET", sealed=True, tells_who=tells_who)
    course = cairns.ruleset.course
    cairns.state.follow_course(replace(course, questions={**course.questions, "SECRET": row}))
    prompt = secret_question(cairns, ANN, BOB, readers=PUBLIC, sealed=True)
    cairns.state.answers[prompt.id, reader(ANN)] = Answer(prompt.id, reader(ANN), "1", seat_and_gm(ANN))
    assert waiting_seen_by(cairns, BOB)[reader(ANN)][0] is not tells_who
    assert waiting_seen_by(cairns, ANN)[reader(ANN)][0] is False


@pytest.mark.rule("CF-7")
def test_only_the_inner_question_waits():
    cairns = running_game()
    outer = secret_question(cairns, ANN, readers=PUBLIC)
    cairns.happens(
        lambda state, ctx: ask(
            state, ctx, "INNER", "?", owners=[reader(BOB)], lane="secret", rule=Rule.FIRST, answered_by=(CastVote,),
            readers=PUBLIC, parent=outer.id,
        ),
        GM_ACTOR,
    )  # fmt: skip
    assert waiting_seen_by(cairns) == {reader(ANN): (False, None), reader(BOB): (True, None)}


def test_waiting_entries_survive_json():
    whole = Waiting(reader(ANN), must=True, due=DAWN, readers=GM, due_readers=PUBLIC, hidden_from=seat_and_gm(BOB))
    for each in (whole, Waiting(GM_READER, must=False)):
        assert Waiting.from_json(each.as_json()) == each


@pytest.mark.rule("CF-5")
def test_there_is_no_set_up_to_end_where_a_game_has_none():
    for cairns in (table(), running_game()):
        with refused("phase.closed", cairns.state):
            cairns.when(EndSetup(), GM_ACTOR)
