"""Conflicts, creations and communes: what dice are worth."""
