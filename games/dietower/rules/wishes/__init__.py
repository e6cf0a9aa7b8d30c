"""Chapter 5 of the rulebook: Wishes."""
