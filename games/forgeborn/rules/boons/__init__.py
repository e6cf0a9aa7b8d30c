"""The Spirits of the Forest, and the boons of the Prince (FB-FOR, FB-PRI-2)."""
