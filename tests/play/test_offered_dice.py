"""What menus say of dice, against the rules: a schema admits the pools that are taken, and no other."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.representations.issuing.legal_schemas import Narrowing
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Fields, Lacking, ListOf, Range
from games.engine.insight.legal_commands import LegalCommand
from games.forgeborn.rules.conflict.offers import at_most, dice_cases, dice_fields
from games.forgeborn.rules.conflict.pool import require_dice
from games.forgeborn.rules.forge.commands import OfferHelp, SpendRoll
from games.forgeborn.rules.setup.commands import DefineSmith
from games.forgeborn.rules.setup.smiths import require_smith_dice
from games.forgeborn.rules.state.dice import fields_of
from games.forgeborn.rules.state.schema_types import Size


def validator(kind: Any, legal: LegalCommand) -> Draft202012Validator:
    return Draft202012Validator(Narrowing().body(kind, legal))


def is_taken(rule: Any, *given: Any) -> bool:
    try:
        rule(*given)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("own", [(4,), (4, 4), (4, 6, 6), (4, 4, 6, 6), (6, 6, 6, 6, 12), (4, 6, 8, 8, 8)])
def test_a_pool_is_admitted_where_the_rules_take_it_and_nowhere_else(own: Sequence[int]) -> None:
    smith: Any = SimpleNamespace(name="Smith", **fields_of(own))
    admitted = validator(OfferHelp, LegalCommand("offer-help", dice_fields(smith), cases=dice_cases(smith)))
    lists = [each for count in range(5) for each in combinations_with_replacement(sorted(set(own)), count)]
    for free, sacrifice in product(lists, lists):
        body = {"free": list(free), "sacrifice": list(sacrifice)}
        assert admitted.is_valid(body) is is_taken(require_dice, smith, free, sacrifice), body


def test_dice_that_are_admitted_for_a_smith_have_faces_enough() -> None:
    dice = ListOf(Choices.of(map(int, Size)), low=1, high=18, unique=False)
    cases = at_most({size: 72 // size for size in Size})
    admitted = validator(DefineSmith, LegalCommand("define-smith", {"name": Range(), "dice": dice}, cases=cases))
    for count, pair in product(range(1, 20), product(map(int, Size), repeat=2)):
        given = [pair[0]] * (count - 1) + [pair[1]]
        if admitted.is_valid({"name": 1, "dice": given}):
            assert is_taken(require_smith_dice, given), given
        else:
            assert count * max(given) > 72, Counter(given)


def test_objects_of_a_list_that_name_each_thing_once() -> None:
    named = Fields({"who": Choices(("ann", "bob")), "how": Range(0, 9)}, ("who",))
    legal = LegalCommand("spend-roll", {"dice": ListOf.naming_once("who", ("ann", "bob"), named)})
    admitted = validator(SpendRoll, legal)
    assert admitted.is_valid({"dice": [{"who": "ann"}, {"who": "bob", "how": 2}]})
    assert not admitted.is_valid({"dice": [{"who": "ann", "how": 1}, {"who": "ann", "how": 2}]})


def test_what_is_not_in_one_list_is_not_in_another() -> None:
    case = Case({"free": Lacking(Choices((6,)))}, {"sacrifice": ListOf.between(0, None, (Choices((6,)), 0))})
    lists = {name: ListOf(Choices((4, 6)), unique=False) for name in ("free", "sacrifice")}
    admitted = validator(OfferHelp, LegalCommand("offer-help", lists, cases=(case,)))
    assert admitted.is_valid({"free": [4], "sacrifice": [4]}) and admitted.is_valid({"free": [6], "sacrifice": [6]})
    assert not admitted.is_valid({"free": [4], "sacrifice": [4, 6]})


def test_a_list_that_needs_more_values_than_a_short_answer_shows_has_them_all() -> None:
    order = ListOf(Choices((4, 6, 8)), low=3, high=3)
    schema = Narrowing(most=1).body(SpendRoll, LegalCommand("spend-roll", {"dice": order}))
    assert Draft202012Validator(schema).is_valid({"dice": [8, 4, 6]})
