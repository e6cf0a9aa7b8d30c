"""A state table is a resource of both APIs by default, as its model says; a game names what differs."""

import pytest

from api.representations.resources.state_tables import StateTables, by, own_resources
from games import registry
from games.gods2.store import STORE as GODS2

TABLES = StateTables(registry.store("toy"), "Toy", seat="seat_of")


def test_a_table_that_a_game_does_not_name_is_shown_as_its_model_says():
    piles, tides = TABLES.with_rest(TABLES.of("hoards"))[1:]
    assert (piles.name, piles.type_name, piles.fields) == ("piles", "ToyPile", ("seat", "game", "stones", "rolled"))
    assert (piles.key, piles.ordering, piles.filters) == ("seat", ("seat",), {"game": "game", "seat_of": "seat"})
    assert (tides.name, tides.key, tides.filters) == ("tides", "game", {"game": "game"})


@pytest.mark.parametrize("slug", registry.folders())
def test_every_table_of_a_game_is_a_resource_and_shows_nothing_hidden(slug):
    shown = {resource.model: resource for resource in own_resources(slug)}
    for mapped in registry.store(slug).own_tables:
        resource, part = shown[mapped.parts[-1].model], mapped.parts[-1]
        assert not {part.columns[name] for name in mapped.hidden} & set(resource.fields), mapped.table
        assert "audience" not in resource.fields, mapped.table


def test_json_in_text_is_shown_as_json_where_the_record_says_that_it_is_no_text():
    gods2 = StateTables(GODS2, "Gods2")
    assert gods2.of("eras").parsed == {"plan", "growing", "learned"}
    assert gods2.of("migrations").parsed == {"square"}
    assert gods2.of("orders").parsed == {"pantheon", "signed"}
    assert gods2.of("proposals", parsed=frozenset({"wish"})).parsed == {"parts", "agreed", "wish"}
    assert gods2.of("previews").parsed == frozenset()


def test_a_row_whose_key_is_no_id_is_only_listed_in_the_order_of_its_model():
    dawn, gods2 = StateTables(registry.store("dawn"), "Dawn"), StateTables(GODS2, "Gods2")
    assert (dawn.of("squares").key, dawn.of("squares").ordering) == (None, ("square",))
    assert (gods2.of("cards").key, gods2.of("cards").ordering) == (None, ("seat", "sphere", "id"))
    assert (gods2.of("lands").key, gods2.of("lands").ordering) == ("id", ("name", "id"))


def test_the_end_of_a_filters_name_says_how_it_compares():
    assert by("phase", "balance_min", "y_max", "name_contains", "price_row") == {
        "phase": "phase",
        "balance_min": "balance__gte",
        "y_max": "y__lte",
        "name_contains": "name__icontains",
        "price_row": "price_row",
    }
