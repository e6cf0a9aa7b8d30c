"""Creations, recruiting, and what a sum buys (FB-ART, FB-HER).

Long for one reason: the rulebook has this in one chapter, and each of its rules has a test.
"""

from datetime import timedelta

import pytest

from games.engine.lifecycle.seating import HandedOver
from games.forgeborn.rules.chronicle import STORY
from games.forgeborn.rules.conflict.commands import ExploreRuins
from games.forgeborn.rules.conflict.events import PoolRolled
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice
from games.forgeborn.rules.conflict.purchase_events import CreationFailed, PointsDue
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.conflict.spending import default_artifact, default_heroine
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.events import ArtifactMade, HeroineRecruited
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.gains.events import DiceLost, DieGained, GloryGained, TokenSpent
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, Form, Function, PlaceKind
from games.forgeborn.rules.story.commands import SetStandingAnswer
from games.forgeborn.rules.turns.commands import EndTurn, LeaveSeat, UseCharacter
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, S3, S4, dice, give_dice, move, playing, smith


def alone(*own) -> Playbook:
    """The first seat's turn, its Smith alone at the Citadel with these dice and a token of each kind."""
    book = playing(S1, S2)
    move(book, smith(book, S2), PlaceKind.VILLAGE, 1)
    give_dice(book, smith(book, S1), *own)
    return book


def blunt(die=8):
    """A blunt weapon, paid by a die or a token."""
    return FormChoice(kind=Form.BLUNT, die=die)


def lore(die=4):
    """For knowledge, paid by a die or a token."""
    return FunctionChoice(kind=Function.KNOWLEDGE, die=die)


def begin(name="Thunder", form=None, function=None, **more) -> BeginArtifact:
    """The beginning of an artifact."""
    return BeginArtifact(name=name, form=form or blunt(), function=function or lore(), **more)


def forged(book: Playbook, free, shown, sacrifice=(), **more) -> list:
    """The maker alone forges with these dice, which show so much."""
    planted = [d(size, str(S1), value) for size, value in zip((*free, *sacrifice), shown, strict=True)]
    return book.when(ForgeArtifact(free=free, sacrifice=sacrifice), by=S1, dice=planted, **more)


# --- form and function ------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-ART-1", "FB-EX-78")
def test_a_smith_creates_at_the_citadel():
    book = alone(8, 4, 12)
    hero = stage.heroine(book.state, S1, 1, smith(book, S1).place, (8, 4, 12))
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("character.smith_only", book.state):
        book.when(begin(), by=S1)
    book.when(UseCharacter(character=smith(book, S1).id), by=S1)
    move(book, smith(book, S1), PlaceKind.VILLAGE, 1)
    with refused("place.wrong", book.state):
        book.when(begin(), by=S1)


@pytest.mark.rule("FB-ART-2", "FB-ART-3", "FB-EX-52")
def test_form_and_function_take_the_die_of_their_kind_or_a_token():
    book = alone(6, 12, 8, 4)
    with refused("kind.mismatch", book.state):
        book.when(begin(form=blunt(6)), by=S1)
    with refused("token.short", book.state):
        book.when(begin(form=blunt(None)), by=S1)
    with refused("die.missing", book.state):
        book.when(begin(form=FormChoice(kind=Form.RANGED, die=10)), by=S1)
    book.state.set_purse(S1, resource=1)
    happened = book.when(begin(form=blunt(None), function=FunctionChoice(kind=Function.COMBAT, die=12)), by=S1)
    assert [(e.kind, e.balance) for e in of_kind(happened, TokenSpent)] == [("resource", 0)]
    assert [e.dice for e in of_kind(happened, DiceLost)] == [(12,)]


@pytest.mark.rule("FB-ART-2", "FB-ART-3")
@pytest.mark.parametrize("number", range(5))
def test_each_size_pays_for_one_form_and_one_function(number):
    size = (4, 6, 8, 10, 12)[number]
    book = alone(size, size, 12)
    form, function = tuple(Form)[number], tuple(Function)[number]
    book.when(begin(form=FormChoice(kind=form, die=size), function=FunctionChoice(kind=function, die=size)), by=S1)
    assert dice(book, smith(book, S1).id) == [12]
    assert [form.value for form in Form] == ["clothing", "jewelry", "blunt", "ranged", "bladed"]
    assert [each.value for each in Function] == ["knowledge", "persuasion", "fortune", "change", "combat"]


