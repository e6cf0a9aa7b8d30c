"""The rules of Forgeborn: the map, the state, the odds. Its chapters of commands and events are not built yet."""
