"""Commands as they are described, listed and issued."""
