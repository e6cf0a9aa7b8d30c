"""Rows of Cairns."""

from django.db import models

from games.models.bases import OnePerGame, OnePerSeat, SecretOfSeat


class Pile(OnePerSeat):
    """A seat's stones."""

    stones = models.PositiveIntegerField(default=0)
    rolled = models.PositiveIntegerField(default=0)


class Hoard(SecretOfSeat):
    """A seat's hidden coins."""

    coins = models.PositiveIntegerField(default=0)


class Tide(OnePerGame):
    """The tide of a game."""

    count = models.PositiveIntegerField(default=0)
