"""The one schema: queries, mutations and subscriptions, made from the registry when the service starts."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import strawberry
from django.conf import settings
from graphql import GraphQLError
from strawberry.extensions import MaxTokensLimiter, ParserCache
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import create_type

from api.common.exceptions import Fault
from api.graphql import accounts, chat_hooks, games, muting, notifications, rulesets, webhook_endpoints, webhooks
from api.graphql.commands import MUTATIONS as BATCHES
from api.graphql.commands import mutations
from api.graphql.connections import Optimizer
from api.graphql.context import context_of
from api.graphql.events import GameEvent, event_types, event_value
from api.graphql.exceptions import Problems
from api.graphql.execution import LeafExecution
from api.graphql.introspection import KeptIntrospection
from api.graphql.limits import MAX_TOKENS, Limits
from api.graphql.mapping import Inputs, pick
from api.graphql.places import PlacedExecution
from api.graphql.rows import ROWS
from api.graphql.scalars import SCALARS
from api.representations.shapes.games import LifeShape


class QuietSchema(strawberry.Schema):
    """A schema that logs nothing by itself: refusals are no faults, and faults are logged where they are explained."""

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Nothing."""


async def game_events(
    info: strawberry.Info,
    game: UUID,
    after: str = "",
    from_now: bool = False,
    seat: UUID | None = None,
    as_gm: bool = False,
) -> AsyncIterator[GameEvent]:
    """The log as it grows: what is behind `after`, then each event as it happens; with `fromNow` nothing from before.

    When the service ends a subscription an error says why (`extensions.code`); resume with the last cursor.
    """
    context = context_of(info)
    if context.feed is None:
        raise Fault("stream.elsewhere", "Subscriptions are served over WebSocket (graphql-transport-ws).")
    if from_now and after:
        raise Fault("query.invalid", "Ask for `after` or for `fromNow`.", parameter="fromNow")
    async for slug, event in context.feed(context, game, after=after, from_now=from_now, seat=seat, as_gm=as_gm):
        yield event_value(slug, event)  # type: ignore[misc]


async def game_life(
    info: strawberry.Info, game: UUID, seat: UUID | None = None, as_gm: bool = False
) -> AsyncIterator[Any]:
    """Where a game is and who is waited for: now, and whenever it changes for this viewer."""
    context = context_of(info)
    if context.life_feed is None:
        raise Fault("stream.elsewhere", "Subscriptions are served over WebSocket (graphql-transport-ws).")
    async for life in context.life_feed(context, game, seat=seat, as_gm=as_gm):
        yield life


def root_type(kind: str, fields: dict[str, Any]) -> Any:
    """A root type of these fields, each under its own name."""
    for name, field in fields.items():
        field.python_name = name
        field.name = name
    return create_type(kind, list(fields.values()))


def make_schema() -> strawberry.Schema:
    """The schema of every ruleset that is installed."""
    parts = (games, rulesets, accounts, notifications, webhooks, webhook_endpoints, chat_hooks, muting)
    queries = {name: field for part in parts for name, field in part.QUERIES.items()}
    rows = ROWS.queries()
    if clash := set(queries) & set(rows):
        raise TypeError(f"two queries are called {', '.join(sorted(clash))}")
    feed = strawberry.subscription(resolver=game_events, description=game_events.__doc__)
    life = strawberry.subscription(
        resolver=game_life, description=game_life.__doc__, graphql_type=games.OUTPUTS.named_type("GameLife", LifeShape)
    )
    return QuietSchema(
        query=root_type("Query", queries | rows),
        mutation=root_type(
            "Mutation",
            {
                **accounts.MUTATIONS,
                **notifications.MUTATIONS,
                **webhooks.MUTATIONS,
                **webhook_endpoints.MUTATIONS,
                **chat_hooks.MUTATIONS,
                **muting.MUTATIONS,
                **BATCHES,
                **mutations(Inputs()),
            },
        ),
        subscription=root_type("Subscription", {"game_events": feed, "game_life": life, **notifications.SUBSCRIPTIONS}),
        types=[*games.GAME_TYPES, *event_types(games.OUTPUTS)],
        config=StrawberryConfig(default_resolver=pick, scalar_map=SCALARS),
        execution_context_class=PlacedExecution if settings.PLACES else LeafExecution,
        extensions=[
            Problems,
            lambda: MaxTokensLimiter(max_token_count=MAX_TOKENS),
            Limits,
            KeptIntrospection,
            lambda: Optimizer(prefetch_custom_queryset=True),
            lambda: ParserCache(maxsize=200),
        ],
    )


schema = make_schema()
