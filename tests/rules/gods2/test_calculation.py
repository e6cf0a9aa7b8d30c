"""The worksheet (G2-CALC-1 to 3): what it shows, how it is corrected, when it is closed."""

import pytest

from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.century.worksheet_events import (
    CenturyClosed,
    WorksheetClosed,
    WorksheetCorrected,
    WorksheetOpened,
)
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.records import Line, Phase
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, minutes, two_peoples


def reckoning() -> tuple[Playbook, WorksheetOpened]:
    """A century whose worksheet is open, with three deaths in war."""
    book, *_ = two_peoples()
    book.state.lines["box", "war"] = Line("box", "war", 3)
    return book, of_kind(book.when(EndNow(), by=GM), WorksheetOpened)[0]


@pytest.mark.rule("G2-CALC-1")
@pytest.mark.rule("G2-CALC-2")
@pytest.mark.rule("G2-MANA-7")
def test_the_worksheet_has_a_line_for_each_box_source_and_race() -> None:
    book, sheet = reckoning()

    boxes = {i.box: i.count for i in sheet.lines if i.box}
    named = {i.source: i.count for i in sheet.lines if i.source}
    races = [i.race for i in sheet.lines if i.race]

    assert boxes == {"war": 3}
    assert races == sorted(book.state.races)
    assert named["li_races_without_diabolism"] == 2 and named["wa_war_fought"] == 0
    assert not {"wa_worshippers", "wa_deaths_war", "fe_squares_m"} & set(named)
    assert book.state.era.phase is Phase.RECKONING


@pytest.mark.rule("G2-CALC-2")
def test_a_gm_corrects_a_count_and_mana_follows_it() -> None:
    book, _ = reckoning()

    assert book.when(CorrectWorksheet(line="box:war", count=10, text="seven more"), by=GM) == [
        event_like(WorksheetCorrected, century=1, line="box:war", before=3, count=10)
    ]
    lines = [f"race:{r}" for r in book.state.races]
    for line in lines:
        book.when(CorrectWorksheet(line=line, count=0), by=GM)
    paid = {e.seat: e.earned for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}

    assert (paid[ANA], paid[BEN]) == ("3", "0")


@pytest.mark.rule("G2-CALC-2")
def test_corrections_that_are_refused() -> None:
    book, _ = reckoning()
    with refused("line.missing", book.state):
        book.when(CorrectWorksheet(line="box:plague", count=1), by=GM)
    with refused("count.invalid", book.state):
        book.when(CorrectWorksheet(line="box:war", count=-1), by=GM)
    book.when(ApproveWorksheet(), by=GM)
    with refused("worksheet.closed", book.state):
        book.when(CorrectWorksheet(line="box:war", count=1), by=GM)


@pytest.mark.rule("G2-CALC-1")
def test_without_a_correction_the_counts_stand_and_the_next_century_begins_with_an_empty_sheet() -> None:
    book, sheet = reckoning()

    events = book.wait(minutes(30))

    closed = of_kind(events, WorksheetClosed)[0]
    assert sorted(map(str, closed.lines)) == sorted(map(str, sheet.lines))
    assert of_kind(events, CenturyClosed)[0].summary.deaths == 3
    assert not [line for line in book.state.lines.values() if line.kind != "box"]
