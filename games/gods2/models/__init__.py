"""Rows of The Gods II: sheets on the world's entities, the clock of the era, wars, pantheon orders, and secrets."""

from games.gods2.models.effect_records import (
    ArtifactPower,
    Authorship,
    Cut,
    Deed,
    Grant,
    GrowthPlan,
    Land,
    LaterTurmoil,
    Law,
    Migration,
    Modification,
    Preview,
    Proposal,
    Signature,
    Task,
)
from games.gods2.models.era import Era, Line, NumberHolder, QueueNumber
from games.gods2.models.gods import Absence, Cards, Factor, GodSheet, Pool, Purse
from games.gods2.models.races import PantheonOrder, RaceAttribute, RaceKnowledge, RaceSheet
from games.gods2.models.wars import War, WarPolicy

__all__ = [
    "Absence",
    "ArtifactPower",
    "Authorship",
    "Cards",
    "Cut",
    "Deed",
    "Era",
    "Factor",
    "GodSheet",
    "Grant",
    "GrowthPlan",
    "Land",
    "LaterTurmoil",
    "Law",
    "Line",
    "Migration",
    "Modification",
    "NumberHolder",
    "PantheonOrder",
    "Pool",
    "Preview",
    "Proposal",
    "Purse",
    "QueueNumber",
    "RaceAttribute",
    "RaceKnowledge",
    "RaceSheet",
    "Signature",
    "Task",
    "War",
    "WarPolicy",
]
