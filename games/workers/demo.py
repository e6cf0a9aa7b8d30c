"""The demo: live games that a newcomer finds running, played through `services.run` like any other.

`prepare` makes its users, registers the example of a frontend, opens a game of each ruleset that has a `demo` module
and keeps it: a second start goes on with the same games while they last. `keep_open`, which the worker calls each few
seconds, opens the next game where one is over. A bot stands in for each person until they play. Who takes part, with
passwords and tokens, is written to DATA_DIR/demo.json for its owner; the game of the first ruleset stands at its top.
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, get_hasher
from django.core import signing
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.models import Scope, Token, User
from accounts.oauth.models import EXAMPLE_CLIENT_ID, Application
from core.ids import in_slot_of
from core.places import routing
from games import registry, services
from games.engine.game_state import Status
from games.models import ChatFormat, ChatHook, Game, Seat
from games.reads import selectors
from games.scripts import Cast, Script, open_script

PREFIX = "demo-"
LOOPBACK = ("http://127.0.0.1/", "http://[::1]/")
"""Where people come back to from the sign-in: any port of their own machine (RFC 8252), and nowhere else."""
LINK, CHAT = "demo.sign-in", "demo.chat"
PEOPLE: tuple[tuple[str, str], ...] = (
    ("admin", "admin"),
    ("gm", "gm"),
    ("player-1", "player"),
    ("player-2", "player"),
    ("player-3", "player"),
    ("observer", "observer"),
)


def _say_nothing(_line: str) -> None:
    """The default of `say`."""


def prepare(*rulesets: str, say: Callable[[str], None] = _say_nothing) -> dict[str, Any]:
    """Make the demo ready, or find it running; what demo.json says. Refused where DEMO is off.

    rulesets: whose games; of all that have a demo where none is named. say: called with a line before each longer step.
    """
    if not settings.DEMO:
        raise RuntimeError("the demo is off; set DEMO=1")
    known = _last_run()
    say(f"Preparing the demo: {len(PEOPLE)} users ...")
    for name, role in PEOPLE:
        _person(name, role)
    _adopt(known)
    register_example()
    return _write(_open_missing(rulesets or tuple(registry.demos()), say), known)


def keep_open() -> bool:
    """Open the next game of every ruleset whose demo game is over, and list it in demo.json; whether anything was done.

    Safe to call at any time, by several processes at once: the lock of one row lets one of them open the game, and what
    what one that died has not listed, the next call lists. Does nothing before `prepare` was called.
    """
    if not (settings.DEMO and path().exists()):
        return False
    known = _last_run()
    rulesets = tuple(game["ruleset"] for game in known["games"])
    if {game["game"] for game in known["games"]} == {str(pk) for pk in _live(rulesets).values()}:
        return False
    _write(_open_missing(rulesets), known)
    return True


def path() -> Path:
    """Where the demo's users and tokens are listed."""
    return Path(settings.DATA_DIR) / "demo.json"


def _last_run() -> dict[str, Any]:
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
        user.set_unusable_password()  # the one in demo.json is set when it is written
    if role == "admin":
        user.is_superuser = True
    user.save()
    return user


def _people() -> dict[str, User]:
    """The demo's users, by their names without the prefix."""
    users = {user.username.removeprefix(PREFIX): user for user in User.objects.filter(username__startswith=PREFIX)}
    return {name: users[name] for name, _ in PEOPLE}


def register_example() -> None:
    """The example of a frontend as an application that people may sign in to; one that was revoked stays so."""
    fields = {"name": "Example frontend", "redirect_uris": "\n".join(LOOPBACK), "scope_words": "read play"}
    Application.objects.get_or_create(client_id=EXAMPLE_CLIENT_ID, defaults=fields)


def _adopt(known: Mapping[str, Any]) -> None:
    """Mark the games of a demo that began before games were marked."""
    games = [UUID(game["game"]) for game in (known, *known.get("games", ())) if "game" in game]
    for place, keys in routing.by_place(games).items():
        with routing.at_place(place):
            Game.objects.filter(pk__in=keys, is_demo=False).exclude(status=Status.FINISHED).update(is_demo=True)


def _live(rulesets: Sequence[str]) -> dict[str, UUID]:
    """The demo games that go on, by ruleset."""
    return dict(chain.from_iterable(routing.in_every_place(_live_here, rulesets)))


def _live_here(rulesets: Sequence[str]) -> list[tuple[str, UUID]]:
    """Those of the place in force, the oldest first."""
    rows = selectors.demo_games(Game.objects.filter(ruleset__in=rulesets)).order_by("created_at")
    return list(rows.values_list("ruleset", "pk"))


def _open_missing(rulesets: Sequence[str], say: Callable[[str], None] = _say_nothing) -> list[Game]:
    """The live demo game of each ruleset, opened where there is none: each wholly or not at all, and once."""
    live = _live(rulesets)
    for ruleset in rulesets:
        if ruleset not in live:
            live[ruleset] = _open(ruleset, say)
    found: dict[UUID, Game] = {}
    for place, games in routing.by_place(live.values()).items():
        with routing.at_place(place):
            found |= Game.objects.in_bulk(games)
    opened = [found[live[ruleset]] for ruleset in rulesets]
    if settings.WEBHOOK_PRIVATE_NETS:  # else no worker would post to this machine
        tell_chat(opened[0])
    return opened


