"""The pages of one game: desk, screen, seats, and their maps."""
