"""Names (G2-HREC-3): a GM names cities, terrain features and wars; until then the neutral name stands."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Literal
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.offers import Domain, Offer, Offering
from games.engine.rows import Rows
from games.engine.seating import Name
from games.gods2.rules.pantheon import ACTING
from games.gods2.rules.state import State

Kind = Literal["city", "feature", "war"]
KINDS: tuple[Kind, ...] = ("city", "feature", "war")
HREC = ("G2-HREC-3",)


class PlaceNamed(Event):
    """A city, a feature or a war has a name."""

    rules: ClassVar[tuple[str, ...]] = HREC

    kind: Kind
    subject: UUID
    name: str

    def apply(self, state: State) -> None:
        rows = named(state, self.kind)
        rows[self.subject] = replace(rows[self.subject], name=self.name)

    def text(self, state: State) -> str:
        return f"A {self.kind} is called {self.name} from now on."


class NamePlace(Offering):
    """Name a city, a terrain feature or a war."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = HREC

    kind: Kind
    """What is named."""
    subject: UUID
    """The city, feature or war."""
    name: Name
    """Its name, unique among things of its kind."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*ACTING)
        rows = named(state, self.kind)
        if self.subject not in rows:
            raise Refused("subject.missing", f"There is no such {self.kind} in this game.", rules=HREC)
        if any(thing.name.casefold() == self.name.casefold() for thing in rows.values() if thing.id != self.subject):
            raise Refused("name.taken", f"Another {self.kind} is called {self.name}; choose another name.", rules=HREC)
        yield PlaceNamed(kind=self.kind, subject=self.subject, name=self.name)

    @classmethod
    def offers(cls, state: State, actor: Actor) -> Iterator[Offer]:
        state.require(*ACTING)
        for kind in KINDS:
            if rows := named(state, kind):
                yield Offer(cls.slug(), {"kind": Domain.of((kind,)), "subject": Domain.of(sorted(rows))})


def named(state: State, kind: Kind) -> Rows[UUID, Any]:
    """The things of a kind that can be named."""
    match kind:
        case "city":
            return state.cities
        case "feature":
            return state.features
    return state.wars
