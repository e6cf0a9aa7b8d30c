"""The demo: a live event that a newcomer finds running, played through `services.run` like any other.

`prepare` makes its users, opens the event once and keeps it: a second start goes on with the same game while it lasts.
Who takes part, with passwords and tokens, is written to DATA_DIR/demo.json for its owner's eyes.
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings

from accounts import services as accounts
from accounts.models import Scope, Token, User
from games import registry, services
from games.engine.conduct import Start
from games.engine.kernel import Actor, Command, Issuer
from games.engine.ruleset import Options
from games.engine.seating import AddSeat, Join
from games.engine.table import Role, Status
from games.models import Game, Seat
from worlds.atlas import EARTH_ATTRIBUTION, earth
from worlds.chart import write_letters
from worlds.models import World

PREFIX = "demo-"
PEOPLE: tuple[tuple[str, str], ...] = (
    ("admin", "admin"),
    ("gm", "gm"),
    ("player-1", "player"),
    ("player-2", "player"),
    ("player-3", "player"),
    ("observer", "observer"),
)


class Script(Protocol):
    """What a game's own `demo` module offers."""

    TITLE: str

    def options(self, century_seconds: int) -> Options:
        """The options of the demo event."""

    def players(self) -> Sequence[tuple[str, str]]:
        """The seats: name and bot; the first ones go to the demo's people, the others to their bots."""

    def commands(
        self, seats: Mapping[str, UUID], terrain: Sequence[str], options: Any
    ) -> Iterable[tuple[str, Command]]:
        """The set-up before the start: who (`host` or `gm`) issues what, in order."""

    def opening(self) -> Iterable[Command]:
        """What the GM issues right after the start."""


def prepare(ruleset: str = "gods2") -> dict[str, Any]:
    """Make the demo ready, or find it running; what demo.json says. Refused where DEMO is off."""
    if not settings.DEMO:
        raise RuntimeError("the demo is off; set DEMO=1")
    known = _known()
    people = {name: _person(name, role) for name, role in PEOPLE}
    game = _running(ruleset, known) or _opened(ruleset, people)
    return _written(game, people, known)


def path() -> Path:
    """Where the demo's users and tokens are told."""
    return Path(settings.DATA_DIR) / "demo.json"


def _known() -> dict[str, Any]:
    """What the last run wrote; empty at the first."""
    return dict(json.loads(path().read_text())) if path().exists() else {}


def _of(known: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next((u for u in known.get("users", ()) if u["name"] == PREFIX + name), {})


def _person(name: str, role: str) -> User:
    """A demo user."""
    user, made = User.objects.get_or_create(
        username=PREFIX + name,
        defaults={"display_name": name.replace("-", " ").title(), "is_staff": role == "admin"},
    )
    if made:
        user.set_unusable_password()  # the one that demo.json tells is set when it is written
    if role == "admin":
        user.is_superuser = True
    user.save()
    return user


def _running(ruleset: str, known: Mapping[str, Any]) -> Game | None:
    """The demo event, when it goes on."""
    key = known.get("game")
    game = Game.objects.filter(ruleset=ruleset, pk=str(key)).first() if key else None
    return game if game is not None and game.status != Status.FINISHED else None


def _opened(ruleset: str, people: Mapping[str, User]) -> Game:
    """A new event, set up to its first century."""
    script: Script = registry.demo(ruleset)
    host, options = people["gm"], script.options(settings.DEMO_CENTURY_SECONDS)
    game = services.open_game(ruleset, script.TITLE, user=host.pk, options=options.model_dump_json())
    actors = {role: Actor(Issuer(role), host.pk, _seat(game, host, role)) for role in ("host", "gm")}
    seats = _seated(game, script, people, actors["host"])
    for who, command in script.commands(seats, write_letters(earth()).split(), options):
        services.run(game.pk, command, actor=actors[who])
    services.run(game.pk, Start(), actor=actors["host"])
    for command in script.opening():
        services.run(game.pk, command, actor=actors["gm"])
    opened = Game.objects.get(pk=game.pk)
    World.objects.filter(games=opened).update(attribution=EARTH_ATTRIBUTION)
    return opened


def _seated(game: Game, script: Script, people: Mapping[str, User], host: Actor) -> dict[str, UUID]:
    """Everybody on a seat: people first, bots on the rest, an observer beside; seats by name."""
    players = [user for name, user in people.items() if name.startswith("player")]
    for i, (name, bot) in enumerate(script.players()):
        if i < len(players):
            services.run(game.pk, Join(name=name), actor=Actor(Issuer.SEAT, players[i].pk))
        else:
            services.run(game.pk, AddSeat(name=name, bot=bot), actor=host)
    observer = Actor(Issuer.SEAT, people["observer"].pk)
    services.run(game.pk, Join(name="Observer", role=Role.OBSERVER), actor=observer)
    return dict(Seat.objects.filter(game=game).values_list("name", "pk"))


def _seat(game: Game, user: User, role: str) -> UUID:
    return Seat.objects.values_list("pk", flat=True).get(game=game, user=user, role=role)


def _token(user: User, known: str) -> str:
    """The token of the last run while it still verifies, else a new one."""
    if known and accounts.authenticate_token(known) is not None:
        return known
    Token.objects.filter(user=user, name="demo").delete()
    _, plain = accounts.mint_token(user, "demo", scopes=tuple(Scope))
    return plain


def _written(game: Game, people: Mapping[str, User], known: Mapping[str, Any]) -> dict[str, Any]:
    """Write demo.json, readable for its owner only; what it says."""
    users = []
    for name, role in PEOPLE:
        user, former = people[name], _of(known, name)
        password = former.get("password", "")
        if not password or not user.check_password(password):
            password = secrets.token_urlsafe(12)
            user.set_password(password)
            user.save(update_fields=["password"])
        wanted = {"gm": "gm", "player": "player", "observer": "observer"}.get(role)
        seat = Seat.objects.filter(game=game, user=user, role=wanted).first() if wanted else None
        users.append(
            {
                "name": user.username,
                "role": role,
                "seat": str(seat.pk) if seat else None,
                "seat_name": seat.name if seat else None,
                "password": password,
                "token": _token(user, former.get("token", "")),
            }
        )
    told = {
        "base_url": settings.BASE_URL,
        "game": str(game.pk),
        "world": str(game.world_id),
        "users": users,
    }
    file = path()
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(json.dumps(told, indent=2) + "\n")
    return told
