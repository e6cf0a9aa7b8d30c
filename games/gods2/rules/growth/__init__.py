"""Growth: how peoples grow, in what order, and previews of it."""
