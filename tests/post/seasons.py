"""What a season by post is of each ruleset: how its game is opened, and what its log says by which events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

EXCUSES, ABANDONED_AFTER, VACATION_DAYS = 2, 2, 14
BY_POST: dict[str, Any] = {
    "time_zone": "Europe/Berlin", "deadline_at": "20:00", "rest_days": ["wednesday"], "grace_seconds": 86_400,
    "excused_absences": EXCUSES, "vacation_days": VACATION_DAYS, "abandoned_after": ABANDONED_AFTER,
    "votes": "majority",
}  # fmt: skip
"""The options of every season; `by_log` has the same calendar."""
HOURS = timedelta(hours=1)
SPRING, AUTUMN = datetime(2026, 3, 18, 9, tzinfo=UTC), datetime(2026, 10, 14, 9, tzinfo=UTC)
"""Eleven days before summer time begins, and before it ends."""
FINISHED, RUNNING, SETUP = "finished", "running", "setup"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One ruleset. Names of events and fields are those of its log."""

    ruleset: str
    options: Mapping[str, Any]
    begin: datetime = SPRING
    windows: Mapping[str, timedelta]
    """How long each question waits by post, by the table of prompts in `docs/games/`."""
    open_ended: frozenset[str] = frozenset()
    """Questions that something else ends."""
    policy: str
    """How people choose what they do: as this policy does with what they may see."""
    master: str = ""
    """How the game-master does; "": nothing is asked of one."""
    status: Mapping[str, str]
    """The part of a game's life that an event begins."""
    chapters: Mapping[str, str]
    """The events that begin a chapter, with the field of its number."""
    free: Mapping[str, str] = field(default_factory=dict)
    """The events that begin a step, with its name where players act unasked in it, or ""."""
    conducted: frozenset[str] = frozenset()
    """The events that begin a step in which host and game-master alone move the game on."""
    answers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Answers with an event of their own: the field of the question, or its kind; and the field of the seat."""
    told: frozenset[str] = frozenset()
    """Sealed questions of which everybody reads who has answered."""
    unowed: frozenset[str] = frozenset()
    """Questions at which nobody who is silent is late."""
    most_acts: int = 40
    """What somebody does at most at one sitting."""
    is_over: str = ""
    """The event after which enough is played; the end of the game unless said."""


SEASONS = {
    "albraxas": Facts(
        ruleset="albraxas",
        begin=AUTUMN,
        options={"phases": 25, "sides": 6, "check_from": 24, "pace": "by_post", "early_close": True},
        windows={"characters": 168 * HOURS, "locate": 24 * HOURS, "order": 24 * HOURS},
        policy="steady",
        status={"CharactersOpened": SETUP, "GameStarted": RUNNING},
        chapters={"TurnStarted": "turn"},
        free={"CharactersOpened": "", "GameStarted": ""},
        conducted=frozenset({"CharactersOpened"}),
        answers={"OrdersWritten": ("prompt", "seat")},
        told=frozenset({"order"}),
    ),
    "dawn": Facts(
        ruleset="dawn",
        options={"width": 8, "height": 6, "deadlines": "post", "early_close": True},
        windows={
            "setup": 168 * HOURS, "turn": 72 * HOURS,
            **dict.fromkeys(
                (
                    "ask.consent", "ask.leave", "ask.decide", "ask.object", "ask.challenge", "auction", "pick.edges",
                    "war.avatar", "war.commit", "war.continue", "avatar.revenge", "motion",
                ),
                24 * HOURS,
            ),
        },
        open_ended=frozenset({"offer"}),
        policy="plain",
        status={"SetupOpened": SETUP, "GameStarted": RUNNING},
        chapters={"RoundStarted": "age", "AgeChanged": "age"},
        free={"SetupOpened": "", "GameStarted": ""},
        conducted=frozenset({"SetupOpened"}),
        answers={
            "GodDefined": ("setup", "seat"), "BallotCast": ("motion", "seat"), "ArmiesCommitted": ("prompt", "seat"),
        },
        told=frozenset({"motion", "war.commit"}),
    ),
    "dietower": Facts(
        ruleset="dietower",
        begin=AUTUMN,
        options={"characters": 1, "pace": "by_post"},
        windows={
            **dict.fromkeys(("CHECK.WISH", "PLACE", "ATTACK.DEFEND", "ATTACK.WISH", "HELD"), 12 * HOURS),
            **dict.fromkeys(("TURN", "CHECK.SET", "ATTACK.SET", "MIRACLE", "TERRIBLE"), 24 * HOURS),
            "WISH.STORY": 48 * HOURS,
        },
        policy="sensible",
        master="steady",
        status={"SetupOpened": SETUP, "SessionOpened": RUNNING},
        chapters={"SessionOpened": "session"},
        free={
            "SetupOpened": "", "SessionOpened": "free", "EncounterOpened": "", "EncounterClosed": "free",
            "SessionClosed": "",
        },
        conducted=frozenset({"SetupOpened", "SessionClosed"}),
        most_acts=8,
    ),
    "forgeborn": Facts(
        ruleset="forgeborn",
        options={"referee": "person", "round_limit": 12, "pace": "by_post"},
        windows={
            **dict.fromkeys(("MAP", "SMITHS", "TURN"), 48 * HOURS),
            **dict.fromkeys(
                (
                    "DESCRIBE", "POOL", "RULING", "REPOOL", "HELP", "FORGE", "SPEND", "GAIN", "VAULT", "DENIED",
                    "RUINS", "FOREST",
                ),
                24 * HOURS,
            ),
        },
        policy="steady",
        master="steady",
        status={},
        chapters={"RoundStarted": "round"},
        told=frozenset({"SMITHS", "VAULT"}),
        unowed=frozenset({"MAP"}),
    ),
}  # fmt: skip
