"""CHECK, the end of the game, and leaving it."""
