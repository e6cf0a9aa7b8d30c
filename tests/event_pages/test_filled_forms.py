"""A form that is filled in with what it offers is a body that its command reads (no database)."""

from collections import Counter
from random import Random
from typing import Any

import orjson
import pytest

from api.pages.command_forms import form_in
from api.pages.form_body import body_of
from api.pages.form_fields import FormField
from api.representations.issuing.commands import parse_command
from games.engine.lifecycle.amend import Amend
from games.engine.lifecycle.seating import HandOver
from tests.event_pages.played import PlayedDesk
from tests.event_pages.test_forms_of_rulesets import actors_of
from tests.play.moments import PLAYED, moments

OFTEN = 2
"""So many forms of one command are filled in."""
LINES = 2
"""So many lines of a list of objects are filled in."""
WRITTEN = {"rule": "G2-WAR-1", "digest": "0" * 64}
"""What is written into a text that has a form of its own."""
ELSEWHERE = {
    Amend: "its rows are corrected by a form of their own",
    HandOver: "a person is named, whose id is looked up",
}
"""Commands whose form is not sent as it stands."""


def filled(field: FormField, chance: Random) -> dict[str, list[str]]:
    """What a field sends where somebody fills it in, by its name."""
    match field.widget:
        case "group" | "table":
            lines = field.fields[:LINES] if field.fields[0].label.isdigit() else field.fields
            return {name: texts for line in lines for name, texts in filled(line, chance).items()}
        case "order":
            placed = ((row.choices[0][0], str(place)) for place, row in enumerate(field.fields, 1))
            return {field.name: [text for pair in placed for text in pair]}
        case "counts":
            counted = ((row.choices[0][0], str(min(1, row.high or 1))) for row in field.fields)
            return {field.name: [text for pair in counted for text in pair]}
        case "hidden" | "settled":
            return {field.name: [str(field.value)]}
        case "select":
            return {field.name: [chance.choice((field.choices[0][0], field.choices[-1][0]))]}  # of unlike kinds, if any
        case "choices":
            values = [value for value, _, _ in field.choices]
            return {field.name: ["", *chance.sample(values, min(len(values), 2))]}
        case "flag":
            return {field.name: chance.choice((["0"], ["0", "1"]))}
        case "number":
            low = field.low or 0
            return {
                field.name: [str(chance.randint(low, min(low + 9, field.high if field.high is not None else low + 9)))]
            }
    return {field.name: ["1 2" if field.reading == "numbers" else WRITTEN.get(field.path, "Some words")]}


@pytest.mark.parametrize("ruleset", PLAYED)
def test_what_a_form_offers_is_read_by_its_command(ruleset: str) -> None:
    """The kind: a field that is drawn otherwise than its command reads it."""
    done, chance = Counter[str](), Random(3)
    for desk in map(PlayedDesk, moments(ruleset)):
        for name, kind in desk.rules.open_commands.items():
            for actor in actors_of(desk, kind) if kind not in ELSEWHERE else ():
                if done[name] < OFTEN:
                    form = form_in(desk.seen, desk.rules, kind, actor, {}, {})
                    sent: dict[str, Any] = {}
                    for field in form.fields:
                        sent |= filled(field, chance)
                    if form.barred is None:
                        parse_command(ruleset, name, orjson.dumps(body_of(sent)))
                        done[name] += 1
    assert len(done) > 10
