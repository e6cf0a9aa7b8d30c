"""The state of Forgeborn: what always holds of it, who may read what, and what every chapter asks of it.

Long for one reason: each invariant is broken by a case of its own.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest

from games.engine.audience import GM, PUBLIC, seat_and_gm, seats
from games.engine.game_state import GameState, Prompt, Role, Seat, Timer
from games.engine.lifecycle.seating import SeatTaken
from games.engine.prompts.prompt import timer_key
from games.engine.state import Rows
from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.state.constants import MOST_FACES, PLAIN_DICE
from games.forgeborn.rules.state.dice import (
    are_held,
    dice_of,
    fields_of,
    larger,
    number_of_dice,
    number_of_faces,
    numbers_of,
)
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.records import (
    Action,
    AdvanceAnswer,
    Ballot,
    Draft,
    Line,
    Nameplate,
    Note,
    Purse,
    Seal,
    SentPool,
    Vote,
    Way,
)
from games.forgeborn.rules.state.schema_types import (
    Asked,
    Deed,
    ListName,
    PlaceKind,
    Size,
    Stage,
    StandingAnswer,
    StandingKind,
    Step,
    WayKind,
)
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words, plain_name
from tests.playbook import refused
from tests.rules.forgeborn.maps import MAP_A, STANDARD
from tests.rules.forgeborn.stage import (
    GAME,
    S1,
    S2,
    S3,
    artifact,
    heroine,
    lay_map,
    new_state,
    playing,
    smith,
)

THING = UUID(int=0x401)
VOTE = UUID(int=0x500)
NOWHERE = UUID(int=0xDEAD)
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def citadel(state: State) -> UUID:
    return state.place_of_kind(PlaceKind.CITADEL).id


def smith_id(seat: UUID) -> UUID:
    return UUID(int=seat.int + 0x200)


def test_the_type_of_each_table_is_that_of_its_record_and_of_its_key() -> None:
    hints = {name: hint for name, hint in get_type_hints(State).items() if get_origin(hint) is Rows}
    assert set(hints) == set(State.tables)
    for name, declared in State.tables.items():
        key, record = get_args(hints[name])
        fields = get_type_hints(record)
        assert declared.record is record, name
        assert (get_args(key) or (key,)) == tuple(fields[part] for part in declared.key), name
        assert set(declared.over) <= set(fields), name


@pytest.mark.rule("FB-GM-6")
def test_a_game_that_has_begun_is_sound() -> None:
    assert violations(new_state()) == []
    state = new_state()
    lay_map(state, build(MAP_A, STANDARD))
    assert violations(state) == []
    assert violations(playing()) == []


def spoil_purse(**changes: Any) -> Callable[[State], None]:
    return lambda state: state.set_purse(S1, **changes)


def spoil_thing(**changes: Any) -> Callable[[State], None]:
    return lambda state: state.set_artifact(THING, **changes)


def spoil_smith(**changes: Any) -> Callable[[State], None]:
    return lambda state: state.set_character(smith_id(S1), **changes)


def spoil_course(**changes: Any) -> Callable[[State], None]:
    return lambda state: state.set_course(**changes)


def spoil_place(of: PlaceKind, number: int, **changes: Any) -> Callable[[State], None]:
    return lambda state: state.set_place(state.place_of_kind(of, number).id, **changes)


def cut_the_lair_off(state: State) -> None:
    lair = state.place_of_kind(PlaceKind.LAIR).id
    (way,) = [ends for ends in state.ways if lair in ends]
    del state.ways[way]


def join(one: PlaceKind, other: PlaceKind, kind: WayKind) -> Callable[[State], None]:
    def add(state: State) -> None:
        a, b = state.place_of_kind(one, int(one is PlaceKind.VILLAGE)).id, state.place_of_kind(other).id
        state.ways[a, b] = Way(a, b, kind)

    return add


def double_way(state: State) -> None:
    (a, b), way = next(iter(state.ways.items()))
    state.ways[b, a] = Way(b, a, way.kind)


def way_to_nowhere(state: State) -> None:
    state.ways[citadel(state), NOWHERE] = Way(citadel(state), NOWHERE, WayKind.ROAD)


def two_actions(state: State) -> None:
    for number in (1, 2):
        at = UUID(int=0x600 + number)
        state.actions[at] = Action(at, Deed.CONTEST_ARTIFACT, S1, smith_id(S1), citadel(state))


def foreign_action(state: State) -> None:
    state.actions[VOTE] = Action(VOTE, Deed.CONTEST_ARTIFACT, S2, smith_id(S2), citadel(state))


def foreign_ballot(state: State) -> None:
    state.votes[VOTE] = Vote(VOTE, THING, S1, (S2,))
    state.ballots[VOTE, S3] = Ballot(VOTE, S3, True)


def early_ballot(state: State) -> None:
    state.votes[VOTE] = Vote(VOTE, THING, S1, (S2,))
    state.ballots[VOTE, S2] = Ballot(VOTE, S2, True, is_open=True)


def sealed_for_ever(state: State) -> None:
    state.votes[VOTE] = Vote(VOTE, THING, S1, (S2,), is_agreed=True)
    state.ballots[VOTE, S2] = Ballot(VOTE, S2, True)


def two_of_one_name(state: State) -> None:
    state.set_character(smith_id(S1), name="Brika")
    state.set_character(smith_id(S2), name="brika")


def second_smith(state: State) -> None:
    other = replace(state.characters[smith_id(S1)], id=NOWHERE, name="Another")
    state.characters[NOWHERE] = other


def no_smith(state: State) -> None:
    del state.characters[smith_id(S3)]


def second_thing_of_one_name(state: State) -> None:
    artifact(state, 2, state.characters[smith_id(S1)], citadel(state))
    state.set_artifact(UUID(int=0x402), name="THING 1")


@pytest.mark.rule("FB-GM-6", "FB-ROW-1", "FB-AMB-17")
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoil_purse(vp=-1), "less than nothing"),
        (spoil_purse(resource=-1), "less than nothing"),
        (spoil_purse(secret=-1), "less than nothing"),
        (spoil_purse(claim=NOWHERE), "claims what does not lie in the Vault"),
        (spoil_smith(d6=-1), "less than no dice"),
        (spoil_smith(place=NOWHERE), "stands in no place"),
        (spoil_smith(number=1), "Heroines are numbered"),
        (spoil_thing(power=3), "is the number of its dice"),
        (spoil_thing(power=0, d4=0, d8=0), "is the number of its dice"),
        (spoil_thing(power=2, d4=-1, d8=3), "is the number of its dice"),
        (spoil_thing(holder=NOWHERE), "is held by a character"),
        (cut_the_lair_off, "Lair of the Dragon cannot be reached"),
        (join(PlaceKind.CITADEL, PlaceKind.FOREST, WayKind.TRAIL), "The Forest has one way"),
        (double_way, "no two ways the same ones"),
        (way_to_nowhere, "leads to no place"),
        (spoil_place(PlaceKind.VILLAGE, 1, is_spent=True), "cannot be spent"),
        (spoil_place(PlaceKind.VILLAGE, 1, power=0), "every place but the Forest has a Power"),
        (spoil_place(PlaceKind.FOREST, 0, power=1), "every place but the Forest has a Power"),
        (spoil_place(PlaceKind.VILLAGE, 1, name="village 2"), "2 of the kind place"),
        (spoil_place(PlaceKind.CITY, 0, kind=PlaceKind.RUINS), "A map has one city, not 0"),
        (two_of_one_name, "2 of the kind smith"),
        (second_smith, "has 2 Smiths"),
        (no_smith, "has 0 Smiths"),
        (second_thing_of_one_name, "2 of the kind artifact"),
        (spoil_course(step=Step.SMITHS), "at no other time"),
        (spoil_course(step=Step.LAST_TURNS), "follow the fall of the Dragon"),
        (spoil_course(slayer=NOWHERE), "no place in the order"),
        (spoil_course(character=smith_id(S2)), "one of the seat whose turn it is"),
        (two_actions, "One action is open"),
        (foreign_action, "An open action is one of the seat"),
        (foreign_ballot, "A ballot is of a seat that votes"),
        (early_ballot, "Ballots are sealed exactly while"),
        (sealed_for_ever, "Ballots are sealed exactly while"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(spoil: Callable[[State], None], words: str) -> None:
    state = playing()
    spoil(state)
    found = violations(state)
    assert len(found) == 1 and words in found[0], found
    with refused("amend.invalid"):
        state.invariants()


@pytest.mark.rule("FB-GM-6")
def test_a_claim_on_what_somebody_holds_cannot_be() -> None:
    state = playing()
    state.set_purse(S2, claim=THING)
    assert violations(state) == []
    state.set_artifact(THING, holder=smith_id(S1))
    assert violations(state) == ["Seat 12 claims what does not lie in the Vault."]


def test_the_dice_of_a_draft_are_its_seats_and_the_gms_and_its_name_is_public() -> None:
    state = new_state()
    state.drafts[S1] = Draft(S1, **fields_of((12, 4)))
    state.nameplates[S1] = Nameplate(S1, "Brika")
    assert State.tables["drafts"].readers(state.drafts[S1]) == seat_and_gm(S1)
    assert State.tables["nameplates"].readers(state.nameplates[S1]) == PUBLIC
    other = state.view_for(frozenset({S2}))
    assert (other.drafts, other.nameplates) == ({}, state.nameplates)
    assert state.view_for(frozenset({S1})).drafts == state.drafts
    assert state.view_for(frozenset(), gm=True).drafts == state.drafts


def test_a_ballot_is_for_its_seat_alone_until_the_vote_closes() -> None:
    state = playing()
    state.votes[VOTE] = Vote(VOTE, THING, S1, (S2, S3))
    state.ballots[VOTE, S2], state.seals[VOTE, S2] = Ballot(VOTE, S2, True), Seal(VOTE, S2)
    assert State.tables["ballots"].readers(state.ballots[VOTE, S2]) == seats(S2)
    for viewer in (state.view_for(frozenset({S3})), state.view_for(frozenset(), gm=True)):
        assert viewer.ballots == {} and list(viewer.seals) == [(VOTE, S2)], "that it is in is public"
    assert state.view_for(frozenset({S2})).ballots == state.ballots
    state.ballots[VOTE, S2] = Ballot(VOTE, S2, True, is_open=True)
    assert state.view_for(frozenset({S3})).ballots == state.ballots


def test_a_standing_answer_is_for_its_seat_alone() -> None:
    word = AdvanceAnswer(S1, StandingKind.VAULT, StandingAnswer.NO)
    assert State.tables["advance_answers"].readers(word) == seats(S1)


def test_a_pool_sent_along_is_for_its_seat_alone_until_it_is_used() -> None:
    assert State.tables["sent_pools"].readers(SentPool(VOTE, S1, True, free=(Size.D12,))) == seats(S1)


@pytest.mark.parametrize(
    ("_case", "line", "readers"),
    [
        ("by a player", Line(VOTE, ListName.NAMES, 1, "Brika", drawer=S1), seat_and_gm(S1)),
        ("by a game-master", Line(VOTE, ListName.THREATS, 2, "wolves"), GM),
        ("by the service", Line(VOTE, ListName.THREATS, 2, "wolves", is_public=True), PUBLIC),
    ],
)
def test_a_line_is_for_its_drawer_and_the_gms_and_one_of_the_service_for_all(
    _case: str, line: Line, readers: str
) -> None:
    assert State.tables["lines"].readers(line) == readers
    assert State.tables["notes"].readers(Note(VOTE, "The dragon sleeps.")) == GM


def test_all_else_is_on_the_table() -> None:
    secret = {"drafts", "sent_pools", "ballots", "notes", "lines", "advance_answers"}
    own = {name: declared for name, declared in State.tables.items() if name not in GameState.tables}
    assert {name for name, declared in own.items() if declared.judge is not None} == secret


def test_a_game_master_corrects_what_lies_on_the_table_and_no_secret() -> None:
    assert State.amendable() == {"courses", "places", "ways", "characters", "artifacts", "purses"}


def test_a_fifth_player_has_no_seat() -> None:
    state = new_state(*(UUID(int=n) for n in (11, 12, 13)))
    fourth, fifth = (Seat(UUID(int=n), Role.PLAYER, f"Seat {n}") for n in (14, 15))
    state.joining(fourth)
    state.seats[fourth.id] = fourth
    with refused("seats.full"):
        state.joining(fifth)
    state.joining(Seat(UUID(int=16), Role.OBSERVER, "Watcher"))


def test_seats_stand_in_the_order_in_which_they_were_taken_also_after_a_rewind() -> None:
    state = new_state(S3, S1, S2)
    assert [seat.id for seat in state.players()] == [S3, S1, S2]
    past = new_state(S3)
    for seat in (S1, S2):  # as the log is folded behind a rewind
        SeatTaken(seat=seat, role=Role.PLAYER, name=str(seat)).apply(past)
    state.become(past)
    assert {seat: chair.number for seat, chair in state.chairs.items()} == {S3: 1, S1: 2, S2: 3}


def test_the_smith_acts_unless_another_character_is_chosen() -> None:
    state = playing()
    first, second = heroine(state, S1, 1, citadel(state)), heroine(state, S1, 2, citadel(state))
    assert [c.id for c in state.characters_of(S1)] == [smith_id(S1), first.id, second.id]
    assert state.acting_character() == state.smith_of(S1)
    state.set_course(character=second.id)
    assert state.acting_character() == second and violations(state) == []
    assert State.acting_character(new_state()) is None


@pytest.mark.rule("FB-ROW-1")
def test_an_artifact_lies_in_the_vault_or_is_held() -> None:
    state = playing()
    thing = state.artifacts[THING]
    assert state.vault() == [thing] and state.artifacts_of(smith_id(S1)) == []
    state.set_artifact(THING, holder=smith_id(S1))
    assert state.vault() == [] and [a.id for a in state.artifacts_of(smith_id(S1))] == [THING]


def test_the_other_players_vote_whose_seats_are_held() -> None:
    state = playing()
    assert state.voters(S1) == (S2, S3)
    state.seats[S3] = replace(state.seats[S3], user=None)
    assert state.voters(S1) == (S2,)
    state.seats[S3] = replace(state.seats[S3], bot="steady")
    assert state.voters(S1) == (S2, S3)


@pytest.mark.rule("FB-AMB-13")
def test_the_most_victory_points_lead_and_equals_share() -> None:
    state = playing()
    for seat, vp in ((S1, 9), (S2, 14), (S3, 14)):
        state.purses[seat] = Purse(seat, vp=vp)
    assert state.leaders() == (S2, S3)
    state.set_purse(S1, vp=15)
    assert state.leaders() == (S1,)
    assert new_state().leaders() == (), "before the first turn nobody leads"


def test_ways_lead_from_both_of_their_places() -> None:
    state = playing()
    village, forest = state.place_of_kind(PlaceKind.VILLAGE, 2).id, state.place_of_kind(PlaceKind.FOREST).id
    assert list(state.ways_from(forest)) == [(village, WayKind.TRAIL)]
    assert dict(state.ways_from(village)) == {forest: WayKind.TRAIL, citadel(state): WayKind.ROAD}
    with refused("place.missing"):
        state.place_of_kind(PlaceKind.RUINS, 3)


def test_the_open_action_is_the_one_that_is_not_over() -> None:
    state = playing()
    assert state.action() is None
    state.actions[VOTE] = Action(VOTE, Deed.CONTEST_ARTIFACT, S1, smith_id(S1), citadel(state))
    assert state.action() == state.actions[VOTE]
    state.actions[VOTE] = replace(state.actions[VOTE], stage=Stage.OVER)
    assert state.action() is None


def test_a_round_is_the_chapter_and_a_step_refuses_what_belongs_to_another() -> None:
    state = playing()
    assert (state.chapter, state.step) == (1, "turn")
    with refused("phase.closed"):
        state.require(Step.MAP, Step.SMITHS)
    past = state.step_refusal(("map", "smiths"))
    assert (past.facts, past.message) == (
        {"step": "turn", "over": True},
        "A turn runs; this is done while the map is made or while Smiths are defined, and that is over. "
        "A GM may correct rows still.",
    )
    assert state.step_refusal(("last_turns",)).facts["over"] is False


@pytest.mark.parametrize("kind", [Asked.MAP, Asked.SMITHS, Asked.TURN])
def test_the_deadline_of_the_phase_is_that_of_its_question(kind: Asked) -> None:
    state, inner = playing(), UUID(int=0x701)
    for number, asked in ((VOTE, kind), (inner, Asked.POOL)):
        state.prompts[number] = Prompt(
            number, asked, "turn", 0, None, (), "first", PUBLIC, (), "?", THING, (), "", 0, False, NOON
        )  # fmt: skip
        key = timer_key(number)
        state.timers[key] = Timer(key, "settle-default", "{}", 1, NOON)
    assert state.phase_timer() == timer_key(VOTE)
    assert state.question(kind) == state.question(kind, THING) == VOTE
    assert state.question(kind, NOWHERE) is None and state.question(Asked.FOREST) is None
    del state.timers[timer_key(VOTE)]
    assert state.phase_timer() is None


@pytest.mark.rule("FB-CON-9")
def test_dice_are_counted_by_size() -> None:
    state = new_state()
    lay_map(state, build(MAP_A, STANDARD))
    found = smith(state, S1, (12, 4, 12, 6))
    assert dice_of(found) == (4, 6, 12, 12)
    assert numbers_of(found) == {4: 1, 6: 1, 8: 0, 10: 0, 12: 2}
    assert (number_of_dice(found), number_of_faces(dice_of(found))) == (4, 34)
    assert are_held((12, 12, 4), found) and are_held((), found)
    assert not are_held((12, 12, 12), found) and not are_held((8,), found) and not are_held((7,), found)
    assert replace(found, **fields_of(())).d12 == 0
    with pytest.raises(ValueError, match="7"):
        fields_of((7,))


def test_a_plain_smith_has_as_many_faces_as_a_smith_may_have() -> None:
    assert number_of_faces(PLAIN_DICE) == MOST_FACES == 72
    assert [PLAIN_DICE.count(size) for size in (12, 8, 4)] == [3, 3, 3]


def test_a_die_rises_by_one_size_and_a_d12_does_not() -> None:
    assert [larger(size) for size in Size] == [6, 8, 10, 12, None]


def test_dice_and_places_in_words() -> None:
    assert dice_in_words((8, 12, 12, 4)) == "2d12, d8, d4" and dice_in_words(()) == "no dice"
    assert [plain_name(PlaceKind.CITY, 0), plain_name(PlaceKind.RUINS, 3)] == ["City of the Prince", "Ruins 3"]
    assert GAME not in playing().places
