"""Values as JSON holds them, for every transport."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from games.engine.wording import decimal_text


def plain(value: Any) -> Any:
    """The value as JSON holds it: ids and enums as text, times as ISO 8601, sets sorted, everything else as text."""
    match value:
        case Enum():
            return plain(value.value)
        case None | bool() | float() | str():
            return value
        case int():
            return value if abs(value) < 2**53 else str(value)
        case date():
            return value.isoformat().replace("+00:00", "Z")
        case Decimal():
            return decimal_text(value)
        case UUID():
            return str(value)
        case Mapping():
            return {str(plain(k)): plain(v) for k, v in value.items()}
        case set() | frozenset():
            return sorted((plain(item) for item in value), key=str)
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return str(value)
