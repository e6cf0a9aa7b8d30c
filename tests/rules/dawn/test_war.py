"""The course of a war: sealed commits, stand-ins, and who is asked.

Long for one reason: a war is one course, and each of its questions is answered in several ways.
"""

import json
from dataclasses import replace
from hashlib import sha256
from uuid import UUID

import pytest

from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.schema_types import Asked, WarEnd, WarSide
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.war.battle_events import (
    ArmiesCommitted,
    ArmiesLost,
    ArmiesRevealed,
    BattleRolled,
    CityFell,
    CommitSealed,
)
from games.dawn.rules.war.commands import CommitArmies, StandIn
from games.dawn.rules.war.events import (
    AvatarStoodIn,
    BattleOpened,
    StandInWaived,
    WarEnded,
)
from games.engine.audience import PUBLIC, seats
from games.engine.prompts import sealed
from games.engine.prompts.prompt import DeadlinePassed
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import (
    ANSWER,
    EAST,
    HOLD,
    add_attack,
    add_defence,
    again,
    armies,
    commit,
    field,
    legal_commands_of,
    log_folds_to_rest,
    march,
    snapshot,
    stands_in,
    the_war,
    waits,
    waive_revenge,
    waives,
    whom,
)
from tests.rules.dawn.stage import DWARVES, ELVES, GM, A, B, C, avatar, inner_prompt, sound

# -- sealed commits -------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-WAR-4", "DW-AMB-25")
def test_both_sides_choose_in_secret_and_are_shown_together():
    book = field(2, 2)
    since = snapshot(book)
    march(book)
    assert waits(book) == (Asked.COMMIT, whom(A, B)) and book.state.prompts[inner_prompt(book)].sealed
    first, second = armies(book)
    commitment = commit(book, A, first)
    assert commitment == [
        event_like(ArmiesCommitted, seat=A, armies=(first,)),
        event_like(CommitSealed, side=WarSide.ATTACKER),
    ]
    committed, sealed = book.log[-2:]
    assert (committed.audience, sealed.audience) == (seats(A), PUBLIC)
    assert str(first) not in sealed.event.model_dump_json()
    answer = book.state.answers[inner_prompt(book), f"seat:{A}"]
    assert answer.audience == seats(A), "not even a GM reads it"
    events = commit(book, B, *armies(book, HOLD), dice=[d(6, "attacker", 1), d(6, "defender", 1, 1)])
    assert of_kind(events, ArmiesRevealed, BattleRolled) == [
        event_like(ArmiesRevealed, attacker_armies=(first,), defender_armies=(UUID(int=0xA6002), UUID(int=0xA6003))),
        event_like(BattleRolled, winner=WarSide.DEFENDER),
    ]
    assert armies(book) == (second,) and log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-WAR-4")
def test_a_changed_commitment_is_a_secret_of_its_side():
    book = field(2, 2)
    march(book)
    commit(book, A, *armies(book))
    before = len(book.log)
    second_commitment = commit(book, A, armies(book)[1])
    assert [type(e) for e in second_commitment] == [ArmiesCommitted]
    assert {h.audience for h in book.log[before:]} == {seats(A)}
    events = commit(book, B, armies(book, HOLD)[0], dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, ArmiesRevealed) == [event_like(ArmiesRevealed, attacker_armies=(armies(book)[1],))]


@pytest.mark.rule("DW-WAR-4")
def test_two_games_that_differ_in_a_commit_show_everybody_else_the_same(monkeypatch):
    """A digest is taken for a perfect commitment, in which nothing is to be seen of what it was made for."""
    monkeypatch.setattr(sealed, "digest_of", lambda salt, value: sha256(salt.encode()).hexdigest())
    rows = []
    for number in (1, 2):
        book = field(2, 2)
        march(book)
        commit(book, A, *armies(book)[:number])
        commit(book, A, *armies(book)[:1])
        rows.append([h.event.model_dump_json() for h in book.log if h.audience == PUBLIC])
    assert rows[0] == rows[1]


def computed_digests(shown: ArmiesRevealed) -> dict[WarSide, str]:
    """The digests that a stranger computes from what is shown, by side."""
    texts = {each.side: f"{each.salt}:{json.dumps([str(a) for a in each.armies])}" for each in shown.commitments}
    return {side: sha256(text.replace(" ", "").encode()).hexdigest() for side, text in texts.items()}


