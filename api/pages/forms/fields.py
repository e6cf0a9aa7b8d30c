"""The fields of a form, made from the JSON Schema of a command's body.

The schema is that of the legal commands, so a form offers what is accepted now; the body is parsed like any other, so
what a form cannot say (one argument that depends on another) is refused in the same words as in the APIs.

A field's name in the form is its place in the body with dots, `squares.0.x`, and behind a colon how its text is read.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from api.pages.forms.body import HINTS
from api.pages.forms.marks import SQUARE, marks_within
from api.pages.forms.schemas import Schema, choices_of, resolve
from api.pages.wording import NameOf, label_of, text_of, value_words
from games.engine.wording import capital

LONG = 120
"""Texts that may be longer get several lines."""
ITEMS = 4
"""So many items a list of objects has at least."""
SPARE = 2
"""So many empty ones stand behind those that are given."""
CELLS = frozenset({"hidden", "fixed", "select", "number", "text", "flag"})
MOST_COLUMNS = 6
"""A list of objects of at most so many such fields is written as a table."""
DEEP = 4
"""Objects inside objects: what is deeper is written as JSON."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form.

    reading: how its text is read: json, fixed, text, number, proposed, flag, choices, order, counts, numbers, lines.
    """

    path: str
    label: str
    reading: str
    widget: str
    """hidden, fixed, select, choices, order (of places), counts, number, text, long, flag, group, table."""
    value: Any = ""
    choices: tuple[tuple[str, str, bool], ...] = ()
    """What is sent, what is shown, whether it is chosen."""
    needed: bool = False
    low: int | None = None
    high: int | None = None
    longest: int | None = None
    help: str = ""
    fields: tuple["FormField", ...] = ()
    more: int = 0
    """How many choices are not listed."""
    least: int = 0
    most: int | None = None
    """How many of its choices are taken, where that is not left open."""

    @property
    def name(self) -> str:
        """Its name in the form."""
        return f"{self.path}:{self.reading}"

    @property
    def ident(self) -> str:
        """Its id in the page."""
        return "field-" + self.path.replace(".", "-")

    @property
    def takes(self) -> str:
        """What of a map it can be filled with: `square` and `id` as far as its choices name such, else, where it is a
        number or a choice of numbers, what these count by its name; `x` and `y` are those of a square."""
        name = self.path.rpartition(".")[2]
        if self.widget == "number":
            return name
        values = [json.loads(value) for each in (self, *self.fields) for value, _, _ in each.choices]
        if values and all(type(value) is int for value in values):
            return name
        return " ".join(sorted({SQUARE if each.kind == SQUARE else "id" for each in marks_within(values)}))

    @property
    def leaves(self) -> tuple["FormField", ...]:
        """The fields within it that are filled in, each called by all of its labels; itself where it has none."""
        return tuple(
            replace(leaf, label=f"{inner.label} {leaf.label.lower()}" if inner.fields else leaf.label)
            for inner in self.fields
            for leaf in (inner.leaves if inner.fields else (inner,))
        )


@dataclass(frozen=True, slots=True)
class Making:
    """What the fields of one form are made with.

    defs: what references lead to. helps: descriptions of arguments. names: what ids and keys are called that
    have no title. commands: those that descriptions may name.
    """

    defs: Schema
    helps: Mapping[str, str | None] = field(default_factory=dict)
    names: NameOf = lambda thing: None
    commands: Collection[str] = ()

    def fields(
        self, schema: Schema, given: Mapping[str, Any], path: str = "", depth: int = 0, *, firm: bool = True
    ) -> Iterator[FormField]:
        """The fields of an object, but for those that may be left out and in which nothing can be said.

        given: values that are known already. firm: whether the object is needed itself.
        """
        needed = schema.get("required", ()) if firm else ()
        for name, part in schema.get("properties", {}).items():
            if name not in needed and _is_empty(self.resolve(part)):
                continue
            inner = f"{path}.{name}" if path else name
            yield self.field_of(inner, part, given.get(name), needed=name in needed, depth=depth)

    def field_of(self, path: str, part: Schema, given: Any, *, needed: bool, depth: int) -> FormField:
        """One field."""
        words = self.helps.get(path) or part.get("description") or ""
        default, part = part.get("default"), self.resolve(part)
        name = path.rpartition(".")[2]
        label = label_of(name)
        common: dict[str, Any] = {"path": path, "label": label, "needed": needed, "help": text_of(words, self.commands)}
        proposed = next(iter(part.get("examples", ())), part.get("default", default))
        value = given if given is not None else proposed
        values = choices_of(part)
        if values is not None:
            return self.choice(values, value, common | {"more": part.get("x-more", 0)})
        match part.get("type"):
            case "boolean":
                return FormField(reading="flag", widget="flag", value=bool(value), **common)
            case "integer":
                low, high = part.get("minimum"), part.get("maximum")
                shown = "" if value is None else value
                reading = "proposed" if part.get("examples") else "number"
                return FormField(reading=reading, widget="number", value=shown, low=low, high=high, **common)
            case "string":
                longest = part.get("maxLength")
                widget = "long" if longest is None or longest > LONG else "text"
                return FormField(reading="text", widget=widget, value=value or "", longest=longest, **common)
            case "array":
                return self.list_of(part, value, common, depth)
            case "object" if part.get("properties") and depth < DEEP:
                inner = tuple(
                    self.fields(part, value if isinstance(value, Mapping) else {}, path, depth + 1, firm=needed)
                )
                return FormField(reading="group", widget="group", fields=inner, **common)
        return _by_hand(common, "json", "" if value is None else json.dumps(value))

    def choice(self, values: Sequence[tuple[Any, str]], value: Any, common: dict[str, Any]) -> FormField:
        """One of some values; what leaves no choice is fixed, and shown where it has a name."""
        shown = tuple((json.dumps(each), title, each == value) for each, title in self.titled(values))
        if len(values) == 1 and common["needed"] and not common["more"]:
            (only, title, _), has_name = shown[0], shown[0][1] != str(values[0][0])
            widget = "fixed" if has_name else "hidden"
            return FormField(reading="json", widget=widget, value=only, choices=((only, title, True),), **common)
        return FormField(reading="json", widget="select", choices=shown, **common)

    def list_of(self, part: Schema, value: Any, common: dict[str, Any], depth: int) -> FormField:
        """A list: of choices, numbers, texts or objects."""
        item = self.resolve(part.get("items", {}))
        given = list(value) if isinstance(value, list | tuple) else []
        values = choices_of(item)
        if values is not None:
            common |= _bounds_of(part, common["help"], len(values))
        if values is not None and part.get("x-ordered"):
            return self.order_of(values, given, part, common)
        if values is not None and _may_repeat(part, values):
            return self.counts_of(values, given, part, common)
        if values is not None:
            shown = tuple((json.dumps(each), title, each in given) for each, title in self.titled(values))
            more = item.get("x-more", 0)
            return FormField(reading="choices", widget="choices", choices=shown, **common | {"more": more})
        if item.get("type") == "integer":
            return _by_hand(common, "numbers", " ".join(map(str, given)))
        if item.get("type") == "string" and values is None:
            return _by_hand(common, "lines", "\n".join(map(str, given)))
        if part.get("prefixItems") and depth < DEEP:
            return self.lines_of(part["prefixItems"], given, common, depth)
        if item.get("type") == "object" and item.get("properties") and depth < DEEP:
            most = part.get("maxItems")
            count = max(ITEMS, len(given) + SPARE, part.get("minItems", 0))
            count = count if most is None else min(count, most)
            path = common["path"]
            if part.get("x-ordered"):
                common["help"] = " ".join(filter(None, (common["help"], HINTS["sequence"])))
            inner = tuple(
                self.field_of(
                    f"{path}.{n}", item, given[n] if n < len(given) else None,
                    needed=n < part.get("minItems", 0), depth=depth + 1,
                )
                for n in range(count)
            )  # fmt: skip
            return FormField(reading="group", widget=_widget_of(inner), fields=inner, **common)
        return _by_hand(common, "json", json.dumps(given) if given else "")

    def lines_of(self, items: Sequence[Schema], given: Sequence[Any], common: dict[str, Any], depth: int) -> FormField:
        """A list whose every line says already what it is about: `Sea`, and beside it how many."""
        lines = []
        for place, item in enumerate(map(self.resolve, items)):
            known = {name: part["const"] for name, part in item.get("properties", {}).items() if "const" in part}
            found = (each for each in given if isinstance(each, Mapping) and known.items() <= each.items())
            line = self.field_of(f"{common['path']}.{place}", item, next(found, None), needed=False, depth=depth + 1)
            lines.append(replace(line, fields=tuple(map(_fix, line.fields))))
        return FormField(reading="group", widget=_widget_of(lines), fields=tuple(lines), **common)

    def order_of(
        self, values: Sequence[tuple[Any, str]], given: Sequence[Any], part: Schema, common: dict[str, Any]
    ) -> FormField:
        """Some of some choices in an order: each has a place, 1 for the first; what has none is left out.

        Where all are needed they begin as they are listed.
        """
        begun = list(given) or ([each for each, _ in values] if part.get("minItems", 0) >= len(values) else [])
        placed = {json.dumps(each): str(number) for number, each in enumerate(begun, 1)}
        keys = [(json.dumps(each), title) for each, title in self.titled(values)]
        rows = tuple(
            FormField(
                common["path"], title, "order", "place", value=placed.get(key, ""), choices=((key, title, False),)
            )
            for key, title in sorted(keys, key=lambda pair: int(placed.get(pair[0], len(keys) + 1)))
        )
        high, hint = len(keys), " ".join(filter(None, (common["help"], HINTS["order"])))
        return FormField(reading="order", widget="order", fields=rows, high=high, **common | {"help": hint})

    def counts_of(
        self, values: Sequence[tuple[Any, str]], given: Sequence[Any], part: Schema, common: dict[str, Any]
    ) -> FormField:
        """Some of some numbers, each as often as one likes, as two dice of one size: how many of each."""
        most = {
            json.dumps(value): each["maxContains"]
            for each in part.get("allOf", ())
            if "maxContains" in each
            for value, _ in choices_of(self.resolve(each.get("contains", {}))) or ()
        }
        keys = [(json.dumps(value), title) for value, title in self.titled(values)]
        times = Counter(map(json.dumps, given))
        rows = tuple(
            FormField(
                common["path"], title, "counts", "place", value=times[key] or "", high=most.get(key),
                choices=((key, title, False),),
            )
            for key, title in keys
        )  # fmt: skip
        hint = " ".join(filter(None, (common["help"], HINTS["counts"])))
        return FormField(reading="counts", widget="counts", fields=rows, **common | {"help": hint})

    def titled(self, values: Sequence[tuple[Any, str]]) -> list[tuple[Any, str]]:
        """Values with what they are called; those that are called alike are numbered in their order."""
        named = [(value, self.title(value, title)) for value, title in values]
        alike, met = Counter(title for _, title in named), Counter[str]()
        for place, (value, title) in enumerate(named):
            if alike[title] > 1:
                met[title] += 1
                named[place] = (value, f"{title} ({met[title]})")
        return named

    def title(self, value: Any, title: str) -> str:
        """What a value is called: that which has no title of its own by the names of what stands in it."""
        if title != value_words(value):
            return title
        words = value_words(value, self.names)
        return words if words == title else capital(words)

    def resolve(self, part: Schema) -> Schema:
        """A schema without a reference, and of several possibilities what they have together."""
        return resolve(part, self.defs)


def _bounds_of(part: Schema, words: str, choices: int) -> dict[str, Any]:
    """How many of some choices a list takes, and its help with that; no word where it takes as many as there are."""
    least, most = part.get("minItems", 0), part.get("maxItems")
    most = None if most is None or (part.get("uniqueItems") and most >= choices) else most
    if least == most:
        said = f"Exactly {least}."
    elif most is not None:
        said = f"{least} to {most}." if least else f"At most {most}."
    else:
        said = f"At least {least}." if least else ""
    return {"least": least, "most": most, "help": " ".join(filter(None, (words, said)))}


def _is_empty(part: Schema) -> bool:
    """Whether nothing can be said: an object without fields, a list that may hold nothing."""
    if part.get("type") == "array":
        return part.get("maxItems") == 0
    closed = part.get("type") == "object" and part.get("additionalProperties") is False
    return closed and not part.get("properties")


def _may_repeat(part: Schema, values: Sequence[tuple[Any, str]]) -> bool:
    """Whether a list may hold one of its numbers twice: more than one, and nothing says that no two are alike."""
    is_numbers = all(type(value) is int for value, _ in values)
    return is_numbers and not part.get("uniqueItems") and part.get("maxItems", 2) > 1


def _widget_of(items: Sequence[FormField]) -> str:
    """How a list of objects is written: as a table where each is a line of a few small fields."""
    cells = items[0].leaves if items else ()
    is_small = 0 < len(cells) <= MOST_COLUMNS and all(cell.widget in CELLS for cell in cells)
    return "table" if is_small else "group"


def _fix(field: FormField) -> FormField:
    """A field of a line that leaves no choice: it says what the line is about, and alone it makes no item."""
    if field.widget not in ("select", "fixed") or len(field.choices) != 1 or field.more:
        return field
    value, title, _ = field.choices[0]
    return replace(field, reading="fixed", widget="fixed", value=value, choices=((value, title, True),))


def _by_hand(common: dict[str, Any], reading: str, value: str) -> FormField:
    """A field that is written by hand."""
    words = " ".join(filter(None, (common["help"], HINTS[reading])))
    widget = "text" if reading == "numbers" else "long"
    return FormField(reading=reading, widget=widget, value=value, **common | {"help": words})
