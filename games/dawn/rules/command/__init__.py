"""Commanding a race or a city: powers, arguments and what becomes of them."""
