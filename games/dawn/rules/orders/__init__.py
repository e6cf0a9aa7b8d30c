"""Orders: founded in a race, and set tasks."""
