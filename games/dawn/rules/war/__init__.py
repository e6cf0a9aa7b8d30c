"""War: the march, reach, battles, odds and the commands of the sides."""
