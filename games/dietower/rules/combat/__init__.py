"""Chapter 6 of the rulebook: encounters."""
