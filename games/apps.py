"""Games played in worlds, by rulesets."""

from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, Tags, register


class GamesConfig(AppConfig):
    """The table every ruleset shares: games, seats, the log, prompts and timers."""

    name = "games"


@register(Tags.security, deploy=True)
def no_demo_users(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A service that strangers reach must not have the demo's users: their passwords stand in a file."""
    if not apps.get_model("accounts", "User")._default_manager.filter(username__startswith="demo-").exists():
        return []
    return [Error("Users of the demo exist (demo-...).", hint="Retire them before you deploy.", id="games.E001")]
