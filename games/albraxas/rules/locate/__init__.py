"""LOCATE: where the characters go."""
