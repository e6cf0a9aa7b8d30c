"""Creating a subrace, and picking its edges (DW-SUB-*)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from core.names import comparable, is_same_name
from games.dawn.rules.command.rules import habitable
from games.dawn.rules.land.shaping import any_square, require_fit, squares_domain
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast, rules_of
from games.dawn.rules.powers.questions import PowerQuestion
from games.dawn.rules.races.events import SubraceCreated
from games.dawn.rules.races.subraces import PICK, Pick, inherited_count, mean_alignment, picker_of, pool, rotation
from games.dawn.rules.state.constants import MOST_PARENTS, PRICES
from games.dawn.rules.state.records import Edge, Power
from games.dawn.rules.state.schema_types import Asked, Place, Price, Step
from games.dawn.rules.state.state import At, State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Case, Choices, FreeText, ListOf, Narrowed
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name
from games.engine.prompts.prompt import close, open_prompt, owner_for
from games.engine.wording import listing


class CreateSubrace(PowerCommand):
    """Let a people branch off up to six races; creators of its parents pick the edges that it inherits."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SUB-1", "DW-SUB-2", "DW-SUB-3")

    name: Name
    """Its name; no other race has it."""
    parents: tuple[UUID, ...] = Field(min_length=1, max_length=MOST_PARENTS)
    """The races it comes from; anybody's, subraces too."""
    home: Place
    """Where it lives; in the territory of a parent."""

    def row(self, state: State) -> Price:
        return Price.CREATE_SUBRACE

    def check(self, state: State, cast: Cast) -> None:
        if len(set(self.parents)) < len(self.parents) or not set(self.parents) <= set(state.races):
            raise Refused(
                "parent.missing", "Each parent is a race, named once; one of these is not.", rules=("DW-SUB-1",)
            )
        for parent in self.parents:
            state.race(parent)
        state.require_free_name(self.name, state.races)
        state.square(self.home.at)
        if not any(self.home.at in state.land_of(parent) for parent in self.parents):
            raise Refused(
                "home.outside",
                f"({self.home.x}, {self.home.y}) lies in the territory of no parent; choose a square of one.",
                rules=("DW-SUB-1",),
            )
        require_fit(state, self.parents, self.home.at)

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield SubraceCreated(
            race=ctx.mint(PUBLIC),
            name=self.name,
            creator=power.caster,
            parents=self.parents,
            home=self.home,
            alignment=mean_alignment(state, self.parents),
            edge_number=inherited_count(state, self.parents),
            pickers=tuple(g for g in rotation(state, self.parents, power.caster) if not state.has_left(g)),
        )

    def afterwards(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        gods = rotation(state, self.parents, power.caster)
        done = [key for key in power.settled if key.startswith(PICK)]
        after = gods.index(picker_of(done[-1])) + 1 if done else 0
        turned = gods[after:] + gods[:after]
        following = next((god for god in turned if not state.has_left(god)), turned[0])
        pick = self.pick(state, power, following)
        return (pick,) if pick else ()

    def pick(self, state: State, power: Power, picker: UUID) -> Pick | None:
        """The next pick, by this picker; None when all are done, or nothing is left to pick."""
        race = next((race.id for race in state.races.values() if race.name == self.name), None)
        done = sum(key.startswith(PICK) for key in power.settled)
        if race is None or done >= inherited_count(state, self.parents):
            return None
        had = {comparable(edge.name) for edge in state.edges_of(race)}
        left = tuple(edge for edge in pool(state, self.parents) if comparable(edge.name) not in had)
        return Pick(f"{PICK}{done + 1}:{picker}", (picker,), race=race, pool=left) if left else None

    def saying(self, state: State) -> str:
        return f"create the subrace {self.name}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        races = [race.id for race in state.living_races()]
        price = PRICES[Price.CREATE_SUBRACE][state.course.age - 1]
        homes = {race: habitable(state, state.races[race], state.land_of(race)) for race in races}
        if not any(homes.values()):
            raise Refused("parent.missing", "No race lives yet that could be a parent.", rules=("DW-SUB-1",))
        parents = ListOf(Choices.of(races), low=1, high=MOST_PARENTS)
        yield LegalCommand(
            cls.slug(),
            {"name": FreeText().but(state.names_in(state.races)), "parents": parents, "home": any_square(state)},
            price=price,
            note=HOME,
            cases=(Case(either=tuple(_branching_off(race, land) for race, land in homes.items() if land)),),
        )


class PickEdge(Enumerable[State]):
    """Pick the next edge that a subrace inherits."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SUB-3",)

    prompt: UUID
    """The question."""
    edge: Name
    """An edge of the pool, by its name."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        prompt = open_prompt(state, self.prompt)
        if self.slug() not in prompt.answered_by:
            raise Refused("prompt.closed", "This question is answered by another command.", rules=("DW-ASK-1",))
        owner_for(state, prompt, ctx.actor)
        pick = _open_pick(state, ctx, prompt)
        left = pick.pool if pick else ()
        edge = next((edge for edge in left if is_same_name(edge.name, self.edge)), None)
        if edge is None:
            raise Refused(
                "edge.not_in_pool",
                f"{self.edge} is not among the edges left: {listing(e.name for e in left) or 'none'}.",
                rules=("DW-SUB-3",),
                pool=[e.name for e in left],
            )
        yield from _settle_pick(state, prompt, pick, edge)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        prompt = state.open_prompt(Asked.PICK)
        if prompt is None or f"seat:{state.seat(actor.acting_seat).id}" not in prompt.owners:
            raise Refused("prompt.closed", "You have no edge to pick.", rules=("DW-SUB-3",))
        yield LegalCommand(cls.slug(), {"prompt": Choices.of((prompt.id,)), "edge": Choices.of(prompt.choices)})


def _branching_off(parent: UUID, land: list[At]) -> Narrowed:
    """A first parent, and the homes in its territory."""
    return {"parents": ListOf.beginning_with(Choices((parent,))), "home": squares_domain(land)}


HOME = "The home lies in the territory of the first parent; that of any parent is good."


def pick_silent(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Who does not pick inherits the oldest edge left (section 9); a pick with nothing left is void."""
    pick = _open_pick(state, ctx, prompt)
    if pick is None:
        yield from close(state, prompt.id, "void")
    else:
        yield from _settle_pick(state, prompt, pick, pick.pool[0])


def _open_pick(state: State, ctx: Context, prompt: Prompt) -> Pick | None:
    """The pick that a prompt asks its owner for."""
    power = state.powers.get(prompt.subject) if prompt.subject else None
    command = rules_of(ctx, power) if power else None
    if power is None or not isinstance(command, CreateSubrace):
        return None
    return command.pick(state, power, UUID(prompt.owners[0].removeprefix("seat:")))


def _settle_pick(state: State, prompt: Prompt, pick: Pick | None, edge: Edge) -> Iterator[Event]:
    if pick is None or prompt.subject is None:
        raise RuntimeError("a pick of no subrace")
    yield from close(state, prompt.id, "picked")
    yield from pick.pick_edge(state.powers[prompt.subject], pick.asked[0], edge)
