"""Who may see the rows of a game: the same rule for lists, nested lists, counts and single rows."""

from typing import Any, Self

from django.apps import apps
from django.db.models import Q, QuerySet

from core.places.card_rows import CardQuerySet
from worlds.visibility import Visibility


class GameQuerySet(CardQuerySet[Any]):
    """Games: public ones for everybody, private ones for those who sit in them."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The games this viewer may see."""
        if visibility.admin:
            return self
        mine = Q(is_public=True)
        if visibility.user is not None:
            mine |= Q(pk__in=_games_of(visibility))
        return self.filter(mine)


class OfGameQuerySet(QuerySet[Any]):
    """Rows that everybody may see who may see their game."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The rows of visible games."""
        if visibility.admin:
            return self
        return self.filter(_in_visible_game(visibility))


class AudienceQuerySet(QuerySet[Any]):
    """Rows with an audience key: public ones, those that name a seat of this viewer, and those for GMs in games led."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The rows this viewer may see. A key lists its readers joined by `+`; ids have one length."""
        if visibility.admin:
            return self
        readers = Q(audience="public") & _in_visible_game(visibility)
        for seat in visibility.seats:
            readers |= Q(audience__contains=f"seat:{seat}")
        if visibility.gm_games:
            readers |= Q(game__in=visibility.gm_games) & (Q(audience="gm") | Q(audience__startswith="gm+"))
        return self.filter(readers)


class SeatSecretQuerySet(QuerySet[Any]):
    """Secrets of one seat, shared with the GMs of its game: purses, cards, factors."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The rows of own seats and of games led."""
        if visibility.admin:
            return self
        return self.filter(Q(seat__in=visibility.seats) | Q(game__in=visibility.gm_games))


class GmSecretQuerySet(QuerySet[Any]):
    """Rows for GMs."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The rows of games led."""
        return self if visibility.admin else self.filter(game__in=visibility.gm_games)


class ServerQuerySet(QuerySet[Any]):
    """Rows that no API shows."""

    def visible_to(self, visibility: Visibility) -> Self:
        """Nothing, except for an administrator."""
        return self if visibility.admin else self.none()


def _games_of(visibility: Visibility) -> QuerySet[Any]:
    """The games in which a user sits."""
    return apps.get_model("games", "Seat")._default_manager.filter(user=visibility.user).values("game")


def _in_visible_game(visibility: Visibility) -> Q:
    mine = Q(game__is_public=True)
    return mine | Q(game__in=_games_of(visibility)) if visibility.user is not None else mine
