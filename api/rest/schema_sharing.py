"""What several operations of the OpenAPI document have in common is said once: as a component, and referred to."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from api.common.openapi import METHODS
from api.rest.schema_commands import COMMAND

Operation = dict[str, Any]
ODD = re.compile(r"[^A-Za-z0-9._-]")


def share(document: dict[str, Any]) -> None:
    """Put parameters and answers that stand in more than one operation among the components."""
    components = document["components"]
    shared = _shared_parts([p for _, o in operations(document) for p in o.get("parameters", ())], _parameter_name)
    for parameter in _of_commands(document):
        shared.setdefault(_text(parameter), (_free_name(parameter["name"], shared), parameter))
    components["parameters"] = dict(sorted(shared.values(), key=lambda each: each[0]))
    for _, operation in operations(document):
        if "parameters" in operation:
            operation["parameters"] = [_ref("parameters", p, shared) for p in operation["parameters"]]
    answers = _shared_parts([a for _, o in operations(document) for a in o["responses"].values()], _answer_name)
    components["responses"] |= dict(sorted(answers.values(), key=lambda each: each[0]))
    for _, operation in operations(document):
        operation["responses"] = {s: _ref("responses", a, answers) for s, a in operation["responses"].items()}


def name_choices(document: dict[str, Any]) -> None:
    """Let no choice inside a component be called as another component, or the choice of a parameter, is.

    Generators call the choice of `action` in `DietowerHold` DietowerHoldAction. Where a component of that name is the
    same choice, the field refers to it; where it is anything else, the choice becomes a component of its own.
    """
    schemas = document["components"]["schemas"]
    taken = {name.casefold(): name for name in schemas} | {
        name.casefold(): name for name in _parameter_choices(document)
    }
    for component, schema in list(schemas.items()):
        for field, found in schema.get("properties", {}).items():
            derived = name_inside(component, field)
            if "enum" not in found or (name := taken.get(derived.casefold())) is None:
                continue
            choice = {key: found.pop(key) for key in ("enum", "type")}
            if schemas.get(name, {}).get("enum") != choice["enum"]:
                name = f"{derived}Choice"
                schemas[name] = choice
            found["$ref"] = f"#/components/schemas/{name}"


def name_inside(outer: str, inner: str) -> str:
    """What generators call a choice: the words of what it stands in, then its own, each with a capital."""
    return "".join(word[:1].upper() + word[1:] for word in (*outer.split("_"), *inner.split("_")))


def _parameter_choices(document: dict[str, Any]) -> Iterator[str]:
    for _, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            if "enum" in parameter.get("schema", ()):
                yield name_inside(operation["operationId"], parameter["name"])


def operations(document: dict[str, Any]) -> Iterator[tuple[str, Operation]]:
    """Every operation with its address."""
    for address, found in document["paths"].items():
        for method, operation in found.items():
            if method in METHODS:
                yield address, operation


def _of_commands(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What each command takes; the documents of the parts refer to it, too."""
    for operation in document["paths"].get(COMMAND, {}).values():
        yield from operation.get("parameters", ())


def _shared_parts(found: list[dict[str, Any]], name_of: Any) -> dict[str, tuple[str, dict[str, Any]]]:
    """Name and content of what is there more than once, by its text; of one name the most frequent bears it alone."""
    counts = Counter(_text(each) for each in found if "$ref" not in each)
    shared: dict[str, tuple[str, dict[str, Any]]] = {}
    for text, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        if count > 1:
            content = json.loads(text)
            shared[text] = (_free_name(name_of(content), shared), content)
    return shared


def _free_name(name: str, taken: dict[str, tuple[str, dict[str, Any]]]) -> str:
    names = {each for each, _ in taken.values()}
    return next(each for each in (name, *(f"{name}_{n}" for n in range(2, 99))) if each not in names)


def _parameter_name(parameter: dict[str, Any]) -> str:
    return ODD.sub("_", parameter["name"])


def _answer_name(answer: dict[str, Any]) -> str:
    """The component that is answered, else the kind of content; `NotModified` where there is none."""
    for kind, content in answer.get("content", {}).items():
        address = content["schema"].get("$ref", "")
        return address.rsplit("/", 1)[-1] or ODD.sub("_", kind.rsplit("/", 1)[-1]).title()
    return "NotModified"


def _ref(kind: str, content: dict[str, Any], shared: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    if "$ref" in content or (found := shared.get(_text(content))) is None:
        return content
    return {"$ref": f"#/components/{kind}/{found[0]}"}


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content)
