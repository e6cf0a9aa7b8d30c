"""Rows of the Die Tower game."""

from games.dietower.models.actors import Actor, Brief, Chart, Mystery, Revelation, Sheet, Vitality
from games.dietower.models.checks import Bonus, Check, Consequence, Miracle, Placement, Roll, StoryWish, Tower, TowerDie
from games.dietower.models.combat import Aim, Attack, Distance, Encounter, Hold, Member
from games.dietower.models.course import Course, Place, Session

__all__ = [
    "Actor",
    "Aim",
    "Attack",
    "Bonus",
    "Brief",
    "Chart",
    "Check",
    "Consequence",
    "Course",
    "Distance",
    "Encounter",
    "Hold",
    "Member",
    "Miracle",
    "Mystery",
    "Place",
    "Placement",
    "Revelation",
    "Roll",
    "Session",
    "Sheet",
    "StoryWish",
    "Tower",
    "TowerDie",
    "Vitality",
]
