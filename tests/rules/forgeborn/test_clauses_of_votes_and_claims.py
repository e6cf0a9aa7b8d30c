"""Votes, claims, boons and the Forest, clause by clause: ballots owed, silence, who arrives (FB-VLT, FOR, PRI)."""

from datetime import timedelta

import pytest

from games.forgeborn.rules.boons.commands import Commune, GiveUpDie, TakeBoon
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimUsed, ClaimVoided
from games.forgeborn.rules.conflict.commands import ContestArtifact, TakeTest
from games.forgeborn.rules.conflict.events import ActionDeclared
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.gains.events import DiceLost, DieGained, DieRaised
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.schema_types import Asked, PlaceKind
from games.forgeborn.rules.turns.commands import EndTurn, Journey, LeaveSeat, UseCharacter
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe, RequestArtifact
from games.forgeborn.rules.vault.events import VaultDecided
from tests.dice import d
from tests.playbook import Playbook, of_kind, refused
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, S3, S4, dice, give_dice, move, playing, smith

X = next(iter(stage.playing().artifacts))
OTHERS = (S2, S3, S4)


def asked(*seats) -> Playbook:
    """The first seat asks for what lies in the Vault."""
    book = playing(*seats)
    book.when(RequestArtifact(artifact=X), by=seats[0])
    return book


@pytest.mark.rule("FB-VLT-1", "FB-VLT-2", "FB-AMB-12", "FB-AMB-39", "FB-AMB-45")
@pytest.mark.parametrize(
    ("others", "yes", "no", "agreed"),
    [
        (1, 0, 0, False), (1, 1, 0, True), (1, 0, 1, False),
        (2, 1, 0, False), (2, 1, 1, False), (2, 2, 0, True), (2, 0, 0, False),
        (3, 1, 0, False), (3, 1, 1, False), (3, 2, 0, True), (3, 2, 1, True), (3, 1, 2, False), (3, 0, 0, False),
    ],
)  # fmt: skip
def test_more_than_half_of_the_ballots_owed_agree_and_a_missing_one_is_no(others, yes, no, agreed):
    book = asked(S1, *OTHERS[:others])
    happened = []
    for number, seat in enumerate(OTHERS[: yes + no]):
        happened = book.when(CastBallot(yes=number < yes), by=seat)
    if yes + no < others:  # never earlier, however certain it is
        assert not of_kind(happened, VaultDecided)
        assert not of_kind(book.wait(timedelta(seconds=119)), VaultDecided)
        happened = book.wait(timedelta(seconds=1))
    (decided,) = of_kind(happened, VaultDecided)
    assert (decided.yes, decided.no, decided.missing, decided.agreed) == (yes, no, others - yes - no, agreed)
    assert bool(of_kind(happened, ArtifactTaken)) is agreed
    assert (book.state.question(Asked.DENIED) is None) is agreed


@pytest.mark.rule("FB-END-3", "FB-AMB-62", "FB-AMB-47")
@pytest.mark.parametrize(
    ("ballots", "leaving", "agreed"),
    [
        ((True, False, None), (S4,), False), ((True, None, None), (S3, S4), True), ((True, True, None), (S4,), True),
        ((True, False, None), (S3, S4), True), ((False, True, True), (), True), ((None, None, None), OTHERS, False),
    ],
)  # fmt: skip
def test_the_majority_is_of_the_seats_that_are_still_held(ballots, leaving, agreed):
    book = asked(S1, *OTHERS)
    happened = []
    for seat, yes in zip(OTHERS, ballots, strict=True):
        if yes is not None:
            happened += book.when(CastBallot(yes=yes), by=seat)
    for seat in leaving:
        happened += book.when(LeaveSeat(), by=seat)
    (decided,) = of_kind(happened, VaultDecided)
    assert decided.agreed is agreed and decided.missing == 0
    assert {ballot.seat for ballot in decided.ballots}.isdisjoint(leaving)


