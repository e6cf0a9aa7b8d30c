"""GraphQL requests that want to keep the service busy: for the tests of refusals, and for `bench/bombs.py`."""

from typing import Any

ROWS = (
    "worlds(first: 10) { edges { node { squares(first: 100) { edges { node { x y terrain world { id name } } } } } } }"
)
FAN = "{ ...f0 } " + " ".join(f"fragment f{n} on Query {{ ...f{n + 1} ...f{n + 1} }}" for n in range(60))
FAN += " fragment f60 on Query { __typename }"
"""Not refused: it unfolds into nothing but one field, as long as each fragment is measured once."""
QUERIES = {
    "aliases": "{" + " ".join(f"a{n}: __typename" for n in range(5000)) + "}",
    "a few aliases": "{" + " ".join(f"a{n}: __typename" for n in range(51)) + "}",
    "repeated fields": "{" + "__typename " * 20_000 + "}",
    "fields side by side": "{" + "__typename " * 3900 + "}",
    "directives": "{ __typename " + "@skip(if: false) " * 3000 + "}",
    "depth": "{ __schema { types " + "{ fields { type " * 8 + "{ name }" + "} }" * 8 + "} }",
    "depth 14": "{ worlds { edges { node {" + "races { edges { node { world {" * 6 + " id" + "} } } } " * 6 + "} } } }",
    "far too deep": "{" + "games { edges {" * 900,
    "too deep": "{" + "a {" * 950 + "b" + "}" * 951,
    "a cycle of fragments": "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }",
    "introspection": "{" + " ".join(f"s{n}: __schema {{ types {{ name }} }}" for n in range(6)) + "}",
    "introspection 100 times": "{" + " ".join(f"s{n}: __schema {{ types {{ name }} }}" for n in range(100)) + "}",
    "introspection twice": "{ __schema { types { name } } again: __schema { types { name } } }",
    "introspection twice by fragments": "{ ...a ...b } fragment a on Query { ... { __schema { types { name } } } } "
    "fragment b on Query { again: __schema { types { name } } }",
    "introspection of renamed lists": "{ __schema { ...a } } fragment a on __Schema "
    "{ types { name } more: types { name } }",
    "introspection of lists below types": "{ __schema { types { possibleTypes { ...a } } } } "
    "fragment a on __Type { ... { interfaces { name } } }",
    "introspection of fields of fields": '{ __type(name: "Query") { fields { type { ofType { fields { name } } } } } }',
    "introspection of many types": "{" + " ".join(f't{n}: __type(name: "Query") {{ name }}' for n in range(11)) + "}",
    "introspection far too deep": "{ __schema { types " + "{ ofType " * 60 + "{ name }" + " }" * 60 + " } }",
    "introspection in a second operation": "query a { __typename } query b { x: __schema { types { name } } "
    "y: __schema { types { name } } }",
    "rows": "{" + " ".join(f"a{n}: {ROWS}" for n in range(29)) + "}",
    "rows behind fragments": "{" + "... {" * 40 + "worlds(first: 100) { edges { node { id } } }" + "}" * 40 + "}",
    "deep lists": "{ worlds(filters: " + "[" * 3000 + "]" * 3000 + ") { edges { node { id } } } }",
    "a number of 5,000 digits": "{ worlds(first: " + "9" * 5000 + ") { edges { node { id } } } }",
    "fields in inline fragments": "{" + "... { __typename } " * 790 + "}",
    "fields in typed fragments": "{" + "... on Query { __typename } " * 660 + "}",
    "fragments side by side": "{" + " ".join(f"...f{n}" for n in range(330)) + "} "
    + " ".join(f"fragment f{n} on Query {{ __typename }}" for n in range(330)),
    "variables": "query(" + " ".join(f"$v{n}: Int" for n in range(790)) + ") { __typename }",
    "operations": " ".join(f"query q{n} {{ __typename }}" for n in range(790)),
    "arguments": "{ worlds(" + " ".join(f"a{n}: 1" for n in range(1300)) + ") { edges { node { id } } } }",
    "a long string": '{ worlds(filters: {name: {exact: "' + "x" * 2_000_000 + '"}}) { edges { node { id } } } }',
}  # fmt: skip
BOMBS: dict[str, Any] = {name: {"query": query} for name, query in QUERIES.items()} | {
    "a batch": [{"query": "{ __typename }"}] * 1000,
    "wide variables": {"query": "query($v: [Int!]) { __typename }", "variables": {"v": list(range(150_000))}},
    "deep variables": {"query": "{ __typename }", "variables": {"v": None}},
}
deep: Any = 1
for _ in range(200):
    deep = [deep]
BOMBS["deep variables"]["variables"]["v"] = deep
