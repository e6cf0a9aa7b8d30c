"""The policy `steady`: help and votes are bargains, forging goes on, the Dragon is faced at even odds (section 10)."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from games.forgeborn.rules.boons.commands import Commune, TakeBoon
from games.forgeborn.rules.bots.bargaining import fair_offer
from games.forgeborn.rules.bots.policies import POLICIES
from games.forgeborn.rules.conflict.commands import AssistVillage, ContestArtifact, FaceDragon
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.state.records import Purse
from games.forgeborn.rules.state.schema_types import Form, Function, PlaceKind, Size, Step
from games.forgeborn.rules.turns.commands import Journey, TakeBackArtifact, UseCharacter
from games.forgeborn.rules.vault.commands import CastBallot, RequestArtifact
from tests.playbook import Playbook
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import REFEREE, S1, S2, S3, give_dice, move, playing, smith

BEGIN = BeginArtifact(
    name="Thunder", form=FormChoice(kind=Form.CLOTHING, die=4), function=FunctionChoice(kind=Function.KNOWLEDGE, die=4)
)
THING = next(iter(stage.playing().artifacts))
STRONG = (12,) * 9
"""Dice that slay a Dragon of Power 8 more often than not."""


def wish(book: Playbook, seat: UUID) -> Command | None:
    """What the bot on a seat does now."""
    command: Command | None = POLICIES["steady"](book.state, seat, Tray(SecretDice(b"bots", "bots"))).command
    return command


def points(book: Playbook, **vp: int) -> None:
    """The victory points of the seats, by no command."""
    for name, amount in vp.items():
        book.state.set_purse({"s1": S1, "s2": S2, "s3": S3}[name], vp=amount)


def recruit(book: Playbook) -> None:
    """The first seat has a Heroine who can do nothing: it looks for no other."""
    stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.LAIR).id, ())


def add_help(book: Playbook, maker: UUID, helper: UUID, number: int) -> None:
    """An artifact that one Smith has made with the help of another."""
    made = stage.artifact(book.state, number, smith(book, maker), smith(book, maker).id)
    book.state.set_artifact(made.id, helpers=(smith(book, helper).id,))


# --- bargains ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "offer"),
    [
        ((12, 12, 12, 8, 8, 8, 4, 4, 4), (4, 4)),
        ((12, 12, 12, 4), (12,)),
        ((12, 10, 8), (10,)),
        ((8, 6), (6, 8)),
        ((4,), ()),
        ((), ()),
    ],
)
def test_a_fair_offer_is_the_least_that_brings_the_maker_a_point(dice: Sequence[int], offer: tuple[int, ...]) -> None:
    assert fair_offer([Size(die) for die in dice]) == offer


@pytest.mark.parametrize(
    ("_case", "vp", "help_before", "answer"),
    [
        ("nobody owes anything", {}, (), OfferHelp(free=(4, 4))),
        ("the maker owes a help", {}, ((S1, S2),), DeclineHelp()),
        ("the helper owes one too", {}, ((S1, S2), (S2, S1)), OfferHelp(free=(4, 4))),
        ("the maker is ahead of all", {"s1": 3, "s2": 2}, (), DeclineHelp()),
        ("the maker shares the lead", {"s1": 3, "s2": 3}, (), OfferHelp(free=(4, 4))),
        ("the Dragon would not bring the maker up", {"s2": 5, "s3": 9}, ((S1, S2),), OfferHelp(free=(12, 12))),
        ("it just would", {"s2": 5, "s3": 8}, ((S1, S2),), DeclineHelp()),
    ],
)
def test_help_is_given_for_a_return_or_to_who_is_lost(
    _case: str, vp: dict[str, int], help_before: Sequence[tuple[UUID, UUID]], answer: Command
) -> None:
    book = playing(S1, S2, S3)
    points(book, **vp)
    for number, (maker, helper) in enumerate(help_before, start=2):
        add_help(book, maker, helper, number)
    book.when(BEGIN, by=S1)
    assert wish(book, S2) == answer


def test_a_maker_accepts_what_brings_as_much_as_the_helper_has_for_it() -> None:
    book = playing(S1, S2, S3)
    book.when(BEGIN, by=S1)
    book.when(OfferHelp(free=(4,)), by=S2)
    book.when(OfferHelp(free=(4, 4)), by=S3)
    assert wish(book, S1) == ForgeArtifact(free=(12, 12, 12), helpers=(S3,))


@pytest.mark.parametrize(
    ("_case", "vp", "dice", "is_owed", "answer"),
    [
        ("who is not ahead", {"s2": 2}, (12, 12), False, True),
        ("who is ahead", {"s1": 2}, (12, 12), False, False),
        ("who is ahead and has helped", {"s1": 2}, (12, 12), True, True),
        ("whom it makes strong enough to win", {"s2": 2}, (12,) * 8, True, False),
        ("who could not win by the Dragon", {"s2": 20}, (12,) * 8, False, True),
    ],
)
def test_a_vote_is_a_bargain_and_nobody_arms_a_winner(
    _case: str, vp: dict[str, int], dice: Sequence[int], is_owed: bool, answer: bool
) -> None:
    book = playing(S1, S2, S3)
    points(book, **vp)
    give_dice(book, smith(book, S1), *dice)
    if is_owed:
        add_help(book, S2, S1, 2)
    book.when(RequestArtifact(artifact=THING), by=S1)
    assert wish(book, S2) == CastBallot(yes=answer)


def test_what_is_denied_is_contested_for_a_failure_costs_nothing() -> None:
    book = playing(S1, S2)
    book.when(RequestArtifact(artifact=THING), by=S1)
    book.when(CastBallot(yes=False), by=S2)
    assert isinstance(wish(book, S1), ContestArtifact)


# --- the Dragon -------------------------------------------------------------------------------------------------------


def before_the_lair(book: Playbook, *dice: int) -> None:
    """The Smith of the first seat has these dice, and stands one way before the Lair."""
    lair = book.state.place_of_kind(PlaceKind.LAIR)
    (beside,) = (place for place, _ in book.state.ways_from(lair.id))
    give_dice(book, smith(book, S1), *dice)
    book.state.set_character(smith(book, S1).id, place=beside)


def test_a_smith_goes_to_the_dragon_at_even_odds() -> None:
    book = playing(S1, S2)
    lair = book.state.place_of_kind(PlaceKind.LAIR)
    before_the_lair(book, *STRONG)
    assert wish(book, S1) == Journey(to=lair.id)
    before_the_lair(book, *STRONG[:7])
    assert wish(book, S1) != Journey(to=lair.id)


def test_a_smith_goes_to_the_dragon_only_where_that_wins() -> None:
    book = playing(S1, S2)
    before_the_lair(book, *STRONG)
    points(book, s2=4)
    assert wish(book, S1) != Journey(to=book.state.place_of_kind(PlaceKind.LAIR).id), "the others have a turn more"
    points(book, s2=3)
    assert wish(book, S1) == Journey(to=book.state.place_of_kind(PlaceKind.LAIR).id)


@pytest.mark.parametrize("options", ['{"referee":"none"}', REFEREE])
def test_who_stands_before_the_dragon_fights_with_all_dice_also_at_less(options: str) -> None:
    book = playing(S1, S2, options=options)
    before_the_lair(book, *STRONG[:8])
    move(book, smith(book, S1), PlaceKind.LAIR)
    fought = wish(book, S1)
    assert isinstance(fought, FaceDragon)
    if options == REFEREE:
        assert fought.pool is None, "the description comes first"
    else:
        assert fought.pool is not None and (*fought.pool.free, *fought.pool.sacrifice) == STRONG[:8]
    give_dice(book, smith(book, S1), *STRONG[:6])
    assert not isinstance(wish(book, S1), FaceDragon)


def test_a_smith_takes_back_what_a_heroine_in_the_same_place_holds() -> None:
    book = playing(S1, S2)
    heroine = stage.heroine(book.state, S1, 1, smith(book, S1).place)
    book.state.set_artifact(THING, holder=heroine.id)
    assert wish(book, S1) == TakeBackArtifact(artifact=THING)


# --- forging goes on --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("round_", [1, 9, 30])
def test_at_the_citadel_it_forges_in_any_round_while_it_can_pay(round_: int) -> None:
    book = playing(S1, S2)
    del book.state.artifacts[THING]
    book.state.set_course(round=round_)
    command = wish(book, S1)
    assert isinstance(command, BeginArtifact) and (command.form.die, command.function.die) == (4, 4)


def test_without_payments_it_fetches_them() -> None:
    book = playing(S1, S2)
    del book.state.artifacts[THING]
    recruit(book)
    give_dice(book, smith(book, S1), 12, 12, 12)
    move(book, smith(book, S1), PlaceKind.FOREST)
    assert wish(book, S1) == Commune(dice=(4, 4))
    move(book, smith(book, S1), PlaceKind.VILLAGE, 1)
    assert isinstance(wish(book, S1), AssistVillage)


def test_it_looks_for_one_heroine() -> None:
    book = playing(S1, S2)
    del book.state.artifacts[THING]
    give_dice(book, smith(book, S1), 12, 12, 12)
    move(book, smith(book, S1), PlaceKind.VILLAGE, 1)
    assert isinstance(wish(book, S1), RecruitHeroine)
    recruit(book)
    assert not isinstance(wish(book, S1), RecruitHeroine)


def test_it_asks_the_prince_for_the_token_that_it_lacks() -> None:
    book = playing(S1, S2)
    del book.state.artifacts[THING]
    recruit(book)
    give_dice(book, smith(book, S1), 12, 12, 12)
    move(book, smith(book, S1), PlaceKind.CITY)
    book.state.purses[S1] = Purse(S1, resource=3, is_swayed=True)
    command = wish(book, S1)
    assert isinstance(command, TakeBoon) and command.kind.value == "secret"


def test_in_its_last_turn_it_pays_with_any_die() -> None:
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 12, 12, 12, 10, 10)
    assert not isinstance(wish(book, S1), BeginArtifact)
    book.state.set_course(step=Step.LAST_TURNS)
    command = wish(book, S1)
    assert isinstance(command, BeginArtifact) and (command.form.die, command.function.die) == (10, 10)


def test_it_uses_the_character_whose_deed_is_worth_most_before_the_first_move() -> None:
    book = playing(S1, S2)
    del book.state.artifacts[THING]
    give_dice(book, smith(book, S1))
    heroine = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.VILLAGE, 1).id, (12, 12, 12))
    assert wish(book, S1) == UseCharacter(character=heroine.id)
    book.when(UseCharacter(character=heroine.id), by=S1)
    assert isinstance(wish(book, S1), AssistVillage)


def test_a_road_that_loses_no_time_is_used_for_a_deed_on_the_way() -> None:
    """From Village 1 the way leads on by a Trail, which this turn cannot take any more."""
    book = playing(S1, S2)
    recruit(book)
    before_the_lair(book, *STRONG)
    place = book.state.places[smith(book, S1).place]
    book.state.set_course(roads=1)
    assert place.kind is PlaceKind.VILLAGE
    assert isinstance(wish(book, S1), AssistVillage)
    book.state.course = replace(book.state.course, roads=0)
    assert isinstance(wish(book, S1), Journey)
