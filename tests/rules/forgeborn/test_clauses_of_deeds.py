"""Deeds and turns, clause by clause: who may what where, against which Power, what is won, how a game ends."""

import pytest

from games.forgeborn.rules.conflict.commands import (
    AssistVillage,
    BeseechPrince,
    ChoosePool,
    ExploreRuins,
    FaceDragon,
    StepBack,
)
from games.forgeborn.rules.conflict.events import ActionDeclared, ConflictFailed, ConflictWon, PoolRolled
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, RuleArtifacts
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.gains.events import DiceLost
from games.forgeborn.rules.setup.commands import AcceptMap, DefineSmith
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, Helping, PlaceKind, Step
from games.forgeborn.rules.turns.commands import CallTime, EndTurn, Journey, UseCharacter
from games.forgeborn.rules.turns.events import GameFinished, LastTurnsStarted, RoundStarted
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.lobby import on_map_a
from tests.rules.forgeborn.table import GM, HOST, REFEREE, S1, S2, S3, S4, give_dice, move, playing, smith

KINDS = tuple(PlaceKind)
DEEDS = {
    "face-dragon": (FaceDragon(), {PlaceKind.LAIR}, True),
    "explore-ruins": (ExploreRuins(), {PlaceKind.RUINS}, True),
    "assist-village": (AssistVillage(), {PlaceKind.VILLAGE}, True),
    "beseech-prince": (BeseechPrince(), {PlaceKind.CITY}, False),
    "recruit-heroine": (RecruitHeroine(name="Ada"), {PlaceKind.VILLAGE, PlaceKind.CITY}, False),
}
"""Of each deed: the command, its places, and whether a Heroine may do it."""


def number_of(kind: PlaceKind) -> int:
    """The number of a place of a kind that there are several of; 0 for one that is alone."""
    return 1 if kind in (PlaceKind.VILLAGE, PlaceKind.RUINS) else 0


def pool(*free, sacrifice=(), artifacts=()):
    """A pool; artifacts by their ids."""
    return PoolChoice(
        free=free, sacrifice=sacrifice, artifacts=tuple(Helping(artifact=a, how="it shines") for a in artifacts)
    )


@pytest.mark.rule("FB-HER-2", "FB-DRG-1", "FB-RUI-1", "FB-VIL-1", "FB-PRI-1", "FB-HER-1")
@pytest.mark.parametrize("deed", list(DEEDS))
def test_a_deed_is_done_by_its_kind_of_character_in_its_places_alone(deed):
    command, places, heroines = DEEDS[deed]
    for kind in KINDS:
        for is_heroine in (False, True):
            book = playing(S1, S2)
            at = book.state.place_of_kind(kind, number_of(kind)).id
            if is_heroine:
                book.when(UseCharacter(character=stage.heroine(book.state, S1, 1, at).id), by=S1)
            else:
                move(book, smith(book, S1), kind, number_of(kind))
            code = (
                "character.smith_only" if is_heroine and not heroines else "place.wrong" if kind not in places else ""
            )
            if code:
                with refused(code, book.state):
                    book.when(command, by=S1)
            else:
                assert of_kind(book.when(command, by=S1), ActionDeclared)


@pytest.mark.rule("FB-DRG-1", "FB-RUI-1", "FB-VIL-1", "FB-PRI-1", "FB-FOR-1", "FB-TRN-5")
@pytest.mark.parametrize(
    ("deed", "kind", "power", "vp", "resource", "secret", "swayed"),
    [
        ("face-dragon", PlaceKind.LAIR, 8, 8, 0, 0, False), ("explore-ruins", PlaceKind.RUINS, 6, 1, 0, 1, False),
        ("assist-village", PlaceKind.VILLAGE, 1, 0, 1, 0, False), ("beseech-prince", PlaceKind.CITY, 8, 0, 0, 0, True),
    ],
)  # fmt: skip
def test_what_a_won_deed_is_against_and_what_it_brings(deed, kind, power, vp, resource, secret, swayed):
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), *[12] * 30)
    move(book, smith(book, S1), kind, number_of(kind))
    command = type(DEEDS[deed][0])(pool=pool(12, 12, 12, sacrifice=[12] * 27))
    happened = book.when(command, by=S1)
    assert [e.power for e in of_kind(happened, ActionDeclared)] == [power] and of_kind(happened, ConflictWon)
    purse = book.state.purses[S1]
    assert (purse.vp, purse.resource, purse.secret, purse.is_swayed) == (vp, resource, secret, swayed)
    other = book.state.purses[S2]
    assert (other.vp, other.resource, other.secret, other.is_swayed) == (0, 0, 0, False)
    assert len(of_kind(happened, DiceLost)[0].dice) == 27 and violations(book.state) == []


