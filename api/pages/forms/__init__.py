"""Forms drawn from the JSON Schema of commands, and the body that was written into them."""
