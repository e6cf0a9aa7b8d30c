"""Setting up: seats, characters and the start."""
