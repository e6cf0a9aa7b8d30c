"""The picture of the tower: valid, the same every time, to scale, and without anything that steers a page."""

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from games.dietower.drawing import ASIDE, LEFT, NAME, tower_svg, tower_wall_svg
from games.dietower.drawing_pieces import DIE, FLOOR, NOBODY, SIGNS
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.state.schema_types import Harm, Mode
from games.dietower.rules.tower.commands import WriteConsequence
from games.dietower.rules.tower.tower_view import TowerView
from tests.playbook import Playbook
from tests.rules.dietower.stage import GM, S1, S2, check, npc, pc, place, playing, straight
from tests.rules.dietower.test_tower_view import bring_down, choose, raise_tower, seen

SPACE = "{http://www.w3.org/2000/svg}"
COLOURS = {str(S1): "#c0201c", str(S2): "#1d5fb4"}
LEANING = [(0, 0), (2, -1), (5, -3), (2, 0), (1, 3), (-1, 2), (0, 0), (2, 2), (3, 1), (1, 0), (0, 2), (1, 1)]


def drawn(view: TowerView, title: str = "The lighthouse") -> ElementTree.Element:
    """The picture, read as XML."""
    return ElementTree.fromstring(tower_svg(view, title, COLOURS))


def dice_in(root: ElementTree.Element) -> list[tuple[str, float, float, str]]:
    """The dice of all views: title, middle, colour."""
    found = []
    for group in root.iter(f"{SPACE}g"):
        title, body = group.find(f"{SPACE}title"), group.find(f"{SPACE}rect")
        number = next((t for t in group.iter(f"{SPACE}text") if t.get("class") == "d"), None)
        if title is not None and body is not None and number is not None:
            y = float(number.get("y") or 0) - 6
            found.append((title.text or "", float(number.get("x") or 0), y, body.get("fill") or ""))
    return found


def texts(root: ElementTree.Element, style: str) -> list[str]:
    """The texts of a class, in order."""
    return [t.text or "" for t in root.iter(f"{SPACE}text") if t.get("class") == style]


def tower_of(height: int) -> Playbook:
    """A simulated tower of this height, by two seats and an NPC."""
    book = playing()
    raise_tower(book, LEANING[:height], pc(book, S1), pc(book, S2), npc(book))
    return book


def fallen() -> Playbook:
    book = playing()
    raise_tower(book, [(0, 0), (5, 0), (7, 0)], pc(book, S2))
    bring_down(book)
    return book


def thirteen() -> Playbook:
    book = playing()
    raise_tower(book, straight(12), pc(book, S2))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    place(book, S1, 3, 3, 3, 3)
    return book


def after_the_miracle() -> Playbook:
    book = thirteen()
    choose(book)
    return book


def real() -> Playbook:
    book = playing(mode=Mode.PHYSICAL)
    raise_tower(book, straight(7), pc(book, S1), pc(book, S2))
    return book


@pytest.mark.parametrize("book", [fallen, thirteen, after_the_miracle, real])
def test_the_same_tower_is_the_same_picture(book: Callable[[], Playbook]) -> None:
    first, second = (tower_svg(seen(book()), "Late", COLOURS) for _ in range(2))
    assert first == second
    root = ElementTree.fromstring(first)
    assert root.find(f"{SPACE}title") is not None and root.find(f"{SPACE}desc") is not None
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.rule("DT-SIM-1")
@pytest.mark.parametrize("height", [0, 1, 6, 12])
def test_every_die_is_drawn_in_both_views_where_it_lies(height: int) -> None:
    root = drawn(seen(tower_of(height)))
    dice = dice_in(root)
    assert len(dice) == 2 * height
    unit = DIE / 12
    for view, axis in ((dice[:height], 0), (dice[height:], 1)):
        for level, (_, x, y, _) in enumerate(view):
            assert x - view[0][1] == pytest.approx(unit * LEANING[level][axis], abs=0.02)
            assert y == pytest.approx(FLOOR - DIE * (level + 0.5))
    assert {paint for *_, paint in dice} <= {*COLOURS.values(), NOBODY}
    assert len(texts(root, "n")) == height
    assert (root.get("width"), root.get("height")) == (drawn(seen(tower_of(0))).get("width"), "834")


@pytest.mark.parametrize("book", [fallen, thirteen, after_the_miracle, real])
def test_a_tower_for_a_wall_has_the_same_dice_and_the_risk_and_no_table(book: Callable[[], Playbook]) -> None:
    view = seen(book())
    near, wall = drawn(view), ElementTree.fromstring(tower_wall_svg(view, "The lighthouse", COLOURS))
    assert dice_in(wall) == dice_in(near)
    assert not texts(wall, "n") and not texts(wall, "title") and "RISK OF THE NEXT DIE" in texts(wall, "h")
    assert wall.findtext(f"{SPACE}desc") == near.findtext(f"{SPACE}desc")
    assert float(wall.get("width") or 0) < 0.65 * float(near.get("width") or 0)


