"""The table is set up: options, the map, the Smiths (chapters 1 and 2)."""
