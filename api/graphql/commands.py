"""Mutations: one for each command of each ruleset that people may issue, `gods2DeclareWar`.

The command's class is the definition, as in REST: the input is mapped from it, and the same model judges what came.
A refusal is data, so that the other mutations of a request are still answered.
"""

from datetime import datetime
from inspect import Parameter as _Parameter
from inspect import Signature as _Signature
from typing import Annotated, Any
from uuid import UUID

import orjson
import strawberry
from strawberry.scalars import JSON
from strawberry.utils.str_converters import to_camel_case

from api.common.exceptions import Fault
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.events import GameEvent, typed_value
from api.graphql.mapping import Inputs, as_json, either, many, object_type
from api.representations.issuing.batch import BatchedCommand, issue_batch
from api.representations.issuing.issue import KEY, issue
from games import registry
from games.engine.kernel import Command

ErrorPlace: Any = object_type(
    "ErrorPlace",
    {"pointer": str | None, "parameter": str | None, "code": str, "detail": str},
    {"pointer": "JSON pointer into the input.", "parameter": "The argument at fault."},
    "One member of what was sent, and what is wrong there.",
    more={
        "pointer": strawberry.field(resolver=lambda root: camel(root.get("pointer")), graphql_type=str | None),
        "parameter": strawberry.field(resolver=lambda root: root.get("parameter"), graphql_type=str | None),
    },
)
Refusal: Any = object_type(
    "Refusal",
    {
        "code": str,
        "title": str,
        "detail": str,
        "status": int,
        "rules": list[str],
        "facts": JSON,
        "errors": many(ErrorPlace),
    },
    {
        "code": "`noun.reason`, stable, for programs.",
        "title": "The same for every refusal of this code.",
        "detail": "Who, what is missing, what would do; for people.",
        "status": "The HTTP status that REST answers with.",
        "rules": "Ids of the rules that say so.",
        "facts": "The numbers and names behind it.",
        "errors": "The members of the input at fault.",
    },
    "Why something was not done; nothing has changed.",
    apart=True,
)
CommandDone: Any = object_type(
    "CommandDone",
    {"cursor": str, "at": datetime, "replayed": bool, "dry_run": bool, "events": list[GameEvent]},
    {
        "cursor": "Where the viewer stands now: the next `expected` and `after`.",
        "at": "The game's time of the command.",
        "replayed": "Whether this is the answer to an earlier request with the same idempotencyKey.",
        "dry_run": "Whether this only says what would happen; then nothing was stored, and real dice will differ.",
        "events": "What happened, as far as the viewer may see it.",
    },
    "What a command did.",
    apart=True,
)
BatchDone: Any = object_type(
    "BatchDone",
    {"results": many(CommandDone)},
    {"results": "What each did, in their order."},
    "What commands did that were issued together.",
    apart=True,
)
BatchResult: Any = Annotated[either((BatchDone, Refusal)), strawberry.union("BatchResult")]
CommandResult: Any = Annotated[either((CommandDone, Refusal)), strawberry.union("CommandResult")]


def camel(pointer: str | None) -> str | None:
    """A pointer into a JSON body as one into the input: names as GraphQL writes them."""
    if pointer is None or pointer.startswith("/commands/"):  # a batch has its bodies as JSON
        return pointer
    return "/".join(part if part.isdigit() else to_camel_case(part) for part in pointer.split("/"))


def input_name(slug: str, kind: type[Command]) -> str:
    """The name of a command's input: the table's once for all games, the others by game."""
    return f"{'' if registry.owner(slug, kind.__name__) == registry.CORE else slug.title()}{kind.__name__}Input"


def mutations(inputs: Inputs) -> dict[str, Any]:
    """The mutations of every ruleset by their Python names."""
    made: dict[Any, Any] = {}
    found = {}
    for rules in registry.rulesets():
        for name, kind in rules.open_commands.items():
            if kind.model_fields and kind not in made:
                made[kind] = inputs.named_type(input_name(rules.slug, kind), kind)
            found[f"{rules.slug}_{name.replace('-', '_')}"] = mutation_of(rules.slug, name, kind, made.get(kind))
    return found


