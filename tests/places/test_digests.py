"""One mail a day with games in both buckets: all of them in one mail, nothing in two, whatever fails between places."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage

from accounts.models import NotificationDigest
from api.notifications import digests, following, mailing, tasks
from api.notifications.reading import notifications_of, read
from api.notifications.sending import LEASE
from api.notifications.wishes import change_wishes
from core.places import routing
from games.models import MailState, NotificationMail
from games.runtime import failpoints
from tests.games.cairns import NOON, Cairns
from tests.notifications.test_digests import ask
from tests.notifications.test_mailing import confirm
from tests.notifications.told import Told
from tests.places.games import in_its_place, one_in_each

pytestmark = pytest.mark.django_db(transaction=True)
EVENING = NOON + timedelta(hours=8)
DAY = timedelta(days=1)


@pytest.fixture
def both(settings) -> tuple[Cairns, Cairns]:
    """A game in each bucket, whose motions wait for days; Ann is mailed at 20:00 UTC. It is noon."""
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example/"
    games = one_in_each('{"tide_seconds": 3600, "vote_seconds": 600}')
    confirm(games[0].ann)
    change_wishes(games[0].ann.pk, NOON, {"mail_kinds": ["asked"], "mail_digest": "20:00"})
    for cairns, text in zip(games, ("More salt?", "A lintel?"), strict=True):
        propose(cairns, text)
    return games


def propose(cairns: Cairns, text: str) -> None:
    with routing.at(cairns.game.pk):
        ask(Told(cairns), text, days=6)
        assert following.look_at(cairns.game.pk, NOON)


def post(now) -> list[EmailMessage]:
    """What the worker sends now, from nowhere."""
    before = len(mail.outbox)
    for place in routing.every_place():
        with routing.at_place(place):
            mailing.write_mails(now)
            assert mailing.take(now, 10) == []
    digests.write_digests(now)
    for each in digests.take(now, 10):
        digests.deliver(each, lambda: now)
    assert routing.current() is None
    return mail.outbox[before:]


def rows_of(*games: Cairns) -> list[list[tuple[str, bool]]]:
    """Of the mail's rows in the place of each game: their state, and whether they know when they were sent."""
    return [
        in_its_place(game, lambda _: [(row.state, row.sent_at is not None) for row in NotificationMail.objects.all()])
        for game in games
    ]


def test_games_of_two_places_are_in_one_mail_and_in_none_of_the_next_day(both: tuple[Cairns, Cairns]) -> None:
    assert post(EVENING - timedelta(minutes=1)) == []
    (letter,) = post(EVENING)
    assert letter.subject == "2 notifications of 2 games"
    assert "More salt?" in letter.body and "A lintel?" in letter.body
    assert rows_of(*both) == [[(MailState.SENT, True)]] * 2
    assert post(EVENING + LEASE) == post(EVENING + DAY) == []
    propose(both[0], "A circle?")
    (letter,) = post(EVENING + DAY)
    assert letter.subject == "1 notification of 1 game" and "A circle?" in letter.body


def test_what_was_read_in_one_place_is_left_out_and_the_other_place_stays(both: tuple[Cairns, Cairns]) -> None:
    digests.write_digests(EVENING)
    (taken,) = digests.take(EVENING, 10)
    ann = both[0].ann.pk
    read(ann, [row.id for row in notifications_of(ann, 10) if "salt" in row.message], EVENING)
    digests.deliver(taken, lambda: EVENING)
    (letter,) = mail.outbox
    assert "A lintel?" in letter.body and "salt" not in letter.body


@pytest.mark.parametrize("nth", [1, 2])
def test_a_worker_that_dies_while_it_notes_the_places_sends_nothing_again(
    both: tuple[Cairns, Cairns], monkeypatch, nth: int
) -> None:
    """The kind: half a mail that comes a second time, with the games of the place that was not noted."""
    note, calls = digests._note_sent, []

    def break_off(digest: NotificationDigest) -> None:
        calls.append(digest.pk)
        if len(calls) == nth:
            raise ZeroDivisionError
        note(digest)

    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(digests, "_note_sent", break_off)
        post(EVENING)
    assert len(mail.outbox) == 1
    assert [(MailState.PENDING, False)] * (3 - nth) == [row for rows in rows_of(*both) for row in rows if not row[1]]
    assert post(EVENING) == post(EVENING + LEASE) == post(EVENING + DAY) == []
    assert rows_of(*both) == [[(MailState.SENT, True)]] * 2
    assert NotificationDigest.objects.get().state == MailState.SENT


@pytest.mark.parametrize("nth", [1, 2])
def test_a_worker_that_dies_while_it_settles_what_the_mail_is_about_loses_nothing(
    both: tuple[Cairns, Cairns], monkeypatch, nth: int
) -> None:
    claim, calls = digests._claim, []

    def break_off(*arguments) -> None:
        calls.append(arguments)
        if len(calls) == nth:
            raise ZeroDivisionError
        claim(*arguments)

    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(digests, "_claim", break_off)
        post(EVENING)
    assert post(EVENING) == []
    (letter,) = post(EVENING + LEASE)
    assert letter.subject == "2 notifications of 2 games"
    assert post(EVENING + DAY) == []


def test_a_worker_that_dies_before_it_notes_that_the_mail_is_out_sends_it_again_whole(
    both: tuple[Cairns, Cairns], monkeypatch
) -> None:
    with monkeypatch.context() as faulty, pytest.raises(ZeroDivisionError):
        faulty.setattr(failpoints, "reach", lambda point: 1 / 0 if point == failpoints.MAIL_SENT else None)
        post(EVENING)
    propose(both[1], "A circle?")
    (again,) = post(EVENING + LEASE)
    first = mail.outbox[0]
    assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"] and first.body == again.body
    (next_day,) = post(EVENING + DAY)
    assert "A circle?" in next_day.body and next_day.subject == "1 notification of 1 game"


def test_the_threads_of_the_worker_send_it(both: tuple[Cairns, Cairns], monkeypatch) -> None:
    """Their connections begin in no place."""
    monkeypatch.setattr(tasks.timezone, "now", lambda: EVENING)
    tasks.mail_everywhere()
    tasks.mail_everywhere()
    assert [each.subject for each in mail.outbox] == ["2 notifications of 2 games"]
