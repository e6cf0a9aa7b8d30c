"""The course of Forgeborn: who is asked what, how long, what silence means, and what follows by itself (section 11).

Long for one reason: a row for each question of the game.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from games.engine.audience import Reader, reader
from games.engine.course import Course, When, owners_have_left, rows
from games.engine.deadlines import TABLE_VOTE
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule
from games.engine.prompts.questions import (
    Question,
    Window,
    close_question,
    every_player,
    nobody,
    the_game_master,
    the_game_master_and_hosts,
)
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie, TakeBoon
from games.forgeborn.rules.boons.rules import leave_by_silence
from games.forgeborn.rules.conflict.commands import (
    AssistVillage,
    BeseechPrince,
    ChooseGain,
    ChoosePool,
    ContestArtifact,
    ExploreRuins,
    FaceDragon,
    StepBack,
    TakeTest,
)
from games.forgeborn.rules.conflict.deeds import drop_ruins
from games.forgeborn.rules.conflict.failure import learn
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, PlaceRuins, RuleArtifacts
from games.forgeborn.rules.conflict.purchases import HEROINE
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.conflict.rules import choose_pool, default_pool, go_on_after_description, rule_artifacts
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.rules import (
    are_offers_in,
    forge_by_silence,
    possible_helpers,
    settle_help,
    spend_by_silence,
)
from games.forgeborn.rules.setup.commands import AcceptMap, DefineSmith, DropDice, EditMap, EnterMap
from games.forgeborn.rules.setup.rules import TO_FALL, settle_map
from games.forgeborn.rules.setup.smiths import are_smiths_in, settle_smiths
from games.forgeborn.rules.state.constants import MOST_FACES, PLAIN_DICE
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked, EndReason, Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words
from games.forgeborn.rules.turns.commands import (
    EndTurn,
    GiveArtifact,
    Journey,
    TakeBackArtifact,
    UseCharacter,
)
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import TURNS, end_turn, finish_game, next_turn
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe, RequestArtifact
from games.forgeborn.rules.vault.rules import are_ballots_in, close_vote, leave_artifact, open_vote

SETUP, TURN = "setup", "turn"
"""The lanes: the map and the Smiths; turns and all that is asked inside them."""
MINUTES, HOURS = timedelta(minutes=1), timedelta(hours=1)
WINDOWS = {
    "setup": Window(live=10 * MINUTES, by_post=48 * HOURS, option="setup_seconds"),
    "turn": Window(live=5 * MINUTES, by_post=48 * HOURS, option="turn_seconds"),
    "answer": Window(live=2 * MINUTES, by_post=24 * HOURS, option="answer_seconds"),
    "short": Window(live=MINUTES, by_post=24 * HOURS, option="answer_seconds"),
}


# -- who is asked -----------------------------------------------------------------------------------------------------


def whose_turn_it_is(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """The seat on turn."""
    if state.course.active is None:
        raise RuntimeError("nobody has a turn")
    return (reader(state.course.active),)


def other_smiths_at_the_citadel(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """The other Smiths at the Citadel who have a die."""
    maker = state.characters[state.require_action().character]
    return tuple(reader(smith.seat) for smith in possible_helpers(state, maker))


def the_other_players(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """The other players whose seat is held."""
    vote = open_vote(state)
    return tuple(reader(seat) for seat in vote.electorate) if vote is not None else ()


# -- what silence means -----------------------------------------------------------------------------------------------


def _end_turn(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    held = state.is_held(state.course.active)
    yield from end_turn(state, TurnEnd.DEADLINE if held else TurnEnd.ABSENT)


def _roll_default_pool(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    action = state.require_action()
    again = prompt.kind == Asked.REPOOL
    yield from choose_pool(state, ctx, action, default_pool(state, action), again=again)


def _leave_undescribed(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close_question(state, Asked.DESCRIBE, "deadline")
    yield from go_on_after_description(state, ctx)


def _learn(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close_question(state, Asked.GAIN, "deadline")
    yield from learn(state, state.require_action(), None)


def _drop_ruins(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    yield from close_question(state, Asked.RUINS, "deadline")
    yield from drop_ruins(state, ctx)


def _close_vote(state: State, ctx: Context, *_: object) -> Iterator[Event]:
    vote = open_vote(state)
    if vote is not None:
        yield from close_vote(state, ctx, vote)


def _leave_artifact(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    if prompt.subject is None:
        raise RuntimeError("what is denied is an artifact")
    yield from leave_artifact(state, prompt.subject)


in_turn: partial[Question[State]] = partial(Question, lane=TURN, inside=Asked.TURN)
"""What is asked inside a turn: its clock stands still meanwhile."""
MAP: Question[State] = Question(
    kind=Asked.MAP,
    about="for the map",
    lane=SETUP,
    ends_phase=True,
    owners=the_game_master_and_hosts,
    window="setup",
    answered_by=(DropDice, EnterMap, EditMap, AcceptMap),
    asks="The map may be edited; it stands when it is accepted.",
    silence="Dice that have not fallen are dropped by the service; the map is accepted as built.",
    default=lambda state, ctx, *_: settle_map(state, ctx),
    late=nobody,
    rules=("FB-MAP-3", "FB-AMB-39"),
)
SPEND = in_turn(
    kind=Asked.SPEND,
    about="how a roll is spent",
    owners=whose_turn_it_is,
    window="answer",
    answered_by=(SpendRoll,),
    asks="{total} to spend on dice of {thing}: each costs its faces and 1.",
    silence="As many d4 as it pays, the rest raises them.",
    default=lambda state, ctx, *_: spend_by_silence(state, ctx),
    rules=("FB-ART-6", "FB-AMB-39", "FB-AMB-40"),
)
QUESTIONS: dict[str, Question[State]] = rows(
    MAP,
    MAP.but(TO_FALL, asks="The dice of the map are to fall."),
    Question(
        kind=Asked.SMITHS,
        about="for Smiths",
        lane=SETUP,
        ends_phase=True,
        owners=every_player,
        settles=Rule.ALL,
        sealed=True,
        tells_who=True,
        window="setup",
        answered_by=(DefineSmith,),
        asks=f"Who is your Smith? A name, and dice with {MOST_FACES} faces at most.",
        silence=f"A seat without a Smith has a plain one: {dice_in_words(PLAIN_DICE)}.",
        default=lambda state, ctx, *_: settle_smiths(state, ctx),
        rules=("FB-SET-7", "FB-AMB-52"),
    ),
    Question(
        kind=Asked.TURN,
        about="what they do in their turn",
        lane=TURN,
        ends_phase=True,
        owners=whose_turn_it_is,
        window="turn",
        answered_by=(
            UseCharacter,
            Journey,
            GiveArtifact,
            TakeBackArtifact,
            BeginArtifact,
            RecruitHeroine,
            RequestArtifact,
            TakeTest,
            FaceDragon,
            ExploreRuins,
            AssistVillage,
            BeseechPrince,
            Commune,
            TakeBoon,
            EndTurn,
        ),
        asks="{player}, it is your turn: journey, then one action.",
        silence="The turn ends; what was moved stays moved.",
        default=_end_turn,
        rules=("FB-TRN-2", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.DESCRIBE,
        about="for a description",
        owners=the_game_master,
        window="answer",
        answered_by=(DescribeDanger,),
        asks="What does {character} meet at {place}?",
        silence="Nothing is said of it.",
        default=_leave_undescribed,
        rules=("FB-CON-7", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.POOL,
        about="for a pool",
        owners=whose_turn_it_is,
        window="answer",
        answered_by=(ChoosePool, StepBack),
        asks="Which dice does {character} roll?",
        silence="The three largest dice are rolled, or all; no Sacrifice, no artifact.",
        default=_roll_default_pool,
        rules=("FB-CON-7", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.RULING,
        about="whether artifacts help",
        owners=the_game_master,
        window="short",
        answered_by=(RuleArtifacts,),
        asks="Do the artifacts of {character} help?",
        silence="All of them help.",
        default=lambda state, ctx, *_: rule_artifacts(state, ctx, (), ""),
        rules=("FB-CON-7", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.REPOOL,
        about="for a pool without refused artifacts",
        owners=whose_turn_it_is,
        window="short",
        answered_by=(ChoosePool,),
        asks="Not every artifact helps; choose a pool without those that do not.",
        silence="The same pool is rolled without the refused artifacts.",
        default=_roll_default_pool,
        rules=("FB-CON-7", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.HELP,
        about="for help",
        owners=other_smiths_at_the_citadel,
        settles=Rule.ALL,
        window="answer",
        answered_by=(OfferHelp, DeclineHelp),
        asks="{maker} forges {artifact}: who helps, with which dice?",
        silence="No help.",
        default=lambda state, ctx, *_: settle_help(state, ctx),
        rules=("FB-ART-8", "FB-AMB-39", "FB-AMB-56"),
    ),
    in_turn(
        kind=Asked.FORGE,
        about="what is forged",
        owners=whose_turn_it_is,
        window="answer",
        answered_by=(ForgeArtifact,),
        asks="Which dice forge {artifact}, and whose help is accepted?",
        silence="The three largest dice, no Sacrifice, nobody's help.",
        default=lambda state, ctx, *_: forge_by_silence(state, ctx),
        rules=("FB-ART-8", "FB-AMB-39"),
    ),
    SPEND,
    SPEND.but(HEROINE, silence="The largest dice."),
    in_turn(
        kind=Asked.GAIN,
        about="for a gain",
        owners=whose_turn_it_is,
        window="short",
        answered_by=(ChooseGain,),
        asks="{character} learns from the failure: a d4, or a step for one of the dice?",
        silence="A d4.",
        default=_learn,
        rules=("FB-CON-5", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.VAULT,
        about="to vote",
        owners=the_other_players,
        settles=Rule.ALL,
        sealed=True,
        tells_who=True,
        window="answer",
        answered_by=(CastBallot,),
        asks="Shall {character} have {artifact}?",
        silence="No.",
        default=_close_vote,
        rules=("FB-VLT-1", "FB-VLT-2", "FB-AMB-12"),
    ),
    in_turn(
        kind=Asked.DENIED,
        about="what follows a denial",
        owners=whose_turn_it_is,
        window="short",
        answered_by=(ContestArtifact, LetArtifactBe),
        asks="{artifact} is denied: does {character} take it all the same?",
        silence="It stays in the Vault.",
        default=_leave_artifact,
        rules=("FB-VLT-1", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.RUINS,
        about="where ruins lie",
        owners=the_game_master,
        window="answer",
        answered_by=(PlaceRuins,),
        asks="Drop a d{sides} for new Ruins, and enter where it lies.",
        silence="The service drops it.",
        default=_drop_ruins,
        rules=("FB-RUI-2", "FB-AMB-39"),
    ),
    in_turn(
        kind=Asked.FOREST,
        about="for a die",
        owners=whose_turn_it_is,
        window="short",
        answered_by=(GiveUpDie,),
        asks="The Spirits take a die of {character}: which?",
        silence="The smallest.",
        default=lambda state, ctx, *_: leave_by_silence(state),
        rules=("FB-FOR-1", "FB-AMB-39"),
    ),
)


# -- what follows by itself -------------------------------------------------------------------------------------------


def _is_left(state: State) -> bool:
    """No player's seat is held any more."""
    return not any(state.is_held(seat.id) for seat in state.players())


