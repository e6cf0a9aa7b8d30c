"""Miracles and catastrophes, and what ends by them."""
