"""The app that has the tables of places and the commands that make them; installed with PLACES alone."""

from django.apps import AppConfig


class PlacesConfig(AppConfig):
    """Buckets and slots."""

    name = "core.places"
    label = "places"
