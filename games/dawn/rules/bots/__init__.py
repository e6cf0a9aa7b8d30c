"""How a seat without a player plays: one module for each chapter, and the policy over them."""