@pytest.mark.rule("FB-CON-3", "FB-CON-4")
@pytest.mark.parametrize(("against", "won"), [(23, True), (24, True), (25, False)])
def test_a_tie_is_won_and_a_lost_roll_costs_no_sacrifice(against, won):
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.LAIR)
    book.state.set_place(smith(book, S1).place, power=3)
    give_dice(book, smith(book, S1), 12, 12, 8, 4)
    planted = [d(12, "own", 9, 9), d(8, "own", 4), d(4, "own", 2), d(12, "against", 8, 8, against - 16)]
    happened = book.when(FaceDragon(pool=pool(12, 12, 8, sacrifice=(4,))), by=S1, dice=planted)
    assert bool(of_kind(happened, ConflictWon)) is won and bool(of_kind(happened, ConflictFailed)) is not won
    assert [e.dice for e in of_kind(happened, DiceLost)] == ([(4,)] if won else [])


@pytest.mark.rule("FB-CON-1", "FB-CON-6", "FB-CON-9", "FB-AMB-9")
@pytest.mark.parametrize(
    ("free", "sacrifice", "code"),
    [
        ((), (), "dice.none"), ((), (12,), "pool.size"), ((12, 8), (8,), "pool.size"), ((12, 8, 8, 4), (), "pool.size"),
        ((12, 12), (), "die.missing"), ((12, 8, 8), (8,), "die.missing"), ((12, 8, 8), (12,), "die.missing"),
        ((12, 8, 8), (4,), ""), ((12,), (), ""), ((12, 8, 8), (), ""),
    ],
)  # fmt: skip
def test_one_to_three_free_dice_and_sacrifices_beside_three(free, sacrifice, code):
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.LAIR)
    give_dice(book, smith(book, S1), 12, 8, 8, 4)
    command = FaceDragon(pool=pool(*free, sacrifice=sacrifice))
    if code:
        with refused(code, book.state):
            book.when(command, by=S1)
    else:
        assert of_kind(book.when(command, by=S1), PoolRolled)


@pytest.mark.rule("FB-CON-2", "FB-CON-7", "FB-AMB-32", "FB-AMB-33")
def test_artifacts_are_refused_once_with_a_reason_and_the_new_pool_adds_none():
    book = playing(S1, S2, options=REFEREE)
    move(book, smith(book, S1), PlaceKind.LAIR)
    own = smith(book, S1)
    a, b, c = (stage.artifact(book.state, number, own, own.id, (4,)).id for number in (7, 8, 9))
    book.when(FaceDragon(), by=S1)
    with refused("prompt.not_yours", book.state):
        book.when(DescribeDanger(text="Fire."), by=S1)
    book.when(DescribeDanger(text="Fire."), by=GM)
    with refused("prompt.not_yours", book.state):
        book.when(ChoosePool(pool=pool(12)), by=S2)
    book.when(ChoosePool(pool=pool(12, artifacts=(a, b))), by=S1)
    for ruling, code in (
        (RuleArtifacts(refused=(c,), reason="Not here."), "artifact.not_in_pool"),
        (RuleArtifacts(refused=(a,)), "reason.missing"), (RuleArtifacts(refused=(a,), reason=" "), "reason.missing"),
    ):  # fmt: skip
        with refused(code, book.state):
            book.when(ruling, by=GM)
    book.when(RuleArtifacts(refused=(a,), reason="It is wet."), by=GM)
    with refused("prompt.closed", book.state):
        book.when(StepBack(), by=S1)
    for again in (pool(8, artifacts=(a,)), pool(8, artifacts=(c,)), pool(8, artifacts=(b, c))):
        with refused("artifact.refused", book.state):
            book.when(ChoosePool(pool=again), by=S1)
    happened = book.when(ChoosePool(pool=pool(8, 8, artifacts=(b,))), by=S1)
    (rolled,) = of_kind(happened, PoolRolled)
    assert (rolled.free, rolled.artifacts) == ((8, 8), (b,)) and book.state.question(Asked.RULING) is None


@pytest.mark.rule("FB-CON-7", "FB-GM-2")
@pytest.mark.parametrize(("named", "asked"), [(False, False), (True, True)])
def test_a_ruling_is_asked_only_where_artifacts_are_named(named, asked):
    book = playing(S1, S2, options=REFEREE)
    move(book, smith(book, S1), PlaceKind.LAIR)
    own = smith(book, S1)
    thing = stage.artifact(book.state, 7, own, own.id, (4,)).id
    book.when(FaceDragon(pool=pool(12, artifacts=(thing,) if named else ())), by=S1)
    book.when(DescribeDanger(text=""), by=GM)
    assert (book.state.question(Asked.RULING) is not None) is asked
    if asked:
        assert of_kind(book.when(RuleArtifacts(), by=GM), PoolRolled)