def _is_turn_due(state: State) -> bool:
    return state.course.step in TURNS and state.course.active is None


def _is_turn_of_nobody(state: State) -> bool:
    """The turn of a seat that nobody holds, with nothing under way."""
    is_asked = any(prompt.kind != TABLE_VOTE for prompt in state.prompts.values())
    return state.course.step in TURNS and not (
        state.is_held(state.course.active) or is_asked or state.action() is not None
    )


COURSE: Course[State] = Course(
    kinds=Asked,
    questions=QUESTIONS,
    windows=WINDOWS,
    options=options_of,
    is_live=lambda state: options_of(state).pace == "live",
    steps=(Step.MAP, Step.SMITHS, *TURNS),
    free_steps=(),  # a turn is a question to its seat (section 11)
    goes_on=(
        When(_is_left, lambda state, ctx: finish_game(state, EndReason.LEFT), ("FB-END-3",)),
        owners_have_left("FB-AMB-60"),
        When(are_smiths_in, settle_smiths, ("FB-SET-3",)),
        When(are_offers_in, settle_help, ("FB-ART-8",)),
        When(are_ballots_in, _close_vote, ("FB-VLT-2", "FB-AMB-45")),
        When(_is_turn_due, next_turn, ("FB-TRN-6", "FB-DRG-2")),
        When(_is_turn_of_nobody, lambda state, ctx: end_turn(state, TurnEnd.ABSENT), ("FB-TRN-6",)),
    ),
)
