"""The bots of Forgeborn: `wild` does anything legal, `steady` forges and then goes to the Dragon; a referee."""
