"""Who uses the power of an artifact, and to whom artifacts pass when cities and peoples end (G2-ART-3 to 6)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.artifacts.rules import pass_all_on
from games.engine.artifacts.state import HolderKind
from games.engine.kernel import Context, Event
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.state.effect_records import ArtifactPower, GrantSource
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, City, GodStatus, WarStatus
from games.gods2.rules.state.state import State

Steps = Iterator[Event]


def user_of(state: State, artifact: UUID) -> UUID | None:
    """The seat of the god who may use the power of an artifact; None where nobody can (G2-ART-3)."""
    found = state.artifacts.get(artifact)
    if found is None or found.holder is None:
        return None
    if HolderKind.DEITY in found.holders:
        return found.holder if _lives(state, found.holder) else None
    race = state.cities[found.holder].race if HolderKind.CITY in found.holders else found.holder
    held = {UUID(m): share for m, share in state.pantheon(race).items() if m not in (ATHEISM, DIABOLISM)}
    return min((god for god in held if _lives(state, god)), key=lambda god: (-held[god], god), default=None)


def _lives(state: State, god: UUID) -> bool:
    return god in state.gods and state.gods[god].status is GodStatus.ALIVE


def artifact_of_power(state: State, power: str) -> UUID | None:
    """The artifact in which a power lies (G2-ART-2)."""
    return next((each.artifact for each in state.artifact_powers.values() if each.power == power), None)


def are_powers_astray(state: State) -> bool:
    """Whether a power of an artifact was used, or is with another god than its user (G2-ART-4)."""
    return any(_set_anew(state, each) is not None for each in state.artifact_powers.values())


def follow_users(state: State, _: Context | None = None) -> Steps:
    """The power of each artifact follows its user, with the uses that are left (G2-ART-4)."""
    for key in sorted(state.artifact_powers):
        if (event := _set_anew(state, state.artifact_powers[key])) is not None:
            yield event


def _set_anew(state: State, lies: ArtifactPower) -> ArtifactPowerSet | None:
    """What has become of a power since it was last set; None where all is as it was."""
    user = user_of(state, lies.artifact)
    left = lies.uses if lies.seat is None else _uses_of(state, lies.seat, lies.power)
    if user == lies.seat and left == lies.uses:
        return None
    artifact = state.artifacts.get(lies.artifact)
    if artifact is None or artifact.lost:
        left = 0
    elif user is not None and user != lies.seat and left:
        left += _uses_of(state, user, lies.power)  # what an older log has granted without an artifact
    return ArtifactPowerSet(artifact=lies.artifact, power=lies.power, uses=left, seat=user, former=lies.seat)


def _uses_of(state: State, seat: UUID, power: str) -> int:
    found = state.grants.get((seat, power, GrantSource.ARTIFACT))
    return found.uses if found is not None else 0


def pass_on_from_city(state: State, city: City, victor: UUID | None = None) -> Steps:
    """What lies in a city passes to the race that takes or destroys it, else to its own (G2-ART-5)."""
    reason = "the city is no more" if victor is None else "booty of war"
    yield from pass_all_on(state, city.id, victor or city.race, reason=reason, rules=("G2-ART-5",))


def pass_on_from_race(state: State, race: UUID) -> Steps:
    """What a race has that ends passes to the race that has fought it last, else to nobody (G2-ART-6)."""
    wars = (war for war in state.wars.values() if race in (war.attacker, war.defender))
    fought = [war for war in wars if war.status is WarStatus.FOUGHT]
    last = max(fought, key=lambda war: (war.ended_at or war.declared_at, war.century, war.number), default=None)
    enemy = None if last is None else last.defender if last.attacker == race else last.attacker
    heir = enemy if enemy is not None and not state.races[enemy].extinct else None
    yield from pass_all_on(state, race, heir, reason="its people are no more", rules=("G2-ART-6",))
