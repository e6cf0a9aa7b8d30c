"""Write the modules of a ruleset from its OpenAPI document: `gods2.py`, and `aio/gods2.py` for asyncio.

Each component becomes a TypedDict, an alias or a literal of its own name; each operation a method: of `Game` what
stands below a game, of `Theogony` everything else. The module for asyncio has the same methods, to be awaited, and
takes the types from the other. What this does not know raises Unknown. Answers stay the dicts
that the service sends, so a field or an event that a newer service adds is no error.
"""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Node = dict[str, Any]
PRIMITIVES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "dict[str, Any]",
}
BELOW_GAME = "/api/v1/games/{game_id}/"
OF_THE_VIEW = {"as", "seat"}
"""Said once for a game, when it is opened."""
BY_HAND = {"state", "stream", "command", "command_now"}
RENAMED = {"game": "about"}
FLAGS = {"0", "1", "false", "true"}
HEAD = '''"""{title}: types and methods. Made from its OpenAPI document by generate.py; do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .choices import Choice, choices
from .games import GameBase
from .refusals import Refusal
from .service import Service
from .streams import Stream
'''
HEAD_OF_AIO = '''"""{title}, for asyncio: the methods of `theogony.{slug}`. Made from the same document; do not edit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

from ..choices import Choice, choices
from ..refusals import Refusal
from ..{slug} import (
{names})
from .games import GameBase
from .service import Service
from .streams import Stream
'''


class Unknown(Exception):
    """The document has a construct that this program does not know."""


def doc(text: str, indent: str) -> str:
    """A docstring's lines."""
    lines = text.replace("\\", "\\\\").replace('"""', "'''").strip().splitlines() or [""]
    if len(lines) == 1:
        end = " " if lines[0].endswith('"') else ""
        return f'{indent}"""{lines[0]}{end}"""\n'
    return (
        f'{indent}"""{lines[0]}\n' + "".join(f"{indent}{line}".rstrip() + "\n" for line in lines[1:]) + f'{indent}"""\n'
    )


def argument(name: str) -> str:
    """A parameter's name as one of Python."""
    name = re.sub(r"\W", "_", name)
    return f"{name}_" if keyword.iskeyword(name) else name


