"""What is asked of the door, in short stories: scopes, views, seats, hand-overs, keys, dry runs, positions, bodies.

Each says what is answered, what happens, and how many of its requests the door leaves to Django.
Long for one reason: a story is a few lines, and there is one for each thing that is decided at the door.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from accounts.models import Scope, Token
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import AddSeat, HandOver, Join
from games.models import Seat
from games.storage.state_cache import STATE_CACHE
from tests.api.both_ways import Ask, Step
from tests.api.worlds import ToyGame, client, run, toy_game, user

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
READ, PLAY = (Scope.READ,), (Scope.READ, Scope.PLAY)
ONE, TWO = {"stones": 1}, {"stones": 2}


@dataclass(frozen=True, slots=True)
class Story:
    """Requests in a row, what is answered to each, what has happened, and how many of them the door takes."""

    what: str
    steps: tuple[Step, ...]
    answers: tuple[str, ...]
    done: tuple[str, ...] = ()
    left: int = 0
    """How many of the requests the door leaves to Django."""


class Stage:
    """Ann and Bob play, Dot has two seats, Odo looks on, Una leads beside the host; one seat is empty."""

    def __init__(self) -> None:
        self.toy: ToyGame = toy_game()
        for name, role in (("dot", "player"), ("dot", "player"), ("odo", "observer")):
            count = Seat.objects.filter(game=self.toy.game, user=user(name)).count()
            join = Join(name=f"{name.title()} {count + 1}", role=role)
            run(self.toy, join, Actor(Issuer.SEAT, user(name).pk))
        for name, role in (("Empty", "player"), ("Umpire", "gm")):
            run(self.toy, AddSeat(name=name, role=role), self.toy.gm)
        run(self.toy, HandOver(seat=self["Umpire"], user=user("una").pk, reason="She leads."), self.toy.gm)

    def __getitem__(self, name: str) -> UUID:
        """A seat by its name."""
        return Seat.objects.get(game=self.toy.game, name=name).pk

    def give(self, seat: str, to: str | None, **more: Any) -> dict[str, Any]:
        """The body of a hand-over."""
        return {"seat": str(self[seat]), **({"user": str(user(to).pk)} if to else {}), **more}

    def give_elsewhere(self, seat: str, to: str, *, forgets: bool) -> None:
        """Another process plays a hand-over; this one keeps the state that it had, or forgets it for another game's."""
        here = STATE_CACHE._states.pop(self.toy.game.pk)
        command = HandOver(seat=self[seat], user=user(to).pk, reason="Moved.")
        services.run(self.toy.game.pk, command, actor=self.toy.gm)
        STATE_CACHE._states.pop(self.toy.game.pk)
        if here is not None and not forgets:
            STATE_CACHE._states.put(self.toy.game.pk, here)

    def cursor(self, who: str, query: str = "") -> str:
        """Where somebody has read to."""
        return str(client(user(who)).get(self.toy.path(query)).json()["cursor"])


def add(who: str, query: str = "", body: Any = ONE, **more: Any) -> Ask:
    """Somebody adds stones."""
    return Ask(who, "add-stones", body, query, **more)


def later() -> None:
    """What comes behind does not come in at one moment with what came before."""


def seats_and_roles(at: Stage) -> Iterator[Story]:
    """Through which seat, as whom."""
    ann, bob, dots = at["Ann"], at["Bob"], (at["Dot 1"], at["Dot 2"])
    host = next(s for s in Seat.objects.filter(game=at.toy.game, role="host"))
    yield Story("a player", (add("ann"), add("ann", f"seat={ann}")), ("201", "201"), ("StonesAdded Ann",) * 2)
    yield Story(
        "another's seat", (add("ann"), add("bob"), add("ann", f"seat={bob}")), ("201", "201", "404 seat.missing"),
        ("StonesAdded Ann", "StonesAdded Bob"),
    )  # fmt: skip
    yield Story(
        "two seats",
        (add("dot", f"seat={dots[1]}"), add("dot"), add("dot", f"seat={dots[0]}"), add("dot", f"seat={dots[1]}")),
        ("201", "409 seat.unclear", "201", "201"),
        ("StonesAdded Dot 2", "StonesAdded Dot 1", "StonesAdded Dot 2"),
    )
    yield Story("no seat", (add("eve"), add("odo")), ("404 seat.missing",) * 2)
    yield Story(
        "a player asks for the view of a game-master", (add("ann"), add("ann", "as=gm"), add("ann")),
        ("201", "404 gm.missing", "201"), ("StonesAdded Ann",) * 2,
    )  # fmt: skip
    yield Story(
        "a game-master acts for a seat, then for another, then for none",
        (add("una", f"as=gm&seat={ann}"), add("una", f"as=gm&seat={bob}"), add("una", "as=gm"), add("una")),
        ("201", "201", "409 issuer.other", "404 seat.missing"),
        ("StonesAdded Ann", "StonesAdded Bob"),
    )
    yield Story(
        "a game-master's command", (Ask("una", "pause"), Ask("una", "pause", query="as=gm"), Ask("ann", "resume")),
        ("409 issuer.other", "201", "409 issuer.other"), ("Paused",),
    )  # fmt: skip
    yield Story(
        "a host's command through the host's seat, and through no seat",
        (Ask("host", "pause", query=f"seat={host.pk}"), Ask("host", "resume"), add("host", f"seat={host.pk}")),
        ("201", "201", "201"),
        ("Paused", "Resumed", "StonesAdded Host"),
    )


