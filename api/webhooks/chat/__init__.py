"""Chat hooks: what a stranger may know of a game, posted to chat channels a line at a time."""