@dataclass
class Module:
    """The module that one document becomes."""

    document: Node
    is_async: bool = False
    classes: dict[str, str] = field(default_factory=dict)
    """Name -> source, for components and for objects inside of them."""
    aliases: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name -> (type, description), for components that are no objects."""

    def resolve(self, node: Node) -> Node:
        """What a reference points to."""
        while "$ref" in node:
            _, _, kind, name = node["$ref"].split("/")
            node = self.document["components"][kind][name]
        return node

    def flat(self, node: Node) -> Node:
        """An object with all its properties: those of `allOf` together."""
        node = self.resolve(node)
        properties, required = dict[str, Node](), set[str]()
        for part in [*map(self.flat, node.get("allOf", ())), node]:
            properties |= part.get("properties", {})
            required |= set(part.get("required", ()))
        return {**node, "properties": properties, "required": required}

    # --- types -------------------------------------------------------------------------------------------------------
    def annotation(self, node: Node, place: str) -> str:
        """The type of a schema. place: how an object that stands here, without a name of its own, is called."""
        match node:
            case {"$ref": ref}:
                return str(ref.rsplit("/", 1)[1])
            case {"const": value}:
                return f"Literal[{value!r}]"
            case {"enum": values}:
                return f"Literal[{', '.join(map(repr, values))}]"
            case {"oneOf": parts} | {"anyOf": parts}:
                return " | ".join(dict.fromkeys(self.annotation(part, place) for part in parts))
            case {"allOf": [part]}:
                return self.annotation(part, place)
            case {"allOf": _} | {"properties": _}:
                self.write_class(place, node)
                return place
            case {"prefixItems": parts}:
                return f"tuple[{', '.join(self.annotation(part, place) for part in parts)}]"
            case {"type": "array"}:
                return f"list[{self.annotation(node.get('items', {}), place + 'Item')}]"
            case {"type": "object", "additionalProperties": dict(values)} if values:
                return f"dict[str, {self.annotation(values, place + 'Value')}]"
            case {"type": list(kinds)}:
                return " | ".join(PRIMITIVES[kind] for kind in kinds)
            case {"type": kind}:
                return PRIMITIVES[kind]
            case _ if not set(node) - {"description", "title", "default", "example", "readOnly"}:
                return "Any"
        raise Unknown(f"{place}: {sorted(node)}")

    def write_class(self, name: str, node: Node) -> None:
        """An object as a TypedDict."""
        if name in self.classes:
            raise Unknown(f"{name} is needed for two objects")
        self.classes[name], flat = "", self.flat(node)
        types = {key: self.annotation(value, name + camel(key)) for key, value in flat["properties"].items()}
        types = {key: kind if key in flat["required"] else f"NotRequired[{kind}]" for key, kind in types.items()}
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in types):
            source = f"class {name}(TypedDict):\n" + doc(flat.get("description", f"`{name}`."), "    ")
            for key, kind in types.items():
                described = flat["properties"][key].get("description", "")
                source += f"\n    {key}: {kind}\n" + (doc(described, "    ") if described else "")
        else:
            rows = "".join(f"    {key!r}: {kind!r},\n" for key, kind in types.items())
            source = f"{name} = TypedDict({name!r}, {{\n{rows}}})\n"
        del self.classes[name]
        self.classes[name] = source

    def write_components(self) -> None:
        """All schemas."""
        for name, node in self.document["components"]["schemas"].items():
            plain = {key: value for key, value in node.items() if key not in ("title", "description")}
            if "properties" in plain or len(plain.get("allOf", ())) > 1:
                self.write_class(name, node)
            else:
                self.aliases[name] = self.annotation(plain, name), node.get("description", "")

    def sources_of_aliases(self) -> Iterator[str]:
        """The aliases, each below those that it names: they are evaluated, for use in annotations."""
        waiting = dict(self.aliases)
        while waiting:
            ready = [name for name, (kind, _) in waiting.items() if not set(re.findall(r"\w+", kind)) & waiting.keys()]
            if not ready:
                raise Unknown(f"{', '.join(waiting)} name each other")
            for name in ready:
                kind, described = waiting.pop(name)
                yield f"{name}: TypeAlias = {kind}\n" + (doc(described, "") if described else "")

    # --- methods -----------------------------------------------------------------------------------------------------
    def methods(self) -> Iterator[tuple[bool, str, str]]:
        """(whether it is a game's, name, source) of each operation."""
        for path, operations in self.document["paths"].items():
            for verb, operation in operations.items():
                if operation["operationId"] not in BY_HAND:
                    yield self.method(path, verb, operation)

    def method(self, path: str, verb: str, operation: Node) -> tuple[bool, str, str]:
        """One operation."""
        of_game = path.startswith(BELOW_GAME)
        name = str(RENAMED.get(operation["operationId"], operation["operationId"]))
        given = [self.resolve(each) for each in operation.get("parameters", ())]
        answer, kind = self.answer(operation)
        paged = "Iterator[" in answer
        keyed = any(each["name"] == "Idempotency-Key" for each in given)
        query = {
            each["name"]: self.query_type(each["schema"])
            for each in given
            if each["in"] == "query"
            and not (of_game and each["name"] in OF_THE_VIEW)
            and not (paged and each["name"] == "cursor")
            and each["name"] not in ("dry_run", "format")
        }
        places = [argument(each) for each in re.findall(r"\{(\w+)\}", path) if not (of_game and each == "game_id")]
        signature = ["self", *(f"{each}: str" for each in places)]
        sent = operation.get("requestBody")
        if sent:
            type_of_body = self.annotation(sent["content"]["application/json"]["schema"], name)
            signature.append(f"body: {type_of_body}" + ("" if sent.get("required") else " | None = None"))
        more = {argument(each): f"{kind_} | None = None" for each, kind_ in query.items()}
        more |= {"key": "str | None = None"} if keyed else {}
        signature += ["*", *(f"{each}: {kind_}" for each, kind_ in more.items())] if more else []
        rest = re.sub(
            r"\{(\w+)\}", lambda found: f"{{{argument(found[1])}}}", path.removeprefix(BELOW_GAME) if of_game else path
        )
        words = [f'f"{rest}"' if "{" in rest else f'"{rest}"']
        asked = f"{{{', '.join(f'{each!r}: {argument(each)}' for each in query)}}}"
        match verb, of_game:
            case "get", True:
                call = ("self.read(", "self.text(")[kind == "text"]
                words += [asked] if query else []
            case "get", False:
                call = "self.pages(" if paged else ("self.json(", "self.text(")[kind == "text"]
                words = ['"GET"', *words] if call == "self.json(" else words
                words += [f"query={asked}"] if query else []
            case _, True:
                call = "self.post("
                words += ["body or {}" if not sent.get("required") else "body"] if sent else []
                words += [f"query={asked}"] if query else []
                words += ["key=key"] if keyed else ["keyed=False"]
            case _:
                call, words = "self.json(", [repr(verb.upper()), *words]
                words += [f"query={asked}"] if query else []
                words += ["body=body"] if sent else []
        awaits = self.is_async and not paged
        result = f"{'await ' if awaits else ''}{call}{', '.join(words)})"
        lines = f"    {'async ' if awaits else ''}def {name}({', '.join(signature)}) -> {answer}:\n"
        lines += doc(str(operation.get("description", operation["summary"])), "        ")
        lines += (
            f"        {result}\n" if answer == "None" else f"        found: {answer} = {result}\n        return found\n"
        )
        return of_game, name, lines

    def query_type(self, schema: Node) -> str:
        """The type of a parameter: those that are 1 or 0 are booleans."""
        is_flag = set(self.resolve(schema).get("enum", ())) == FLAGS
        return "bool" if is_flag else self.annotation(schema, "Parameter")

    def answer(self, operation: Node) -> tuple[str, str]:
        """(the type that a method returns, json or text or nothing). A list in pages becomes an iterator."""
        good = operation["responses"]
        content = self.resolve(good.get("201") or good.get("200") or {}).get("content", {})
        if not content:
            return "None", "nothing"
        if "application/json" not in content:
            return "str", "text"
        schema = content["application/json"]["schema"]
        fields = self.flat(schema)["properties"]
        if {"results", "next", "previous"} <= set(fields):
            return (
                f"{'Async' if self.is_async else ''}Iterator[{self.annotation(fields['results']['items'], 'Entry')}]",
                "json",
            )
        return self.annotation(schema, "Answer"), "json"

    def source(self) -> str:
        """The whole module."""
        self.write_components()
        title = self.document["info"]["title"]
        slug = title.rpartition(" ")[2]
        taken = dict[tuple[bool, str], str]()
        for of_game, name, source in self.methods():
            short = re.sub(f"^({slug}|core)_", "", name) if of_game else name
            short = name if (of_game, short) in taken else short
            if (of_game, short) in taken:
                raise Unknown(f"two methods would be called {short}")
            taken[of_game, short] = source.replace(f"def {name}(", f"def {short}(", 1)
        of_service = "\n".join(source for (of_game, _), source in taken.items() if not of_game)
        of_games = "\n".join(source for (of_game, _), source in taken.items() if of_game)
        types = [*self.classes, *self.aliases]
        if self.is_async:
            begin = [HEAD_OF_AIO.format(title=title, slug=slug, names="".join(f"    {name},\n" for name in types))]
        else:
            begin = [HEAD.format(title=title), *self.classes.values(), *self.sources_of_aliases()]
        return "\n\n".join(
            [
                *begin,
                "class Game(GameBase[GameEvent, GameState]):\n"
                f'    """A game, as one seat sees it; see GameBase."""\n\n{of_games}',
                f'class Theogony(Service):\n    """One service, and who holds the token; see Service."""\n\n'
                f'    def game(self, game: str, *, seat: str = "", as_gm: bool = False) -> Game:\n'
                f'        """A game, as this seat sees it; as_gm: as game-master. Nothing is asked yet."""\n'
                f"        return Game(self, game, seat=seat, as_gm=as_gm)\n\n{of_service}",
                "__all__ = " + repr(["Choice", "Game", "Refusal", "Stream", "Theogony", "choices", *types]) + "\n",
            ]
        )


def camel(name: str) -> str:
    """`due_in` as `DueIn`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"\W|_", name))


def write_modules(document: Path, package: Path) -> None:
    """Write both modules of one document into a package. Raises Unknown."""
    found = yaml.load(document.read_text(), Loader=yaml.CSafeLoader)
    for folder, is_async in ((package, False), (package / "aio", True)):
        (folder / f"{document.stem}.py").write_text(Module(found, is_async).source())