def scopes(at: Stage) -> Iterator[Story]:
    """Tokens of one person that may do more and less."""
    umpire, ann = at["Umpire"], at["Ann"]
    yield Story(
        "a token that may only read, behind one that may play",
        (add("ann"), add("ann", scopes=READ), add("ann", scopes=PLAY)), ("201", "403 token.scope", "201"),
        ("StonesAdded Ann",) * 2, left=1,
    )  # fmt: skip
    yield Story(
        "a game-master's view without the scope, behind one with it",
        (add("una", f"as=gm&seat={ann}"), add("una", f"as=gm&seat={ann}", scopes=PLAY)), ("201", "403 token.scope"),
        ("StonesAdded Ann",), left=1,
    )  # fmt: skip
    yield Story(
        "a host's command without the scope",
        (Ask("host", "pause"), later, Ask("host", "resume", scopes=PLAY), later, Ask("host", "resume")),
        ("201", "403 token.scope", "201"), ("Paused", "Resumed"),
    )  # fmt: skip
    yield Story(
        "through a game-master's seat without the scope",
        (
            Ask("una", "hand-over", at.give("Umpire", "eve"), f"seat={umpire}", scopes=PLAY),
            Ask("una", "hand-over", at.give("Umpire", "eve"), f"seat={umpire}"),
        ),
        ("403 token.scope", "201"),
        ("HandedOver Umpire",),
    )
    token = Token.objects.filter(user=user("ann"))

    yield Story(
        "a token that is taken back meanwhile", (add("ann"), lambda: token.update(revoked_at=NOON), add("ann")),
        ("201", "401 token.refused"), ("StonesAdded Ann",), left=1,
    )  # fmt: skip
    yield Story(
        "a token whose scopes are narrowed meanwhile",
        (add("ann"), lambda: token.update(scope_words="read"), add("ann")),
        ("201", "403 token.scope"), ("StonesAdded Ann",), left=1,
    )  # fmt: skip


