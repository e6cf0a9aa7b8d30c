"""What follows from every change: settling the state until nothing is left to do."""
