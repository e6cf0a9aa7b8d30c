"""Which tables belong where: those of games in places, all others in `public`. Django asks it when tables are made."""

from typing import Any

from django.apps import apps
from django.conf import settings

from core.places.routing import current


class PlacesRouter:
    """One of DATABASE_ROUTERS with PLACES. What is not made here is recorded as applied all the same."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Whether an app's tables and rows are made in the place in force, outside of all in `public`."""
        return is_placed(app_label) == (current() is not None)


def is_placed(app_label: str) -> bool:
    """Whether the tables of an app lie in places: those of worlds, games and rulesets."""
    return apps.get_app_config(app_label).name in {*settings.PLACED_APPS, *settings.RULESETS}
