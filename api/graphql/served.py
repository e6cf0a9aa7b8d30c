"""The schema as transports use it: made when it is first asked for anything; it costs as much as all else of a process.

Commands of `manage.py`, workers and most processes that a test starts never ask.
"""

from importlib import import_module
from typing import cast

from django.utils.functional import SimpleLazyObject
from strawberry import Schema


def prepare() -> Schema:
    """The schema, made now where nothing has asked for it before; threads that ask at once wait for one making."""
    return cast(Schema, import_module("api.graphql.schema").schema)


schema = cast(Schema, SimpleLazyObject(prepare))
