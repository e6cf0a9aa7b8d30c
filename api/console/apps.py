"""The admin console: pages of the table, of worlds that games rule, the dashboard and the sidebar."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """No models of its own; its `admin` module registers the pages."""

    name = "api.console"
    label = "console"
    verbose_name = "Console"
