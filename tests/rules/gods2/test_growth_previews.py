"""Growth shown beforehand (setting `previews`): the GM may place the units otherwise, within the rules of growth."""

from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.game_state import dump
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow
from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.declarations.events import BoardOpened
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.gm_previews.events import PreviewAccepted
from games.gods2.rules.growth.events import GrowthPlacementSet, GrowthPreviewed, MigrationEnded, RaceGrew
from games.gods2.rules.growth.preview_commands import PlaceGrowth
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Feature, Phase
from games.gods2.rules.state.value_types import CityAt, Held
from games.gods2.rules.war.preview_commands import SetCasualties
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused, state_from_log
from tests.rules.gods2.era import GM, begin, define, fresh, minutes, place, set_up, two_peoples, units

PREVIEWS = Gods2Options(previews=True, plan=(16,))
KNOWN = {"primitive": (), "barbarian": ("tribal_law",), "civilized": ("civilization",)}


def growing(level: str, row: str, *at: tuple[int, int, int], options: Gods2Options = PREVIEWS) -> tuple[Playbook, UUID]:
    """A race on a row of squares that is about to grow; a civilized one has a city on its first square."""
    book = set_up((row,), options=options)
    cities = (CityAt(square=place(*at[0][:2]), kind="city"),) if level == "civilized" else ()
    norse = define(book, "Norse", units(*at), knowledges=KNOWN[level], cities=cities, attributes=("peaceful",))
    return begin(book), norse


def last_preview(book: Playbook) -> GrowthPreviewed:
    """The last preview."""
    return of_kind([h.event for h in book.log], GrowthPreviewed)[-1]


def standing(book: Playbook) -> dict[int, int]:
    """Units by column."""
    return {x: int(n) for x, n in enumerate(book.state.board.units[0]) if n}


def by_column(placed: tuple[Held, ...]) -> dict[int, int]:
    return {h.square.x: h.units for h in placed}


def put(book: Playbook, **columns: int) -> PlaceGrowth:
    """A placing by column: `c0=1`."""
    placed = units(*((int(name[1:]), 0, n) for name, n in columns.items()))
    return PlaceGrowth(prompt=last_preview(book).prompt, placed=placed)


@pytest.mark.rule("G2-GROW-10", "G2-GROW-1")
def test_growth_is_shown_to_the_gm_alone_race_by_race_and_silence_lets_the_rules_decide() -> None:
    plain = two_peoples(Gods2Options(plan=(16,)))[0]
    book, *_ = two_peoples(PREVIEWS)
    assert book.state.era.phase is Phase.GROWTH and book.state.era.growing[0] == last_preview(book).race
    assert [h.audience for h in book.log if isinstance(h.event, GrowthPreviewed)] == ["gm"]
    (prompt,) = book.state.prompts.values()
    assert (prompt.kind, prompt.lane, prompt.owners) == ("GROWTH.preview", "growth", ("gm",))
    assert book.state.timers[f"prompt:{prompt.id}"].due == DAWN + minutes(1 / 3)
    first, second = book.state.era.growing

    events = of_kind(book.wait(minutes(1 / 3)), DeadlinePassed, RaceGrew, GrowthPreviewed, BoardOpened)
    assert [type(e) for e in events] == [DeadlinePassed, RaceGrew, GrowthPreviewed]
    assert (events[1].race, events[2].race) == (first, second)
    assert of_kind(book.wait(minutes(1 / 3)), RaceGrew, BoardOpened)[1:] == [event_like(BoardOpened, century=1)]
    assert (book.state.board.units == plain.state.board.units).all()
    assert not book.state.previews and not book.state.prompts
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


def test_without_the_setting_nothing_is_shown() -> None:
    book, *_ = two_peoples()
    assert book.state.era.phase is Phase.OPEN and not of_kind([h.event for h in book.log], GrowthPreviewed)


@pytest.mark.rule("G2-GROW-10")
def test_a_gm_accepts_what_is_shown_at_once() -> None:
    book, _ = growing("barbarian", "PPPP", (1, 0, 2), (2, 0, 2))
    expected = by_column(last_preview(book).placed)
    events = book.when(AcceptPreview(prompt=last_preview(book).prompt), by=GM)
    assert [type(e) for e in of_kind(events, PreviewAccepted, RaceGrew, BoardOpened)] == [
        PreviewAccepted,
        RaceGrew,
        BoardOpened,
    ]
    assert standing(book) == expected
    with refused("prompt.closed", book.state):
        book.when(AcceptPreview(prompt=last_preview(book).prompt), by=GM)
    with refused("prompt.closed", book.state):
        book.when(put(book, c1=2, c2=2), by=GM)


def test_a_question_that_shows_nothing_is_not_accepted_like_a_preview() -> None:
    book, _ = growing("barbarian", "PPPP", (1, 0, 2), (2, 0, 2))
    book.when(AcceptPreview(prompt=last_preview(book).prompt), by=GM)
    book.when(EndNow(), by=GM)
    (question,) = [p for p in book.state.prompts.values() if p.kind == "WORKSHEET"]
    with refused("prompt.not_yours", book.state):
        book.when(AcceptPreview(prompt=question.id), by=GM)


