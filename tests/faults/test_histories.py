"""Random histories of several clients at once, with retries, stale cursors, pauses and rewinds: no promise is broken.

`FAULTS=full` plays 10,000 of them. `FAULTS_SEED=<number>` begins with the history of that number: a failure names it.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from random import Random
from threading import Barrier
from uuid import UUID

import pytest
from django.core.cache import caches
from django.db import connection, connections
from django.test import Client

from games import services
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndNow, Extend, Pause, Resume
from games.models import Game, LoggedEvent, Prompt, Receipt
from games.reads import selectors
from games.reads.selectors import EventPage, EventView
from games.services import Expected, Outcome
from tests import counted
from tests.api.worlds import bearer
from tests.counted import note
from tests.faults.history import History, Reading, Sent, faults_of
from tests.faults.shared import FULL, another, from_here, moment
from tests.games.cairns import Cairns, table
from tests.games.moments import rewind_to
from tests.toy.models import Pile
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose, RollStones
from worlds.visibility import Visibility

HISTORIES = 10_000 if FULL else 50 if connection.vendor == "sqlite" else 30
PARTS = 10 if FULL else 1
"""Tests among which the histories are divided, so that several processes play them."""
SEED = int(os.environ.get("FAULTS_SEED", "20260301"))
STEPS = 4
OPTIONS = '{"tide_seconds": 5, "tides": 1000, "vote_seconds": 4}'
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


@dataclass(slots=True)
class Hand:
    """One client: who acts, what it has read, the keys that all clients of its user choose from."""

    actor: Actor | None
    reading: Reading
    keys: dict[str, Command]
    headers: dict[str, str]
    """The headers of its requests."""
    last: Sent | None = None

    @property
    def cursor(self) -> str:
        """The cursor of its last look at the game."""
        return self.reading.states[-1]["cursor"] if self.reading.states else self.reading.cursor


class Stage:
    """One history: a new game, five clients, and a clock that goes on by half a second with each thing done."""

    def __init__(self, cairns: Cairns, headers: dict[UUID | None, dict[str, str]]) -> None:
        self.cairns, self.game = cairns, cairns.fresh()
        self.history = History(self.game, self.game.seq)
        self.tick = count(1).__next__
        ann, bob, gm = cairns.actor(cairns.ann), cairns.actor(cairns.bob), cairns.gm
        anns: dict[str, Command] = {}
        self.hands = [
            self.hand("Ann's telephone", ann, anns, headers),
            self.hand("Ann's desk", ann, anns, headers),
            self.hand("Bob", bob, {}, headers),
            self.hand("the game-master", gm, {}, headers),
            self.hand("a stranger", None, {}, headers),
        ]

    def hand(
        self, name: str, actor: Actor | None, keys: dict[str, Command], headers: dict[UUID | None, dict[str, str]]
    ) -> Hand:
        """A client, whose reading is part of the history."""
        visibility = Visibility.nobody()
        if actor is not None and actor.user is not None and actor.seat is not None:
            games = (self.game.pk,) if actor.is_gm else ()
            visibility = Visibility.of(actor.user, seats=(actor.seat,), gm_games=games)
        reading = Reading(name, visibility)
        self.history.readings.append(reading)
        return Hand(actor, reading, keys, headers[visibility.user])

    def act(self, hand: Hand, chance: Random) -> None:
        """What a client does next."""
        did = chance.random()
        if did < 0.25:
            self.read(hand)
        elif did < 0.4:
            self.read_state(hand)
        elif hand.actor is None:
            services.fire_due(self.game.pk, moment(self.tick() / 2))
        elif hand.last is not None and did < 0.5:
            self.send(hand, hand.last.key, hand.last.command, hand.last.expected)
        else:
            command = chance.choice(MOVES if not hand.actor.is_gm else CONDUCT)(self, chance)
            key = chance.choice([*hand.keys, f"{hand.reading.name}/{self.tick()}"])
            hand.keys.setdefault(key, command)
            if chance.random() < 0.7:
                command = hand.keys[key]
            self.send(hand, key, command, hand.cursor if chance.random() < 0.4 else "")

    def send(self, hand: Hand, key: str, command: Command, cursor: str) -> None:
        """Send a command and note the answer."""
        actor, game = hand.actor, self.game.pk
        assert actor is not None
        begun = self.tick()
        dry = begun % 9 == 0
        expected = Expected(cursor, selectors.can_read(game, hand.reading.visibility)) if cursor else None
        more = {"dry_run": True} if dry else {"key": key}
        answer: Outcome | str
        try:
            answer = services.run(game, command, actor=actor, expected=expected, now=moment(begun / 2), **more)
        except Refused as refused:
            answer = refused.code
        hand.last = Sent(key, actor, command, answer, cursor, hand.reading.visibility, dry, begun, self.tick())
        self.history.sent.append(hand.last)

    def read(self, hand: Hand, limit: int = 3) -> bool:
        """Read the next page of the log; whether there is more."""
        reading, game = hand.reading, Game.objects.get(pk=self.game.pk)
        reading.pages.append(selectors.events_for(game, reading.visibility, after=reading.cursor, limit=limit))
        return reading.pages[-1].more

    def read_state(self, hand: Hand) -> None:
        """Look at the state, through the door."""
        visibility = hand.reading.visibility
        query = {"as": "gm"} if visibility.gm_games else {}
        answer = Client(headers=hand.headers).get(f"/api/v1/games/{self.game.pk}/state/", query)
        assert answer.status_code == 200, answer.content
        hand.reading.states.append(answer.json())

    def end(self) -> History:
        """Read all that is left."""
        for hand in self.hands:
            while self.read(hand, 100):
                continue
        return self.history

    def pile(self) -> Change:
        """Ann's pile, as a game-master corrects it."""
        seat = str(self.cairns.seat(self.cairns.ann))
        there = Pile.objects.filter(seat=seat).exists()
        fields = {"stones": "7"} if there else {"id": f'"{seat}"', "stones": "7"}
        return Change(
            deed=Deed.ALTER if there else Deed.CREATE, table="piles", row=seat,
            fields=tuple(FieldChange(field=name, value=value) for name, value in fields.items()),
        )  # fmt: skip

    def motion(self) -> UUID:
        """A motion that is open, or one that never was."""
        open_motion = Prompt.objects.filter(game=self.game).values_list("pk", flat=True).first()
        return open_motion or UUID(int=7)

    def is_paused(self) -> bool:
        """Whether the clock stands still."""
        return Game.objects.filter(pk=self.game.pk, paused_at__isnull=False).exists()

    def past(self, chance: Random) -> int:
        """A moment of this game since it began."""
        return chance.randint(self.history.after, max(self.history.after, Game.objects.get(pk=self.game.pk).seq))


