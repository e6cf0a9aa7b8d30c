"""Sessions and the times of a century."""
