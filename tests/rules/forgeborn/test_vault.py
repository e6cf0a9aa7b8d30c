"""Votes on artifacts, the Forest, boons and claims (FB-VLT, FB-FOR, FB-PRI).

Long for one reason: the rulebook has this in one chapter, and each of its rules has a test.
"""

from datetime import timedelta

import pytest

from games.engine.audience import reader
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import Join
from games.engine.lifecycle.waiting import visible_waiting, waiting_for
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie, TakeBoon
from games.forgeborn.rules.boons.events import SpiritsRolled
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimMade, ClaimUsed, ClaimVoided
from games.forgeborn.rules.conflict.commands import BeseechPrince, ContestArtifact
from games.forgeborn.rules.conflict.events import ConflictFailed
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.gains.events import DiceLost, DieGained, DieRaised, TokenGained
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, Helping, PlaceKind
from games.forgeborn.rules.story.commands import SetStandingAnswer
from games.forgeborn.rules.turns.commands import EndTurn, GiveArtifact, Journey, LeaveSeat, UseCharacter
from games.forgeborn.rules.turns.events import Journeyed, TurnEnded
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe, RequestArtifact
from games.forgeborn.rules.vault.events import ArtifactLeft, BallotSealed, VaultDecided
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, S3, S4, dice, give_dice, move, playing, smith

X = next(iter(stage.playing().artifacts))


def asked(*seats) -> Playbook:
    """The first seat asks for what lies in the Vault."""
    book = playing(*seats)
    book.when(RequestArtifact(artifact=X), by=seats[0])
    return book


def vote(book: Playbook, **ballots: bool) -> list:
    """Ballots by seat, `s2=True`; the events of the last."""
    happened: list = []
    for name, yes in ballots.items():
        happened = book.when(CastBallot(yes=yes), by={"s2": S2, "s3": S3, "s4": S4}[name])
    return happened


# --- votes ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-VLT-1", "FB-EX-16", "FB-AMB-35")
def test_more_than_half_of_the_others_agree():
    book = asked(S1, S2, S3, S4)
    happened = vote(book, s2=True, s3=True, s4=False)
    (decided,), (taken,) = of_kind(happened, VaultDecided), of_kind(happened, ArtifactTaken)
    assert (decided.yes, decided.no, decided.missing, decided.agreed) == (2, 1, 0, True)
    assert [(ballot.seat, ballot.yes) for ballot in decided.ballots] == [(S2, True), (S3, True), (S4, False)]
    assert (taken.character, taken.came_by) == (smith(book, S1).id, "vote")
    assert book.state.course.active == S2 and violations(book.state) == []


@pytest.mark.rule("FB-VLT-1", "FB-AMB-12", "FB-EX-17")
def test_half_is_not_agreed_and_a_conflict_stays_open():
    book = asked(S1, S2, S3)
    happened = vote(book, s2=True, s3=False)
    assert not of_kind(happened, VaultDecided)[0].agreed
    assert book.state.question(Asked.DENIED) is not None
    taken = book.when(
        ContestArtifact(pool=PoolChoice(free=(12, 12, 12))), by=S1,
        dice=[d(12, "own", 9, 9, 9), d(12, "against", 1, 1)],
    )  # fmt: skip
    assert of_kind(taken, ArtifactTaken)[0].came_by == "conflict"


@pytest.mark.rule("FB-VLT-1", "FB-AMB-39", "FB-EX-60")
def test_silence_is_no():
    book = asked(S1, S2)
    assert of_kind(vote(book, s2=True), ArtifactTaken)
    book = asked(S1, S2)
    (decided,) = of_kind(book.wait(timedelta(minutes=2)), VaultDecided)
    assert (decided.yes, decided.missing, decided.agreed) == (0, 1, False)


