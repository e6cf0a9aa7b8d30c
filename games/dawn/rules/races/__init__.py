"""Races: creation, subraces, edges, alignment and alliances."""
