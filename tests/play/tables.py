"""Whole tables of people who know JSON Schema alone: host, game-master, players, an observer and somebody who comes by.

Each sees their menu as the service shows it (`legal-commands/?legal=1`), takes any command of it, those that were done
least most often, and fills in a body at random. Nothing of it may be refused, or fail.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import orjson

from api.representations.issuing.commands import listing_json, parse_command
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, Role, Seat, Status
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for, names_of
from games.engine.kernel import Actor, Issuer
from games.engine.savepoint import Savepoint
from tests.play.ruleless import body_for
from tests.playbook import Playbook

LEGAL = LegalCommandFilter(legal=True)
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "albraxas": ('{"phases":4,"sides":4}', "{}"),
    "dawn": ('{"width":5,"height":5,"open_challenge":true}', '{"width":6,"height":5,"free_alignment":true}'),
    "dietower": ('{"mode":"physical","characters":1}', '{"characters":1}', '{"characters":2}'),
    "forgeborn": ('{"referee":"person"}', '{"referee":"none"}', '{"referee":"person","drop":"table"}'),
    "gods2": (
        '{"century_seconds":20,"plan":[16],"auto_sessions":true}',
        '{"century_seconds":20,"session_count":2,"previews":true,"starting_mana":200}',
    ),
}
"""The options that the games of each ruleset are opened with, in turn."""
SELDOM: Mapping[str, float] = {
    "": 0.1,
    **dict.fromkeys(("extend", "invite", "overrule", "pause", "save-monster", "save-npc", "save-chart"), 0.02),
    **dict.fromkeys(("add-seat", "end-now", "fire-now", "hand-over", "remove-seat", "configure-game"), 0.01),
    **dict.fromkeys(("leave-seat", "report-message", "send-message"), 0.01),
    **dict.fromkeys(("call-time", "finish-game", "concede"), 0.005),
}
"""What would end a game soon, begin it anew or fill it, if it were done as often as the rest; "": nothing."""
MOVING = ("hand-over", "remove-seat")
"""What takes a seat from its holder."""
QUITS = 0.02
"""How often somebody thinks of leaving the game."""
UNKNOWABLE = {
    "zone.unknown": "the time zones that there are no schema lists",
    "caster.absent": "who is away is known to that seat and the game-masters alone",
    "artifact.other": "in which artifact of another a power lies is known to its user and the game-masters alone",
    "seal.broken": "what was sealed is the client's own secret, and this client writes nothing down",
}
"""Refusals that no schema could have told, with the reason."""
WAITS = (0, 0, 0, 1, 5, 20, 60)
"""So many seconds pass between two rounds."""
GIVEN = (0.0, 0.4, 1.0)
WITH_CARE = (0.4, *[1.0] * 9)
"""The shares of optional arguments that are in use, and while a game is set up: forms must be filled in whole there."""
FOR_ANOTHER = 0.1
"""How often a game-master acts for a player's seat."""


