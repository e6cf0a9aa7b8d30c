"""Processes: the supervisor, the watch over a parent, and the tuning of the collector."""
