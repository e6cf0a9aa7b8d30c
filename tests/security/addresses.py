"""Every way to read something of a game: the addresses of REST, and GraphQL as its schema says.

Both are walked, not listed: a route that nothing here knows how to ask is an error, so a new one cannot be forgotten.
Questions hold ids, filters and values of the secret itself, as one who guesses would ask. Long for one reason: the walk
of the routes and that of the graph share what they guess with.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models.constants import LOOKUP_SEP
from django.urls import get_resolver
from graphql import (
    GraphQLEnumType,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from api.graphql.schema import schema
from api.representations.resources.resource import Resource
from api.representations.resources.state_tables import own_resources
from api.representations.resources.worlds import RESOURCES, WORLDS
from games import registry
from games.engine.insight.charts import About
from tests.security.grounds import Ground
from worlds.models import Race

SIGN_IN = ("oauth/", ".well-known/", "admin/login/", "admin/password_change/")
"""Where people sign in: nothing of a game is shown there (tests/accounts)."""
MISSING = UUID("00000000-0000-4000-8000-00000000dead")
ROWS_ASKED = 1  # of each kind from either end, and of each filter
VARIANTS: dict[str, tuple[str, ...]] = {
    "prompts": ("all=1",),
    "events": ("limit=500", "limit=2", "limit=500&after={first}"),
    "dice": ("limit=500",),
    "chronicle": ("format=text&limit=1000", "format=markdown&limit=1000", "chapter=1&limit=1000"),
    "breakdowns": ("subject={race}", "x=1&y=1", "x=1&y=0"),
    "reaches": ("subject={race}",),
    "rewind-preview": ("to=0&limit=500", "to=1&limit=500"),
    "map": ("chapter=0", "chapter=1", "chapter=2"),
    "replay": ("at=0", "at=1"),
    "replay-body": ("at=0", "at=1"),
    "replay-map": ("at=0", "at=1"),
    "replay-recap": ("at=0",),
    "replay-chart": ("at=0",),
    "chart": ("subject={race}",),
    "chart-svg": ("subject={race}",),
    "tree": ("subject={race}",),
    "tree-svg": ("subject={race}",),
    "games": ("mine=1", "mine=1&asked=1", "ruleset={slug}&limit=1"),
}
PICTURES = ("/charts/", "/trees/", "chapter=")
"""What stands in the addresses of charts, trees and past centuries: dear to ask, since the log is folded for them."""
NOT_ASKED: dict[str, str] = {
    "choose-ruleset": "asks for a session: tests/event_pages",
    "open-game": "asks for a session: tests/event_pages",
    "accents": "colours of rulesets, the same for all",
    "desk": "asks for a session: tests/event_pages",
    "desk-body": "asks for a session: tests/event_pages",
    "desk-ticket": "asks for a session: tests/event_pages",
    "desk-amend": "asks for a session: tests/event_pages",
    "desk-map": "asks for a session: tests/event_pages",
    "join-game": "shows the holder of a code what it is for: tests/event_pages/test_joining",
    "demo-chat": "takes lines alone: tests/chat_hooks/test_demo",
    "demo-sign-in": "signs in: tests/games/demo/test_demo_sign_in",
    "forgotten-password": "shows nothing of any game: tests/event_pages/test_forgotten_password",
    "new-password": "shows nothing of any game: tests/event_pages/test_forgotten_password",
    "confirm-email": "shows nothing of any game: tests/event_pages/test_confirmed_email",
    "answer": "shows the question of its key to who is asked: tests/notifications/test_answering",
    "mail-off": "shows nothing of any game: tests/notifications/test_mailing",
    "take-seat": "asks for a session: tests/event_pages/test_free_seats",
    "calendar-page": "asks for a session, and shows nothing of any game: tests/event_pages/test_calendar",
    "notifications-page": "asks for a session, and shows one's own: tests/notifications",
    "calendar": "shows its owner's own turns: tests/event_pages/test_calendar",
    "sign-up": "shows nothing of any game: tests/event_pages/test_sign_up",
    "sign-up-page": "shows nothing of any game: tests/event_pages/test_sign_up",
    "play-now": "asks for a session, and takes a press alone: tests/event_pages/test_practice",
    "own-seat": "asks for a session: tests/event_pages",
    "seat": "asks for a session: tests/event_pages",
    "seat-body": "asks for a session: tests/event_pages",
    "seat-may": "asks for a session: tests/event_pages",
    "seat-at": "asks for a session: tests/event_pages",
    "desk-picture": "asks for a session: tests/event_pages",
    "desk-at": "asks for a session: tests/event_pages",
    "seat-map": "asks for a session: tests/event_pages",
    "seat-ticket": "asks for a session: tests/event_pages",
    "desk-mute": "asks for a session: tests/event_pages",
    "seat-mute": "asks for a session: tests/event_pages",
    "seat-command": "asks for a session: tests/event_pages",
    "desk-command": "asks for a session: tests/event_pages",
    "stream": "is listened to in test_leaks_of_streams",
    "docs": "a page, the same for all",
    "schema": "is made of classes before any game begins: test_the_schema_and_the_rulesets_are_the_same",
    "asyncapi": "is made of classes before any game begins",
    "graphql": "is asked by the queries below",
    "graphql-asset": "files of a page",
    "graphql-schema": "is made of classes before any game begins",
    "icon": "is one drawing",
    "livez": "says that the process lives",
    "readyz": "asks the database, not a game",
    "metrics": "for operators; test_canaries looks at it",
    "me": "is about the user alone",
    "tokens": "one's own",
    "notifications": "one's own: tests/notifications",
    "notifications-count": "one's own: tests/notifications",
    "notification-settings": "one's own: tests/notifications",
    "push-subscriptions": "one's own, without endpoints: tests/notifications/test_push_api",
    "push-worker": "one script, the same for all",
    "webhooks": "one's own: tests/webhooks",
    "muted-seats": "one's own: tests/api/test_messages",
    "webhook": "one's own: tests/webhooks",
    "webhook-endpoints": "one's own: tests/webhooks/test_endpoints",
    "webhook-endpoint": "one's own: tests/webhooks/test_endpoints",
    "deliveries": "one's own, without content: tests/webhooks",
    "chat-hooks": "one's own: tests/chat_hooks",
    "chat-hook": "one's own: tests/chat_hooks",
    "invitations": "for administrators; their codes are in test_canaries",
}
READ_TOO = frozenset({"command"})
"""Of what is acted upon, what also answers what may be done."""
ONE_COMMAND_IN = 9
"""Of the commands each is answered by one view; so many are asked."""
OWN = frozenset(
    {
        "calendar-address",
        "email-confirmation",
        "webhook-secret",
        "webhook-endpoint-secret",
        "webhook-test",
        "delivery-replay",
        "chat-hook-test",
        "muted-seat",
    }
) | {"notifications-read", "push-subscription", "push-renewals"}
ACTING = frozenset({"tickets-of-game", "sign-up", "password", "token", "join", "command", "batch", "forecast"}) | OWN
"""Routes that are only acted upon: nothing is read there. What they answer is looked at by `looking.acted`."""


@dataclass(frozen=True)
class Question:
    """One request: its address, with what it sends when it is no GET."""

    path: str
    body: str = ""
    of_game: bool = False
    """Whether a game-master asks with a game-master's visibility (`as=gm`)."""


