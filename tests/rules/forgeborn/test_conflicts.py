"""Conflicts: pools, rolls, what is won and lost, and what a failure brings (chapter 4; FB-RUI, VIL, DRG, PRI, TST).

Long for one reason: the rulebook has this in one chapter, and each of its rules has a test.
"""

from datetime import timedelta

import pytest

from games.forgeborn.rules.boons.commands import TakeBoon
from games.forgeborn.rules.claims.events import ArtifactTaken
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
from games.forgeborn.rules.conflict.events import (
    ActionDeclared,
    ConflictFailed,
    ConflictWon,
    DangerDescribed,
    OppositionRolled,
    PoolChosen,
    PoolRolled,
    ProblemSet,
    RuinsFound,
    RuinsSpent,
    SteppedBack,
)
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, PlaceRuins, RuleArtifacts
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice
from games.forgeborn.rules.gains.events import DiceLost, DieGained, DieRaised, GloryGained, TokenGained
from games.forgeborn.rules.realm.events import DieDropped
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, Helping, PlaceKind, Step
from games.forgeborn.rules.story.commands import SetStandingAnswer
from games.forgeborn.rules.turns.commands import EndTurn, GiveArtifact, UseCharacter
from games.forgeborn.rules.turns.events import LastTurnsStarted, RoundStarted, TurnEnded, TurnStarted
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import GM, REFEREE, S1, S2, S3, S4, dice, give_dice, move, playing, smith

VAULT_ARTIFACT = next(iter(stage.playing().artifacts))


def pool(*free, sacrifice=(), artifacts=(), text=""):
    """A pool; artifacts by their ids."""
    named = tuple(Helping(artifact=one, how="it shines") for one in artifacts)
    return PoolChoice(free=free, sacrifice=sacrifice, artifacts=named, text=text)


def at_village(*own, number=3, options=None, seats=(S1, S2)) -> Playbook:
    """The turn of the first seat, whose Smith stands in a Village with these dice."""
    book = playing(*seats, **({"options": options} if options else {}))
    move(book, smith(book, S1), PlaceKind.VILLAGE, number)
    give_dice(book, smith(book, S1), *own)
    return book


def held_by(book: Playbook, seat, number: int, *sizes: int):
    """An artifact that a Smith holds."""
    own = smith(book, seat)
    return stage.artifact(book.state, number, own, own.id, sizes).id


def sound(book: Playbook) -> None:
    """What always holds (FB-GM-6)."""
    assert violations(book.state) == []


# --- the roll -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-CON-3", "FB-EX-03")
def test_a_total_as_high_as_the_opposition_wins():
    book = at_village(8, 8, 12)
    book.state.set_place(smith(book, S1).place, power=2)
    happened = book.when(
        AssistVillage(pool=pool(8, 8, 12)), by=S1,
        dice=[d(8, "own", 8, 6), d(12, "own", 11), d(12, "against", 12, 12), d(4, "problem", 2), d(26, "draw", 8)],
    )  # fmt: skip
    (won,) = of_kind(happened, ConflictWon)
    assert (won.total, won.against) == (25, 24)


@pytest.mark.rule("FB-CON-3", "FB-CON-4", "FB-CON-2", "FB-EX-04")
def test_sacrifices_of_a_won_conflict_are_lost_and_artifact_dice_never():
    book = at_village(4, 6, 8, 10)
    book.state.set_place(smith(book, S1).place, power=2)
    thing = held_by(book, S1, 7, 4)
    happened = book.when(
        AssistVillage(pool=pool(4, 6, 8, sacrifice=(10,), artifacts=[thing])), by=S1,
        dice=[
            d(4, "own", 3), d(6, "own", 5), d(8, "own", 2), d(10, "own", 8), d(4, "artifact", 4),
            d(12, "against", 11, 11), d(4, "problem", 2), d(26, "draw", 8),
        ],
    )  # fmt: skip
    (won,), (lost,) = of_kind(happened, ConflictWon), of_kind(happened, DiceLost)
    assert (won.total, won.against, lost.dice) == (22, 22, (10,))
    assert dice(book, smith(book, S1).id) == [4, 6, 8]
    assert book.state.artifacts[thing].power == 1
    sound(book)


