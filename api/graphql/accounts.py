"""People in GraphQL: oneself, tokens, signing up, and opening games; the same services and refusals as in REST."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
import strawberry
from django.http import Http404, HttpRequest
from django.urls import reverse
from strawberry.scalars import JSON

from accounts import services
from accounts.calendars import make_calendar_key, remove_calendar_key
from accounts.models import Scope, Token
from api.common.authentication import Principal
from api.common.confirmations import ask_for_confirmation
from api.common.exceptions import Fault
from api.common.permissions import require_personal, require_scope
from api.common.throttles import PASSWORDS, address_of, count
from api.common.viewer import look
from api.graphql.commands import Refusal
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.game_fields import game_value
from api.graphql.games import GAME
from api.graphql.mapping import either, many, maybe, object_type
from api.representations import games
from api.representations.resources.accounts import (
    MeSerializer,
    MintSerializer,
    PersonSerializer,
    SignUpSerializer,
    TokenSerializer,
    tokens_for,
)
from api.rest.accounts import by_password, calendar_owner, require_no_more
from core.places import routing

TOKEN: dict[str, Any] = {
    "id": UUID,
    "name": str,
    "application": UUID | None,
    "prefix": str,
    "scopes": list[str],
    "created_at": datetime,
    "expires_at": datetime | None,
    "revoked_at": datetime | None,
    "last_used_at": datetime | None,
}
TokenType = object_type(
    "Token",
    TOKEN,
    {
        "application": "The application that was signed in to; null for a personal token.",
        "prefix": "Its first characters.",
    },
    "A key to the API; never its plain text.",
)
Me = object_type(
    "Me",
    {
        "id": UUID,
        "username": str,
        "display_name": str,
        "email": str,
        "email_confirmed": bool,
        "is_staff": bool,
        "date_joined": datetime,
        "scopes": list[str],
        "token": maybe(TokenType),
    },
    {
        "email_confirmed": "Whether its mail was shown to be read by its owner.",
        "scopes": "What may be done with this token.",
        "token": "The token this was asked with.",
    },
    "The user who asks.",
)
Person = object_type("Person", {"id": UUID, "username": str, "display_name": str}, {}, "A user, as everybody may see.")


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


MintResult = _one_of("TokenMinted", {"token": str, "row": TokenType}, "A new token; its plain text is shown this once.")
RevokeResult = _one_of("TokenRevoked", {"id": UUID}, "A token that is worthless from now on.")
CalendarResult = _one_of(
    "CalendarMade",
    {"url": str},
    "What a calendar subscribes to; it holds a secret and is shown this once.",
)
ConfirmationResult = _one_of(
    "EmailConfirmationSent", {"email": str}, "A link goes to this address; it is good for a day, and once."
)
CalendarRemovalResult = _one_of("CalendarRemoved", {"user": UUID}, "The address leads nowhere from now on.")
SignUpResult = _one_of("SignedUp", {"user": Person}, "A new user; ask for a token next.")
OpenResult = _one_of("GameOpened", {"game": GAME}, "A new game; you are its host and its game-master.")


def me(info: strawberry.Info) -> Any:
    """Who you are, and what this token may do."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    assert context.principal.token is not None  # nobody is anybody here without one
    # As they are in the rows: what a process remembers of a user may be minutes old.
    token = Token.objects.select_related("user").get(pk=context.principal.token.pk)
    return MeSerializer(token.user, context={"principal": Principal(token.user, token)}).data


def tokens(info: strawberry.Info) -> Any:
    """Your live tokens and the latest of the others, 100 at most, without their text; an application gets its own."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    return TokenSerializer(tokens_for(context.principal)[:100], many=True).data


def _request(context: OperationContext) -> HttpRequest:
    if context.request is None:
        raise Fault("method.unknown", "Mutations are sent over HTTP.")
    return context.request


def _spend(context: OperationContext, scope: str) -> None:
    request = _request(context)
    within, spent = count(request, scope, address_of(request))
    if not within:
        wait = spent.reset_seconds
        raise Fault("rate.exceeded", f"Too many requests; try again in {wait} s.", retry_seconds=wait)


def mint_token(
    info: strawberry.Info,
    name: str,
    scopes: list[str] | None = None,
    expires_at: datetime | None = None,
    username: str | None = None,
    password: str | None = None,
) -> Any:
    """Make a token, with user name and password or with a token that may do at least as much."""
    context = context_of(info)
    given = {"name": name, "scopes": scopes, "expires_at": expires_at, "username": username, "password": password}

    def act() -> dict[str, Any]:
        body = MintSerializer(data={key: value for key, value in given.items() if value is not None})
        _spend(context, PASSWORDS)
        body.is_valid(raise_exception=True)
        chosen = body.validated_data
        principal = context.principal
        if "username" in chosen:
            principal = _authenticate(context, chosen["username"], chosen["password"])
        else:
            require_scope(principal, Scope.PLAY)
        require_no_more(principal, chosen["scopes"], chosen["expires_at"])
        assert principal.user is not None  # by_password, require_scope
        row, plain = services.mint_token(principal.user, chosen["name"], chosen["scopes"], chosen["expires_at"])
        return {"token": plain, "row": TokenSerializer(row).data, "__typename": "TokenMinted"}

    return answer(context, act)


class _Wrapped:
    """Django's request as `by_password` takes it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request


