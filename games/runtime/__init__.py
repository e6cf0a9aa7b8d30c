"""A game that runs: one locked session, the clock, its tasks and what watches over them."""
