"""Rows of worlds and of games over REST: fields, filters, pages, visibility, and the numbered rules."""

import base64
import json
import re
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import AutoField
from django.test.utils import CaptureQueriesContext

from api.representations.resources.resource import Resource
from api.representations.resources.serializers import serializer_of
from api.representations.resources.state_tables import every_own_resource
from api.representations.resources.worlds import RESOURCES, WORLDS
from api.representations.rulebook import rules_in
from api.representations.shapes.commands import CommandList
from api.representations.shapes.rulesets import RuleList, RulesetDetail, RulesetList
from games import services
from tests.api.worlds import atlantis, client, toy_game, user
from tests.toy.rules.commands import AddStones, HideCoins
from worlds.models import Chronicle, Feature, Presence, Race, Square
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
EVERY = [WORLDS, *RESOURCES, *(resource for _, resource in every_own_resource())]


def results(who, path):
    answer = who.get(path)
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def assert_refused(answer, status, code):
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), answer.content
    assert answer.json()["code"] == code


def unique_columns(resource: Resource) -> set[str]:
    return {field.name for field in resource.model._meta.concrete_fields if field.unique}


def unique_sets(resource: Resource) -> list[set[str]]:
    """Fields that name a row together; a share of a pantheon is named by race and member, in whichever column."""
    found = [set(constraint.fields) for constraint in resource.model._meta.total_unique_constraints]
    return [*found, {"race", "special", "deity"}] if resource.name == "pantheons" else found


def leads_to_a_running_number(resource: Resource, name: str) -> bool:
    """Whether a column holds a serial number, its own or that of another row. A square's id is none: it is computed."""
    field = resource.model._meta.get_field(name)
    while field.is_relation:
        field = field.target_field
    return isinstance(field, AutoField)


@pytest.mark.parametrize("resource", EVERY, ids=lambda r: r.type_name)
def test_a_resource_can_be_shown_filtered_and_ordered(resource):
    serializer = serializer_of(resource)()
    assert tuple(serializer.fields) == (*resource.shown, *resource.noun_columns)
    for parameter in resource.filters:
        resource.filter_field(parameter)
    ordered = {resource.model._meta.get_field(name.lstrip("-")).name for name in resource.order}
    assert ordered & unique_columns(resource) or any(names <= ordered for names in unique_sets(resource)), ordered
    assert not [name for name in (*ordered, *resource.fields) if leads_to_a_running_number(resource, name)]
    assert resource.key is None or resource.key in resource.fields
    assert resource.summary
    list(resource.representations(resource.read_from(resource.visible(Visibility.nobody()))))


def test_rows_of_what_has_a_name_in_the_world_carry_it():
    """The kind: a sheet of a place, person, artifact, race, city, order or god that has its id alone."""
    without = {("gods2", "migrations"), ("gods2", "later-turmoils")}  # what befalls a race is no sheet of it
    named = []
    for slug, resource in every_own_resource():
        key = resource.model._meta.pk
        is_sheet = key.one_to_one and key.related_model._meta.app_label == "worlds"
        if is_sheet and hasattr(key.related_model, "name") and (slug, resource.name) not in without:
            assert "name" in {*resource.fields, *resource.noun_columns}, (slug, resource.name)
            named.append((slug, resource.name))
    assert {("forgeborn", "places"), ("gods2", "gods"), ("dawn", "avatars")} <= set(named)


@pytest.mark.parametrize("resource", [WORLDS, *RESOURCES], ids=lambda r: r.name)
def test_lists_and_serializers_show_the_same(resource):
    here = atlantis()
    rows = resource.visible(Visibility.nobody()).order_by(*resource.order)
    by_serializer = json.loads(json.dumps(serializer_of(resource)(rows, many=True).data, default=str))
    flat = f"/api/v1/worlds/{resource.name}/?world={here.world.pk}&limit=100"
    assert results(client(), "/api/v1/worlds/?limit=100" if resource is WORLDS else flat) == by_serializer


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda r: r.name)
def test_a_list_of_no_world_in_particular_is_refused(resource):
    atlantis()
    answer = client().get(f"/api/v1/worlds/{resource.name}/?limit=1")
    assert_refused(answer, 422, "within.missing")
    problem = answer.json()
    assert problem["errors"][0]["parameter"] == "world" and problem["facts"] == {"within": ["world"]}
    assert "`world`" in problem["detail"]


