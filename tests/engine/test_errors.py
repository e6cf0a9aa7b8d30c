"""Refusals say no with a code for programs, a sentence for people, rules and numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import DieOwed, Refused


@pytest.mark.rule("CF-13")
def test_a_refusal_has_code_message_rules_and_facts():
    refusal = Refused("points.short", "The race costs 5 points; Ann has 3.", rules=("G2-X-1", "G2-X-2"), need=5, have=3)
    assert (refusal.code, refusal.message) == ("points.short", "The race costs 5 points; Ann has 3.")
    assert (refusal.rules, refusal.facts) == (("G2-X-1", "G2-X-2"), {"need": 5, "have": 3})
    assert str(refusal) == "points.short: The race costs 5 points; Ann has 3."


def test_a_refusal_needs_neither_rules_nor_facts():
    refusal = Refused("phase.closed", "The referees calculate.")
    assert (refusal.rules, refusal.facts) == ((), {})


@pytest.mark.rule("CF-13")
@pytest.mark.parametrize(
    "code",
    [
        "",
        "points",
        "points.",
        ".short",
        "Points.short",
        "points.short.very",
        "points short",
        "points.2",
        "points.short\n",
    ],
)
def test_a_code_is_noun_and_reason(code):
    with pytest.raises(ValueError):
        Refused(code, "No.")


WORD = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)


@given(WORD, WORD)
def test_any_noun_and_reason_in_small_letters_will_do(noun, reason):
    assert Refused(f"{noun}.{reason}", "No.").code == f"{noun}.{reason}"


@pytest.mark.rule("CF-2")
def test_an_owed_die_says_which_one_and_is_no_refusal():
    owed = DieOwed("0/war:x/attacker", 2, 6, "G2-DIP-4")
    assert (owed.label, owed.index, owed.sides, owed.rule) == ("0/war:x/attacker", 2, 6, "G2-DIP-4")
    assert str(owed) == "d6 for 0/war:x/attacker"
    assert (owed.count, owed.roller) == (1, None)
    assert str(DieOwed("0/war:x/attacker", 0, 6, "", count=3)) == "3d6 for 0/war:x/attacker"
    assert not isinstance(owed, Refused)
