"""The Earth as a board: neighbours, limits, reach, statistics and conditions on squares."""