Move = Callable[[Stage, Random], Command]
MOVES: tuple[Move, ...] = (
    lambda stage, chance: AddStones(stones=chance.randint(1, 5)),
    lambda stage, chance: AddStones(stones=chance.randint(1, 5)),
    lambda stage, chance: HideCoins(coins=chance.randint(1, 100)),
    lambda stage, chance: RollStones(),
    lambda stage, chance: Propose(text="More stones?"),
    lambda stage, chance: CastVote(prompt=stage.motion(), yes=chance.random() < 0.8),
)
CONDUCT: tuple[Move, ...] = (
    lambda stage, chance: Resume() if stage.is_paused() else Pause(reason="Tea."),
    lambda stage, chance: Resume() if stage.is_paused() else Pause(reason="Tea."),
    lambda stage, chance: Resume(),
    lambda stage, chance: Extend(timer="tide", seconds=chance.randint(1, 5)),
    lambda stage, chance: EndNow(),
    lambda stage, chance: Amend(changes=(stage.pile(),), reason="Miscounted."),
    lambda stage, chance: rewind_to(stage.game.pk, stage.past(chance), "Again."),
)


def close(everybody: Barrier) -> None:
    """Close this thread's connection, once every thread of the pool has come to do so."""
    everybody.wait()
    connections.close_all()


def live(stage: Stage, seed: int, client: int) -> None:
    """All that one client does in one history."""
    chance, hand = Random(f"{seed}/{client}"), stage.hands[client]
    for _ in range(STEPS):
        stage.act(hand, chance)


