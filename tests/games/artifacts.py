"""A running game of each ruleset that takes artifacts in, with two who may hold one."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.artifacts.commands import CreateArtifact
from games.engine.kernel import Command
from tests.games.dawn import begin as dawn_begins
from tests.games.dietower import begin as evening_begins
from tests.games.live import live
from tests.games.table import Table
from worlds.models import HOLDERS, Artifact, Holding


class Stage:
    """A running game with two holders."""

    def __init__(self, here: Any, gm: str, holders: list[UUID]) -> None:
        self.here, self.gm = here, gm
        self.first, self.second = holders[:2]

    def does(self, command: Command) -> None:
        """A game-master's command, a minute after the one before."""
        if isinstance(self.here, Table):
            self.here.now += timedelta(seconds=1)
        self.here.run(command, self.gm)

    def creates(self, name: str = "Ring", holder: UUID | None = None) -> Artifact:
        """A new artifact; the first has it unless said."""
        self.does(CreateArtifact(name=name, description="Of gold.", holder=holder or self.first))
        return Artifact.objects.get(world=self.here.game.world, name=name)

    def end(self) -> int:
        """The end of the log."""
        return int(self.here.game.seq)


def in_gods2() -> Stage:
    here = live()
    return Stage(here, "gaia", [here.seats["ana"], here.races["Elves"]])


def in_dawn() -> Stage:
    here = dawn_begins()
    return Stage(here, "gm", [here.seats["ann"], here.seats["bob"]])


def in_dietower() -> Stage:
    here = evening_begins()
    return Stage(here, "gm", [here.of("ann"), here.of("bob")])


STAGES: dict[str, Callable[[], Stage]] = {"gods2": in_gods2, "dawn": in_dawn, "dietower": in_dietower}


def held_by(row: Artifact | Holding) -> UUID | None:
    return next((found for kind in HOLDERS if (found := getattr(row, f"{kind}_id")) is not None), None)


def holders_of(artifact: Artifact) -> list[tuple[UUID | None, bool]]:
    """Who has held it in order, and who holds it still."""
    rows = Holding.objects.filter(artifact=artifact).order_by("number")
    return [(held_by(row), row.until is None) for row in rows]
