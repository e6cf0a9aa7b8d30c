"""What always holds (FB-GM-6); asked after every amendment, and by tests after every event."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from core.names import comparable
from games.forgeborn.rules.realm.network import cut_off
from games.forgeborn.rules.state.dice import number_of_dice, numbers_of
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind, Stage, Step, WayKind
from games.forgeborn.rules.state.state import State

ONCE = (PlaceKind.LAIR, PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.FOREST)
TURNS = (Step.TURN, Step.LAST_TURNS)


def violations(state: State) -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    checks = (_of_purses, _of_places, _of_ways, _of_characters, _of_artifacts, _of_course, _of_actions, _of_votes)
    return list(chain.from_iterable(check(state) for check in checks))


def _of_purses(state: State) -> Iterator[str]:
    for purse in state.purses.values():
        name = state.seat_name(purse.seat)
        if min(purse.vp, purse.resource, purse.secret) < 0:
            yield f"{name} has less than nothing of victory points or tokens."
        claimed = state.artifacts.get(purse.claim) if purse.claim is not None else None
        if purse.claim is not None and (claimed is None or not state.is_in_vault(claimed)):
            yield f"{name} claims what does not lie in the Vault."


def _of_places(state: State) -> Iterator[str]:
    if not state.places:
        return
    kinds = Counter(place.kind for place in state.places.values())
    for kind in ONCE:
        if kinds[kind] != 1:
            yield f"A map has one {kind}, not {kinds[kind]}."
    yield from _doubles("place", (place.name for place in state.places.values()))
    for place in state.places.values():
        if place.is_spent and place.kind is not PlaceKind.RUINS:
            yield f"{place.name} cannot be spent; Ruins alone are."
        if (place.power > 0) is (place.kind is PlaceKind.FOREST):
            yield f"{place.name}: every place but the Forest has a Power."


def _of_ways(state: State) -> Iterator[str]:
    if not state.places:
        return
    ends = [(way.a, way.b) for way in state.ways.values()]
    if any(a == b or (b, a) in state.ways for a, b in ends):
        yield "A way joins two places, and no two ways the same ones."
    if set(chain.from_iterable(ends)) - state.places.keys():
        yield "A way leads to no place of the map."
    citadel = next((p.id for p in state.places.values() if p.kind is PlaceKind.CITADEL), None)
    for place in cut_off(citadel, list(state.places), ends) if citadel is not None else ():
        yield f"{state.places[place].name} cannot be reached from the Citadel."
    forests = [place.id for place in state.places.values() if place.kind is PlaceKind.FOREST]
    for forest in forests:
        if [way.kind for way in state.ways.values() if forest in (way.a, way.b)] != [WayKind.TRAIL]:
            yield "The Forest has one way, a Trail."


def _of_characters(state: State) -> Iterator[str]:
    for character in state.characters.values():
        if character.place not in state.places:
            yield f"{character.name} stands in no place of the map."
        if min(numbers_of(character).values()) < 0:
            yield f"{character.name} has less than no dice of a size."
        if (character.kind is CharacterKind.SMITH) is not (character.number == 0):
            yield f"{character.name}: Heroines are numbered from 1, a Smith is not."
    for kind in CharacterKind:
        yield from _doubles(kind, (c.name for c in state.characters.values() if c.kind is kind))
    smiths = Counter(c.seat for c in state.characters.values() if c.kind is CharacterKind.SMITH)
    for seat in {c.seat for c in state.characters.values()} | set(state.course.order):
        if smiths[seat] != 1:
            yield f"{state.seat_name(seat)} has {smiths[seat]} Smiths, not one."


def _of_artifacts(state: State) -> Iterator[str]:
    citadel = {place.id for place in state.places.values() if place.kind is PlaceKind.CITADEL}
    for artifact in state.artifacts.values():
        if min(numbers_of(artifact).values()) < 0 or not artifact.power == number_of_dice(artifact) >= 1:
            yield f"{artifact.name}: the Power of an artifact is the number of its dice, 1 at least."
        if artifact.holder not in citadel | state.characters.keys():
            yield f"{artifact.name} is held by a character, or lies in the Vault."
    yield from _doubles("artifact", (artifact.name for artifact in state.artifacts.values()))


def _of_course(state: State) -> Iterator[str]:
    course = state.course
    if course.active is not None and course.step not in TURNS:
        yield "A seat has its turn while there are turns, and at no other time."
    if not {*course.to_come, *filter(None, [course.active, course.slayer])} <= set(course.order):
        yield "A seat has a turn that has no place in the order of turns."
    if course.step is Step.LAST_TURNS and course.slayer is None:
        yield "The last turns follow the fall of the Dragon."
    acting = state.characters.get(course.character) if course.character is not None else None
    if course.character is not None and (acting is None or acting.seat != course.active):
        yield "The character of a turn is one of the seat whose turn it is."


def _of_actions(state: State) -> Iterator[str]:
    ongoing = [action for action in state.actions.values() if action.stage is not Stage.OVER]
    if len(ongoing) > 1:
        yield "One action is open at a time."
    if any(action.seat != state.course.active for action in ongoing):
        yield "An open action is one of the seat whose turn it is."


def _of_votes(state: State) -> Iterator[str]:
    for ballot in state.ballots.values():
        vote = state.votes.get(ballot.vote)
        if vote is None or ballot.seat not in vote.electorate:
            yield "A ballot is of a seat that votes."
        elif ballot.is_open is (vote.is_agreed is None):
            yield "Ballots are sealed exactly while the vote runs."


def _doubles(what: str, names: Iterable[str]) -> Iterator[str]:
    """Names that are used twice, upper and lower case alike (FB-ROW-5, FB-MAP-15)."""
    for name, number in Counter(map(comparable, names)).items():
        if number > 1:
            yield f"{number} of the kind {what} are called {name}."
