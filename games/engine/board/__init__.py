"""Boards and grids, reach on them, and rounding to whole numbers."""
