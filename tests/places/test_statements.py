"""The engine: each statement runs in the place in force, whatever ends, breaks off or is sent together."""

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from core.columns import RowReader, RowWriter, Writes, read_together
from core.places.place import MixedPlaces
from core.places.routing import at_place, current
from games.models import Pulse
from tests.places.buckets import BOTH, NOON, ONE, TWO, fill, here, path

pytestmark = pytest.mark.django_db(transaction=True)
READER = RowReader(Pulse, ("part",), ("part",))
WRITER = RowWriter(Pulse, ("part", "at"))


@pytest.fixture(autouse=True)
def rows(place_of_tests: None, transactional_db: None) -> None:
    fill()


class Stop(Exception):
    """Breaks a transaction off."""


def statements(captured: CaptureQueriesContext) -> list[str]:
    return [query["sql"].partition(" ")[0] for query in captured.captured_queries]


def test_a_transaction_reads_its_place_with_one_statement_more_than_without():
    with CaptureQueriesContext(connection) as captured, at_place(ONE), transaction.atomic():
        assert (here(), here()) == ([ONE.schema], [ONE.schema])

    assert statements(captured) == ["BEGIN", "SET", "SELECT", "SELECT", "COMMIT"]


def test_a_bare_read_and_a_bare_write_run_in_a_transaction_of_their_own():
    with at_place(TWO):
        with CaptureQueriesContext(connection) as captured:
            assert here() == [TWO.schema]
        Pulse.objects.create(part="written", at=NOON)

    assert statements(captured) == ["BEGIN", "SET", "COMMIT", "SELECT"]  # noted when it returns, its COMMIT included
    with at_place(ONE):
        assert here() == [ONE.schema]
    with at_place(TWO):
        assert here() == [TWO.schema, "written"]


def test_outside_of_all_places_nothing_is_sent_and_games_are_not_there():
    with CaptureQueriesContext(connection) as captured, pytest.raises(ProgrammingError, match="does not exist"):
        here()

    assert statements(captured) == ["SELECT"]
    with pytest.raises(ProgrammingError, match="does not exist"):
        Pulse.objects.create(part="nowhere", at=NOON)


def test_a_transaction_that_leaves_its_place_finds_no_game():
    with pytest.raises(ProgrammingError, match="does not exist"), transaction.atomic():
        with at_place(ONE):
            assert here() == [ONE.schema]
        assert path() == "public"
        here()


def test_nothing_of_a_path_is_left_after_a_commit_or_a_rollback():
    for place in BOTH:
        with at_place(place), transaction.atomic():
            here()
        assert path() == '"$user", public'
    with pytest.raises(Stop), at_place(ONE), transaction.atomic():
        here()
        raise Stop
    assert path() == '"$user", public'
    with at_place(ONE), transaction.atomic():
        assert here() == [ONE.schema]


def test_a_path_that_was_set_behind_a_savepoint_goes_back_with_it():
    with transaction.atomic():
        assert path() == '"$user", public'
        with pytest.raises(Stop), at_place(ONE), transaction.atomic():
            assert here() == [ONE.schema]
            raise Stop
        assert path() == '"$user", public'
        with at_place(ONE):
            assert here() == [ONE.schema]


def test_a_path_that_was_set_before_a_savepoint_outlives_it():
    with at_place(ONE), transaction.atomic():
        here()
        with pytest.raises(Stop), transaction.atomic():
            here()
            raise Stop
        with CaptureQueriesContext(connection) as captured:
            assert here() == [ONE.schema]

    assert statements(captured) == ["SELECT"]


def test_a_path_that_was_set_behind_a_released_savepoint_stays():
    with at_place(ONE), transaction.atomic():
        with transaction.atomic():
            here()
        with CaptureQueriesContext(connection) as captured:
            assert here() == [ONE.schema]

    assert statements(captured) == ["SELECT"]


def test_a_broken_transaction_goes_back_to_its_savepoint_in_another_place_than_it_broke_in():
    with transaction.atomic():
        with pytest.raises(ProgrammingError), transaction.atomic(), at_place(ONE), connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")
        assert current() is None
        with at_place(ONE):
            assert here() == [ONE.schema]


