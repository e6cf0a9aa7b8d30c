"""Creation, clause by clause: one die for one price, tokens of their kind, who helps and what it costs (FB-ART)."""

from datetime import timedelta

import pytest

from games.forgeborn.rules.conflict.events import PoolRolled
from games.forgeborn.rules.conflict.purchase_events import PointsDue
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.events import ArtifactMade
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.gains.events import DiceLost, GloryGained, TokenSpent
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, Form, Function, PlaceKind
from games.forgeborn.rules.turns.commands import EndTurn
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.forgeborn.table import REFEREE, S1, S2, S3, dice, give_dice, move, playing, smith

ALIKE = (
    (Form.CLOTHING, Function.KNOWLEDGE, 4), (Form.JEWELRY, Function.PERSUASION, 6), (Form.BLUNT, Function.FORTUNE, 8),
    (Form.RANGED, Function.CHANGE, 10), (Form.BLADED, Function.COMBAT, 12),
)  # fmt: skip
"""Forms and functions that dice of one size pay for."""


def alone(*own, **purse) -> Playbook:
    """The first seat's turn, its Smith alone at the Citadel with these dice and tokens."""
    book = playing(S1, S2)
    move(book, smith(book, S2), PlaceKind.VILLAGE, 1)
    give_dice(book, smith(book, S1), *own)
    book.state.set_purse(S1, **purse)
    return book


def begin(form=Form.BLUNT, function=Function.KNOWLEDGE, form_die=8, function_die=4, **more) -> BeginArtifact:
    """The beginning of an artifact; None as a die is a token."""
    paid = FormChoice(kind=form, die=form_die), FunctionChoice(kind=function, die=function_die)
    return BeginArtifact(name="Thunder", form=paid[0], function=paid[1], **more)


@pytest.mark.rule("FB-ART-2", "FB-ART-3", "FB-ART-8")
@pytest.mark.parametrize(("form", "function", "size"), ALIKE)
def test_one_die_pays_for_form_or_for_function_and_never_for_both(form, function, size):
    other = 4 if size != 4 else 6
    command = begin(form, function, size, size)
    book = alone(size, other, other)
    with refused("die.missing", book.state):
        book.when(command, by=S1)
    book = alone(size, size, other)
    happened = book.when(command, by=S1)
    assert [(e.dice, e.cause) for e in of_kind(happened, DiceLost)] == [((size,), "form"), ((size,), "function")]
    assert dice(book, smith(book, S1).id) == [other]


@pytest.mark.rule("FB-ART-2", "FB-ART-3")
@pytest.mark.parametrize(
    ("_case", "purse", "form_die", "function_die", "may"),
    [
        ("a Resource for the form", {"resource": 1}, None, 4, True),
        ("a Secret for the form", {"secret": 1}, None, 4, False),
        ("a Secret for the function", {"secret": 1}, 8, None, True),
        ("a Resource for the function", {"resource": 1}, 8, None, False),
        ("one of each for both", {"resource": 1, "secret": 1}, None, None, True),
        ("two of one kind for both", {"resource": 2}, None, None, False),
    ],
)
def test_a_token_pays_for_what_its_kind_pays_for(_case, purse, form_die, function_die, may):
    book = alone(8, 4, 12, **purse)
    command = begin(form_die=form_die, function_die=function_die)
    if not may:
        with refused("token.short", book.state):
            book.when(command, by=S1)
        return
    spent = of_kind(book.when(command, by=S1), TokenSpent)
    assert [e.balance for e in spent] == [0] * len(purse)
    assert (book.state.purses[S1].resource, book.state.purses[S1].secret) == (0, 0)


@pytest.mark.rule("FB-ART-8", "FB-CON-6")
@pytest.mark.parametrize(
    ("own", "form_die", "function_die", "may"),
    [
        ((8, 4), 8, 4, False),
        ((8, 4, 4), 8, 4, True),
        ((8,), 8, None, False),
        ((8, 12), 8, None, True),
        ((), None, None, False),
        ((4,), None, None, True),
    ],
)
def test_one_own_die_remains_or_nothing_is_paid(own, form_die, function_die, may):
    book = alone(*own, resource=1, secret=1)
    command = begin(form_die=form_die, function_die=function_die)
    if may:
        book.when(command, by=S1)
        assert len(dice(book, smith(book, S1).id)) >= 1
    else:
        with refused("dice.none", book.state):
            book.when(command, by=S1)


@pytest.mark.rule("FB-ART-4", "FB-ART-8", "FB-AMB-34", "FB-ART-7")
def test_an_offer_that_is_not_accepted_rolls_nothing_gains_nothing_and_loses_nothing():
    book = playing(S1, S2, S3)
    for seat in (S2, S3):
        give_dice(book, smith(book, seat), 6, 6, 6, 10)
    book.when(begin(), by=S1)
    for seat in (S2, S3):
        book.when(OfferHelp(free=(6, 6, 6), sacrifice=(10,)), by=seat)
    happened = book.when(
        ForgeArtifact(free=(12,), helpers=(S3,)), by=S1,
        dice=[d(12, str(S1), 4), d(6, str(S3), 1, 1, 1), d(10, str(S3), 2)],
    )  # fmt: skip
    assert [h.seat for h in of_kind(happened, PoolRolled)[0].helpers] == [S3]
    after = book.when(SpendRoll(dice=(8,)), by=S1)
    assert [(e.seat, e.amount) for e in of_kind(after, GloryGained)] == [(S1, 1), (S3, 1)]
    assert dice(book, smith(book, S2).id) == [6, 6, 6, 10] and dice(book, smith(book, S3).id) == [6, 6, 6]
    assert violations(book.state) == []


