"""Points between gods: gifts, offers and places sold."""
