"""What always holds of a settled state (section 6 of the rulebook): asked after every amendment and by tests."""

import json
from collections import Counter
from collections.abc import Collection
from itertools import pairwise
from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY
from games.engine.board.grid import squares_in
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import WHOLE, Level, Race, WarStatus
from games.gods2.rules.state.state import State


def violations(state: State) -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    if missing := [*_races_named(state), *_pack_named(state), *_previews(state)]:
        return missing  # what is asked below reads these rows
    unsettled = {p.subject for p in state.prompts.values() if p.kind == Asked.SITE}
    found = [*_map(state), *_cities(state, unsettled), *_artifact_powers(state)]
    for race in state.living():
        found += [*_shares(state, race), *(_limits(state, race) if race.id not in unsettled else ())]
    return found


def _map(state: State) -> list[str]:
    """Units are never negative, and stand on a square exactly when somebody owns it."""
    board = state.board
    found = []
    if (board.units < 0).any():
        found.append("A square has fewer than 0 units.")
    if ((board.units > 0) != (board.owner != NOBODY)).any():
        found.append("A square has units of nobody, or an owner without units.")
    for position in np.unique(board.owner[board.owner != NOBODY]).tolist():
        people = state.races.get(board.peoples[position])
        if people is None or people.extinct:
            found.append("Units stand on the map whose race is missing or extinct.")
    return found


def _races_named(state: State) -> list[str]:
    """The races that rows name are there; an extinct one keeps its row."""
    named = [("A share of a pantheon", share.race) for share in state.shares.values()]
    named += [(f"War {war.number}", race) for war in state.wars.values() for race in (war.attacker, war.defender)]
    named += [("A modification", modification.race) for modification in state.modifications.values()]
    named += [("A cut of limits", cut.race) for cut in state.cuts.values()]
    named += [("A migration", migration.id) for migration in state.migrations.values()]
    return [f"{what} names a race that is not there." for what, race in named if race not in state.races]


def _pack_named(state: State) -> list[str]:
    """The entries of the pack that rows name are there."""
    found = []
    for race in state.races.values():
        found += [("attribute", key) for key in race.attributes if key not in state.pack.attributes]
        found += [("knowledge", key) for key in race.knowledges if key not in state.pack.knowledges]
    working = (state.modifications, state.grants, state.artifact_powers)
    powers = [each.power for rows in working for each in rows.values()]
    found += [("power", key) for key in powers if key not in state.pack.powers]
    found += [("feature", each.kind) for each in state.features.values() if each.kind not in state.pack.features]
    return [f"The data pack has no {kind} {key}." for kind, key in found]


def _artifact_powers(state: State) -> list[str]:
    """A power lies in one artifact at most, which is there and not lost (G2-ART-2, G2-ART-4)."""
    lying = sorted(state.artifact_powers.values(), key=lambda each: (each.power, each.artifact))
    sound = {artifact.id for artifact in state.artifacts.values() if not artifact.lost}
    found = [
        "A power lies in an artifact that is not there, or is lost." for each in lying if each.artifact not in sound
    ]
    twice = {each.power for each, other in pairwise(lying) if each.power == other.power}
    return found + [f"{state.pack.powers[power].name} lies in two artifacts." for power in sorted(twice)]


def _previews(state: State) -> list[str]:
    """What a preview shows can still happen: its race lives, its war is to be fought (G2-GROW-10, G2-WAR-8)."""
    living, waiting = {race.id for race in state.living()}, WarStatus.DECLARED
    found = []
    for preview in state.previews.values():
        wars = [UUID(war) for war in json.loads(preview.plan).get("wars", ())]
        war = state.wars.get(preview.subject)
        if not wars and preview.subject not in living:
            found.append("The growth of a race that is not there is shown; accept what is shown first.")
        if wars and (war is None or war.status is not waiting or not all(each in state.wars for each in wars)):
            found.append("A war that is not to be fought is shown; accept what is shown first.")
    return found


def _shares(state: State, race: Race) -> list[str]:
    """Shares add up to 100%, each above 0 (G2-PAN-1)."""
    shares = state.pantheon(race.id)
    total = sum(shares.values())
    if total != WHOLE or any(share <= 0 for share in shares.values()):
        return [f"The pantheon of {race.name} adds up to {total / 100:g}%, not 100%, or a share is 0."]
    return []


def _limits(state: State, race: Race) -> list[str]:
    """No square is above its limit (G2-LIM-1)."""
    bounds = limits(state, race.id)
    over = squares_in(state.board.own(race.id) & (state.board.units > bounds))
    return [
        f"{race.name} have {int(state.board.units[s])} units at {s.column}, {s.row}; the limit is {int(bounds[s])}."
        for s in over
    ]


def _cities(state: State, unsettled: Collection[UUID | None]) -> list[str]:
    """Cities stand with their people, one on a square, and every civilized race has one (G2-CITY-7, 8; G2-MAP-7).

    unsettled: races whose city waits for its site.
    """
    found = []
    places = Counter(city.square for city in state.cities.values())
    found += [f"Two cities stand at {s.column}, {s.row}." for s, count in sorted(places.items()) if count > 1]
    for city in state.cities.values():
        at = f"{city.square.column}, {city.square.row}"
        owner = state.races.get(city.race)
        if not state.board.holds(city.square):
            found.append(f"The city at {at} is not on the map.")
        elif state.board.people_at(city.square) != city.race:
            found.append(f"The city at {at} has no people of its race.")
        if owner is None or owner.level is not Level.CIVILIZED:
            found.append(f"The city at {at} belongs to nobody who is civilized.")
    owners = {city.race for city in state.cities.values()}
    for race in state.living():
        if race.level is Level.CIVILIZED and race.id not in owners and race.id not in unsettled:
            found.append(f"{race.name} are civilized and own no city.")
    return found
