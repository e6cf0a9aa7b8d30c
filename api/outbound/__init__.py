"""Requests to addresses that people have given: judged, pinned, within a time."""
