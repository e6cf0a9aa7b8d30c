"""The rows of the Die Tower through both APIs: the same to the same visibility, the same filters, the same secrets."""

from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from api.graphql.commands import camel
from api.representations.resources.resource import Resource
from games.dietower import api
from games.models import Game
from tests.api.dietower import MYSTERY, Evening, eventful
from tests.api.graph import rows_of_graph
from tests.api.worlds import client
from worlds.models import Person

pytestmark = pytest.mark.django_db
SECRET = {"briefs", "vitalities", "aims"}
"""What the world master alone reads."""
EVERYBODY = ("gm", "ann", "bob", None)


@pytest.fixture
def here() -> Evening:
    """A game with a row of every kind."""
    return eventful(now=timezone.now())


def of(name: str) -> Resource:
    """A resource by its name."""
    return next(r for r in api.RESOURCES if r.name == name)


def rows_of(here: Evening, name: str, who: str | None, /, **wanted: Any) -> list[dict[str, Any]]:
    """The rows of one game through both APIs, which must show the same."""
    viewer, gm = here.client(who), who == "gm"
    query = {"game": str(here.id), "limit": "100", **wanted, **({"as": "gm"} if gm else {})}
    texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in query.items()}
    answer = viewer.get(f"/api/v1/dietower/{name}/", texts)
    assert answer.status_code == 200, answer.content
    rest: list[dict[str, Any]] = answer.json()["results"]
    if not wanted:
        shown = rows_of_graph(viewer, "dietower", here.id, of(name), as_gm=gm)
        assert [{camel(key): value for key, value in row.items()} for row in rest] == shown, name
    return rest


def test_both_apis_show_the_same_rows_to_the_same_visibility(here: Evening) -> None:
    counts = {}
    for resource in api.RESOURCES:
        counts[resource.name] = [len(rows_of(here, resource.name, who)) for who in EVERYBODY]
    assert {name for name, found in counts.items() if not found[0]} == set()
    assert {name for name, found in counts.items() if not found[1]} == SECRET
    assert all(counts[name][1:] == [0, 0, 0] for name in SECRET)
    same = {name for name, found in counts.items() if len(set(found)) == 1}
    assert set(counts) - same == SECRET | {"actors", "mysteries", "wishes", "holds"}
    assert counts["actors"] == [5, 4, 4, 4]
    assert counts["mysteries"] == [2, 2, 1, 1]
    assert counts["wishes"] == [2, 2, 1, 1]
    assert counts["holds"] == [2, 1, 1, 1]


@pytest.mark.rule("DT-CHR-5", "DT-CHR-8", "DT-CMB-4", "DT-CMB-8", "DT-AMB-39", "DT-AMB-48")
def test_what_is_secret_stands_in_rows_of_its_own_seat_and_the_world_masters(here: Evening) -> None:
    ann, bob = str(here.pc("ann")), str(here.pc("bob"))
    assert [row["name"] for row in rows_of(here, "actors", "gm") if not row["shown"]] == ["Shade"]
    assert [row["actor"] for row in rows_of(here, "mysteries", "bob")] == [bob]
    assert {row["actor"]: row["text"] for row in rows_of(here, "mysteries", "ann")} == {ann: MYSTERY, bob: MYSTERY}
    assert [row["asked"] for row in rows_of(here, "wishes", None)] == ["an old friend"]
    assert {row["asked"]: row["status"] for row in rows_of(here, "wishes", "ann")} == {
        "an old friend": "accepted", "a hidden door": "pending",
    }  # fmt: skip
    assert [row["trigger"] for row in rows_of(here, "holds", "ann")] == ["when the door opens"]
    assert [row["weakness"] for row in rows_of(here, "briefs", "gm")].count("cold iron") == 1
    assert [row["health"] for row in rows_of(here, "vitalities", "gm")] == [3]
    assert [row["text"] for row in rows_of(here, "revelations", None)] == ["owes money"]
    for who in ("bob", None):
        for part in ("state/", "events/?limit=500", "prompts/?all=1", "legal-commands/", "chronicle/"):
            text = here.client(who).get(here.url(part)).content.decode()
            for secret in ("Shade", "never seen", "cold iron", "a hidden door", "when they run", "StoryWishWithdrawn"):
                assert secret not in text, (who, part, secret)


def test_everybody_who_was_shown_is_a_person_of_the_world(here: Evening) -> None:
    people = Person.objects.filter(world=here.game.world)
    assert set(people.values_list("name", flat=True)) == {"Brave ann", "Brave bob", "Odo", "Gnaw"}
    assert {row["person"] for row in rows_of(here, "actors", None)} == {str(person.pk) for person in people}
    assert "cold iron" not in str(list(people.values()))


