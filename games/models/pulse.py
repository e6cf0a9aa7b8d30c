"""The pulse of the service's parts: rows that are renewed every few seconds, so that silence shows."""

from django.db import models


class Pulse(models.Model):
    """When a part last showed that it is at work. It belongs to no game."""

    part = models.CharField(primary_key=True, max_length=20)
    at = models.DateTimeField(help_text="What the clock showed then.")

    def __str__(self) -> str:
        return f"{self.part} at {self.at}"
