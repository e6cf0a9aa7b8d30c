"""History: names of places, and the record of a century."""