def acknowledged(history: History) -> tuple[int, int]:
    """How many commands of a history were acknowledged; how many of these lack their receipt or an event."""
    keys = {
        (str(sent.actor.user), sent.key)
        for sent in history.sent
        if isinstance(sent.answer, Outcome) and not sent.dry
    }  # fmt: skip
    logged = set(LoggedEvent.objects.filter(game=history.game).values_list("seq", flat=True))
    receipts = {(row.principal, row.key): row for row in Receipt.objects.filter(game=history.game)}
    there = {key for key, row in receipts.items() if logged.issuperset(range(row.first_seq, row.last_seq + 1))}
    return len(keys), len(keys - there)


@pytest.mark.timeout(36_000 if FULL else 1200)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_of_five_clients_breaks_a_promise(request: pytest.FixtureRequest, part: int) -> None:
    people, refused, types = table(OPTIONS), set(), set()
    headers = {None: {}, **{user.pk: bearer(user) for user in (people.host, people.ann, people.bob)}}
    each = HISTORIES // PARTS
    commands = lost = 0
    with ThreadPoolExecutor(5) as pool:
        for seed in range(SEED + part * each, SEED + (part + 1) * each):
            caches["throttles"].clear()
            stage = Stage(another(people, OPTIONS), headers)
            list(pool.map(from_here(partial(live, stage, seed)), range(5)))
            assert faults_of(stage.end()) == [], f"FAULTS_SEED={seed} begins with this history"
            of_these, lost_of_these = acknowledged(stage.history)
            commands, lost = commands + of_these, lost + lost_of_these
            refused |= {sent.answer for sent in stage.history.sent if isinstance(sent.answer, str)}
            types |= set(stage.cairns.types())
        list(pool.map(close, [Barrier(5, timeout=240)] * 5))
    note(request.node, counted.HISTORIES, each)
    note(request.node, counted.COMMANDS, commands)
    note(request.node, counted.LOST, lost)
    assert lost == 0
    assert refused >= {"position.stale", "key.reused", "clock.paused", "clock.running"}
    assert types >= {"TideCame", "Rewound", "Amended", "Paused", "Resumed", "Extended", "CoinsHidden", "MotionSettled"}


@pytest.fixture
def faultless_history() -> Stage:
    """A history without a fault: each client has done something and read everything."""
    people = table(OPTIONS)
    headers = {None: {}, **{user.pk: bearer(user) for user in (people.host, people.ann, people.bob)}}
    stage = Stage(another(people, OPTIONS), headers)
    telephone, _, bob, _, _ = stage.hands
    stage.read_state(bob)
    stage.send(telephone, "a", AddStones(stones=2), "")
    stage.send(telephone, "a", AddStones(stones=2), "")
    stage.send(bob, "b", HideCoins(coins=5), "")
    stage.read_state(bob)
    stage.send(bob, "c", AddStones(stones=1), bob.cursor)
    services.fire_due(stage.game.pk, moment(6))
    assert faults_of(stage.end()) == []
    return stage


def test_the_checker_sees_a_command_that_was_lost_doubled_or_done_though_refused(faultless_history: Stage) -> None:
    history = faultless_history.history
    first, again, hidden, last = history.sent
    assert isinstance(again.answer, Outcome) and isinstance(first.answer, Outcome)
    seq = first.answer.first_seq
    other = replace(again.answer, first_seq=seq + 1, last_seq=seq + 1)

    def having(*sent: Sent) -> list[str]:
        return faults_of(replace(history, sent=[*sent, hidden, last]))

    assert having(first, replace(again, answer=replace(again.answer, replayed=False)))[0] == "a took effect 2 times"
    assert having(replace(first, answer="coins.many")) == [
        "a has 1 receipt(s) and 0 acknowledgement(s)",
        f"event {seq} (StonesAdded) was acknowledged to nobody",
    ]
    assert having(first, replace(again, answer="coins.many")) == [
        "a was refused (coins.many) after it had been acknowledged"
    ]
    assert having(first, replace(again, command=AddStones(stones=3))) == ["a was acknowledged for different commands"]
    assert having(first, replace(again, answer=other)) == ["a was acknowledged with different outcomes"]
    assert having(replace(first, command=AddStones(stones=5))) == [
        f"a was acknowledged with event {seq}, which is not its own"
    ]