@dataclass
class Hidden:
    """What one who guesses would ask for: ids of all rows, and a value for every filter."""

    keys: dict[str, list[Any]] = field(default_factory=dict)
    values: dict[str, list[tuple[str, Any]]] = field(default_factory=dict)
    columns: dict[str, list[tuple[str, Any]]] = field(default_factory=dict)
    """A value of every shown column, for the filters of the graph."""

    def learn(self, resource: Resource, *, values: bool) -> None:
        """Look at the rows as nobody else may. values: for the filters too; rows of worlds hold no secret."""
        rows = resource.model._default_manager.all()
        if resource.key is not None:
            last = rows.order_by(f"-{resource.order[-1].lstrip('-')}").values_list(resource.key, flat=True)
            first = rows.order_by(resource.order[-1].lstrip("-")).values_list(resource.key, flat=True)
            found = [*last[:ROWS_ASKED], *first[:ROWS_ASKED], MISSING]
            self.keys[resource.type_name] = list(dict.fromkeys(found))
        if not values:
            return
        for name in resource.fields:
            column: Any = resource.model._meta.get_field(name)
            known = rows.exclude(**{name: None}).order_by("-pk").values_list(column.attname, flat=True).distinct()
            if name not in resource.parsed:
                self.columns.setdefault(resource.type_name, []).extend((name, v) for v in known[:ROWS_ASKED] if v != "")
        pairs: list[tuple[str, Any]] = []
        for parameter, path in resource.filters.items():
            _, lookup = resource.filter_field(parameter)
            column = path.removesuffix(f"{LOOKUP_SEP}{lookup}")
            held = rows.exclude(**{column: None}).order_by("-pk").values_list(column, flat=True).distinct()
            pairs += [(parameter, value) for value in held[:ROWS_ASKED]]
        self.values[resource.type_name] = pairs


