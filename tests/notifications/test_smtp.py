"""The worker's own threads hand a mail to a mail server that speaks SMTP."""

from collections.abc import Iterator
from email import message_from_bytes
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest

from accounts import services
from accounts.models import User
from api.notifications import tasks
from api.outbound.pool import Pool
from games.models import MailState, NotificationMail
from tests.notifications.told import Told, told


class Session(StreamRequestHandler):
    """One session, as far as a sender of plain mail goes."""

    def handle(self) -> None:
        self.wfile.write(b"220 mail.example\r\n")
        for line in self.rfile:
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                body = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.taken.append(body)  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")


@pytest.fixture
def taken(settings) -> Iterator[list[bytes]]:
    """What a mail server has taken."""
    with ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads, server.taken = True, []  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.PUBLIC_URL = "https://games.example"
        yield server.taken  # type: ignore[attr-defined]
        server.shutdown()


def wish_mail(game: Told, user: User) -> None:
    """Let somebody be mailed what they are asked."""
    services.change_profile(user, email=f"{user.username}@people.example")
    User.objects.filter(pk=user.pk).update(confirmed_email=f"{user.username}@people.example")
    game.wish(user, mail_kinds=["asked"])


@pytest.mark.django_db(transaction=True)
def test_one_run_sends_more_than_a_mail_for_each_thread(taken: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "MAILS", Pool("one", 1))
    game = told()
    for user in (game.cairns.ann, game.cairns.bob):
        wish_mail(game, user)
    game.propose()
    game.follow()
    tasks.mail_everywhere()
    assert len(taken) == 2


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_takes_one_mail_with_its_headers(taken: list[bytes]) -> None:
    game = told()
    wish_mail(game, game.cairns.ann)
    game.propose()
    game.follow()
    tasks.mail_everywhere()
    tasks.mail_everywhere()
    row = NotificationMail.objects.get()
    (letter,) = map(message_from_bytes, taken)
    assert row.state == MailState.SENT and letter["Message-ID"] == f"<{row.pk}@localhost>"
    assert letter["To"] == "ann@people.example" and letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.get_content_type() == "text/plain" and "More salt?" in letter.get_payload()
