"""Cairns: the sixth game, kept for the tests."""

from django.apps import AppConfig


class ToyConfig(AppConfig):
    """A small game in the skeleton of the five."""

    name = "tests.toy"
    label = "toy"