@pytest.mark.rule("FB-VLT-1", "FB-EX-61", "FB-AMB-39")
def test_what_is_denied_may_be_let_be():
    book = asked(S1, S2)
    vote(book, s2=False)
    before = dice(book, smith(book, S1).id)
    happened = book.when(LetArtifactBe(), by=S1)
    assert of_kind(happened, ArtifactLeft) and of_kind(happened, TurnEnded)
    assert book.state.is_in_vault(book.state.artifacts[X]) and dice(book, smith(book, S1).id) == before
    book = asked(S1, S2)
    vote(book, s2=False)
    assert of_kind(book.wait(timedelta(minutes=1)), ArtifactLeft)


@pytest.mark.rule("FB-VLT-1", "FB-CON-6")
def test_a_smith_without_dice_is_not_asked_to_contest():
    book = playing(S1, S2)
    give_dice(book, smith(book, S1))
    book.when(RequestArtifact(artifact=X), by=S1)
    assert of_kind(vote(book, s2=False), ArtifactLeft)


@pytest.mark.rule("FB-VLT-1", "FB-CON-5")
def test_a_failed_contest_is_an_ordinary_failure():
    book = asked(S1, S2)
    vote(book, s2=False)
    happened = book.when(
        ContestArtifact(pool=PoolChoice(free=(4,))), by=S1, dice=[d(4, "own", 1), d(12, "against", 9, 9)]
    )
    assert of_kind(happened, ConflictFailed) and book.state.question(Asked.GAIN) is not None


@pytest.mark.rule("FB-CON-2", "FB-AMB-43", "FB-EX-86")
def test_the_artifact_that_is_fought_for_does_not_help_its_taker():
    book = asked(S1, S2)
    vote(book, s2=False)
    with refused("artifact.not_held", book.state):
        book.when(ContestArtifact(pool=PoolChoice(free=(12,), artifacts=(Helping(artifact=X),))), by=S1)


@pytest.mark.rule("FB-VLT-2", "FB-AMB-45", "FB-EX-80")
def test_ballots_are_sealed_and_may_change_until_all_are_in():
    book = asked(S1, S2, S3, S4)
    vote(book, s2=False, s3=False)
    changed = vote(book, s2=True)
    assert not of_kind(changed, BallotSealed, VaultDecided)
    for seat, ours in ((S2, True), (S3, False), (None, None)):
        view = book.state.view_for(frozenset() if seat is None else frozenset({seat}), gm=seat is None)
        assert {ballot.seat: ballot.is_yes for ballot in view.ballots.values()} == ({seat: ours} if seat else {})
        assert {seal.seat for seal in view.seals.values()} == {S2, S3}
    strangers = [e for e in changed if e.audience(book.state) in ("public", "gm")]
    assert strangers == []
    (decided,) = of_kind(vote(book, s4=True), VaultDecided)
    assert (decided.yes, decided.no, decided.agreed) == (2, 1, True)
    assert all(ballot.is_open for ballot in book.state.ballots.values())


@pytest.mark.rule("FB-VLT-2")
def test_who_has_voted_is_waited_for_no_more_and_nobody_is_told_how():
    book = asked(S1, S2, S3)
    vote(book, s2=True)
    assert {each.owner for each in visible_waiting(waiting_for(book.state), {S3}, gm=False)} == {reader(S3)}
    vote(book, s2=False)
    assert {each.owner for each in visible_waiting(waiting_for(book.state), {S1}, gm=False)} == {reader(S3)}


@pytest.mark.rule("FB-VLT-1")
def test_who_asks_does_not_vote():
    book = asked(S1, S2)
    with refused("prompt.not_yours", book.state):
        book.when(CastBallot(yes=True), by=S1)
    book = playing(S1, S2)
    with refused("prompt.closed", book.state):
        book.when(CastBallot(yes=True), by=S2)


@pytest.mark.rule("FB-VLT-1")
def test_what_is_asked_for_lies_in_the_vault():
    book = playing(S1, S2)
    held = stage.artifact(book.state, 7, smith(book, S1), smith(book, S2).id).id
    with refused("artifact.not_in_vault", book.state):
        book.when(RequestArtifact(artifact=held), by=S1)
    with refused("artifact.missing", book.state):
        book.when(RequestArtifact(artifact=S4), by=S1)
    move(book, smith(book, S1), PlaceKind.CITY)
    with refused("place.wrong", book.state):
        book.when(RequestArtifact(artifact=X), by=S1)