def text_of(value: Any) -> str:
    """A value as an address writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def hidden_ids(ground: Ground) -> Hidden:
    """All that is to be guessed in a game's own rows and in worlds."""
    found = Hidden()
    for resource in (*own_resources(ground.slug), WORLDS, *RESOURCES):
        found.learn(resource, values=resource not in RESOURCES)
    return found


# --- REST ------------------------------------------------------------------------------------------------------------


def routes(patterns: Iterable[Any] | None = None, prefix: str = "") -> Iterator[tuple[str, str, Any]]:
    """(template, name, view) of every address, those of the admin left out."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        here = prefix + str(pattern.pattern)
        if here.startswith(SIGN_IN):
            continue
        if hasattr(pattern, "url_patterns"):
            if here != "admin/":
                yield from routes(pattern.url_patterns, here)
            continue
        callback = pattern.callback
        yield here, pattern.name, getattr(callback, "cls", None) or getattr(callback, "view_class", callback)


def of_other_game(template: str, slug: str) -> bool:
    """Whether an address is another ruleset's."""
    return any(template.startswith(f"api/v1/{other}/") for other in registry.folders() if other != slug)


def rest(ground: Ground, hidden: Hidden, first: str) -> Iterator[Question]:
    """Every address that is read, with its variants. first: the cursor of the first event."""
    race = race_of(ground)
    for template, name, view in routes():
        if name in NOT_ASKED or (name in ACTING and name not in READ_TOO) or of_other_game(template, ground.slug):
            continue
        resource: Resource | None = getattr(view, "resource", None)
        if not hasattr(view, "get"):
            raise LookupError(f"{template} is neither read nor listed as acted upon")
        if ground.game.world_id is None and ("<uuid:world_id>" in template or resource in RESOURCES):
            continue  # no world has a row about this game
        for path in fill_template(template, ground, hidden, resource):
            of_game = "<uuid:game_id>" in template
            queries = ["", *VARIANTS.get(name, ())]
            if resource is not None and resource.type_name in hidden.values and "<uuid:" not in template:
                queries += filters(resource, ground, hidden)
            for query in queries:
                query_text = query.format(first=first, slug=ground.slug, race=race)
                yield Question(f"/{path}{'?' if query_text else ''}{query_text}", of_game=of_game)


def race_of(ground: Ground) -> UUID:
    """A race of the game's world; a missing id where there is none."""
    races = Race.objects.filter(world=ground.game.world_id).order_by("pk")
    return next(iter(races.values_list("pk", flat=True)), MISSING)


def fill_template(template: str, ground: Ground, hidden: Hidden, resource: Resource | None) -> Iterator[str]:
    """A template with ids put in. Raises LookupError for a place that nothing fits."""
    known = {
        "<uuid:game_id>": str(ground.game.pk),
        "<uuid:world_id>": str(ground.game.world_id),
        "<slug:slug>": ground.slug,
    }
    for place, value in known.items():
        template = template.replace(place, value)
    rules = registry.ruleset(ground.slug)
    named = {"/charts/": rules.charts, "/trees/": rules.trees}
    if "<slug:name>" in template and (kind := next((kind for kind in named if kind in template), "")):
        yield from (template.replace("<slug:name>", name) for name in sorted(named[kind]))
    elif "/cards/" in template:
        yield from (
            template.replace("<slug:kind>", kind).replace("<uuid:card_id>", str(card))
            for kind, card in cards_asked(ground, hidden)
        )
    elif "<uuid:key>" in template and resource is not None:
        yield from (template.replace("<uuid:key>", str(key)) for key in hidden.keys.get(resource.type_name, ()))
    elif "<str:command>" in template:
        yield from (template.replace("<str:command>", name) for name in sorted(rules.open_commands)[::ONE_COMMAND_IN])
    elif "<" in template:
        raise LookupError(f"nothing says how {template} is asked")
    else:
        yield template


