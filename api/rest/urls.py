"""Addresses of the REST API, below /api/. Paths are fixed inside v1."""

from django.urls import URLPattern, URLResolver, include, path

from api.rest import (
    accounts,
    batches,
    charts,
    chat_hooks,
    docs,
    games,
    muting,
    notifications,
    play,
    previews,
    resources,
    rewind_preview,
    rulesets,
    webhook_endpoints,
    webhooks,
)
from core.places.cards import read_across

of_game = [
    path("", games.GameDetailView.as_view(), name="game"),
    path("state/", games.StateView.as_view(), name="state"),
    path("seats/", games.SeatsView.as_view(), name="seats"),
    path("batch/", batches.BatchView.as_view(), name="batch"),
    path("join/", play.JoinView.as_view(), name="join"),
    path("commands/<str:command>/", play.CommandView.as_view(), name="command"),
    path("forecast/<str:command>/", previews.ForecastView.as_view(), name="forecast"),
    path("legal-commands/", previews.LegalCommandsView.as_view(), name="legal-commands"),
    path("breakdowns/", previews.BreakdownsView.as_view(), name="breakdowns"),
    path("reaches/", previews.ReachesView.as_view(), name="reaches"),
    path("prompts/", games.PromptsView.as_view(), name="prompts"),
    path("rewind-preview/", rewind_preview.RewindPreviewView.as_view(), name="rewind-preview"),
    path("events/", play.EventsView.as_view(), name="events"),
    path("muted-seats/", muting.MutedSeatsView.as_view(), name="muted-seats"),
    path("muted-seats/<uuid:seat_id>/", muting.MutedSeatView.as_view(), name="muted-seat"),
    path("stream/", play.StreamView.as_view(), name="stream"),
    path("dice/", play.DiceView.as_view(), name="dice"),
    path("timers/", games.TimersView.as_view(), name="timers"),
    path("chronicle/", play.ChronicleView.as_view(), name="chronicle"),
    path("map.svg", play.MapView.as_view(), name="map"),
    path("pictures/", charts.PicturesView.as_view(), name="pictures"),
    path("charts/<slug:name>/", charts.ChartView.as_view(), name="chart"),
    path("charts/<slug:name>.svg", charts.ChartSvgView.as_view(), name="chart-svg"),
    path("cards/<slug:kind>/<uuid:card_id>.svg", charts.CardView.as_view(), name="card-svg"),
    path("trees/<slug:name>/", charts.TreeView.as_view(), name="tree"),
    path("trees/<slug:name>.svg", charts.TreeSvgView.as_view(), name="tree-svg"),
]

v1: list[URLPattern | URLResolver] = [
    path("", include(accounts.urlpatterns)),
    path("", include(notifications.urlpatterns)),
    path("", include(webhooks.urlpatterns)),
    path("", include(webhook_endpoints.urlpatterns)),
    path("", include(chat_hooks.urlpatterns)),
    path("rulesets/", rulesets.RulesetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:slug>/", rulesets.RulesetView.as_view(), name="ruleset"),
    path("rulesets/<slug:slug>/rules/", rulesets.RulesView.as_view(), name="rules"),
    path("rulesets/<slug:slug>/commands/", rulesets.CommandsView.as_view(), name="commands"),
    path("rulesets/<slug:slug>/commands/<str:command>/", rulesets.RulesetCommandView.as_view(), name="ruleset-command"),
    path("games/", read_across(games.GamesView.as_view()), name="games"),
    path("games/<uuid:game_id>/", include(of_game)),
    path("", include(resources.urlpatterns)),
]

urlpatterns = [
    path("v1/", include(v1)),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
]
