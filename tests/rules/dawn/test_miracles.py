"""The works of a miracle: a city saved, a breakthrough, what was nearly lost restored (DW-MIR-7..9)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.pictures import plan_of
from games.dawn.rules import RULESET
from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.chronicle import STORY
from games.dawn.rules.event_pages import PAGES
from games.dawn.rules.races.events import EdgeGifted
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Life, Place, WonderKind, Works
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.turn.events import RoundStarted, TurnStarted
from games.dawn.rules.war.events import WarDeclared
from games.dawn.rules.war.reach_commands import AllowReach
from games.dawn.rules.wonders.commands import WorkWonder
from games.dawn.rules.wonders.events import (
    AvatarRestored,
    CitySaved,
    ProtectionEnded,
    RaceRestored,
    WonderWorked,
)
from games.engine.errors import Refused
from games.engine.insight.chronicle import tell
from games.engine.insight.event_pages import HighlightKind
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Event
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    WEST,
    area,
    armies,
    field,
    legal_commands_of,
    log_folds_to_rest,
    march,
    sally,
    snapshot,
    target,
    waive_revenge,
    wild,
    work,
    work_unopposed,
)
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    GM,
    HAVEN,
    A,
    B,
    C,
    army,
    avatar,
    balances,
    city,
    edge,
    give,
    order,
    sound,
    turn_of,
)
from worlds.drawing.map_view import PlanMark


def miracle(book: Playbook, works: Works, *targets: UUID, by: UUID = A, **fields: Any) -> list[Event]:
    """A god works a miracle on one square, or on those that are said."""
    squares = area(*fields.pop("at", (EAST,)))
    wonder = WorkWonder(kind=WonderKind.MIRACLE, squares=squares, works=works, targets=targets, **fields)
    return book.when(wonder, by=by)


def saved(ours: int = 0, theirs: int = 0, **points: int) -> Playbook:
    """A field on which B has saved HOLD, in A's turn of the next round."""
    book = field(ours, theirs, **points)
    turn_of(book, B)
    give(book, B, 20)
    miracle(book, Works.SAVE_CITY, HOLD, by=B)
    for seat in (A, B, C):
        give(book, seat, 40)
    while book.state.course.active != A:
        book.when(EndTurn(), by=book.state.course.active)
    give(book, A, 40)
    return book


def menu(book: Playbook, works: Works, seat: UUID = A) -> list[LegalCommand]:
    """What a god's menu has of a work."""
    return [legal for legal in legal_commands_of(book, "work-wonder", seat) if works in legal.choices("works")]


def marks_of(book: Playbook) -> list[PlanMark]:
    """The miracles on the map."""
    plan = plan_of(book.state, {})
    return [mark for mark in plan.marks if mark.kind == "miracle"] if plan else []


# -- save_city ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-7", "DW-AMB-60")
def test_a_saved_city_is_so_until_the_next_turn_of_its_god_begins():
    book = field(a=20, b=20, c=20)
    since = snapshot(book)
    events = miracle(book, Works.SAVE_CITY, HOLD)
    assert of_kind(events, WonderWorked, CitySaved) == [
        event_like(WonderWorked, works=Works.SAVE_CITY, targets=(HOLD,), by=A),
        event_like(CitySaved, city=HOLD, by=A),
    ]
    assert book.state.cities[HOLD].saved_by == (A,) and balances(book, A) == [10]
    events = []
    while not of_kind(events, TurnStarted) or book.state.course.active != A:
        assert book.state.cities[HOLD].saved_by == (A,)
        events += book.when(EndTurn(), by=book.state.course.active)
    told = of_kind(events, ProtectionEnded, TurnStarted)
    place = told.index(event_like(ProtectionEnded, city=HOLD, by=A))
    assert told[place + 1] == event_like(TurnStarted, seat=A)
    assert book.state.cities[HOLD].saved_by == () and log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-7", "DW-WAR-2", "DW-AMB-61")
def test_nobody_takes_a_saved_city_whoever_marches_and_the_refusal_says_until_when():
    book = saved(2)
    hero = avatar(book, A, WEST)
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    for marching in (
        lambda: march(book),
        lambda: sally(book, HAVEN, *armies(book)),
        lambda: book.when(CommandAvatar(avatar=hero, actions=(attack,)), by=A),
        lambda: book.when(
            AllowReach(source=HAVEN, target=target(), armies=armies(book), reason="Whales."),
            by=replace(GM, on_behalf_of=A),
        ),
    ):
        with refused("city.saved", book.state):
            marching()
    with pytest.raises(Refused) as why:
        march(book)
    assert why.value.message == (
        "A miracle saves City c2: it cannot be taken until the next turn of God B begins."
    ) and why.value.rules == ("DW-MIR-7",)
    assert why.value.facts == {"city": str(HOLD), "saved_by": [str(B)]} and balances(book, A) == [40]
    turn_of(book, B)
    turn_of(book, A)
    assert of_kind(march(book), WarDeclared) == [event_like(WarDeclared, city=HOLD)]