def cards_asked(ground: Ground, hidden: Hidden) -> Iterator[tuple[str, UUID]]:
    """Of each kind a card that stands on the table, one of a hidden row, and one that is none."""
    state = ground.state()
    secret = sorted({key for keys in hidden.keys.values() for key in keys if isinstance(key, UUID)}, key=str)
    for kind, deck in sorted(registry.ruleset(ground.slug).cards.items()):
        for card in (*[each.id for each in deck.names(state)][:ROWS_ASKED], *secret[:ROWS_ASKED], MISSING):
            yield kind, card


def filters(resource: Resource, ground: Ground, hidden: Hidden) -> Iterator[str]:
    """Questions that would give a value away: each filter with values that hidden rows hold, an order, small pages."""
    framed = {"game": str(ground.game.pk)} if "game" in resource.filters else {}
    yield urlencode({**framed, "limit": 1})
    yield urlencode({**framed, "ordering": f"-{resource.fields[-1]}"})
    for parameter, value in hidden.values[resource.type_name]:
        yield urlencode({**framed, parameter: text_of(value)})


# --- GraphQL ---------------------------------------------------------------------------------------------------------

DEPTH = 2
LISTS_AT_ONCE = 6
"""Lists of one query: more would be refused as too costly."""
OWN_QUERIES = frozenset({"me", "tokens", "invitations", "webhooks", "deliveries", "chatHooks", "mutedSeats"}) | {
    "notifications",
    "unreadNotifications",
    "notificationSettings",
    "pushSubscriptions",
    "pushKey",
    "webhookEndpoints",
}
OF_WORLDS = frozenset(f"{resource.type_name}{many}" for resource in RESOURCES for many in ("", "CursorConnection"))


def graphql(
    ground: Ground, hidden: Hidden, *, as_gm: bool = False, only: str = "", depth: int = DEPTH
) -> Iterator[Question]:
    """Every path of the graph: from each root field all that is reached within some steps.

    only: one root field. depth: of the rows of a game: 0 for none, 1 for their columns, 2 with pictures, too.
    """
    root = schema._schema.query_type
    for name, found in root.fields.items():
        kind = get_named_type(found.type)
        if name in OWN_QUERIES or only not in ("", name) or _another_games(kind.name, ground.slug):
            continue
        if ground.game.world_id is None and kind.name in OF_WORLDS:
            continue
        if name == "game":
            yield from _of_game(ground, hidden, as_gm=as_gm, depth=depth)
            continue
        selected = "" if is_leaf_type(kind) else _selection(kind, DEPTH)
        for arguments in _arguments(found, ground, hidden):
            yield _query(f"{name}{_in_brackets(arguments)} {selected}")


def _of_game(ground: Ground, hidden: Hidden, *, as_gm: bool, depth: int) -> Iterator[Question]:
    """A game: what every game has, then the rows of its own type, and each list narrowed by what hidden rows hold."""
    head = f'game(id: "{ground.game.pk}"{", asGm: true" if as_gm else ""})'
    interface, own = schema._schema.type_map["Game"], schema._schema.type_map[f"{ground.slug.title()}Game"]
    more = _pictures(ground, hidden) if depth == DEPTH else ""
    graph = {"world", "seats", "mySeats"}
    common = [_part(name, found, DEPTH + 1) for name, found in interface.fields.items() if name not in graph]
    yield _query(f"{head} {{ {' '.join(common)} {more} }}")
    if depth == 0:
        return
    yield from (_query(f"{head} {{ {_part(name, interface.fields[name], depth)} }}") for name in sorted(graph))
    rows = {name: found for name, found in own.fields.items() if name not in interface.fields}
    parts = [_part(name, found, depth) for name, found in rows.items()]
    parts += [part for name, found in rows.items() for part in _narrowed(name, found, ground, hidden)]
    parts = [part for part in parts if part]
    size = LISTS_AT_ONCE if depth == DEPTH else 2 * LISTS_AT_ONCE
    for at in range(0, len(parts), size):
        chosen = " ".join(f"p{n}: {part}" for n, part in enumerate(parts[at : at + size]))
        yield _query(f"{head} {{ ... on {own.name} {{ {chosen} }} }}")


