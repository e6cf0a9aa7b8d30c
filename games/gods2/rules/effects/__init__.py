"""What powers do: one module for each family of effects, and triggers that wake later."""
