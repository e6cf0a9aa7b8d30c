"""People over REST: signing up, oneself, tokens, invitations to sign up.

Each view parses, calls `accounts.services` and answers. Tokens and codes are shown once, never cached.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import path, reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts import services
from accounts.calendars import make_calendar_key, remove_calendar_key
from accounts.errors import AccountError
from accounts.models import Invitation, Scope, Token, User
from api.common.authentication import Principal, principal_of
from api.common.confirmations import ask_for_confirmation
from api.common.exceptions import Fault
from api.common.paging import CursorPages
from api.common.passwords import user_by_password
from api.common.permissions import Anyone, SignedIn, Staff, require_personal, require_scope
from api.common.throttles import PasswordBudget, SignUpBudget
from api.representations.resources.accounts import (
    CalendarSerializer,
    ConfirmationSerializer,
    InvitationSerializer,
    InviteSerializer,
    MeSerializer,
    MintSerializer,
    NewInvitationSerializer,
    NewTokenSerializer,
    PasswordSerializer,
    PersonSerializer,
    ProfileSerializer,
    RevokedSerializer,
    SignUpSerializer,
    StrictSerializer,
    TokenSerializer,
    tokens_for,
)
from api.rest.base import ApiView

ONCE = {"Cache-Control": "no-store"}


def wish(serializer: type[StrictSerializer], request: Request) -> dict[str, Any]:
    """The body as that serializer reads it. Raises ValidationError (422)."""
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


@extend_schema(tags=["accounts"])
class SignUpView(ApiView):
    """Become a user: freely, with an invitation, or not at all, as this service is set."""

    permission_classes = (Anyone,)
    throttle_classes = (SignUpBudget,)

    @extend_schema(operation_id="sign_up", request=SignUpSerializer, responses={201: PersonSerializer}, auth=[])
    def post(self, request: Request) -> Response:
        """Make a user; ask for a token next."""
        user = services.sign_up(**wish(SignUpSerializer, request))
        return Response(PersonSerializer(user).data, status=201)


@extend_schema(tags=["accounts"])
class MeView(ApiView):
    """The user who asks."""

    permission_classes = (SignedIn,)

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Who you are, and what this token may do."""
        return self.me(principal_of(request))

    @extend_schema(operation_id="change_me", request=ProfileSerializer, responses=MeSerializer)
    def patch(self, request: Request) -> Response:
        """Change your display name or e-mail address."""
        principal = principal_of(request)
        require_personal(principal)
        assert principal.user is not None  # SignedIn
        services.change_profile(principal.user, **wish(ProfileSerializer, request))
        return self.me(principal)

    def me(self, principal: Principal) -> Response:
        """The answer to both."""
        return Response(MeSerializer(principal.user, context={"principal": principal}).data)


@extend_schema(tags=["accounts"])
class PasswordView(ApiView):
    """The password of the user who asks."""

    permission_classes = (SignedIn,)
    throttle_classes = (PasswordBudget,)

    @extend_schema(operation_id="change_password", request=PasswordSerializer, responses=RevokedSerializer)
    def post(self, request: Request) -> Response:
        """Change it; every token but the one used is revoked."""
        require_personal(principal_of(request))
        principal, body = principal_of(request), wish(PasswordSerializer, request)
        assert principal.user is not None  # SignedIn
        if user_by_password(request._request, principal.user.username, body["old"]) != principal.user:
            raise AccountError("password.wrong", "The old password is not right.")
        revoked = services.change_password(principal.user, new=body["new"], keep=principal.token)
        return Response({"revoked": revoked})


@extend_schema(tags=["accounts"])
class EmailConfirmationView(ApiView):
    """The e-mail address of the user who asks, which is confirmed by a mailed link."""

    permission_classes = (SignedIn,)

    @extend_schema(operation_id="send_email_confirmation", request=None, responses={202: ConfirmationSerializer})
    def post(self, request: Request) -> Response:
        """Have the link sent; `email_confirmed` in `me/` is true once it was followed and pressed."""
        user = ask_for_confirmation(request._request, principal_of(request))
        return Response(ConfirmationSerializer(user).data, status=202)


@extend_schema(tags=["accounts"])
class CalendarView(ApiView):
    """The address at which calendars read the deadlines of the user who asks."""

    permission_classes = (SignedIn,)

    @extend_schema(operation_id="make_calendar", request=None, responses={201: CalendarSerializer})
    def post(self, request: Request) -> Response:
        """Make the address, shown this once; the one before leads nowhere from now on."""
        secret = make_calendar_key(calendar_owner(principal_of(request)))
        return Response({"url": request.build_absolute_uri(reverse("calendar", args=[secret]))}, 201, headers=ONCE)

    @extend_schema(
        operation_id="remove_calendar", request=None, responses={204: OpenApiResponse(description="Removed.")}
    )
    def delete(self, request: Request) -> Response:
        """Let the address lead nowhere. Where there is none nothing changes."""
        remove_calendar_key(calendar_owner(principal_of(request)))
        return Response(status=204)


