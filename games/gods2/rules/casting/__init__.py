"""Casting powers: the queue, prices, targets, joint castings and what may be cast."""