@pytest.mark.rule("FB-ART-8", "FB-CON-6", "FB-EX-53")
def test_one_die_is_left_to_roll():
    book = alone(8, 4)
    with refused("dice.none", book.state):
        book.when(begin(), by=S1)
    book = alone(8, 4, 4)
    book.when(begin(), by=S1)
    assert dice(book, smith(book, S1).id) == [4] and book.state.question(Asked.FORGE) is not None


@pytest.mark.rule("FB-ROW-5", "FB-ART-1")
def test_a_name_of_an_artifact_is_used_once():
    book = alone(8, 4, 4)
    with refused("name.taken", book.state):
        book.when(begin(name="THING 1"), by=S1)


@pytest.mark.rule("FB-ART-4")
def test_no_artifact_helps_in_a_creation():
    book = alone(8, 4, 12)
    thing = stage.artifact(book.state, 7, smith(book, S1), smith(book, S1).id, (12,)).id
    with refused("artifact.barred", book.state):
        book.when(begin(pool=PoolChoice(free=(12,), artifacts=({"artifact": thing},))), by=S1)


@pytest.mark.rule("FB-CON-8", "FB-ART-8")
def test_a_pool_sent_along_is_of_the_dice_that_are_left():
    book = alone(8, 4, 12)
    with refused("die.missing", book.state):
        book.when(begin(pool=PoolChoice(free=(8,))), by=S1)
    happened = book.when(begin(pool=PoolChoice(free=(12,))), by=S1, dice=[d(12, str(S1), 11)])
    assert of_kind(happened, PointsDue)[0].total == 11 and book.state.question(Asked.FORGE) is None


# --- the sum ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-ART-5", "FB-ART-7", "FB-EX-08", "FB-EX-09")
@pytest.mark.parametrize("bought, wasted", [((12,), 2), ((8, 4), 1), ((6, 6), 1), ((4, 4, 4), 0)])
def test_a_sum_of_fifteen_buys_one_to_three_dice(bought, wasted):
    book = alone(8, 4, 12, 12, 12)
    book.when(begin(), by=S1)
    forged(book, (12, 12, 12), (1, 8, 6))
    with refused("points.short", book.state):
        book.when(SpendRoll(dice=(8, 6)), by=S1)
    with refused("purchase.empty", book.state):
        book.when(SpendRoll(dice=()), by=S1)
    happened = book.when(SpendRoll(dice=bought), by=S1)
    (made,) = of_kind(happened, ArtifactMade)
    assert (made.power, made.wasted, made.dice) == (len(bought), wasted, bought)
    assert book.state.purses[S1].vp == len(bought)
    assert made.artifact in [artifact.id for artifact in book.state.vault()]
    assert violations(book.state) == []


@pytest.mark.rule("FB-ART-5", "FB-ART-6", "FB-EX-10")
def test_five_buys_a_d4_and_four_is_a_failure():
    for shown, outcome in ((5, PointsDue), (4, CreationFailed)):
        book = alone(8, 4, 12)
        book.when(begin(), by=S1)
        assert of_kind(forged(book, (12,), (shown,)), outcome)
        if outcome is PointsDue:
            (made,) = of_kind(book.wait(timedelta(minutes=2)), ArtifactMade)
            assert (made.dice, made.power) == ((4,), 1)


@pytest.mark.rule("FB-ART-6", "FB-AMB-11", "FB-EX-13", "FB-CON-5")
def test_a_failed_creation_loses_what_was_paid_and_sacrificed():
    book = playing(S1, S2)
    move(book, smith(book, S2), PlaceKind.VILLAGE, 1)
    give_dice(book, smith(book, S1), 8, 4, 4, 4, 6)
    book.when(begin(), by=S1)
    forged(book, (4, 4, 6), (1, 1, 2))
    assert dice(book, smith(book, S1).id) == [4, 4, 6] and book.state.question(Asked.GAIN) is not None
    (gained,) = of_kind(book.wait(timedelta(minutes=1)), DieGained)
    assert gained.die == 4 and book.state.purses[S1].vp == 0


