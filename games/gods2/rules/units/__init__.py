"""Units on the map: moved, starved, dead."""
