"""The engine with a place on another server: a transaction is on one of them, from its first statement to its end."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from core.columns import RowReader, RowWriter, Writes, read_together
from core.places.place import CARDS, MixedPlaces
from core.places.routing import at_place
from games.models import Game, Pulse
from tests.places.buckets import NOON, ONE, here, path
from tests.places.elsewhere import AWAY, OTHER, ask_other, database, relocate, server_away, session

READER, WRITER = RowReader(Pulse, ("part",), ("part",)), RowWriter(Pulse, ("part", "at"))


class Stop(Exception):
    """Breaks a transaction off."""


@pytest.fixture(scope="module")
def moved(two_servers: None) -> None:
    """The second bucket lies on the other server."""


@pytest.fixture(autouse=True)
def rows(moved: None, slots_as_they_are: None) -> Iterator[None]:
    """A row in each place that names it."""
    relocate()
    for place in (ONE, AWAY):
        with at_place(place):
            Pulse.objects.all().delete()
            Pulse.objects.create(part=place.schema, at=NOON)
    yield
    assert connection.connection is None or database() == connection.settings_dict["NAME"]


def there() -> str:
    return str(settings.PLACE_SERVERS[OTHER]["NAME"])


def home() -> str:
    return str(connection.settings_dict["NAME"])


def test_a_transaction_is_where_its_place_is_and_the_next_one_where_its_own_is():
    for place, expected in ((AWAY, there()), (ONE, home()), (AWAY, there())):
        with at_place(place):
            with CaptureQueriesContext(connection) as captured, transaction.atomic():
                assert (here(), database()) == ([place.schema], expected)
            assert (here(), database()) == ([place.schema], expected)  # each in a transaction of its own
        heads = [query["sql"].partition(" ")[0] for query in captured.captured_queries]
        assert heads == ["BEGIN", "SET", "SELECT", "SELECT", "COMMIT"]
    assert (database(), path()) == (home(), '"$user", public')


def test_what_breaks_off_is_taken_back_there_and_leaves_home_as_it_was():
    with pytest.raises(Stop), at_place(AWAY), transaction.atomic():
        Pulse.objects.create(part="broken off", at=NOON)
        with pytest.raises(Stop), transaction.atomic():
            Pulse.objects.create(part="and this", at=NOON)
            raise Stop
        assert here() == ["broken off", AWAY.schema]
        raise Stop
    assert database() == home()
    with at_place(AWAY):
        assert here() == [AWAY.schema]


@pytest.mark.parametrize("begin", [lambda: User.objects.count(), transaction.savepoint], ids=["read", "savepoint"])
def test_a_transaction_that_has_begun_at_home_is_refused_elsewhere(begin):
    refused = pytest.raises(MixedPlaces, match=r"works in public and was led to place_02; that lies on other")
    with refused, transaction.atomic():
        begin()
        with at_place(AWAY):
            here()
    refused = pytest.raises(MixedPlaces, match=r"was led to place_01; that lies at home")
    with refused, at_place(AWAY), transaction.atomic():
        here()
        with at_place(ONE):
            here()


def test_a_savepoint_that_is_opened_first_is_opened_there():
    with transaction.atomic(), at_place(AWAY), transaction.atomic():
        assert (here(), database()) == ([AWAY.schema], there())


def test_another_server_is_read_aside_of_a_transaction_and_that_goes_on_where_it_was():
    with at_place(ONE), transaction.atomic():
        Pulse.objects.create(part="more", at=NOON)
        with at_place(AWAY.aside()):
            assert (here(), database()) == ([AWAY.schema], there())
            assert read_together((READER, [[AWAY.schema]])) == [[(AWAY.schema,)]]
        assert (here(), database()) == (["more", ONE.schema], home())
    with at_place(AWAY), transaction.atomic():
        Pulse.objects.create(part="most", at=NOON)
        for place in (ONE.aside(), CARDS):
            with at_place(place):
                assert database() == home()
        with at_place(ONE.aside()):
            assert here() == ["more", ONE.schema]
            assert list(Pulse.objects.order_by("part").values_list("part", flat=True).iterator()) == here()
        assert (here(), database()) == (["most", AWAY.schema], there())
    assert ask_other("SELECT count(*) FROM place_02.games_pulse") == [(2,)]


def test_a_server_that_is_away_when_it_is_read_aside_leaves_the_transaction_whole():
    with at_place(ONE), transaction.atomic():
        Pulse.objects.create(part="more", at=NOON)
        with server_away(), pytest.raises(OperationalError), at_place(AWAY.aside()):
            here()
        assert here() == ["more", ONE.schema]
    with at_place(AWAY.aside()):
        assert here() == [AWAY.schema]


def test_a_pipeline_goes_there_in_a_transaction_and_outside_of_one():
    wanted = (READER, [[ONE.schema], [AWAY.schema]])
    with at_place(AWAY):
        assert read_together(wanted, wanted) == [[(AWAY.schema,)]] * 2
        with transaction.atomic():
            assert read_together(wanted) == [[(AWAY.schema,)]]
            writes = Writes()
            writes.write(WRITER, [["sent", NOON]])
            writes.send()
    assert ask_other("SELECT part FROM place_02.games_pulse ORDER BY 1") == [(AWAY.schema,), ("sent",)]


def test_a_cursor_goes_with_the_place_and_an_iterator_outlives_its_transaction():
    with connection.cursor() as cursor:
        for place, expected in ((None, home()), (AWAY, there()), (None, home())):
            with at_place(place):
                cursor.execute("SELECT current_database()")
                assert cursor.fetchone() == (expected,)
    with at_place(AWAY):
        Pulse.objects.bulk_create(Pulse(part=f"part-{number:02}", at=NOON) for number in range(30))
        begun = Pulse.objects.order_by("part").values_list("part", flat=True).iterator(chunk_size=7)
        first = next(begun)
    assert database() == home() and len([first, *begun]) == 31


def test_people_are_read_and_written_in_a_transaction_there_and_rows_at_home_are_numbered_by_home():
    user = User.objects.create_user(username="somebody")
    kind = ContentType.objects.get_for_model(Game)
    before = LogEntry.objects.log_actions(user.pk, [user], CHANGE, change_message="at home", single_object=True)
    with at_place(AWAY), transaction.atomic():
        assert User.objects.select_for_update().get(pk=user.pk) == user and database() == there()
        made = LogEntry.objects.create(user=user, content_type=kind, object_repr="there", action_flag=CHANGE)
    after = LogEntry.objects.log_actions(user.pk, [user], CHANGE, change_message="at home", single_object=True)
    assert before.pk < made.pk < after.pk and LogEntry.objects.get(pk=made.pk).object_repr == "there"


def test_a_connection_that_was_lost_there_is_made_anew_and_home_is_not_touched():
    with at_place(AWAY):
        here()
    kept = connection.connection
    with session(settings.PLACE_SERVERS[OTHER]) as other:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        other.execute(ended, [there()])
    with at_place(AWAY), pytest.raises(OperationalError):
        here()
    with at_place(AWAY):
        assert here() == [AWAY.schema]
    assert kept is not None and database() == home()


def test_what_is_called_on_commit_there_may_work_at_home_and_there():
    found = []
    with at_place(AWAY), transaction.atomic():
        here()
        transaction.on_commit(lambda: found.append(database()))
        with at_place(None):
            transaction.on_commit(lambda: found.append(database()))
    assert found == [there(), home()]


def test_a_forgotten_place_finds_no_game_at_home_and_a_place_at_home_asks_no_other_server():
    with pytest.raises(ProgrammingError, match="does not exist"):
        here()
    connection.close()
    with server_away(), at_place(ONE), transaction.atomic():
        assert here() == [ONE.schema]
