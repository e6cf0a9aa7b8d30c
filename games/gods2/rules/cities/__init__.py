"""Cities: what they need, where they are founded and when they fall."""
