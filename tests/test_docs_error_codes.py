"""docs/error-codes.md holds what the source says, and the tool that writes it reads the source rightly."""

from pathlib import Path

from tools.error_codes import PAGE, page, refusals

SOURCE = """
def check(state):
    raise Refused("war.held", f"{name} is held; wait {seconds} s.", rules=("G2-WAR-1", RULE), seconds=600)
    raise Refused("a.b" if state else "c.d", words, rules=rules)
"""


def test_the_page_is_what_the_source_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tools/error_codes.py writes it anew"


def test_each_refusal_is_read_with_its_facts_rules_and_sentence(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(SOURCE)
    codes = refusals(tmp_path)
    assert list(codes) == ["a.b", "c.d", "war.held"]
    held = codes["war.held"]
    assert (list(held.rules), list(held.facts)) == (["G2-WAR-1"], ["seconds"])
    assert list(held.messages) == ["... is held; wait ... s."]
    assert not codes["a.b"].rules and not codes["a.b"].messages
