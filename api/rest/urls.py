"""Addresses of the REST API, below /api/. Paths are fixed inside v1."""

from django.urls import URLPattern, URLResolver, include, path

from api.rest import accounts, docs, games, play, resources, rulesets

of_game = [
    path("", games.GameDetailView.as_view(), name="game"),
    path("state/", games.StateView.as_view(), name="state"),
    path("seats/", games.SeatsView.as_view(), name="seats"),
    path("join/", play.JoinView.as_view(), name="join"),
    path("commands/<str:name>/", play.CommandView.as_view(), name="command"),
    path("legal-commands/", play.LegalCommandsView.as_view(), name="legal-commands"),
    path("prompts/", games.PromptsView.as_view(), name="prompts"),
    path("events/", play.EventsView.as_view(), name="events"),
    path("stream/", play.StreamView.as_view(), name="stream"),
    path("dice/", play.DiceView.as_view(), name="dice"),
    path("timers/", games.TimersView.as_view(), name="timers"),
    path("chronicle/", play.ChronicleView.as_view(), name="chronicle"),
    path("map.svg", play.MapView.as_view(), name="map"),
]

v1: list[URLPattern | URLResolver] = [
    path("", include(accounts.urlpatterns)),
    path("rulesets/", rulesets.RulesetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:slug>/", rulesets.RulesetView.as_view(), name="ruleset"),
    path("rulesets/<slug:slug>/rules/", rulesets.RulesView.as_view(), name="rules"),
    path("rulesets/<slug:slug>/commands/", rulesets.CommandsView.as_view(), name="commands"),
    path("games/", games.GamesView.as_view(), name="games"),
    path("games/<uuid:game_id>/", include(of_game)),
    path("", include(resources.urlpatterns)),
]

urlpatterns = [
    path("v1/", include(v1)),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
]
