"""Who stands in a row over the tower on a wall, and what of an event is marked there, each for who may see it."""

from xml.etree import ElementTree

from games.dietower.drawing import tower_spots, tower_wall_svg
from games.dietower.drawing_people import MAX_PEOPLE
from games.dietower.rules import RULESET
from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import MoveActor
from games.dietower.rules.state.schema_types import Band, Condition, Uses
from games.dietower.rules.tower.tower_view import tower_view
from games.engine.insight.event_pages import Highlight, HighlightKind
from tests.rules.dietower.scenes import declare, fighting, set_attack
from tests.rules.dietower.stage import GM, S1, S2, check, close, monster, pc, playing
from tests.rules.dietower.test_tower_view import seen

SPACE = "{http://www.w3.org/2000/svg}"


def names_on(book) -> list[str]:
    """Who is drawn for somebody without a seat, in order."""
    root = ElementTree.fromstring(tower_wall_svg(seen(book)))
    return [t.text or "" for t in root.iter(f"{SPACE}text") if t.get("class") == "n m"]


def marked(book, events) -> list[Highlight]:
    """What these events mark, in the order in which they happened, for somebody without a seat."""
    state = book.state.view_for(frozenset())
    return [each for event in events for each in RULESET.pages.highlights(state, event)]


def test_characters_stand_first_and_then_the_others_of_the_encounter():
    book, beast = fighting(S1, S2)
    spots = tower_spots(seen(book))
    assert names_on(book) == [*sorted(book.state.actors[pc(book, seat)].name for seat in (S1, S2)), "Gnaw"]
    middles = [spots.at(str(actor)) for actor in (pc(book, S1), pc(book, S2), beast)]
    assert None not in middles and len({x for x, _ in middles}) == 3 and len({y for _, y in middles}) == 1
    assert all(0 < x < spots.width and 0 < y < spots.height for x, y in middles)


def test_a_monster_that_nobody_has_met_is_drawn_for_nobody_else():
    book = playing(S1)
    hidden = monster(book)
    assert "Gnaw" not in tower_wall_svg(seen(book)) and tower_spots(seen(book)).at(str(hidden)) is None
    assert not [each for each in tower_view(book.state).people if each.id == hidden]


def test_no_more_are_drawn_than_there_is_room_for():
    book, _ = fighting(S1, S2)
    view = tower_view(book.state)
    many = [view.people[0]] * (MAX_PEOPLE + 3)
    root = ElementTree.fromstring(tower_wall_svg(type(view)(**{**_fields(view), "people": tuple(many)})))
    assert len([t for t in root.iter(f"{SPACE}text") if t.get("class") == "n m"]) == MAX_PEOPLE


def _fields(view) -> dict:
    return {name: getattr(view, name) for name in type(view).__dataclass_fields__}


def test_who_moves_and_who_attacks_whom_is_marked():
    book, beast = fighting(S1)
    actor = str(pc(book, S1))
    moved = book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    assert Highlight(HighlightKind.MARCH, (actor, str(beast))) in marked(book, moved)


def test_who_is_hit_and_hurt_is_marked_and_who_is_missed_only_attacked():
    for dice, kinds in (((4, 3), ["march", "contest", "contest"]), ((3, 2), ["march"])):
        book, beast = fighting(S1)
        set_attack(book, declare(book, S1, beast, Uses.WEAPON), dice, (5,))
        found = marked(book, close(book, S1))
        assert [each.kind.value for each in found] == kinds
        assert found[0].places == (str(pc(book, S1)), str(beast)) and found[-1].places[-1] == str(beast)


def test_who_falls_is_marked_and_pale():
    book = playing(S1)
    before = tower_wall_svg(seen(book))
    fell = book.when(SetState(actor=pc(book, S1), state=Condition.FALLEN, text="dead", reason="a test"), by=GM)
    assert ' opacity=".4"' in tower_wall_svg(seen(book)) and ' opacity=".4"' not in before
    assert marked(book, fell) == [Highlight(HighlightKind.LOST, (str(pc(book, S1)),))]


def test_how_a_roll_ends_is_marked_at_who_rolled():
    book = playing(S1)
    won, lost = check(book, S1, (4, 5)), check(book, S1, (3, 2), cd=Cd.TOUGH)
    assert [each.kind for each in marked(book, won)] == [HighlightKind.WON]
    assert [each.kind for each in marked(book, lost)] == [HighlightKind.CONTEST]
    assert marked(book, won)[0].places == (str(pc(book, S1)),)
