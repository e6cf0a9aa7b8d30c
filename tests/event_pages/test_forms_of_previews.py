"""What the desk offers to change begins as the rules would have it: sent as it stands, it is taken (no database)."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from api.common.plain_json import plain
from api.pages.forms.body import body_of
from api.pages.forms.fields import FormField, Making
from api.representations.issuing.commands import listing_json
from games.engine.insight.event_pages import Action
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for
from games.gods2.rules.declarations.events import CasualtiesSet
from games.gods2.rules.event_pages import exhibits, what_units_do
from games.gods2.rules.growth.preview_commands import PlaceGrowth
from games.gods2.rules.war.preview_commands import SetCasualties
from tests.playbook import Playbook, event_like, of_kind
from tests.rules.gods2.era import GM
from tests.rules.gods2.test_war_previews import at_war, preview_of


def form_of(book: Playbook, action: Action) -> list[FormField]:
    """The fields of the form that an action opens."""
    kinds = {kind.slug(): kind for kind in (PlaceGrowth, SetCasualties)}
    found = legal_commands_for(book.state, kinds.values(), GM, LegalCommandFilter(action.command))
    listed = listing_json("gods2", found, {})
    (entry,) = [entry for entry in listed["results"] if entry["legal"]]
    return list(Making(listed["$defs"]).fields(entry["schema"], plain({**action.initial, **action.values})))


def sent(fields: Iterable[FormField]) -> Mapping[str, list[str]]:
    """What a browser sends of a form that nobody has changed."""
    values: dict[str, list[str]] = {}
    for field in (leaf for each in fields for leaf in (each.leaves if each.fields else (each,))):
        match field.widget:
            case "select":
                values[field.name] = [next((value for value, _, is_chosen in field.choices if is_chosen), "")]
            case "choices":
                values[field.name] = ["", *(value for value, _, is_chosen in field.choices if is_chosen)]
            case "flag":
                values[field.name] = ["0", *(["1"] if field.value else [])]
            case _:
                values[field.name] = [str(field.value)]
    return values


def offered(book: Playbook) -> list[Action]:
    """What the open previews offer to place otherwise."""
    return [action for panel in exhibits(book.state).values() for action in panel.actions if action.initial]


@pytest.mark.parametrize(("wide", "squares"), [(12, "choices"), (120, "table")])
def test_the_form_of_a_war_is_taken_as_it_stands(wide: int, squares: str) -> None:
    """Peoples that stand on more squares than a list holds have any square named."""
    book, *_, war = at_war(wide=wide)
    preview = preview_of(book, war)
    (action,) = offered(book)
    fields = form_of(book, action)
    assert [field.widget for field in fields] == ["hidden", "table", squares, "table", "long"]
    body: dict[str, Any] = body_of(sent(fields))
    events = book.when(SetCasualties.model_validate(body), by=GM)
    placed = {"losses": preview.losses, "squares": preview.squares, "moves": preview.moves}
    assert of_kind(events, CasualtiesSet) == [event_like(CasualtiesSet, war=war, **placed)]


def test_a_preview_says_what_one_unit_does_and_what_several_do() -> None:
    assert [what_units_do(count, "dies", "die") for count in (1, 2)] == ["1 unit dies", "2 units die"]
