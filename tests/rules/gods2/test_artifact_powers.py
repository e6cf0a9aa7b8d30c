"""Powers that make artifacts (G2-ART-7): whose they are, who uses what lies in them, and how they come to another."""

from uuid import UUID

import pytest

from games.engine.artifacts.events import ArtifactCreated, ArtifactPassed
from games.engine.artifacts.rules import destroy_artifact, pass_on
from games.engine.kernel import Event
from games.gods2.pack import load
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.artifacts.rules import follow_users, pass_on_from_city, user_of
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.pack.operations import ArtifactMake
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.records import ATHEISM, CityKind, God
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA, BEN
from tests.rules.gods2.strikes import able, cast
from tests.rules.gods2.worlds import People, earth_of, happen, race

THREE = load(3)
MAKING = {
    key: effect for key, power in THREE.powers.items() for effect in power.effects if isinstance(effect, ArtifactMake)
}


def faith(of: UUID, share: int = 6000) -> tuple[ShareOf, ...]:
    return (ShareOf(member=str(of), share=share), ShareOf(member=ATHEISM, share=10_000 - share))


def peoples() -> tuple[People, People]:
    """Norse with a city, who worship Ashkar, and Elves beside them, who worship Belun."""
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "civilized", cities={(0, 0): CityKind.CITY}, faith=faith(ANA))
    return norse, race("Elves", {(0, 4): 3}, "barbarian", faith=faith(BEN))


def earth(*races: People) -> State:
    state = earth_of(["PPPPPP"], *races, packs={3: THREE})
    state.gods[BEN] = God(BEN, "Belun")
    return state


def make(state: State, key: str, norse: People) -> list[Event]:
    """Ashkar makes the artifact of a power; it is for the Norse, or for their city, where it is aimed."""
    target = THREE.powers[key].target
    city = next(iter(state.cities)) if target == "city" else None
    return cast(state, key, norse if target == "race" else None, city=city)


@pytest.mark.rule("G2-ART-7", "G2-ART-3")
@pytest.mark.parametrize("key", MAKING)
def test_a_power_makes_an_artifact_with_a_power_that_its_caster_can_use(key: str) -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    events = make(state, key, norse)
    (made,) = of_kind(events, ArtifactCreated)
    (lies,) = of_kind(events, ArtifactPowerSet)
    wanted = {"caster": ANA, "city": next(iter(state.cities)), "race": norse.id}
    target = "caster" if MAKING[key].holder == "caster" else THREE.powers[key].target
    assert (made.name, made.holder, made.under) == (MAKING[key].name, wanted[target], ("G2-ART-7",))
    assert (lies.artifact, lies.power, lies.uses, lies.seat) == (
        made.artifact,
        MAKING[key].power,
        MAKING[key].uses,
        ANA,
    )
    assert state.grants[ANA, MAKING[key].power, GrantSource.ARTIFACT].uses == MAKING[key].uses
    (dish, *_) = menu(state, state.gods[ANA], [MAKING[key].power])
    assert dish.barred is None or dish.barred.code != "power.level"


@pytest.mark.rule("G2-ART-7", "G2-ART-2")
def test_while_its_power_lies_in_it_an_artifact_cannot_be_made_again() -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    cast(state, "carve_the_horn")
    able(state, "carve_the_horn")
    with refused("artifact.other", state) as told:
        cast(state, "carve_the_horn")
    # In which artifact a power of others lies is their secret.
    assert not any(artifact.name in told.value.message for artifact in state.artifacts.values())


@pytest.mark.rule("G2-ART-7")
def test_an_artifact_whose_uses_are_gone_gets_its_power_anew_and_goes_to_its_maker() -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    cast(state, "carve_the_horn")
    (horn,) = state.artifacts
    happen(state, lambda s, ctx: iter([ArtifactPowerSet(artifact=horn, power="flood", uses=0, former=ANA)]))
    happen(state, lambda s, ctx: pass_on(s, horn, BEN))
    events = cast(state, "carve_the_horn")
    assert of_kind(events, ArtifactCreated) == []
    (passed,) = of_kind(events, ArtifactPassed)
    assert (passed.artifact, passed.holder, passed.former, passed.under) == (horn, ANA, BEN, ("G2-ART-7",))
    assert of_kind(events, ArtifactPowerSet) == [ArtifactPowerSet(artifact=horn, power="flood", uses=4, seat=ANA)]


@pytest.mark.rule("G2-ART-7")
def test_the_next_of_a_lost_artifact_has_a_number() -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    cast(state, "carve_the_horn")
    (horn,) = state.artifacts
    happen(state, lambda s, ctx: destroy_artifact(s, horn, "Thrown into the sea."))
    happen(state, follow_users)
    (again,) = of_kind(cast(state, "carve_the_horn"), ArtifactCreated)
    assert again.name == "Horn of Tides 2"


@pytest.mark.rule("G2-ART-7", "G2-ART-3", "G2-ART-5")
def test_an_artifact_of_a_city_serves_the_god_of_those_who_take_it() -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    make(state, "kindle_the_lamp", norse)
    (lamp,), (city,) = state.artifacts, state.cities.values()
    assert user_of(state, lamp) == ANA
    (passed,) = of_kind(happen(state, lambda s, ctx: pass_on_from_city(s, city, elves.id)), ArtifactPassed)
    assert passed.holder == elves.id and user_of(state, lamp) == BEN


@pytest.mark.rule("G2-ART-7")
def test_a_people_of_other_gods_gets_none() -> None:
    norse, elves = peoples()
    state = earth(norse, elves)
    able(state, "forge_the_hammer")
    with refused("target.unfit", state):
        cast(state, "forge_the_hammer", elves)


def test_three_to_six_powers_make_artifacts_each_of_another_power() -> None:
    assert 3 <= len(MAKING) <= 6
    assert len({effect.power for effect in MAKING.values()}) == len({e.name for e in MAKING.values()}) == len(MAKING)
