"""What a seat says in advance (section 9)."""