@pytest.mark.rule("FB-CON-4", "FB-CON-5", "FB-EX-05")
def test_a_failure_costs_nothing_and_brings_a_die():
    book = at_village(4, 6, 8, 10)
    book.state.set_place(smith(book, S1).place, power=2)
    thing = held_by(book, S1, 7, 4)
    happened = book.when(
        AssistVillage(pool=pool(4, 6, 8, sacrifice=(10,), artifacts=[thing])), by=S1,
        dice=[
            d(4, "own", 3), d(6, "own", 5), d(8, "own", 2), d(10, "own", 8), d(4, "artifact", 4),
            d(12, "against", 12, 11),
        ],
    )  # fmt: skip
    assert of_kind(happened, ConflictFailed) and not of_kind(happened, DiceLost)
    assert book.state.question(Asked.GAIN) is not None
    book.when(ChooseGain(**{"raise": 4}), by=S1)
    assert dice(book, smith(book, S1).id) == [6, 6, 8, 10]


@pytest.mark.rule("FB-CON-1", "FB-AMB-9", "FB-EX-06")
def test_sacrifices_stand_beside_three_free_dice():
    book = at_village(4, 6, 8, 10)
    for choice in (pool(4, 6, sacrifice=(8,)), pool(4, 6, 8, 10)):
        with refused("pool.size", book.state):
            book.when(AssistVillage(pool=choice), by=S1)


@pytest.mark.rule("FB-CON-5", "FB-AMB-19", "FB-EX-07", "FB-EX-47")
def test_a_d12_does_not_rise():
    book = at_village(4, 4, 12)
    book.when(
        AssistVillage(pool=pool(4, 4, 12)), by=S1,
        dice=[d(4, "own", 1, 1), d(12, "own", 1), d(12, "against", 9, 9, 9, 9)],
    )  # fmt: skip
    with refused("die.largest", book.state):
        book.when(ChooseGain(**{"raise": 12}), by=S1)
    with refused("die.missing", book.state):
        book.when(ChooseGain(**{"raise": 6}), by=S1)
    (raised,) = of_kind(book.when(ChooseGain(**{"raise": 4}), by=S1), DieRaised)
    assert (raised.old, raised.new) == (4, 6)
    assert dice(book, smith(book, S1).id) == [4, 6, 12]


@pytest.mark.rule("FB-CON-6", "FB-AMB-27", "FB-EX-46")
def test_a_character_without_dice_begins_no_conflict_but_may_have_the_boon():
    book = playing(S1, S2)
    ruins = book.state.place_of_kind(PlaceKind.RUINS, 1)
    hero = stage.heroine(book.state, S1, 1, ruins.id, ())
    thing = stage.artifact(book.state, 7, smith(book, S1), hero.id, (12, 12, 12))
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("dice.none", book.state):
        book.when(ExploreRuins(), by=S1)
    with refused("dice.none", book.state):
        book.when(ExploreRuins(pool=PoolChoice(free=(), artifacts=pool(4, artifacts=[thing.id]).artifacts)), by=S1)
    book.state.set_purse(S1, is_swayed=True)
    book.state.set_character(hero.id, place=book.state.place_of_kind(PlaceKind.CITY).id)
    book.when(TakeBoon(kind="die"), by=S1)
    assert dice(book, hero.id) == [4]


@pytest.mark.rule("FB-CON-9", "FB-AMB-49", "FB-EX-99")
def test_dice_are_named_by_their_size():
    book = at_village(12, 12, 8)
    with refused("die.missing", book.state):
        book.when(AssistVillage(pool=pool(12, 12, 12)), by=S1)


