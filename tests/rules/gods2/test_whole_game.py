"""A whole game of sixteen centuries, played by bots in memory."""

from datetime import timedelta

import pytest

from games.engine.conduct import GameEnded, Start
from games.engine.table import Role, Status, dump
from games.engine.timer import TimerRefused
from games.gods2.demo import GODS
from games.gods2.rules.calculation import CenturyClosed
from games.gods2.rules.calendar import SessionOpened
from games.gods2.rules.century import CenturyOpened, OpenSession
from games.gods2.rules.growth import RaceGrew
from games.gods2.rules.mana import ManaPaid
from games.gods2.rules.options import CENTURIES
from games.gods2.rules.records import WHOLE, Phase
from games.gods2.rules.units import UnitsDied, UnitsStarved
from games.gods2.rules.war_events import WarFought
from tests.playbook import Playbook, folded, of_kind
from tests.rules.gods2.era import GM, HOST, demo_game, fresh


def started() -> Playbook:
    """The demo event in its first century."""
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    return book


@pytest.mark.rule("G2-TIME-1")
@pytest.mark.rule("G2-TIME-2")
@pytest.mark.rule("G2-PAN-1")
@pytest.mark.rule("G2-CALC-1")
def test_sixteen_centuries_pass_and_every_invariant_holds_after_each() -> None:
    book = started()
    units = int(book.state.board.units.sum()) - sum(e.gained for e in of_kind([h.event for h in book.log], RaceGrew))
    for century in range(1, CENTURIES + 1):
        seen = len(book.log)
        assert book.state.era.century == century
        book.wait(timedelta(seconds=60))
        book.state.invariants()
        for race in book.state.living():
            assert sum(book.state.pantheon(race.id).values()) == WHOLE
        assert all(n > 0 for n in book.state.board.units[book.state.board.owner >= 0])
        assert len(book.log) > seen

    events = [h.event for h in book.log]
    assert book.state.era.phase is Phase.FINISHED and book.state.table.status is Status.FINISHED
    assert not book.state.timers and not book.state.prompts and not book.state.numbers
    assert [e.century for e in of_kind(events, CenturyOpened)] == list(range(1, CENTURIES + 1))
    assert [e.count for e in of_kind(events, SessionOpened)] == [6, 5, 5]
    assert len(of_kind(events, CenturyClosed)) == CENTURIES
    assert len(of_kind(events, GameEnded)) == 1
    assert len(of_kind(events, ManaPaid)) == CENTURIES * len(GODS)
    assert of_kind(events, WarFought), "sixteen centuries without a war"
    assert not of_kind(events, TimerRefused)
    born = sum(e.gained for e in of_kind(events, RaceGrew))
    dead = sum(e.units for e in of_kind(events, UnitsDied, UnitsStarved))
    assert int(book.state.board.units.sum()) == units + born - dead
    assert dead == sum(e.summary.deaths for e in of_kind(events, CenturyClosed))


@pytest.mark.rule("CF-1")
def test_the_log_folds_into_the_same_state() -> None:
    book = started()
    book.wait(timedelta(seconds=250))

    names = {s.id: s.name for s in book.state.seats_of(Role.PLAYER)}
    again = folded(book.log, fresh(names, bots="god"))

    assert dump(again) == dump(book.state)


@pytest.mark.rule("CF-1")
def test_the_same_dice_play_the_same_game() -> None:
    first, second = started(), started()
    for book in (first, second):
        book.wait(timedelta(seconds=180))

    assert [h.event for h in first.log] == [h.event for h in second.log]
    assert dump(first.state) == dump(second.state)
