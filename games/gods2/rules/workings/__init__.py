"""One working: its targets, its price, and the modifications that run."""
