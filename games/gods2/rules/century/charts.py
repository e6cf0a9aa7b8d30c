"""What is charted at the end of each century: population (G2-POP-1, 2), mana (G2-MANA-5), pantheons (G2-PAN-1).

Asked of the state as somebody may see it: a god's mana is in it for that god and the GMs alone.
"""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.engine.insight.charts import About, Chapters, Chart, Figure
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.setup.events import CreationOpened
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, WHOLE, Phase
from games.gods2.rules.state.state import State

OVER = (Phase.CLOSED, Phase.TRANSITION, Phase.FINISHED)
COMMON = "demons"


def population(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Units of every race; of one race its units and its strength."""
    if subject is None:
        for each in sorted(state.races.values(), key=lambda r: (r.name, r.id)):
            yield Figure(str(each.id), each.name, state.board.units_of(each.id), gone=each.extinct)
    elif subject in state.races:
        yield Figure("units", "Units", state.board.units_of(subject))
        yield Figure("strength", "Units with cities", strength(state, subject))


def mana(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Whole mana of every god whose purse is seen, and of the demons' common account."""
    for purse in sorted(state.purses.values(), key=lambda p: (state.gods[p.id].name, p.id)):
        yield Figure(str(purse.id), state.gods[purse.id].name, purse.balance)
    for pool in state.pools.values():
        if pool.demons:
            yield Figure(COMMON, "The demons together", pool.balance)


def pantheon(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Shares of the members of a race's pantheon, in hundredths of a percent."""
    for member, share in state.pantheon(subject).items() if subject is not None and subject in state.races else ():
        special = member in (ATHEISM, DIABOLISM)
        yield Figure(member, member.title() if special else state.gods[UUID(member)].name, share)


CHAPTERS = Chapters(
    word="Century",
    opened_by=(CenturyOpened, CreationOpened),
    number=lambda event: int(event.century),
    ended=lambda state: state.era.phase in OVER,
)
CHARTS: Mapping[str, Chart[State]] = {
    "population": Chart("Population", "units", About.ANYBODY, population),
    "mana": Chart("Mana", "mana", About.NOBODY, mana),
    "pantheon": Chart("Pantheon", "percent", About.SUBJECT, pantheon, over=WHOLE // 100, shared=True),
}
