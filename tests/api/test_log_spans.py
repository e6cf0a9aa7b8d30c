"""Events and chronicle are read from either end, of one chapter, about one thing; in both APIs alike."""

from typing import Any

import pytest

from api.rest.docs import whole_document
from tests.api.pictures import earth, get, pass_to, refusal
from tests.api.worlds import client

pytestmark = pytest.mark.django_db
LISTS = ("events", "chronicle")
CURSORS = {"events": "results { cursor } start cursor more", "chronicle": "results { cursor text } start cursor more"}


def page(who: Any, played: Any, kind: str, **wanted: Any) -> dict[str, Any]:
    """A page over REST; GraphQL says the same."""
    size = "last" if "last" in wanted or "before" in wanted else "limit"
    query = "&".join(f"{name}={value}" for name, value in ({size: 100} | wanted).items())
    answer = get(who, played, f"{kind}/?{query}").json()
    named = {"first" if name == "limit" else name: value for name, value in ({size: 100} | wanted).items()}
    arguments = ", ".join(f"{k}: {v}" if isinstance(v, int) else f'{k}: "{v}"' for k, v in named.items())
    asked = f'{{ game(id: "{played.game.pk}") {{ {kind}({arguments}) {{ {CURSORS[kind]} }} }} }}'
    other = who.post("/graphql/", {"query": asked}, content_type="application/json").json()
    assert "errors" not in other, other
    same = other["data"]["game"][kind]
    assert [line["cursor"] for line in same["results"]] == [line["cursor"] for line in answer["results"]]
    assert [same[name] for name in ("start", "cursor", "more")] == [answer[n] for n in ("start", "cursor", "more")]
    return answer


def identity(line: dict[str, Any]) -> tuple[Any, ...]:
    return line["type"], line["at"], line["text"], line.get("event")


def backwards(who: Any, played: Any, kind: str, size: int, **wanted: Any) -> list[tuple[Any, ...]]:
    """Everything, read from the end."""
    found: list[tuple[Any, ...]] = []
    answer = page(who, played, kind, last=size, **wanted)
    while True:
        found = [identity(line) for line in answer["results"]] + found
        if not answer["more"]:
            return found
        answer = page(who, played, kind, last=size, before=answer["start"], **wanted)


def forwards(who: Any, played: Any, kind: str, **wanted: Any) -> list[tuple[Any, ...]]:
    """Everything, read from the beginning."""
    answer = page(who, played, kind, **wanted)
    found = [identity(line) for line in answer["results"]]
    while answer["more"]:
        answer = page(who, played, kind, after=answer["cursor"], **wanted)
        found += [identity(line) for line in answer["results"]]
    return found


def test_from_the_end_one_reads_what_one_reads_from_the_beginning():
    played = earth()
    pass_to(played, 3)
    race = next(iter(played.cast.races.values()))
    for kind in LISTS:
        for wanted in ({}, {"chapter": 1}, {"chapter": 0}, {"about": str(race)}, {"chapter": 1, "about": str(race)}):
            for who in (played.ana, client()):
                whole = forwards(who, played, kind, **wanted)
                assert whole and backwards(who, played, kind, 17, **wanted) == whole, (kind, wanted)


def test_the_last_lines_are_the_last_and_lead_on_to_what_happens_next():
    played = earth()
    pass_to(played, 2)
    for kind in LISTS:
        whole = forwards(played.ana, played, kind)
        last = page(played.ana, played, kind, last=3)
        told = [identity(line) for line in last["results"]]
        assert told == whole[-len(told) :] and (len(told) == 3 or kind == "chronicle")  # of which several make one
        assert last["more"] is True
        assert page(played.ana, played, kind, after=last["cursor"])["results"] == []
    cursor = page(played.ana, played, "chronicle", last=1)["cursor"]
    pass_to(played, 3)
    assert page(played.ana, played, "chronicle", after=cursor)["results"]
    behind = page(played.ana, played, "chronicle", before=cursor, last=9)["results"]
    assert behind[-1]["at"] <= page(played.ana, played, "chronicle", last=1)["results"][0]["at"]


def test_text_says_where_the_page_before_it_ends():
    played = earth()
    pass_to(played, 2)
    last = page(client(), played, "chronicle", last=2)
    text = get(client(), played, "chronicle/?format=text&last=2")
    assert (text["X-Start"], text["X-Cursor"], text["X-More"]) == (last["start"], last["cursor"], "1")
    assert len(text.content.splitlines()) == 2


def test_both_ends_at_once_and_chapters_to_come_are_refused():
    played = earth()
    for kind in LISTS:
        refusal(client(), played, f"{kind}/?after=&last=3", 422, "query.invalid")
        refusal(client(), played, f"{kind}/?before=&limit=3", 422, "query.invalid")
        refusal(client(), played, f"{kind}/?chapter=9&last=3", 409, "chapter.ahead")
        refusal(client(), played, f"{kind}/?last=0", 422, "page.size")


@pytest.mark.parametrize("kind", LISTS)
def test_what_a_document_says_is_the_default_may_be_sent_beside_anything_else(kind):
    """Generated clients send every default that they know, whatever else they ask."""
    played = earth()
    operation = whole_document()["paths"][f"/api/v1/games/{{game_id}}/{kind}/"]["get"]
    named = [
        whole_document()["components"]["parameters"][found["$ref"].rsplit("/", 1)[1]] if "$ref" in found else found
        for found in operation["parameters"]
    ]
    assert {"limit", "last", "before", "after"} <= {found["name"] for found in named}
    defaults = {found["name"]: found["schema"]["default"] for found in named if "default" in found["schema"]}
    plain = get(client(), played, f"{kind}/?last=2").json()
    query = "&".join(f"{name}={value}" for name, value in ({"last": 2} | defaults).items())
    assert get(client(), played, f"{kind}/?{query}").json()["results"] == plain["results"] != []