@pytest.mark.rule("G2-GROW-2", "G2-GROW-4", "G2-GROW-6", "G2-GROW-10", "G2-AMB-5")
def test_a_gm_places_the_new_units_of_barbarians_where_the_rules_leave_it_open() -> None:
    book, norse = growing("barbarian", "PPPPPP", (1, 0, 3), (2, 0, 2), (3, 0, 3), (4, 0, 2))
    assert by_column(last_preview(book).placed) == {0: 1, 1: 3, 2: 3, 3: 3, 4: 2, 5: 1}
    for bad in (
        {"c1": 3, "c2": 3, "c3": 3, "c4": 3, "c0": 1},  # one of the two who spread has stayed
        {"c1": 3, "c2": 3, "c3": 3, "c4": 2, "c0": 2},  # not in turn
        {"c1": 3, "c2": 2, "c3": 3, "c4": 2, "c0": 1, "c5": 2},  # three have spread
        {"c1": 2, "c2": 3, "c3": 3, "c4": 3, "c0": 1, "c5": 1},  # an old unit has moved
        {"c1": 4, "c2": 2, "c3": 3, "c4": 2, "c0": 1, "c5": 1},  # over the limit
        {"c1": 3, "c2": 2, "c3": 3, "c4": 2, "c0": 1, "c5": 1},  # one is missing
    ):
        with refused("placement.invalid", book.state):
            book.when(put(book, **bad), by=GM)
    events = book.when(put(book, c0=1, c1=3, c2=2, c3=3, c4=3, c5=1), by=GM)
    assert of_kind(events, GrowthPlacementSet, RaceGrew) == [
        event_like(GrowthPlacementSet, race=norse),
        event_like(RaceGrew, race=norse, gained=3),
    ]
    assert [h.audience for h in book.log if isinstance(h.event, GrowthPlacementSet)] == ["gm"]
    assert standing(book) == {0: 1, 1: 3, 2: 2, 3: 3, 4: 3, 5: 1}
    assert book.state.era.phase is Phase.OPEN
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-GROW-2")
def test_units_are_placed_on_own_and_on_free_bordering_squares_alone() -> None:
    book, _ = growing("barbarian", "PPPPPW", (1, 0, 2), (2, 0, 2))
    own_units = {h.square.x: h.units for h in last_preview(book).placed if h.square.x in (1, 2)}
    for far in ("c4", "c5", "c9"):
        with refused("placement.invalid", book.state):
            book.when(put(book, c1=own_units[1], c2=own_units[2], **{far: 1}), by=GM)
    twice = (*units((1, 0, 2), (1, 0, 2)), *units((0, 0, 1)))
    with refused("placement.invalid", book.state):
        book.when(PlaceGrowth(prompt=last_preview(book).prompt, placed=twice), by=GM)


@pytest.mark.rule("G2-GROW-3")
def test_primitive_units_go_to_bare_squares_first() -> None:
    book, _ = growing("primitive", "PPPPP", (2, 0, 1))
    assert by_column(last_preview(book).placed) == {1: 1, 2: 1}
    book.state.features[UUID(int=5)] = Feature(UUID(int=5), Square(0, 2), "fertile_land")
    for bad in ({"c2": 2}, {"c1": 1, "c3": 1}, {"c1": 2}):
        with refused("placement.invalid", book.state):
            book.when(put(book, **bad), by=GM)
    book.when(put(book, c2=1, c3=1), by=GM)
    assert standing(book) == {2: 1, 3: 1}


@pytest.mark.rule("G2-GROW-2", "G2-GROW-10")
def test_the_squares_on_which_units_may_be_placed_are_those_on_which_the_race_may_grow() -> None:
    book, _ = growing("primitive", "PPPPP", (2, 0, 1))
    (legal,) = legal_commands_for(book.state, [PlaceGrowth], GM)
    assert legal.partial and legal.choices("placed.square") == tuple({"x": x, "y": 0} for x in (1, 2, 3))


@pytest.mark.rule("G2-GROW-5")
def test_civilized_units_fill_their_own_squares_first() -> None:
    book, _ = growing("civilized", "PPPP", (0, 0, 5), (1, 0, 4))
    rules = by_column(last_preview(book).placed)
    assert rules == {0: 5, 1: 5, 2: 2}
    for bad in ({"c0": 5, "c1": 4, "c2": 3}, {"c0": 4, "c1": 5, "c2": 3}):
        with refused("placement.invalid", book.state):
            book.when(put(book, **bad), by=GM)
    book.when(put(book, c0=5, c1=5, c2=2), by=GM)
    assert standing(book) == rules


def migrating(level: str, *at: tuple[int, int, int], direction: str) -> Playbook:
    """A race on three rows of plains, shown before it grows in century 2, with an order to migrate."""
    book = set_up(("PPPPP", "PPPPP", "PPPPP"), options=PREVIEWS)
    cities = (CityAt(square=place(*at[0][:2]), kind="city"),) if level == "civilized" else ()
    norse = define(book, "Norse", units(*at), knowledges=KNOWN[level], cities=cities, attributes=("peaceful",))
    begin(book).when(AcceptPreview(prompt=last_preview(book).prompt), by=GM)
    board = book.state.board
    for square in [(y, x) for y in range(3) for x in range(5)]:
        board.put(Square(*square), norse, 0)
    for x, y, n in at:
        board.put(Square(y, x), norse, n)
    book.state.migrations[norse] = Migration(norse, direction, None)
    book.wait(minutes(30))
    assert book.state.era.phase is Phase.GROWTH
    return book


