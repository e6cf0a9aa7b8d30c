"""An operation whose leaves are read in one loop is answered as graphql-core answers it: values, order and errors."""

from collections.abc import Callable
from enum import Enum
from typing import Any, NewType

import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from api.graphql.execution import LeafExecution
from api.graphql.mapping import pick


@strawberry.enum
class Terrain(Enum):
    PLAIN = "plain"
    WATER = "water"


Odd = NewType("Odd", object)
"""A scalar that makes nothing of what it is given."""


@strawberry.interface
class Place:
    name: str


@strawberry.type
class Square(Place):
    x: int
    terrain: Terrain
    note: str | None
    marks: list[int]
    gaps: list[int | None]
    odd: Odd | None
    odds: list[Odd | None]

    @classmethod
    def is_type_of(cls, value: Any, info: Any) -> bool:
        return isinstance(value, dict) and "x" in value


@strawberry.type
class City(Place):
    square: Square | None
    squares: list[Square]
    grid: list[list[Square]]
    anything: list[Square | None]

    @strawberry.field
    def size(self) -> int:
        return 3

    @strawberry.field
    def shout(self, twice: bool = False) -> str:
        return "hey" * (1 + twice)

    @classmethod
    def is_type_of(cls, value: Any, info: Any) -> bool:
        return isinstance(value, dict) and "squares" in value


def square(**more: Any) -> dict[str, Any]:
    """What a resolver gives for a square."""
    plain = {
        "name": "A", "x": 1, "terrain": Terrain.PLAIN, "note": None, "marks": [1, 2], "gaps": [1, None],
        "odd": None, "odds": [None],
    }  # fmt: skip
    return {**plain, **more}


def city(**more: Any) -> dict[str, Any]:
    """What a resolver gives for a city."""
    two = [square(), square(name="B", x=2, terrain=Terrain.WATER, note="wet")]
    plain = {"name": "Aix", "square": square(), "squares": two, "grid": [two, []], "anything": [two[0], None]}
    return {**plain, **more}


FOUND: dict[str, Any] = {}
"""What the root fields find."""


@strawberry.type
class Query:
    @strawberry.field
    def city(self) -> City | None:
        found: City | None = FOUND["city"]
        return found

    @strawberry.field
    def places(self) -> list[Place]:
        found: list[Place] = FOUND["places"]
        return found


class Counting:
    """How many fields graphql-core has executed."""

    fields = 0


class Usual(StrawberryGraphQLCoreExecutionContext):
    """What graphql-core does."""


class InOneLoop(LeafExecution):
    """What we do, counted."""

    def execute_field(self, *args: Any) -> Any:
        Counting.fields += 1
        return super().execute_field(*args)


def schema_of(execution: Any) -> strawberry.Schema:
    return strawberry.Schema(
        Query,
        types=[Square, City],
        config=StrawberryConfig(
            default_resolver=pick, scalar_map={Odd: strawberry.scalar(name="Odd", serialize=lambda _: None)}
        ),
        execution_context_class=execution,
    )


OURS, THEIRS = schema_of(InOneLoop), schema_of(Usual)
WHOLE = """query Whole($no: Boolean = false) { city {
    __typename town: name square { x terrain note ...Marks } squares { kind: __typename odd odds x x @skip(if: $no) }
    grid { name marks } ... on City { squares { note terrain } } } }
    fragment Marks on Square { marks gaps name @include(if: $no) }"""


@pytest.fixture(autouse=True)
def find(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what is found, a whole city at first."""
    monkeypatch.setattr(Counting, "fields", 0)

    def put(**found: Any) -> None:
        FOUND.clear()
        FOUND.update(found)

    put(city=city(), places=[city(), square()])
    return put


def both(query: str, **variables: Any) -> Any:
    """The answer, which is the same in both ways: data in their order, and errors with message, place and path."""
    ours, theirs = (schema.execute_sync(query, variable_values=variables) for schema in (OURS, THEIRS))
    assert repr(ours.data) == repr(theirs.data)
    assert [error.formatted for error in ours.errors or ()] == [error.formatted for error in theirs.errors or ()]
    return ours


def test_an_object_with_all_below_it_is_read_in_one_loop():
    answer = both(WHOLE)
    assert answer.errors is None
    assert answer.data["city"]["squares"][1] == {
        "kind": "Square", "odd": None, "odds": [None], "x": 2, "note": "wet", "terrain": "WATER",
    }  # fmt: skip
    assert Counting.fields == 1, "only the root field has a resolver"


@pytest.mark.parametrize("no", [True, False])
def test_directives_and_fragments_decide_what_is_read(no):
    both(WHOLE, no=no)


def test_a_field_with_a_resolver_or_an_argument_is_executed_in_the_usual_way_and_those_below_it_in_a_loop():
    both("{ city { name size squares { x } } }")
    assert Counting.fields == 1 + 3
    Counting.fields = 0
    both("{ city { shout(twice: true) name } }")
    assert Counting.fields == 1 + 2


def test_the_type_of_an_interface_is_that_of_the_value():
    both("{ places { __typename name ... on Square { x } ... on City { squares { x } } } }")


def test_what_is_not_there_is_null():
    FOUND["city"] = city(square=None)
    assert both("{ city { square { x } name } }").data == {"city": {"square": None, "name": "Aix"}}
    FOUND["city"] = None
    assert both("{ city { name } }").data == {"city": None}
    FOUND["city"] = city()
    assert both("{ city { anything { x } } }").data["city"]["anything"] == [{"x": 1}, None]


def test_a_value_that_can_be_gone_through_once_is_left_to_graphql_core():
    for schema in (OURS, THEIRS):
        FOUND["city"] = city(squares=(each for each in [square()]), grid=7)
        answer = schema.execute_sync("{ city { squares { x } name } }")
        assert answer.data == {"city": {"squares": [{"x": 1}], "name": "Aix"}}


@pytest.mark.parametrize(
    "broken",
    [
        {"x": None},
        {"x": "seven"},
        {"x": 2**40},
        {"terrain": "plainly"},
        {"terrain": None},
        {"marks": None},
        {"marks": [1, None]},
        {"marks": [1, "two"]},
        {"marks": 7},
        {"gaps": [None, "two"]},
        {"name": None},
        {"note": {}},
        {"odd": 1},
        {"odds": [None, 1]},
    ],
    ids=str,
)
def test_a_value_that_is_not_of_its_type_is_an_error_at_its_path(broken):
    FOUND["city"] = city(squares=[square(), square(**broken)], square=square(**broken))
    query = "{ city { name square { %s } squares { %s } } }"
    assert both(query.replace("%s", next(iter(broken)))).errors
    assert both("{ city { anything { x } squares { %s } } }".replace("%s", next(iter(broken)))).errors


def test_what_is_of_another_type_or_lacks_a_field_is_an_error_at_its_path():
    for wrong in ({"y": 1}, {"x": 1}, 7):
        FOUND["city"] = city(square=wrong)
        assert both("{ city { square { x name } } }").errors
    FOUND["city"] = city(squares=[square(), None])
    assert both("{ city { squares { x } } }").errors
