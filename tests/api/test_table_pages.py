"""A state table has a page of the console by default, made from its model."""

from django.contrib.admin import site

from api.console.amend_admin import Amending, MadeByCommand
from api.console.columns import OF_GAME
from api.console.table_pages import page_of
from games import registry
from games.storage.tables import Mapped

PAGELESS = {"Advance": "dawn"}
"""What a seat says in advance is for nobody else (DW-AMB-56)."""


def table(slug: str, name: str) -> Mapped:
    return next(mapped for mapped in registry.store(slug).tables if mapped.table == name)


def test_columns_filters_and_search_follow_from_the_model():
    page = page_of(table("gods2", "cards"), ("sphere",))
    assert page.list_display == ("seat", "sphere", "count", "game")
    assert page.list_filter == (OF_GAME, "sphere")
    assert page.search_fields == ("seat__name", "sphere")
    assert page.people == ("seat__user",)
    assert page.list_select_related == ("seat", "game")


def test_long_text_is_no_column_and_a_square_is_no_list_to_choose_from():
    page = page_of(table("dawn", "wars"))
    assert "armies" not in page.list_display and "waived" not in page.list_display
    assert page.raw_id_fields == ("square",) and page.list_filter == (OF_GAME, "fought")


def test_rows_are_added_where_they_are_amended_and_named_by_several_fields():
    territory, powers, phases = table("dawn", "territory"), table("dawn", "powers"), table("albraxas", "phases")
    assert not issubclass(page_of(territory), MadeByCommand) and issubclass(page_of(territory), Amending)
    assert page_of(territory).autocomplete_fields == ("race", "game")
    assert issubclass(page_of(powers), MadeByCommand) and issubclass(page_of(phases), MadeByCommand)


def test_every_table_of_dawn_and_albraxas_has_a_page_except_standing_answers():
    for slug in ("dawn", "albraxas"):
        models = {mapped.parts[-1].model for mapped in registry.store(slug).own_tables}
        assert {model.__name__ for model in models if not site.is_registered(model)} == {
            name for name, game in PAGELESS.items() if game == slug
        }
