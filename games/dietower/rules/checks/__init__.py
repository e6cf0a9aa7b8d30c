"""Chapter 2 of the rulebook: checks."""
