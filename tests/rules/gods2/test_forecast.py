"""The forecast of a war is what happens (G2-AMB-37)."""

from dataclasses import replace

import pytest

from games.engine.game_state import dump
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.events import SquaresTaken, SquaresVacated, UnitsRetreated, WarFought
from games.gods2.rules.war.forecast import forecast_of, forecast_sentence
from tests.dice import d
from tests.playbook import of_kind
from tests.rules.gods2.wars import fight_war, romans_and_greeks, ultra_dwarves_and_low_elves
from tests.rules.gods2.worlds import earth_of, race, row_major


@pytest.mark.rule("G2-AMB-37", "G2-WAR-7")
@pytest.mark.parametrize("level", ["civilized", "barbarian"])
def test_a_war_forecast_is_what_happens(level: str) -> None:
    state, romans, greeks = romans_and_greeks(level=level)
    before, city = dump(state), next(c.id for c in state.cities.values() if c.race == greeks.id)
    forecast = forecast_of(state, romans.id, greeks.id)
    assert dump(state) == before
    dice = [d(6, "diplomacy/defender", 1), *([d(6, "city", 6)] if level == "civilized" else [])]
    events = fight_war(state, romans, greeks, dice)
    assert of_kind(events, WarFought)[0].sides == (forecast.plan.expected.attacker, forecast.plan.expected.defender)
    assert forecast.plan.expected.loser == greeks.id
    assert {(h.square.square, h.units) for e in of_kind(events, UnitsDied) for h in e.losses} == {
        (s, n) for units in forecast.plan.dead.values() for s, n in units.items()
    }
    assert tuple(p.square for p in of_kind(events, SquaresVacated)[0].squares) == forecast.plan.gone
    for kind, ways in ((UnitsRetreated, forecast.plan.ways), (SquaresTaken, forecast.plan.taking)):
        went = [((m.from_square.square, m.to_square.square), m.units) for e in of_kind(events, kind) for m in e.moves]
        assert went == list(ways.items())
    assert (forecast.cities, forecast.trying) == ((city,), (greeks.id,))


@pytest.mark.rule("G2-AMB-37")
def test_the_chance_of_peace_is_exact() -> None:
    peaceful = {"attributes": ["peaceful"]}  # Diplomacy +1, Aggression -3: a 2 is enough against another peaceful race
    for norse, picts, chance in (({}, {}, 0), ({}, peaceful, 12), (peaceful, {}, 12), (peaceful, peaceful, 35)):
        one, other = race("Norse", row_major(10, 0, 20), **norse), race("Picts", row_major(10, 20, 20), **picts)
        state = earth_of(["P" * 10] * 5, one, other)
        forecast = forecast_of(state, one.id, other.id)
        assert forecast.averted == chance
        assert len(forecast.trying) == sum(1 for side in (norse, picts) if side)


@pytest.mark.rule("G2-AMB-37")
def test_a_forecast_knows_the_modifiers_of_its_moment() -> None:
    state, dwarves, elves = ultra_dwarves_and_low_elves()
    assert forecast_of(state, dwarves.id, elves.id).plan.expected.defender.losses == 7
    state.races[dwarves.id] = replace(state.races[dwarves.id], knowledges=("archery",))
    assert forecast_of(state, dwarves.id, elves.id).plan.expected.defender.losses < 7
    sentence = forecast_sentence(state, forecast_of(state, dwarves.id, elves.id))
    assert sentence.startswith("Ultra-Dwarves ") and "lose" in sentence and sentence.endswith(".")