@pytest.mark.rule("FB-CON-3")
def test_dice_fall_in_their_order():
    book = at_village(4, 6, 8, 10, 12)
    one, other = held_by(book, S1, 7, 12, 4), held_by(book, S1, 8, 6)
    happened = book.when(
        AssistVillage(pool=pool(12, 4, 6, sacrifice=(10, 8), artifacts=[other, one])), by=S1,
        dice=[
            d(12, "own", 1), d(4, "own", 2), d(6, "own", 3), d(10, "own", 4), d(8, "own", 5), d(6, "artifact", 6),
            d(4, "artifact", 1), d(12, "artifact", 2), d(12, "against", 1, 1, 1, 1), d(4, "problem", 1),
            d(26, "draw", 1),
        ],
    )  # fmt: skip
    (rolled,) = of_kind(happened, PoolRolled)
    assert rolled.total == 24 and rolled.artifacts == (other, one)


# --- artifacts in a pool ----------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-CON-2", "FB-AMB-8")
def test_an_artifact_in_a_pool_is_held_and_named_once():
    book = at_village(12, 12, 8)
    other = stage.artifact(book.state, 9, smith(book, S2), smith(book, S2).id, (4,)).id
    thing = held_by(book, S1, 7, 8)
    with refused("artifact.not_held", book.state):
        book.when(AssistVillage(pool=pool(12, artifacts=[other])), by=S1)
    with refused("artifact.twice", book.state):
        book.when(AssistVillage(pool=pool(12, artifacts=[thing, thing])), by=S1)
    with refused("artifact.missing", book.state):
        book.when(AssistVillage(pool=pool(12, artifacts=[S4])), by=S1)


@pytest.mark.rule("FB-CON-7", "FB-AMB-32", "FB-CON-2", "FB-EX-45", "FB-GM-2")
def test_the_game_master_refuses_an_artifact_once():
    book = at_village(8, 8, 8, options=REFEREE)
    thing, second = held_by(book, S1, 7, 4), held_by(book, S1, 8, 4)
    book.when(AssistVillage(), by=S1)
    book.when(DescribeDanger(text="Wolves."), by=GM)
    book.when(ChoosePool(pool=pool(8, 8, 8, artifacts=[thing])), by=S1)
    with refused("artifact.not_in_pool", book.state):
        book.when(RuleArtifacts(refused=(second,), reason="no"), by=GM)
    with refused("reason.missing", book.state):
        book.when(RuleArtifacts(refused=(thing,)), by=GM)
    book.when(RuleArtifacts(refused=(thing,), reason="Wolves do not read."), by=GM)
    for named in (thing, second):
        with refused("artifact.refused", book.state):
            book.when(ChoosePool(pool=pool(8, artifacts=[named])), by=S1)
    with refused("prompt.closed", book.state):
        book.when(StepBack(), by=S1)
    happened = book.when(
        ChoosePool(pool=pool(8, 8, 8)),
        by=S1,
        dice=[d(8, "own", 5, 6, 7), d(12, "against", 1, 1, 1, 1), d(4, "problem", 1)],
    )
    (rolled,) = of_kind(happened, PoolRolled)
    assert (rolled.total, len(rolled.free)) == (18, 3)


# --- described, pooled, and sent along --------------------------------------------------------------------------------
@pytest.mark.rule("FB-CON-7", "FB-AMB-33", "FB-EX-48")
def test_stepping_back_uses_the_action_and_brings_nothing():
    book = playing(S1, S2, options=REFEREE)
    move(book, smith(book, S1), PlaceKind.RUINS, 1)
    before = dice(book, smith(book, S1).id)
    declared = book.when(ExploreRuins(), by=S1)
    assert [type(e) for e in of_kind(declared, ActionDeclared)] == [ActionDeclared]
    book.when(DescribeDanger(text="A fountain of bones."), by=GM)
    happened = book.when(StepBack(), by=S1)
    assert of_kind(happened, SteppedBack) and of_kind(happened, TurnEnded)[0].reason == "action"
    assert book.state.course.active == S2
    assert dice(book, smith(book, S1).id) == before
    assert not book.state.place_of_kind(PlaceKind.RUINS, 1).is_spent


