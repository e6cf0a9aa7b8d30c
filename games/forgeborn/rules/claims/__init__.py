"""Who holds an artifact, and the claims that a boon of the Prince gives."""
