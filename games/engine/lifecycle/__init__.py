"""The life of a game: seats, what a game-master does, and amendments."""
