"""Emblems: a face for whoever has a name, the same everywhere."""

from xml.etree import ElementTree

import pytest

from worlds.drawing.emblems import CHARGES, Shape, charge_of, emblem_parts


@pytest.mark.parametrize("shape", Shape)
def test_an_emblem_follows_from_kind_name_trait_and_colour(shape):
    drawn = emblem_parts(shape, "Norsemen", "", "#1d5fb4")
    assert drawn == emblem_parts(shape, "norsemen", "", "#1d5fb4") and "#1d5fb4" in drawn
    others = {emblem_parts(shape, name) for name in ("Low Elves", "Ash Cult", "Dreamers", "Hill Giants")}
    assert len({drawn, *others}) == 5
    assert len({emblem_parts(each, "Norsemen") for each in Shape}) == len(Shape)


def test_nothing_that_somebody_has_written_is_in_an_emblem():
    drawn = emblem_parts(Shape.DISC, '"><script>', "</svg>", "red; }")
    ElementTree.fromstring(f"<svg>{drawn}</svg>")
    assert "script" not in drawn and "red" not in drawn


def test_a_trait_chooses_the_charge_by_its_words():
    assert charge_of("dreams, thresholds", 3) is charge_of("the moon", 200)
    assert charge_of("", 3) is charge_of("accountancy", 3) is CHARGES[3]
    assert sum(len(charge.words) for charge in CHARGES) == len(frozenset().union(*(c.words for c in CHARGES)))
