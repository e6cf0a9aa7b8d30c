"""Artifacts are created, and what a sum of dice buys is chosen (FB-ART, FB-HER-1)."""
