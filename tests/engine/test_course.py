"""The course of a game: what it lacks is refused in words, questions are asked by rows, what is due follows.

Long for one reason: the game with a course of its own that all tests play is defined here.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

import pytest

from games.engine.audience import GM_READER, PUBLIC, Audience, reader
from games.engine.course import Course, When, game_ends, owners_have_left, rows
from games.engine.game_state import GameState, Prompt
from games.engine.kernel import Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, GameEnded, Start
from games.engine.lifecycle.seating import Invite
from games.engine.lifecycle.waiting import deadline_of
from games.engine.prompts.manual_dice import RollForHand
from games.engine.prompts.prompt import DeadlinePassed, PromptClosed, PromptOpened, answer, close, open_prompt
from games.engine.prompts.questions import (
    Question,
    SettleDefault,
    SettleLongDefault,
    Window,
    ask_row,
    carried_by,
    close_question,
    nobody,
    require_question,
    settle_by_silence,
    silent_seats,
)
from games.engine.ruleset import Options
from games.engine.timer import TimerSet, WindowSet
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST, Cairns, table
from tests.playbook import event_like, of_kind, refused
from tests.rulesets import RULESETS
from tests.toy.rules import RULESET
from tests.toy.rules.commands import AddStones

MINUTE = timedelta(minutes=1)
DEADLINES = {SettleDefault, SettleLongDefault}


class Told(Event[Any]):
    """Something that follows."""

    what: str
    late: tuple[UUID, ...] = ()


class Say(Command[Any]):
    """What answers the questions here."""

    prompt: UUID

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from answer(state, ctx, self.prompt, "true")


class Absent(Command[Any]):
    """What no ruleset has."""


class Round(Command[Any]):
    """What the clock does at the end of a round."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        for prompt in [p for p in state.prompts.values() if p.kind == "OPEN"]:
            yield from settle_by_silence(state, ctx, prompt)


class PacedOptions(Options):
    """Options with a pace and a window of their own."""

    pace: str = "live"
    answer_seconds: int | None = None


def all_players(state: GameState, subject: UUID | None) -> list[str]:
    """Every player."""
    return [reader(seat.id) for seat in state.players()]


