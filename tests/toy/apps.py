"""Cairns: the sixth game, for the tests alone."""

from django.apps import AppConfig


class ToyConfig(AppConfig):
    """A small game in the skeleton of the five."""

    name = "tests.toy"
    label = "toy"
