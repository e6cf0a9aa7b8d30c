"""Pantheons: shares, orders, cults and turmoil."""
