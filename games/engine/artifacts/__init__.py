"""Artifacts of a world: things with one holder or none, which are handed on, taken and destroyed (CF-14).

A ruleset whose game has a world takes them in: its state extends `state.ArtifactState` and says which of its tables
hold, and `Ruleset.takes` names `ARTIFACTS`. Its powers and rules yield the events of `rules`.
"""
