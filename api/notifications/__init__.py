"""Notifications: what people are told of their games, from what their seats may see."""
