"""Golden games: short stories played through the services, with numbers worked out by hand from the rulebook."""