@pytest.mark.rule("DW-MIR-7")
@pytest.mark.parametrize(
    ("works", "targets", "done"), [(Works.RAZE_CITY, (HOLD,), "razed"), (Works.RAVAGE, (), "ravaged")]
)
def test_nobody_razes_or_ravages_a_saved_city_and_the_refusal_says_until_when(
    works: Works, targets: tuple[UUID, ...], done: str
):
    book = saved(0, 1 if works is Works.RAVAGE else 0)
    with pytest.raises(Refused) as why:
        work(book, works, *targets, at=(EAST, (3, 1)))
    assert (why.value.code, balances(book, A)) == ("city.saved", [40])
    assert why.value.message == f"A miracle saves City c2: it cannot be {done} until the next turn of God B begins."


@pytest.mark.rule("DW-MIR-7")
def test_the_caster_is_bound_by_their_own_miracle_and_cannot_work_it_twice():
    book = field(1, a=60)
    miracle(book, Works.SAVE_CITY, HOLD)
    for harm in (lambda: march(book), lambda: work(book, Works.RAZE_CITY, HOLD)):
        with refused("city.saved", book.state):
            harm()
    with pytest.raises(Refused) as why:
        miracle(book, Works.SAVE_CITY, HOLD)
    assert why.value.code == "city.saved"
    assert why.value.message == (
        "A miracle of yours saves City c2 until the next turn of God A begins; name another city."
    )


@pytest.mark.rule("DW-MIR-7", "DW-AMB-53")
def test_a_miracle_saves_the_cities_that_it_names_in_its_area_each_once():
    book = field(a=60)
    second = city(book, ELVES, C, at=(4, 2), id=UUID(int=0xC3))
    for targets in ((), (HAVEN,), (HOLD, HOLD), (ELVES,), (HOLD, UUID(int=404))):
        with refused("effect.invalid", book.state):
            miracle(book, Works.SAVE_CITY, *targets, at=(EAST, (4, 2)))
    events = miracle(book, Works.SAVE_CITY, HOLD, second, at=(EAST, (4, 2)))
    assert of_kind(events, CitySaved) == [event_like(CitySaved, city=HOLD), event_like(CitySaved, city=second)]
    assert balances(book, A) == [60 - 15] and book.state.cities[HAVEN].saved_by == ()


@pytest.mark.rule("DW-MIR-7", "DW-AMB-62")
def test_a_city_that_several_gods_save_is_safe_until_the_last_of_their_turns_begins():
    book = field(1, a=20, b=20, c=20)
    turn_of(book, B)
    give(book, B, 20)
    miracle(book, Works.SAVE_CITY, HOLD, by=B)
    turn_of(book, C)
    give(book, C, 20)
    miracle(book, Works.SAVE_CITY, HOLD, by=C)
    assert book.state.cities[HOLD].saved_by == (B, C)
    give(book, A, 0)
    give(book, B, 90)
    give(book, C, 50)
    turn_of(book, A)
    give(book, A, 40)
    with pytest.raises(Refused) as why:
        march(book)
    assert why.value.message.endswith("until the next turns of God C and God B have begun.")
    turn_of(book, C)
    assert book.state.cities[HOLD].saved_by == (B,)
    turn_of(book, B)
    assert book.state.cities[HOLD].saved_by == ()


@pytest.mark.rule("DW-MIR-7", "DW-AMB-37", "DW-AMB-62")
def test_a_god_who_has_left_saves_a_city_until_the_next_round_begins():
    book = field(a=20, b=20, c=20)
    miracle(book, Works.SAVE_CITY, HOLD)
    book.when(LeaveSeat(), by=A)
    events: list[Event] = []
    while not of_kind(events, RoundStarted):
        assert book.state.cities[HOLD].saved_by == (A,)
        events += book.when(EndTurn(), by=book.state.course.active)
    assert of_kind(events, RoundStarted, ProtectionEnded) == [
        event_like(RoundStarted),
        event_like(ProtectionEnded, city=HOLD, by=A),
    ]
    assert book.state.cities[HOLD].saved_by == () and sound(book)