@pytest.mark.rule("FB-CON-7", "FB-AMB-39", "FB-EX-49")
def test_silence_rolls_the_three_largest_dice_and_lets_every_artifact_help():
    book = at_village(12, 8, 8, 4, 4, options=REFEREE)
    book.when(AssistVillage(), by=S1)
    book.wait(timedelta(minutes=2))
    happened = book.wait(timedelta(minutes=2))
    (chosen,) = of_kind(happened, PoolChosen)
    assert (chosen.free, chosen.sacrifice, chosen.artifacts) == ((12, 8, 8), (), ())
    book = at_village(12, 8, options=REFEREE)
    thing = held_by(book, S1, 7, 4)
    book.when(AssistVillage(pool=pool(12, artifacts=[thing])), by=S1)
    book.when(DescribeDanger(text="Rain."), by=GM)
    assert book.state.question(Asked.RULING) is not None
    (rolled,) = of_kind(book.wait(timedelta(minutes=1)), PoolRolled)
    assert rolled.artifacts == (thing,)


@pytest.mark.rule("FB-CON-7")
def test_silence_after_a_refusal_rolls_the_rest_of_the_pool():
    book = at_village(12, 8, options=REFEREE)
    thing, other = held_by(book, S1, 7, 4), held_by(book, S1, 8, 4)
    book.when(AssistVillage(pool=pool(12, 8, artifacts=[thing, other])), by=S1)
    book.when(DescribeDanger(text="Rain."), by=GM)
    book.when(RuleArtifacts(refused=(thing,), reason="It rusts."), by=GM)
    (rolled,) = of_kind(book.wait(timedelta(minutes=1)), PoolRolled)
    assert (rolled.free, rolled.artifacts) == ((12, 8), (other,))


@pytest.mark.rule("FB-GM-2", "FB-EX-98")
def test_a_description_that_comes_too_late_is_refused():
    book = at_village(12, options=REFEREE)
    book.when(AssistVillage(), by=S1)
    happened = book.wait(timedelta(minutes=2))
    assert not of_kind(happened, DangerDescribed) and book.state.question(Asked.POOL) is not None
    with refused("prompt.closed", book.state):
        book.when(DescribeDanger(text="Wolves!"), by=GM)


@pytest.mark.rule("FB-GM-1", "FB-EX-106")
def test_no_description_changes_a_number():
    book = playing(S1, S2, options=REFEREE)
    move(book, smith(book, S1), PlaceKind.LAIR)
    book.when(FaceDragon(), by=S1)
    book.when(DescribeDanger(text="The beast is asleep, you win."), by=GM)
    action = book.state.require_action()
    assert (action.power, action.is_won) == (8, None) and book.state.question(Asked.POOL) is not None


@pytest.mark.rule("FB-AMB-59")
def test_what_is_described_stays_with_the_place_until_it_is_won():
    book = at_village(12, 12, 12, options=REFEREE)
    village = smith(book, S1).place
    book.when(AssistVillage(pool=pool(12, 12, 12)), by=S1)
    book.when(
        DescribeDanger(text="Wolves at the door."), by=GM, dice=[d(12, "own", 1, 1, 1), d(12, "against", 9, 9, 9, 9)]
    )
    assert book.state.places[village].threat == "Wolves at the door."
    book.when(EndTurn(), by=S2)
    book.when(AssistVillage(pool=pool(12, 12, 12)), by=S1)
    book.when(
        DescribeDanger(text="Still wolves."), by=GM,
        dice=[d(12, "own", 12, 12, 12), d(12, "against", 1, 1, 1, 1), d(4, "problem", 3)],
    )  # fmt: skip
    assert (book.state.places[village].threat, book.state.places[village].power) == ("", 3)