@pytest.mark.rule("DT-SIM-3", "DT-SIM-4")
def test_margins_have_numbers_and_forms_and_the_risk_has_words() -> None:
    book = playing()
    raise_tower(book, [(0, 0), (5, 0), (7, 0)])
    root = drawn(seen(book))
    assert texts(root, "v") == ["0", "12", "4", "6"]
    levels = [t.text for t in root.iter(f"{SPACE}title") if (t.text or "").startswith("Level")]
    assert levels == [
        "Level 1: margin 0 of 12 along x",
        "Level 2: margin 4 of 6 along x",
        "Level 1: margin 12 of 12 along y",
        "Level 2: margin 6 of 6 along y",
    ]
    forms = [p.get("d") for p in root.iter(f"{SPACE}path")]
    assert forms.count(SIGNS["narrow"][1]) == 3, "on the die, beside it, in the legend"
    assert "Very high: it falls in 756 of 1,296 ways, about 58 in 100." in texts(root, "note")
    assert "shift −5 to −1 stands" in texts(root, "s halo")


@pytest.mark.rule("DT-TWR-4", "DT-SIM-5")
def test_a_fall_is_a_heap_with_the_level_and_the_axis_that_failed() -> None:
    root = drawn(seen(fallen()))
    assert texts(root, "f m") == ["level 1 failed along x, to the right"]
    front = dice_in(root)[:4]
    base = next(x for title, x, *_ in front if title.startswith("Die 1 "))
    assert all(x > base for title, x, *_ in front if not title.startswith("Die 1 "))
    assert base == pytest.approx(34 + 165 - ASIDE)
    tilted = [g for g in root.iter(f"{SPACE}g") if "rotate" in (g.get("transform") or "")]
    assert len(tilted) == 6
    assert "Last fall: 4 dice at level 1, along x, to the right" in " ".join(texts(root, "note"))


def test_while_another_tower_stands_the_last_fall_is_a_small_heap_beside_it() -> None:
    book = fallen()
    book.when(WriteConsequence(consequence=next(iter(book.state.consequences)), kind=Harm.LOSS, text="Dust."), by=GM)
    check(book, S2, (3, 2), cd=Cd.TOUGH)
    place(book, S2)
    root = drawn(seen(book))
    (small,) = (g for g in root.iter(f"{SPACE}g") if "scale(0.42)" in (g.get("transform") or ""))
    assert len(dice_in(small)) == 4 and len(dice_in(root)) == 4 + 2
    assert "Last fall: 4 dice at level 1" in " ".join(texts(root, "n"))


@pytest.mark.rule("DT-TWR-5", "DT-TWR-6")
def test_the_thirteen_of_a_miracle_shine_before_and_after_it_is_carried_out() -> None:
    for book in (thirteen(), after_the_miracle()):
        svg = tower_svg(seen(book), "", COLOURS)
        assert len(dice_in(ElementTree.fromstring(svg))) == 26
        assert svg.count("scale(.38)") == 2


@pytest.mark.rule("DT-TWR-2", "DT-SIM-1")
def test_a_real_tower_has_no_centre_and_no_margin_in_its_picture() -> None:
    svg = tower_svg(seen(real()), "", COLOURS)
    root = ElementTree.fromstring(svg)
    dice = dice_in(root)
    assert len(dice) == 7 and len({x for _, x, *_ in dice}) == 1
    assert "centre" not in svg and "margin x" not in svg.lower() and " at (" not in svg
    assert "drawn without offsets: how the dice of a real tower lie is to be seen at the table alone" in svg


@pytest.mark.parametrize("name", ["W" * 80, "Wilhelmina " * 7 + "abc", "山" * 80])
def test_a_name_of_eighty_characters_stays_in_its_column(name: str) -> None:
    view = seen(tower_of(12))
    root = drawn(replace(view, dice=tuple(replace(die, name=name) for die in view.dice)))
    clipped = [t for t in root.iter(f"{SPACE}text") if t.get("class") == "n"]
    assert {t.get("clip-path") for t in clipped} == {"url(#names)"} and len(clipped) in (12, 24)
    assert all("…" in (t.text or "") for t in clipped[len(clipped) // 12 - 1 :: len(clipped) // 12])
    column = next(c for c in root.iter(f"{SPACE}clipPath")).find(f"{SPACE}rect")
    assert column is not None and float(column.get("x") or 0) + float(column.get("width") or 0) < LEFT + 44 + NAME
    assert name.strip() in next(title for title, *_ in dice_in(root)), "the whole name stands in the title"


def test_a_name_is_text_and_nothing_else() -> None:
    book = playing()
    raise_tower(book, LEANING[:3])
    book.state.set_actor(pc(book, S1), name="<script>x</script>&\u202e\"'")
    svg = tower_svg(seen(book), "<b>&", COLOURS | {str(S1): '"/><script>'})
    assert ElementTree.fromstring(svg) is not None
    assert "<script" not in svg and "\u202e" not in svg and "<b>" not in svg
    assert "#808080" in svg


def test_a_tower_that_was_moved_far_by_hand_still_fits_its_view() -> None:
    book = tower_of(6)
    book.state.dice[6] = replace(book.state.dice[6], x=-100, y=100)
    root = drawn(seen(book))
    for _, x, *_ in dice_in(root):
        assert 34 < x < LEFT
