"""Artifacts on Earth: the powers that lie in them, who may use these, and to whom they pass (G2-ART-*)."""