def test_a_connection_that_was_lost_begins_without_a_path():
    with at_place(ONE):
        with pytest.raises(Exception, match=r"closed|terminat"), transaction.atomic():
            here()
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        connection.close()
        assert here() == [ONE.schema]


def test_an_iterator_reads_its_place_in_a_transaction_and_outside_of_one():
    with at_place(TWO):
        Pulse.objects.bulk_create(Pulse(part=f"part-{number:03}", at=NOON) for number in range(300))
        rows = Pulse.objects.order_by("part").values_list("part", flat=True)
        bare = list(rows.iterator(chunk_size=7))
        with transaction.atomic():
            inside = list(rows.iterator(chunk_size=7))
        begun = rows.iterator(chunk_size=7)
        first = next(begun)
    with at_place(ONE):
        assert here() == [ONE.schema]
    rest = list(begun)  # the server keeps the rows, not the path

    assert len(bare) == 301 and bare == inside == [first, *rest]


def test_a_pipeline_reads_its_place_in_a_transaction_and_outside_of_one():
    wanted = (READER, [[ONE.schema], [TWO.schema]])
    for place in BOTH:
        with at_place(place):
            with CaptureQueriesContext(connection) as captured:
                bare = read_together(wanted, wanted)
            assert statements(captured) == ["BEGIN", "SET", "SELECT", "SELECT", "COMMIT"]
            with transaction.atomic():
                inside = read_together(wanted, wanted)

        assert bare == inside == [[(place.schema,)], [(place.schema,)]]


def test_a_pipeline_writes_where_it_should():
    writes = Writes()
    writes.write(WRITER, [["sent", NOON]])
    with at_place(TWO), transaction.atomic():
        writes.send()

    for place, found in ((ONE, [ONE.schema]), (TWO, [TWO.schema, "sent"])):
        with at_place(place):
            assert here() == found


def prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%games_pulse%%'")
        return int(cursor.fetchone()[0])


def test_a_prepared_statement_reads_the_place_in_force_each_time():
    def reads(place, times=4):
        with at_place(place):
            assert [here() for _ in range(times)] == [[place.schema]] * times

    reads(ONE)
    assert prepared()
    for place in (TWO, ONE, TWO):
        reads(place)
        reads(place, 1)
        assert prepared()
    with at_place(ONE), transaction.atomic():
        assert [here() for _ in range(4)] == [[ONE.schema]] * 4
        with pytest.raises(Stop), transaction.atomic():
            here()
            raise Stop
        assert here() == [ONE.schema]
    with pytest.raises(Stop), at_place(TWO), transaction.atomic():
        assert [here() for _ in range(4)] == [[TWO.schema]] * 4
        raise Stop
    reads(ONE)
    reads(TWO)


@pytest.mark.parametrize("first_is_undone", [False, True])
def test_two_places_in_one_transaction_are_refused(first_is_undone):
    with pytest.raises(MixedPlaces, match=r"place_01.*place_02.*two transactions"), transaction.atomic():
        if first_is_undone:
            with pytest.raises(Stop), at_place(ONE), transaction.atomic():
                here()
                raise Stop
        else:
            with at_place(ONE):
                here()
        with at_place(TWO):
            here()


def test_another_place_may_be_read_aside_of_a_transaction():
    with at_place(ONE), transaction.atomic():
        assert here() == [ONE.schema]
        with at_place(TWO.aside()):
            assert here() == [TWO.schema]
        assert here() == [ONE.schema]


def test_what_is_called_on_commit_finds_the_place_in_which_it_was_asked_for():
    found = []
    with transaction.atomic():
        with at_place(TWO):
            here()
            transaction.on_commit(lambda: found.append(here()))
        transaction.on_commit(lambda: found.append(current()))
    with at_place(ONE):
        transaction.on_commit(lambda: found.append(here()))  # at once: there is no transaction

    assert found == [[TWO.schema], None, [ONE.schema]]


def test_a_statement_after_one_of_which_nobody_knows_whether_it_ran_sets_its_path_anew():
    def interrupt(execute, sql, *more):
        if sql.startswith("SET LOCAL"):
            raise KeyboardInterrupt
        return execute(sql, *more)

    with at_place(ONE), transaction.atomic():
        with pytest.raises(KeyboardInterrupt), connection.execute_wrapper(interrupt):
            here()
        assert here() == [ONE.schema]