@pytest.mark.rule("FB-ART-6", "FB-AMB-11")
def test_a_failed_recruiting_loses_its_sacrifices():
    book = alone(12, 12, 12, 6)
    move(book, smith(book, S1), PlaceKind.VILLAGE, 2)
    happened = book.when(
        RecruitHeroine(name="Ada", pool=PoolChoice(free=(12, 12, 12), sacrifice=(6,)), gain=GainChoice(**{"raise": 6})),
        by=S1, dice=[d(12, "own", 1, 1, 1), d(6, "own", 1)],
    )  # fmt: skip
    assert [e.dice for e in of_kind(happened, DiceLost)] == [(6,)]
    assert dice(book, smith(book, S1).id) == [4, 12, 12, 12]


@pytest.mark.rule("FB-CON-8", "FB-EX-90")
def test_a_die_that_was_to_rise_and_is_gone_is_a_d4():
    book = alone(12, 12, 12, 6)
    move(book, smith(book, S1), PlaceKind.CITY)
    happened = book.when(
        RecruitHeroine(name="Ada", pool=PoolChoice(free=(12, 12, 12), sacrifice=(6,)), gain=GainChoice(**{"raise": 6})),
        by=S1, dice=[d(12, "own", 1, 1, 1), d(6, "own", 1)],
    )  # fmt: skip
    assert of_kind(happened, DieGained)[0].die == 4


# --- help -------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-ART-4", "FB-ART-5", "FB-ART-7", "FB-EX-12")
def test_a_helper_rolls_along_has_a_point_and_loses_the_sacrifice():
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 8, 4, 8, 8, 10)
    give_dice(book, smith(book, S2), 6, 6, 6, 10)
    book.when(begin(), by=S1)
    book.when(OfferHelp(free=(6, 6, 6), sacrifice=(10,)), by=S2)
    happened = book.when(
        ForgeArtifact(free=(8, 8, 10), helpers=(S2,)), by=S1,
        dice=[d(8, str(S1), 5, 7), d(10, str(S1), 9), d(6, str(S2), 6, 6, 2), d(10, str(S2), 10)],
    )  # fmt: skip
    assert of_kind(happened, PointsDue)[0].total == 45
    after = book.when(SpendRoll(dice=(12, 12, 12, 4)), by=S1)
    assert [(e.seat, e.amount) for e in of_kind(after, GloryGained)] == [(S1, 4), (S2, 1)]
    assert dice(book, smith(book, S2).id) == [6, 6, 6]
    assert of_kind(after, ArtifactMade)[0].helpers == (smith(book, S2).id,)


@pytest.mark.rule("FB-ART-4", "FB-ART-8", "FB-AMB-10", "FB-AMB-34", "FB-AMB-56", "FB-EX-54")
def test_the_maker_chooses_among_the_offers_of_those_who_stand_there():
    book = playing(S2, S1, S3, S4)
    book.when(EndTurn(), by=S2) if book.state.course.active == S2 else None
    book.when(begin(), by=S1)
    asked = book.state.prompts[book.state.question(Asked.HELP)]
    assert set(asked.owners) == {f"seat:{seat}" for seat in (S2, S3, S4)}
    book.when(OfferHelp(free=(12,)), by=S2)
    book.when(OfferHelp(free=(12, 8)), by=S4)
    book.when(DeclineHelp(), by=S2)
    assert book.state.question(Asked.HELP) is not None
    book.when(DeclineHelp(), by=S3)
    assert book.state.question(Asked.FORGE) is not None
    for seat in (S2, S3):
        with refused("help.missing", book.state):
            book.when(ForgeArtifact(free=(12,), helpers=(seat,)), by=S1)
    happened = book.when(
        ForgeArtifact(free=(12,), helpers=(S4,)), by=S1,
        dice=[d(12, str(S1), 3), d(12, str(S4), 4), d(8, str(S4), 5)],
    )  # fmt: skip
    (rolled,) = of_kind(happened, PoolRolled)
    assert [helper.seat for helper in rolled.helpers] == [S4]
    after = book.wait(timedelta(minutes=2))
    assert {e.seat for e in of_kind(after, GloryGained)} == {S1, S4}


