"""Which apps a process loads, by what it is for: only a process that answers requests pays for APIs and admin pages.

Every app that has tables stands in both lists: what migrates, fires timers or replays sees the whole database.
"""

from collections.abc import Sequence

WEB, CLOCK, STREAM, SUPERVISOR = "web", "clock", "stream", "supervisor"
COMMANDS = {
    "serve": SUPERVISOR,
    **dict.fromkeys(
        ("prepare", "migrate", "migrate_places", "places", "cards", "demo", "replay", "verify_dice", "atlas", "backup"),
        CLOCK,
    ),
}
"""Management commands that do with less than everything."""
TABLES = (
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "axes",
    "oauth2_provider",
)
OURS = ("accounts", "accounts.oauth", "worlds", "games")
PLACED = ("worlds", "games")
"""Those of ours whose tables lie in places, beside those of RULESETS."""
CARDS = {"worlds.World": "id", "worlds.WorldMember": "world", "games.Game": "id", "games.Seat": "game"}
"""The models among them whose rows lists across games read, by the field with the id of their game or world."""
PLACES = ("core.places",)
"""Installed where games are spread over places (PLACES)."""
SERVICE = ("config",)
"""The commands of the service, and Celery's application."""
PAGES = (
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    *TABLES[:4],
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    *TABLES[4:],
    "corsheaders",
    "django_filters",
    "django_prometheus",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
)


def apps(process: str, rulesets: Sequence[str]) -> list[str]:
    """INSTALLED_APPS of a process.

    Clock and stream have the admin's tables without its pages, a stream no commands and no Celery; the supervisor has
    its command, and no table.
    """
    match process:
        case "supervisor":
            return list(SERVICE)
        case "stream":
            return ["django.contrib.admin.apps.SimpleAdminConfig", *TABLES, *OURS, *rulesets]
        case "clock":
            return [*apps(STREAM, rulesets), *SERVICE]
        case _:
            return [*PAGES, *OURS, *SERVICE, *rulesets, "api.console.apps.ConsoleConfig", "api.pages.apps.PagesConfig"]


def process_of(arguments: Sequence[str]) -> str:
    """What a command line of manage.py is for."""
    return COMMANDS.get(arguments[1], WEB) if len(arguments) > 1 else WEB
