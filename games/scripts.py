"""Games that are set up and begun by a script: those of the demo, and one that somebody plays against bots at once.

A script is the `demo` module of a game: its options, who sits where, and what is issued before and after the start.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.places import routing
from games import registry, services
from games.engine.errors import Refused
from games.engine.game_state import Role, Status
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat, HandOver, Join
from games.engine.ruleset import Options
from games.engine.wording import quantity
from games.models import Game, Seat
from worlds.models import World

Issued = tuple[str, Command]
"""Who issues a command: `host`, `gm`, or the name of a player's seat."""


class Script(Protocol):
    """What a game's own `demo` module provides."""

    TITLE: str
    KEEPER: str
    """The policy that plays a person's seat while they are away."""
    ATTRIBUTION: str
    """The notice that its map asks for; "" for none."""
    PRACTICE: Mapping[str, int]
    """The options of a game that one person plays against bots, where they are others."""

    def options(self, step_seconds: int) -> Options:
        """The options of the game; step_seconds: how long a step of it lasts, such as a century or a turn."""

    def players(self) -> Sequence[tuple[str, str]]:
        """The seats: name, and who plays it: a bot, one of the demo's people, or "" for its next player."""

    def commands(self, seats: Mapping[str, UUID], options: Any) -> Iterable[Issued]:
        """The set-up before the start, in order. seats: by name."""

    def opening(self, now: Callable[[], Any]) -> Iterable[Issued]:
        """What is issued right after the start, in order and all in one moment. now: the state of the game by then."""


SEATED = "Who opened the game plays this seat."


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part: who opens the game, and the people on players' seats by the name of the seat."""

    host: UUID
    people: Mapping[str, UUID]
    observer: UUID | None = None
    bots: Mapping[str, str] = field(default_factory=dict)
    """Bots on seats of the script that are people's there, by the name of the seat."""


def open_script(
    ruleset: str,
    title: str,
    cast: Cast,
    *,
    game_id: UUID,
    seconds: int,
    is_demo: bool = False,
    is_public: bool = True,
) -> Game:
    """A new game, set up and begun as its script says; call it in a transaction in the place of its id.

    seconds: how long a step lasts.
    In the demo bots keep the seats of people and their own until somebody plays (ADR 111). Raises what
    `services.open_game` raises.
    """
    script: Script = registry.demo(ruleset)
    options = script.options(seconds)
    if not is_demo:
        options = options.model_copy(update=dict(script.PRACTICE))
    game = services.open_game(
        ruleset,
        title,
        user=cast.host,
        game_id=game_id,
        options=options.model_dump_json(),
        is_demo=is_demo,
        is_public=is_public,
    )
    with routing.at(game.pk):
        return _begin(script, options, game, cast, is_demo=is_demo)


def _begin(script: Script, options: Any, game: Game, cast: Cast, *, is_demo: bool) -> Game:
    """Everybody is seated, and the game begins as its script says; its row."""
    ruleset, is_public = game.ruleset, game.is_public
    actors = {role: Actor(Issuer(role), cast.host, seat_of(game, cast.host, role)) for role in ("host", "gm")}
    seating = _seating(script, cast, actors["host"], by_joining=is_public, is_claimable=is_demo)
    services.run_all(game.pk, list(seating))
    players = list(Seat.objects.filter(game=game, role=Role.PLAYER))
    if not is_public:
        given = [HandOver(seat=s.pk, user=cast.people[s.name], reason=SEATED) for s in players if s.name in cast.people]
        services.run_all(game.pk, [(actors["host"], each) for each in given])
        players = list(Seat.objects.filter(game=game, role=Role.PLAYER))
    actors |= {seat.name: Actor(Issuer.SEAT, seat.user_id, seat.pk) for seat in players}
    first = [
        (actors[who], command) for who, command in script.commands({seat.name: seat.pk for seat in players}, options)
    ]
    services.run_all(game.pk, [*first, (actors["host"], Start())])
    moment, issued = timezone.now(), list[tuple[Actor, Command]]()

    def now() -> Any:
        services.run_all(game.pk, issued, now=moment)
        issued.clear()
        return registry.store(ruleset).load(Game.objects.get(pk=game.pk))

    for who, command in script.opening(now):
        issued.append((actors[who], command))
    if is_demo:
        issued += [
            (actors[seat.name], HandOver(seat=seat.pk, user=seat.user_id, bot=script.KEEPER, is_claimable=True))
            for seat in players
            if seat.user_id is not None
        ]
    services.run_all(game.pk, issued, now=moment)
    opened = Game.objects.get(pk=game.pk)
    World.objects.filter(games=opened).update(attribution=script.ATTRIBUTION)
    return opened


