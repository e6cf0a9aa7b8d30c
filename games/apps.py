"""Games played in worlds, by rulesets."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The table every ruleset shares: games, seats, the log, prompts and timers."""

    name = "games"
