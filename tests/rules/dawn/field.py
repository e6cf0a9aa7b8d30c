"""A battlefield for the tests of wonders and war: A's elves in the west, B's dwarves in the east, land between."""

from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.dawn.rules import RULESET
from games.dawn.rules.command.arguments import Act, Args, Target
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.conflict.commands import Fold, PlaceBid
from games.dawn.rules.powers.answer_commands import WaiveObjection
from games.dawn.rules.state.records import Territory, War
from games.dawn.rules.state.schema_types import EdgeKind, Place, Terrain, Tier, WonderKind, Works
from games.dawn.rules.war.commands import AttackAgain, CommitArmies, StandIn, WaiveStandIn
from games.dawn.rules.wonders.commands import WorkWonder
from games.engine.game_state import dump
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Actor, Event, Issuer
from tests.dice import Planted
from tests.playbook import Playbook, state_from_log
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, army, city, edge, inner_prompt, order, people, playing

HOLD = UUID(int=0xC2)
GNOMES = UUID(int=0x90)
ANSWER = timedelta(seconds=90)
"""How long a war waits."""
WEST, EAST = (1, 1), (4, 1)


def field(ours: int = 0, theirs: int = 0, *, gods: int = 3, **points: int) -> Playbook:
    """A's turn of Age 3: HAVEN of the elves (A's) with `ours` armies, HOLD of the dwarves (B's) with `theirs`."""
    book = playing(gods, age=3, **(points or {"a": 20, "b": 20, "c": 20}))
    terrain(book, Terrain.PLAINS, *book.state.squares)
    people(book, A)
    people(book, B, race=DWARVES, x=EAST[0], y=EAST[1])
    city(book, at=WEST)
    city(book, DWARVES, B, at=EAST, id=HOLD)
    order(book, ELVES, A)
    for _ in range(ours):
        army(book, HAVEN)
    for _ in range(theirs):
        army(book, HOLD)
    return book


def terrain(book: Playbook, kind: Terrain, *squares: tuple[int, int], **fields: Any) -> None:
    """Make squares of this terrain."""
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], terrain=kind, **fields)


def armies(book: Playbook, home: UUID = HAVEN) -> tuple[UUID, ...]:
    """The armies of a city."""
    return tuple(a.id for a in book.state.armies_in(home))


def target(at: tuple[int, int] = EAST, avatar: UUID | None = None) -> Target:
    return Target(square=Place(x=at[0], y=at[1]), avatar=avatar)


def march(
    book: Playbook,
    *marching: UUID,
    at: tuple[int, int] = EAST,
    avatar: UUID | None = None,
    by: UUID = A,
    race: UUID = ELVES,
) -> list[Event]:
    """A god commands a race to war; its armies in HAVEN march unless some are named."""
    args = Args(target=target(at, avatar), armies=marching or armies(book))
    return book.when(CommandRace(race=race, act=Act.WAR, args=args), by=by)


def sally(book: Playbook, home: UUID, *marching: UUID, at: tuple[int, int] = EAST, by: UUID = A) -> list[Event]:
    """A god commands a city to war."""
    return book.when(CommandCity(city=home, act=Act.WAR, args=Args(target=target(at), armies=marching)), by=by)


def the_war(book: Playbook) -> War:
    """The war that is fought."""
    (war,) = book.state.wars.values()
    return war


def commit(book: Playbook, seat: UUID, *chosen: UUID, dice: list[Planted] | None = None) -> list[Event]:
    """A side commits these."""
    return book.when(CommitArmies(war=the_war(book).id, armies=chosen), by=seat, dice=dice)


def again(book: Playbook, seat: UUID = A) -> list[Event]:
    """The attacker goes on."""
    return book.when(AttackAgain(war=the_war(book).id), by=seat)


def actor_of(seat: UUID) -> Actor:
    """A god as an actor, to ask for legal commands and forecasts."""
    return Actor(Issuer.SEAT, seat=seat)


