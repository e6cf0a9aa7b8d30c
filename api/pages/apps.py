"""The pages of an event: the home page, the desk of who leads a game, the screen for everybody in the room."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """No models; its templates and assets are found through it."""

    name = "api.pages"
    label = "pages"
    verbose_name = "Pages of an event"
