"""Persons of worlds and who holds artifacts, in both APIs: the same rows, filters, ways and visibility."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.graph import nodes
from tests.api.worlds import Atlantis, assert_refused, atlantis, client, user
from worlds.models import HOLDERS, Artifact, City, Holding, Person, Place, Square

pytestmark = pytest.mark.django_db


@dataclass
class Court:
    """Atlantis with a place, three persons and an artifact of each kind of holder, and one of nobody."""

    here: Atlantis
    grove: Place
    tam: Person
    sil: Person

    @property
    def holders(self) -> dict[str, Any]:
        """What holds an artifact, by kind; the artifact is called as the kind is."""
        return {
            "deity": self.here.sun,
            "race": self.here.elves,
            "city": City.objects.get(world=self.here.world),
            "place": self.grove,
            "person": self.tam,
        }


@pytest.fixture
def court() -> Court:
    here = atlantis()
    Artifact.objects.all().delete()
    grove = Place.objects.create(world=here.world, kind="land", name="Grove")
    tam = Person.objects.create(world=here.world, name="Tam", kind="monster", place=grove)
    sil = Person.objects.create(world=here.world, name="Sil", kind="prince", description="Nobody knows where.")
    made = Court(here, grove, tam, sil)
    for kind, holder in made.holders.items():
        Artifact.objects.create(world=here.world, name=kind, **{kind: holder})
    Artifact.objects.create(world=here.world, name="nobody", lost=True)
    return made


def listed(court: Court, path: str, who: Client | None = None) -> list[dict[str, Any]]:
    """The rows of a list below Atlantis."""
    answer = (who or client()).get(f"/api/v1/worlds/{court.here.world.pk}/{path}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def ask(query: str, who: Client | None = None, **variables: Any) -> Any:
    """What GraphQL answers."""
    body = {"query": query, "variables": {name: str(value) for name, value in variables.items()}}
    answer = (who or client()).post("/graphql/", body, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def test_a_person_has_a_name_a_kind_and_a_place_or_a_square_in_both_apis(court: Court) -> None:
    world = str(court.here.world.pk)
    rest = listed(court, "persons/")
    mim, sil, tam = (
        {"id": str(person.pk), "world": world, "name": person.name, "kind": kind, "description": text} | where
        for person, kind, text, where in (
            (court.here.mim, "prince", "", {"place": None, "square": {"x": 1, "y": 0}}),
            (court.sil, "prince", "Nobody knows where.", {"place": None, "square": None}),
            (court.tam, "monster", "", {"place": str(court.grove.pk), "square": None}),
        )
    )
    assert rest == [mim, sil, tam]
    assert client().get(f"/api/v1/worlds/persons/?world={world}").json()["results"] == rest
    for row in rest:
        assert client().get(f"/api/v1/worlds/persons/{row['id']}/").json() == row
    shown = "{ id world { id } name kind description place { id } square { x y } }"
    query = f"query($w: UUID!) {{ world(id: $w) {{ persons {{ totalCount edges {{ node {shown} }} }} }} }}"
    page = ask(query, w=world)["world"]["persons"]
    flat = [row | {name: row[name] and row[name]["id"] for name in ("world", "place")} for row in nodes(page)]
    assert (flat, page["totalCount"]) == (rest, 3)
    assert ask(f"query($p: UUID!) {{ worldPerson(id: $p) {shown} }}", p=court.tam.pk)["worldPerson"] == nodes(page)[2]


@pytest.mark.parametrize(
    ("query", "filters", "names"),
    [
        ("name=Tam", '{name: {exact: "Tam"}}', ["Tam"]),
        ("name_contains=i", '{name: {iContains: "i"}}', ["Mim", "Sil"]),
        ("kind=prince", '{kind: {exact: "prince"}}', ["Mim", "Sil"]),
        ("kind=prince&name=Tam", '{kind: {exact: "prince"}, name: {exact: "Tam"}}', []),
        ("place={grove}", '{place: {id: {exact: "{grove}"}}}', ["Tam"]),
        ("x=1&y=0", "{square: {x: {exact: 1}, y: {exact: 0}}}", ["Mim"]),
        ("x=1&y=1", "{square: {x: {exact: 1}, y: {exact: 1}}}", []),
        ("world={world}", '{world: {id: {exact: "{world}"}}}', ["Mim", "Sil", "Tam"]),
    ],
)
def test_persons_are_chosen_alike_in_both_apis(court: Court, query: str, filters: str, names: list[str]) -> None:
    for word, row in (("{grove}", court.grove), ("{world}", court.here.world)):
        query, filters = query.replace(word, str(row.pk)), filters.replace(word, str(row.pk))
    assert [row["name"] for row in listed(court, f"persons/?{query}")] == names
    asked = f"query($w: UUID!) {{ world(id: $w) {{ persons(filters: {filters}) {{ edges {{ node {{ name }} }} }} }} }}"
    assert [row["name"] for row in nodes(ask(asked, w=court.here.world.pk)["world"]["persons"])] == names


def test_an_artifact_says_who_holds_it_by_kind_and_id_in_both_apis(court: Court) -> None:
    expected = {kind: {"kind": kind, "id": str(holder.pk)} for kind, holder in court.holders.items()}
    expected["nobody"] = None
    rest = {row["name"]: row for row in listed(court, "artifacts/")}
    query = """query($w: UUID!) { world(id: $w) { artifacts { edges { node {
        id name holder { kind id } deity { id } race { id } city { id } place { id }
        person { id } } } } } }"""
    graph = {row["name"]: row for row in nodes(ask(query, w=court.here.world.pk)["world"]["artifacts"])}
    for name, holder in expected.items():
        assert rest[name]["holder"] == graph[name]["holder"] == holder
        keys = {kind: holder["id"] if kind == name and holder else None for kind in HOLDERS}
        assert {kind: rest[name][kind] for kind in HOLDERS} == keys
        assert {kind: graph[name][kind] and graph[name][kind]["id"] for kind in HOLDERS} == keys
        assert client().get(f"/api/v1/worlds/artifacts/{rest[name]['id']}/").json() == rest[name]
        one = ask("query($a: UUID!) { artifact(id: $a) { name holder { kind id } } }", a=rest[name]["id"])
        assert one["artifact"] == {"name": name, "holder": holder}
    assert rest.keys() == graph.keys() == expected.keys()


@pytest.mark.parametrize("kind", HOLDERS)
def test_artifacts_are_chosen_by_their_holder_and_its_kind_in_both_apis(court: Court, kind: str) -> None:
    holder = court.holders[kind].pk
    query = f"""query($w: UUID!, $h: UUID!) {{ world(id: $w) {{
        of: artifacts(filters: {{{kind}: {{id: {{exact: $h}}}}}}) {{ edges {{ node {{ name }} }} }}
        any: artifacts(filters: {{holderKind: {{exact: {kind}}}}}) {{ totalCount edges {{ node {{ name }} }} }} }} }}"""
    found = ask(query, w=court.here.world.pk, h=holder)["world"]
    for rows in (
        listed(court, f"artifacts/?{kind}={holder}"),
        listed(court, f"artifacts/?holder_kind={kind}"),
        nodes(found["of"]),
        nodes(found["any"]),
    ):
        assert [row["name"] for row in rows] == [kind]
    assert found["any"]["totalCount"] == 1
    assert listed(court, f"artifacts/?holder_kind={kind}&lost=true") == []


@pytest.mark.parametrize(
    ("lookup", "names"),
    [
        ("inList: [person, deity]", {"person", "deity"}),
        ("inList: []", set()),
        ("isNull: true", {"nobody"}),
        ("isNull: false", set(HOLDERS)),
        ("isNull: false, inList: [race]", {"race"}),
        ("isNull: true, exact: race", set()),
        ("exact: null", {*HOLDERS, "nobody"}),
    ],
)
def test_kinds_of_holders_are_looked_up_as_columns_are(court: Court, lookup: str, names: set[str]) -> None:
    query = f"""query($w: UUID!) {{ world(id: $w) {{
        artifacts(filters: {{holderKind: {{{lookup}}}}}) {{ totalCount edges {{ node {{ name }} }} }} }} }}"""
    page = ask(query, w=court.here.world.pk)["world"]["artifacts"]
    assert ({row["name"] for row in nodes(page)}, page["totalCount"]) == (names, len(names))


@pytest.mark.parametrize("value", ["", "null", "giant", "person&holder_kind=race"])
def test_a_kind_that_holds_nothing_is_refused(court: Court, value: str) -> None:
    answer = client().get(f"/api/v1/worlds/{court.here.world.pk}/artifacts/?holder_kind={value}")
    assert_refused(answer, 422, "query.invalid")
    assert answer.json()["errors"][0]["parameter"] == "holder_kind"


def test_places_squares_and_persons_lead_to_each_other_and_to_artifacts(court: Court) -> None:
    query = """query($w: UUID!, $p: UUID!) {
        world(id: $w) { squares(filters: {x: {exact: 1}}, first: 5) { edges { node { y
            persons(first: 5) { edges { node { name } } } } } } }
        place(id: $p) { artifacts(first: 5) { edges { node { name } } } persons(first: 5) { edges { node {
            name place { name } square { x }
            artifacts(first: 5) { edges { node { name person { name } } } } } } } } }"""
    found = ask(query, w=court.here.world.pk, p=court.grove.pk)
    squares = {row["y"]: nodes(row["persons"]) for row in nodes(found["world"]["squares"])}
    assert squares == {0: [{"name": "Mim"}], 1: [], 2: []}
    assert nodes(found["place"]["artifacts"]) == [{"name": "place"}]
    assert nodes(found["place"]["persons"]) == [
        {
            "name": "Tam",
            "place": {"name": "Grove"},
            "square": None,
            "artifacts": {"edges": [{"node": {"name": "person", "person": {"name": "Tam"}}}]},
        }
    ]


@pytest.mark.parametrize("kind", HOLDERS)
def test_every_holder_leads_to_what_it_has_and_had(court: Court, kind: str) -> None:
    holder, field = court.holders[kind].pk, {"person": "worldPerson"}.get(kind, kind)
    artifact = Artifact.objects.get(world=court.here.world, name=kind)
    Holding.objects.create(artifact=artifact, number=1, since="2026-06-01T12:00:00Z", **{f"{kind}_id": holder})
    query = f"""query($h: UUID!) {{ {field}(id: $h) {{
        artifacts(first: 5) {{ edges {{ node {{ name }} }} }}
        holdings(first: 5) {{ edges {{ node {{ number }} }} }} }} }}"""
    found = ask(query, h=holder)[field]
    assert (nodes(found["artifacts"]), nodes(found["holdings"])) == ([{"name": kind}], [{"number": 1}])


def test_persons_are_read_page_by_page_in_any_order(court: Court) -> None:
    query = """query($w: UUID!, $a: String) { world(id: $w) { persons(first: 1, after: $a, ordering: [{kind: ASC}]) {
        pageInfo { hasNextPage endCursor } edges { node { name } } } } }"""
    names, more = [], {}
    while more is not None:
        page = ask(query, w=court.here.world.pk, **more)["world"]["persons"]
        names += [row["name"] for row in nodes(page)]
        more = {"a": page["pageInfo"]["endCursor"]} if page["pageInfo"]["hasNextPage"] else None
    assert names == ["Tam", "Mim", "Sil"]
    place, read = f"/api/v1/worlds/{court.here.world.pk}/persons/?limit=2", []
    while place:
        answer = client().get(place).json()
        read, place = [*read, *(row["name"] for row in answer["results"])], answer["next"]
    assert read == ["Mim", "Sil", "Tam"]


def test_persons_and_holders_of_a_private_world_are_there_for_its_members_alone() -> None:
    here = atlantis(is_public=False, members=(user("ann"),))
    (ring,) = Artifact.objects.all()
    query = """query($p: UUID!, $a: UUID!, $w: UUID!) { worldPerson(id: $p) { name artifacts { totalCount } }
        artifact(id: $a) { holder { kind id } person { name } } world(id: $w) { persons { totalCount } } }"""
    shown = {
        "worldPerson": {"name": "Mim", "artifacts": {"totalCount": 1}},
        "artifact": {"holder": {"kind": "person", "id": str(here.mim.pk)}, "person": {"name": "Mim"}},
        "world": {"persons": {"totalCount": 1}},
    }
    paths = [f"persons/{here.mim.pk}/", f"artifacts/{ring.pk}/"]
    lists = [f"{name}/?world={here.world.pk}" for name in ("persons", "artifacts")]
    lists += [
        f"artifacts/?world={here.world.pk}&{chosen}" for chosen in ("holder_kind=person", f"person={here.mim.pk}")
    ]
    for who, sees in ((client(user("ann")), True), (client(user("eve")), False), (client(), False)):
        found = ask(query, who, p=here.mim.pk, a=ring.pk, w=here.world.pk)
        assert found == (shown if sees else dict.fromkeys(shown))
        for path in paths:
            assert who.get(f"/api/v1/worlds/{path}").status_code == (200 if sees else 404)
        for path in lists:
            assert len(who.get(f"/api/v1/worlds/{path}").json()["results"]) == sees


@pytest.mark.parametrize("rows", [2, 60])
def test_persons_and_holders_are_read_in_as_many_statements_whatever_their_number(court: Court, rows: int) -> None:
    square = Square.objects.get(world=court.here.world, x=2, y=2)
    made = [Person(world=court.here.world, name=f"P{n:02}", kind="prince", square=square) for n in range(rows)]
    for person in Person.objects.bulk_create(made):
        Artifact.objects.create(world=court.here.world, name=person.name, person=person)
    world = court.here.world.pk
    for path, count in (("persons", rows + 3), ("artifacts", rows + 6), ("artifacts&holder_kind=person", rows + 1)):
        name, _, more = path.partition("&")
        with CaptureQueriesContext(connection) as captured:
            assert len(listed(court, f"{name}/?limit=100&{more}")) == count
        assert len(captured) == 1
    query = """query($w: UUID!) { world(id: $w) { artifacts(first: 100, filters: {holderKind: {isNull: false}}) {
        edges { node { name holder { kind id } } } } } }"""
    ask(query, w=world)
    with CaptureQueriesContext(connection) as captured:
        assert len(nodes(ask(query, w=world)["world"]["artifacts"])) == rows + 5
    assert len(captured) == 2, "the world, and the artifacts with the keys that a holder follows from"