@pytest.mark.rule("FB-ART-8", "FB-AMB-56")
def test_who_is_elsewhere_or_has_no_die_is_not_asked():
    book = playing(S1, S2, S3)
    move(book, smith(book, S2), PlaceKind.CITY)
    give_dice(book, smith(book, S3))
    book.when(begin(), by=S1)
    assert book.state.question(Asked.HELP) is None and book.state.question(Asked.FORGE) is not None
    book = playing(S1, S2, S3)
    move(book, smith(book, S2), PlaceKind.CITY)
    book.when(begin(), by=S1)
    with refused("place.wrong", book.state):
        book.when(OfferHelp(free=(12,)), by=S2)
    with refused("pool.size", book.state):
        book.when(OfferHelp(free=(12,), sacrifice=(8,)), by=S3)
    with refused("dice.none", book.state):
        book.when(OfferHelp(free=()), by=S3)


@pytest.mark.rule("FB-ART-4", "FB-ART-6", "FB-ART-7", "FB-AMB-21", "FB-EX-58")
def test_a_helper_of_a_failed_creation_loses_and_gains_nothing():
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 8, 4, 4)
    give_dice(book, smith(book, S2), 4, 4, 4, 4)
    book.when(begin(), by=S1)
    book.when(OfferHelp(free=(4, 4, 4), sacrifice=(4,)), by=S2)
    book.when(ForgeArtifact(free=(4,), helpers=(S2,)), by=S1, dice=[d(4, str(S1), 1), d(4, str(S2), 1, 1, 1, 1)])
    book.when(SpendRoll(dice=(4,)), by=S1)
    assert dice(book, smith(book, S2).id) == [4, 4, 4]
    assert (book.state.purses[S1].vp, book.state.purses[S2].vp) == (1, 1)
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 8, 4, 4)
    give_dice(book, smith(book, S2), 4, 4, 4)
    book.when(begin(), by=S1)
    book.when(OfferHelp(free=(4, 4, 4)), by=S2)
    happened = book.when(
        ForgeArtifact(free=(4,), helpers=(S2,)), by=S1, dice=[d(4, str(S1), 1), d(4, str(S2), 1, 1, 1)]
    )
    assert of_kind(happened, CreationFailed)[0].total == 4
    assert CreationFailed in STORY.kinds  # and the chronicle tells it
    book.wait(timedelta(minutes=1))
    assert dice(book, smith(book, S2).id) == [4, 4, 4] and book.state.purses[S2].vp == 0
    assert dice(book, smith(book, S1).id) == [4, 4]


@pytest.mark.rule("FB-ART-8", "FB-AMB-39")
def test_silence_gives_no_help_and_forges_with_the_largest_dice():
    book = playing(S1, S2)
    book.when(begin(), by=S1)
    book.wait(timedelta(minutes=2))
    (rolled,) = of_kind(book.wait(timedelta(minutes=2)), PoolRolled)
    assert (rolled.free, rolled.sacrifice, rolled.helpers) == ((12, 12, 12), (), ())


@pytest.mark.rule("FB-AMB-53", "FB-ART-8")
def test_who_declines_in_advance_is_not_waited_for():
    book = playing(S1, S2)
    book.when(SetStandingAnswer(kind="help", answer="decline"), by=S2)
    book.when(begin(pool=PoolChoice(free=(12,)), gain=GainChoice()), by=S1)
    assert book.state.question(Asked.HELP) is None and book.state.question(Asked.FORGE) is not None
    assert book.state.sent_pools and not next(iter(book.state.sent_pools.values())).has_pool
    happened = book.when(ForgeArtifact(free=(12,)), by=S1, dice=[d(12, str(S1), 1)])
    assert of_kind(happened, DieGained) and book.state.course.active == S2


@pytest.mark.rule("FB-AMB-62", "FB-END-3")
def test_the_offer_of_a_seat_that_is_left_falls_away():
    book = playing(S1, S2, S3)
    book.when(begin(), by=S1)
    book.when(OfferHelp(free=(12,)), by=S2)
    book.when(LeaveSeat(), by=S2)
    assert book.state.question(Asked.HELP) is not None
    book.when(DeclineHelp(), by=S3)
    with refused("help.missing", book.state):
        book.when(ForgeArtifact(free=(12,), helpers=(S2,)), by=S1)
    assert any(isinstance(record.event, HandedOver) for record in book.log)


