"""The book of a game: its chronicle on one page, to read, to print and to send."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from api.pages.event.chronicle_view import book_json
from api.pages.event.replay_view import observer
from api.pages.event.screen import ScreenView
from api.pages.policy import page


class BookPage(ScreenView):
    """The page itself."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """All that has happened, as it is told to strangers."""
        return page(request, "book", book_json(observer(request, game_id)))