@pytest.mark.rule("FB-AMB-53", "FB-EX-100")
def test_a_ballot_given_in_advance_is_in_at_the_opening():
    book = playing(S1, S2, S3)
    book.when(SetStandingAnswer(kind="vault", answer="no"), by=S2)
    happened = book.when(RequestArtifact(artifact=X), by=S1)
    assert [e.seat for e in of_kind(happened, BallotSealed)] == [S2]
    (decided,) = of_kind(vote(book, s3=True), VaultDecided)
    assert (decided.yes, decided.no, decided.agreed) == (1, 1, False)


@pytest.mark.rule("FB-END-3", "FB-VLT-1", "FB-AMB-47", "FB-EX-83")
def test_an_empty_seat_does_not_vote():
    book = playing(S1, S2, S3)
    book.when(LeaveSeat(), by=S3)
    book.when(RequestArtifact(artifact=X), by=S1)
    assert of_kind(vote(book, s2=True), ArtifactTaken)
    book = playing(S1, S2)
    book.when(LeaveSeat(), by=S2)
    (decided,) = of_kind(book.when(RequestArtifact(artifact=X), by=S1), VaultDecided)
    assert (decided.yes, decided.missing, decided.agreed) == (0, 0, False)
    book.when(ContestArtifact(), by=S1)


@pytest.mark.rule("FB-AMB-62")
def test_a_ballot_of_a_seat_that_is_left_falls_away_and_who_comes_does_not_vote():
    book = asked(S1, S2, S3)
    vote(book, s2=False)
    book.when(LeaveSeat(), by=S2)
    book.when(Join(name="New", seat=S2), by=Actor(Issuer.SEAT, user=S4))
    with refused("prompt.not_yours", book.state):
        book.when(CastBallot(yes=False), by=S2)
    (decided,) = of_kind(vote(book, s3=True), VaultDecided)
    assert (decided.yes, decided.no, decided.agreed) == (1, 0, True)


# --- the Forest -------------------------------------------------------------------------------------------------------
def in_forest(*own) -> Playbook:
    """The first seat's turn in the Forest, with these dice."""
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.FOREST)
    give_dice(book, smith(book, S1), *own)
    return book


@pytest.mark.rule("FB-FOR-1", "FB-AMB-48", "FB-EX-22")
def test_nine_or_less_grants_all_dice_asked_for():
    book = in_forest(12)
    happened = book.when(Commune(dice=(6, 6)), by=S1, dice=[d(6, str(S1), 4, 5)])
    assert of_kind(happened, SpiritsRolled)[0].granted and len(of_kind(happened, DieGained)) == 2
    assert dice(book, smith(book, S1).id) == [6, 6, 12] and book.state.course.active == S2


@pytest.mark.rule("FB-FOR-1", "FB-AMB-17", "FB-EX-23")
def test_ten_or_more_costs_a_die_and_leads_out_by_the_trail():
    book = in_forest(12, 4)
    book.when(Commune(dice=(8, 6)), by=S1, dice=[d(8, str(S1), 4), d(6, str(S1), 6)])
    with refused("die.missing", book.state):
        book.when(GiveUpDie(die=10), by=S1)
    happened = book.when(GiveUpDie(die=12), by=S1)
    (gone,) = of_kind(happened, Journeyed)
    assert dice(book, smith(book, S1).id) == [4]
    assert gone.new == book.state.place_of_kind(PlaceKind.VILLAGE, 2).id == smith(book, S1).place