def fall_silent(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close(state, prompt.id, "silence")
    yield Told(what="silence", late=tuple(late))


ASKED: Question[Any] = Question(
    kind="ASKED",
    about="for an answer",
    lane="talk:{topic}",
    owners=all_players,
    window="answer",
    answered_by=(Say,),
    asks="What of {topic}?",
    silence="Nothing of {topic}.",
    default=fall_silent,
    rules=("X-1",),
)
INNER = replace(ASKED, kind="INNER", inside="ASKED", early=False)
OPEN_END = replace(ASKED, kind="OPEN", window="", until="the end of the round", owners="whoever is named")
WHOLE: Course[Any] = Course(
    kinds=("ASKED", "INNER", "OPEN"),
    questions=rows(ASKED, ASKED.but("aloud", asks="WHAT OF {topic}?"), INNER, OPEN_END),
    windows={"answer": Window(live=MINUTE, by_post=60 * MINUTE, option="answer_seconds")},
    options=PacedOptions.of,
    is_live=lambda state: PacedOptions.of(state).pace == "live",
)


def talking(course: Course[Any] = WHOLE, options: str = "{}") -> Cairns:
    own = replace(RULESET.own, commands=(*RULESET.own.commands, Say, Round), events=(*RULESET.own.events, Told))
    return table(ruleset=replace(RULESET, own=own, course=course, options=PacedOptions), options=options)


def changed(row: Question[Any], **changes: Any) -> Course[Any]:
    """The course with one of its rows changed."""
    found = dict(WHOLE.questions)
    found[row.name] = replace(row, **changes)
    return replace(WHOLE, questions=found)


@pytest.mark.parametrize(
    ("course", "words"),
    [
        (replace(WHOLE, kinds=(*WHOLE.kinds, "OTHER")), "The question OTHER has no row."),
        (replace(WHOLE, kinds=("ASKED", "INNER")), "OPEN is no kind of question."),
        (changed(ASKED, silence=""), "It is not said what silence to ASKED means."),
        (changed(ASKED, rules=()), "No rule says what silence to ASKED means."),
        (changed(ASKED, answered_by=()), "No command answers ASKED."),
        (changed(ASKED, owners=""), "It is not said who is asked ASKED."),
        (changed(ASKED, window="day"), "ASKED runs in the window day, which is none."),
        (changed(ASKED, window=""), "ASKED has neither a window nor words that say what ends it."),
        (changed(ASKED, settled_by=Absent), "ASKED is settled by absent, which the ruleset does not have."),
        (changed(OPEN_END, ends_phase=True), "The deadline of OPEN ends what goes on, and it has no window."),
        (changed(INNER, inside="NONE"), "INNER interrupts NONE, which is no question."),
        (
            replace(WHOLE, windows={"answer": Window(live=MINUTE, by_post=MINUTE, option="days")}),
            "The window answer follows the option days, which is none.",
        ),
        (
            replace(WHOLE, windows={**WHOLE.windows, "day": Window(live=MINUTE, by_post=MINUTE, option="pace")}),
            "No question runs in the window day.",
        ),
    ],
)
def test_a_course_that_lacks_something_is_refused_in_words_when_its_ruleset_is_made(course: Course[Any], words: str):
    with pytest.raises(ValueError, match=words):
        talking(course)


def test_a_command_that_the_ruleset_does_not_have_answers_nothing():
    with pytest.raises(ValueError, match="ASKED is answered by say, which the ruleset does not have"):
        replace(RULESET, course=WHOLE, options=PacedOptions)


def test_two_rows_of_one_name_are_refused():
    with pytest.raises(ValueError, match="one name"):
        rows(ASKED, ASKED)


def test_a_question_is_asked_by_its_row_and_a_case_says_it_otherwise():
    book = talking()
    asked = book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", ANN, case="aloud", topic="rain"))
    prompt = book.state.prompts[book.state.question("ASKED", ANN)]
    assert (prompt.question, prompt.silence, prompt.lane) == ("WHAT OF rain?", "Nothing of rain.", "talk:rain")
    assert (prompt.kind, prompt.subject, prompt.answered_by) == ("ASKED", ANN, ("say",))
    assert (set(prompt.owners), prompt.audience) == ({reader(ANN), reader(BOB)}, PUBLIC)
    assert of_kind(asked, TimerSet)[-1].due == book.now + MINUTE


@pytest.mark.parametrize(
    ("options", "minutes"),
    [("{}", 1), ('{"pace": "by_post"}', 60), ('{"pace": "by_post", "answer_seconds": 120}', 2)],
)
def test_a_window_is_that_of_its_option_or_else_of_the_pace(options: str, minutes: int):
    assert talking(options=options).state.window("answer") == minutes * MINUTE


def test_what_interrupts_stands_in_the_same_lane_and_the_outer_clock_stands_still():
    book = talking()
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    opened = book.happens(lambda state, ctx: ask_row(state, ctx, "INNER", topic="snow"))
    inner, outer = (book.state.prompts[book.state.question(kind)] for kind in ("INNER", "ASKED"))
    assert (inner.lane, inner.parent, inner.depth) == ("talk:rain", outer.id, 1)
    assert book.state.timers[f"prompt:{outer.id}"].due is None
    assert of_kind(opened, WindowSet) and not of_kind(opened, TimerSet), "nobody ends its window early"
    alone = talking()
    alone.happens(lambda state, ctx: ask_row(state, ctx, "INNER", topic="snow"))
    assert alone.state.prompts[alone.state.question("INNER")].lane == "talk:snow"


def test_the_deadline_of_what_goes_on_is_that_of_the_innermost_question_whose_row_says_so():
    row = replace(ASKED, lane="talk", ends_phase=True)
    vote = replace(row, kind="OPEN", lane="vote")
    inner, aside = replace(row, kind="INNER", inside="ASKED"), replace(row, kind="ASIDE", ends_phase=False)
    course = replace(WHOLE, kinds=("ASKED", "INNER", "OPEN", "ASIDE"), questions=rows(row, inner, vote, aside))
    book, found = talking(course), []
    assert course.phase_timer(book.state) is None
    for kind in ("ASIDE", "OPEN", "ASKED", "INNER"):
        book.happens(lambda state, ctx, kind=kind: ask_row(state, ctx, kind, topic="rain"))
        timer = course.phase_timer(book.state)
        found.append(timer and book.state.prompts[UUID(timer.removeprefix("prompt:"))].kind)
    assert found == [None, "OPEN", "ASKED", "INNER"], "the first lane of the rows goes before the others"
    del book.state.timers[f"prompt:{book.state.question('INNER')}"]
    assert course.phase_timer(book.state) is None, "it has no deadline any more"


def test_whoever_asks_says_who_is_asked_and_who_sees_it_where_the_row_does_not():
    book, eyes = talking(), Audience(f"gm+seat:{BOB}")
    minted = UUID(int=77)
    book.happens(
        lambda state, ctx: ask_row(
            state, ctx, "OPEN", owners=[reader(BOB)], prompt=minted, readers=eyes, topic="rain", choices=("a",)
        )
    )
    prompt = book.state.prompts[minted]
    assert (prompt.owners, prompt.audience, prompt.choices) == ((reader(BOB),), eyes, ("a",))
    assert f"prompt:{minted}" not in book.state.timers, "the end of the round ends it"


def test_at_the_deadline_the_silent_are_named_and_the_default_follows_as_the_deadlines():
    book = talking()
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    prompt = book.state.question("ASKED")
    book.when(Say(prompt=prompt), by=BOB)
    events = book.wait(MINUTE)
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, prompt=prompt, seats=(ANN,))]
    assert of_kind(events, Told) == [Told(what="silence", late=(ANN,))]
    assert {h.by for h in book.log if isinstance(h.event, DeadlinePassed | PromptClosed | Told)} == {"deadline"}