@pytest.mark.rule("DW-WAR-4", "CF-9")
def test_what_is_shown_is_what_both_sides_had_sealed_and_any_reader_can_check_it():
    book = field(2, 1)
    march(book)
    one, two = armies(book)
    commit(book, A, two, one)
    events = commit(book, B, *armies(book, HOLD), dice=[d(6, "attacker", 6, 6), d(6, "defender", 1)])
    (shown,) = of_kind(events, ArmiesRevealed)
    sealed_as = {h.event.side: h.event.digest for h in book.log if isinstance(h.event, CommitSealed)}
    assert computed_digests(shown) == sealed_as == {each.side: each.digest for each in shown.commitments}
    assert {each.side: each.armies for each in shown.commitments}[WarSide.ATTACKER] == (two, one)
    assert len({each.salt for each in shown.commitments}) == 2


@pytest.mark.rule("DW-WAR-4")
def test_a_changed_commitment_is_revealed_when_it_is_shown_and_not_before():
    book = field(2, 1)
    march(book)
    commit(book, A, *armies(book))
    commit(book, A, armies(book)[0])
    events = commit(book, B, *armies(book, HOLD), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    (shown,) = of_kind(events, ArmiesRevealed)
    sealed_as = {h.event.side: h.event.digest for h in book.log if isinstance(h.event, CommitSealed)}
    assert computed_digests(shown) == {each.side: each.digest for each in shown.commitments}
    assert [side for side in WarSide if computed_digests(shown)[side] != sealed_as[side]] == [WarSide.ATTACKER]


@pytest.mark.rule("DW-WAR-4")
def test_a_battle_of_a_log_without_digests_still_folds_and_is_fought():
    book = field(1, 1)
    march(book)
    ours, old = armies(book), {"war": the_war(book).id, "prompt": inner_prompt(book), "seat": A, "armies": armies(book)}
    book.plant(ArmiesCommitted(**old))
    events = commit(book, B, *armies(book, HOLD), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    (shown,) = of_kind(events, ArmiesRevealed)
    assert shown.attacker_armies == ours
    assert {each.side: bool(each.digest) for each in shown.commitments} == {
        WarSide.ATTACKER: False,
        WarSide.DEFENDER: True,
    }


@pytest.mark.rule("DW-WAR-4", "DW-WAR-12", "DW-AMB-25")
def test_each_side_commits_armies_of_its_own_that_are_there():
    book = field(2, 1)
    ours, theirs = armies(book), armies(book, HOLD)
    march(book, ours[0])
    for seat, chosen, code in (
        (B, (), "commit.range"),
        (B, (*theirs, *theirs), "commit.range"),
        (B, (UUID(int=404),), "commit.range"),
        (A, (ours[1],), "commit.range"),
        (B, (ours[0],), "army.foreign"),
        (A, (*ours[:1], *theirs), "army.foreign"),
        (C, (), "prompt.not_yours"),
    ):
        with refused(code, book.state):
            commit(book, seat, *chosen)
    with refused("prompt.closed", book.state):
        book.when(CommitArmies(war=UUID(int=404)), by=A)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)


@pytest.mark.rule("DW-WAR-4", "DW-AMB-25")
def test_nothing_committed_is_a_retreat_and_ends_the_war():
    book = field(2, 1)
    march(book)
    commit(book, A)
    events = commit(book, B, *armies(book, HOLD))
    assert of_kind(events, ArmiesRevealed, BattleRolled, WarEnded) == [
        event_like(ArmiesRevealed, attacker_armies=(), defender_armies=armies(book, HOLD)),
        event_like(WarEnded, reason=WarEnd.RETREAT),
    ]
    assert book.state.inner() is None and len(armies(book)) == 2 and sound(book)
    book.when(EndTurn(), by=A)


@pytest.mark.rule("DW-AMB-31", "DW-WAR-4")
def test_silence_is_a_retreat_of_the_attacker_and_everything_of_the_defender():
    book = field(2, 2)
    march(book)
    events = book.wait(ANSWER)
    assert of_kind(events, DeadlinePassed, ArmiesCommitted, CommitSealed, ArmiesRevealed, WarEnded) == [
        event_like(DeadlinePassed, seats=(A, B)),
        event_like(ArmiesCommitted, seat=A, armies=()),
        event_like(CommitSealed, side=WarSide.ATTACKER),
        event_like(ArmiesCommitted, seat=B, armies=armies(book, HOLD)),
        event_like(CommitSealed, side=WarSide.DEFENDER),
        event_like(ArmiesRevealed, attacker_armies=(), defender_armies=armies(book, HOLD)),
        event_like(WarEnded, reason=WarEnd.RETREAT),
    ]
    book = field(2, 2)
    ours, theirs = armies(book), armies(book, HOLD)
    march(book)
    commit(book, A, *ours)
    events = book.wait(ANSWER)
    assert of_kind(events, DeadlinePassed, ArmiesRevealed)[:2] == [
        event_like(DeadlinePassed, seats=(B,)),
        event_like(ArmiesRevealed, attacker_armies=ours, defender_armies=theirs),
    ]
    assert len(of_kind(events, BattleRolled)) == 1


@pytest.mark.rule("DW-AMB-37")
def test_a_god_who_has_left_defends_with_everything_and_attacks_no_more():
    book = field(2, 2)
    book.when(LeaveSeat(), by=B)
    march(book)
    assert waits(book) == (Asked.COMMIT, whom(A))
    events = commit(book, A, armies(book)[0], dice=[d(6, "attacker", 1), d(6, "defender", 1, 1)])
    assert of_kind(events, ArmiesRevealed) == [event_like(ArmiesRevealed, defender_armies=armies(book, HOLD))]
    events = book.when(LeaveSeat(), by=A)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.STOPPED)]
    assert book.state.wars == {} and book.state.course.active == C