@pytest.mark.rule("FB-FOR-1", "FB-AMB-39", "FB-EX-97")
def test_silence_gives_up_the_smallest_die_and_the_last_one_is_not_asked_for():
    book = in_forest(12, 4, 4)
    book.when(Commune(dice=(12,)), by=S1, dice=[d(12, str(S1), 10)])
    (lost,) = of_kind(book.wait(timedelta(minutes=1)), DiceLost)
    assert lost.dice == (4,)
    book = in_forest(12)
    (lost,) = of_kind(book.when(Commune(dice=(12,)), by=S1, dice=[d(12, str(S1), 10)]), DiceLost)
    assert lost.dice == (12,) and book.state.question(Asked.FOREST) is None
    book = in_forest()
    happened = book.when(Commune(dice=(12,)), by=S1, dice=[d(12, str(S1), 12)])
    assert not of_kind(happened, DiceLost) and of_kind(happened, Journeyed)


@pytest.mark.rule("FB-FOR-1", "FB-AMB-36", "FB-AMB-16", "FB-EX-65")
def test_one_to_twenty_dice_are_asked_for_in_the_forest():
    book = in_forest(12)
    for wrong in ((), (4,) * 21):
        with refused("dice.range", book.state):
            book.when(Commune(dice=wrong), by=S1)
    assert of_kind(book.when(Commune(dice=(8,)), by=S1, dice=[d(8, str(S1), 8)]), DieGained)
    book = playing(S1, S2)
    with refused("place.wrong", book.state):
        book.when(Commune(dice=(8,)), by=S1)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.FOREST).id)
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("character.smith_only", book.state):
        book.when(Commune(dice=(8,)), by=S1)


# --- boons and claims -------------------------------------------------------------------------------------------------
def favoured(*seats) -> Playbook:
    """The first seat's turn; it has swayed the Prince, and its Smith is in the City."""
    book = playing(*seats)
    book.state.set_purse(seats[0], is_swayed=True)
    move(book, smith(book, seats[0]), PlaceKind.CITY)
    return book


@pytest.mark.rule("FB-PRI-2", "FB-AMB-14", "FB-EX-108")
def test_a_boon_is_a_token_a_die_or_a_claim():
    for kind in ("secret", "resource"):
        book = favoured(S1, S2)
        (gained,) = of_kind(book.when(TakeBoon(kind=kind), by=S1), TokenGained)
        assert (gained.kind, gained.balance, book.state.purses[S1].vp) == (kind, 1, 0)
    book = favoured(S1, S2)
    give_dice(book, smith(book, S1), 8, 4, 12)
    with refused("die.largest", book.state):
        book.when(TakeBoon(**{"kind": "die", "raise": 12}), by=S1)
    with refused("die.missing", book.state):
        book.when(TakeBoon(**{"kind": "die", "raise": 6}), by=S1)
    (raised,) = of_kind(book.when(TakeBoon(**{"kind": "die", "raise": 8}), by=S1), DieRaised)
    assert raised.new == 10 and dice(book, smith(book, S1).id) == [4, 10, 12]
    book = favoured(S1, S2)
    held = stage.artifact(book.state, 7, smith(book, S1), smith(book, S2).id).id
    with refused("artifact.not_in_vault", book.state):
        book.when(TakeBoon(kind="claim", artifact=held), by=S1)
    with refused("artifact.missing", book.state):
        book.when(TakeBoon(kind="claim"), by=S1)
    assert of_kind(book.when(TakeBoon(kind="claim", artifact=X), by=S1), ClaimMade)


@pytest.mark.rule("FB-PRI-2", "FB-AMB-38", "FB-EX-67")
def test_the_acting_character_stands_in_the_city():
    book = favoured(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.VILLAGE, 1).id)
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("place.wrong", book.state):
        book.when(TakeBoon(kind="secret"), by=S1)
    book.when(UseCharacter(character=smith(book, S1).id), by=S1)
    book.when(TakeBoon(kind="secret"), by=S1)
    book.when(EndTurn(), by=S2)
    book.when(TakeBoon(kind="secret"), by=S1)  # every turn again
    assert book.state.purses[S1].secret == 2


@pytest.mark.rule("FB-PRI-2", "FB-PRI-1")
def test_the_prince_listens_from_the_next_turn_on():
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.CITY)
    with refused("prince.unswayed", book.state):
        book.when(TakeBoon(kind="secret"), by=S1)
    book.when(
        BeseechPrince(pool=PoolChoice(free=(12, 12, 12))),
        by=S1,
        dice=[d(12, "own", 9, 9, 9), d(12, "against", *[1] * 8)],
    )
    with refused("turn.not_yours", book.state):
        book.when(TakeBoon(kind="secret"), by=S1)


