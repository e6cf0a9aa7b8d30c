"""Rows of Dawn of Worlds: the course of the game, sheets on the world's entities, what is open, and two secrets."""

from games.dawn.models.course import Course, GodSheet, Hold, Purse
from games.dawn.models.land import Region, SquareSheet, Territory
from games.dawn.models.open import Advance, Conflict, Mark, Motion, Offer, Power, War
from games.dawn.models.peoples import Alliance, AvatarSheet, CitySheet, Edge, OrderSheet, RaceSheet

__all__ = [
    "Advance",
    "Alliance",
    "AvatarSheet",
    "CitySheet",
    "Conflict",
    "Course",
    "Edge",
    "GodSheet",
    "Hold",
    "Mark",
    "Motion",
    "Offer",
    "OrderSheet",
    "Power",
    "Purse",
    "RaceSheet",
    "Region",
    "SquareSheet",
    "Territory",
    "War",
]
