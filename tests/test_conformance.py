"""What `make conformance` compares the API's documents with."""

import pytest

from tools.conformance import judge

DOCUMENTS = [*judge.PARTS, judge.SDL]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_documents_are_compared_with_those_of_the_last_release(document, tmp_path, monkeypatch):
    released = judge.RELEASED / document.relative_to(judge.ROOT / "api")
    assert judge.former_text(document, "") == released.read_text()

    monkeypatch.setattr(judge, "RELEASED", tmp_path)
    assert judge.former_text(document, "") is None, "a ruleset that was not released yet breaks nothing"


@pytest.mark.parametrize("planted", judge.PLANTED, ids=lambda planted: planted[2].split()[0])
def test_a_break_is_planted_where_the_document_is_as_it_is_made(planted):
    _, document, old, new = planted
    assert old in document.read_text() and new not in document.read_text()


def test_documents_are_compared_with_those_of_a_revision_where_one_is_named():
    assert "openapi: 3.1" in (judge.former_text(judge.OPENAPI, "HEAD") or "")
    assert judge.former_text(judge.ROOT / "api" / "openapi" / "chess.yaml", "HEAD") is None
    with pytest.raises(judge.Fault):
        judge.former_text(judge.OPENAPI, "no-such-revision")
