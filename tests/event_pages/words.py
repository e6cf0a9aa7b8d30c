"""What a person at a page reads, text by text, and what of it is a key of programs."""

import re
from collections.abc import Iterator

from api.pages.event.inbox import inbox_items
from api.pages.event.panels import subject_names
from api.pages.forms.commands import CommandForm, what_ends
from api.pages.forms.fields import FormField
from games.engine.insight.event_pages import Contest, Countdown, Panel
from tests.event_pages.played import PlayedDesk

RULES = re.compile(r"\b[A-Z0-9]{2}(-[A-Z]+)?-\d+\b")
WORDS = re.compile(
    r"\b(CHECK|GMs?|NPCs?|UTC|JSON|SHA|set-up|hand-over|role-play|north-east|north-west|south-east|south-west)\b"
)
"""What looks like a key and is a word of a rulebook, of the table or of everybody."""
KEYS = {
    "an id": re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}"),
    "a key": re.compile(r"\b[a-z0-9]+_[a-z0-9_]+|\b[a-z]+:[a-z0-9]"),
    "a pointer": re.compile(r"(^|[\s(])/[a-z_]+(/\d|:)"),
    "a type of event": re.compile(r"\b[a-z0-9]+\.[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w*"),
    "a word of programs": re.compile(r"\b(NULL|None|True|False|[Nn]ull|UUID|enum)\b|Input should|[{}\[\]`]"),
    "a code of a question": re.compile(r"\b[A-Z]{3,}\b"),
    "a wrong number": re.compile(
        r"\b1 (units|squares|dice|cities|points|races|stones|events|seats|cards|wars|deaths|turns|rounds|seconds)\b"
        r"|\b1 unit (die|do|have|are)\b"
    ),
}
COMMAND = re.compile(r"(?<![\w/.-])[a-z]+(-[a-z]+)+")


def keys_in(text: str, desk: PlayedDesk | None = None) -> list[str]:
    """What of a text is no word of people; with a desk the commands of its game by their names in the APIs, too."""
    words = WORDS.sub("", RULES.sub("", text))
    found = [f"{what}: {hit.group()}" for what, shape in KEYS.items() for hit in shape.finditer(words)]
    commands = desk.rules.open_commands if desk is not None else ()
    return found + [f"a command: {hit.group()}" for hit in COMMAND.finditer(words) if hit.group() in commands]


def texts_of_field(field: FormField) -> Iterator[str]:
    """What a field of a form says."""
    yield from (field.label, field.help)
    if field.widget != "hidden":
        yield from (title for _, title, _ in field.choices)
    if field.widget in ("text", "long"):
        yield str(field.value)
    for inner in field.fields:
        yield from texts_of_field(inner)


def texts_of_form(form: CommandForm) -> Iterator[str]:
    """What a form says."""
    yield from (form.title, form.summary, form.why)
    for field in form.fields:
        yield from texts_of_field(field)


def texts_of_panel(panel: Panel) -> Iterator[str]:
    """What a table of a page says."""
    yield from (panel.title, panel.empty, *panel.columns)
    for line in panel.lines:
        yield from (str(cell) for cell in line.cells if not isinstance(cell, Countdown))


def texts_of_contest(contest: Contest) -> Iterator[str]:
    """What the screen says of a contest."""
    yield from (contest.title, contest.prospect, contest.outcome)
    for side in contest.sides:
        yield from (side.name, *side.figures)


def texts_of_page(desk: PlayedDesk) -> Iterator[str]:
    """What stands on a desk and on the screen beside it: buttons, questions, cards, deadlines, panels, contests."""
    seen, pages = desk.seen, desk.rules.pages
    names = {**subject_names(seen), **{seat.id: seat.name for seat in seen.seats.values()}}
    rows = [question.row for question in desk.questions]
    yield from (button.label for button in desk.buttons())
    yield from (text for row in rows for text in (row["question"], row["silence"]))
    yield from (card.title for card in inbox_items(desk.questions, names, lambda subject: ()))
    for timer in seen.timers.values():
        yield what_ends({"key": timer.key, "does": timer.does, "subject": timer.subject}, rows, names)
    for panel in (*pages.desk(seen), *pages.exhibits(seen).values(), pages.standings(seen)):
        yield from texts_of_panel(panel)
    for contest in pages.contests(seen):
        yield from texts_of_contest(contest)
