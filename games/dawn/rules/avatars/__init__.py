"""Avatars: what they are, what they do and how they return."""
