"""Albraxas corrected by a game-master, and what loading and saving it costs."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry
from games.albraxas.models import Phase, Written
from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from tests.games.albraxas import ALBERT, HOLE_UP, SMALL, battle, begin, open_lobby

pytestmark = pytest.mark.django_db


def alteration(table: str, row: str, **values: str) -> Amend:
    """One row with other values, as JSON."""
    changed = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    return Amend(changes=(Change(deed=Deed.ALTER, table=table, row=row, fields=changed),), reason="A slip.")


def test_a_game_master_corrects_a_phase_and_the_next_roll_knows_it():
    here = begin()
    here.run(alteration("phases", "1", tide="7"), "gm")
    assert Phase.objects.get(game=here.id, number=1).tide == 7
    here.rows_agree()
    here.go(ria=1, rex=1)
    here.write(ria=(battle(),), rex=(), albert=())
    assert len(here.events_of("ActionResolved")[0]["opposing"]) == 7


SLIPS = (
    ("phases", {"tide": "-1"}),
    ("phases", {"tide": "10001"}),
    ("phases", {"number": "9"}),
    ("storms", {"turn": "4"}),
    ("storms", {"turn": "2"}),
    ("storms", {"step": '"order"'}),
    ("storms", {"step": '"finished"'}),
    ("storms", {"sides": "3"}),
    ("storms", {"albraxas": "null"}),
    ("characters", {"backbone": "0"}),
    ("characters", {"backbone": "5"}),
    ("characters", {"dynamism": "21"}),
    ("characters", {"fallen": "true"}),
    ("characters", {"name": '"' + 81 * "x" + '"'}),
    ("characters", {"blitz": "40000"}),
    ("characters", {"side": '"albraxas"'}),
    ("characters", {"phase": "5"}),
)


def test_a_correction_that_cannot_be_is_refused_and_nothing_has_changed():
    here = begin()
    rows = {"phases": "1", "storms": str(here.id), "characters": str(here.seats["ria"])}
    before = here.game.seq
    for table, values in SLIPS:
        with pytest.raises(Refused) as refused:
            here.run(alteration(table, rows[table], **values), "gm")
        assert (refused.value.code, here.game.seq) == ("amend.invalid", before), (table, values)
        here.rows_agree()


def test_a_row_for_a_seat_that_is_none_is_refused():
    here = begin()
    nobody = str(here.actor("host").seat)
    made = tuple(FieldChange(field=n, value=v) for n, v in (("seat", f'"{nobody}"'), ("phase", "1"), ("count", "1")))
    change = Change(deed=Deed.CREATE, table="visits", row=f"{nobody}/1", fields=made)
    with pytest.raises(Refused) as refused:
        here.run(Amend(changes=(change,), reason="A slip."), "gm")
    assert refused.value.code == "amend.invalid"


# --- what it costs ----------------------------------------------------------------------------------------------------
def queries(work) -> int:
    """How many queries some work asks."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def test_a_state_is_loaded_in_one_query_a_table_however_large_it_is():
    store = registry.store("albraxas")
    small, large = open_lobby(), begin({"phases": 400}, ("ria", "rex", "rob", "rut", "ron", ALBERT))
    large.go(ria=1, rex=2, rob=3, rut=4, ron=400)
    large.write(**{name: tuple(battle() for _ in range(4)) for name in ("ria", "rex", "rob", "rut", "ron", ALBERT)})
    assert Written.objects.filter(game=large.id).count() > 15
    games = small.game, large.game
    assert [queries(lambda g=g: store.load(g)) for g in games] == [9 + 7] * 2


def test_a_turn_is_saved_in_as_many_queries_however_many_orders_the_one_before_had():
    """What was written goes in one DELETE, and a turn without dice touches as many tables with any players."""
    people = ("ria", "rex", "rob", "rut", ALBERT)
    counts = []
    for junctures in (1, 4):
        here = begin({**SMALL, "phases": 16, "check_from": 15}, people)
        here.fire()
        here.write(**dict.fromkeys(people, (HOLE_UP,) * junctures))
        assert Written.objects.filter(game=here.id).count() == 5 * junctures
        here.fire()
        here.write(**dict.fromkeys(people[:-1], ()))
        counts.append(queries(lambda here=here: here.write(albert=())))
        assert Written.objects.filter(game=here.id).count() == 0
    assert counts[0] == counts[1] <= 60
