"""War: declarations, the schedule, battles, combined wars and what the game-master decides."""