@pytest.mark.rule("DW-MIR-7")
def test_the_menu_names_no_saved_city_as_a_target_of_war_or_wonder():
    book = saved(1)
    assert all(EAST not in _squares(each) for each in legal_commands_of(book, "command-race", A))
    assert not menu(book, Works.RAZE_CITY), "the other city has an army"
    assert [each.choices("squares") for each in menu(book, Works.RAVAGE)] == [({"x": 1, "y": 1},)]
    assert menu(book, Works.SAVE_CITY)[0].choices("targets") == (HAVEN, HOLD), "A has saved neither"
    miracle(book, Works.SAVE_CITY, HAVEN, at=(WEST,))
    assert menu(book, Works.SAVE_CITY)[0].choices("targets") == (HOLD,) and not menu(book, Works.RAVAGE)


def _squares(legal: LegalCommand) -> set[tuple[int, int]]:
    """The squares that a war order may name."""
    return {(each["x"], each["y"]) for each in legal.choices("args.target.square") if "war" in legal.choices("act")}


@pytest.mark.rule("DW-MIR-7")
def test_desk_seat_and_map_show_a_saved_city():
    book = saved()
    assert [(mark.x, mark.y, mark.name) for mark in marks_of(book)] == [(*EAST, "City c2 is saved")]
    panel = {panel.key: panel for panel in PAGES.desk(book.state)}["saved"]
    assert [line.cells for line in panel.lines] == [("City c2", "God B", "until the next turn of God B begins")]
    assert PAGES.holdings(book.state, B)["Cities"] == "City c2 (saved)"
    (worked,) = (record.event for record in book.log if isinstance(record.event, WonderWorked))
    (mark,) = PAGES.highlights(book.state, worked)
    assert (mark.kind, mark.places) == (HighlightKind.BUILT, ("4,1",))
    turn_of(book, B)
    assert marks_of(book) == []
    assert not {panel.key: panel for panel in PAGES.desk(book.state)}["saved"].is_shown


# -- breakthrough ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-8", "DW-EDGE-2", "DW-AMB-60")
@pytest.mark.parametrize("of", [DWARVES, HOLD])
def test_a_breakthrough_gives_a_race_or_a_city_in_the_area_one_other_edge(of: UUID):
    book = field()
    since = snapshot(book)
    tags = (EdgeTag.FLIES, EdgeTag.CROSSES_WATER)
    events = miracle(book, Works.BREAKTHROUGH, of, edge="great kites", tags=tags)
    assert of_kind(events, WonderWorked, EdgeGifted) == [
        event_like(WonderWorked, works=Works.BREAKTHROUGH, targets=(of,)),
        event_like(EdgeGifted, target=of, edge="great kites", tags=tuple(sorted(tags)), by=A),
    ]
    assert book.state.edges[of, "great kites"].kind is EdgeKind.OTHER
    assert balances(book, A) == [10] and log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-8")
def test_a_breakthrough_needs_one_race_or_city_that_is_there_and_a_new_name():
    book = field()
    edge(book, HOLD, "music")
    for targets, fields, code in (
        ((HAVEN,), {"edge": "ships"}, "effect.invalid"),
        ((ELVES,), {"edge": "ships"}, "effect.invalid"),
        ((HOLD, DWARVES), {"edge": "ships"}, "effect.invalid"),
        ((), {"edge": "ships"}, "effect.invalid"),
        ((HOLD,), {}, "effect.invalid"),
        ((HOLD,), {"edge": "Music"}, "edge.exists"),
        ((UUID(int=404),), {"edge": "ships"}, "target.missing"),
    ):
        with refused(code, book.state):
            miracle(book, Works.BREAKTHROUGH, *targets, **fields)
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        miracle(book, Works.BREAKTHROUGH, HOLD, edge="ships")


@pytest.mark.rule("DW-MIR-8")
@pytest.mark.parametrize("fields", [{"edge": "ships"}, {"tags": (EdgeTag.FLIES,)}])
def test_no_other_work_brings_an_edge(fields: dict[str, Any]):
    book = field()
    with refused("effect.invalid", book.state):
        miracle(book, Works.SAVE_CITY, HOLD, **fields)
    with refused("effect.invalid", book.state):
        work(book, **fields)


@pytest.mark.rule("DW-MIR-8")
def test_some_territory_of_a_race_in_the_area_is_enough():
    book = field()
    race = wild(book, B)
    miracle(book, Works.BREAKTHROUGH, race, at=((2, 4), (2, 3)), edge="long memory")
    assert (race, "long memory") in book.state.edges
    (legal,) = menu(book, Works.BREAKTHROUGH)
    assert not legal.legal, "A has no points left"
    assert set(legal.choices("targets")) == {race, ELVES, DWARVES, HAVEN, HOLD} and "edge" in legal.required