def _narrowed(name: str, found: Any, ground: Ground, hidden: Hidden) -> Iterator[str]:
    """A list of rows with filters that would give a value away, and a row by its id."""
    kind = get_named_type(found.type)
    resource = next((r for r in own_resources(ground.slug) if kind.name.startswith(r.type_name)), None)
    if resource is None:
        return
    if "id" in found.args:
        yield from (f'{name}(id: "{key}") {{ __typename }}' for key in hidden.keys.get(kind.name, ()))
    elif is_connection(kind) and kind.name == f"{resource.type_name}CursorConnection":
        filters_of = found.args["filters"].type.fields
        for column, value in hidden.columns.get(resource.type_name, ()):
            if _camel(column) not in filters_of:
                continue
            lookups = filters_of[_camel(column)].type.fields
            if "exact" in lookups:
                yield f"{name}(filters: {{{_camel(column)}: {{exact: {_literal(value, lookups)}}}}}) {{ totalCount }}"
            elif "id" in lookups:
                yield f'{name}(filters: {{{_camel(column)}: {{id: {{exact: "{value}"}}}}}}) {{ totalCount }}'


def _query(selected: str) -> Question:
    return Question("/graphql/", json.dumps({"query": f"{{ {selected} }}"}))


def is_connection(kind: Any) -> bool:
    """Whether a type is a page of rows."""
    return bool(kind.name.endswith("CursorConnection"))


def _pictures(ground: Ground, hidden: Hidden) -> str:
    """What is looked at by its name, which no walk over the fields finds."""
    rules, race = registry.ruleset(ground.slug), race_of(ground)
    values = {"rows": "{ key name amounts }", "progress": "{ subject known next locked }"}
    parts = []
    for at, (name, chart) in enumerate(sorted(rules.charts.items())):
        query_text = f'name: "{name}"' + (f', subject: "{race}"' if chart.about is About.SUBJECT else "")
        parts += [f"chart{at}: chart({query_text}) {{ rows {values['rows']} }}", f"drawn{at}: chartSvg({query_text})"]
    for at, name in enumerate(sorted(rules.trees)):
        parts.append(f'tree{at}: tree(name: "{name}") {{ progress {values["progress"]} }}')
    for at, (kind, card) in enumerate(cards_asked(ground, hidden)):
        parts.append(f'card{at}: cardSvg(kind: "{kind}", id: "{card}")')
    if rules.chapters is not None:
        parts.append("map0: mapSvg(chapter: 0) told0: chronicle(chapter: 1) { results { text event } }")
    return " ".join(parts)


def _another_games(kind: str, slug: str) -> bool:
    return any(kind.startswith(other.title()) for other in registry.folders() if other != slug)


def _arguments(found: Any, ground: Ground, hidden: Hidden) -> Iterator[list[str]]:
    kind = get_named_type(found.type).name
    if "slug" in found.args:
        yield [f'slug: "{ground.slug}"']
    elif "id" in found.args:
        yield from ([f'id: "{key}"'] for key in hidden.keys.get(kind, []))
    else:
        yield ["first: 10"] if "first" in found.args else []


def _in_brackets(arguments: list[str]) -> str:
    return f"({', '.join(arguments)})" if arguments else ""


def _literal(value: Any, lookups: Mapping[str, Any]) -> str:
    if isinstance(value, bool | int):
        return json.dumps(value)
    return text_of(value) if isinstance(lookups["exact"].type, GraphQLEnumType) else json.dumps(text_of(value))


def _camel(name: str) -> str:
    first, *rest_of = name.split("_")
    return first + "".join(word.title() for word in rest_of)


def _part(name: str, found: Any, depth: int) -> str:
    """A field with all that is reached from it; "" for one that needs an argument or leads too far."""
    if any(is_required_argument(argument) for argument in found.args.values()):
        return ""
    kind = get_named_type(found.type)
    if is_leaf_type(kind):
        return name
    if depth <= 0:
        return ""
    arguments = [f"first: {4 if depth == DEPTH else 2}"] if is_connection(kind) else []
    return f"{name}{_in_brackets(arguments)} {_selection(kind, depth - 1 + is_connection(kind))}"


def _selection(kind: Any, depth: int) -> str:
    """All fields of a type that need no argument, down to a depth; the rows of a page are no step further."""
    if isinstance(kind, GraphQLUnionType):
        return f"{{ __typename {' '.join(f'... on {one.name} {_selection(one, depth)}' for one in kind.types)} }}"
    if is_connection(kind):
        node = get_named_type(get_named_type(kind.fields["edges"].type).fields["node"].type)
        page = "totalCount pageInfo { hasNextPage endCursor }"
        return f"{{ {page} edges {{ cursor node {_selection(node, depth - 1)} }} }}"
    parts = [_part(name, found, depth) for name, found in kind.fields.items()]
    return f"{{ __typename {' '.join(part for part in parts if part)} }}"
