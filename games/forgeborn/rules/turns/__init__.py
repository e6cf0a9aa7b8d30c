"""Rounds and turns in a ring, the last turns, the end."""