def tell_chat(game: Game) -> None:
    """Let the demo's own chat channel be told of a game: a page of this service, which logs each line."""
    address = f"{settings.BASE_URL}/demo/chat/{signing.Signer(salt=CHAT).sign(PREFIX)}/"
    host = User.objects.get(username=f"{PREFIX}gm")
    with routing.at(game.pk):
        ChatHook.objects.get_or_create(
            game=game, url=address, user=host,
            defaults={
                "id": in_slot_of(game.pk, uuid4()), "format": ChatFormat.SLACK, "seq": game.seq,
                "chapter": game.chapter, "look_at": timezone.now(),
            },
        )  # fmt: skip


def is_key_of_chat(key: str) -> bool:
    """Whether a key is that of the demo's chat channel on this service."""
    try:
        return signing.Signer(salt=CHAT).unsign(key) == PREFIX
    except signing.BadSignature:
        return False


def _open(ruleset: str, say: Callable[[str], None]) -> UUID:
    """Open the demo game of a ruleset, unless another process just has; its id."""
    game_id = services.new_game_id()
    with routing.at(game_id), transaction.atomic():
        return _open_as(game_id, ruleset, say)


def _open_as(game_id: UUID, ruleset: str, say: Callable[[str], None]) -> UUID:
    host = User.objects.select_for_update().get(username=f"{PREFIX}gm")  # who opens, holds this row
    if live := _live([ruleset]):
        return live[ruleset]
    script = registry.demo(ruleset)
    say(f'Opening the demo game "{script.TITLE}" ({ruleset}) ...')
    cast, seconds = _cast(script, _people() | {"gm": host}), settings.DEMO_STEP_SECONDS
    return open_script(ruleset, script.TITLE, cast, game_id=game_id, seconds=seconds, is_demo=True).pk


def _cast(script: Script, people: Mapping[str, User]) -> Cast:
    """Who takes part in a game of the demo."""
    players = iter([user.pk for name, user in people.items() if name.startswith("player")])
    seated = {
        name: (people[who].pk if who else next(players)) for name, who in script.players() if not who or who in people
    }
    return Cast(people["gm"].pk, seated, people["observer"].pk)


def _token(user: User, known: str) -> str:
    """The token of the last run while it still verifies, else a new one."""
    if known and accounts.authenticate_token(known) is not None:
        return known
    Token.objects.filter(user=user, name="demo").delete()
    _, plain = accounts.mint_token(user, "demo", scopes=tuple(Scope))
    return plain


def _password(user: User, former: Mapping[str, Any], token: str) -> str:
    """The password of the last run, else a new one.

    The token listed beside it vouches for it: to check six passwords takes seconds. A user who changes a password
    revokes the tokens, and those of another database do not verify here.
    """
    if former.get("password") and former.get("token") == token:
        return str(former["password"])
    password = secrets.token_urlsafe(12)
    hasher = copy(get_hasher())
    if isinstance(hasher, PBKDF2PasswordHasher):
        hasher.iterations = 1  # 96 random bits need no more, and a million rounds take 0.4 s; a log-in hashes anew
    user.password = hasher.encode(password, hasher.salt())
    user.save(update_fields=["password"])
    return password


def _write(games: Sequence[Game], known: Mapping[str, Any]) -> dict[str, Any]:
    """Write demo.json, readable for its owner only and whole at every moment; what it says."""
    described, people = [_game_in_words(game) for game in games], _people()
    users = []
    for name, role in PEOPLE:
        user, former = people[name], _of(known, name)
        token = _token(user, former.get("token", ""))
        held: dict[str, Any] = next(
            (s for s in described[0]["seats"] if s["user"] == user.username and s["role"] == role), {}
        )
        users.append(
            {
                "name": user.username,
                "id": str(user.pk),
                "role": role,
                "seat": held.get("seat"),
                "seat_name": held.get("seat_name"),
                "password": _password(user, former, token),
                "token": token,
                **({"sign_in": f"{settings.BASE_URL}/demo/{link_of(user)}/"} if role == "player" else {}),
            }
        )
    first = {"game": described[0]["game"], "world": described[0]["world"]}
    whole = {"base_url": settings.BASE_URL, **first, "users": users, "games": described}
    part = path().with_name(f"demo.json.{uuid4().hex}")
    part.touch(mode=0o600)
    part.write_text(json.dumps(whole, indent=2) + "\n")
    part.replace(path())
    return whole


def link_of(user: User) -> str:
    """By which a player of the demo signs in without a password, always the same: who may read demo.json may."""
    return signing.Signer(salt=LINK).sign_object(user.username)


def player_of_link(link: str) -> User | None:
    """The player of the demo that a link signs in; None for a link of another service, or of nobody."""
    try:
        name = str(signing.Signer(salt=LINK).unsign_object(link))
    except (signing.BadSignature, ValueError):  # the latter: of the service, but no JSON in Base64
        return None
    players = {PREFIX + each for each, role in PEOPLE if role == "player"}
    return User.objects.filter(username=name, retired_at=None, is_active=True).first() if name in players else None


def _game_in_words(game: Game) -> dict[str, Any]:
    """A game of the demo, and which of its people sit where."""
    people = dict(User.objects.filter(username__startswith=PREFIX).values_list("pk", "username"))
    with routing.at(game.pk):
        seats = list(Seat.objects.filter(game=game, user__in=people).values_list("user_id", "role", "pk", "name"))
    held = sorted((people[user], role, seat, name) for user, role, seat, name in seats)
    return {
        "ruleset": game.ruleset,
        "name": game.name,
        "game": str(game.pk),
        "world": str(game.world_id) if game.world_id else None,
        "seats": [
            {"user": user, "role": role, "seat": str(seat), "seat_name": name} for user, role, seat, name in held
        ],
    }