def hand_overs(at: Stage) -> Iterator[Story]:
    """Who looks through a seat before and after it changes hands."""
    ann = at["Ann"]
    own = Ask("ann", "hand-over", at.give("Ann", "eve"), key="k")
    both = (add("ann"), add("eve"))
    here = ("201", "404 seat.missing")
    yield Story(
        "a player gives the seat away and asks again what happened",
        (*both, own, own, add("ann"), add("ann", f"seat={ann}"), add("eve"), add("eve", f"seat={ann}")),
        (*here, "201", "201 again", "404 seat.missing", "404 seat.missing", "201", "201"),
        ("StonesAdded Ann", "HandedOver Ann", "StonesAdded Ann", "StonesAdded Ann"),
    )
    for seat in ("", f"seat={ann}"):
        given = Ask("ann", "hand-over", at.give("Ann", "eve"), seat, key="k")
        other = Ask("ann", "hand-over", at.give("Ann", "bob"), seat, key="k")
        dry = Ask("ann", "hand-over", at.give("Ann", "eve"), f"{seat}&dry_run=1".strip("&"), key="k")
        lost = "404 seat.missing" if seat else "409 seat.other"
        yield Story(
            f"a receipt is no answer to a dry run, nor to another command ({seat[:4]})", (given, dry, other, given),
            ("201", lost, "422 key.reused" if not seat else lost, "201 again"), ("HandedOver Ann",),
        )  # fmt: skip
        yield Story(
            f"a receipt is answered to no token that may not play ({seat[:4]})",
            (given, Ask("ann", "hand-over", given.body, seat, key="k", scopes=READ)), ("201", "403 token.scope"),
            ("HandedOver Ann",), left=1,
        )  # fmt: skip
    yield Story(
        "a receipt is of its sender, not of who sends the same under the same key",
        (own, Ask("bob", "hand-over", own.body, key="k"), own), ("201", "409 seat.other", "201 again"),
        ("HandedOver Ann",),
    )  # fmt: skip
    reason = {"reason": "Late."}
    yield Story(
        "the host moves a seat",
        (*both, Ask("host", "hand-over", at.give("Ann", "eve", **reason)), add("ann"), add("eve"), add("bob")),
        (*here, "201", "404 seat.missing", "201", "201"),
        ("StonesAdded Ann", "HandedOver Ann", "SeatMoved Ann", "StonesAdded Ann", "StonesAdded Bob"),
    )
    for forgets in (False, True):
        moved = partial(at.give_elsewhere, "Ann", "eve", forgets=forgets)
        yield Story(
            f"a seat moves in another process, the state is forgotten: {forgets}", (*both, moved, *both),
            (*here, "404 seat.missing", "201"),
            ("StonesAdded Ann", "HandedOver Ann", "SeatMoved Ann", "StonesAdded Ann"),
        )  # fmt: skip
    gm = f"as=gm&seat={ann}"
    umpire = Ask("una", "hand-over", at.give("Umpire", "eve"), "as=gm", key="k")
    yield Story(
        "a game-master gives their seat away",
        (add("una", gm), add("eve", gm), umpire, add("una", gm), add("eve", gm), umpire),
        ("201", "404 gm.missing", "201", "404 gm.missing", "201", "201 again"),
        ("StonesAdded Ann", "HandedOver Umpire", "StonesAdded Ann"),
    )
    yield Story(
        "a seat that comes back",
        (add("ann"), own, add("ann"), Ask("eve", "hand-over", at.give("Ann", "ann")), add("ann"), add("eve")),
        ("201", "201", "404 seat.missing", "201", "201", "404 seat.missing"),
        ("StonesAdded Ann", "HandedOver Ann", "HandedOver Ann", "StonesAdded Ann"),
    )
    yield Story(
        "a dry run moves nothing",
        (*both, Ask("ann", "hand-over", at.give("Ann", "eve"), "dry_run=1"), add("ann"), add("eve")),
        (*here, "200", "201", "404 seat.missing"),
        ("StonesAdded Ann", "StonesAdded Ann"),
    )
    yield Story(
        "a second seat makes the first unclear",
        (add("bob"), Ask("ann", "hand-over", at.give("Ann", "bob")), add("bob"), add("bob", f"seat={ann}")),
        ("201", "201", "409 seat.unclear", "201"),
        ("StonesAdded Bob", "HandedOver Ann", "StonesAdded Ann"),
    )


def joins(at: Stage) -> Iterator[Story]:
    """Who takes a seat looks through it at once."""
    eve = Ask("eve", "join", {"name": "Eve"}, key="k")
    yield Story(
        "somebody joins and plays", (add("eve"), eve, add("eve"), eve), ("404 seat.missing", "201", "201", "201 again"),
        ("SeatTaken Eve", "StonesAdded Eve"),
    )  # fmt: skip
    dry = Ask("eve", "join", {"name": "Eve"}, "dry_run=1", key="k")
    yield Story(
        "a dry run joins nobody, and its key is free", (dry, add("eve"), eve, add("eve")),
        ("200", "404 seat.missing", "201", "201"), ("SeatTaken Eve", "StonesAdded Eve"),
    )  # fmt: skip
    empty = {"name": "x", "seat": str(at["Empty"])}
    yield Story(
        "two take one empty seat", (Ask("eve", "join", empty), Ask("odo", "join", empty), add("odo"), add("eve")),
        ("201", "409 seat.taken", "404 seat.missing", "201"), ("HandedOver Empty", "StonesAdded Empty"),
    )  # fmt: skip
    yield Story(
        "one joins with a second seat, a code, a token that may only read",
        (
            Ask("ann", "join", {"name": "Second"}), add("ann"), Ask("eve", "join", {"name": "Eve", "code": "x"}),
            Ask("eve", "join", {"name": "Eve"}, scopes=READ),
        ),
        ("201", "409 seat.unclear", "404 invitation.missing", "403 token.scope"), ("SeatTaken Second",), left=2,
    )  # fmt: skip


