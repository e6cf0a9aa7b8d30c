"""Questions to seats, sealed answers and dice rolled by hand."""
