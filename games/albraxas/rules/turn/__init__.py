"""The flow of a turn, its deadlines and its charts."""
