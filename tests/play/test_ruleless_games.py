"""Whole games by a client that knows no rules and no command, beside bots: everything it sends is accepted.

Each game is played in memory by the rules of the service; what the client reads and sends is the service's JSON, as
`legal-commands/?legal=1` shows it and `commands/<name>/` takes it. One or two games a ruleset in the ordinary run;
`LEGAL_GAMES=20` plays twenty of each. A few requests go through REST in `test_over_rest.py`.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import orjson
import pytest

from api.representations.issuing.commands import MOST_BYTES, listing_json, parse_command
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.schema_types import Step as AlbraxasStep
from games.dawn.rules.state.schema_types import Step as DawnStep
from games.engine.errors import Refused
from games.engine.game_state import Status
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for, names_of
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.state.records import Phase
from tests.play.ruleless import body_for
from tests.playbook import Playbook
from tests.rules.albraxas import stage as albraxas
from tests.rules.albraxas.test_random_games import state_of
from tests.rules.dawn import stage as dawn
from tests.rules.dawn.test_random_games import starting_state
from tests.rules.gods2.era import ANA, GM
from tests.rules.gods2.test_centuries_at_random import earth

GAMES = int(os.environ.get("LEGAL_GAMES", "0"))
LEGAL = LegalCommandFilter(legal=True)
UNKNOWABLE = {
    "zone.unknown": "the time zones that there are no schema lists",
    "seal.broken": "what was sealed is the client's own secret, and this client writes nothing down",
    "caster.absent": "who is away is known to that seat and the game-masters alone",
}
"""Refusals that no schema could have told, with the reason."""
PATIENCE = 12_000  # looks at one game


@dataclass
class Client:
    """One seat, or a game-master, that acts on schemas alone."""

    book: Playbook
    chance: Random
    seat: UUID | None
    role: Issuer = Issuer.SEAT
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    biggest: int = 0

    def look(self) -> dict[str, Any]:
        """What `legal-commands/?legal=1` says to it."""
        ruleset, seats = self.book.ruleset, frozenset({self.seat} if self.seat else ())
        state = self.book.state.view_for(seats, gm=self.role is Issuer.GM)
        found = legal_commands_for(state, ruleset.commands.values(), self.actor, LEGAL)
        sent = orjson.dumps(listing_json(ruleset.slug, found, names_of(state, found), LEGAL))
        self.biggest = max(self.biggest, len(sent))
        answer: dict[str, Any] = orjson.loads(sent)
        return answer

    @property
    def actor(self) -> Actor:
        """Who sends its commands."""
        return Actor(self.role, seat=self.seat)

    def act(self) -> None:
        """Send any command that is legal, with any body that its schema admits; it stays at the table."""
        answer = self.look()
        offered = [each for each in answer["results"] if not each.get("quits") and not each.get("partial")]
        if not offered:
            return
        name = self.chance.choice(sorted({each["command"] for each in offered}))
        entry = self.chance.choice([each for each in offered if each["command"] == name])
        body = orjson.dumps(body_for(entry, answer, self.chance))
        command = parse_command(self.book.ruleset.slug, name, body)  # what it raises would be a 422
        try:
            self.book.when(command, by=self.actor)
            self.done[name] += 1
        except Refused as refused:
            assert refused.code in UNKNOWABLE, (name, body, refused.code, refused.message)
            self.refused[refused.code] += 1


def play(book: Playbook, clients: list[Client], seconds: tuple[int, ...], over: Callable[[], bool]) -> None:
    """Let clients act and time pass until the game is over."""
    chance = clients[0].chance
    for _ in range(PATIENCE):
        for client in clients:
            for _ in range(chance.randint(1, 3)):
                if over():
                    return
                client.act()
        book.wait(timedelta(seconds=chance.choice(seconds)))
        if over():
            return
    raise AssertionError("the game does not end")


def ours(book: Playbook, *seats: UUID, bot: str = "plain") -> None:
    """These seats are people's, all others are played by bots."""
    for seat in list(book.state.seats.values()):
        mine = seat.id in seats
        book.state.seats.load(
            seat.id, replace(seat, bot="" if mine else seat.bot or bot, user=seat.id if mine else None)
        )


def dawn_game(number: int) -> list[Client]:
    """A game of Dawn; in every third one two gods are clients."""
    book, chance = Playbook(dawn.RULESET, starting_state(number)), Random(number)
    seats = dawn.GODS[: 1 + (number % 3 == 0)]
    ours(book, *seats)
    book.when(Start(), by=dawn.HOST)
    clients = [Client(book, chance, seat) for seat in seats]
    play(book, clients, (5, 30, 90, 300), lambda: book.state.course.step is DawnStep.FINISHED)
    return clients


def albraxas_game(number: int) -> list[Client]:
    """A game of Albraxas: the client is Albraxas or a rebel, in every third game both."""
    book, chance = Playbook(albraxas.RULESET, state_of(number)), Random(number)
    seats = [UUID(int=1 + number % 2), *([UUID(int=2 - number % 2)] if number % 3 == 0 else [])]
    ours(book, *seats)
    book.when(Start(), by=albraxas.HOST)
    book.when(PlayAlbraxas(seat=UUID(int=1)), by=albraxas.HOST)
    clients = [Client(book, chance, seat) for seat in seats]

    def over() -> bool:
        if book.state.storm.step is AlbraxasStep.CHARACTERS and book.state.sheets.keys() >= book.state.seats.keys():
            book.when(EndSetup(), by=albraxas.HOST)
        return book.state.storm.step is AlbraxasStep.FINISHED

    play(book, clients, (1, 5, 20), over)
    return clients


def gods2_game(number: int) -> list[Client]:
    """An era of The Gods II on a random Earth: the client is a god; in every other game a game-master, too."""
    chance = Random(number)
    book = earth(chance)
    ours(book, ANA, bot="god")
    clients = [Client(book, chance, ANA)]
    if number % 2:
        clients.append(Client(book, chance, None, Issuer.GM))

    def over() -> bool:
        if book.state.era.phase is Phase.TRANSITION and len(clients) == 1:
            book.when(OpenSession(), by=GM)
        return book.state.era.phase is Phase.FINISHED

    play(book, clients, (5, 10, 20, 40), over)
    return clients


PLAYED: dict[str, tuple[Callable[[int], list[Client]], int]] = {
    "albraxas": (albraxas_game, 3),
    "dawn": (dawn_game, 2),
    "gods2": (gods2_game, 1),
}
"""How a game of each ruleset is played, and how many there are in the ordinary run."""


def games() -> Iterator[Any]:
    """The games that are played."""
    for ruleset, (_, usual) in PLAYED.items():
        yield from (pytest.param(ruleset, number, id=f"{ruleset}-{number}") for number in range(GAMES or usual))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("ruleset", "number"), list(games()))
def test_a_client_that_knows_schemas_alone_plays_to_the_end_without_a_refusal_it_could_have_known(
    ruleset: str, number: int
) -> None:
    clients = PLAYED[ruleset][0](number)
    assert all(client.biggest <= MOST_BYTES for client in clients)
    assert sum(client.done.total() for client in clients) > 0
    assert clients[0].book.state.info.status is Status.FINISHED
