"""War: battles, their forecast, the schedule, and what the game-masters decide."""
