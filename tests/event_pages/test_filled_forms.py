"""A form that is filled in with what it offers is a body that its command reads (no database)."""

from collections import Counter
from functools import cache
from random import Random

import orjson
import pytest

from api.pages.forms.body import HINTS, body_of
from api.pages.forms.commands import CommandForm, form_in
from api.pages.forms.fields import FormField
from api.representations.issuing.commands import parse_command
from tests.event_pages.played import PlayedDesk
from tests.event_pages.test_forms_of_rulesets import actors_of
from tests.play.moments import PLAYED, moments
from tests.play.tables import table

OFTEN = 2
"""So many forms of one command are filled in."""
LINES = 2
"""So many lines of a list of objects are filled in."""
WRITTEN = {
    "rule": "G2-WAR-1", "digest": "0" * 64, "message": "0005c3b6-ac2a-4e61-bc38-95ab45e8f53c",
    "options.time_zone": "Europe/Berlin", "options.deadline_at": "20:00",
}  # fmt: skip
"""What is written into a text that has a form of its own."""
ELSEWHERE = {
    "amend": "rows are corrected by forms of their own",
    "hand-over": "a person is named, whose id is looked up",
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
        case "hidden" | "fixed":
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


@cache
def forms(ruleset: str) -> tuple[CommandForm, ...]:
    """The forms of every open command of a ruleset, at moments of its games and before one has begun."""
    found: list[CommandForm] = []
    done = Counter[str]()
    for desk in (*map(PlayedDesk, moments(ruleset)), PlayedDesk(table(ruleset, 0).book.state)):
        for name, kind in desk.rules.open_commands.items():
            for actor in actors_of(desk, kind):
                if done[name] < OFTEN:
                    form = form_in(desk.seen, desk.rules, kind, actor, {}, {})
                    if form.barred is None:
                        found.append(form)
                        done[name] += 1
    return tuple(found)


@pytest.mark.parametrize("ruleset", PLAYED)
def test_what_a_form_offers_is_read_by_its_command(ruleset: str) -> None:
    """The kind: a field that is drawn otherwise than its command reads it."""
    chance, read = Random(3), set[str]()
    for form in forms(ruleset):
        if form.command not in ELSEWHERE:
            sent = {name: texts for field in form.fields for name, texts in filled(field, chance).items()}
            parse_command(ruleset, form.command, orjson.dumps(body_of(sent)))
            read.add(form.command)
    assert len(read) > 10


@pytest.mark.parametrize("ruleset", PLAYED)
def test_no_form_of_an_open_command_asks_for_json(ruleset: str) -> None:
    """The kind: an argument that a form cannot draw, as one that may be one of several things."""
    leaves = ((form, leaf) for form in forms(ruleset) for each in form.fields for leaf in each.leaves or (each,))
    assert [(form.command, leaf.path) for form, leaf in leaves if HINTS["json"] in leaf.help] == []