def claimed(*seats) -> Playbook:
    """The first seat has claimed what lies in the Vault; it is the next seat's turn."""
    book = favoured(*seats)
    book.when(TakeBoon(kind="claim", artifact=X), by=seats[0])
    return book


@pytest.mark.rule("FB-PRI-3", "FB-EX-68", "FB-AMB-15", "FB-ROW-1")
def test_a_claim_is_used_when_a_turn_starts_at_the_citadel():
    book = claimed(S1, S2)
    move(book, smith(book, S1), PlaceKind.CITADEL)
    happened = book.when(EndTurn(), by=S2)
    (used,) = of_kind(happened, ClaimUsed)
    assert (used.character, book.state.artifacts[X].came_by) == (smith(book, S1).id, "claim")
    assert book.state.course.active == S1 and book.state.course.roads == 0
    assert book.state.purses[S1].claim is None and violations(book.state) == []


@pytest.mark.rule("FB-PRI-3", "FB-EX-69")
def test_the_smith_goes_before_heroines_and_a_vote_voids_the_claim():
    book = claimed(S1, S2)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL).id
    stage.heroine(book.state, S1, 1, citadel)
    move(book, smith(book, S1), PlaceKind.CITADEL)
    (used,) = of_kind(book.when(EndTurn(), by=S2), ClaimUsed)
    assert used.character == smith(book, S1).id
    book = claimed(S1, S2)
    book.when(RequestArtifact(artifact=X), by=S2)
    happened = book.when(CastBallot(yes=True), by=S1)
    assert [e.seat for e in of_kind(happened, ClaimVoided)] == [S1]
    assert book.state.purses[S1].claim is None and violations(book.state) == []


@pytest.mark.rule("FB-PRI-3", "FB-AMB-50", "FB-EX-84")
def test_who_arrives_first_has_what_two_have_claimed():
    book = claimed(S1, S2, S3)
    book.state.set_purse(S2, is_swayed=True, claim=X)
    village = book.state.place_of_kind(PlaceKind.VILLAGE, 3)
    hero = stage.heroine(book.state, S2, 1, village.id)
    book.when(UseCharacter(character=hero.id), by=S2)
    happened = book.when(Journey(to=book.state.place_of_kind(PlaceKind.CITADEL).id), by=S2)
    (used,), (void,) = of_kind(happened, ClaimUsed), of_kind(happened, ClaimVoided)
    assert (used.character, void.seat) == (hero.id, S1)
    assert book.state.course.active == S3 and violations(book.state) == []


@pytest.mark.rule("FB-PRI-3", "FB-AMB-15")
def test_a_claim_stays_and_a_new_one_replaces_it():
    book = claimed(S1, S2)
    other = stage.artifact(book.state, 7, smith(book, S2), book.state.place_of_kind(PlaceKind.CITADEL).id).id
    book.when(EndTurn(), by=S2)
    assert book.state.purses[S1].claim == X
    (made,) = of_kind(book.when(TakeBoon(kind="claim", artifact=other), by=S1), ClaimMade)
    assert (made.replaced, book.state.purses[S1].claim) == (X, other)


@pytest.mark.rule("FB-ROW-1", "FB-EX-95")
def test_an_artifact_has_exactly_one_holder_at_each_moment():
    book = asked(S1, S2)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL).id
    assert book.state.artifacts[X].holder == citadel
    vote(book, s2=True)
    assert book.state.artifacts[X].holder == smith(book, S1).id
    hero = stage.heroine(book.state, S2, 1, citadel)
    book.when(EndTurn(), by=S2)
    book.when(GiveArtifact(artifact=X, heroine=hero.id), by=S1)
    assert (book.state.artifacts[X].holder, book.state.artifacts[X].came_by) == (hero.id, "gift")