def test_a_list_of_no_game_in_particular_is_refused():
    ann = client(toy_game().ann)
    for slug, resource in every_own_resource():
        answer = ann.get(f"/api/v1/{slug}/{resource.name}/")
        if resource.within:
            assert_refused(answer, 422, "within.missing")
            assert answer.json()["facts"] == {"within": ["game"]}
        else:
            assert answer.status_code == 200 and resource.name.startswith("pack"), resource.name


def test_lists_that_need_no_scope_read_cards_alone():
    """One row a game, one a seat, one a world: what stands in no game's own tables (and who asks)."""
    toy = toy_game()
    world = atlantis(is_public=False, members=(toy.ann,)).world
    ann = client(toy.ann)
    cards = ("games_game", "games_seat", "worlds_world", "worlds_worldmember", "accounts_", "oauth_")
    doors = ("games/", "games/?mine=1", "games/?my_turn=1", "games/?asked=1", "games/?my_turn=1&as=gm", "games/?demo=1")
    query = json.dumps({"query": "{ games(asked: true) { edges { node { id } } } worlds { edges { node { id } } } }"})
    with CaptureQueriesContext(connection) as captured:
        for door in (*doors, "worlds/", f"games/?world={world.pk}"):
            assert ann.get(f"/api/v1/{door}").status_code == 200, door
        assert "errors" not in ann.post("/graphql/", query, content_type="application/json").json()
    tables = {table for asked in captured for table in re.findall(r'(?:FROM|JOIN|UPDATE|INTO) "(\w+)"', asked["sql"])}
    assert {"games_game", "games_seat", "worlds_world"} <= tables
    assert {table for table in tables if not table.startswith(cards)} == set()


def test_no_square_is_named_by_a_number():
    here = atlantis()
    number = str(Square.objects.first().pk)
    for resource in RESOURCES:
        answer = client().get(f"/api/v1/worlds/{resource.name}/?world={here.world.pk}")
        assert answer.status_code == 200 and number not in answer.content.decode()
    (city,) = results(client(), f"/api/v1/worlds/{here.world.pk}/cities/")
    assert (city["square"], city["race"], city["name"]) == ({"x": 1, "y": 0}, str(here.elves.pk), "Oldhome")


def test_the_resources_of_a_world_are_found_below_it_and_flat():
    here, there = atlantis(), atlantis("Lemuria")
    flat = results(client(), f"/api/v1/worlds/races/?world={here.world.pk}")
    assert [race["name"] for race in flat] == ["Dwarves", "Elves"]
    assert results(client(), f"/api/v1/worlds/{here.world.pk}/races/") == flat
    one = client().get(f"/api/v1/worlds/races/{there.elves.pk}/").json()
    assert one == {
        "id": str(there.elves.pk), "world": str(there.world.pk), "name": "Elves", "colour": "", "extinct": False,
    }  # fmt: skip
    assert_refused(client().get(f"/api/v1/worlds/{uuid4()}/races/"), 404, "thing.missing")
    assert_refused(client().get(f"/api/v1/worlds/races/{uuid4()}/"), 404, "thing.missing")
    assert_refused(client().get("/api/v1/worlds/giants/"), 404, "thing.missing")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name=Elves", ["Elves"]),
        ("name_contains=el", ["Elves"]),
        ("extinct=true", ["Dwarves"]),
        ("extinct=0", ["Elves"]),
        ("name_contains=e&extinct=false", ["Elves"]),
        ("name=Orcs", []),
    ],
)
def test_filters_choose_rows(query, names):
    place = f"/api/v1/worlds/races/?world={atlantis().world.pk}"
    assert [race["name"] for race in results(client(), f"{place}&{query}")] == names


