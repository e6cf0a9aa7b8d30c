"""Rows of worlds: entities that several games share and that outlive a game."""

from worlds.models.divine import Avatar, Deity, DeityKind, DeityStatus, PantheonShare, SpecialMember
from worlds.models.peoples import Army, City, CityKind, Order, Presence, Race
from worlds.models.persons import KIND_PATTERN, Person
from worlds.models.works import HOLDERS, Artifact, Chronicle, Holding
from worlds.models.world import Adjacency, Feature, Place, PlaceSquare, Route, Square, Terrain, World, WorldMember

__all__ = [
    "HOLDERS",
    "KIND_PATTERN",
    "Adjacency",
    "Army",
    "Artifact",
    "Avatar",
    "Chronicle",
    "City",
    "CityKind",
    "Deity",
    "DeityKind",
    "DeityStatus",
    "Feature",
    "Holding",
    "Order",
    "PantheonShare",
    "Person",
    "Place",
    "PlaceSquare",
    "Presence",
    "Race",
    "Route",
    "SpecialMember",
    "Square",
    "Terrain",
    "World",
    "WorldMember",
]
