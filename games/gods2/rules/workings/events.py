"""Modifications as facts: added, activated, fired, ended (G2-MOD-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.pack.filters import has
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import trigger_name


class ModificationAdded(Event[State]):
    """A power goes on working on a race, or waits there."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOD-1", "G2-MOD-2", "G2-MOD-3")

    modification: UUID
    race: UUID
    power: str
    status: ModStatus
    trigger: str | None = None
    until: int | None = None
    """The century at whose end it ends."""
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        place = state.era.castings + 1
        state.set_era(castings=place)
        state.modifications[self.modification] = Modification(
            id=self.modification,
            race=self.race,
            power=self.power,
            status=self.status,
            place=place,
            century=state.era.century,
            until=self.until,
            casting=self.casting,
        )

    def sentence(self, state: State) -> str:
        how = {ModStatus.DORMANT: "waits on", ModStatus.WAITING: "will begin for", ModStatus.ACTIVE: "works on"}
        return f"{state.pack.powers[self.power].name} {how[self.status]} {state.races[self.race].name}."


class ModificationActivated(Event[State]):
    """A modification of the last century begins."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOD-2",)

    modification: UUID
    race: UUID

    def apply(self, state: State) -> None:
        here = state.modifications[self.modification]
        until = here.until
        if until is None and not endless(state.pack.powers[here.power]):
            until = state.era.century
        state.modifications[self.modification] = replace(here, status=ModStatus.ACTIVE, until=until)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.modification)} begins for {state.races[self.race].name}."


class ModificationFired(Event[State]):
    """What a modification waited for has happened."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOD-3", "G2-MOD-4", "G2-MOD-5")

    modification: UUID
    race: UUID
    trigger: str
    event: UUID | None = None
    """The war for which it works now."""
    until: int | None = None
    """The century at whose end it is over, where its data let it outlast what has activated it."""

    def apply(self, state: State) -> None:
        here = state.modifications[self.modification]
        if here.status is ModStatus.DORMANT:
            here = replace(here, status=ModStatus.ACTIVE, fired=self.trigger, event=self.event, until=self.until)
            state.modifications[self.modification] = here

    def sentence(self, state: State) -> str:
        trigger = trigger_name(self.trigger)
        return f"{name_of(state, self.modification)} wakes for {state.races[self.race].name}: {trigger}."


class ModificationEnded(Event[State]):
    """A modification is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MOD-1", "G2-MOD-7")

    modification: UUID
    race: UUID
    power: str
    reason: str

    def apply(self, state: State) -> None:
        del state.modifications[self.modification]

    def sentence(self, state: State) -> str:
        power, race = state.pack.powers[self.power].name, state.races[self.race].name
        return f"{power} is over for {race} ({self.reason})."


def name_of(state: State, modification: UUID) -> str:
    """The name of a modification's power."""
    return state.pack.powers[state.modifications[modification].power].name


def endless(power: Power) -> bool:
    """Whether no century ends what a power has begun: it goes on until its trigger, or for the whole era."""
    by_code = "until_trigger" if has(power.codes, "Mp", "Mv", "Mv+") else "century"
    return (power.duration or by_code) in ("until_trigger", "era", "permanent")