def test_squares_are_chosen_by_place_and_terrain():
    here = atlantis()
    place = f"/api/v1/worlds/{here.world.pk}/squares/"
    assert [(s["x"], s["y"]) for s in results(client(), f"{place}?x_min=1&x_max=2&y=2")] == [(1, 2), (2, 2)]
    assert len(results(client(), f"{place}?terrain=W")) == 3
    assert len(results(client(), f"{place}?limit=1000")) == 12
    assert_refused(client().get(f"{place}?limit=1001"), 422, "page.size")


@pytest.mark.parametrize("query", ["extinct=maybe", "world=1", "tallness=3", "limit=0", "name=a&name=b", "cursor=%00"])
def test_a_filter_that_cannot_be_taken_is_reported(query):
    scope = "" if query.startswith("world=") else f"world={atlantis().world.pk}&"
    answer = client().get(f"/api/v1/worlds/races/?{scope}{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] == query.partition("=")[0]


@pytest.mark.parametrize("query", ["x=3.5", "x=99999999999999999999", "x=a", "x="])
def test_a_number_that_is_none_is_refused(query):
    answer = client().get(f"/api/v1/worlds/squares/?world={atlantis().world.pk}&{query}")
    assert_refused(answer, 422, "query.invalid")


def test_pages_of_a_pantheon_lead_past_members_without_a_deity():
    here = atlantis()
    place, found = f"/api/v1/worlds/{here.world.pk}/pantheons/?limit=1", []
    while place:
        page = client().get(place).json()
        found += [(row["race"], row["special"], row["deity"]) for row in page["results"]]
        last, place = page, page["next"]
    assert found == sorted(found, key=lambda row: row[:2]) and len(found) == len(set(found)) >= 2
    assert {special == "" for _, special, _ in found} == {True, False}
    (before,) = client().get(last["previous"]).json()["results"]
    assert (before["race"], before["special"], before["deity"]) == found[-2]


def test_no_running_number_is_in_a_cursor():
    """Rows that have no id of their own are named by what makes them one: a serial number differs by database."""
    here = atlantis()
    for resource in RESOURCES:
        numbers = {str(pk) for pk in resource.model.objects.values_list("pk", flat=True)}
        page = client().get(f"/api/v1/worlds/{here.world.pk}/{resource.name}/?limit=1").json()
        if resource.key is None and page["next"] and resource.model is not Square:
            cursor = page["next"].partition("cursor=")[2].partition("&")[0]
            _, _, values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
            assert numbers.isdisjoint(map(str, values)), resource.name


def test_pages_of_presences_lead_past_peoples_whose_names_come_in_another_order_than_their_ids():
    here = atlantis()
    first, last = sorted([here.elves, here.dwarves], key=lambda race: race.pk)
    Race.objects.filter(pk=first.pk).update(name="Zealots")
    Race.objects.filter(pk=last.pk).update(name="Ants")
    Presence.objects.create(race=here.dwarves, square=Square.objects.get(world=here.world, x=3, y=2), units=2)
    path, found = f"/api/v1/worlds/{here.world.pk}/presences/?limit=1", []
    while path:
        page = client().get(path).json()
        found += [(row["race"], row["square"]["x"]) for row in page["results"]]
        path = page["next"]
    assert len(found) == 3 == len(set(found))


@pytest.mark.parametrize("resource", EVERY, ids=lambda resource: resource.type_name)
def test_every_list_comes_in_the_order_of_the_columns_that_its_cursors_hold(resource):
    """The kind: ordered by a link, a database follows the order of what it leads to, and a cursor compares ids."""
    model = resource.model
    sql, _ = model._default_manager.order_by(*resource.order).values(model._meta.pk.name).query.sql_with_params()
    assert " JOIN " not in sql, sql
    assert len(resource.order) == sql.partition("ORDER BY")[2].count(",") + 1


def test_pages_lead_from_end_to_end():
    here = atlantis()
    Race.objects.bulk_create(Race(world=here.world, name=f"Race {number:02}") for number in range(7))
    place, names = f"/api/v1/worlds/{here.world.pk}/races/?limit=4", []
    while place:
        page = client().get(place).json()
        names += [race["name"] for race in page["results"]]
        last, place = page, page["next"]
    assert names == ["Dwarves", "Elves", *(f"Race {number:02}" for number in range(7))]
    assert [r["name"] for r in client().get(last["previous"]).json()["results"]] == names[4:8]


@pytest.mark.parametrize("features", [3, 60])
def test_rows_are_read_in_as_many_queries_whatever_their_number(features):
    here = atlantis()
    square = Square.objects.get(world=here.world, x=3, y=2)
    Feature.objects.bulk_create(Feature(world=here.world, square=square, kind="volcano") for _ in range(features))
    with CaptureQueriesContext(connection) as captured:
        assert len(results(client(), f"/api/v1/worlds/features/?world={here.world.pk}&limit=100")) == features
    assert len(captured) == 1


def test_a_private_world_is_there_for_its_members_alone():
    here = atlantis(is_public=False, members=(user("ann"),))
    for resource in RESOURCES:
        assert results(client(user("eve")), f"/api/v1/worlds/{resource.name}/?world={here.world.pk}") == []
        assert_refused(
            client(user("eve")).get(f"/api/v1/worlds/{here.world.pk}/{resource.name}/"), 404, "thing.missing"
        )
    assert_refused(client().get(f"/api/v1/worlds/{here.world.pk}/"), 404, "thing.missing")
    assert_refused(client().get(f"/api/v1/worlds/{here.world.pk}/map.svg"), 404, "map.missing")
    assert client(user("ann")).get(f"/api/v1/worlds/{here.world.pk}/").json()["name"] == "Atlantis"
    assert client(user("ann")).get(f"/api/v1/worlds/{here.world.pk}/map.svg").status_code == 200


def test_the_chronicle_of_a_world_is_a_text_for_those_who_may_see_it():
    here = atlantis(is_public=False, members=(user("ann"),))
    path = f"/api/v1/worlds/{here.world.pk}/chronicle.md"
    told = (("A *hill*\nrises.", "2 squares"), ("It rains.", ""), ("A *hill*\nrises.", "1 square"))
    for position, (text, figures) in enumerate(told, 1):
        row = {"position": position, "heading": "Age of Land", "text": text, "figures": figures}
        Chronicle.objects.create(world=here.world, **row)
    assert_refused(client(user("eve")).get(path), 404, "thing.missing")
    answer = client(user("ann")).get(path)
    assert answer.content.decode() == (
        "# Atlantis\n\n## Age of Land\n\nA \\*hill\\* rises.  \n*2 squares; 1 square*\n\nIt rains.\n"
    )
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert client(user("ann")).get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    Chronicle.objects.create(world=here.world, position=4, text="The sea takes it.")
    assert client(user("ann")).get(path).content.decode().endswith("It rains.\n\nThe sea takes it.\n")


def test_rows_of_a_game_are_filtered_by_its_visibility():
    toy = toy_game()
    services.run(toy.game.pk, AddStones(stones=3), actor=toy.actor(toy.ann))
    services.run(toy.game.pk, HideCoins(coins=7), actor=toy.actor(toy.ann))
    ann, host = client(toy.ann), client(toy.host)
    pile = {"seat": str(toy.seat(toy.ann)), "game": str(toy.game.pk), "stones": 3, "rolled": 0}
    hoard = {"seat": str(toy.seat(toy.ann)), "game": str(toy.game.pk), "coins": 7}
    piles, hoards = (f"/api/v1/toy/{name}/?game={toy.game.pk}" for name in ("piles", "hoards"))
    assert results(client(), piles) == [pile]
    assert results(client(), f"{piles}&seat_of={toy.seat(toy.bob)}") == []
    assert results(ann, hoards) == [hoard]
    assert results(host, f"{hoards}&as=gm") == [hoard]
    assert ann.get(f"/api/v1/toy/hoards/{toy.seat(toy.ann)}/").json() == hoard
    for other in (client(), client(toy.bob), host):
        assert results(other, hoards) == []
        assert_refused(other.get(f"/api/v1/toy/hoards/{toy.seat(toy.ann)}/"), 404, "thing.missing")
    assert_refused(
        client(toy.bob).get(f"/api/v1/toy/hoards/?game={toy.game.pk}&seat={toy.seat(toy.ann)}"), 404, "seat.missing"
    )
    row = f"/api/v1/toy/hoards/{toy.seat(toy.ann)}/"
    assert_refused(host.get(f"{row}?as=gm"), 422, "view.invalid")
    assert_refused(host.get(f"{row}?as="), 422, "view.invalid")
    assert_refused(client(toy.bob).get(f"/api/v1/toy/hoards/?game={toy.game.pk}&as=gm"), 404, "gm.missing")


def test_a_ruleset_lists_its_options_and_every_command():
    listed = RulesetList.model_validate_json(client().get("/api/v1/rulesets/").content)
    assert "toy" in [ruleset.slug for ruleset in listed.results]
    detail = RulesetDetail.model_validate_json(client().get("/api/v1/rulesets/toy/").content)
    assert detail.options["properties"]["tides"]["maximum"] == 1000
    assert detail.resources == ["piles", "hoards", "tides"]
    commands = CommandList.model_validate_json(client().get("/api/v1/rulesets/toy/commands/").content).results
    by_name = {command.name: command for command in commands}
    assert by_name["add-stones"].body["properties"]["stones"] == {
        "description": "How many.", "maximum": 5, "minimum": 1, "title": "Stones", "type": "integer",
    }  # fmt: skip
    assert (by_name["add-stones"].issuers, by_name["add-stones"].rules) == (["seat"], ["TOY-PILE-1"])
    assert {"join", "start", "pause", "rewind"} < set(by_name) and "bring-tide" not in by_name
    assert_refused(client().get("/api/v1/rulesets/chess/"), 404, "ruleset.missing")
    assert_refused(client().get("/api/v1/rulesets/chess/commands/"), 404, "ruleset.missing")


def test_rules_are_read_from_the_rulebook(settings, tmp_path):
    assert_refused(client().get("/api/v1/rulesets/chess/rules/"), 404, "ruleset.missing")
    settings.BASE_DIR = tmp_path
    assert_refused(client().get("/api/v1/rulesets/toy/rules/"), 404, "rulebook.missing")
    book = tmp_path / "tests" / "toy" / "rulebook.md"
    book.parent.mkdir(parents=True)
    book.write_text(
        "# Cairns\n\n## Piles\n- **TOY-PILE-1** A seat adds 1 to 5 stones\n  to its pile.\n- **TOY-PILE-2** Or a die.\n"
    )
    page = RuleList.model_validate_json(client().get("/api/v1/rulesets/toy/rules/").content)
    assert [(rule.id, rule.chapter, rule.text) for rule in page.results] == [
        ("TOY-PILE-1", "Piles", "A seat adds 1 to 5 stones to its pile."),
        ("TOY-PILE-2", "Piles", "Or a die."),
    ]
    (one,) = results(client(), "/api/v1/rulesets/toy/rules/?id=TOY-PILE-2")
    assert one["text"] == "Or a die."
    assert_refused(client().get("/api/v1/rulesets/toy/rules/?id=TOY-9"), 404, "rule.missing")


def test_text_between_rules_belongs_to_none():
    book = "## War\n**G2-WAR-1** One.\n\nA remark.\n- a list\n* **G2-WAR-2**: Two\nand more\n| a |\n## Peace\nNo.\n"
    assert [(rule.id, rule.text) for rule in rules_in(book)] == [("G2-WAR-1", "One."), ("G2-WAR-2", "Two and more")]


def test_a_row_whose_first_cell_is_an_id_is_a_rule_with_the_prefix_of_its_book():
    book = (
        "**G2-WAR-1** One.\n## Decided\n| id | question | decided |\n|---|---|---|\n| AMB-4 | order | **any** |\n"
        "| G2-ACT-2 | battle | |\n## Examples\n| id | given |\n|---|---|\n| G2-EX-01 | x |\n| WAR-1 | reads |\n"
    )
    assert [(rule.id, rule.chapter, rule.text) for rule in rules_in(book)[1:]] == [
        ("G2-AMB-4", "Decided", "question: order; decided: **any**"),
        ("G2-ACT-2", "Decided", "question: battle"),
    ]


def test_ids_are_uuids():
    here = atlantis()
    (city,) = results(client(), f"/api/v1/worlds/cities/?world={here.world.pk}&race={here.elves.pk}")
    assert UUID(city["id"]) and UUID(city["world"])