@pytest.mark.rule("FB-CON-8", "FB-GM-5", "FB-RUI-1", "FB-RUI-2", "FB-EX-79")
def test_an_action_with_its_pool_is_one_command_without_a_referee():
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.RUINS, 1)
    book.state.set_place(smith(book, S1).place, power=5)
    happened = book.when(
        ExploreRuins(pool=pool(12, 12, 12)), by=S1,
        dice=[
            d(12, "own", 12, 9, 4), d(12, "against", 8, 8, 5, 2, 2), d(8, "face", 4), d(297, "1", 21), d(210, "1", 181),
            d(14, "draw", 3),
        ],
    )  # fmt: skip
    (won,) = of_kind(happened, ConflictWon)
    assert (won.total, won.against) == (25, 25)
    assert book.state.purses[S1].secret == 1 and book.state.purses[S1].vp == 1
    assert book.state.place_of_kind(PlaceKind.RUINS, 1).is_spent
    kinds = (TokenGained, GloryGained, RuinsSpent, DieDropped, RuinsFound, TurnEnded)
    assert tuple(type(event) for event in of_kind(happened, *kinds)) == kinds
    assert [p.kind for p in book.state.prompts.values()] == ["TURN"] and book.state.course.active == S2
    found = book.state.place_of_kind(PlaceKind.RUINS, 3)
    assert (found.power, found.x, found.y) == (4, 20, 180)
    sound(book)


@pytest.mark.rule("FB-CON-8", "FB-AMB-44")
def test_a_pool_sent_along_waits_for_the_description_and_is_nobody_elses_business():
    book = at_village(12, 12, 12, options=REFEREE)
    happened = book.when(AssistVillage(pool=pool(12, 12), gain=GainChoice()), by=S1)
    assert book.state.question(Asked.DESCRIBE) is not None
    (sent,) = (e for e in happened if type(e).__name__ == "PoolSent")
    assert sent.audience(book.state) == f"seat:{S1}"
    assert not book.state.view_for(frozenset(), gm=True).sent_pools
    with refused("prompt.closed", book.state):
        book.when(StepBack(), by=S1)
    after = book.when(DescribeDanger(text="Rain."), by=GM, dice=[d(12, "own", 1, 1), d(12, "against", 9, 9, 9, 9)])
    assert of_kind(after, DieGained)[0].die == 4 and book.state.question(Asked.GAIN) is None
    assert not book.state.sent_pools


@pytest.mark.rule("FB-CON-8", "FB-CON-5")
def test_a_pool_or_a_gain_that_cannot_be_is_refused_before_anything_falls():
    book = at_village(12, 8)
    with refused("die.missing", book.state):
        book.when(AssistVillage(pool=pool(12), gain=GainChoice(**{"raise": 4})), by=S1)
    with refused("die.largest", book.state):
        book.when(AssistVillage(pool=pool(12), gain=GainChoice(**{"raise": 12})), by=S1)
    with refused("dice.none", book.state):
        book.when(AssistVillage(pool=PoolChoice(free=())), by=S1)


@pytest.mark.rule("FB-CON-5", "FB-AMB-53")
def test_a_failure_asks_nothing_where_it_is_answered_in_advance_or_nothing_can_rise():
    book = at_village(8)
    book.when(SetStandingAnswer(kind="gain", answer="d4"), by=S1)
    happened = book.when(AssistVillage(pool=pool(8)), by=S1, dice=[d(8, "own", 1), d(12, "against", 9, 9, 9, 9)])
    assert of_kind(happened, DieGained)[0].die == 4
    book = at_village(12, 12)
    happened = book.when(AssistVillage(pool=pool(12)), by=S1, dice=[d(12, "own", 1), d(12, "against", 9, 9, 9, 9)])
    assert of_kind(happened, DieGained)[0].die == 4
    book = at_village(8)
    book.when(AssistVillage(pool=pool(8)), by=S1, dice=[d(8, "own", 1), d(12, "against", 9, 9, 9, 9)])
    (gained,) = of_kind(book.wait(timedelta(minutes=1)), DieGained)
    assert gained.die == 4 and book.state.course.active == S2