# --- turns and the end ------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-TRN-1", "FB-TRN-3")
def test_a_character_is_chosen_among_the_own_ones_before_the_first_move():
    book = playing(S1, S2)
    village = book.state.place_of_kind(PlaceKind.VILLAGE, 3).id
    ours, theirs = stage.heroine(book.state, S1, 1, village), stage.heroine(book.state, S2, 1, village)
    with refused("character.foreign", book.state):
        book.when(UseCharacter(character=theirs.id), by=S1)
    with refused("turn.not_yours", book.state):
        book.when(UseCharacter(character=theirs.id), by=S2)
    book.when(UseCharacter(character=ours.id), by=S1)
    book.when(UseCharacter(character=smith(book, S1).id), by=S1)
    book.when(Journey(to=book.state.place_of_kind(PlaceKind.CITY).id), by=S1)
    for own in (ours.id, smith(book, S1).id):
        with refused("turn.begun", book.state):
            book.when(UseCharacter(character=own), by=S1)


@pytest.mark.rule("FB-DRG-2", "FB-AMB-13")
@pytest.mark.parametrize(
    ("slayer", "last"), [(S1, (S2, S3, S4)), (S2, (S3, S4, S1)), (S3, (S4, S1, S2)), (S4, (S1, S2, S3))]
)
def test_every_other_player_has_one_more_turn_beginning_after_the_slayer(slayer, last):
    book = playing(S1, S2, S3, S4)
    while book.state.course.active != slayer:
        book.when(EndTurn(), by=book.state.course.active)
    move(book, smith(book, slayer), PlaceKind.LAIR)
    book.state.set_place(smith(book, slayer).place, power=1)
    for seat in (S1, S2, S3, S4):
        book.state.set_purse(seat, vp=1 if seat == slayer else 2)
    happened = book.when(
        FaceDragon(pool=pool(12, 12, 12)), by=slayer, dice=[d(12, "own", 12, 12, 12), d(12, "against", 1)]
    )
    assert [e.seats for e in of_kind(happened, LastTurnsStarted)] == [last]
    for seat in last:
        assert (book.state.course.active, book.state.course.step) == (seat, Step.LAST_TURNS)
        happened = book.when(EndTurn(), by=seat)
    (finished,) = of_kind(happened, GameFinished)
    assert set(finished.winners) == {S1, S2, S3, S4} and finished.reason == "dragon"


@pytest.mark.rule("FB-END-1", "FB-TRN-6")
@pytest.mark.parametrize("limit", [1, 3])
def test_the_game_ends_after_the_round_of_its_limit_and_that_one_says_it_is_the_last(limit):
    book = playing(S1, S2, options=f'{{"referee":"none","round_limit":{limit}}}')
    said = []
    for _ in range(limit):
        assert book.state.course.step is Step.TURN
        for seat in (S1, S2):
            happened = book.when(EndTurn(), by=seat)
            said += [(e.round, e.last) for e in of_kind(happened, RoundStarted)]
    assert book.state.course.step is Step.FINISHED
    assert said == [(number, number == limit) for number in range(2, limit + 1)]


@pytest.mark.rule("FB-END-2", "FB-AMB-58")
@pytest.mark.parametrize("by", [HOST, GM])
def test_time_is_called_once_with_a_reason(by):
    book = playing(S1, S2)
    for reason in ("", "  "):
        with refused("reason.missing", book.state):
            book.when(CallTime(reason=reason), by=by)
    book.when(CallTime(reason="late"), by=by)
    with refused("time.called", book.state):
        book.when(CallTime(reason="late"), by=by)
    assert not of_kind(book.when(EndTurn(), by=S1), GameFinished)
    (finished,) = of_kind(book.when(EndTurn(), by=S2), GameFinished)
    assert finished.reason == "called" and set(finished.winners) == {S1, S2}


@pytest.mark.rule("FB-SET-3")
@pytest.mark.parametrize(
    ("own", "code"),
    [
        ((12,) * 6, ""), ((12,) * 5 + (8, 4), ""), ((12,) * 5 + (10, 4), "dice.faces"), ((4,) * 18, ""), ((4,), ""),
        ((4,) * 19, "dice.faces"), ((), "dice.none"),
    ],
)  # fmt: skip
def test_a_smith_has_one_die_at_least_and_seventy_two_faces_at_most(own, code):
    book = on_map_a(S1, S2, options='{"drop":"table","referee":"person"}')
    book.when(AcceptMap(), by=GM)
    command = DefineSmith(name="Wayland", dice=own)
    if code:
        with refused(code, book.state):
            book.when(command, by=S1)
    else:
        book.when(command, by=S1)
