"""What tools from outside have found in our APIs once, each in its smallest form."""

import pytest

from tests.api.worlds import NOWHERE, client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors"), pytest.mark.once]
LEGAL = """query($g: UUID!) { game(id: $g) { legalCommands(command: "add-stones") { results {
  command legal barred { code title detail status rules facts errors { pointer } } } } } }"""


def code_of(answer) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_graphql_says_why_a_command_is_barred():
    lobby = toy_game(start=False)
    ann = client(lobby.ann)
    body = {"query": LEGAL, "variables": {"g": str(lobby.game.pk)}}
    answer = ann.post("/graphql/", body, content_type="application/json").json()
    assert "errors" not in answer
    (candidate,) = answer["data"]["game"]["legalCommands"]["results"]
    (row,) = ann.get(lobby.path("legal-commands/?command=add-stones")).json()["results"]
    assert candidate["legal"] is False
    assert {name: candidate["barred"][name] for name in row["barred"]} == row["barred"]
    assert (candidate["barred"]["code"], candidate["barred"]["status"]) == ("phase.closed", 409)


@pytest.mark.parametrize("method", ["trace", "put", "delete", "patch"])
def test_a_method_that_is_not_served_is_refused_before_anything_else_is_checked(method):
    toy = toy_game()
    for path in (toy.path("state/?nonsense=1"), "/api/v1/rulesets/toy/rules/?nonsense=1", "/api/v1/invitations/"):
        assert code_of(getattr(client(toy.ann), method)(path)) == (405, "method.unknown"), path


def test_a_filter_by_a_key_that_is_a_foreign_key_wants_an_id():
    toy = toy_game()
    path = f"/api/v1/gods2/knowledges/?game={toy.game.pk}&race=nobody"
    assert code_of(client(toy.ann).get(path)) == (422, "query.invalid")


@pytest.mark.parametrize(
    "query",
    ["games/?mine=TRUE", "games/?ruleset=to%00y", f"games/?ruleset={'a' * 1001}", "tokens/?nonsense=1",
     "worlds/races/?world=",     f"worlds/squares/?world={NOWHERE}&x=-1", "worlds/?is_public=2"],
)  # fmt: skip
def test_a_parameter_that_the_document_does_not_allow_is_refused(query):
    status, code = code_of(client(toy_game().ann).get(f"/api/v1/{query}"))
    assert (status, code) == (422, "query.invalid")


def test_a_boolean_parameter_accepts_each_of_its_four_values():
    ann = client(toy_game().ann)
    found = {
        word: len(ann.get(f"/api/v1/games/?mine={word}").json()["results"]) for word in ("1", "true", "0", "false")
    }
    assert found == {"1": 1, "true": 1, "0": 1, "false": 1}
    eve = client(toy_game().eve)
    assert [len(eve.get(f"/api/v1/games/?mine={word}").json()["results"]) for word in ("1", "true")] == [0, 0]
    assert [len(eve.get(f"/api/v1/games/?mine={word}").json()["results"]) for word in ("0", "false")] == [2, 2]


def test_a_condition_has_its_length():
    toy = toy_game()
    answer = client(toy.ann).get(toy.path("state/"), headers={"If-None-Match": '"' + "a" * 1000})
    assert code_of(answer) == (400, "request.unfit")
