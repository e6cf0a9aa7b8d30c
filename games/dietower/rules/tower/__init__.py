"""Chapters 3 and 4 of the rulebook: the tower, and the simulated one."""
