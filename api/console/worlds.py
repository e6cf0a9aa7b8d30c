"""Pages of the entities of worlds that a game may rule: edited freely without a live game, by `Amend` with one."""

from collections.abc import Mapping

from django.db.models import Model

from api.console.amend_admin import Amending
from worlds.admin_classes import RULED_PAGES, WorldAdmin


def _amending(page: type[WorldAdmin]) -> type[WorldAdmin]:
    """The page, with edits of ruled rows turned into commands."""
    return type(page.__name__, (Amending, page), {"__doc__": page.__doc__, "__module__": __name__})


PAGES: Mapping[type[Model], type[WorldAdmin]] = {model: _amending(page) for model, page in RULED_PAGES.items()}
