"""Indexes and orders: no index begins another, which answers the same questions; no order joins what it is within."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Index, Model, UniqueConstraint

OURS = ("accounts", "games", "worlds")


def models_of_ours() -> list[type[Model]]:
    """Every table of the service."""
    return [model for model in apps.get_models() if model.__module__.split(".")[0] in OURS]


def whole_indexes(model: type[Model]) -> Iterator[tuple[str, ...]]:
    """The columns of each index over all rows of a table: of keys, fields, indexes and unique constraints."""
    for field in model._meta.local_concrete_fields:
        if field.primary_key or field.unique or field.db_index:
            yield (field.name,)
    declared: list[Index | UniqueConstraint] = [
        *model._meta.indexes,
        *(each for each in model._meta.constraints if isinstance(each, UniqueConstraint)),
    ]
    for each in declared:
        if each.fields and each.condition is None:
            yield tuple(name.lstrip("-") for name in each.fields)


@pytest.mark.parametrize("model", models_of_ours(), ids=lambda model: model._meta.label)
def test_no_index_is_the_beginning_of_another(model: type[Model]) -> None:
    found = list(whole_indexes(model))
    beginnings = [
        short for at, short in enumerate(found) for other, long in enumerate(found)
        if at != other and long[: len(short)] == short and (len(short) < len(long) or at > other)
    ]  # fmt: skip
    keys = {(model._meta.pk.name,)}  # a primary key is what it is
    assert set(beginnings) - keys == set(), "db_index=False: a longer index, or a constraint, begins with it"


@pytest.mark.django_db
def test_the_database_has_the_indexes_of_the_models() -> None:
    """What was to go is not there."""
    with connection.cursor() as cursor:
        for model in models_of_ours():
            if not model._meta.managed or model._meta.proxy:
                continue
            known = {tuple(model._meta.get_field(name).column for name in each) for each in whole_indexes(model)}
            there = connection.introspection.get_constraints(cursor, model._meta.db_table).values()
            plain = [tuple(c["columns"]) for c in there if c["index"] and not c["unique"] and c["columns"]]
            single = {columns for columns in plain if len(columns) == 1 and None not in columns}
            partial = {
                (model._meta.get_field(each.fields[0].lstrip("-")).column,)
                for each in model._meta.indexes
                if len(each.fields) == 1
            }
            assert single - partial <= known, model._meta.label


@pytest.mark.parametrize("model", models_of_ours(), ids=lambda model: model._meta.label)
def test_no_model_is_ordered_by_what_its_game_or_world_is_ordered_by(model: type[Model]) -> None:
    """Named as `game`, not `game_id`, a link is joined, and rows of one game are sorted by when it was opened."""
    assert {str(name).lstrip("-") for name in model._meta.ordering or ()}.isdisjoint({"game", "world"})
