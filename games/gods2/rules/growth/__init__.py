"""Growth and migration: how peoples grow, where they are placed and where they move."""
