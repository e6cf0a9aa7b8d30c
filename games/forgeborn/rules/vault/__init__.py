"""Artifacts are asked for, and the others vote (FB-VLT)."""
