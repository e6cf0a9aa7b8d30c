"""Somebody who plays by the page of a seat alone, in a browser without scripts.

They know neither rules nor schemas: they press a button that stands there, fill in the form that opens with anything
that its fields take, and try again with something else when it comes back with a refusal.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from random import Random
from typing import Any

from django.test import Client

BUTTON = re.compile(r'<button type="button"[^>]*?\bhx-(get|post)="([^"]+)"(?: hx-vals=\'([^\']*)\')?')
COMMAND = re.compile(r"/commands/([a-z-]+)/")
ALERT = re.compile(r'role="alert">(.*?)</div>', re.DOTALL)
SHARES = (0.0, 0.3, 0.6, 0.9)
"""The shares of optional fields that are filled in, try by try."""
LINE = re.compile(r"[^:]*?\.\d+\.")
TRIES = 8
"""So often a form is filled in anew before it is closed."""
LEARNS = 2
"""A form that was closed so often is not opened again, nor are buttons looked for that so often were not there."""
WORDS = ("Aspen", "Beryl", "Corva", "Delta", "Ember", "Fenn")
GIVES_UP = ("concede",)
"""What ends the game for them, which they came to play."""
SOME = 2
USUAL = 6
"""A number without an upper bound is at most so much above the lowest."""


@dataclass
class Input:
    """A field of a form, as HTML says it."""

    name: str
    kind: str
    """Its type: hidden, select, textarea, or that of an input."""
    value: str = ""
    is_needed: bool = False
    low: int | None = None
    high: int | None = None
    bounds: tuple[int, int | None] = (0, None)
    """How many of the choices of its group are taken."""
    options: list[str] = field(default_factory=list)

    @property
    def reading(self) -> str:
        """How its text is read, which its name ends with."""
        return self.name.rpartition(":")[2]

    @property
    def line(self) -> str:
        """The line of a table that it stands in; "" for none."""
        found = LINE.match(self.name)
        return found.group(0) if found else ""


class FormPage(HTMLParser):
    """The fields of a form in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inputs: list[Input] = []
        self.bounds: list[tuple[int, int | None]] = [(0, None)]
        self.is_form = "<form" in text
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field, an option of the last one, or how many of a group are taken."""
        given = {name: value or "" for name, value in attrs}
        if tag == "fieldset":
            most = given.get("data-most")
            self.bounds.append((int(given.get("data-least", 0)), None if most is None else int(most)))
        elif tag in ("input", "select", "textarea") and given.get("name"):
            low, high = (int(given[name]) if given.get(name) else None for name in ("min", "max"))
            kind = given.get("type", "text") if tag == "input" else tag
            value, needed = given.get("value", ""), "required" in given
            self.inputs.append(Input(given["name"], kind, value, needed, low, high, self.bounds[-1]))
        elif tag == "option" and "disabled" not in given and given.get("value"):
            self.inputs[-1].options.append(given["value"])

    def handle_endtag(self, tag: str) -> None:
        """Leave a group."""
        if tag == "fieldset":
            self.bounds.pop()

    def filled(self, chance: Random, given: float) -> dict[str, list[str]]:
        """What is sent. given: the share of optional fields, and of the lines of a table, that are filled in."""
        sent: dict[str, list[str]] = {}
        groups = {each.name: [one for one in self.inputs if one.name == each.name] for each in self.inputs}
        lines = {each.line: chance.random() < given for each in self.inputs if each.line}
        for name, inputs in groups.items():
            first = inputs[0]
            if first.reading in ("choices", "order", "counts") and len(inputs) > 1:
                sent[name] = _chosen(inputs, chance)
            else:
                share = given if not first.line else float(lines[first.line])
                sent[name] = [text for each in inputs for text in _values(each, chance, share)]
        return sent


def _chosen(inputs: Sequence[Input], chance: Random) -> list[str]:
    """What a group of choices sends: as many of them as it says that it takes, a few where it leaves that open."""
    reading, (least, most) = inputs[0].reading, inputs[0].bounds
    places = [at for at, each in enumerate(inputs) if each.kind != "hidden"]
    count = chance.randint(least, max(least, min(len(places) if most is None else most, least + SOME)))
    if reading == "choices":
        taken = set(chance.sample(places, min(count, len(places))))
        return [each.value for at, each in enumerate(inputs) if each.kind == "hidden" or at in taken]
    if reading == "order":
        order = {at: str(number) for number, at in enumerate(chance.sample(places, min(count, len(places))), 1)}
        return [order.get(at, "") if at in places else each.value for at, each in enumerate(inputs)]
    free = [at for at in places for _ in range(count if inputs[at].high is None else inputs[at].high or 0)]
    often = Counter(chance.sample(free, min(count, len(free))))
    return [str(often[at]) if at in places else each.value for at, each in enumerate(inputs)]


def _values(each: Input, chance: Random, given: float) -> Sequence[str]:
    """What one field sends: as it stands where nothing is written into it."""
    written = each.is_needed or chance.random() < given
    match each.kind:
        case "hidden":
            return (each.value,)
        case "checkbox":
            return (each.value,) if written else ()
        case "select":
            return (chance.choice(each.options),) if written and each.options else ("",)
        case "number" if written:
            low = each.low or 0
            return (
                str(chance.randint(low, max(low, min(USUAL + low, low + USUAL if each.high is None else each.high)))),
            )
        case _ if each.reading in ("text", "lines") and written:
            return (each.value or f"{chance.choice(WORDS)} {chance.randint(1, 9999)}",)
        case _:
            return (each.value,)


@dataclass
class PlayerByForms:
    """Somebody at a seat."""

    client: Client
    path: str
    chance: Random
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    bare: Counter[str] = field(default_factory=Counter)
    """How often a kind of question has had no button of its own: what one may do answers it, as a turn."""
    sizes: list[int] = field(default_factory=list)

    def act(self, questions: Collection[str]) -> bool:
        """Answer a question that is asked of them, else do one of the things that they may do; whether anything was.

        questions: the kinds of those asked; the part of the page that holds them is as dear as all else.
        """
        is_asked = any(self.bare[kind] < LEARNS for kind in questions)
        for part in ("body/", "may/") if is_asked else ("may/",):
            buttons = [button for button in self.buttons(part) if self.tries(button[0])]
            if part == "body/" and not buttons:
                self.bare.update(questions)
            self.chance.shuffle(buttons)
            buttons.sort(key=lambda button: self.done[button[0]])
            for command, method, address, values in buttons[:3]:
                if self.press(command, method, address, values):
                    self.done[command] += 1
                    return True
        return False

    def tries(self, command: str) -> bool:
        """Whether they would open the form of a command."""
        return command not in GIVES_UP and self.given_up[command] < LEARNS

    def buttons(self, part: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """The buttons of a part: command, method, address, and what is sent at once; not those of the table."""
        text = self.read(self.path + part).partition('id="table-acts"')[0]
        for method, address, values in BUTTON.findall(text):
            found = COMMAND.search(address)
            if found is not None:
                yield found.group(1), method, unescape(address), json.loads(unescape(values or "{}"))

    def read(self, address: str) -> str:
        """A part of the page."""
        answer = self.client.get(address)
        assert answer.status_code == 200, (answer.status_code, address, answer.content[:500])
        self.sizes.append(len(answer.content))
        return str(answer.content.decode())

    def press(self, command: str, method: str, address: str, values: dict[str, Any]) -> bool:
        """Press a button, and send the form that opens until it is taken; whether it was."""
        if method == "post" and self.is_taken(command, address, values):
            return True
        for attempt in range(TRIES):
            form = FormPage(self.read(address))
            if not form.is_form:  # barred by now: the page says why
                return False
            if self.is_taken(command, address, form.filled(self.chance, SHARES[attempt % len(SHARES)])):
                return True
        self.given_up[command] += 1
        return False

    def is_taken(self, command: str, address: str, sent: dict[str, Any]) -> bool:
        """Send; whether it was done. A refusal says why on the form."""
        answer = self.client.post(address, sent)
        if answer.status_code == 204:
            return True
        text = answer.content.decode()
        said = ALERT.search(text)
        assert 400 <= answer.status_code < 500 and said, (command, answer.status_code, sent, text[:500])
        self.refused[command + ": " + " ".join(re.sub(r"<[^>]+>", " ", unescape(said.group(1))).split())[:90]] += 1
        return False
