"""The course of Era Centrum: who is asked what, how long, what silence means, and what follows by itself (section 11).

Long for one reason: a row for each question of the game.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import ClassVar
from uuid import UUID

from games.engine.audience import GM, Audience
from games.engine.course import Course, When, rows
from games.engine.game_state import GameState, Prompt, Role
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule
from games.engine.prompts.questions import Question, Window, nobody, the_game_master
from games.gods2.rules.artifacts.rules import are_powers_astray, follow_users
from games.gods2.rules.casting.choice_commands import ChooseEffect
from games.gods2.rules.casting.choice_prompts import take_first_row
from games.gods2.rules.casting.city_sites import take_nearest_site
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint import withdraw_by_silence
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.calculation import calculate, close_century, pay_mana
from games.gods2.rules.century.commands import OpenNextCentury
from games.gods2.rules.century.steps import (
    grow_all,
    is_century_over,
    is_waiting_for_gm,
    next_century,
    open_board,
    order_growth,
)
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.cities.commands import ChooseCitySite
from games.gods2.rules.cities.rules import BEFORE_THE_BOARD_OPENS
from games.gods2.rules.gm_desk.commands import SettleManualTask
from games.gods2.rules.gm_desk.rules import void_by_silence
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.growth.order_commands import SetGrowthOrder
from games.gods2.rules.growth.preview import grow_by_the_rules
from games.gods2.rules.growth.preview_commands import PlaceGrowth
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.pantheon.commands import SignPantheonOrder, UnsignPantheonOrder
from games.gods2.rules.pantheon.events import drop_draft
from games.gods2.rules.pantheon.expulsions import decline
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion
from games.gods2.rules.setup.creation_commands import StartSecondCreation
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.questions import CASTING, GROWTH, QUEUE, Asked
from games.gods2.rules.state.records import ACTING, ACTIVE, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.war.aggression import roll_aggression
from games.gods2.rules.war.combined_commands import CombineWars, SetWarSplit
from games.gods2.rules.war.preview import fight_by_the_rules
from games.gods2.rules.war.preview_commands import SetCasualties
from games.gods2.rules.war.schedule_commands import FightWar, FightWarNow, HoldWar, SetDiplomacy
from games.gods2.rules.window.commands import LeaveQueue, PassCalledNumber, PassNumber
from games.gods2.rules.window.prompts import leave_it
from games.gods2.rules.window.queue import pass_number


@dataclass(frozen=True, slots=True, kw_only=True)
class CenturyWindow(Window):
    """A window of a century of 30 minutes: longer or shorter with the century, in whole seconds (section 9.1).

    It is a part of the century, which as a whole follows the calendar of the game.
    """

    is_dated: ClassVar[bool] = False

    least: int = 1
    """The seconds that somebody has however short the century."""

    def length(self, state: GameState, chosen: int | None, *, is_live: bool) -> timedelta:
        if not isinstance(state, State):
            raise TypeError("a century is of The Gods II")
        return timedelta(seconds=max(self.least, scaled_window(state, int(self.live.total_seconds()))))


def of_century(seconds: int, least: int = 1) -> CenturyWindow:
    """A window of so many seconds in a century of 30 minutes."""
    length = timedelta(seconds=seconds)
    return CenturyWindow(live=length, by_post=length, option="century_minutes", least=least)


PERSON = 5
"""Seconds that a person needs to answer."""
WINDOWS = {
    "answer": of_century(60, PERSON),
    "site": of_century(20, PERSON),
    "growth": of_century(20),
    "battle": of_century(30),
    "creation": of_century(300),
    "expulsion": of_century(120),
}
UNTIL_THE_WAR = "until the war is fought"
UNTIL_THE_CENTURY_ENDS = "until the century ends"


def for_gms(state: State, subject: UUID | None) -> Audience:
    """The readers of what is shown to the game-masters alone."""
    return GM


def _drop(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    if prompt.subject is None:
        raise RuntimeError("what is signed is a draft")
    yield from drop_draft(state, prompt.subject)


def _pass(state: State, ctx: Context, *_: object) -> Iterator[Event]:
    if state.era.called is not None:
        yield from pass_number(state, ctx, state.era.called)


by_gm: partial[Question[State]] = partial(Question, owners=the_game_master, readers=for_gms, late=nobody)
"""A question to the game-masters, of which nobody else knows."""
about_war = partial(by_gm, lane="war:{subject}", until=UNTIL_THE_WAR, settled_by=FightWar, default=leave_it)
SITE: Question[State] = by_gm(
    kind=Asked.SITE,
    lane=CASTING,
    window="site",
    deadline="settle-city-site",
    answered_by=(ChooseCitySite,),
    asks="On which of {count} squares do {race} found their city? They are equally good.",
    silence="It is founded at {nearest}, nearest to the centre of their territory.",
    default=take_nearest_site,
    rules=("G2-CITY-5", "G2-CITY-6"),
)
QUESTIONS: dict[str, Question[State]] = rows(
    by_gm(
        kind=Asked.ORDER,
        lane=GROWTH,
        until="until the next growth",
        settled_by=OpenNextCentury,
        answered_by=(SetGrowthOrder,),
        asks="In which order do the races grow in century {century}?",
        silence="It is drawn.",
        default=leave_it,
        rules=("G2-GROW-1", "G2-AMB-4"),
    ),
    by_gm(
        kind=Asked.GROWTH,
        lane=GROWTH,
        window="growth",
        deadline="settle-growth-preview",
        takes_long=True,
        answered_by=(PlaceGrowth, AcceptPreview),
        asks="{race} grow like this; you may place their units otherwise.",
        silence="The rules place the units.",
        default=grow_by_the_rules,
        rules=("G2-GROW-10", "G2-AMB-5"),
    ),
    SITE,
    SITE.but(BEFORE_THE_BOARD_OPENS, lane=GROWTH),
    Question(
        kind=Asked.CALLED,
        lane=QUEUE,
        owners="the called caster",
        until="a minute, or as `number_seconds` says",
        settled_by=PassCalledNumber,
        answered_by=(CastPower, DeclareWar, OrderMigration, PassNumber, LeaveQueue),
        asks="Number {number} is called: act at the Window, or pass.",
        silence="Your number goes to the end of the queue.",
        default=_pass,
        late=nobody,
        rules=("G2-QUEUE-1",),
    ),
    Question(
        kind=Asked.JOIN,
        lane=CASTING,
        owners="each partner named",
        settles=Rule.UNANIMOUS,
        window="answer",
        deadline="settle-casting",
        answered_by=(AnswerCasting,),
        asks="Do you cast {power} with {caster}?",
        silence="The casting is withdrawn; nobody pays.",
        default=withdraw_by_silence,
        late=nobody,
        rules=("G2-HIST-2", "G2-HIST-3", "G2-HIST-4"),
    ),
    Question(
        kind=Asked.CHOOSE,
        lane=CASTING,
        owners="the caster, the gods of the race, or the game-masters, as the effect says",
        asked_of=frozenset({Role.PLAYER, Role.GM}),
        window="answer",
        deadline="settle-effect",
        answered_by=(ChooseEffect,),
        asks="Choose what happens: {rows}",
        silence="{first} is chosen.",
        default=take_first_row,
        late=nobody,
        rules=("G2-MISC-1",),
    ),
    by_gm(
        kind=Asked.TASK,
        lane="desk:{subject}",
        until="until the Activity Phase ends",
        deadline="settle-task",
        answered_by=(SettleManualTask,),
        asks="{words}",
        silence="When the Activity Phase ends it is void, and the mana is given back.",
        default=void_by_silence,
        rules=("G2-MISC-1",),
    ),
    about_war(
        kind=Asked.DIPLOMACY,
        answered_by=(SetDiplomacy,),
        asks="{war}: do its sides try diplomacy?",
        silence="Each side judges for itself (G2-DIP-3).",
        rules=("G2-DIP-2", "G2-DIP-3"),
    ),
    about_war(
        kind=Asked.TIME,
        answered_by=(HoldWar, FightWarNow),
        asks="{war}: is it held, or fought now?",
        silence="It is fought when it is due, at the end of the Activity Phase at the latest.",
        rules=("G2-WAR-1",),
    ),
    about_war(
        kind=Asked.COMBINE,
        answered_by=(CombineWars, SetWarSplit),
        asks="{war}: is it fought as one with {others}?",
        silence="It is not combined; a race with several enemies splits its strength {split}.",
        rules=("G2-WAR-16", "G2-AMB-15", "G2-AMB-50"),
    ),
    by_gm(
        kind=Asked.BATTLE,
        lane="war:{subject}",
        window="battle",
        deadline="settle-war-preview",
        answered_by=(SetCasualties, AcceptPreview),
        asks="{war} is fought like this; you may place the losses otherwise.",
        silence="The rules place the losses.",
        default=fight_by_the_rules,
        rules=("G2-WAR-8",),
    ),
    Question(
        kind=Asked.SIGN,
        lane="pantheon:{subject}",
        owners="the gods who are members",
        settles=Rule.UNANIMOUS,
        until="until it is handed in or dropped",
        answered_by=(SignPantheonOrder, UnsignPantheonOrder),
        asks="Do you sign these shares for {race}: {shares}?",
        silence="Not signed.",
        default=_drop,
        late=nobody,
        rules=("G2-PAN-3",),
    ),
    Question(
        kind=Asked.EXPEL,
        lane="turmoil:{subject}",
        owners="the chosen god, dead or alive",
        until=UNTIL_THE_CENTURY_ENDS,
        window="expulsion",
        deadline="settle-expulsion",
        answered_by=(AnswerExpulsion,),
        asks="Whom do you throw out of the pantheon of {race}? You may decline.",
        silence="Nobody is thrown out.",
        default=decline,
        late=nobody,
        rules=("G2-TURM-5", "G2-AMB-30"),
    ),
    by_gm(
        kind=Asked.WORKSHEET,
        lane="worksheet",
        until=UNTIL_THE_CENTURY_ENDS,
        settled_by=OpenNextCentury,
        answered_by=(CorrectWorksheet, ApproveWorksheet),
        asks="The worksheet of century {century}: correct its counts, or approve it.",
        silence="At the century's end it counts as it is.",
        default=lambda state, ctx, *_: pay_mana(state),
        rules=("G2-CALC-2",),
    ),
    Question(
        kind=Asked.CREATION,
        lane=GROWTH,
        owners=the_game_master,
        window="creation",
        deadline="open-creation",
        answered_by=(StartSecondCreation,),
        asks="No mortal is left; shall century {century} be a second Creation? Amend corrects what was a slip.",
        silence="It starts.",
        default=leave_it,
        late=nobody,
        rules=("G2-CREA-1", "G2-AMB-49"),
    ),
    Question(
        kind=Asked.NAME,
        lane="naming:{subject}",
        owners="the god who caused it",
        until=UNTIL_THE_CENTURY_ENDS,
        settled_by=OpenNextCentury,
        answered_by=(NamePlace,),
        asks="How do you call {name}?",
        silence="The neutral name stands, until a GM gives another.",
        default=leave_it,
        late=nobody,
        rules=("G2-HREC-3",),
    ),
)


def _roll_and_open(state: State, ctx: Context) -> Iterator[Event]:
    yield from roll_aggression(state, ctx)
    yield from open_board(state, ctx)


def _in(phase: Phase) -> Callable[[State], bool]:
    """Whether the century is in a phase, and no GM is waited for: a preview of growth, the site of a city."""
    return lambda state: state.era.phase is phase and not is_waiting_for_gm(state)


COURSE: Course[State] = Course(
    kinds=Asked,
    questions=QUESTIONS,
    windows=WINDOWS,
    options=options_of,
    steps=ACTING,
    free_steps=ACTIVE,  # who has a number, or nobody before them, acts at the Window (G2-QUEUE-1)
    goes_on=(
        When(are_powers_astray, follow_users, ("G2-ART-4",)),
        When(_in(Phase.OPENING), order_growth, ("G2-GROW-1", "G2-AMB-4")),
        When(_in(Phase.GROWTH), grow_all, ("G2-GROW-1", "G2-SEQ-1", "G2-SEQ-2")),
        When(_in(Phase.STARTING), _roll_and_open, ("G2-AGG-3", "G2-AGG-5")),
        When(_in(Phase.AGGRESSION), open_board, ("G2-AGG-5",)),
        When(_in(Phase.CLOSING), calculate, ("G2-CALC-1", "G2-CALC-3")),
        When(_in(Phase.PAYING), close_century, ("G2-CALC-1", "G2-CREA-1")),
        When(is_century_over, next_century, ("G2-TIME-1", "G2-TIME-2")),
    ),
)
