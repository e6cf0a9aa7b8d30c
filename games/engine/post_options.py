"""How a game is played by post: its calendar, absences of all kinds, and votes; options of every game."""

import json
from datetime import time
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, JsonValue

from games.engine.errors import Refused
from games.engine.insight.domains import AnyValue, Case, Choices, FreeText, ListOf, Range
from games.engine.model import Model

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[Weekday, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LONGEST_GRACE = 7 * 86_400
UTC_ZONE = "UTC"
NEEDED: dict[str, str] = {
    "rest_days": "deadline_at",
    "grace_seconds": "excused_absences",
    "excused_absences": "grace_seconds",
}
"""Options that change nothing without another one."""
DEPENDENT_REQUIRED: dict[str, JsonValue] = {name: [needed] for name, needed in NEEDED.items()}
POST_CASES = (
    Case({"deadline_at": Choices(("",))}, {"rest_days": Choices(((),))}),
    Case(
        {"rest_days": ListOf(AnyValue(), low=1, unique=False)},
        {"deadline_at": FreeText(low=1)},
        required=("deadline_at",),
    ),
    Case({"grace_seconds": Range(high=0)}, {"excused_absences": Range(high=0)}),
    Case({"grace_seconds": Range(low=1)}, {"excused_absences": Range(low=1)}, required=("excused_absences",)),
    Case({"excused_absences": Range(low=1)}, {"grace_seconds": Range(low=1)}, required=("grace_seconds",)),
)
"""The same as dependencies of a domain, by value: for a ruleset whose command takes options."""


class PostOptions(Model):
    """What is settled about deadlines, absences and votes when a game is opened; absent: as in live play."""

    model_config = ConfigDict(json_schema_extra={"dependentRequired": DEPENDENT_REQUIRED})

    time_zone: str = Field(
        default="", max_length=60, pattern=r"^([A-Za-z][\w+-]*(/[\w+-]+)*)?$", exclude_if=lambda zone: not zone
    )
    """The time zone of the game's calendar, by its IANA name, for example `Europe/Berlin`; UTC if absent."""
    deadline_at: str = Field(
        default="", pattern=r"^(([01]\d|2[0-3]):[0-5]\d)?$", max_length=5, exclude_if=lambda at: not at
    )
    """The time of day at which deadlines fall, HH:MM as in 20:00, on the clocks of the time zone: the deadline of
    whatever waits for an hour or longer is put off to the first such time that is on no day of rest."""
    rest_days: tuple[Weekday, ...] = Field(default=(), max_length=6, exclude_if=lambda days: not days)
    """The days of the week on which no deadline falls; they need `deadline_at`."""
    grace_seconds: int = Field(default=0, ge=0, le=LONGEST_GRACE, exclude_if=lambda seconds: seconds == 0)
    """By how much a deadline moves, once, when a person is excused who owes an answer; it needs
    `excused_absences`."""
    excused_absences: int = Field(default=0, ge=0, le=100, exclude_if=lambda count: count == 0)
    """How often each seat is excused in this game; it needs `grace_seconds`."""
    vacation_days: int = Field(default=0, ge=0, le=366, exclude_if=lambda days: days == 0)
    """How many days of vacation each seat has in this game (`take-vacation`)."""
    abandoned_after: int = Field(default=0, ge=0, le=20, exclude_if=lambda count: count == 0)
    """At how many deadlines in a row a person may be silent, none of them excused, until a bot stands in for them, as
    everybody reads. The seat is theirs again when they act."""
    votes: Literal["none", "majority", "unanimous"] = Field(default="none", exclude_if=lambda votes: votes == "none")
    """Whether the people who play may vote to pause, resume, extend or end (`propose-vote`), and how many must agree:
    more than half of them (`majority`), or all (`unanimous`)."""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the calendar."""
        return ZoneInfo(self.time_zone or UTC_ZONE)

    @property
    def slot(self) -> time | None:
        """The time of day at which deadlines fall; None where a deadline falls whenever its window ends."""
        return time.fromisoformat(self.deadline_at) if self.deadline_at else None

    def is_rest(self, weekday: int) -> bool:
        """Whether no deadline falls on this day of the week. weekday: 0 for Monday."""
        return WEEKDAYS[weekday] in self.rest_days


@lru_cache(maxsize=256)
def post_options(text: str) -> PostOptions:
    """The choices about play by post out of all options of a game. text: canonical JSON."""
    chosen = json.loads(text)
    return PostOptions.model_validate({name: chosen[name] for name in PostOptions.model_fields if name in chosen})


def require_time_zone(options: PostOptions) -> None:
    """Refuse (`zone.unknown`) a time zone that nobody knows."""
    try:
        _ = options.zone
    except (ValueError, LookupError, OSError) as error:
        raise Refused(
            "zone.unknown",
            f"There is no time zone {options.time_zone}; `time_zone` takes an IANA name, such as Europe/Berlin.",
            zone=options.time_zone,
        ) from error


def require_needed_options(options: PostOptions) -> None:
    """Refuse (`option.alone`) an option that changes nothing without another one."""
    for name, needed in NEEDED.items():
        if getattr(options, name) and not getattr(options, needed):
            raise Refused(
                "option.alone",
                f"The option `{name}` changes nothing without `{needed}`; give both of them, or neither.",
                option=name,
                needs=needed,
            )
