"""Rows of Forgeborn."""

from games.forgeborn.models.actions import Action, Ballot, HelpOffer, Pool, Seal, SentPool, Vote
from games.forgeborn.models.characters import Artifact, Character, Draft, Nameplate
from games.forgeborn.models.course import AdvanceAnswer, Chair, Course, Purse
from games.forgeborn.models.realm import DroppedDie, Line, Note, Place

__all__ = [
    "Action",
    "AdvanceAnswer",
    "Artifact",
    "Ballot",
    "Chair",
    "Character",
    "Course",
    "Draft",
    "DroppedDie",
    "HelpOffer",
    "Line",
    "Nameplate",
    "Note",
    "Place",
    "Pool",
    "Purse",
    "Seal",
    "SentPool",
    "Vote",
]
