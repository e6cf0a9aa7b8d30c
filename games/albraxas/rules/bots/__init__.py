"""The bots of Albraxas: `random` does anything legal, `steady` what `tactics` finds worth most."""
