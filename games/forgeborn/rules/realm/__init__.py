"""The map of Forgeborn: dice are dropped on a sheet, and places, ways, mountains and woods follow from them."""