@dataclass
class Table:
    """A game that such people play, and what became of it."""

    book: Playbook
    people: list[UUID]
    chance: Random
    done: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    partial: set[str] = field(default_factory=set)

    def act(self, person: UUID) -> None:
        """Send any command of a person's menu, with any body that its schema admits."""
        book, actor = self.book, self.actor_of(person)
        answer = self.menu_of(actor)
        quits = self.chance.random() < QUITS and not self.is_last_master(actor)
        offered = [each for each in answer["results"] if not each.get("partial") and quits >= each.get("quits", False)]
        self.partial.update(each["command"] for each in answer["results"] if each.get("partial"))
        names = ["", *sorted({each["command"] for each in offered})]
        weights = [SELDOM.get(name) or 1 / math.sqrt(1 + self.done[name]) for name in names]
        (name,) = self.chance.choices(names, weights)
        if not name:
            return
        entry = self.chance.choice([each for each in offered if each["command"] == name])
        given = GIVEN if book.state.info.status is Status.RUNNING else WITH_CARE
        filled = body_for(entry, answer, self.chance, given=self.chance.choice(given))
        if name in MOVING and self.is_last_conductor(filled["seat"]):
            return
        body = orjson.dumps(filled)
        command = parse_command(book.ruleset.slug, name, body)  # what it raises would be a 422
        try:
            with Savepoint(book.state):
                book.when(command, by=actor)
            self.done[name] += 1
        except Refused as refused:
            assert refused.code in UNKNOWABLE, (actor.role, name, body, refused.code, refused.message)
            self.unknown[name] += 1

    def is_last_conductor(self, seat: str) -> bool:
        """Whether a seat is that of the only person who conducts a game that has begun: without them it stands."""
        masters = [str(each.id) for each in self.book.state.seats_of(Role.GM) if each.user in self.people]
        return self.book.state.info.status is Status.RUNNING and masters == [seat]

    def actor_of(self, person: UUID) -> Actor:
        """How a person acts: from the seat that they hold now, if any; a game-master now and then for another's."""
        held = [seat for seat in self.book.state.seats.values() if seat.user == person]
        if not held:
            return Actor(Issuer.SEAT, user=person)
        seat = self.chance.choice(sorted(held, key=lambda each: each.id))
        role = {Role.HOST: Issuer.HOST, Role.GM: Issuer.GM}.get(seat.role, Issuer.SEAT)
        others = self.book.state.seats_of(Role.PLAYER)
        if role is Issuer.GM and others and self.chance.random() < FOR_ANOTHER:
            return Actor(role, user=person, seat=seat.id, on_behalf_of=self.chance.choice(others).id)
        return Actor(role, user=person, seat=seat.id)

    def is_last_master(self, actor: Actor) -> bool:
        """Whether somebody acts from the only game-master's seat that is held: they do not give it away.

        Some steps wait for a game-master alone, as the next session of The Gods II does. The host may seat another
        one, by an invitation's code or to an account; no menu lists either, so these clients never would.
        """
        masters = [seat.id for seat in self.book.state.seats_of(Role.GM) if seat.user is not None]
        return masters == [actor.seat] and actor.on_behalf_of is None

    def menu_of(self, actor: Actor, narrow: LegalCommandFilter = LEGAL) -> dict[str, Any]:
        """What `legal-commands/?legal=1` says to somebody, narrowed further where that is asked."""
        rules, absent = self.book.ruleset, actor.on_behalf_of
        seats = frozenset({seat for seat in (absent or actor.seat,) if seat})
        seen = self.book.state.view_for(seats, gm=actor.is_gm and absent is None, user=actor.user)
        found = legal_commands_for(seen, rules.commands.values(), actor, narrow)
        answer: dict[str, Any] = orjson.loads(
            orjson.dumps(listing_json(rules.slug, found, names_of(seen, found), narrow))
        )
        return answer

    def play(self, rounds: int) -> bool:
        """Let everybody act and time pass, until the game is over or so many rounds are played; whether it is over."""
        for _ in range(rounds):
            for person in self.people:
                self.act(person)
            if self.book.state.info.status is Status.FINISHED:
                return True
            self.book.wait(timedelta(seconds=self.chance.choice(WAITS)))
        return self.book.state.info.status is Status.FINISHED


def table(ruleset: str, number: int) -> Table:
    """A table at which a game has not begun; one further player is a bot."""
    rules = registry.ruleset(ruleset)
    state = rules.new_state(UUID(int=0xAB0000 + number))
    chosen = OPTIONS[ruleset][number % len(OPTIONS[ruleset])]
    options = rules.options.model_validate_json(chosen).model_dump_json()
    state.info = GameInfo(state.info.id, ruleset, name="Game", options=options)
    book = Playbook(rules, state)
    state.note_time(book.now)
    roles = (Role.HOST, Role.GM, Role.OBSERVER, Role.PLAYER, Role.PLAYER, Role.PLAYER)
    people = [UUID(int=100 + place) for place in range(1, len(roles) + 1)]
    for place, (role, person) in enumerate(zip(roles, people, strict=True), start=1):
        seat = Seat(UUID(int=place), role, f"Seat {place}", user=person)
        state.seats[seat.id] = seat if person != people[-1] else replace(seat, user=None, bot=min(rules.policies))
        state.enter_seat(seat.id)
    return Table(book, people, Random(number))
