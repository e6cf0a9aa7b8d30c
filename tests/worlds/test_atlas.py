"""The atlas: maps in and out, with refusals that say where."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worlds.conftest import uid
from worlds import atlas
from worlds.atlas import AtlasError, Chart, Mark, read_json, read_letters, write_json, write_letters
from worlds.map_files import LETTERS
from worlds.models import Feature, Square, World

words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@st.composite
def charts(draw: st.DrawFn, keys: st.SearchStrategy[str], marks: int) -> Chart:
    """Charts of up to 6 by 6 squares."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    terrain = draw(st.lists(keys, min_size=width * height, max_size=width * height))
    mark = st.builds(Mark, st.integers(0, height - 1), st.integers(0, width - 1), words, st.text(max_size=5))
    features = draw(st.lists(mark.filter(lambda mark: "\x00" not in mark.name), max_size=marks))
    return Chart(width, height, tuple(terrain), tuple(sorted(features)))


@given(charts(st.sampled_from(sorted(LETTERS)), marks=0))
def test_a_letter_map_reads_back_as_it_was_written(chart):
    assert read_letters(write_letters(chart)) == chart


@given(charts(words, marks=8))
def test_a_json_map_reads_back_as_it_was_written_also_through_text(chart):
    assert read_json(write_json(chart)) == chart
    assert read_json(json.dumps(write_json(chart))) == chart


@given(st.text(max_size=40))
def test_any_text_is_a_map_or_a_clear_refusal(text):
    for read in (read_letters, read_json):
        try:
            chart = read(text)
        except AtlasError as refusal:
            assert refusal.code == "map.invalid"
        else:
            assert len(chart.terrain) == chart.width * chart.height


def test_small_letters_windows_line_ends_and_a_last_empty_line_are_read():
    assert read_letters("\ufeffpf \r\nWW\r\n\r\n") == Chart(2, 2, ("P", "F", "W", "W"))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", {"line": 1}),
        ("PPP\nPXP", {"line": 2, "column": 2}),
        ("PPP\nPP", {"line": 2, "column": 3, "squares": 2, "expected": 3}),
        ("PP\nPPP", {"line": 2, "column": 3, "squares": 3, "expected": 2}),
        ("PP\n\nPP", {"line": 2, "column": 1, "squares": 0, "expected": 2}),
        ("P\ufb00P", {"line": 1, "column": 2}),
        ("P" * 4097, {"width": 4097, "height": 1}),
    ],
)
def test_a_bad_letter_map_is_refused_with_its_place(text, facts):
    with pytest.raises(AtlasError) as refusal:
        read_letters(text)

    assert refusal.value.code == "map.invalid"
    assert refusal.value.facts == facts


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        ('{"width": 1,\n oops}', {"line": 2, "column": 2}),
        (b"\xff\xfe\xfd", {"line": 1}),
        ([], {}),
        ({"width": 1, "height": 1}, {}),
        ({"width": True, "height": 1, "cells": []}, {}),
        ({"width": 0, "height": 1, "cells": []}, {"width": 0, "height": 1}),
        ({"width": 2, "height": 1, "cells": [{"terrain": "P"}]}, {"cells": 1, "expected": 2}),
        ({"width": 1, "height": 1, "cells": [{"terrain": ""}]}, {"cell": 0, "x": 0, "y": 0}),
        ({"width": 1, "height": 1, "cells": [{"terrain": "P", "owner": 1}]}, {"cell": 0, "x": 0, "y": 0}),
        (
            {"width": 1, "height": 1, "cells": [{"terrain": "P", "features": [{"kind": 3}]}]},
            {"cell": 0, "x": 0, "y": 0},
        ),
        ({"width": 1, "height": 1, "cells": ["P"]}, {"cell": 0, "x": 0, "y": 0}),
    ],
)
def test_a_bad_json_map_is_refused_with_its_place(data, facts):
    with pytest.raises(AtlasError) as refusal:
        read_json(data)

    assert refusal.value.code == "map.invalid"
    assert refusal.value.facts == facts


def test_a_map_with_other_climates_has_no_letters():
    with pytest.raises(AtlasError, match="write this map as JSON"):
        write_letters(Chart(1, 1, ("ocean",)))


@pytest.mark.rule("G2-MAP-1")
def test_the_earth_has_thirty_rows_of_twenty_squares():
    earth = atlas.earth()

    assert (earth.width, earth.height, len(earth.terrain)) == (20, 30, 600)
    assert earth.terrain[5] == "I"
    assert "Beck et al. 2018" in atlas.EARTH_ATTRIBUTION


def test_the_largest_earth_is_stored_packed():
    assert len(atlas.earth(1000, 1000).terrain) == 1_000_000


def test_an_earth_that_is_not_stored_is_refused():
    with pytest.raises(AtlasError) as refusal:
        atlas.earth(7, 7)

    assert refusal.value.code == "map.missing"


def test_a_map_file_that_is_laid_out_comes_back_with_its_features(db):
    chart = Chart(2, 1, ("P", "ocean"), (Mark(0, 1, "volcano", "Old Smoke"),))
    world = World.objects.create(id=uid(9), name="Two", width=2, height=1)

    assert atlas.lay_out(world, chart) == 2

    assert atlas.chart_of(world) == chart
    assert Feature.objects.get().square_id == world.square_id(1, 0)
    assert Square.objects.get(x=1).world == world


def test_a_map_is_laid_out_once_and_only_in_its_size(small):
    for chart, code in ((read_letters("PFW\nDMI"), "map.present"), (read_letters("P"), "map.invalid")):
        with pytest.raises(AtlasError) as refusal:
            atlas.lay_out(small, chart)
        assert refusal.value.code == code
    assert Square.objects.count() == 6


def test_a_world_without_a_map_reads_as_nothing(db):
    world = World.objects.create(name="None", width=0, height=0)

    assert atlas.lay_out(world, Chart(0, 0, ())) == 0
    assert atlas.terrain_keys(world) == []


def test_the_terrain_of_a_world_is_read_row_by_row_in_one_query(small, django_assert_num_queries):
    with django_assert_num_queries(1):
        keys = atlas.terrain_keys(small)

    assert keys == ["P", "F", "W", "D", "M", "I"]


def test_a_map_with_a_hole_is_refused(small):
    Square.objects.filter(x=1, y=1).delete()
    with pytest.raises(AtlasError) as refusal:
        atlas.chart_of(small)

    assert refusal.value.code == "map.incomplete"
    assert refusal.value.facts == {"squares": 5, "expected": 6}


def test_a_large_earth_is_laid_out_in_few_queries(db, django_assert_max_num_queries):
    chart = atlas.earth(300, 300)
    world = World.objects.create(name="Large", width=300, height=300)

    with django_assert_max_num_queries(10):
        assert atlas.lay_out(world, chart) == 90_000
    with django_assert_max_num_queries(1):
        assert tuple(atlas.terrain_keys(world)) == chart.terrain
