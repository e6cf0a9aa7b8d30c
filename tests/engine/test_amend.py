"""Amend: the game-master's correction, whole or not at all, with what was there before (CF-10)."""

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.audience import PUBLIC, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import Standing, dump
from games.engine.kernel import Context, Event
from games.engine.lifecycle.amend import Amend, Amended, Change, Deed, FieldChange, key_text
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.standing import StandingAnswerSet
from games.engine.state import table as declare
from tests.engine.cairns import ANN, BOB, GM_ACTOR, table
from tests.playbook import refused
from tests.toy.rules.commands import AddStones, HideCoins
from tests.toy.rules.state import Pile, State

pytestmark = pytest.mark.rule("CF-10")


class Amendable(State):
    """Cairns whose standing answers may be amended too: rows with a key of two parts."""

    standing = declare(Standing, key=("seat", "kind"), amendable=True)


def field(name, value, before=""):
    return FieldChange(field=name, value=json.dumps(value), before=before)


def change(deed, row, *fields, table="piles"):
    return Change(deed=deed, table=table, row=str(row), fields=fields)


def running():
    """Ann has four stones and nine coins, Bob has two stones."""
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    for seat, stones in ((ANN, 4), (BOB, 2)):
        cairns.when(AddStones(stones=stones), seat)
    cairns.when(HideCoins(coins=9), ANN)
    return cairns


def amend(cairns, *changes, reason="miscounted"):
    return cairns.when(Amend(changes=changes, reason=reason), GM_ACTOR)


def stones(cairns):
    return {pile.id: pile.stones for pile in cairns.state.piles.values()}


def test_a_correction_records_the_value_before_and_the_reason():
    cairns = running()
    (event,) = amend(cairns, change(Deed.ALTER, ANN, field("stones", 3)))
    assert event.reason == "miscounted"
    assert event.changes[0].fields == (FieldChange(field="stones", value="3", before="4"),)
    assert stones(cairns) == {ANN: 3, BOB: 2}
    assert cairns.log[-1].text == "The game-master Master corrects the pile of Ann (stones from 4 to 3): miscounted."
    assert cairns.log_folds_to_state()


def test_rows_are_created_and_deleted():
    cairns = running()
    new = UUID(int=50)
    amend(
        cairns,
        change(Deed.CREATE, new, field("id", str(new)), field("stones", 7)),
        change(Deed.DELETE, BOB),
    )
    assert stones(cairns) == {ANN: 4, new: 7}
    assert cairns.state.piles[new] == Pile(new, 7)
    assert {ANN, BOB, new} >= cairns.state.piles.dirty >= {BOB, new}
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-9")
def test_a_correction_of_a_secret_is_an_event_of_its_own():
    cairns = running()
    public = len(cairns.events_for())
    events = amend(
        cairns,
        change(Deed.ALTER, ANN, field("coins", 5), table="hoards"),
        change(Deed.ALTER, ANN, field("stones", 1)),
        change(Deed.ALTER, BOB, field("stones", 1)),
    )
    assert [(e.readers, len(e.changes)) for e in events] == [(seat_and_gm(ANN), 1), (PUBLIC, 2)]
    assert [h.audience for h in cairns.log[-2:]] == [seat_and_gm(ANN), PUBLIC]
    found = cairns.events_for()[public:]
    assert len(found) == 1
    assert "coins" not in repr(found)
    assert cairns.log_folds_to_state()


def test_a_row_with_a_key_of_two_parts_is_named_by_both():
    cairns = running()
    cairns.state.__class__ = Amendable
    cairns.happens(lambda s, c: iter([StandingAnswerSet(seat=ANN, kind="PEACE", answer="true")]))
    assert key_text((ANN, "PEACE")) == f"{ANN}/PEACE"
    amend(cairns, change(Deed.ALTER, f"{ANN}/PEACE", field("answer", "false"), table="standing"))
    assert cairns.state.standing[ANN, "PEACE"].answer == "false"
    assert cairns.log[-1].audience == seat_and_gm(ANN)
    amend(cairns, change(Deed.DELETE, f"{ANN}/PEACE", table="standing"))
    assert dict(cairns.state.standing) == {}


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("amend.invalid", [change(Deed.ALTER, ANN, field("name", "x"), table="seats")]),
        ("amend.invalid", [change(Deed.CREATE, ANN, field("id", str(ANN)))]),
        ("row.missing", [change(Deed.ALTER, UUID(int=60), field("stones", 1))]),
        ("row.missing", [change(Deed.DELETE, UUID(int=60))]),
        ("position.stale", [change(Deed.ALTER, ANN, field("stones", 1, before="5"))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, field("stones", "many"))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, field("weight", 1))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, field("id", str(BOB)))]),
        ("amend.invalid", [change(Deed.CREATE, UUID(int=60), field("stones", 1))]),
        ("id.misplaced", [change(Deed.CREATE, UUID(int=1 << 127), field("id", str(UUID(int=1 << 127))))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, FieldChange(field="stones", value="{"))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, FieldChange(field="stones", value="1", before="{"))]),
        ("amend.invalid", [change(Deed.ALTER, ANN, field("stones", n)) for n in (1, 2)]),
        ("amend.invalid", [change(Deed.DELETE, ANN), change(Deed.DELETE, ANN)]),
        ("row.missing", [change(Deed.ALTER, BOB, field("stones", 1)), change(Deed.DELETE, UUID(int=60))]),
    ],
)
def test_a_correction_that_does_not_fit_is_refused_whole(code, changes):
    cairns = running()
    length = len(cairns.log)
    with refused(code, cairns.state):
        amend(cairns, *changes)
    assert len(cairns.log) == length


@pytest.mark.rule("CF-5")
@given(st.integers(-9, 9), st.integers(-9, 9))
def test_corrections_are_judged_together_by_what_must_hold(ann, bob):
    cairns = running()
    trial, before = deepcopy(cairns), dump(cairns.state)
    changes = [change(Deed.ALTER, who, field("stones", n)) for who, n in ((ANN, ann), (BOB, bob))]
    if min(ann, bob) < 0:
        with pytest.raises(Refused) as why:
            amend(trial, *changes)
        assert why.value.code == "amend.invalid"
        assert dump(trial.retold()) == before  # the log knows nothing of it; the state of the attempt is dropped
        return
    amend(trial, *changes)
    assert stones(trial) == {ANN: ann, BOB: bob}
    assert trial.log_folds_to_state()


def test_the_value_before_may_be_given_and_is_compared_as_json():
    cairns = running()
    amend(cairns, change(Deed.ALTER, ANN, field("stones", 1, before=" 4 ")))
    assert stones(cairns)[ANN] == 1


def test_a_correction_changes_nothing_but_its_rows():
    cairns = running()
    before = dump(cairns.state)
    cairns.now += timedelta(seconds=1)
    amend(cairns, change(Deed.ALTER, ANN, field("stones", 9)))
    after = dump(cairns.state)
    assert {k for k in before if before[k] != after[k]} == {"piles", "info"}  # the clock of the game


def test_corrections_need_no_decision_of_the_ruleset():
    def amend(state: State, ctx: Context) -> Iterator[Event]:
        yield Amended(changes=(change(Deed.ALTER, ANN, field("stones", 8)),), reason="again", readers=PUBLIC)

    cairns = running()
    cairns.happens(amend, GM_ACTOR)
    assert stones(cairns)[ANN] == 8