def test_rows_are_filtered_alike_for_everybody(here: Evening) -> None:
    ann, bob, gnaw, odo = (str(here.named(name)) for name in ("Brave ann", "Brave bob", "Gnaw", "Odo"))
    anns, attack = str(here.seats["ann"]), str(next(iter(here.state.attacks)))

    def ids(name: str, field: str, who: str | None = "bob", /, **wanted: Any) -> list[Any]:
        return [row[field] for row in rows_of(here, name, who, **wanted)]

    assert ids("courses", "step", step="turn", session=1) == ["turn"]
    assert ids("sessions", "mode", number=1, mode="physical", closed=False) == ["physical"]
    assert ids("sessions", "mode", closed=True) == []
    assert ids("actors", "id", seat_of=anns) == ids("actors", "id", name="Brave ann") == [ann]
    assert sorted(ids("actors", "id", kind="pc")) == sorted(ids("actors", "id", name_contains="brave")) == sorted(
        [ann, bob]
    )  # fmt: skip
    assert ids("actors", "id", kind="monster", condition="active") == [gnaw]
    assert ids("actors", "name", "gm", shown=False) == ["Shade"]
    assert ids("actors", "name", shown=False) == ids("actors", "name", name="Shade") == []
    assert ids("sheets", "actor", seat_of=anns) == ids("sheets", "actor", level_min=3) == [ann]
    assert ids("sheets", "actor", wishes_min=3) == [ann]
    assert ids("mysteries", "actor", hidden=True) == [] and ids("mysteries", "actor", "ann", hidden=True) == [ann]
    assert ids("mysteries", "actor", seat_of=anns) == []
    assert ids("briefs", "actor", "gm", kind="monster") == [gnaw] and ids("briefs", "actor", kind="monster") == []
    assert ids("vitalities", "actor", "gm", health_min=3, health_max=3) == [gnaw]
    assert ids("vitalities", "actor", health_min=0) == []
    assert ids("revelations", "actor", field="notes") == ids("revelations", "actor", actor=odo) == [odo]
    assert ids("random-charts", "field", field="weapon") == ["weapon"]
    assert set(ids("checks", "actor", status="done", success=False, cd_min=40, cd_max=40)) == {odo}
    assert ids("checks", "actor", actor=ann) == [] and ids("checks", "actor", by=anns) == []
    assert sorted(ids("rolls", "actor", attack=attack)) == sorted([ann, gnaw])
    assert ids("rolls", "actor", closed=False, actor=ann) == [ann]
    assert set(ids("rolls", "actor", closed=True, total_min=1)) == {odo}
    check = rows_of(here, "checks", "bob")[0]["id"]
    assert len(ids("rolls", "id", of_check=check)) == 1
    assert ids("towers", "mode", mode="physical", height_min=1) == ["physical"]
    dice = rows_of(here, "tower-dice", None)
    assert len(dice) > 0 and ids("tower-dice", "level", placement=dice[0]["placement"]) == [1]
    assert len(ids("tower-dice", "level", actor=odo)) == len(dice)
    assert len(ids("placements", "id", status="fell")) == 1
    assert len(ids("placements", "id", status="stood", height_min=13)) == 1
    assert len(ids("placements", "id", reason="failure", actor=odo)) > 5
    placement = rows_of(here, "placements", None)[0]
    assert placement["id"] in ids("placements", "id", roll=placement["roll"])
    assert len(ids("consequences", "id", kind="loss", written=True, actor=odo)) == 1
    assert ids("miracles", "target", kind="extra_die", actor=odo, target=ann) == [ann]
    assert ids("bonuses", "actor", until="scene", actor=ann) == [ann]
    assert ids("wishes", "actor", kind="element", status="accepted") == [bob]
    assert ids("wishes", "actor", seat_of=anns) == ids("wishes", "actor", status="pending") == []
    assert ids("wishes", "actor", "ann", seat_of=anns, actor=ann) == [ann]
    encounter = rows_of(here, "encounters", None)[0]["id"]
    assert ids("encounters", "turn", number=1, session=1, closed=False) == [gnaw]
    assert sorted(ids("members", "actor", encounter=encounter)) == sorted([ann, bob, gnaw])
    assert sorted(ids("distances", "a", b=gnaw, band="medium")) == sorted([ann, bob])
    assert ids("distances", "b", a=ann) == [gnaw]
    assert ids("holds", "actor", action="move") == ids("holds", "actor", hidden=False) == [bob]
    assert ids("holds", "actor", "gm", hidden=True) == ids("holds", "actor", "gm", actor=gnaw) == [gnaw]
    assert ids("holds", "actor", actor=gnaw) == ids("holds", "actor", hidden=True) == []
    assert ids("attacks", "id", actor=gnaw, target=ann, over=False, uses="weapon") == [attack]
    assert ids("attacks", "id", hit=True) == []
    assert ids("aims", "attack", "gm", weakness=False) == [attack] and ids("aims", "attack", weakness=False) == []
    assert client().get("/api/v1/dietower/actors/", {"colour": "red"}).status_code in (400, 422)


def test_a_private_game_shows_its_rows_to_its_people_alone(here: Evening) -> None:
    Game.objects.filter(pk=here.id).update(is_public=False)
    for resource in api.RESOURCES:
        caches["throttles"].clear()
        path = f"/api/v1/dietower/{resource.name}/"
        query = {"game": str(here.id)}
        for stranger in (None, "eve"):
            answer = here.client(stranger).get(path, query)
            assert (answer.status_code, answer.json()["code"]) == (404, "game.missing"), resource.name
        found = [len(rows_of(here, resource.name, who)) for who in ("gm", "ann", "bob")]
        assert found[0] > 0 and (found[1] > 0) is (resource.name not in SECRET)
