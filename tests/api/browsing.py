"""What a browser of an administrator sends, for the tests of the console."""

from django.test import Client
from django.urls import reverse

from games import registry
from games.engine.game_state import dump
from games.models import Game
from games.storage import log


def address(row, action: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{action}", args=[row.pk])


def form_values(page: Client, row) -> dict[str, str]:
    """What a browser would send if nothing on the page of a row were touched."""
    context = page.get(address(row)).context
    values = {}
    form = context["adminform"].form
    for part in (form, *(f.formset for f in context["inline_admin_formsets"])):
        values |= _values(part.management_form) if hasattr(part, "management_form") else _values(part)
        for inner in getattr(part, "forms", ()):
            values |= _values(inner)
    return values


def _values(form) -> dict[str, str]:
    found = {}
    for field in form:
        value = field.value()
        widget = getattr(field.field.widget, "widget", field.field.widget)
        found |= {
            name: data
            for name, data in _flat(widget.get_context(field.html_name, value, {})["widget"]).items()
            if data is not None
        }
    return found


def _flat(widget: dict) -> dict[str, str]:
    """Names and values of a widget and its parts, as a browser sends them."""
    if widget.get("subwidgets"):
        return {k: v for part in widget["subwidgets"] for k, v in _flat(part).items()}
    if widget.get("type") == "checkbox":
        return {widget["name"]: "on"} if widget["attrs"].get("checked") else {}
    value = widget["value"]
    if isinstance(value, list):
        value = value[0] if value else ""
    return {widget["name"]: "" if value is None else str(value)}


def agree(game: Game) -> bool:
    """Rows equal the folded log, and the chain of digests is whole."""
    game = Game.objects.get(pk=game.pk)
    rows, found = dump(registry.store("gods2").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != found[name]} == set()
    assert list(log.broken_links(game)) == []
    return True


def seq(game: Game) -> int:
    return Game.objects.get(pk=game.pk).seq
