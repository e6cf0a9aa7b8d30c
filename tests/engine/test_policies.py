"""A policy as functions by question: what is asked is looked up; a question without a word refuses the ruleset."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import GM, GM_READER, reader
from games.engine.bots import Thought
from games.engine.course import Course, rows
from games.engine.dice import SecretDice, Tray
from games.engine.game_state import GameState, Prompt, Role
from games.engine.kernel import Command, Context, Event
from games.engine.policies import Look, QuestionPolicy, questions_of, refuse_gaps
from games.engine.prompts.manual_dice import EnterDice
from games.engine.prompts.prompt import Rule, answer, close
from games.engine.prompts.questions import (
    Question,
    Window,
    ask_row,
    every_player,
    the_game_master,
    the_game_master_and_hosts,
)
from games.engine.ruleset import Options
from tests.engine.cairns import ANN, GM_ACTOR, MASTER, Cairns, table
from tests.rulesets import RULESETS
from tests.toy.rules import RULESET

MINUTE, SOON, LATE = timedelta(minutes=1), timedelta(seconds=3), timedelta(seconds=30)


class Say(Command[Any]):
    """What answers the questions here."""

    prompt: UUID
    word: str = ""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from answer(state, ctx, self.prompt, f'"{self.word}"')


class TimedOptions(Options):
    """Options with a window."""

    answer_seconds: int | None = None


def fall_silent(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close(state, prompt.id, "silence")


TURN: Question[Any] = Question(
    kind="TURN",
    lane="talk",
    owners=every_player,
    settles=Rule.ALL,
    window="answer",
    answered_by=(Say,),
    asks="What?",
    silence="Nothing.",
    default=fall_silent,
    rules=("X-1",),
)
BID = replace(TURN, kind="BID", lane="market")
INNER = replace(TURN, kind="INNER", inside="TURN")
RULING = replace(TURN, kind="RULING", lane="ruling", owners=the_game_master, settles=Rule.FIRST)
EITHER = replace(TURN, kind="EITHER", lane="else", owners="who acts", asked_of=frozenset({Role.PLAYER, Role.GM}))
QUESTIONS = rows(TURN, BID, INNER, RULING, EITHER)


def say(look: Look[Any], prompt: Prompt) -> Command:
    return Say(prompt=prompt.id, word=prompt.kind)


def policy(silent: Sequence[str] = (), **answers: Any) -> QuestionPolicy[Any]:
    """One that looks again soon when it has answered, and late when it has not."""
    return QuestionPolicy(
        answers=answers, silent=silent, again_in=lambda look, prompt, command: LATE if prompt is None else SOON
    )


PLAYER = policy(TURN=say, BID=say, INNER=say, EITHER=say)
KEEPER = policy(RULING=say, EITHER=say)


def talking(player: Any = PLAYER, keeper: Any = KEEPER) -> Cairns:
    """A game with the five questions, and these policies for players and game-masters."""
    kinds = ("TURN", "BID", "INNER", "RULING", "EITHER")
    window = Window(live=MINUTE, by_post=MINUTE, option="answer_seconds")
    course: Course[Any] = Course(kinds=kinds, questions=QUESTIONS, windows={"answer": window}, options=TimedOptions.of)
    own = replace(RULESET.own, commands=(*RULESET.own.commands, Say))
    ruleset = replace(
        RULESET,
        own=own,
        course=course,
        options=TimedOptions,
        policies={"talker": player},
        gm_policies={"keeper": keeper},
    )
    return table(ruleset=ruleset)


def ask(book: Cairns, *kinds: str, **given: Any) -> list[UUID]:
    """Ask these questions one after the other; their ids."""
    for kind in kinds:
        book.now += timedelta(seconds=1)
        book.happens(lambda state, ctx, kind=kind: ask_row(state, ctx, kind, **given))
    return [book.state.question(kind) for kind in kinds]


def look(book: Cairns, policy: QuestionPolicy[Any], seat: UUID = ANN) -> Thought:
    return policy(book.state, seat, Tray(SecretDice(b"bots", "bots")))


def test_the_oldest_question_is_answered_by_its_function_and_what_others_interrupt_comes_last() -> None:
    book = talking()
    turn, bid = ask(book, "TURN", "BID")
    assert [prompt.id for prompt in questions_of(book.state, ANN)] == [bid, turn]

    assert look(book, PLAYER) == Thought(Say(prompt=bid, word="BID"), SOON)

    book.when(Say(prompt=bid), by=ANN)
    assert look(book, PLAYER).command == Say(prompt=turn, word="TURN"), "what is answered is owed no more"
    (inner,) = ask(book, "INNER")
    assert look(book, PLAYER).command == Say(prompt=inner, word="INNER")
    book.when(Say(prompt=inner), by=ANN)
    assert questions_of(book.state, ANN) == [], "a question around an open one waits for it"


def test_what_is_left_to_silence_or_answered_by_nothing_lets_the_next_question_be_answered() -> None:
    shy = policy(("BID", "INNER"), TURN=say, EITHER=lambda look, prompt: None)
    book = talking(shy)
    _, _, turn = ask(book, "EITHER", "BID", "TURN", owners=[reader(ANN)])

    assert look(book, shy) == Thought(Say(prompt=turn, word="TURN"), SOON)


def test_a_policy_that_answers_nothing_does_what_it_does_unasked() -> None:
    idle = replace(PLAYER, unasked=lambda look: Say(prompt=look.seat, word=look.use))
    book = talking(idle)

    use = f"bot/{ANN}/{book.state.info.timers_set}"
    assert look(book, idle) == Thought(Say(prompt=ANN, word=use), LATE)
    assert look(book, PLAYER) == Thought(None, LATE)


def test_a_game_master_is_asked_as_such_and_by_name() -> None:
    book = talking()
    ruling, named = ask(book, "RULING", "EITHER", owners=[reader(MASTER)])

    assert [prompt.id for prompt in questions_of(book.state, MASTER)] == [ruling, named]
    assert questions_of(book.state, ANN) == []
    book.when(Say(prompt=ruling), by=GM_ACTOR)
    assert look(book, KEEPER, MASTER).command == Say(prompt=named, word="EITHER")


def test_every_policy_enters_the_dice_of_a_real_table_that_it_is_asked_for() -> None:
    book = table(options='{"dice_by_hand": true}')
    prompt, answered = UUID(int=9), policy()
    asked = Prompt(
        id=prompt, kind="DICE", lane="dice", depth=0, parent=None, owners=(GM_READER,), rule="first",
        audience=GM, answered_by=("enter-dice",), question="", subject=None,
        choices=('{"label": "x", "index": 0, "faces": 6, "count": 3}',), silence="", threshold=0, sealed=False,
        opened_at=book.now,
    )  # fmt: skip
    book.state.prompts.load(prompt, asked)

    command = look(book, answered, MASTER).command

    assert isinstance(command, EnterDice) and command.prompt == prompt
    assert len(command.values) == 3 and {*command.values} <= {*range(1, 7)}


@pytest.mark.parametrize(
    ("player", "keeper", "words"),
    [
        (policy(TURN=say, BID=say, INNER=say), KEEPER, "talker has no answer to EITHER, which a player is asked"),
        (
            PLAYER,
            policy(EITHER=say),
            "keeper has no answer to RULING, which a game-master is asked, and does not leave",
        ),
        (replace(PLAYER, silent=("RULING",)), KEEPER, "talker has a word on RULING, which a player is never asked."),
        (PLAYER, replace(KEEPER, silent=("EITHER",)), "The policy keeper answers EITHER, and leaves it to silence."),
    ],
)
def test_a_policy_without_a_word_on_a_question_or_with_one_too_many_refuses_the_ruleset_in_words(
    player: QuestionPolicy[Any], keeper: QuestionPolicy[Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        talking(player, keeper)


def test_a_row_says_whose_seats_are_asked() -> None:
    assert TURN.roles == {Role.PLAYER} and EITHER.roles == {Role.PLAYER, Role.GM}
    assert RULING.roles == EITHER.but("ruled", owners=the_game_master).roles == {Role.GM}
    assert replace(TURN, owners=the_game_master_and_hosts).roles == {Role.GM, Role.HOST}


ANSWERING = sorted(
    slug
    for slug, ruleset in RULESETS.items()
    if any(isinstance(each, QuestionPolicy) for each in (*ruleset.policies.values(), *ruleset.gm_policies.values()))
)


@pytest.mark.parametrize("slug", ANSWERING)
def test_no_policy_of_a_game_lacks_an_answer_to_a_question_of_its_course(slug: str) -> None:
    ruleset = RULESETS[slug]
    questions = ruleset.course.questions.values()
    for role, policies in ((Role.PLAYER, ruleset.policies), (Role.GM, ruleset.gm_policies)):
        refuse_gaps(policies, role, questions)
        for name, policy in policies.items():
            assert isinstance(policy, QuestionPolicy), "what answers by itself would pass unseen"
            for kind in policy.answers:
                lacking = replace(policy, answers={k: v for k, v in policy.answers.items() if k != kind})
                with pytest.raises(ValueError, match=f"{name} has no answer to {kind}, "):
                    refuse_gaps({name: lacking}, role, questions)
