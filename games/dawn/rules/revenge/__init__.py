"""Revenge for an avatar who died, and their return (DW-AVA-5)."""