@pytest.mark.rule("DW-AMB-37")
def test_a_god_who_leaves_before_the_armies_are_shown_is_silent_then():
    book = field(2, 2)
    march(book)
    events = book.when(LeaveSeat(), by=B)
    assert of_kind(events, CommitSealed, ArmiesRevealed) == [event_like(CommitSealed, side=WarSide.DEFENDER)]
    events = book.when(LeaveSeat(), by=A)
    assert of_kind(events, WarEnded) == [event_like(WarEnded, reason=WarEnd.RETREAT)]


# -- stand-ins ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-35", "DW-WAR-8", "DW-AMB-52", "DW-AVA-5")
def test_a_stand_in_who_loses_dies_and_the_city_stands():
    book = field(1)
    add_attack(book, "archery")
    add_defence(book, "walls", HOLD)
    hero = avatar(book, B, EAST)
    march(book)
    assert waits(book) == (Asked.STAND_IN, whom(B)), "the avatar's god is asked before the attacker commits"
    stands_in(book, hero)
    assert the_war(book).stand_in == hero
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 4), d(6, "defender", 2)])
    assert of_kind(events, BattleRolled, AvatarDestroyed, CityFell) == [
        event_like(BattleRolled, winner=WarSide.ATTACKER),
        event_like(AvatarDestroyed, avatar=hero, by=A),
    ]
    (rolled,) = of_kind(events, BattleRolled)
    assert (rolled.attacker.total, rolled.defender.total) == (5, 4)
    assert book.state.cities[HOLD].controller == B and len(armies(book)) == 1 and sound(book)


@pytest.mark.rule("DW-EX-36", "DW-WAR-9", "DW-WAR-10", "DW-AMB-28", "DW-RACE-5")
def test_the_city_falls_by_a_later_roll():
    book = field(1)
    add_attack(book, "archery")
    add_defence(book, "walls", HOLD)
    stands = avatar(book, B, EAST)
    since = snapshot(book)
    march(book)
    stands_in(book, stands)
    commit(book, A, *armies(book), dice=[d(6, "attacker", 4), d(6, "defender", 2)])
    waive_revenge(book)
    assert waits(book) == (Asked.CONTINUE, whom(A))
    marching = armies(book)
    assert of_kind(again(book), BattleOpened) == [event_like(BattleOpened, battle=2, armies=marching)]
    events = commit(book, A, *marching, dice=[d(6, "attacker", 3), d(6, "defender", 1)])
    (rolled,) = of_kind(events, BattleRolled)
    assert (rolled.battle, rolled.attacker.total, rolled.defender.total) == (2, 4, 2)
    assert of_kind(events, CityFell, WarEnded) == [
        event_like(CityFell, city=HOLD, controller=A, race=ELVES, armies=marching),
        event_like(WarEnded, reason=WarEnd.CAPTURED),
    ]
    fallen = book.state.cities[HOLD]
    assert (fallen.controller, fallen.race) == (A, ELVES)
    assert armies(book, HOLD) == marching and armies(book) == ()
    assert {EAST} <= book.state.land_of(ELVES) & book.state.land_of(DWARVES), "the old race keeps the square"
    assert (HOLD, "walls") in book.state.edges, "its edges stay"
    assert log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-WAR-8")
def test_a_stand_in_who_wins_saves_the_city_and_survives():
    book = field(1)
    hero = avatar(book, C, EAST, defending=True)
    march(book)
    assert of_kind(stands_in(book, hero, C), AvatarStoodIn) == [event_like(AvatarStoodIn, avatar=hero)]
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 2), d(6, "defender", 1)])
    assert of_kind(events, ArmiesLost, WarEnded) == [
        event_like(ArmiesLost),
        event_like(WarEnded, reason=WarEnd.BEATEN),
    ]
    assert book.state.avatars[hero].alive and sound(book)


