"""Addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from config.health import ReadyView, alive

urlpatterns = [
    path("admin/", admin.site.urls),
    path("livez", alive, name="livez"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("", include("django_prometheus.urls")),
]