@pytest.mark.rule("FB-CON-5")
def test_a_failure_may_always_bring_a_d4():
    book = at_village(8)
    book.when(AssistVillage(pool=pool(8)), by=S1, dice=[d(8, "own", 1), d(12, "against", 9, 9, 9, 9)])
    (gained,) = of_kind(book.when(ChooseGain(), by=S1), DieGained)
    assert (gained.die, dice(book, smith(book, S1).id)) == (4, [4, 8])


# --- places -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-RUI-1", "FB-RUI-2", "FB-EX-21")
def test_ruins_give_a_secret_and_a_point_and_lead_to_new_ones():
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.RUINS, 1)
    book.when(
        ExploreRuins(pool=pool(12, 12, 12)), by=S1,
        dice=[
            d(12, "own", 12, 12, 12), d(12, "against", 1, 1, 1, 1, 1, 1), d(8, "face", 8), d(297, "1", 21),
            d(210, "1", 181), d(14, "draw", 1),
        ],
    )  # fmt: skip
    assert (book.state.purses[S1].vp, book.state.purses[S1].secret) == (1, 1)
    assert book.state.place_of_kind(PlaceKind.RUINS, 3).threat
    move(book, smith(book, S2), PlaceKind.RUINS, 1)
    with refused("ruins.spent", book.state):
        book.when(ExploreRuins(), by=S2)


@pytest.mark.rule("FB-RUI-2", "FB-GM-2")
def test_the_table_drops_new_ruins():
    book = explored()
    for wrong, code in (({"face": 9}, "die.range"), ({"x": 297}, "point.off_sheet")):
        with refused(code, book.state):
            book.when(PlaceRuins(**({"face": 3, "x": 20, "y": 21} | wrong)), by=GM)
    happened = book.when(PlaceRuins(face=3, x=20, y=21), by=GM)  # beside the Lair: the table needs no spacing
    assert (of_kind(happened, RuinsFound)[0].x, of_kind(happened, RuinsFound)[0].power) == (20, 3)
    assert book.state.course.active == S2
    sound(book)


@pytest.mark.rule("FB-RUI-2", "FB-GM-2")
def test_the_service_drops_the_ruins_that_nobody_enters():
    book = explored()
    assert of_kind(book.wait(timedelta(minutes=2)), DieDropped)
    assert book.state.course.active == S2
    sound(book)


def explored() -> Playbook:
    """Ruins are explored at a table that drops its dice itself: it is asked where the new ones lie."""
    book = playing(S1, S2, options='{"referee":"person","drop":"table"}')
    move(book, smith(book, S1), PlaceKind.RUINS, 2)
    book.when(ExploreRuins(pool=pool(12, 12, 12)), by=S1)
    book.when(DescribeDanger(text="Ants."), by=GM, dice=[d(12, "own", 12, 12, 12), d(12, "against", 1, 1, 1)])
    assert book.state.question(Asked.RUINS) is not None
    return book


@pytest.mark.rule("FB-VIL-1", "FB-EX-25", "FB-AMB-20", "FB-EX-64")
def test_a_solved_problem_gives_a_token_and_the_next_problem_is_for_all():
    book = at_village(12, 12, 12, number=2)
    move(book, smith(book, S2), PlaceKind.VILLAGE, 2)
    happened = book.when(
        AssistVillage(pool=pool(12, 12, 12)), by=S1,
        dice=[d(12, "own", 12, 12, 12), d(12, "against", 1, 1, 1), d(4, "problem", 2), d(26, "draw", 8)],
    )  # fmt: skip
    assert (book.state.purses[S1].resource, book.state.purses[S1].vp) == (1, 0)
    assert of_kind(happened, ProblemSet)[0].power == 2
    (declared,) = of_kind(
        book.when(AssistVillage(pool=pool(12)), by=S2, dice=[d(12, "own", 1), d(12, "against", 9, 9)]), ActionDeclared
    )
    assert declared.power == 2


