"""The Divine Conflict: an open auction of two gods."""
