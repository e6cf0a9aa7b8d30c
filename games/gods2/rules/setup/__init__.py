"""Setting up: options, gods, races, the map, the roster and the second creation."""
