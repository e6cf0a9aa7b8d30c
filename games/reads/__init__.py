"""Reading games: selectors, cursors, history, and what a rewind would undo."""
