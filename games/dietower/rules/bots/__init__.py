"""Bots: how seats without a person play, those of players and that of the world master."""