# -- restore --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-9", "DW-MIR-4", "DW-AMB-60")
def test_a_race_with_territory_in_the_area_is_near_extinct_no_longer():
    book = field(a=40)
    race = wild(book, B, life=Life.NEAR_EXTINCT)
    since = snapshot(book)
    for targets, at in (((race,), (EAST,)), ((DWARVES,), (EAST,)), ((race, race), ((3, 3),)), ((), ((3, 3),))):
        with refused("effect.invalid", book.state):
            miracle(book, Works.RESTORE, *targets, at=at)
    events = miracle(book, Works.RESTORE, race, at=((3, 4), (3, 3)))
    assert of_kind(events, RaceRestored) == [event_like(RaceRestored, race=race)]
    assert book.state.races[race].life is Life.ALIVE and len(book.state.land_of(race)) == 3
    assert log_folds_to_rest(book, since) and sound(book)
    with refused("effect.invalid", book.state):
        miracle(book, Works.RESTORE, race, at=((3, 3),))


@pytest.mark.rule("DW-MIR-9", "DW-AMB-63")
@pytest.mark.parametrize("owner", [A, B])
def test_a_fallen_avatar_of_anybody_returns_to_the_square_of_the_miracle(owner: UUID):
    book = field(a=40)
    hero = avatar(book, owner, WEST, alive=False, returning=True, killed_by=C)
    living = avatar(book, B, EAST)
    since = snapshot(book)
    for targets, at in (((living,), (EAST,)), ((hero,), (EAST, (4, 2))), ((hero, hero), (EAST,))):
        with refused("effect.invalid", book.state):
            miracle(book, Works.RESTORE, *targets, at=at)
    events = miracle(book, Works.RESTORE, hero)
    assert of_kind(events, AvatarRestored) == [event_like(AvatarRestored, avatar=hero, square=Place(x=4, y=1))]
    stands = book.state.avatars[hero]
    assert (stands.alive, stands.x, stands.y, stands.returning) == (True, *EAST, False)
    assert (stands.leads, stands.defending) == (None, False)
    assert log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-9", "DW-AVA-5")
def test_an_avatar_who_was_killed_in_this_turn_is_brought_back_after_their_god_has_let_it_pass():
    book = field(a=40, b=5)
    hero = avatar(book, B, EAST)
    work_unopposed(book, Works.KILL_AVATAR, hero)
    with refused("prompt.open", book.state):
        miracle(book, Works.RESTORE, hero)
    waive_revenge(book)
    assert of_kind(miracle(book, Works.RESTORE, hero), AvatarRestored) and book.state.avatars[hero].alive


@pytest.mark.rule("DW-MIR-9")
def test_the_menu_has_what_can_be_restored_and_nothing_where_nothing_can():
    book = field()
    assert menu(book, Works.RESTORE) == []
    race, hero = wild(book, B, life=Life.NEAR_EXTINCT), avatar(book, C, WEST, alive=False)
    (legal,) = menu(book, Works.RESTORE)
    assert legal.choices("targets") == (race, hero) and legal.required == ("works", "targets")


# -- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-2", "DW-MIR-7", "DW-MIR-8", "DW-MIR-9")
def test_every_work_has_a_title_in_words_and_is_told_in_the_chronicle():
    book = field(1, a=200)
    race, hero = wild(book, B, life=Life.NEAR_EXTINCT), avatar(book, C, WEST, alive=False)
    order(book, ELVES, A)
    army(book, HAVEN)
    titles = {legal.arguments["works"].titles[0] for legal in legal_commands_of(book, "work-wonder", A)}
    assert "save a city" in titles and all(" " in title and "_" not in title for title in titles)
    start = len(book.log)
    miracle(book, Works.SAVE_CITY, HOLD)
    miracle(book, Works.BREAKTHROUGH, DWARVES, edge="music")
    miracle(book, Works.RESTORE, race, at=((3, 3),), text="Spring comes.")
    miracle(book, Works.RESTORE, hero)
    assert [line.text for line in tell(STORY, book.state, book.log[start:])] == [
        "God A works a miracle that keeps City c2 from all harm for a while.",
        "God A works a miracle that teaches Race d7 what nobody knew.",
        "God A gives Race d7 music.",
        "God A works a miracle that lets Race 90 grow in number again: Spring comes.",
        "God A works a miracle that raises Avatar 0 from the dead.",
    ]
    assert [
        record.text
        for record in book.log[start:]
        if isinstance(record.event, (CitySaved, RaceRestored, AvatarRestored))
    ] == [
        "Nobody razes, ravages or takes City c2 until the next turn of God A.",
        "Race 90 are near extinct no longer.",
        "Avatar 0 lives again, at (4, 1).",
    ]
    assert {CitySaved, ProtectionEnded, RaceRestored, AvatarRestored} <= set(RULESET.own.events)
