"""What is charted of a game of the Die Tower, and when."""

import pytest

from games.dietower.rules import RULESET
from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.charts import CHAPTERS, CHARTS
from games.dietower.rules.table.commands import CloseSession, OpenSession
from games.dietower.rules.table.events import SessionOpened
from games.dietower.rules.tower.events import DiePlaced, TowerFell, TowerTakenDown
from tests.rules.dietower.stage import GM, S1, S2, build, check, pc, place, playing, raise_to


def figures(book, name):
    return {figure.name: figure.amount for figure in CHARTS[name].figures(book.state, None)}


@pytest.mark.rule("DT-TWR-3", "DT-TWR-4")
def test_the_height_is_charted_die_by_die_and_says_where_it_fell():
    book = playing(S1, half_width=5)
    build(book, (0, 0), (5, 0))
    assert figures(book, "height") == {"Height": 2}

    check(book, S1, [2], good=False)
    place(book, S1, 6, 1, 3, 3)

    assert figures(book, "height") == {"Height": 0}
    assert figures(book, "outcomes") == {"Dice that stood": 2, "Towers that fell": 1, "Miracles": 0}
    taken = [
        CHARTS["height"].label(record.event)
        for record in book.log
        if isinstance(record.event, CHARTS["height"].taken_at)
    ]
    assert taken == ["1", "2", "fell"]
    assert {DiePlaced, TowerFell, TowerTakenDown} <= set(CHARTS["height"].taken_at)


@pytest.mark.rule("DT-WSH-6")
def test_wishes_are_charted_as_all_read_them():
    book = playing(S1, S2)
    raise_to(book, pc(book, S1), 3, wishes=3)

    assert figures(book, "wishes") == {"Character 11": 3, "Character 12": 1}

    book.when(SetState(actor=pc(book, S2), state="fallen", text="hurt", reason="a test"), by=GM)
    assert figures(book, "wishes") == {"Character 11": 3, "Character 12": 1}


@pytest.mark.rule("DT-TBL-2")
def test_sessions_are_the_chapters():
    book = playing(S1)
    book.when(CloseSession(), by=GM)
    book.when(OpenSession(), by=GM)

    opened = [CHAPTERS.number(record.event) for record in book.log if isinstance(record.event, CHAPTERS.opened_by)]
    assert opened == [1, 2]
    assert (CHAPTERS.word, CHAPTERS.opened_by, RULESET.chapters) == ("Session", (SessionOpened,), CHAPTERS)
    assert not CHAPTERS.ended(book.state)
