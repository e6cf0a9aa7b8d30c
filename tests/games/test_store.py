"""Rows of the state come in an order that does not depend on how they were written."""

from dataclasses import fields
from datetime import UTC, datetime

import pytest
from django.db.models import AutoField

from core.naming import naming_fields
from games import models, registry
from games.dawn import models as dawn
from games.models import Timer
from games.reads.selectors import state_for
from games.storage.tables import PLACE, Mapped, model_of, part_of
from tests.games.cairns import table
from tests.toy.models import Hoard
from tests.toy.rules.state import State
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("slug", sorted(registry.folders()))
def test_every_table_is_read_in_an_order_that_its_key_makes_whole(slug):
    game = table().game
    for mapped in (found for found in registry.store(slug).tables if type(found).view is Mapped.view):
        model = mapped.parts[-1].model
        rows = mapped._ordered_rows(model._default_manager.all(), game.pk)
        ordered = {name.lstrip("-") for name in rows.query.order_by}
        names = naming_fields(model)
        assert names and set(names) <= ordered, mapped.table
        fields_of_order = [model._meta.get_field(name) for name in ordered if "__" not in name]
        assert not any(isinstance(field, AutoField) for field in fields_of_order), f"{mapped.table}: a running number"


def test_timers_of_one_moment_stand_as_they_stood_when_one_is_written_again():
    here = table()
    for key in "abcdef":
        Timer.objects.create(
            game=here.game, audience="public", key=key, does="tide", arguments="{}", due=NOON, generation=1
        )
    keys = [row["key"] for row in state_for(here.game, Visibility(), frozenset({"timers"}))["timers"]]
    Timer.objects.filter(key="a").update(generation=2)
    Timer.objects.filter(key="a").update(generation=1)
    assert [row["key"] for row in state_for(here.game, Visibility(), frozenset({"timers"}))["timers"]] == keys


@pytest.mark.parametrize("slug", sorted(registry.folders()))
def test_every_field_of_every_record_stands_in_a_column(slug):
    """Shares apart, which are read and written by hand."""
    for mapped in (found for found in registry.store(slug).tables if found.table != "shares"):
        held = {name for part in mapped.parts for name in (*part.columns, *(PLACE if part.at else ()))}
        assert held | set(dict(mapped.keyed)) == {f.name for f in fields(mapped.record)}, mapped.table
        assert set(mapped.declared.key) <= held, mapped.table


def test_a_table_is_mapped_to_the_model_of_its_records_name_unless_another_declares_it():
    names = {mapped.table: mapped.parts[-1].model for mapped in registry.store("dawn").tables}
    assert names["wars"] is dawn.War and names["offers"] is dawn.Offer and names["standing"] is models.StandingAnswer
    with pytest.raises(LookupError, match="tides"):
        model_of(State.tables["tides"], models)


def test_a_field_without_a_column_is_an_error_at_once():
    with pytest.raises(KeyError, match="stones"):
        part_of(State.tables["piles"], Hoard)
