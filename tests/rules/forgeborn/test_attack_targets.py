"""Whom events attack: who has a claim on the artifact that somebody else takes (FB-PRI-3)."""

import pytest

from games.engine.attacks import targets_of
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimMade, ClaimUsed
from games.forgeborn.rules.state.schema_types import CameBy
from games.forgeborn.rules.vault.commands import CastBallot, RequestArtifact
from tests.playbook import attacks_by
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, S3, playing, smith

X = next(iter(stage.playing().artifacts))


@pytest.mark.parametrize("kind", [ArtifactTaken, ClaimUsed])
def test_taking_what_others_claim_attacks_them_and_not_who_takes_it(kind) -> None:
    book = playing(S1, S2, S3)
    for seat in (S1, S2):
        book.plant(ClaimMade(seat=seat, artifact=X))
    taker = {"artifact": X, "character": smith(book, S1).id}
    more = {"came_by": CameBy.CONFLICT} if kind is ArtifactTaken else {"seat": S1}
    assert targets_of(RULESET.attacks, kind(**taker, **more), book.state) == (S2,)


def test_what_the_others_grant_attacks_who_had_a_claim_on_it() -> None:
    book = playing(S1, S2, S3)
    book.plant(ClaimMade(seat=S3, artifact=X))
    position = len(book.log)
    book.when(RequestArtifact(artifact=X), by=S1)
    for seat in (S2, S3):
        book.when(CastBallot(yes=True), by=seat)
    assert attacks_by(book, position) == [(ArtifactTaken, {S3})]


def test_every_event_that_attacks_is_tried_here() -> None:
    assert set(RULESET.attacks) == {ArtifactTaken, ClaimUsed}