@pytest.mark.rule("FB-VLT-1")
def test_naming_it_is_the_action_and_who_was_denied_alone_contests_or_lets_be():
    book = asked(S1, S2, S3)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=S1)
    for seat in (S2, S3):
        book.when(CastBallot(yes=False), by=seat)
    for command in (ContestArtifact(), LetArtifactBe()):
        with refused("prompt.not_yours", book.state):
            book.when(command, by=S2)
    for command, by in ((EndTurn(), S1), (RequestArtifact(artifact=X), S1)):
        with refused("prompt.open", book.state):
            book.when(command, by=by)
    with refused("prompt.closed", book.state):
        book.when(CastBallot(yes=True), by=S2)
    book.when(LetArtifactBe(), by=S1)
    assert book.state.course.active == S2


@pytest.mark.rule("FB-VLT-1", "FB-TST-1")
def test_a_contest_is_against_the_artifacts_power_and_a_test_against_the_citadels():
    book = asked(S1, S2)
    book.when(CastBallot(yes=False), by=S2)
    (declared,) = of_kind(book.when(ContestArtifact(), by=S1), ActionDeclared)
    assert declared.power == book.state.artifacts[X].power == 2
    book = playing(S1, S2)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL)
    hero = stage.heroine(book.state, S1, 1, citadel.id)
    book.when(UseCharacter(character=hero.id), by=S1)
    (declared,) = of_kind(book.when(TakeTest(artifact=X), by=S1), ActionDeclared)
    assert declared.power == citadel.power == 7


@pytest.mark.rule("FB-TST-1", "FB-VLT-1")
def test_a_smith_takes_no_test_and_a_heroine_asks_for_nothing():
    book = playing(S1, S2)
    with refused("character.heroine_only", book.state):
        book.when(TakeTest(artifact=X), by=S1)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.CITADEL).id)
    held = stage.artifact(book.state, 7, smith(book, S1), smith(book, S2).id).id
    book.when(UseCharacter(character=hero.id), by=S1)
    with refused("character.smith_only", book.state):
        book.when(RequestArtifact(artifact=X), by=S1)
    with refused("artifact.not_in_vault", book.state):
        book.when(TakeTest(artifact=held), by=S1)


@pytest.mark.rule("FB-FOR-1", "FB-AMB-16")
@pytest.mark.parametrize(("shown", "granted"), [((4, 5), True), ((5, 5), False), ((1, 1), True), ((6, 6), False)])
def test_nine_is_granted_and_ten_is_not(shown, granted):
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.FOREST)
    give_dice(book, smith(book, S1), 12)
    happened = book.when(Commune(dice=(6, 6)), by=S1, dice=[d(6, str(S1), *shown)])
    assert len(of_kind(happened, DieGained)) == 2 * granted
    assert [e.dice for e in of_kind(happened, DiceLost)] == ([] if granted else [(12,)])
    in_forest = smith(book, S1).place == book.state.place_of_kind(PlaceKind.FOREST).id
    assert in_forest is granted and book.state.course.active == S2


@pytest.mark.rule("FB-FOR-1")
def test_which_die_the_spirits_take_is_said_by_whose_smith_it_is():
    book = playing(S1, S2)
    move(book, smith(book, S1), PlaceKind.FOREST)
    give_dice(book, smith(book, S1), 12, 4)
    book.when(Commune(dice=(12,)), by=S1, dice=[d(12, str(S1), 10)])
    with refused("prompt.not_yours", book.state):
        book.when(GiveUpDie(die=12), by=S2)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=S1)
    book.when(GiveUpDie(die=12), by=S1)
    assert dice(book, smith(book, S1).id) == [4]


# --- claims and boons -------------------------------------------------------------------------------------------------
def favoured(*seats, claim=None) -> Playbook:
    """The first seat has swayed the Prince; perhaps it claims something."""
    book = playing(*seats)
    book.state.set_purse(seats[0], is_swayed=True, claim=claim)
    return book


@pytest.mark.rule("FB-PRI-2", "FB-CON-5")
@pytest.mark.parametrize(("old", "new"), [(4, 6), (6, 8), (8, 10), (10, 12)])
def test_a_boon_raises_a_die_by_one_size_of_the_character_that_acts(old, new):
    book = favoured(S1, S2)
    hero = stage.heroine(book.state, S1, 1, book.state.place_of_kind(PlaceKind.CITY).id, (old, 12))
    own = dice(book, smith(book, S1).id)
    book.when(UseCharacter(character=hero.id), by=S1)
    (raised,) = of_kind(book.when(TakeBoon(**{"kind": "die", "raise": old}), by=S1), DieRaised)
    assert (raised.character, raised.new) == (hero.id, new)
    assert dice(book, hero.id) == [new, 12] and dice(book, smith(book, S1).id) == own