def test_the_checker_sees_a_wrong_order_a_cursor_that_was_passed_over_and_a_dry_run_that_wrote(
    faultless_history: Stage,
) -> None:
    history = faultless_history.history
    first, again, hidden, last = history.sent
    early = replace(hidden, begun=-2, ended=-1)
    assert faults_of(replace(history, sent=[first, again, early, last])) == [
        "b was acknowledged before a was sent, and comes after it"
    ]
    for wrong, event in (
        (
            replace(last, expected=history.readings[2].states[0]["cursor"]),
            "c took effect although the game had moved on",
        ),
        (replace(last, dry=True), "c was a dry run and wrote 1 event(s)"),
    ):
        assert event in faults_of(replace(history, sent=[first, again, hidden, wrong]))
    stale = replace(last, key="d", answer="position.stale", expected=history.readings[2].cursor)
    assert faults_of(replace(history, sent=[*history.sent, stale])) == [
        "d was refused as stale although nothing has happened since"
    ]


def test_the_checker_sees_events_that_were_lost_doubled_made_up_reordered_leaked_or_changed(
    faultless_history: Stage,
) -> None:
    history = faultless_history.history
    bob, stranger = history.readings[2], history.readings[4]
    rows = [event for page in stranger.pages for event in page.results]
    secret = next(event for page in bob.pages for event in page.results if event.type == "toy.CoinsHidden")

    def having(*events: EventView, cursor: str = stranger.cursor) -> list[str]:
        reading = replace(stranger, pages=[EventPage(list(events), "", cursor, more=False)])
        return faults_of(replace(history, readings=[reading]))

    def ends(found: list[str], message: str) -> bool:
        return len(found) == 1 and found[0].startswith("a stranger was ") and found[0].endswith(message)

    begin, third, fourth, rest = rows[:2], rows[2], rows[3], rows[4:]
    assert having(*rows) == []
    assert ends(having(*begin, fourth, *rest), "before its time")
    assert ends(having(*begin, fourth, third, *rest), "before its time")
    assert ends(having(*begin, third, third, fourth, *rest), "again")
    assert ends(having(*begin, secret, third, fourth, *rest), "CoinsHidden, which the viewer may not read")
    assert ends(having(*begin, replace(third, text="Otherwise."), fourth, *rest), "which is not in the log")
    assert ends(having(*begin, replace(third, undone=True), fourth, *rest), "which is not in the log")
    assert ends(having(*begin, replace(third, cursor=fourth.cursor), fourth, *rest), "does not stand behind it")
    assert ends(having(*rows[:-1], cursor=rows[-1].cursor), "does not stand behind its page")
    assert having(*rows[:-1], cursor=rows[-2].cursor) == [
        f"a stranger was never sent event {faultless_history.cairns.fresh().seq - 1} (TideCame)"
    ]


def test_the_checker_sees_a_state_that_never_was(faultless_history: Stage) -> None:
    history = faultless_history.history
    bob = history.readings[2]
    first, last = bob.states
    for snapshot, message in (
        ({**last, "hoards": first["hoards"]}, "saw a state that never was"),
        ({**last, "cursor": first["cursor"]}, "saw a state that never was"),
        ({**last, "cursor": "e30"}, "saw the state at a cursor where the game never was"),
    ):
        found = faults_of(replace(history, readings=[replace(bob, states=[first, snapshot])]))
        assert len(found) == 1 and message in found[0]


def test_the_checker_sees_a_gap_in_the_log_a_wrong_row_and_a_lost_receipt(faultless_history: Stage) -> None:
    history, game = replace(faultless_history.history, readings=[]), faultless_history.game
    Receipt.objects.filter(game=game, key="b").delete()
    assert "b has 0 receipt(s) and 1 acknowledgement(s)" in faults_of(history)
    Pile.objects.filter(game=game).update(stones=40)
    assert "the rows of piles are not what the log says" in faults_of(history)
    LoggedEvent.objects.filter(game=game, type="CoinsHidden").delete()
    found = faults_of(history)
    assert found[0] == "the log has a gap"
    assert "the heads of the streams are not those of the log" in found
    assert any("the chain of digests is broken" in fault for fault in found)
    assert any("was acknowledged with event" in fault for fault in found)
