"""Artifacts on Earth: who has them, and what follows them (G2-ART-*)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.artifacts.commands import CreateArtifact, DestroyArtifact, HandArtifact
from games.engine.artifacts.events import ArtifactCreated, ArtifactPassed
from games.engine.artifacts.state import Artifact, HolderKind
from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Event
from games.engine.lifecycle.amend import Amend, Amended, Change, Deed, FieldChange
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.artifacts.rules import pass_on_from_race, user_of
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerGranted
from games.gods2.rules.cities.events import CityDestroyed
from games.gods2.rules.cities.rules import destroy_city
from games.gods2.rules.gm_desk.commands import GrantPower
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.state.effect_records import ArtifactPower, Grant, GrantSource
from games.gods2.rules.state.records import GodStatus, War, WarKind, WarStatus
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.events import CityFell
from tests.dice import d
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, shares, two_peoples
from tests.rules.gods2.position import replay
from tests.rules.gods2.wars import fight_war, romans_and_greeks
from tests.rules.gods2.worlds import earth_of, happen, id_of, race

POWER, OTHER = "teach_hunting_lore", "teach_desert_survival"
RING = UUID(int=0x217)


def create(book: Playbook, name: str = "Ring", holder: UUID | None = None) -> UUID:
    """A new artifact."""
    (event,) = book.when(CreateArtifact(name=name, holder=holder), GM)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


def lay(book: Playbook, artifact: UUID, uses: int = 3, power: str = POWER, **more: Any) -> list[Event]:
    """A GM lays a power into an artifact."""
    return book.when(GrantPower(power=power, source=GrantSource.ARTIFACT, uses=uses, artifact=artifact, **more), by=GM)


def granted(book: Playbook) -> dict[UUID, int]:
    """Who may use the power, and how often."""
    return {grant.seat: grant.uses for grant in book.state.grants.values() if grant.power == POWER}


@pytest.mark.rule("G2-ART-1")
def test_gods_races_and_cities_have_artifacts_and_nobody_may() -> None:
    book, dwarves, _ = two_peoples()
    holders = (ANA, dwarves, None)
    made = [create(book, f"Ring {n}", holder) for n, holder in enumerate(holders)]
    assert tuple(book.state.artifacts[each].holder for each in made) == holders
    state, greeks = earth_of(["PP"], people := race("Greeks", {(0, 0): 2}, "civilized")), people.id
    (city,) = state.cities
    assert state.holder_kind(city) is HolderKind.CITY and state.holder_kind(greeks) is HolderKind.RACE


@pytest.mark.rule("G2-ART-1")
def test_who_is_dead_or_extinct_gets_none() -> None:
    book, dwarves, _ = two_peoples()
    state = book.state
    state.gods[ANA] = replace(state.gods[ANA], status=GodStatus.KILLED)
    state.races[dwarves] = replace(state.races[dwarves], extinct=True)
    for holder in (ANA, dwarves):
        with refused("holder.unable", state):
            create(book, holder=holder)
        assert holder not in state.possible_holders()


# -- powers that lie in artifacts -------------------------------------------------------------------------------------


@pytest.mark.rule("G2-ART-2", "G2-HIST-4")
def test_a_gm_lays_a_power_into_an_artifact_and_takes_it_out() -> None:
    book, _, _ = two_peoples()
    ring = create(book, holder=ANA)
    assert lay(book, ring) == [ArtifactPowerSet(artifact=ring, power=POWER, uses=3, seat=ANA)]
    assert book.log[-1].audience == f"gm+seat:{ANA}"
    assert book.log[-1].text == "Ashkar may use Teach Hunting Lore 3 times, by Ring."
    assert book.state.artifact_powers == {(ring, POWER): ArtifactPower(ring, POWER, 3, ANA)}
    assert granted(book) == {ANA: 3}
    lay(book, ring, 0)
    assert not book.state.artifact_powers and not book.state.grants
    assert book.log[-1].text == "Teach Hunting Lore lies in Ring no more."


@pytest.mark.rule("G2-ART-2")
def test_a_power_lies_in_one_artifact_at_most() -> None:
    book, _, _ = two_peoples()
    ring, crown = create(book, holder=ANA), create(book, "Crown", ANA)
    lay(book, ring)
    with refused("artifact.other", book.state):
        lay(book, crown)
    lay(book, crown, power=OTHER)
    lay(book, ring, 5)
    assert {key: each.uses for key, each in book.state.artifact_powers.items()} == {(ring, POWER): 5, (crown, OTHER): 3}


@pytest.mark.rule("G2-ART-2")
def test_a_grant_that_names_no_artifact_is_one_gods_alone() -> None:
    book, dwarves, _ = two_peoples()
    create(book, holder=dwarves)
    granting = GrantPower(seat=CLEO, power=POWER, source=GrantSource.ARTIFACT, uses=2)
    assert book.when(granting, by=GM) == [event_like(PowerGranted, seat=CLEO, uses=2)]
    assert granted(book) == {CLEO: 2} and not book.state.artifact_powers


@pytest.mark.rule("G2-ART-2", "G2-ART-3")
def test_what_does_not_fit_an_artifact_is_refused() -> None:
    book, dwarves, _ = two_peoples()
    ring, lost = create(book, holder=ANA), create(book, "Orb")
    book.when(DestroyArtifact(artifact=lost, reason="so"), GM)
    for source in (GrantSource.BORROWED, GrantSource.PERSONAL):
        with refused("artifact.unneeded", book.state):
            book.when(GrantPower(power=POWER, source=source, artifact=ring), by=GM)
    with refused("seat.other", book.state):
        lay(book, ring, seat=BEN)
    with refused("seat.missing", book.state):
        book.when(GrantPower(power=POWER, source=GrantSource.ARTIFACT), by=GM)
    with refused("artifact.lost", book.state):
        lay(book, lost)
    with refused("artifact.missing", book.state):
        lay(book, dwarves)
    with refused("power.missing", book.state):
        lay(book, ring, power="nothing_at_all")
    lay(book, ring, seat=ANA)


@pytest.mark.rule("G2-ART-2")
def test_what_is_offered_of_artifacts_is_what_is_accepted() -> None:
    book, _, _ = two_peoples()
    ring, crown = create(book, holder=ANA), create(book, "Crown")
    lay(book, ring)
    found = [each for each in legal_commands_for(book.state, [GrantPower], GM) if "artifact" in each.arguments]
    free, own = found
    assert set(free.choices("artifact")) == {ring, crown} and POWER not in free.choices("power")
    assert (own.choices("artifact"), own.choices("power")) == ((ring,), (POWER,))
    assert all(each.choices("source") == ("artifact",) and each.required == ("artifact",) for each in found)


@pytest.mark.rule("G2-ART-3")
def test_the_god_who_has_it_uses_it_or_the_living_god_with_the_largest_share() -> None:
    book, dwarves, elves = two_peoples()
    state = book.state
    ring = create(book, holder=CLEO)
    assert user_of(state, ring) == CLEO
    book.when(HandArtifact(artifact=ring, holder=dwarves), GM)
    assert user_of(state, ring) == ANA, "60 of 100"
    book.when(HandArtifact(artifact=ring, holder=elves), GM)
    assert user_of(state, ring) == BEN, "of equal shares the lowest id"
    state.gods[BEN] = replace(state.gods[BEN], status=GodStatus.KILLED)
    assert user_of(state, ring) == CLEO
    state.gods[CLEO] = replace(state.gods[CLEO], status=GodStatus.OBLITERATED)
    assert user_of(state, ring) is None
    book.when(HandArtifact(artifact=ring), GM)
    assert user_of(state, ring) is None


@pytest.mark.rule("G2-ART-3")
def test_atheism_uses_nothing_and_a_dead_god_nothing_either() -> None:
    book, dwarves, _ = two_peoples()
    state = book.state
    ring = create(book, holder=dwarves)
    book.plant(PantheonChanged(race=dwarves, pantheon=shares(atheism=90, c=10), cause="test"))
    assert user_of(state, ring) == CLEO
    book.when(HandArtifact(artifact=ring, holder=ANA), GM)
    state.gods[ANA] = replace(state.gods[ANA], status=GodStatus.KILLED)
    assert user_of(state, ring) is None


@pytest.mark.rule("G2-ART-3")
def test_a_citys_artifact_is_used_as_that_of_its_race() -> None:
    book, _, _ = two_peoples()
    greeks = race("Greeks", {(0, 0): 2}, "civilized", faith=shares(a=30, b=70))
    state = earth_of(["PP"], greeks)
    for seat in (ANA, BEN):
        state.gods[seat] = book.state.gods[seat]
    (city,) = state.cities
    state.artifacts[RING] = Artifact(RING, "Ring", city=city)
    assert user_of(state, RING) == BEN


@pytest.mark.rule("G2-ART-4")
def test_the_power_follows_its_user_with_the_uses_that_are_left() -> None:
    book, dwarves, _ = two_peoples()
    ring = create(book, holder=dwarves)
    lay(book, ring)
    assert granted(book) == {ANA: 3}
    book.when(CastPower(power=POWER, targets=(Target(race=dwarves),)), by=ANA)
    assert granted(book) == {ANA: 2}, "no cards of the sphere were needed"
    assert book.state.artifact_powers[ring, POWER].uses == 2
    events = book.when(HandArtifact(artifact=ring, holder=CLEO), GM)
    assert of_kind(events, ArtifactPowerSet) == [
        ArtifactPowerSet(artifact=ring, power=POWER, uses=2, seat=CLEO, former=ANA)
    ]
    assert book.log[-1].audience == f"gm+seat:{ANA}+seat:{CLEO}"
    assert granted(book) == {CLEO: 2}
    with refused("power.level", book.state):
        book.when(CastPower(power=POWER, targets=(Target(race=dwarves),)), by=ANA)
    book.when(HandArtifact(artifact=ring), GM)
    assert granted(book) == {} and book.state.artifact_powers[ring, POWER] == ArtifactPower(ring, POWER, 2)
    assert book.log[-1].text == "Teach Hunting Lore lies in Ring 2 times; nobody can use it now."
    book.when(HandArtifact(artifact=ring, holder=BEN), GM)
    assert granted(book) == {BEN: 2}


@pytest.mark.rule("G2-ART-4")
def test_the_power_goes_to_who_has_the_largest_share_after_the_next_act() -> None:
    book, dwarves, _ = two_peoples()
    ring = create(book, holder=dwarves)
    lay(book, ring)
    book.plant(PantheonChanged(race=dwarves, pantheon=shares(a=40, b=60), cause="test"))
    create(book, "Crown")
    assert granted(book) == {ANA: 3}, "a thing that is made settles nothing"
    book.when(GrantPower(seat=CLEO, power=OTHER, source=GrantSource.PERSONAL), by=GM)
    assert granted(book) == {BEN: 3}


@pytest.mark.rule("G2-ART-4", "G2-LOG-1")
def test_the_power_follows_a_corrected_artifact_at_once() -> None:
    book, _, _ = two_peoples()
    ring = create(book, holder=ANA)
    lay(book, ring)
    change = Change(
        deed=Deed.ALTER, table="artifacts", row=str(ring), fields=(FieldChange(field="deity", value=f'"{BEN}"'),)
    )
    events = book.when(Amend(changes=(change,), reason="A slip."), by=GM)
    assert [type(each) for each in events] == [Amended, ArtifactPowerSet] and granted(book) == {BEN: 3}


@pytest.mark.rule("G2-ART-4")
def test_the_last_use_takes_the_power_out_and_so_does_the_end_of_the_artifact() -> None:
    book, dwarves, _ = two_peoples()
    ring, crown = create(book, holder=ANA), create(book, "Crown", ANA)
    lay(book, ring, 1)
    book.when(CastPower(power=POWER, targets=(Target(race=dwarves),)), by=ANA)
    assert not book.state.artifact_powers and not book.state.grants
    lay(book, crown, power=OTHER)
    events = book.when(DestroyArtifact(artifact=crown, reason="It breaks"), GM)
    assert of_kind(events, ArtifactPowerSet) == [ArtifactPowerSet(artifact=crown, power=OTHER, uses=0, former=ANA)]
    assert not book.state.artifact_powers and not book.state.grants


@pytest.mark.rule("G2-ART-2", "G2-ART-4")
def test_what_an_older_log_has_granted_joins_what_the_artifact_brings() -> None:
    book, dwarves, _ = two_peoples()
    book.plant(PowerGranted(seat=CLEO, power=POWER, source=GrantSource.ARTIFACT, uses=2))
    ring = create(book, holder=dwarves)
    lay(book, ring, 3)
    book.when(HandArtifact(artifact=ring, holder=CLEO), GM)
    assert granted(book) == {CLEO: 5}


@pytest.mark.rule("G2-ART-2", "G2-ART-4", "G2-LOG-1")
def test_a_correction_leaves_no_power_in_two_artifacts_or_in_none() -> None:
    book, _, _ = two_peoples()
    state = book.state
    ring, crown = create(book, holder=ANA), create(book, "Crown")
    lay(book, ring)
    state.artifact_powers[crown, POWER] = ArtifactPower(crown, POWER, 1)
    with pytest.raises(Refused, match="Teach Hunting Lore lies in two artifacts"):
        state.invariants()
    del state.artifact_powers[crown, POWER]
    state.artifacts[ring] = replace(state.artifacts[ring], deity=None, lost=True)
    with pytest.raises(Refused, match="is not there, or is lost"):
        state.invariants()
    state.artifact_powers[ring, "nothing"] = ArtifactPower(ring, "nothing", 1)
    with pytest.raises(Refused, match="no power nothing"):
        state.invariants()


def test_the_log_leads_to_artifacts_and_their_powers() -> None:
    book, dwarves, _ = two_peoples()
    ring = create(book, holder=dwarves)
    lay(book, ring)
    book.when(HandArtifact(artifact=ring, holder=CLEO), GM)
    told = replay(book)
    assert (told.artifacts, told.artifact_powers) == (book.state.artifacts, book.state.artifact_powers)
    assert told.grants == {(CLEO, POWER, "artifact"): Grant(CLEO, POWER, GrantSource.ARTIFACT, 3)}


# -- cities and peoples that end --------------------------------------------------------------------------------------


def lie_in_city(state: Any, people: UUID) -> UUID:
    """The Ring lies in the one city of a race."""
    (city,) = (each.id for each in state.cities.values() if each.race == people)
    state.artifacts[RING] = Artifact(RING, "Ring", city=city)
    return UUID(str(city))


@pytest.mark.rule("G2-ART-5", "G2-WAR-14")
def test_who_takes_a_city_takes_what_lies_in_it() -> None:
    state, romans, greeks = romans_and_greeks()
    city = lie_in_city(state, greeks.id)
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "city", 1)])
    assert [type(each) for each in of_kind(events, CityFell, ArtifactPassed)] == [CityFell, ArtifactPassed]
    assert of_kind(events, ArtifactPassed) == [
        event_like(ArtifactPassed, holder=romans.id, former=city, under=("G2-ART-5",))
    ]


@pytest.mark.rule("G2-ART-5", "G2-WAR-13", "G2-WAR-14")
@pytest.mark.parametrize(("attributes", "level"), [(("warlike",), "civilized"), ((), "barbarian")])
def test_who_destroys_a_city_in_a_war_takes_what_lay_in_it(attributes: tuple[str, ...], level: str) -> None:
    state, romans, greeks = romans_and_greeks(attributes, level)
    lie_in_city(state, greeks.id)
    dice = [d(6, "diplomacy/defender", 1), *([d(6, "city", 2)] if level == "civilized" else [])]
    events = fight_war(state, romans, greeks, dice)
    assert [type(each) for each in of_kind(events, CityDestroyed, ArtifactPassed)] == [ArtifactPassed, CityDestroyed]
    assert state.artifacts[RING].race == romans.id


@pytest.mark.rule("G2-ART-5")
def test_of_a_city_that_ends_otherwise_its_own_race_keeps_what_lay_in_it() -> None:
    greeks = race("Greeks", {(0, 0): 2, (0, 1): 2}, "civilized")
    state = earth_of(["PP"], greeks)
    city = lie_in_city(state, greeks.id)
    happen(state, lambda s, ctx: destroy_city(s, s.cities[city], "earthquake"))
    assert city not in state.cities and state.artifacts[RING].race == greeks.id


def fought(state: Any, one: UUID, other: UUID, minutes: int, status: WarStatus = WarStatus.FOUGHT) -> None:
    """A war that was over after so many minutes."""
    number = len(state.wars) + 1
    ended = DAWN + timedelta(minutes=minutes)
    war = War(id_of(f"war {number}"), 1, number, one, other, WarKind.GOD, DAWN, status=status, ended_at=ended)
    state.wars[war.id] = war


@pytest.mark.rule("G2-ART-6")
def test_who_has_fought_a_race_last_has_what_it_leaves() -> None:
    greeks, romans, picts = (race(name, {(0, n): 2}) for n, name in enumerate(("Greeks", "Romans", "Picts")))
    state = earth_of(["PPP"], greeks, romans, picts)
    state.artifacts[RING] = Artifact(RING, "Ring", race=greeks.id)
    fought(state, picts.id, greeks.id, 9)
    fought(state, greeks.id, romans.id, 12)
    fought(state, romans.id, picts.id, 20)
    fought(state, picts.id, greeks.id, 30, WarStatus.AVERTED)
    (event,) = happen(state, lambda s, ctx: pass_on_from_race(s, greeks.id))
    assert event == event_like(ArtifactPassed, holder=romans.id, former=greeks.id, under=("G2-ART-6",))


@pytest.mark.rule("G2-ART-6")
@pytest.mark.parametrize("has_fought", [False, True])
def test_where_nobody_lives_who_has_fought_it_nobody_has_it(has_fought: bool) -> None:
    greeks, romans = (race(name, {(0, n): 2}) for n, name in enumerate(("Greeks", "Romans")))
    state = earth_of(["PP"], greeks, romans)
    state.artifacts[RING] = Artifact(RING, "Ring", race=greeks.id)
    if has_fought:
        fought(state, greeks.id, romans.id, 9)
        state.races[romans.id] = replace(state.races[romans.id], extinct=True)
    happen(state, lambda s, ctx: pass_on_from_race(s, greeks.id))
    assert state.artifacts[RING].holder is None and not state.artifacts[RING].lost


@pytest.mark.rule("G2-ART-6", "G2-POP-5")
def test_a_race_passes_its_artifacts_on_before_it_ends() -> None:
    greeks, romans = (race(name, {(0, n): 2}) for n, name in enumerate(("Greeks", "Romans")))
    state = earth_of(["PP"], greeks, romans)
    state.artifacts[RING] = Artifact(RING, "Ring", race=greeks.id)
    fought(state, greeks.id, romans.id, 9)
    state.board.put(Square(0, 0), None, 0)
    events = happen(state, lambda s, ctx: settle(s, ctx, "test"))
    assert [type(each) for each in of_kind(events, ArtifactPassed, RaceDestroyed)] == [ArtifactPassed, RaceDestroyed]
    assert state.artifacts[RING].race == romans.id