@pytest.mark.rule("G2-GROW-7", "G2-GROW-8", "G2-GROW-9")
@pytest.mark.parametrize("level", ["primitive", "barbarian", "civilized"])
def test_a_migrating_race_is_placed_as_the_order_says(level: str) -> None:
    book = migrating(level, (2, 1, 1), direction="e")
    by_rule = {(h.square.x, h.square.y): h.units for h in last_preview(book).placed}
    assert any(x == 3 for x, _ in by_rule)

    def placing(found: dict[tuple[int, int], int]) -> PlaceGrowth:
        return PlaceGrowth(prompt=last_preview(book).prompt, placed=units(*((x, y, n) for (x, y), n in found.items())))

    forward = next((x, y) for x, y in by_rule if x == 3)
    back = {**by_rule, (1, 1): by_rule[forward]}
    del back[forward]
    with refused("placement.invalid", book.state):
        book.when(placing(back), by=GM)
    assert of_kind(book.when(placing(by_rule), by=GM), RaceGrew, MigrationEnded)
    board = book.state.board
    assert {(x, y): board.units[y, x] for y in range(3) for x in range(5) if board.units[y, x]} == by_rule


@pytest.mark.rule("G2-GROW-7")
def test_equally_forward_squares_are_the_gms_to_choose() -> None:
    book = migrating("primitive", (2, 1, 1), direction="e")
    by_rule = sorted((h.square.x, h.square.y) for h in last_preview(book).placed)
    assert by_rule == [(3, 0), (3, 1)]
    chosen = PlaceGrowth(prompt=last_preview(book).prompt, placed=units((3, 1, 1), (3, 2, 1)))
    book.when(chosen, by=GM)
    assert book.state.board.units[2, 3] == 1


def test_the_end_of_the_activity_phase_does_not_wait_for_a_preview() -> None:
    book, *_ = two_peoples(PREVIEWS)
    prompt = last_preview(book).prompt
    book.when(Extend(timer=f"prompt:{prompt}", seconds=1800), by=GM)
    events = book.wait(minutes(25))
    assert len(of_kind(events, RaceGrew)) == 2 and not of_kind(events, GrowthPreviewed)
    assert book.state.era.phase is Phase.RECKONING and not book.state.previews


def test_a_gm_may_end_the_time_for_a_preview() -> None:
    book, *_ = two_peoples(PREVIEWS)
    first, second = book.state.era.growing
    assert of_kind(book.when(EndNow(), by=GM), RaceGrew) == [event_like(RaceGrew, race=first)]
    assert of_kind(book.when(EndNow(), by=GM), RaceGrew) == [event_like(RaceGrew, race=second)]
    assert book.state.era.phase is Phase.OPEN


def test_another_preview_is_not_answered_with_a_placing_of_growth_and_the_command_is_legal_only_then() -> None:
    def legal_names() -> set[str]:
        return {o.command for o in legal_commands_for(book.state, [PlaceGrowth, SetCasualties], GM) if o.legal}

    book, *_ = two_peoples(PREVIEWS)
    assert legal_names() == {"place-growth"}
    with refused("prompt.not_yours", book.state):
        book.when(SetCasualties(prompt=last_preview(book).prompt), by=GM)
    book.wait(minutes(1))
    assert legal_names() == set()


@pytest.mark.rule("G2-TIME-3", "G2-GROW-10")
@pytest.mark.parametrize("ended", ["activity", "end"])
def test_a_century_that_is_ended_while_races_grow_shows_no_further_growth_and_has_its_activity_phase_ended(
    ended: str,
) -> None:
    """The kind: a timer that is fired while what comes before it is owed more than once: all of it is done first."""
    book, *_ = two_peoples(PREVIEWS)
    century = book.state.era.century
    assert book.state.era.phase is Phase.GROWTH
    events = book.when(FireNow(timer=f"century:{century}/{ended}"), by=GM)
    kinds = [type(event).__name__ for event in events]
    order = ["RaceGrew", "BoardOpened", "ActivityClosed"]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)
    assert kinds[: kinds.index("ActivityClosed")].count("RaceGrew") == 2
    assert "GrowthPreviewed" not in kinds[: kinds.index("ActivityClosed")]
    if ended == "activity":
        assert book.state.era.phase is Phase.RECKONING and not book.state.previews
    else:
        assert kinds.index("ActivityClosed") < kinds.index("CenturyClosed") < kinds.index("CenturyOpened")
        assert (book.state.era.century, book.state.era.phase) == (century + 1, Phase.GROWTH)
        assert {key for key in book.state.timers if key.startswith("century")} == {
            f"century:{century + 1}/activity",
            f"century:{century + 1}/end",
        }
