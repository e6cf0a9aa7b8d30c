"""A stream lasts as long as the token or the sign-in that opened it, and so does a ticket that nobody has used yet."""

import pytest
from django.core.signing import TimestampSigner
from django.test import Client

from accounts.models import Scope, Token, User
from accounts.retirement import retire
from accounts.services import change_password, mint_token, revoke_token
from api.streams import hub, tickets
from tests.api.streams import LoopClock, begin, db, run, streaming
from tests.api.test_streams_websocket import socket
from tests.api.worlds import client
from tests.toy.rules.commands import AddStones

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("an_empty_hub")]


class SignIn:
    """The host, at the desk in a browser and with a token elsewhere, and what can put an end to either."""

    def __init__(self, toy):
        self.toy, self.user = toy, toy.host
        self.browser, self.other = Client(), Client()
        for each in (self.browser, self.other):
            each.force_login(self.user)
        self.token, plain = mint_token(self.user, "one", [Scope.READ, Scope.GM])
        self.headers = {"Authorization": f"Bearer {plain}"}

    def desk_ticket(self, browser=None):
        """What the desk's script asks for."""
        found = (browser or self.browser).post(f"/games/{self.toy.game.pk}/desk/ticket/")
        return found.json()["ticket"]

    def docs_ticket(self):
        """What the reference's page is given, where it is tried out with a session."""
        found = self.browser.post(self.toy.path("tickets/"))
        assert found.status_code == 201, found.content
        return found.json()["ticket"]

    def token_ticket(self):
        """What a client with a token buys."""
        return client().post(self.toy.path("tickets/"), headers=self.headers).json()["ticket"]

    def sign_out(self):
        self.browser.logout()

    def new_password(self):
        change_password(User.objects.get(pk=self.user.pk), new="a long new password")

    def revoke(self):
        revoke_token(Token.objects.get(pk=self.token.pk))

    def retire(self):
        retire(User.objects.get(pk=self.user.pk), by=None)

    def deactivate(self):
        User.objects.filter(pk=self.user.pk).update(is_active=False)


ENDS = [
    ("desk_ticket", "sign_out"),
    ("desk_ticket", "new_password"),
    ("desk_ticket", "retire"),
    ("desk_ticket", "deactivate"),
    ("docs_ticket", "sign_out"),
    ("token_ticket", "new_password"),
    ("token_ticket", "revoke"),
    ("token_ticket", "retire"),
    ("token_ticket", "deactivate"),
]


@pytest.mark.parametrize(("bought", "end"), ENDS)
async def test_a_stream_by_ticket_ends_and_a_ticket_is_refused_when_the_sign_in_ends(bought, end, monkeypatch):
    (toy, *_), clock = await begin(), LoopClock(monkeypatch)
    sign_in = await db(SignIn)(toy)
    used, unused = await db(getattr(sign_in, bought))(), await db(getattr(sign_in, bought))()
    async with streaming(toy.path("stream/"), ticket=used, **{"from": "now", "as": "gm"}) as stream:
        assert stream.status == 200
        await db(getattr(sign_in, end))()
        clock.turn(hub.CHECK_SECONDS + 1)
        assert (await stream.next())[::2] == ("bye", {"reason": "token.refused"})
    async with streaming(toy.path("stream/"), ticket=unused) as late:
        assert late.problem() == (401, "ticket.refused")


@pytest.mark.parametrize("end", ["new_password", "revoke", "retire", "deactivate"])
async def test_a_stream_and_a_socket_by_token_end_with_it(end, monkeypatch):
    (toy, *_), clock = await begin(), LoopClock(monkeypatch)
    sign_in = await db(SignIn)(toy)
    async with streaming(toy.path("stream/"), sign_in.headers, **{"from": "now"}) as stream, socket() as line:
        await line.enter(sign_in.headers)
        line.watch(toy)
        assert (await line.next())["type"] == "next"
        await db(getattr(sign_in, end))()
        clock.turn(hub.CHECK_SECONDS + 1)
        assert (await stream.next())[::2] == ("bye", {"reason": "token.refused"})
        assert await line.code() == 4401


async def test_the_streams_of_other_sign_ins_of_a_person_go_on(monkeypatch):
    (toy, *_), clock = await begin(), LoopClock(monkeypatch)
    sign_in = await db(SignIn)(toy)
    other = await db(sign_in.desk_ticket)(sign_in.other)
    async with streaming(toy.path("stream/"), ticket=other, **{"from": "now"}) as stream:
        await db(sign_in.sign_out)()
        clock.turn(hub.CHECK_SECONDS + 1)
        await run(toy, toy.ann, AddStones(stones=1))
        assert await stream.types(1) == ["toy.StonesAdded"]
        assert not stream.ended


async def test_a_ticket_says_nothing_of_the_session_it_was_bought_with():
    toy, *_ = await begin()
    sign_in = await db(SignIn)(toy)
    claims = TimestampSigner(salt=tickets.SALT).unsign_object(await db(sign_in.desk_ticket)())
    assert claims["user"] == str(toy.host.pk)
    assert await db(lambda: sign_in.browser.session.session_key)() not in str(claims)
