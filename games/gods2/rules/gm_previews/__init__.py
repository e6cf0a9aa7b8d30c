"""Previews that the game-masters accept or change."""
