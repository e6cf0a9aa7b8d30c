"""Every rule of a rulebook is checked by a test or listed as not built yet; no test names a rule that is none."""

import re

from tools.pending_rules import ROOT, clauses_of, ids_of, pending_ids, rulebooks, thin_rules

THIN: dict[str, int] = {}
"""How many rules of a rulebook may have more clauses than tests (`tools/pending_rules.py --clauses GAME`)."""
ENGINE = re.compile(r"^(CF-([1-9]|1[0-4])|TOY-[A-Z]+-\d+)$")


def test_every_rule_is_named_by_a_test_or_listed_as_pending(rules_named):
    missing = {
        g: [r for r in ids if r not in rules_named and r not in pending_ids(g)] for g, ids in rulebooks().items()
    }
    assert missing == {game: [] for game in missing}, (
        "mark a test with @pytest.mark.rule, or run tools/pending_rules.py"
    )


def test_what_is_listed_as_pending_is_not_named_by_a_test_and_is_a_rule(rules_named):
    for game, ids in rulebooks().items():
        pending = pending_ids(game)
        assert {r: rules_named[r] for r in pending if r in rules_named} == {}, "run tools/pending_rules.py"
        assert [r for r in pending if r not in ids] == []
        assert len(set(pending)) == len(pending)


def test_every_rule_that_a_test_names_is_in_a_rulebook_or_the_engines(rules_named):
    known = {rule for ids in rulebooks().values() for rule in ids}
    unknown = {r: where for r, where in rules_named.items() if r not in known and not ENGINE.match(r)}
    assert unknown == {}


def test_the_contracts_of_the_engine_are_named_by_tests(rules_named):
    """CF-12 (one offer a pair) is left to the rulesets that have offers between two."""
    assert [n for n in range(1, 15) if f"CF-{n}" not in rules_named and n not in (4, 12)] == []


def test_a_rule_is_a_bold_id_or_the_first_cell_of_a_table():
    text = (
        "- **G2-WAR-3** (A) x\n| AMB-4 | y |\n| W12 | z |\n| **W13** | z |\nsee G2-POP-1\n| x | AMB-9 |\n**G2-WAR-3**"
    )
    assert ids_of("gods2", text) == ["G2-WAR-3", "G2-AMB-4", "G2-W12", "G2-W13"]


def test_no_rule_more_than_today_has_more_clauses_than_tests(rules_named):
    books = {game: (ROOT / "games" / game / "rulebook.md").read_text(encoding="utf-8") for game in rulebooks()}
    thin = {game: thin_rules(game, text, rules_named) for game, text in books.items()}
    more = {game: found for game, found in thin.items() if len(found) > THIN.get(game, 0)}
    assert more == {}, "write a test for the clause that was added"


def test_clauses_are_sentences_and_what_a_semicolon_parts():
    text = (
        "- **G2-WAR-3** (A) One clause is this. Another is that; and so is this one. G2-AMB-4 (not this; nor that)\n"
        "| AMB-4 | what is asked here | one; two | this is decided; and that is not |\n- **G2-WAR-4** (A) Nothing.\n"
        "| W12 | a race of ten units | it has nine; then eight of them |"
    )
    assert clauses_of("gods2", text) == {"G2-WAR-3": 3, "G2-AMB-4": 2, "G2-WAR-4": 1, "G2-W12": 1}
    assert thin_rules("gods2", text, {"G2-WAR-3": ["a", "b"], "G2-AMB-4": ["a", "b"]}) == {
        "G2-WAR-3": (3, 2),
        "G2-WAR-4": (1, 0),
        "G2-W12": (1, 0),
    }
