"""The course of a century: its start, steps, calculation and end."""
