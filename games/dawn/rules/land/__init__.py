"""Land: shaping it, and presence on it."""