def calendar_owner(principal: Principal) -> User:
    """Who makes or removes the address of their calendar. Raises Fault for a token without the scope `play`, and for
    one of an application."""
    require_scope(principal, Scope.PLAY)
    require_personal(principal)
    assert principal.user is not None  # require_scope
    return principal.user


def by_password(request: Request, username: str, password: str) -> Principal:
    """Who these are. Raises Fault: login.wrong (401), or login.locked (429) after too many wrong ones."""
    user = user_by_password(request._request, username, password)
    if user is None:
        raise Fault("login.wrong", "User name or password is not right.")
    return Principal(user)


def require_no_more(principal: Principal, scopes: list[str], expires_at: Any) -> None:
    """A token makes no token that may do more or lives longer than itself; that of an application makes none.

    Raises Fault.
    """
    require_personal(principal)
    for scope in scopes:
        require_scope(principal, Scope(scope))
    ends = principal.token.expires_at if principal.token is not None else None
    if ends is not None and (expires_at is None or expires_at > ends):
        raise Fault(
            "token.outlives",
            "A token made with a token cannot outlive it; ask with the password.",
            ends=ends.isoformat(),
        )


@extend_schema(tags=["accounts"])
@extend_schema_view(get=extend_schema(operation_id="tokens", responses=TokenSerializer(many=True)))
class TokensView(ApiView, GenericAPIView[Token]):
    """The tokens of the user who asks."""

    parameters = {"GET": ("limit", "cursor")}
    serializer_class = TokenSerializer
    pagination_class = CursorPages
    queryset = Token.objects.all()

    def get_queryset(self) -> QuerySet[Token]:
        """The user's own, and nobody else's."""
        return tokens_for(principal_of(self.request))

    def get_permissions(self) -> list[BasePermission]:
        """A first token is asked for without one."""
        return [Anyone() if self.request.method == "POST" else SignedIn()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Passwords may be tried by anybody: that budget is small."""
        general = super().get_throttles()
        return [PasswordBudget(), *general] if self.request.method == "POST" else general

    def get(self, request: Request) -> Response:
        """All of them, the newest first, without the tokens themselves; an application gets its own alone."""
        rows = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)

    @extend_schema(operation_id="mint_token", request=MintSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token, with user name and password or with a token that may do at least as much."""
        body = wish(MintSerializer, request)
        if "username" in body:
            principal = by_password(request, body["username"], body["password"])
        else:
            principal = principal_of(request)
            require_scope(principal, Scope.PLAY)
        require_no_more(principal, body["scopes"], body["expires_at"])
        assert principal.user is not None  # by_password, require_scope
        token, plain = services.mint_token(principal.user, body["name"], body["scopes"], body["expires_at"])
        return Response({**TokenSerializer(token).data, "token": plain}, status=201, headers=ONCE)


@extend_schema(tags=["accounts"])
class TokenView(ApiView):
    """One token of the user who asks."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="revoke_token", request=None, responses={204: OpenApiResponse(description="Revoked.")})
    def delete(self, request: Request, key: UUID) -> Response:
        """Revoke it. Any token may revoke itself; others need the scope `play`."""
        principal = principal_of(request)
        own = principal.token is not None and principal.token.pk == key
        if not own:
            require_scope(principal, Scope.PLAY)
            require_personal(principal)
        token = Token.objects.filter(pk=key, user=principal.user).first()
        if token is None:
            raise Http404
        services.revoke_token(token)
        return Response(status=204)


@extend_schema(tags=["accounts"])
@extend_schema_view(get=extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True)))
class InvitationsView(ApiView, GenericAPIView[Invitation]):
    """Invitations to sign up; for administrators."""

    permission_classes = (Staff,)
    parameters = {"GET": ("limit", "cursor")}
    serializer_class = InvitationSerializer
    pagination_class = CursorPages
    queryset = Invitation.objects.select_related("created_by")

    def get(self, request: Request) -> Response:
        """All of them, the newest first; without their codes."""
        rows = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)

    @extend_schema(operation_id="invite", request=InviteSerializer, responses={201: NewInvitationSerializer})
    def post(self, request: Request) -> Response:
        """Make an invitation; its code is shown this once."""
        body, by = wish(InviteSerializer, request), principal_of(request).user
        row, code = services.invite(by, **body)
        return Response({**InvitationSerializer(row).data, "code": code}, status=201, headers=ONCE)


urlpatterns = [
    path("sign-up/", SignUpView.as_view(), name="sign-up"),
    path("me/", MeView.as_view(), name="me"),
    path("me/password/", PasswordView.as_view(), name="password"),
    path("me/email-confirmation/", EmailConfirmationView.as_view(), name="email-confirmation"),
    path("me/calendar/", CalendarView.as_view(), name="calendar-address"),
    path("tokens/", TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:key>/", TokenView.as_view(), name="token"),
    path("invitations/", InvitationsView.as_view(), name="invitations"),
]