@pytest.mark.rule("FB-PRI-3", "FB-AMB-15")
def test_at_the_start_of_a_turn_heroines_take_what_is_claimed_in_the_order_of_recruiting():
    book = favoured(S1, S2, claim=X)
    citadel = book.state.place_of_kind(PlaceKind.CITADEL).id
    move(book, smith(book, S1), PlaceKind.CITY)
    second = stage.heroine(book.state, S1, 2, citadel)
    first = stage.heroine(book.state, S1, 1, citadel)
    stage.heroine(book.state, S2, 7, citadel)
    assert not of_kind(book.when(EndTurn(), by=S1), ClaimUsed)
    (used,) = of_kind(book.when(EndTurn(), by=S2), ClaimUsed)
    assert used.character == first.id != second.id
    assert book.state.artifacts[X].holder == first.id and book.state.purses[S1].claim is None


@pytest.mark.rule("FB-PRI-3")
def test_a_claim_is_not_used_by_who_arrives_elsewhere_nor_by_another_players_character():
    book = favoured(S2, S1, claim=X)
    for seat in (S1, S2):
        move(book, smith(book, seat), PlaceKind.VILLAGE, 3)
    active = book.state.course.active
    other = S1 if active == S2 else S2
    book.state.set_purse(S1, claim=None)
    book.state.set_purse(S2, claim=None)
    book.state.set_purse(other, claim=X)
    happened = book.when(Journey(to=book.state.place_of_kind(PlaceKind.CITADEL).id), by=active)
    assert not of_kind(happened, ClaimUsed) and book.state.purses[other].claim == X


@pytest.mark.rule("FB-PRI-3", "FB-AMB-50")
def test_a_claim_is_void_when_the_artifact_comes_into_the_players_own_hands_another_way():
    book = favoured(S1, S2, S3, claim=X)
    book.state.set_purse(S3, claim=X)
    book.when(RequestArtifact(artifact=X), by=S1)
    book.when(CastBallot(yes=True), by=S2)
    happened = book.when(CastBallot(yes=True), by=S3)
    assert [e.seat for e in of_kind(happened, ClaimVoided)] == [S1, S3]
    assert {book.state.purses[seat].claim for seat in (S1, S2, S3)} == {None} and violations(book.state) == []


@pytest.mark.rule("FB-PRI-3")
def test_a_claim_on_another_artifact_is_left_alone():
    book = favoured(S1, S2)
    other = stage.artifact(book.state, 7, smith(book, S1), book.state.place_of_kind(PlaceKind.CITADEL).id).id
    book.state.set_purse(S2, claim=other)
    book.when(RequestArtifact(artifact=X), by=S1)
    happened = book.when(CastBallot(yes=True), by=S2)
    assert of_kind(happened, ArtifactTaken) and not of_kind(happened, ClaimVoided)
    assert book.state.artifacts[other].holder == smith(book, S2).id  # at the start of their turn


@pytest.mark.rule("FB-PRI-2", "FB-AMB-38")
def test_a_boon_is_for_whose_player_has_swayed_the_prince():
    book = favoured(S1, S2)
    for seat in (S1, S2):
        move(book, smith(book, seat), PlaceKind.CITY)
    book.when(TakeBoon(kind="secret"), by=S1)
    with refused("prince.unswayed", book.state):
        book.when(TakeBoon(kind="secret"), by=S2)
    assert (book.state.purses[S1].secret, book.state.purses[S2].secret) == (1, 0)


@pytest.mark.rule("FB-VLT-1", "FB-CON-4", "FB-CON-5")
def test_a_contest_that_fails_leaves_the_artifact_and_the_sacrifices():
    book = asked(S1, S2)
    book.when(CastBallot(yes=False), by=S2)
    happened = book.when(
        ContestArtifact(pool=PoolChoice(free=(12, 12, 12), sacrifice=(8,))), by=S1,
        dice=[d(12, "own", 1, 1, 1), d(8, "own", 1), d(12, "against", 2, 3)],
    )  # fmt: skip
    assert not of_kind(happened, DiceLost, ArtifactTaken)
    assert book.state.is_in_vault(book.state.artifacts[X])
