"""The line view of the phases, and what is charted turn by turn."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from games.albraxas.drawing import MOST_IN_ROW, WALL_ROWS, line_svg, line_wall_svg
from games.albraxas.rules import RULESET
from games.albraxas.rules.line_view import Bank, Line, Stander, river
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.setup.events import GameStarted
from games.albraxas.rules.state.records import Phase
from games.albraxas.rules.turn.charts import backbone, dynamism, strength
from tests.playbook import Playbook
from tests.rules.albraxas.stage import (
    AX,
    R1,
    R2,
    R3,
    battle,
    begin,
    blitz,
    define,
    go,
    opposing,
    orders,
    own,
    turn,
    writing,
)
from worlds.drawing.labels import width_of

SPACE = "{http://www.w3.org/2000/svg}"


def line_for(book: Playbook, *seats: object, gm: bool = False) -> Line:
    """The line view as a viewer sees it."""
    line = river(book.state.view_for(frozenset(seats), gm=gm))  # type: ignore[arg-type]
    assert line is not None
    return line


@pytest.mark.rule("AX-SET-6", "AX-EFF-1", "AX-EFF-2")
def test_the_line_view_shows_what_is_laid_and_what_it_comes_to() -> None:
    book = begin()
    book.state.phases[60] = replace(book.state.phases[60], ebb=4)
    line = line_for(book)
    assert [n for n, laid in enumerate(line.upper.laid, start=1) if laid] == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]
    assert sum(line.lower.laid) == line.lower.laid[59] == 4
    assert [line.upper.effective[p - 1] for p in (50, 60, 61)] == [3, 3, 7]
    marks = book.state.marks()
    assert line.lower.effective == tuple(marks.effective_ebb(p) for p in range(1, 101))


@pytest.mark.rule("AX-SET-7", "AX-END-1")
def test_the_line_view_shows_the_place_of_each_character() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    assert [(s.place, s.upper) for s in line_for(book).standers] == [(0, True), (0, True), (100, False)]
    go(book, 9, 4)
    assert [s.place for s in line_for(book).standers] == [9, 4, 100]
    book.state.set_character(R2, fallen=True, backbone=0)
    gone = line_for(book).standers[1]
    assert gone.place == 0 and "has fallen" in gone.summary


@pytest.mark.rule("AX-TRN-2")
def test_albraxas_sees_no_place_before_all_are_locked() -> None:
    book = begin((4, 5, 4), (4, 5, 4), (4, 5, 4))
    go(book, 4, 9, 16)
    orders(book, (), (), ())
    pictures = {who: line_svg(line_for(book, *who), "x") for who in ((AX,), ())}
    bare = line_svg(line_for(book, R2), "x")
    book.when(SetLocation(phase=5), by=R1)
    book.when(SetLocation(phase=10), by=R2)
    book.when(LockLocation(), by=R2)
    assert {who: line_svg(line_for(book, *who), "x") for who in pictures} == pictures, "not a byte"
    open_to = [line_for(book, R1), line_for(book, R3), line_for(book, gm=True)]
    assert [[s.meant for s in line.standers] for line in open_to] == [[5, 10, 0, 0]] * 3
    assert "means to go to 5" in open_to[0].standers[0].summary and "goes to 10" in open_to[0].standers[1].summary
    assert line_svg(line_for(book, R2), "x") != bare


@pytest.mark.rule("AX-TRN-5")
def test_the_line_view_shows_no_orders() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    go(book, 4, 9)
    lines = [line_for(book, who) for who in (AX, R1, R2)] + [line_for(book, gm=True)]
    book.when(WriteOrders(orders=(battle(), blitz(3))), by=R1)
    assert [line_for(book, who) for who in (AX, R1, R2)] + [line_for(book, gm=True)] == lines


@pytest.mark.parametrize("phases", [4, 50, 51, 400])
def test_every_number_of_phases_is_drawn_in_rows_that_can_be_read(phases: int) -> None:
    book = begin(phases=phases)
    go(book, 4)
    book.state.phases[3] = Phase(3, tide=17, ebb=12)
    root = ElementTree.fromstring(line_svg(line_for(book), "Storm"))
    numbers = [int(t.text or "") for t in root.iter(f"{SPACE}text") if t.get("class") == "p"]
    assert numbers == list(range(1, phases + 1))
    shores = {t.get("y") for t in root.iter(f"{SPACE}text") if t.get("class") == "p"}
    assert len(shores) == -(-phases // MOST_IN_ROW)
    laid = [t.text for t in root.iter(f"{SPACE}text") if t.get("class") == "n"]
    assert "17" in laid and "12" in laid
    pointed = [t.text for t in root.iter(f"{SPACE}title")][1:]
    assert len(pointed) == phases and pointed[2].startswith("Phase 3: Tide 17, Ebb 12;")
    assert "Character 11" in pointed[3]
    right = max(float(t.get("x") or 0) for t in root.iter(f"{SPACE}text"))
    assert right < float(root.get("width") or 0)


@pytest.mark.parametrize(("phases", "rows"), [(4, 1), (8, 1), (16, 2), (400, WALL_ROWS)])
def test_on_a_wall_the_phases_stand_in_few_rows_of_fewer_pixels(phases: int, rows: int) -> None:
    book = begin(phases=phases)
    go(book, 4)
    line = line_for(book)
    near, wall = (ElementTree.fromstring(draw(line, "Storm")) for draw in (line_svg, line_wall_svg))
    places = [t for t in wall.iter(f"{SPACE}text") if t.get("class") == "p"]
    assert [int(t.text or "") for t in places] == list(range(1, phases + 1))
    assert len({t.get("y") for t in places}) == rows
    assert wall.findtext(f"{SPACE}desc") == near.findtext(f"{SPACE}desc")
    assert float(wall.get("width") or 0) <= 800
    assert not [t for t in wall.iter(f"{SPACE}text") if t.get("class") == "title"]


def test_in_sixteen_phases_there_is_room_for_the_name_of_albraxas() -> None:
    bank = Bank("Tide", (1,) * 16, (1,) * 16)
    here = Stander("Albraxas", place=7, meant=0, upper=True, summary="")
    root = ElementTree.fromstring(line_svg(Line(bank, bank, (here,), "")))
    assert [t.text for t in root.iter(f"{SPACE}text") if t.get("class") == "w"] == ["Albraxas"]


@pytest.mark.parametrize("places", [(7, 7, 7, 7), (7, 8, 8, 9), (1, 8, 9, 16)])
def test_on_a_wall_every_marker_has_its_name_and_no_two_names_meet(places: tuple[int, ...]) -> None:
    bank, names = Bank("Tide", (1,) * 16, (1,) * 16), ("Albraxas", "Nyx", "Sael of the Long Night", "Orin")
    standers = tuple(Stander(n, place=at, meant=0, upper=True, summary="") for n, at in zip(names, places, strict=True))
    root = ElementTree.fromstring(line_wall_svg(Line(bank, bank, standers, "")))
    boxes = []
    for text in root.iter(f"{SPACE}text"):
        if (text.get("class") or "").startswith("w"):
            x, wide = float(text.get("x") or 0), width_of(text.text or "", 15)
            left = x - wide if text.get("text-anchor") == "end" else x
            assert left >= 0 and left + wide <= float(root.get("width") or 0)
            boxes.append((text.get("y"), left, left + wide))
    assert len(boxes) == 4
    for number, (y, left, right) in enumerate(boxes):
        assert not [b for b in boxes[number + 1 :] if b[0] == y and b[1] < right and left < b[2]]


def test_a_name_is_text_and_nothing_else() -> None:
    book = writing()
    define(book, R1, (4, 5, 4), name="<script>x</script>&")
    for key, one in list(book.state.characters.items()):
        book.state.characters[key] = replace(one, name=f"{one.name}\u202e")  # as an old log may have it
    define(book, AX, (6, 8, 6))
    book.state.set_storm(phases=4, check_from=1)
    GameStarted(phases=4, sides=10, check_from=1, tide=(1, 4)).apply(book.state)
    drawn = line_svg(line_for(book), "<b>&")
    assert ElementTree.fromstring(drawn) is not None
    assert "<script" not in drawn and "\u202e" not in drawn and "<b>" not in drawn


def test_before_the_beginning_there_is_no_line_view_and_no_figure() -> None:
    book = writing()
    assert river(book.state) is None
    assert not [*strength(book.state, None), *backbone(book.state, None), *dynamism(book.state, None)]


@pytest.mark.rule("AX-END-2", "AX-SET-8")
def test_the_charts_show_totals_backbone_and_dynamism() -> None:
    book = begin()
    turn(book, 4, (battle(), blitz(3)), dice=[own(9, 2, 3, 4, 5), opposing(8, 7), own(9, 9, 4), opposing(8)])
    assert {f.key: f.amount for f in strength(book.state, None)} == {"tide": 10, "ebb": 3}
    assert {f.key: f.amount for f in dynamism(book.state, None)} == {str(R1): 16, str(AX): 48}
    assert {f.key: f.amount for f in backbone(book.state, None)} == {str(R1): 4, str(AX): 6}
    assert RULESET.chapters is not None and not RULESET.chapters.ended(book.state)
