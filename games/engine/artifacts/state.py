"""The table of artifacts, and who may hold one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.game_state import GameState
from games.engine.kernel import Event
from games.engine.lifecycle.seating import StoredName
from games.engine.naming import noun_of
from games.engine.state import Rows, table
from games.engine.wording import listing, with_article

RULE = "CF-14"
Description = Annotated[str, Field(max_length=2000)]


class HolderKind(StrEnum):
    """The kinds of holders in a world, each the name of a field of the artifact."""

    DEITY = "deity"
    RACE = "race"
    CITY = "city"
    PLACE = "place"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A thing of the world. Of the fields that name a holder one at most is filled; nobody has it where none is."""

    id: UUID
    name: StoredName
    description: Description = ""
    deity: UUID | None = None
    race: UUID | None = None
    city: UUID | None = None
    place: UUID | None = None
    person: UUID | None = None
    lost: bool = False
    """Destroyed; the row stays for the chronicle."""

    @property
    def holders(self) -> dict[HolderKind, UUID]:
        """Who has it, by kind: one at most."""
        found = {kind: getattr(self, kind.value) for kind in HolderKind}
        return {kind: holder for kind, holder in found.items() if holder is not None}

    @property
    def holder(self) -> UUID | None:
        """Who or what has it; None for nobody."""
        return next(iter(self.holders.values()), None)

    def with_holder(self, kind: HolderKind | None, holder: UUID | None) -> Self:
        """The artifact with another holder, or with none."""
        fields: dict[str, Any] = dict.fromkeys(each.value for each in HolderKind)
        return replace(self, **fields | ({kind.value: holder} if kind is not None else {}))


class ArtifactState(GameState):
    """The state of a game whose world has artifacts; a ruleset extends it and says which of its tables hold."""

    holding_tables: ClassVar[Mapping[HolderKind, str]]
    """The table of each kind of holder that the game has rows of. Keys are ids."""

    artifacts: Rows[UUID, Artifact] = table(Artifact, amendable=True)

    def artifact(self, artifact: UUID) -> Artifact:
        """An artifact that is not lost. Raises `artifact.missing`, `artifact.lost`."""
        found = self.artifacts.get(artifact)
        if found is None:
            raise Refused("artifact.missing", "There is no such artifact in this world.", rules=(RULE,))
        if found.lost:
            raise Refused("artifact.lost", f"{found.name} is lost; a correction brings it back.", rules=(RULE,))
        return found

    def artifacts_of(self, holder: UUID) -> list[Artifact]:
        """What somebody holds, by name."""
        held = [each for each in self.artifacts.values() if each.holder == holder]
        return sorted(held, key=lambda each: (each.name, each.id))

    def inability_to_hold(self, kind: HolderKind, holder: Any) -> str:
        """Why a row of such a table can hold nothing now, as a clause; "" where it can. A ruleset says more."""
        return ""

    def follow_artifact(self, artifact: UUID) -> Iterator[Event]:
        """What follows where an artifact has another holder, or is lost; nothing unless the ruleset says so."""
        yield from ()

    def holder_kind(self, holder: UUID) -> HolderKind:
        """Of which kind a holder is that can hold now. Raises `holder.missing`, `holder.other`, `holder.unable`."""
        for kind, name in self.holding_tables.items():
            found = getattr(self, name).get(holder)
            if found is None:
                continue
            if why := self.inability_to_hold(kind, found):
                raise Refused("holder.unable", f"{why}; choose another holder, or none.", rules=(RULE,))
            return kind
        kinds = listing((with_article(noun_of(self, name)) for name in self.holding_tables.values()), "or")
        if (what := self.name_of(str(holder))) is not None:
            raise Refused("holder.other", f"{what} holds no artifacts; name {kinds}.", rules=(RULE,))
        raise Refused("holder.missing", f"There is no such holder; name {kinds} of this game, or none.", rules=(RULE,))

    def possible_holders(self) -> Iterator[UUID]:
        """Who can hold an artifact now, kind by kind, by id."""
        for kind, name in self.holding_tables.items():
            rows = getattr(self, name)
            yield from (holder for holder in sorted(rows) if not self.inability_to_hold(kind, rows[holder]))

    def artifact_violations(self) -> Iterator[str]:
        """What cannot be among artifacts, a sentence each: two holders, one that is none, a holder of what is lost."""
        for artifact in sorted(self.artifacts.values(), key=lambda each: each.id):
            held = artifact.holders
            if len(held) > 1:
                yield f"{artifact.name} has {len(held)} holders; one at most has it."
            if artifact.lost and held:
                yield f"{artifact.name} is lost, so nobody has it."
            for kind, holder in held.items():
                if kind not in self.holding_tables:
                    yield f"A {kind.value} holds nothing in this game."
                elif holder not in getattr(self, self.holding_tables[kind]):
                    yield f"The {kind.value} that has {artifact.name} is not in this game; hand it on first."

    def invariants(self) -> None:
        if found := list(self.artifact_violations()):
            raise Refused("amend.invalid", " ".join(found), rules=self.amend_rules or (RULE,), violations=found)
        super().invariants()
