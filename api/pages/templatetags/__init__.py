"""Filters of the pages of an event."""
