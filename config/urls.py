"""Addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from api.console.sign_in import own_password, to_sign_in
from api.oauth.pages import LogInView, LogOutView
from api.streams.asyncapi import document_view
from api.streams.views import TicketsView
from config import metrics
from config.health import ReadyView, alive

urlpatterns = [
    path("", include("api.pages.urls")),
    path("admin/login/", to_sign_in),
    path("admin/password_change/", own_password),
    path("admin/", admin.site.urls),
    path("api/v1/games/<uuid:game_id>/tickets/", TicketsView.as_view(), name="tickets-of-game"),
    path("api/asyncapi/", document_view, name="asyncapi"),
    path("api/", include("api.rest.urls")),
    path("graphql/", include("api.graphql.urls")),
    path("", include("api.oauth.urls")),
    path("oauth/log-in/", LogInView.as_view(), name="log-in"),
    path("oauth/log-out/", LogOutView.as_view(), name="log-out"),
    path("livez", alive, name="livez"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("metrics", metrics.page, name="metrics"),
]

# Under API paths errors are problem documents, also where no view was reached; elsewhere pages. Django asks
# for those of 405 and 429 nowhere; middleware of ours does (`api.common.error_handlers.refusal`).
handler400 = "api.pages.error_pages.bad_request"
handler403 = "api.pages.error_pages.permission_denied"
handler404 = "api.pages.error_pages.page_not_found"
handler405 = "api.pages.error_pages.method_not_allowed"
handler429 = "api.pages.error_pages.too_many_requests"
handler500 = "api.pages.error_pages.server_error"
