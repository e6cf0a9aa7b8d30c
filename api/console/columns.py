"""What the admin pages of several games share: the course of a game, rows with a seat, columns by what they show."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar

from django.db.models import Model
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from api.console.amend_admin import MadeByCommand
from api.console.people_pages import NamingPeople

OF_GAME = ("game", AutocompleteSelectFilter)
"""The filter by game."""


def label_column(field: str, colours: Mapping[str, str]) -> Callable[[Any, Any], tuple[str, str]]:
    """A column with a word of the rulebook as a label. colours: by word, as unfold names them."""

    @display(description=field, ordering=field, label=dict(colours))
    def column(page: Any, row: Model) -> tuple[str, str]:
        word = str(getattr(row, field))
        return word, word.replace("_", " ")

    return column


def start_column(field: str, length: int) -> Callable[[Any, Any], str]:
    """A column with the first characters of a text."""

    @display(description=field, ordering=field)
    def column(page: Any, row: Model) -> str:
        text: str = getattr(row, field)
        return text[:length]

    return column


class GameCoursePage(MadeByCommand):
    """The course of a game: one row for each game."""

    list_select_related: tuple[str, ...] = ("game",)
    search_fields = ("game__name", "=game__id")


class SeatedPage(NamingPeople):
    """Rows with a seat, and who sits there. Put it before another base."""

    seat_path: ClassVar[str] = "seat"
    """From a row to its seat."""
    people = ("seat__user",)
    nobody: ClassVar[str] = "-"
    """What stands for a row without a seat."""

    def player(self, row: Model) -> str:
        """Who sits there: a person, a bot, or nobody."""
        seat = attrgetter(self.seat_path)(row)
        return str(seat.user or seat.bot or "-") if seat is not None else self.nobody