@pytest.mark.rule("FB-ART-8", "FB-AMB-34")
def test_an_offer_is_changed_until_all_have_answered_and_the_last_word_counts():
    book = playing(S1, S2, S3)
    book.when(begin(), by=S1)
    for command in (OfferHelp(free=(12,)), DeclineHelp(), OfferHelp(free=(8, 8))):
        book.when(command, by=S2)
    with refused("prompt.not_yours", book.state):
        book.when(OfferHelp(free=(12,)), by=S1)
    with refused("prompt.closed", book.state):
        book.when(ForgeArtifact(free=(12,), helpers=(S2,)), by=S1)
    book.when(DeclineHelp(), by=S3)
    for command in (OfferHelp(free=(12,)), DeclineHelp()):
        with refused("prompt.closed", book.state):
            book.when(command, by=S2)
    with refused("prompt.not_yours", book.state):
        book.when(ForgeArtifact(free=(12,)), by=S2)
    happened = book.when(ForgeArtifact(free=(12,), helpers=(S2,)), by=S1, dice=[d(12, str(S1), 4), d(8, str(S2), 3, 3)])
    assert of_kind(happened, PointsDue)[0].total == 10


@pytest.mark.rule("FB-ART-4", "FB-CON-1", "FB-CON-9")
@pytest.mark.parametrize(
    ("free", "sacrifice", "code"),
    [
        ((), (), "dice.none"), ((6, 6), (10,), "pool.size"), ((6, 6, 6, 6), (), "pool.size"),
        ((6, 6, 6), (6, 6), "die.missing"), ((8,), (), "die.missing"), ((6, 6, 6), (6, 10), None), ((10,), (), None),
    ],
)  # fmt: skip
def test_a_helpers_dice_are_chosen_as_in_any_pool(free, sacrifice, code):
    book = playing(S1, S2)
    give_dice(book, smith(book, S2), 6, 6, 6, 6, 10)
    book.when(begin(), by=S1)
    command = OfferHelp(free=free, sacrifice=sacrifice)
    if code is None:
        book.when(command, by=S2)
        assert book.state.question(Asked.FORGE) is not None
    else:
        with refused(code, book.state):
            book.when(command, by=S2)


@pytest.mark.rule("FB-ART-5", "FB-ART-7")
@pytest.mark.parametrize(
    ("bought", "wasted"), [((12,), 17), ((12, 12), 4), ((4, 4, 4, 4, 4, 4), 0), ((10, 10), 8), ((8, 8, 4, 4), 2)]
)
def test_power_and_glory_are_the_number_of_dice_bought(bought, wasted):
    book = alone(8, 4, 12, 12, 12)
    book.when(begin(), by=S1)
    book.when(ForgeArtifact(free=(12, 12, 12)), by=S1, dice=[d(12, str(S1), 10, 10, 10)])
    happened = book.when(SpendRoll(dice=bought), by=S1)
    (made,) = of_kind(happened, ArtifactMade)
    assert (made.power, made.wasted, book.state.purses[S1].vp) == (len(bought), wasted, len(bought))
    assert book.state.is_in_vault(book.state.artifacts[made.artifact])


@pytest.mark.rule("FB-ART-5")
def test_a_sum_is_spent_by_its_maker_who_buys_something_for_no_more_than_it():
    book = alone(8, 4, 12)
    book.when(begin(), by=S1)
    book.when(ForgeArtifact(free=(12,)), by=S1, dice=[d(12, str(S1), 8)])
    with refused("prompt.not_yours", book.state):
        book.when(SpendRoll(dice=(6,)), by=S2)
    for bought, code in (((), "purchase.empty"), ((8,), "points.short"), ((4, 4), "points.short")):
        with refused(code, book.state):
            book.when(SpendRoll(dice=bought), by=S1)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=S1)
    book.when(SpendRoll(dice=(6,)), by=S1)
    assert book.state.course.active == S2


@pytest.mark.rule("FB-ART-8", "FB-CON-7", "FB-AMB-54")
def test_a_creation_is_described_by_nobody_and_ruled_on_by_nobody():
    book = playing(S1, S2, options=REFEREE)
    move(book, smith(book, S2), PlaceKind.VILLAGE, 1)
    give_dice(book, smith(book, S1), 8, 4, 12)
    book.when(begin(), by=S1)
    assert book.state.question(Asked.DESCRIBE) is None and book.state.question(Asked.FORGE) is not None
    assert of_kind(book.wait(timedelta(minutes=2)), PoolRolled)
