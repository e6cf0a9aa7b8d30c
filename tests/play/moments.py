"""Moments of games of every ruleset as bots play them: the states in which something is met for the first time.

What holds for every form, listing or sentence is asked in these, instead of in positions that somebody thought of.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

from games.dietower.rules.state.schema_types import ActionKind, ActorKind
from games.dietower.rules.state.schema_types import Asked as DieTower
from games.engine.errors import Refused
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Context, EventRecord, Issuer
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from tests.playbook import Playbook
from tests.rules.albraxas.test_random_games import random_game as albraxas_game
from tests.rules.dawn.test_random_games import random_game as dawn_game
from tests.rules.dietower.test_random_evenings import evening
from tests.rules.forgeborn.test_random_games import game as forgeborn_game
from tests.rules.gods2.era import ANA, BEN, GM
from tests.rules.gods2.test_centuries_at_random import command_of, earth

GODS_ACTS = 150
COMMANDS = 4_000
"""So many commands and timers of a game are looked at."""


class Enough(Exception):
    """So much of a game as is looked at has been played."""


def _gods2_game(number: int) -> None:
    chance = Random(number)
    book = earth(chance)
    for _ in range(GODS_ACTS):
        _do_anything(book, chance)
        if chance.random() < 0.2:
            book.wait(timedelta(seconds=chance.randint(1, 9)))


def _do_anything(book: Playbook, chance: Random) -> None:
    """A god or a game-master issues a legal command other than a power: wars, pantheons, questions."""
    actor = chance.choice((Actor(Issuer.SEAT, seat=ANA), Actor(Issuer.SEAT, seat=BEN), GM, GM))
    kinds = [k for k in RULESET.own.commands if actor.role in k.issuers and k is not CastPower]
    legal = [o for o in legal_commands_for(book.state, kinds, actor) if o.legal]
    wanted = chance.choice(sorted({each.command for each in legal}))
    command = command_of(chance.choice([each for each in legal if each.command == wanted]), chance)
    if command is not None:
        try:
            book.when(command, by=actor)
        except Refused:
            return


PLAYED: dict[str, tuple[Callable[[int], object], tuple[int, ...]]] = {
    "albraxas": (albraxas_game, (1,)),
    "dawn": (dawn_game, (3,)),
    "dietower": (evening, tuple(range(40))),
    "forgeborn": (forgeborn_game, (23, 20)),
    "gods2": (_gods2_game, tuple(range(12))),
}
"""How a game of each ruleset is played, and which are looked at; where something is wanted, until it was met."""


def _of_dietower(state: Any) -> Iterator[Any]:
    """The kinds of actions that are held and offered, and the kinds of people whom the world master plays."""
    yield from (state.holds[p.subject].action for p in state.prompts.values() if p.kind == DieTower.HELD)
    yield from (actor.kind for actor in state.actors.values())


SEEN: Mapping[str, Callable[[Any], Iterator[Any]]] = {"dietower": _of_dietower}
"""What of a state is a thing to be met, beside its step and its questions."""
WANTED: Mapping[str, Set[Any]] = {
    "dietower": {*DieTower, *ActionKind, *ActorKind},
}
"""What must be met: games are played in their order until it was, however long that takes bots."""


def moments(ruleset: str) -> tuple[Any, ...]:
    """The states at rest in which a step, a kind of question or such a kind answered by somebody is met first."""
    return _played(ruleset)[0]


def sentences(ruleset: str) -> tuple[str, ...]:
    """What the events of these games say, each sentence once."""
    return _played(ruleset)[1]


def asked_at_stages(ruleset: str) -> Mapping[tuple[int, str, str], Sequence[frozenset[UUID]]]:
    """Which questions a command answered, one after the other, by game, stage and command."""
    return _played(ruleset)[2]


Asked: TypeAlias = dict[tuple[int, str, str], list[frozenset[UUID]]]


@cache
def _played(ruleset: str) -> tuple[tuple[Any, ...], tuple[str, ...], Asked]:
    """The moments of the games of a ruleset, what their events say, and what was asked at their stages."""
    play, numbers = PLAYED[ruleset]
    met: set[Any] = set()
    found: list[Any] = []
    told: dict[str, None] = {}
    asked: Asked = defaultdict(list)
    wanted, see = WANTED.get(ruleset, frozenset()), SEEN.get(ruleset, lambda _: iter(()))
    for number in numbers:
        with _looking(met, found, told, asked, see):
            try:
                play(number)
            except Enough:
                continue
        if wanted and wanted <= {each[0] if isinstance(each, tuple) else each for each in met}:
            return tuple(found), tuple(told), asked
    assert not wanted, f"{ruleset} is played without {wanted - met}"
    return tuple(found), tuple(told), asked


@contextmanager
def _looking(
    met: set[Any], found: list[Any], told: dict[str, None], asked: Asked, see: Callable[[Any], Iterator[Any]]
) -> Iterator[None]:
    """Each command of a playbook is followed by a look at its state."""
    record, left = Playbook._record, iter(range(COMMANDS))

    def look(book: Playbook, ctx: Context, happened: list[EventRecord]) -> None:
        record(book, ctx, happened)
        state = book.state
        for command in {name for prompt in state.prompts.values() for name in prompt.answered_by}:
            open_now = frozenset(each.id for each in state.prompts.values() if command in each.answered_by)
            history = asked[id(book), state.stage, command]
            if history[-1:] != [open_now]:
                history.append(open_now)
        told.update(dict.fromkeys(record.text for record in happened))
        answered = {prompt for prompt, _ in state.answers}
        questions = ((prompt.kind, prompt.id in answered) for prompt in state.prompts.values())
        here = {state.step, *questions, *see(state)}
        if not here <= met:
            met.update(here)
            found.append(state.twin())
        if next(left, None) is None:
            raise Enough

    Playbook._record = look  # type: ignore[method-assign]
    try:
        yield
    finally:
        Playbook._record = record  # type: ignore[method-assign]
