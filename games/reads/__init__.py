"""Reading games: selectors, cursors and history."""