@pytest.mark.rule("FB-DRG-1", "FB-DRG-2", "FB-AMB-23", "FB-EX-20")
def test_the_slayer_has_the_dragons_power_and_the_others_one_turn():
    book = playing(S1, S2, S3)
    book.when(EndTurn(), by=S1)
    book.state.set_purse(S2, vp=7)
    book.state.set_place(book.state.place_of_kind(PlaceKind.LAIR).id, power=9)
    move(book, smith(book, S2), PlaceKind.LAIR)
    give_dice(book, smith(book, S2), 12, 12, 12)
    happened = book.when(
        FaceDragon(pool=pool(12, 12, 12)), by=S2, dice=[d(12, "own", 12, 12, 12), d(12, "against", *[1] * 9)]
    )
    assert book.state.purses[S2].vp == 16
    assert of_kind(happened, LastTurnsStarted)[0].seats == (S3, S1)
    assert (book.state.course.step, book.state.course.active) == (Step.LAST_TURNS, S3)
    move(book, smith(book, S3), PlaceKind.LAIR)
    with refused("dragon.slain", book.state):
        book.when(FaceDragon(), by=S3)
    book.when(EndTurn(), by=S3)
    book.when(EndTurn(), by=S1)
    assert (book.state.course.step, book.state.course.winners) == (Step.FINISHED, (S2,))
    assert book.state.course.reason == "dragon"


@pytest.mark.rule("FB-DRG-1", "FB-CON-1", "FB-EX-105")
@pytest.mark.parametrize("shown, left, vp", [(12, 3, 8), (1, 6, 0)])
def test_the_opening_of_six_d12_costs_three_of_them_or_nothing(shown, left, vp):
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.LAIR)
    give_dice(book, smith(book, S1), *[12] * 6)
    book.when(
        FaceDragon(pool=pool(12, 12, 12, sacrifice=(12, 12, 12))), by=S1,
        dice=[d(12, "own", *[shown] * 6), d(12, "against", *[6] * 8)],
    )  # fmt: skip
    assert book.state.purses[S1].vp == vp
    assert dice(book, smith(book, S1).id) == [*([] if vp else [4]), *[12] * left]


@pytest.mark.rule("FB-DRG-2", "FB-TRN-6")
def test_the_last_turns_are_a_round_of_their_own():
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.LAIR)
    happened = book.when(
        FaceDragon(pool=pool(12, 12, 12)), by=S1, dice=[d(12, "own", 12, 12, 12), d(12, "against", *[1] * 8)]
    )
    (began,) = of_kind(happened, RoundStarted)
    assert (began.round, began.last, began.seats) == (2, True, (S2,))


@pytest.mark.rule("FB-PRI-1", "FB-AMB-37", "FB-EX-66")
def test_the_prince_is_swayed_once():
    book = playing(S1, S2)
    for turn in range(2):
        move(book, smith(book, S1), PlaceKind.CITY)
        if turn:
            with refused("prince.swayed", book.state):
                book.when(BeseechPrince(), by=S1)
            return
        book.when(
            BeseechPrince(pool=pool(12, 12, 12)), by=S1, dice=[d(12, "own", 12, 12, 12), d(12, "against", *[1] * 8)]
        )
        assert book.state.purses[S1].is_swayed and book.state.purses[S1].vp == 0
        book.when(EndTurn(), by=S2)


@pytest.mark.rule("FB-PRI-1")
def test_a_heroine_does_not_beseech():
    book = playing(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.CITY).id)
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("character.smith_only", book.state):
        book.when(BeseechPrince(), by=S1)


