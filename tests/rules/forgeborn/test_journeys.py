"""Turns: who is used, journeys, handing over, rounds (chapter 3)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.game_state import Seat
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.claims.events import ArtifactHanded, ClaimUsed
from games.forgeborn.rules.gains.rules import gain_token
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import (
    Asked,
    CameBy,
    CharacterKind,
    Deed,
    PlaceKind,
    Token,
    WayKind,
)  # fmt: skip
from games.forgeborn.rules.turns.commands import EndTurn, GiveArtifact, Journey, TakeBackArtifact, UseCharacter
from games.forgeborn.rules.turns.events import CharacterChosen, Journeyed, RoundStarted, TurnEnd, TurnEnded, TurnStarted
from games.forgeborn.rules.turns.rules import start_last_turns
from tests.playbook import Playbook, event_like, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.lobby import of_kind
from tests.rules.forgeborn.table import GM_SEAT, S1, S2, S3, S4, move, playing, smith

CITADEL, CITY, VILLAGE = PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.VILLAGE
THING = UUID(int=0x401)


def at(book: Playbook, kind: PlaceKind, number: int = 0) -> UUID:
    return book.state.place_of_kind(kind, number).id


def heroine(book: Playbook, seat: UUID, number: int, kind: PlaceKind, place: int = 0) -> Character:
    return stage.heroine(book.state, seat, number, at(book, kind, place))


def held_by_smith(book: Playbook, seat: UUID, number: int = 1) -> UUID:
    """An artifact in the hands of a Smith."""
    return stage.artifact(book.state, number, smith(book, S1), smith(book, seat).id).id


@pytest.mark.rule("FB-EX-26", "FB-TRN-2", "FB-AMB-6")
def test_the_second_road_ends_the_turn_and_a_trail_after_a_road_is_not_legal() -> None:
    book = playing(S1, S2)
    happened = book.when(Journey(to=at(book, CITY)), by=S1)
    assert happened == [event_like(Journeyed, old=at(book, CITADEL), new=at(book, CITY))]
    assert [event.kind for event in of_kind(happened, Journeyed)] == [WayKind.ROAD]
    happened = book.when(Journey(to=at(book, VILLAGE, 1)), by=S1)
    assert of_kind(happened, TurnEnded) == [event_like(TurnEnded, seat=S1, reason=TurnEnd.JOURNEY)]
    assert (book.state.course.active, smith(book, S1).place) == (S2, at(book, VILLAGE, 1))
    book.when(Journey(to=at(book, VILLAGE, 2)), by=S2)
    with refused("journey.limit", book.state):
        book.when(Journey(to=at(book, PlaceKind.FOREST)), by=S2)
    book.when(EndTurn(), by=S2)
    assert book.state.course.active == S1


@pytest.mark.rule("FB-TRN-2")
def test_a_trail_is_a_whole_turn_and_places_without_a_way_are_not_reached() -> None:
    book = playing(S1, S2)
    with refused("route.missing", book.state):
        book.when(Journey(to=at(book, PlaceKind.LAIR)), by=S1)
    with refused("route.missing", book.state):
        book.when(Journey(to=at(book, CITADEL)), by=S1)
    with refused("place.missing", book.state):
        book.when(Journey(to=UUID(int=9)), by=S1)
    happened = book.when(Journey(to=at(book, VILLAGE, 3)), by=S1)
    assert of_kind(happened, TurnEnded) == [event_like(TurnEnded, seat=S1, reason=TurnEnd.JOURNEY)]


@pytest.mark.rule("FB-TRN-2")
def test_a_turn_may_end_at_once_or_after_a_road() -> None:
    book = playing(S1, S2)
    assert of_kind(book.when(EndTurn(), by=S1), TurnEnded) == [event_like(TurnEnded, seat=S1, reason=TurnEnd.ENDED)]
    book.when(Journey(to=at(book, CITY)), by=S2)
    book.when(EndTurn(), by=S2)
    assert (book.state.course.active, smith(book, S2).place) == (S1, at(book, CITY))
    book.when(Journey(to=at(book, CITY)), by=S1)
    happened = book.wait(timedelta(minutes=5))
    assert of_kind(happened, TurnEnded) == [event_like(TurnEnded, seat=S1, reason=TurnEnd.DEADLINE)]
    assert smith(book, S1).place == at(book, CITY), "what was moved stays moved"


@pytest.mark.rule("FB-EX-92", "FB-TRN-2")
def test_after_the_second_road_there_is_no_action() -> None:
    book = playing(S1, S2)
    book.when(Journey(to=at(book, VILLAGE, 2)), by=S1)
    book.when(Journey(to=at(book, CITADEL)), by=S1)
    deed = RULESET.commands.get("explore-ruins", EndTurn)
    with refused("turn.not_yours", book.state):
        book.when(deed(), by=S1)


@pytest.mark.rule("FB-EX-70", "FB-TRN-1", "FB-TRN-3")
def test_another_character_is_used_before_the_first_move_alone() -> None:
    book = playing(S1, S2)
    own, foreign = heroine(book, S1, 1, CITY), heroine(book, S2, 1, CITY)
    with refused("character.foreign", book.state):
        book.when(UseCharacter(character=foreign.id), by=S1)
    with refused("character.missing", book.state):
        book.when(UseCharacter(character=UUID(int=9)), by=S1)
    book.when(Journey(to=at(book, CITY)), by=S1)
    with refused("turn.begun", book.state):
        book.when(UseCharacter(character=own.id), by=S1)
    with refused("turn.not_yours", book.state):
        book.when(UseCharacter(character=foreign.id), by=S2)


@pytest.mark.rule("FB-TRN-1", "FB-TRN-3")
def test_the_chosen_character_does_the_whole_turn_and_the_next_turn_is_the_smiths() -> None:
    book = playing(S1, S2)
    own = heroine(book, S1, 1, CITY)
    assert book.when(UseCharacter(character=own.id), by=S1) == [event_like(CharacterChosen, seat=S1, character=own.id)]
    book.when(UseCharacter(character=smith(book, S1).id), by=S1)
    book.when(UseCharacter(character=own.id), by=S1)
    book.when(Journey(to=at(book, VILLAGE, 1)), by=S1)
    assert book.state.characters[own.id].place == at(book, VILLAGE, 1)
    assert smith(book, S1).place == at(book, CITADEL)
    book.when(EndTurn(), by=S1)
    book.when(EndTurn(), by=S2)
    acting = book.state.acting_character()
    assert acting.id == smith(book, S1).id


@pytest.mark.rule("FB-TRN-2", "FB-PRI-3")
def test_who_arrives_with_a_claim_has_the_artifact_before_the_turn_goes_on() -> None:
    book = playing(S1, S2)
    move(book, smith(book, S1), CITY)
    book.state.set_purse(S1, claim=THING)
    happened = book.when(Journey(to=at(book, CITADEL)), by=S1)
    assert [type(event) for event in happened] == [Journeyed, ClaimUsed]
    assert book.state.course.active == S1


@pytest.mark.rule("FB-EX-44", "FB-TRN-4", "FB-AMB-7", "FB-AMB-28", "FB-AMB-31")
def test_the_smith_gives_to_any_heroine_there_and_takes_back_from_own_ones_alone() -> None:
    book = playing(S1, S2)
    far, foreign = heroine(book, S1, 1, VILLAGE, 4), heroine(book, S2, 1, VILLAGE, 2)
    move(book, smith(book, S1), VILLAGE, 2)
    thing = held_by_smith(book, S1, 2)
    book.when(UseCharacter(character=far.id), by=S1)
    asked = dict(book.state.prompts)
    happened = book.when(GiveArtifact(artifact=thing, heroine=foreign.id), by=S1)
    assert happened == [event_like(ArtifactHanded, artifact=thing, giver=smith(book, S1).id, taker=foreign.id)]
    assert dict(book.state.prompts) == asked, "nobody is asked"
    assert (book.state.artifacts[thing].holder, book.state.artifacts[thing].came_by) == (foreign.id, CameBy.GIFT)
    with refused("character.foreign", book.state):
        book.when(TakeBackArtifact(artifact=thing), by=S1)
    another = held_by_smith(book, S1, 3)
    book.state.actions[UUID(int=77)] = Action(UUID(int=77), Deed.ASSIST_VILLAGE, S1, far.id, far.place)
    for command in (GiveArtifact(artifact=another, heroine=foreign.id), TakeBackArtifact(artifact=another), EndTurn()):
        with refused("prompt.open", book.state):
            book.when(command, by=S1)


@pytest.mark.rule("FB-TRN-4", "FB-AMB-28", "FB-AMB-42")
def test_handing_over_is_free_any_number_of_times_and_there_is_no_limit_to_what_is_held() -> None:
    book = playing(S1, S2)
    own = heroine(book, S1, 1, CITADEL)
    things = [held_by_smith(book, S1, number) for number in (2, 3, 4)]
    for thing in things:
        book.when(GiveArtifact(artifact=thing, heroine=own.id), by=S1)
    assert [artifact.id for artifact in book.state.artifacts_of(own.id)] == things
    book.when(TakeBackArtifact(artifact=things[0]), by=S1)
    book.when(GiveArtifact(artifact=things[0], heroine=own.id), by=S1)
    book.when(Journey(to=at(book, CITY)), by=S1)
    assert (book.state.course.active, book.state.course.roads) == (S1, 1)
    with refused("character.elsewhere", book.state):
        book.when(TakeBackArtifact(artifact=things[0]), by=S1)


@pytest.mark.rule("FB-TRN-4")
def test_nothing_else_can_be_handed_over() -> None:
    book = playing(S1, S2)
    own, away = heroine(book, S1, 1, CITADEL), heroine(book, S1, 2, CITY)
    mine, theirs = held_by_smith(book, S1, 2), held_by_smith(book, S2, 3)
    refusals = [
        ("artifact.not_held", GiveArtifact(artifact=theirs, heroine=own.id)),
        ("artifact.not_held", GiveArtifact(artifact=THING, heroine=own.id)),
        ("character.elsewhere", GiveArtifact(artifact=mine, heroine=away.id)),
        ("character.heroine_only", GiveArtifact(artifact=mine, heroine=smith(book, S2).id)),
        ("artifact.not_held", TakeBackArtifact(artifact=mine)),
        ("artifact.not_held", TakeBackArtifact(artifact=theirs)),
        ("artifact.not_held", TakeBackArtifact(artifact=THING)),
        ("artifact.missing", TakeBackArtifact(artifact=UUID(int=9))),
        ("character.missing", GiveArtifact(artifact=mine, heroine=UUID(int=9))),
    ]
    for code, command in refusals:
        with refused(code, book.state):
            book.when(command, by=S1)
    with refused("turn.not_yours", book.state):
        book.when(GiveArtifact(artifact=theirs, heroine=own.id), by=S2)


@pytest.mark.rule("FB-TRN-5")
def test_tokens_are_the_players_wherever_they_were_won() -> None:
    book = playing(S1, S2)
    heroine(book, S1, 1, VILLAGE, 4)
    book.plant(*gain_token(book.state, S1, Token.SECRET))
    assert (book.state.purses[S1].secret, book.state.purses[S2].secret) == (1, 0)
    assert not {"secret", "resource", "vp"} & set(Character.__dataclass_fields__)


@pytest.mark.rule("FB-AMB-25")
def test_there_is_one_kind_of_heroine_with_a_free_description() -> None:
    assert set(CharacterKind) == {CharacterKind.SMITH, CharacterKind.HEROINE}
    assert "text" in Character.__dataclass_fields__


@pytest.mark.rule("FB-TRN-6", "FB-AMB-47")
def test_a_round_is_one_turn_of_every_seat_and_one_that_nobody_holds_is_passed_over() -> None:
    book = playing(S1, S2, S3)
    book.state.seats[S2] = replace(book.state.seats[S2], user=None)
    happened = book.when(EndTurn(), by=S1)
    assert of_kind(happened, TurnStarted, TurnEnded) == [
        event_like(TurnEnded, seat=S1), event_like(TurnStarted, seat=S2),
        event_like(TurnEnded, seat=S2, reason=TurnEnd.ABSENT), event_like(TurnStarted, seat=S3),
    ]  # fmt: skip
    happened = book.when(EndTurn(), by=S3)
    assert of_kind(happened, RoundStarted) == [event_like(RoundStarted, round=2, last=False, seats=(S1, S2, S3))]
    assert (book.state.chapter, book.state.course.active) == (2, S1)


@pytest.mark.rule("FB-EX-93", "FB-TRN-6", "FB-DRG-2")
def test_the_last_turns_are_a_round_of_their_own() -> None:
    book = playing(S1, S2, S3, S4)
    book.state.set_course(round=7)
    for seat in (S1, S2):
        book.when(EndTurn(), by=seat)
    book.plant(*start_last_turns(book.state, S3))
    happened = book.when(EndTurn(), by=S3)
    assert of_kind(happened, RoundStarted) == [event_like(RoundStarted, round=8, last=True, seats=(S4, S1, S2))]
    for seat in (S4, S1, S2):
        assert book.state.course.active == seat
        book.when(EndTurn(), by=seat)
    assert (book.state.course.step, book.state.course.round) == ("finished", 8)


@pytest.mark.rule("FB-TRN-1", "FB-TRN-2")
def test_what_a_turn_offers_is_accepted() -> None:
    book = playing(S1, S2)
    heroine(book, S1, 1, CITADEL)
    held_by_smith(book, S1, 2)
    commands: list[Any] = [UseCharacter, Journey, GiveArtifact, TakeBackArtifact, EndTurn]
    offered = legal_commands_for(book.state, commands, Actor(Issuer.SEAT, seat=S1))
    assert [legal.command for legal in offered] == [
        "use-character",
        "journey",
        "journey",
        "journey",
        "give-artifact",
        "end-turn",
    ]
    assert all(legal.legal for legal in offered)
    book.when(Journey(to=at(book, VILLAGE, 2)), by=S1)
    barred = [legal for legal in legal_commands_for(book.state, commands, Actor(Issuer.SEAT, seat=S1)) if legal.barred]
    assert [(legal.command, legal.barred.code) for legal in barred if legal.barred] == [
        ("use-character", "turn.begun"), ("journey", "journey.limit"),
    ]  # fmt: skip
    waiting = legal_commands_for(book.state, commands, Actor(Issuer.SEAT, seat=S2))
    assert {legal.barred.code for legal in waiting if legal.barred} == {"turn.not_yours"}


@pytest.mark.rule("FB-GM-4")
def test_the_game_master_acts_for_an_absent_seat() -> None:
    book = playing(S1, S2)
    happened = book.when(EndTurn(), by=Actor(Issuer.GM, seat=GM_SEAT, on_behalf_of=S1))
    assert of_kind(happened, TurnEnded) == [event_like(TurnEnded, seat=S1)]
    assert [record.on_behalf_of for record in book.log if isinstance(record.event, TurnEnded)] == [S1]
    assert isinstance(book.state.seats[S1], Seat)
    assert book.state.question(Asked.TURN) is not None
