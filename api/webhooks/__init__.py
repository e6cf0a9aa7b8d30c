"""Webhooks: the events of a game, posted to addresses that people name."""
