"""Pantheons: orders for new shares, and turmoil at a god's will."""
