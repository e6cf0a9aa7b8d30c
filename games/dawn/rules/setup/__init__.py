"""Setting up: seats, options, gods and the start."""
