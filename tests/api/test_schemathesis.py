"""Schemathesis against both APIs, in the test database: as a player of a game, and as a stranger to it.

Requests are made from the OpenAPI document and from the SDL, fitting and unfitting; each answer must be one that the
document names. The same examples in every run. The rows of all tables are answered by one class, and so are the
mutations of all commands: of those each person asks a sixteenth here, another one each, and all with `EXAMPLES=full`
(`make nightly`); `make conformance` has more examples of each, against the live service.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup

from games import registry
from tests.api.worlds import ToyGame, atlantis, bearer, toy_game, user
from tests.security.looking import lift_budgets
from tools.conformance import checks

pytestmark = [pytest.mark.django_db, pytest.mark.long]
QUIET = settings(
    derandomize=True, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
)
FULL = os.environ.get("EXAMPLES") == "full"
ONE_IN = 1 if FULL else 16
SLUGS = [slug for slug in registry.folders() if slug != "toy"]
COMMANDS = {name for slug in SLUGS for name in registry.ruleset(slug).commands} - {*registry.ruleset("toy").commands}
MANY_ALIKE = re.compile(
    "/api/v1/({0})/|/commands/({1})/|(Query|Mutation)\\.({0})".format("|".join(SLUGS), "|".join(sorted(COMMANDS)))
)
"""Operations of rulesets, which differ in fields alone; those of the toy game and of the table are all asked."""
NOT_ASKED = ["stream", "create_webhook", "create_webhook_endpoint", "create_chat_hook"]
"""The first is endless, and served beside Django; what addresses the others take no schema says (tests/webhooks)."""


@pytest.fixture(autouse=True)
def connection_of_the_test() -> Iterator[None]:
    """A request through WSGI would close the connection that holds the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyGame:
    """A game that is being played, a mapped world, and budgets that are not used up."""
    caches["throttles"].clear()
    lift_budgets(monkeypatch)
    atlantis()
    return toy_game()


def fuzz_config(token: dict[str, str], toy: ToyGame) -> SchemathesisConfig:
    """Whose token is sent, and which rows are asked for where the request is to fit."""
    there = {"path.game_id": str(toy.game.pk), "path.slug": "toy", "path.command": "add-stones"}
    plain = {"Accept-Encoding": "identity"}  # through WSGI nothing is unpacked
    return SchemathesisConfig.from_dict({"headers": token | plain, "parameters": there})


def rest(token: dict[str, str], toy: ToyGame) -> Any:
    """The REST API as its document describes it."""
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application(), config=fuzz_config(token, toy))
    return schema.exclude(operation_id=NOT_ASKED)


def graphql(token: dict[str, str], toy: ToyGame) -> Any:
    """The GraphQL API as its SDL describes it."""
    config = SchemathesisConfig.from_dict({"headers": token})
    return schemathesis.graphql.from_wsgi("/graphql/", get_wsgi_application(), config=config, headers=token)


def operations_for(operations: list[Any], person: str) -> list[Any]:
    """The operations that are asked: others of those that are alike for each person."""
    alike = [operation for operation in operations if MANY_ALIKE.search(operation.label)]
    left_out = {id(each) for n, each in enumerate(alike) if n % ONE_IN != len(person) % ONE_IN}
    return [operation for operation in operations if id(operation) not in left_out]


def judge(schema: Any, modes: list[GenerationMode], examples: int, person: str) -> int:
    """Send requests to the chosen operations and judge each answer; how many operations there are."""
    wrong: list[BaseException] = []
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations_for(operations, person):
        for mode in modes:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(parent=QUIET, max_examples=examples)
            def one(case: Any) -> None:
                case.call_and_validate(excluded_checks=checks.INSTEAD)

            nothing_unfit = Unsatisfiable if mode is GenerationMode.NEGATIVE else ()
            try:
                with suppress(nothing_unfit):  # an address without parameters takes none that are wrong
                    one()
            except FailureGroup as found:
                wrong += found.exceptions
    if wrong:
        raise FailureGroup(wrong)
    return len(operations)


WHO = {"player": "ann", "stranger": "stranger"}


@pytest.mark.parametrize("person", WHO.values(), ids=WHO)
def test_rest_answers_as_documented(toy: ToyGame, person: str) -> None:
    schema = rest(bearer(user(person)), toy)
    unfit = [GenerationMode.NEGATIVE] if person == "ann" else []
    assert judge(schema, [GenerationMode.POSITIVE, *unfit], 2, person) > 90


@pytest.mark.parametrize("person", WHO.values(), ids=WHO)
def test_graphql_answers_with_codes(toy: ToyGame, person: str) -> None:
    schema = graphql(bearer(user(person)), toy)
    assert judge(schema, [GenerationMode.POSITIVE], 1, person) > 90