def _authenticate(context: OperationContext, username: str, password: str) -> Principal:
    wrapped: Any = _Wrapped(_request(context))
    return by_password(wrapped, username, password)


def revoke_token(info: strawberry.Info, id: UUID) -> Any:
    """Revoke one of your tokens. Any token may revoke itself; others need the scope `play`."""
    context = context_of(info)

    def act() -> dict[str, Any]:
        principal = context.principal
        if principal.token is None or principal.token.pk != id:
            require_scope(principal, Scope.PLAY)
            require_personal(principal)
        token = Token.objects.filter(pk=id, user=principal.user).first()
        if token is None:
            raise Http404
        services.revoke_token(token)
        return {"id": id, "__typename": "TokenRevoked"}

    return answer(context, act)


def send_email_confirmation(info: strawberry.Info) -> Any:
    """Have the link sent that confirms your e-mail address."""
    context = context_of(info)

    def act() -> dict[str, Any]:
        user = ask_for_confirmation(_request(context), context.principal)
        return {"email": user.email, "__typename": "EmailConfirmationSent"}

    return answer(context, act)


def make_calendar(info: strawberry.Info) -> Any:
    """Make the address at which calendars read your deadlines; the one before leads nowhere from now on."""
    context = context_of(info)

    def act() -> dict[str, Any]:
        secret = make_calendar_key(calendar_owner(context.principal))
        url = _request(context).build_absolute_uri(reverse("calendar", args=[secret]))
        return {"url": url, "__typename": "CalendarMade"}

    return answer(context, act)


def remove_calendar(info: strawberry.Info) -> Any:
    """Let the address of your calendar lead nowhere. Where there is none nothing changes."""
    context = context_of(info)

    def act() -> dict[str, Any]:
        user = calendar_owner(context.principal)
        remove_calendar_key(user)
        return {"user": user.pk, "__typename": "CalendarRemoved"}

    return answer(context, act)


def sign_up(
    info: strawberry.Info,
    username: str,
    password: str,
    display_name: str = "",
    email: str = "",
    invitation: str = "",
) -> Any:
    """Become a user: freely, with an invitation, or not at all, as this service is set."""
    context = context_of(info)
    given = {"username": username, "password": password, "display_name": display_name, "email": email}

    def act() -> dict[str, Any]:
        _spend(context, "sign_up")
        body = SignUpSerializer(data=given | {"invitation": invitation})
        body.is_valid(raise_exception=True)
        user = services.sign_up(**body.validated_data)
        return {"user": PersonSerializer(user).data, "__typename": "SignedUp"}

    return answer(context, act)


def open_game(
    info: strawberry.Info, ruleset: str, name: str, options: JSON | None = None, is_public: bool = True
) -> Any:
    """Open a game. Its opener gets the seats of host and game-master; `ruleset(slug:)` has the schema of `options`."""
    context = context_of(info)
    given = {"ruleset": ruleset, "name": name, "is_public": is_public}

    def act() -> dict[str, Any]:
        context.may_act()
        assert context.user is not None  # may_act
        raw = orjson.dumps(given if options is None else given | {"options": options})
        game = games.open_game(ruleset, raw, context.user)
        with routing.at(game.pk):
            return {"game": game_value(info, look(game, context.user)), "__typename": "GameOpened"}

    return answer(context, act)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "me": strawberry.field(resolver=me, graphql_type=Me, description=me.__doc__),
    "tokens": strawberry.field(resolver=tokens, graphql_type=many(TokenType), description=tokens.__doc__),
}
MUTATIONS: dict[str, Any] = {
    "sign_up": _mutation(sign_up, SignUpResult),
    "mint_token": _mutation(mint_token, MintResult),
    "revoke_token": _mutation(revoke_token, RevokeResult),
    "send_email_confirmation": _mutation(send_email_confirmation, ConfirmationResult),
    "make_calendar": _mutation(make_calendar, CalendarResult),
    "remove_calendar": _mutation(remove_calendar, CalendarRemovalResult),
    "open_game": _mutation(open_game, OpenResult),
}
