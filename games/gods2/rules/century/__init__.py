"""The course of a century: start, steps, worksheet, mana, deadlines and end."""
