"""Pictures and forms of seats in games as they were played: what can be chosen, what asks for it (no database)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

from api.pages.forms.commands import form_in
from api.pages.forms.fields import FormField
from api.pages.forms.marks import SQUARE, Mark
from games import registry
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.storage.drawing import Squares
from tests.play.moments import moments
from worlds.drawing.map_svg import map_svg

ON_MAPS = {
    "albraxas": frozenset[str](),
    "dawn": frozenset({"races", "cities", "armies", "avatars"}),
    "dietower": frozenset[str](),
    "forgeborn": frozenset({"places", "characters"}),
    "gods2": frozenset({"races", "cities"}),
}
"""The tables of what stands on the picture of a ruleset, wherever it is; of the Die Tower's it is dice alone."""


def picture_of(ruleset: str, seen: Any) -> str:
    """The picture of a state as somebody sees it; "" while there is none."""
    drawing = registry.store(ruleset).drawing
    if isinstance(drawing, Squares):
        plan = drawing.plan(seen, {})
        return map_svg(plan) if plan is not None and plan.width else ""
    view = drawing.view(seen)
    return drawing.draw(view, "", {}) if view else ""


def marks_in(svg: str) -> list[Mark]:
    """What can be chosen there: of a grid its squares."""
    found: list[Mark] = []
    for node in ElementTree.fromstring(svg).iter() if svg else ():
        if columns := node.get("data-columns"):
            found += [
                Mark(SQUARE, f"{x},{y}") for y in range(int(node.get("data-rows", 0))) for x in range(int(columns))
            ]
        found += [Mark(node.get("data-kind", ""), each) for each in node.get("data-id", "").split()]
    return found


def leaves_of(fields: tuple[FormField, ...]) -> Iterator[FormField]:
    """The fields of a form that are filled in; lists with their choices as one."""
    for field in fields:
        if field.widget in ("group", "table"):
            yield from leaves_of(field.fields)
        else:
            yield field


@dataclass(frozen=True)
class Look:
    """What a seat sees at a moment, the fields of its forms, and the marks of its picture."""

    seen: Any
    seat: UUID | None
    fields: tuple[FormField, ...]
    marks: tuple[Mark, ...]


@cache
def looks_of(ruleset: str) -> tuple[Look, ...]:
    """A look at each moment, for one seat after the other."""
    found, rules = [], registry.ruleset(ruleset)
    for at, state in enumerate(moments(ruleset)):
        seats = list(state.seats_of(Role.PLAYER))
        seat = seats[at % len(seats)].id if seats else None
        seen, actor = state.view_for(frozenset({seat} if seat else ())), Actor(Issuer.SEAT, seat=seat)
        made = [form_in(seen, rules, k, actor, {}, {}) for k in rules.own.commands if Issuer.SEAT in k.issuers]
        fields = tuple(field for form in made if form.barred is None for field in form.fields)
        found.append(Look(seen, seat, fields, tuple(marks_in(picture_of(ruleset, seen)))))
    return tuple(found)


def value_of(choice: tuple[str, str, bool]) -> Any:
    """The value of a choice of a field."""
    return json.loads(choice[0])