def add_defence(book: Playbook, name: str, target: UUID = DWARVES) -> None:
    """Give a race or a city a defensive edge."""
    edge(book, target, name, EdgeKind.DEFENSIVE)


def add_attack(book: Playbook, name: str, target: UUID = ELVES) -> None:
    """Give a race or a city an offensive edge."""
    edge(book, target, name, EdgeKind.OFFENSIVE)


def set_tier(book: Playbook, race: UUID, tier: Tier) -> None:
    """Put a race on a tier."""
    book.state.races[race] = replace(book.state.races[race], tier=tier)


def waive_revenge(book: Playbook, seat: UUID = B) -> list[Event]:
    """The god of a dead avatar lets it pass."""
    return book.when(WaiveObjection(prompt=inner_prompt(book)), by=seat)


def snapshot(book: Playbook) -> tuple[Any, int]:
    """The state as it is now, put up by hand, and how long the log is: for `log_tells_the_rest`."""
    return deepcopy(book.state), len(book.log)


def log_folds_to_rest(book: Playbook, since: tuple[Any, int]) -> bool:
    """Whether folding what was logged since gives the state."""
    state, length = since
    assert dump(state_from_log(book.log[length:], state)) == dump(book.state)
    return True


def waits(book: Playbook) -> tuple[str, set[str]]:
    """What the war waits for, and whom."""
    prompt = book.state.prompts[inner_prompt(book)]
    return prompt.kind, {owner.removeprefix("seat:") for owner in prompt.owners}


def whom(*gods: UUID) -> set[str]:
    return {str(seat) for seat in gods}


def stands_in(book: Playbook, who: UUID, by: UUID = B) -> list[Event]:
    return book.when(StandIn(war=the_war(book).id, avatar=who), by=by)


def waives(book: Playbook, by: UUID = B) -> list[Event]:
    return book.when(WaiveStandIn(war=the_war(book).id), by=by)


def legal_commands_of(book: Playbook, command: str, seat: UUID) -> list[LegalCommand]:
    """The legal forms of a command for a god."""
    return legal_commands_for(book.state, RULESET.own.commands, actor_of(seat), LegalCommandFilter(command=command))


def area(*squares: tuple[int, int]) -> tuple[Place, ...]:
    return tuple(Place(x=x, y=y) for x, y in squares)


def work(
    book: Playbook, works: Works = Works.DEED, *targets: UUID, at: tuple[tuple[int, int], ...] = (EAST,), **fields: Any
) -> list[Event]:
    """A works a catastrophe, or what is said."""
    kind = fields.pop("kind", WonderKind.CATASTROPHE)
    wonder = WorkWonder(kind=kind, squares=area(*at), works=works, targets=targets, **fields)
    return book.when(wonder, by=A)


def waive_all(book: Playbook) -> list[Event]:
    """All who are asked whether they object, or challenge, let it pass."""
    prompt = book.state.prompts[inner_prompt(book)]
    events: list[Event] = []
    for owner in prompt.owners:
        if (prompt.id, owner) not in book.state.answers:
            events += book.when(WaiveObjection(prompt=prompt.id), by=UUID(owner.removeprefix("seat:")))
    return events


def work_unopposed(
    book: Playbook, works: Works, *targets: UUID, at: tuple[tuple[int, int], ...] = (EAST,)
) -> list[Event]:
    """A works a catastrophe, and all whom it hurts let it pass."""
    return [*work(book, works, *targets, at=at), *waive_all(book)]


def wild(book: Playbook, *creators: UUID, race: UUID = GNOMES, **fields: Any) -> UUID:
    """A race without a city, at (3, 3) and on both squares beside it."""
    found = people(book, *creators, race=race, x=3, y=3, **fields)
    for at in ((2, 3), (4, 3)):
        book.state.territory[found, *at] = Territory(found, *at)
    return found


def bid(book: Playbook, seat: UUID, total: int) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(PlaceBid(conflict=conflict, total=total), by=seat)


def fold(book: Playbook, seat: UUID) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(Fold(conflict=conflict), by=seat)
