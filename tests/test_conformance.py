"""What `make conformance` compares the API's documents with."""

import json
import subprocess
from contextlib import ExitStack

import pytest

from tools.conformance import generators, judge

TALLY = "api/openapi/tally.yaml"


def git(folder, *arguments):
    """Run git in a folder, as somebody, whatever the machine's own settings are."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Three revisions: `before` has no documents, `v1` has one of each kind, `main` has a ruleset more."""
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "commit", "--quiet", "--allow-empty", "--message=Begin.")
    git(root, "tag", "before")
    (root / "api" / "openapi").mkdir(parents=True)
    (root / "api" / "views.py").write_text("code is no document")
    (root / TALLY).write_text("openapi: 3.1.0\n")
    (root / "api" / "schema.graphql").write_text("type Query { then: Int }\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=Release.")
    git(root, "tag", "--annotate", "--message=Release.", "v1")
    (root / "api" / "openapi" / "chess.yaml").write_text("openapi: 3.1.0\n")
    (root / TALLY).write_text("openapi: 3.1.0 # today\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=Go on.")
    return root


@pytest.mark.parametrize("planted", judge.PLANTED, ids=lambda planted: planted[2].split()[0])
def test_a_break_is_planted_where_the_document_is_as_it_is_made(planted):
    _, document, old, new = planted
    assert old in document.read_text() and new not in document.read_text()


def test_the_documents_of_a_revision_are_those_that_were_committed_then(repository):
    (repository / TALLY).write_text("not committed yet")
    assert judge.former_documents("v1", repository) == {
        TALLY: "openapi: 3.1.0",
        "api/schema.graphql": "type Query { then: Int }",
    }
    assert judge.former_documents("main", repository)[TALLY] == "openapi: 3.1.0 # today"


@pytest.mark.parametrize(
    ("since", "reason"),
    [
        ("before", "revision 'before' has no documents"),
        ("v2", "no revision 'v2' here"),
        ("--all", "no revision '--all' here"),
        (f"v1:{TALLY}", "no revision"),
    ],
)
def test_a_revision_without_documents_is_refused(repository, since, reason):
    with pytest.raises(judge.Fault, match=reason):
        judge.former_documents(since, repository)


class Differ:
    """Stands for the tools of JavaScript: each pair of documents that it was given; a planted break is noticed."""

    def __init__(self):
        self.compared = {}

    def __call__(self, *command, cwd=None):
        _, script, kind, old, new = command
        assert script == "changes.mjs"
        if new.name.startswith("planted-"):
            raise judge.Fault("breaking: a planted break")
        self.compared[new.name] = (kind, old.read_text(), new.read_text())
        return "1 changes, 0 of them breaking"


@pytest.fixture
def changes(tmp_path, monkeypatch):
    """The judge `changes` against given former documents: what it says, and what the differ has compared."""

    def ask(since, former):
        differ = Differ()
        monkeypatch.setattr(judge, "run", differ)
        monkeypatch.setattr(judge, "former_documents", {since: former}.__getitem__)
        with ExitStack() as stack:
            return judge.changes(judge.Bench(tmp_path, stack, 1, since)), differ.compared

    return ask


def test_each_document_is_compared_with_its_former_text_and_a_new_one_breaks_nobody(changes):
    path = str(judge.OPENAPI.relative_to(judge.ROOT))
    message, compared = changes("v1", {path: "openapi: then", "api/schema.graphql": "type Query"})
    assert compared == {
        "gods2.yaml": ("openapi", "openapi: then", judge.OPENAPI.read_text()),
        "schema.graphql": ("graphql", "type Query", judge.SDL.read_text()),
    }
    assert "against v1: " in message and "gods2: 1 changes, 0 of them breaking" in message
    assert message.count(": new") == len(judge.PARTS) - 1


def test_a_document_that_is_gone_is_a_break(changes):
    with pytest.raises(judge.Fault, match=f"breaking: {TALLY} of v1 is no longer there"):
        changes("v1", {TALLY: "openapi: 3.1.0", "api/schema.graphql": "type Query"})


def test_a_run_without_a_revision_says_that_nothing_was_compared(changes):
    message, compared = changes("", {})
    assert compared == {} and "compared with no revision" in message


def test_what_a_generator_leaves_out_is_named_however_it_spells_the_rest():
    made = "export type DietowerHold = {}\nexport const openGame = 1\nclass War_List: ...\n"
    wanted = frozenset({"DietowerHold", "open_game", "warList", "DietowerHoldList", "state"})
    assert generators.lacking(wanted, made) == ["DietowerHoldList", "state"]


def test_a_generator_that_fails_or_drops_is_a_fault_of_its_document(tmp_path):
    tiny = {"paths": {"/seats/": {"get": {"operationId": "seats_list", "responses": {"200": {}}}}}}
    tiny["components"] = {"schemas": {"Seat": {}, "Army": {}}}
    (core := tmp_path / "core.yaml").write_text(json.dumps(tiny))
    said = []

    def run(*command, cwd=None):
        said.append(command[0])
        if command[0] == "orval":
            raise judge.Fault("no such schema")
        if command[0] == "openapi-python-client":
            return "WARNING parsing GET /api/v1/games/{game_id}/map.svg within log.\nUnable to process schema Seat:"
        if command[0] == "datamodel-codegen":
            command[command.index("--output") + 1].write_text("class Seat: ...")
        return ""

    found = list(generators.faults(run, [core], tmp_path, tmp_path))
    assert any(text == "orval of core.yaml: no such schema" for text in found)
    assert any(text.startswith("openapi-python-client of core.yaml: warns of process schema Seat") for text in found)
    assert any("datamodel-code-generator of core.yaml: leaves out Army" in text for text in found), found
    assert said[-1] == "tsc"