def mutation_of(slug: str, name: str, kind: type[Command], input_type: Any) -> Any:
    """The mutation of one command; without an argument `input` where the command has no fields."""

    def resolve(info: strawberry.Info, **arguments: Any) -> Any:
        context = context_of(info)
        return answer(context, lambda: run_mutation(context, slug, name, **arguments))

    required = any(found.is_required() for found in kind.model_fields.values())
    hints = {
        "info": strawberry.Info,
        "game": UUID,
        **({"input": input_type if required else input_type | None} if input_type is not None else {}),
        "idempotency_key": str | None,
        "expected": str | None,
        "dry_run": bool,
        "seat": UUID | None,
        "as_gm": bool,
    }
    defaults = {"idempotency_key": None, "expected": None, "dry_run": False, "seat": None, "as_gm": False}
    if input_type is not None and not required:
        defaults["input"] = None
    typed = with_arguments(resolve, hints, defaults)
    field: Any = strawberry.mutation(resolver=typed, graphql_type=CommandResult, description=description_of(kind))
    return field


def description_of(kind: type[Command]) -> str:
    """The command's docstring and the rules it follows."""
    return f"{kind.summary()}\n\nRules: {', '.join(kind.rules)}." if kind.rules else kind.summary()


def with_arguments(resolve: Any, hints: dict[str, Any], defaults: dict[str, Any]) -> Any:
    """A resolver with these arguments, as strawberry reads them: a signature made of hints and defaults."""
    parameters = [
        _Parameter(name, _Parameter.KEYWORD_ONLY, default=defaults.get(name, _Parameter.empty), annotation=hint)
        for name, hint in hints.items()
    ]
    resolve.__signature__ = _Signature(parameters)
    resolve.__annotations__ = dict(hints)
    return resolve


def run_mutation(
    context: OperationContext,
    slug: str,
    name: str,
    *,
    game: UUID,
    input: Any = None,
    idempotency_key: str | None = None,
    expected: str | None = None,
    dry_run: bool = False,
    seat: UUID | None = None,
    as_gm: bool = False,
) -> dict[str, Any]:
    """Issue it, answer. Raises Refused, Fault, pydantic's ValidationError."""
    context.may_act(as_gm=as_gm)
    _check_key(idempotency_key)
    done = issue(
        context.principal, game, name, orjson.dumps(as_json(input) if input is not None else {}),
        seat=seat, as_gm=as_gm, key=idempotency_key or "", expected=expected or "", dry_run=dry_run, ruleset=slug,
    ).json()  # fmt: skip
    return _command_done(slug, done)


def _check_key(idempotency_key: str | None) -> None:
    """Raise Fault for what is no key."""
    if idempotency_key is not None and not KEY.fullmatch(idempotency_key):
        raise Fault("request.unfit", "idempotencyKey has 1 to 255 printable ASCII characters.")


def _command_done(slug: str, done: dict[str, Any]) -> dict[str, Any]:
    events = [typed_value(slug, event) for event in done["events"]]
    return {"replayed": False, "dry_run": False} | done | {"events": events, "__typename": "CommandDone"}


@strawberry.input(description="One command of several that are done together.")
class BatchCommandInput:
    """As an element of `commands` of REST's `batch/`."""

    name: str = strawberry.field(description="The command, such as `declare-war`.")
    body: JSON | None = strawberry.field(default=None, description="Its body, as REST takes it; `{}` when absent.")
    seat: UUID | None = strawberry.field(default=None, description="Through which seat.")


def play_all(
    info: strawberry.Info,
    game: UUID,
    commands: list[BatchCommandInput],
    idempotency_key: str | None = None,
    expected: str | None = None,
    dry_run: bool = False,
    as_gm: bool = False,
) -> Any:
    """Execute some commands of a game one after the other: all of them, once, or none.

    Where one is refused none is done: the refusal is that command's own, with `command_index` (from 0) in its facts.
    A command that rolls dice or opens a secret can only be the last (`batch.goes_on`).
    """
    context = context_of(info)

    def act() -> dict[str, Any]:
        context.may_act(as_gm=as_gm, times=max(1, len(commands)))
        _check_key(idempotency_key)
        sent = [BatchedCommand(each.name, {} if each.body is None else each.body, each.seat) for each in commands]
        answers = issue_batch(
            context.principal, game, sent, as_gm=as_gm, key=idempotency_key or "", expected=expected or "",
            dry_run=dry_run,
        )  # fmt: skip
        results = [_command_done(each.viewer.game.ruleset, each.json()) for each in answers]
        return {"results": results, "__typename": "BatchDone"}

    return answer(context, act)


MUTATIONS = {"play_all": strawberry.mutation(resolver=play_all, graphql_type=BatchResult, description=play_all.__doc__)}
