"""Addresses of a stream process beside its streams: what a probe and Prometheus ask."""

from django.urls import path

from config import metrics
from config.health import ReadyView, alive

urlpatterns = [
    path("livez", alive, name="livez"),
    path("readyz", ReadyView.as_view(), name="readyz"),
    path("metrics", metrics.page, name="metrics"),
]
