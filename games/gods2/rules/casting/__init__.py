"""Casting powers: what may be cast, joint castings, and what a casting still asks."""
