"""A client that knows schemas alone at a whole table: host, game-master, players and an observer, from the lobby on.

Each sends what its menu admits, with few, some or all optional arguments; nothing of it may be refused, or fail. The
short form lets each act a few dozen times in a game of each ruleset; `LEGAL_GAMES=20` plays twenty, ten times as long.
"""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random
from uuid import UUID

import orjson
import pytest

from api.representations.issuing.commands import listing_json, parse_command
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, Role, Seat, Status
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for, names_of
from games.engine.kernel import Actor, Issuer
from games.engine.savepoint import Savepoint
from tests.play.ruleless import body_for
from tests.playbook import Playbook

GAMES = int(os.environ.get("LEGAL_GAMES", "0"))
ROUNDS = 200 if GAMES else 20
LEGAL = LegalCommandFilter(legal=True)
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "albraxas": ('{"phases":4,"sides":4}', "{}"),
    "dawn": ('{"width":5,"height":5,"open_challenge":true}', '{"width":6,"height":5,"free_alignment":true}'),
    "dietower": ('{"mode":"physical"}', "{}", '{"characters":2}'),
    "forgeborn": ('{"referee":"person"}', '{"referee":"none"}', '{"referee":"person","drop":"table"}'),
    "gods2": ("{}",),
}
RARELY = frozenset(
    ["add-seat", "end-now", "extend", "fire-now", "hand-over", "invite", "overrule", "pause", "remove-seat", "resume"]
)
"""What would end a game soon, or fill it with seats, if it were done as often as the rest."""
UNKNOWABLE = {
    "caster.absent": "who is away is known to that seat and the game-masters alone",
}
"""Refusals that no schema could have told, with the reason."""


def lobby(ruleset: str, number: int) -> tuple[Playbook, list[Actor]]:
    """A game that has not begun, and those who act in it; one further player is a bot."""
    rules = registry.ruleset(ruleset)
    state = rules.new_state(UUID(int=0xAB0000 + number))
    chosen = OPTIONS[ruleset][number % len(OPTIONS[ruleset])]
    options = rules.options.model_validate_json(chosen).model_dump_json()
    state.info = GameInfo(state.info.id, ruleset, name="Game", options=options)
    book, actors = Playbook(rules, state), list[Actor]()
    state.note_time(book.now)
    players = (Role.PLAYER, Role.PLAYER, Role.PLAYER)
    for place, role in enumerate((Role.HOST, Role.GM, Role.OBSERVER, *players), start=1):
        seat = Seat(UUID(int=place), role, f"Seat {place}", user=UUID(int=100 + place))
        state.seats[seat.id] = seat if place < 6 else replace(seat, user=None, bot=min(rules.policies))
        state.enter_seat(seat.id)
        if place < 6:
            issuer = {Role.HOST: Issuer.HOST, Role.GM: Issuer.GM}.get(role, Issuer.SEAT)
            actors.append(Actor(issuer, user=seat.user, seat=seat.id))
    return book, actors


def act(book: Playbook, actor: Actor, chance: Random, done: Counter[str]) -> None:
    """Send any command of the menu, with any body that its schema admits."""
    rules, state = book.ruleset, book.state
    seen = state.view_for(frozenset({actor.seat} if actor.seat else ()), gm=actor.is_gm)
    found = legal_commands_for(seen, rules.commands.values(), actor, LEGAL)
    answer = orjson.loads(orjson.dumps(listing_json(rules.slug, found, names_of(seen, found), LEGAL)))
    offered = [each for each in answer["results"] if not each.get("quits") and not each.get("partial")]
    names = sorted({each["command"] for each in offered})
    if not names:
        return
    (name,) = chance.choices(names, [0.03 if each in RARELY else 1 for each in names])
    entry = chance.choice([each for each in offered if each["command"] == name])
    body = orjson.dumps(body_for(entry, answer, chance, given=chance.choice((0.0, 0.4, 1.0))))
    command = parse_command(rules.slug, name, body)  # what it raises would be a 422
    try:
        with Savepoint(state):
            book.when(command, by=actor)
    except Refused as refused:
        assert refused.code in UNKNOWABLE, (actor.role, name, body, refused.code, refused.message)
    done[name] += 1


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("number", range(GAMES or 1))
@pytest.mark.parametrize("ruleset", OPTIONS)
def test_nothing_that_a_menu_admits_is_refused_to_anybody_at_the_table(ruleset: str, number: int) -> None:
    book, actors = lobby(ruleset, number)
    chance, done = Random(number), Counter[str]()
    for _ in range(ROUNDS):
        for actor in actors:
            act(book, actor, chance, done)
        if book.state.info.status is Status.FINISHED:
            break
        book.wait(timedelta(seconds=chance.choice((0, 1, 5, 30, 90))))
    assert len(done) > 3, done
