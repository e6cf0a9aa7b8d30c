"""Rows of The Gods II: sheets on the world's nouns, the clock of the era, wars, pantheon orders, and secrets."""

from games.gods2.models.era import Era, Line, NumberHolder, QueueNumber
from games.gods2.models.gods import Cards, Factor, GodSheet, Pool, Purse
from games.gods2.models.races import PantheonOrder, RaceAttribute, RaceKnowledge, RaceSheet
from games.gods2.models.wars import War, WarPolicy

__all__ = [
    "Cards",
    "Era",
    "Factor",
    "GodSheet",
    "Line",
    "NumberHolder",
    "PantheonOrder",
    "Pool",
    "Purse",
    "QueueNumber",
    "RaceAttribute",
    "RaceKnowledge",
    "RaceSheet",
    "War",
    "WarPolicy",
]