def keys_and_dry_runs(at: Stage) -> Iterator[Story]:
    """What is remembered under a key."""
    dots = (at["Dot 1"], at["Dot 2"])
    yield Story(
        "one key", (add("ann", key="k"), add("ann", key="k"), add("ann", body=TWO, key="k"), add("bob", key="k")),
        ("201", "201 again", "422 key.reused", "201"), ("StonesAdded Ann", "StonesAdded Bob"),
    )  # fmt: skip
    yield Story(
        "one key for two seats", (add("dot", f"seat={dots[0]}", key="k"), add("dot", f"seat={dots[1]}", key="k")),
        ("201", "422 key.reused"), ("StonesAdded Dot 1",),
    )  # fmt: skip
    gm = f"as=gm&seat={dots[0]}"
    yield Story(
        "one key as a player and as a game-master",
        (
            Ask("ann", "hand-over", at.give("Ann", "host")), Ask("host", "add-stones", ONE, key="k"),
            Ask("host", "add-stones", ONE, gm, key="k"), Ask("host", "add-stones", ONE, gm, key="l"),
        ),
        ("201", "201", "422 key.reused", "201"), ("HandedOver Ann", "StonesAdded Ann", "StonesAdded Dot 1"),
    )  # fmt: skip
    dry = add("ann", "dry_run=1", key="k")
    yield Story(
        "a dry run before and behind a key", (dry, add("ann", key="k"), dry, add("ann", key="k")),
        ("200", "201", "200", "201 again"), ("StonesAdded Ann",),
    )  # fmt: skip
    yield Story(
        "what was refused is not remembered",
        (
            Ask("una", "pause", query="as=gm"), add("ann", key="k"),
            Ask("una", "resume", query="as=gm"), add("ann", key="k"), add("ann", "dry_run=0", key="k"),
        ),
        ("201", "409 clock.paused", "201", "201", "201 again"), ("Paused", "Resumed", "StonesAdded Ann"),
    )  # fmt: skip
    yield Story(
        "a switch that says nothing", (add("ann", "dry_run="), add("ann", "dry_run=true"), add("ann", "dry_run=false")),
        ("422 query.invalid", "200", "201"), ("StonesAdded Ann",), left=3,
    )  # fmt: skip
    roll = Ask("ann", "roll-stones", {"dice": 2})
    yield Story(
        "dice", (Ask("ann", "roll-stones", {"dice": 2}, "dry_run=1"), roll, roll), ("200", "201", "201"),
        ("StonesAdded Ann",) * 2,
    )  # fmt: skip


def positions(at: Stage) -> Iterator[Story]:
    """What was expected."""
    ann, una = at.cursor("ann"), at.cursor("una", "?as=gm")
    hide = Ask("bob", "hide-coins", {"coins": 3})
    yield Story(
        "an old position", (add("ann", f"expected={ann}"), add("ann", f"expected={ann}"), add("ann", "expected=")),
        ("201", "412 position.stale", "201"), ("StonesAdded Ann",) * 2,
    )  # fmt: skip
    yield Story(
        "another's secret moves a game-master's position, not a player's",
        (hide, add("una", f"as=gm&seat={at['Dot 1']}&expected={una}"), add("ann", f"expected={ann}")),
        ("201", "412 position.stale", "201"),
        ("CoinsHidden Bob", "StonesAdded Ann"),
    )
    yield Story(
        "a position behind a key, and of a dry run",
        (
            add("ann", f"expected={ann}", key="k"),
            add("ann", f"expected={ann}", key="k"),
            add("ann", f"expected={ann}&dry_run=1"),
        ),
        ("201", "201 again", "412 position.stale"),
        ("StonesAdded Ann",),
    )


def bodies(at: Stage) -> Iterator[Story]:
    """What cannot be read, beside what can."""
    nobody = Ask("ann", "add-stones", {"stones": 6})
    yield Story(
        "bodies",
        (
            add("ann", body="{"),
            add("ann", body='{"stones": 1, "stones": 2}'),
            nobody,
            add("ann", body=""),
            Ask("ann", "dance"),
            Ask("ann", "bring-tide"),
            Ask("ann", "join", "[]"),
            add("ann"),
        ),
        (
            "400 body.unreadable",
            "400 body.unreadable",
            "422 body.invalid",
            "422 body.invalid",
            "404 command.missing",
            "404 command.missing",
            "422 body.invalid",
            "201",
        ),
        ("StonesAdded Ann",),
    )
    secret = {"coins": 3}
    yield Story(
        "a secret is told to who has it and to who leads",
        (Ask("ann", "hide-coins", secret), Ask("una", "hide-coins", secret, f"as=gm&seat={at['Bob']}")),
        ("201", "201"),
        ("CoinsHidden Ann", "CoinsHidden Bob"),
    )


TABLE = (seats_and_roles, scopes, hand_overs, joins, keys_and_dry_runs, positions, bodies)