# --- Heroines ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-HER-1", "FB-EX-14", "FB-EX-15")
def test_the_sum_of_a_recruiting_buys_the_dice_of_a_heroine():
    book = alone(12, 12, 12, 6)
    move(book, smith(book, S1), PlaceKind.VILLAGE, 3)
    book.when(
        RecruitHeroine(name="Ada", pool=PoolChoice(free=(12, 12, 12), sacrifice=(6,))), by=S1,
        dice=[d(12, "own", 12, 9, 3), d(6, "own", 6)],
    )  # fmt: skip
    with refused("points.short", book.state):
        book.when(SpendRoll(dice=(12, 8, 8)), by=S1)
    happened = book.when(SpendRoll(dice=(12, 8, 6)), by=S1)
    (joined,) = of_kind(happened, HeroineRecruited)
    assert joined.wasted == 1 and dice(book, joined.character) == [6, 8, 12]
    assert book.state.characters[joined.character].place == smith(book, S1).place
    assert book.state.purses[S1].vp == 0 and dice(book, smith(book, S1).id) == [12, 12, 12]


@pytest.mark.rule("FB-HER-1", "FB-AMB-40", "FB-ART-5")
def test_silence_buys_the_largest_dice_of_a_heroine():
    book = alone(12, 12, 12)
    move(book, smith(book, S1), PlaceKind.CITY)
    book.when(RecruitHeroine(name="Ada", pool=PoolChoice(free=(12, 12, 12))), by=S1, dice=[d(12, "own", 8, 8, 4)])
    (joined,) = of_kind(book.wait(timedelta(minutes=2)), HeroineRecruited)
    assert joined.dice == default_heroine(20) == (12, 6)
    assert default_artifact(20) == (4, 4, 4, 4)


@pytest.mark.rule("FB-HER-2", "FB-EX-107", "FB-AMB-25")
def test_a_player_may_have_many_heroines_and_uses_one_character_a_turn():
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 12, 12, 12)
    for number, name in enumerate(("Ada", "Bea", "Cleo"), start=1):
        move(book, smith(book, S1), PlaceKind.CITY)
        book.when(RecruitHeroine(name=name, pool=PoolChoice(free=(12, 12, 12))), by=S1, dice=[d(12, "own", 8, 8, 4)])
        book.when(SpendRoll(dice=(12,)), by=S1)
        assert len(book.state.characters_of(S1)) == number + 1
        book.when(EndTurn(), by=S2)
    heroines = book.state.characters_of(S1)[1:]
    assert [heroine.number for heroine in heroines] == [1, 2, 3]
    book.when(UseCharacter(character=heroines[2].id), by=S1)
    with refused("place.wrong", book.state):
        book.when(ExploreRuins(), by=S1)


@pytest.mark.rule("FB-HER-1", "FB-ROW-5")
def test_recruiting_is_for_smiths_in_villages_and_the_city_and_names_are_used_once():
    book = playing(S1, S2)
    with refused("place.wrong", book.state):
        book.when(RecruitHeroine(name="Ada"), by=S1)
    stage.heroine(book.state, S2, 1, book.state.place_of_kind(PlaceKind.CITY).id)
    move(book, smith(book, S1), PlaceKind.CITY)
    with refused("name.taken", book.state):
        book.when(RecruitHeroine(name="heroine 12-1"), by=S1)
    give_dice(book, smith(book, S1))
    with refused("dice.none", book.state):
        book.when(RecruitHeroine(name="Ada"), by=S1)
    give_dice(book, smith(book, S1), 12)
    book.when(RecruitHeroine(name="Smith 12"), by=S1)  # a Smith of that name is no Heroine


@pytest.mark.rule("FB-CON-6", "FB-HER-1")
def test_a_heroine_recruits_nobody():
    book = playing(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.CITY).id)
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("character.smith_only", book.state):
        book.when(RecruitHeroine(name="Ada"), by=S1)
