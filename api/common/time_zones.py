"""Time zones that a request names: by the names of IANA that this service knows."""

from functools import cache
from zoneinfo import available_timezones

from api.common.exceptions import Fault


@cache
def time_zones() -> frozenset[str]:
    """Their names."""
    return frozenset(available_timezones())


def require_time_zone(name: str) -> str:
    """The name of a time zone. Raises Fault (time_zone.unknown, 422)."""
    if name not in time_zones():
        message = "There is no such time zone; each has an IANA name such as `Europe/Vienna`."
        raise Fault("time_zone.unknown", message, pointer="/time_zone")
    return name