@pytest.mark.rule("FB-TST-1", "FB-AMB-57", "FB-AMB-22", "FB-EX-18")
def test_a_heroine_who_passes_the_test_holds_the_artifact():
    book = playing(S1, S2)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL)
    book.state.set_place(citadel.id, power=4)
    hero = stage.heroine(book.state, S1, 1, citadel.id, (12, 8, 8))
    with refused("character.heroine_only", book.state):
        book.when(TakeTest(artifact=VAULT_ARTIFACT), by=S1)
    book.when(UseCharacter(character=hero.id), by=S1)
    happened = book.when(
        TakeTest(artifact=VAULT_ARTIFACT, pool=pool(12, 8, 8)), by=S1,
        dice=[
            d(12, "own", 9), d(8, "own", 7, 4), d(4, "artifact", 3), d(8, "artifact", 8), d(12, "against", 7, 8, 9, 7),
        ],
    )  # fmt: skip
    (won,), (taken,) = of_kind(happened, ConflictWon), of_kind(happened, ArtifactTaken)
    assert (won.total, won.against) == (31, 31)
    assert (taken.character, taken.came_by) == (hero.id, "test")
    sound(book)


@pytest.mark.rule("FB-TST-1", "FB-EX-62")
def test_no_other_artifact_helps_in_a_test():
    book = playing(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.CITADEL).id, (12,))
    other = stage.artifact(book.state, 8, smith(book, S1), hero.id, (12,)).id
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("artifact.barred", book.state):
        book.when(TakeTest(artifact=VAULT_ARTIFACT, pool=pool(12, artifacts=[other])), by=S1)


@pytest.mark.rule("FB-HER-2", "FB-TRN-5", "FB-EX-59")
def test_what_a_heroine_wins_is_her_players_at_once():
    book = playing(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.RUINS, 2).id, (12, 12, 12))
    book.when(UseCharacter(character=hero.id), by=S1)
    book.when(
        ExploreRuins(pool=pool(12, 12, 12)), by=S1,
        dice=[
            d(12, "own", 12, 12, 12), d(12, "against", 1, 1, 1), d(8, "face", 8), d(297, "1", 21), d(210, "1", 181),
            d(14, "draw", 1),
        ],
    )  # fmt: skip
    assert (book.state.purses[S1].secret, book.state.purses[S1].vp) == (1, 1)


@pytest.mark.rule("FB-CON-7", "FB-TRN-4")
def test_nothing_is_handed_over_once_the_action_is_declared():
    book = at_village(12, options=REFEREE)
    hero = stage.heroine(book.state, S1, 1, smith(book, S1).place)
    thing = held_by(book, S1, 7, 4)
    book.when(AssistVillage(), by=S1)
    for command in (GiveArtifact(artifact=thing, heroine=hero.id), EndTurn(), AssistVillage()):
        with refused("prompt.open", book.state):
            book.when(command, by=S1)


@pytest.mark.rule("FB-CON-7")
def test_deeds_belong_to_their_places():
    book = playing(S1, S2)
    for command in (FaceDragon(), ExploreRuins(), AssistVillage(), BeseechPrince()):
        with refused("place.wrong", book.state):
            book.when(command, by=S1)
    with refused("turn.not_yours", book.state):
        book.when(FaceDragon(), by=S2)
    with refused("prompt.closed", book.state):
        book.when(ContestArtifact(), by=S1)


@pytest.mark.rule("FB-DRG-2", "FB-EX-63")
def test_who_has_most_at_the_end_wins_and_not_the_slayer():
    book = playing(S1, S2)
    book.state.set_purse(S1, vp=3)
    book.state.set_purse(S2, vp=12)
    move(book, smith(book, S1), PlaceKind.LAIR)
    book.when(FaceDragon(pool=pool(12, 12, 12)), by=S1, dice=[d(12, "own", 12, 12, 12), d(12, "against", *[1] * 8)])
    happened = book.when(EndTurn(), by=S2)
    assert book.state.course.winners == (S2,) and not of_kind(happened, TurnStarted)
    assert isinstance(of_kind(happened, OppositionRolled), list)