def test_where_the_course_marks_the_answers_alone_the_passing_of_the_deadline_is_not_marked():
    book = talking(replace(WHOLE, marks_all=False))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    book.wait(MINUTE)
    marks = {type(h.event): h.by for h in book.log}
    assert (marks[DeadlinePassed], marks[Told]) == ("", "deadline")


def test_a_course_may_call_the_command_of_its_deadlines_by_another_name():
    book = talking(replace(WHOLE, default_name="end-step"))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    assert {timer.does for timer in book.state.timers.values()} == {"end-step"}
    assert of_kind(book.wait(MINUTE), Told)


@pytest.mark.parametrize(("takes_long", "command"), [(False, SettleDefault), (True, SettleLongDefault)])
def test_a_row_may_call_the_command_of_its_deadline_by_a_name_of_its_own(takes_long: bool, command: type[Command]):
    book = talking(changed(ASKED, deadline="settle-talk", takes_long=takes_long))
    assert book.ruleset.commands["settle-talk"] is command and command.takes_long is takes_long
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    assert {timer.does for timer in book.state.timers.values()} == {"settle-talk"}
    assert of_kind(book.wait(MINUTE), Told)


def test_what_the_deadline_of_a_question_carries_is_there_before_and_while_it_is_fired():
    def default(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
        yield from close(state, prompt.id, "silence")
        yield Told(what=json.loads(carried_by(state, ctx, prompt.id))["weather"])

    book, minted, seen = talking(changed(ASKED, default=default)), UUID(int=77), list[str]()
    carries = json.dumps({"prompt": str(minted), "weather": "hail"})
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", prompt=minted, carries=carries, topic="rain"))
    book.happens(lambda state, ctx: iter(seen.append(carried_by(state, ctx, minted)) or ()))
    assert seen == [carries]
    assert of_kind(book.wait(MINUTE), Told) == [Told(what="hail")]
    with pytest.raises(RuntimeError, match="was lost"):
        book.happens(lambda state, ctx: iter(seen.append(carried_by(state, ctx, minted)) or ()))


@pytest.mark.parametrize(("later", "minutes"), [(MINUTE / 2, 1), (3 * MINUTE, 3)])
def test_a_window_ends_no_sooner_than_it_is_told(later: timedelta, minutes: int):
    book = talking()
    asked = book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", due=ctx.now + later, topic="rain"))
    assert of_kind(asked, TimerSet)[-1].due == book.now + minutes * MINUTE


def test_a_question_that_a_part_of_the_game_ends_has_its_timer_as_deadline():
    book = talking(changed(OPEN_END, settled_by=Round))
    book.happens(lambda state, ctx: ask_row(state, ctx, "OPEN", owners=[reader(ANN)], topic="rain"))
    prompt = book.state.prompts[book.state.question("OPEN")]
    assert deadline_of(book.state, prompt) is None, "no round runs"
    book.happens(lambda state, ctx: iter([TimerSet.of("round", ctx.now + 2 * MINUTE, Round())]))
    assert deadline_of(book.state, prompt) == book.state.timers["round"]
    assert book.ruleset.course.ending_commands == {"OPEN": "round"}
    events = book.wait(2 * MINUTE)
    assert of_kind(events, DeadlinePassed) and of_kind(events, Told) == [Told(what="silence", late=(ANN,))]


def test_late_are_those_asked_who_have_not_answered_players_first_or_nobody_where_none_must():
    book = talking()
    owners = [GM_READER, reader(HOST), reader(BOB), reader(ANN)]
    book.happens(lambda state, ctx: ask_row(state, ctx, "OPEN", owners=owners, topic="rain"))
    prompt = book.state.prompts[book.state.question("OPEN")]
    assert silent_seats(book.state, prompt) == [ANN, BOB, HOST]
    book.happens(lambda state, ctx: answer(state, ctx, prompt.id, "1"), by=ANN)
    assert silent_seats(book.state, prompt) == [BOB, HOST]
    assert nobody(book.state, prompt) == []


def test_a_question_that_is_not_open_is_refused_by_what_it_is_about_and_closed_where_it_is():
    book = talking()
    with refused("prompt.closed", book.state) as caught:
        require_question(book.state, Say, rules=("X-1",))
    assert caught.value.message.startswith("Nobody is asked for an answer now") and caught.value.rules == ("X-1",)
    assert book.happens(lambda state, ctx: close_question(state, "ASKED", "done")) == []
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", ANN, topic="rain"))
    assert require_question(book.state, Say).subject == ANN
    assert book.happens(lambda state, ctx: close_question(state, "ASKED", "done", BOB)) == []
    assert of_kind(book.happens(lambda state, ctx: close_question(state, "ASKED", "done", ANN)), PromptClosed)


def following(*due: When[Any], steps: tuple[str, ...] = ("lobby",)) -> Course[Any]:
    return replace(WHOLE, goes_on=due, steps=steps)


def is_asked(state: GameState) -> bool:
    return state.question("ASKED") is not None


def answered(state: GameState) -> bool:
    return any(prompt.kind == "ASKED" for prompt in state.prompts.values()) and bool(state.answers)


def settle(state: GameState, ctx: Context) -> Iterator[Event]:
    yield from close_question(state, "ASKED", "settled")
    yield Told(what="settled")


ON: When[Any] = When(answered, settle, ("X-1",))


def test_after_a_command_follows_what_is_due_again_and_again_the_first_first():
    again: When[Any] = When(
        lambda state: not is_asked(state), lambda state, ctx: ask_row(state, ctx, "ASKED", topic="x"), ()
    )
    book = talking(following(ON, again))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    events = book.when(Say(prompt=book.state.question("ASKED")), by=ANN)
    told = [type(event) for event in events if isinstance(event, Told | PromptOpened | PromptClosed)]
    assert told == [PromptClosed, Told, PromptOpened]


def test_what_says_that_it_rests_is_not_followed_and_the_next_command_is():
    class Settle(Command[Any]):
        """Answer for everybody, and rest."""

        def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
            yield from answer(state, ctx, state.question("ASKED"), "1")
            ctx.rest()

    book = talking(following(ON))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    assert of_kind(book.when(Settle(), by=ANN), Told) == []
    assert of_kind(book.when(Say(prompt=book.state.question("ASKED")), by=BOB), Told) == [Told(what="settled")]


def test_nothing_follows_in_a_step_in_which_the_game_does_not_go_on_by_itself():
    book = talking(following(ON, steps=("running",)))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    assert of_kind(book.when(Say(prompt=book.state.question("ASKED")), by=ANN), Told) == []


def test_a_question_whose_owners_have_all_left_has_its_default_at_once_and_is_no_deadlines():
    book = talking(following(owners_have_left("X-1")))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    prompt = open_prompt(book.state, book.state.question("ASKED"))
    for seat in (ANN, BOB):
        assert book.state.question("ASKED") == prompt.id, "somebody may answer still"
        book.state.seats[seat] = replace(book.state.seats[seat], user=None)
    events = book.when(Say(prompt=UUID(int=5)), by=GM_ACTOR) if prompt.id not in book.state.prompts else []
    events += book.happens(lambda state, ctx: book.ruleset.course.go_on(state, ctx))
    assert of_kind(events, Told) == [Told(what="silence", late=(ANN, BOB))]
    assert not of_kind(events, DeadlinePassed) and book.log[-1].by == ""


@pytest.mark.parametrize("slug", RULESETS)
def test_a_game_goes_on_after_its_own_commands_its_start_and_what_silence_means(slug: str):
    ruleset = RULESETS[slug]
    followed = {command for command in ruleset.commands.values() if command.is_followed}
    assert followed == {*ruleset.own.commands, *DEADLINES, Start, EndSetup, RollForHand}


def test_a_game_does_not_go_on_after_a_command_about_the_table():
    book = talking(following(ON))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    book.happens(lambda state, ctx: answer(state, ctx, state.question("ASKED"), "1"), by=ANN)
    assert of_kind(book.when(Invite(role="observer"), by=GM_ACTOR), Told) == []


def test_a_course_without_an_enumeration_of_its_questions_has_the_kinds_of_its_rows():
    book = talking(replace(WHOLE, kinds=None))
    book.happens(lambda state, ctx: ask_row(state, ctx, "ASKED", topic="rain"))
    assert book.state.question("ASKED")
    with pytest.raises(ValueError, match="The question ASKED has no row"):
        talking(replace(WHOLE, kinds=None, questions=rows(ASKED.but("aloud"))))


def test_where_nothing_else_is_said_a_game_goes_on_while_it_runs_and_ends_as_its_course_says():
    over = replace(WHOLE, goes_on=(game_ends(lambda state: bool(state.piles), "a stone lies", "X-2"),))
    book = talking(over)
    book.when(Start(), GM_ACTOR)
    events = book.when(AddStones(stones=1), ANN)
    assert of_kind(events, GameEnded) == [GameEnded(reason="a stone lies")]
    assert of_kind(book.happens(over.go_on), GameEnded) == [], "a game that is over goes on no more"