def _seating(
    script: Script, cast: Cast, host: Actor, *, by_joining: bool, is_claimable: bool
) -> Iterable[tuple[Actor, Command]]:
    """Everybody sits down: people and bots on their seats, an observer beside; people are given theirs, or join.

    is_claimable: whether bots keep their seats for anybody.
    """
    for name, who in script.players():
        if name in cast.people and by_joining:
            yield Actor(Issuer.SEAT, cast.people[name]), Join(name=name)
        else:
            bot = "" if name in cast.people else cast.bots.get(name, who)
            yield host, AddSeat(name=name, bot=bot, is_claimable=is_claimable)
    if cast.observer is not None:
        yield Actor(Issuer.SEAT, cast.observer), Join(name="Observer", role=Role.OBSERVER)


def seat_of(game: Game, user: UUID, role: str) -> UUID:
    """The seat of this role that somebody holds."""
    return Seat.objects.values_list("pk", flat=True).get(game=game, user=user, role=role)


PRACTICE_SECONDS = 300
"""How long a step of a game against bots lasts: time to read a form."""


def open_practice(ruleset: str, user: UUID) -> Game:
    """A game of a ruleset in which somebody plays its first seat at once, and bots all others; nobody leads it.

    Its opener stays its host and gives the game-master's seat away, so that bots keep their secrets.
    Raises `ruleset.missing`, and `practice.many` where they have too many games under way that they opened.
    """
    registry.ruleset(ruleset)
    script: Script | None = registry.demo(ruleset)
    if script is None:
        raise Refused("practice.missing", f"No game of {ruleset} begins at once; open one and invite others.")
    game_id = services.new_game_id()
    with routing.at(game_id), transaction.atomic():
        player = User.objects.select_for_update().get(pk=user)  # so that two at once cannot pass the limit together
        _require_few_games(user)
        seats = list(script.players())
        policies = registry.ruleset(ruleset).policies
        mine, *others = [name for name, who in seats if who not in policies]
        cast = Cast(user, {mine: user}, bots=dict.fromkeys(others, script.KEEPER))
        title = f"{script.TITLE.partition(',')[0]}: {player.display_name or player.username} and bots"
        game = open_script(ruleset, title, cast, game_id=game_id, seconds=PRACTICE_SECONDS, is_public=False)
        gm = seat_of(game, user, Role.GM)
        services.run(game.pk, HandOver(seat=gm), actor=Actor(Issuer.GM, user, gm))
    return game


def _require_few_games(user: UUID) -> None:
    """Refuse (`practice.many`) one more game to somebody of whose own too many go on."""
    found = routing.count_everywhere(Game.objects.filter(opened_by_id=user).exclude(status=Status.FINISHED))
    most = settings.MAX_LOBBIES
    if found >= most:
        raise Refused(
            "practice.many",
            f"{quantity(found, 'game')} that you have opened {'is' if found == 1 else 'are'} under way; "
            f"finish one of them first. This service allows {most} (MAX_LOBBIES).",
            most=most,
            setting="MAX_LOBBIES",
        )
