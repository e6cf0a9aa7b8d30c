"""What a check is done with: a trait, a weapon, a power, as its player says (DT-CHK-1)."""

import pytest

from games.dietower.rules.checks.commands import RequestCheck
from games.dietower.rules.checks.events import CheckRequested
from games.dietower.rules.state.schema_types import Asked, Means
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import S1, pc, playing


@pytest.mark.rule("DT-CHK-1", "DT-EX-108")
@pytest.mark.parametrize(
    ("trait", "uses", "words"),
    [
        ("quick", Means.NONE, " (quick)"),
        ("quick", Means.TRAIT, " (quick)"),
        ("", Means.TRAIT, " (a trait)"),
        ("", Means.WEAPON, " (with the weapon)"),
        ("quick", Means.POWER, " (quick; with the power)"),
        ("", Means.NONE, ""),
    ],
)
def test_what_a_check_uses_is_said_to_the_world_master_and_logged(trait, uses, words):
    book = playing(S1)
    book.state.set_sheet(pc(book, S1), weapon="a bow", power="frost")
    (event,) = of_kind(book.when(RequestCheck(intent="climb", trait=trait, uses=uses), by=S1), CheckRequested)
    assert event.sentence(book.state) == f"{book.state.actors[pc(book, S1)].name} tries{words}: climb."
    (check,) = book.state.checks.values()
    assert (check.trait, check.uses) == (trait, uses)
    assert f"{words}: climb" in book.state.prompts[book.state.question(Asked.CHECK_SET, check.id)].question


@pytest.mark.rule("DT-CHK-1", "DT-EX-108")
@pytest.mark.parametrize("uses", [Means.WEAPON, Means.POWER])
def test_a_weapon_or_a_power_that_is_not_there_is_refused(uses):
    book = playing(S1)
    book.state.set_sheet(pc(book, S1), weapon="", power="")
    with refused("uses.invalid", book.state) as caught:
        book.when(RequestCheck(intent="climb", uses=uses), by=S1)
    assert caught.value.facts["uses"] == ["trait", "none"]