@pytest.mark.rule("DW-WAR-8")
def test_gods_are_asked_one_after_the_other_in_turn_order_until_the_first_yes():
    book = field(1, gods=4, a=20, c=1)
    hers, mine = avatar(book, C, EAST, defending=True), avatar(book, B, EAST)
    avatar(book, C, EAST)
    march(book)
    assert waits(book) == (Asked.STAND_IN, whom(B))
    assert of_kind(waives(book), StandInWaived) == [event_like(StandInWaived, seat=B)]
    assert waits(book) == (Asked.STAND_IN, whom(C))
    with refused("presence.missing", book.state):
        stands_in(book, mine, C)
    stands_in(book, hers, C)
    assert waits(book) == (Asked.COMMIT, whom(A))
    with refused("prompt.closed", book.state):
        stands_in(book, mine, B)
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    waive_revenge(book, C)
    again(book)
    assert waits(book) == (Asked.STAND_IN, whom(B)), "each battle asks anew"


@pytest.mark.rule("DW-WAR-8", "DW-AVA-7")
def test_an_avatar_stands_in_only_where_they_reside_and_no_army_is():
    book = field(1, 1)
    hero = avatar(book, B, EAST)
    march(book)
    assert waits(book)[0] == Asked.COMMIT
    with refused("army.present", book.state):
        stands_in(book, hero)
    book = field(1)
    hero, passing = avatar(book, B, EAST), avatar(book, C, EAST)
    elsewhere = avatar(book, B, (3, 3))
    march(book)
    for seat, who, code in ((B, elsewhere, "presence.missing"), (B, passing, "presence.missing")):
        with refused(code, book.state):
            stands_in(book, who, seat)
    with refused("prompt.not_yours", book.state):
        stands_in(book, passing, C)
    with refused("prompt.not_yours", book.state):
        waives(book, C)
    with refused("prompt.closed", book.state):
        commit(book, A, *armies(book))
    with refused("prompt.closed", book.state):
        book.when(StandIn(war=UUID(int=404), avatar=hero), by=B)


@pytest.mark.rule("DW-AMB-31", "DW-WAR-8")
def test_silence_is_no_stand_in():
    book = field(1)
    avatar(book, B, EAST)
    march(book)
    events = book.wait(ANSWER)
    assert of_kind(events, DeadlinePassed, StandInWaived) == [
        event_like(DeadlinePassed, seats=(B,)),
        event_like(StandInWaived, seat=B),
    ]
    assert waits(book) == (Asked.COMMIT, whom(A))


# -- legal commands and the GM --------------------------------------------------------------------------------------


@pytest.mark.rule("DW-WAR-4", "DW-WAR-8", "DW-WAR-9")
def test_each_answer_is_a_legal_command_of_the_seat_that_the_war_waits_for():
    book = field(2)
    hero = avatar(book, B, EAST)
    (nothing,) = legal_commands_of(book, "commit-armies", A)
    assert nothing.barred is not None and nothing.barred.code == "prompt.closed"
    march(book)
    (stand,) = legal_commands_of(book, "stand-in", B)
    assert stand.legal and stand.arguments["avatar"].values == (hero,)
    assert not legal_commands_of(book, "stand-in", A)[0].legal and legal_commands_of(book, "waive-stand-in", B)[0].legal
    waives(book)
    (chosen,) = legal_commands_of(book, "commit-armies", A)
    assert chosen.legal and chosen.choices("armies") == armies(book)
    commit(book, A, armies(book)[0], dice=[d(6, "attacker", 1), d(6, "defender", 6)])
    for command in ("attack-again", "stop-war"):
        (candidate,) = legal_commands_of(book, command, A)
        assert candidate.legal and candidate.arguments["war"].values == (the_war(book).id,)
        assert not legal_commands_of(book, command, B)[0].legal


@pytest.mark.rule("DW-WAR-4")
def test_the_gm_commits_for_an_absent_god_and_the_god_alone_reads_it():
    book = field(1, 1)
    march(book)
    gm = replace(GM, on_behalf_of=B)
    book.when(CommitArmies(war=the_war(book).id, armies=armies(book, HOLD)), by=gm)
    commitment = next(h for h in book.log if isinstance(h.event, ArmiesCommitted))
    assert (commitment.audience, commitment.on_behalf_of) == (seats(B), B)
