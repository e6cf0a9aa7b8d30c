"""Mana: what is counted, earned and paid."""
