"""How the admin writes moments, by language."""
