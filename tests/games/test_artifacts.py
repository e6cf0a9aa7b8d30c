"""Artifacts in each game with a world: rows are as the log says, and a rewind takes them back."""

import pytest

from games.engine.artifacts.commands import DestroyArtifact, HandArtifact
from games.engine.artifacts.state import ArtifactState, HolderKind
from games.gods2.models import ArtifactPower
from games.gods2.rules.gm_desk.commands import GrantPower
from games.gods2.rules.state.effect_records import GrantSource
from tests.api.worlds import client, user
from tests.games.artifacts import STAGES, Stage, held_by, holders_of, in_dietower, in_gods2
from tests.games.moments import rewind_to
from worlds.models import HOLDERS, Artifact, Chronicle, Holding

pytestmark = pytest.mark.django_db


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest) -> Stage:
    return STAGES[request.param]()


@pytest.mark.rule("CF-14")
def test_rows_are_what_the_log_says_and_the_world_remembers(stage: Stage) -> None:
    ring = stage.creates()
    assert (ring.description, held_by(ring)) == ("Of gold.", stage.first)
    stage.does(HandArtifact(artifact=ring.pk, holder=stage.second, reason="a gift"))
    stage.does(HandArtifact(artifact=ring.pk))
    ring.refresh_from_db()
    assert held_by(ring) is None and not ring.lost
    stage.does(HandArtifact(artifact=ring.pk, holder=stage.first))
    stage.does(DestroyArtifact(artifact=ring.pk, reason="It melts."))
    ring.refresh_from_db()
    assert ring.lost and held_by(ring) is None
    assert holders_of(ring) == [
        (stage.first, False),
        (stage.second, False),
        (None, False),
        (stage.first, False),
        (None, True),
    ]
    assert all(Holding.objects.values_list("heading", flat=True))
    stage.here.rows_agree()
    told = " ".join(Chronicle.objects.filter(world=stage.here.game.world).values_list("text", flat=True))
    assert "Ring is made" in told and "a gift" in told and "Ring is lost: It melts." in told


@pytest.mark.rule("CF-10", "CF-14")
def test_a_rewind_takes_artifacts_and_holdings_back(stage: Stage) -> None:
    ring = stage.creates()
    stands = stage.end()
    told = list(Chronicle.objects.filter(world=stage.here.game.world).values_list("text", flat=True))
    stage.does(HandArtifact(artifact=ring.pk, holder=stage.second))
    crown = stage.creates("Crown", stage.second)
    stage.does(DestroyArtifact(artifact=ring.pk, reason="It melts."))
    stage.does(rewind_to(stage.here.id, stands, "Nobody saw it"))
    assert list(Artifact.objects.filter(world=stage.here.game.world)) == [ring]
    assert not Holding.objects.filter(artifact=crown.pk).exists()
    ring.refresh_from_db()
    assert (held_by(ring), ring.lost) == (stage.first, False)
    assert holders_of(ring) == [(stage.first, True)]
    assert list(Chronicle.objects.filter(world=stage.here.game.world).values_list("text", flat=True)) == told
    stage.here.rows_agree()
    # What was undone can be done again, under the same name.
    stage.creates("Crown", stage.second)
    stage.here.rows_agree()


@pytest.mark.rule("CF-10", "CF-14")
def test_a_game_that_is_over_is_taken_back_with_its_artifacts() -> None:
    stage = in_dietower()
    ring = stage.creates()
    stands = stage.end()
    stage.does(HandArtifact(artifact=ring.pk, holder=stage.second))
    for name in ("close-session", "finish-game"):
        stage.here.does("gm", name)
    assert stage.here.game.status == "finished"
    stage.does(rewind_to(stage.here.id, stands, "Once more"))
    assert stage.here.game.status == "running"
    ring.refresh_from_db()
    assert held_by(ring) == stage.first and holders_of(ring) == [(stage.first, True)]
    stage.here.rows_agree()


def test_the_state_in_both_apis_has_the_artifacts(stage: Stage) -> None:
    ring = stage.creates()
    state: ArtifactState = stage.here.state
    assert state.artifacts[ring.pk].holder == stage.first
    assert [artifact.name for artifact in state.artifacts_of(stage.first)] == ["Ring"]


@pytest.mark.rule("G2-ART-2", "G2-ART-4")
def test_the_power_of_an_artifact_is_in_rows_for_its_user_and_the_game_masters() -> None:
    stage = in_gods2()
    here = stage.here
    ring = stage.creates(holder=here.seats["ana"])
    here.run(GrantPower(power="call_to_arms", source=GrantSource.ARTIFACT, uses=3, artifact=ring.pk))
    stands = stage.end()
    stage.does(HandArtifact(artifact=ring.pk, holder=here.seats["cleo"]))
    here.rows_agree()
    rows = f"/api/v1/gods2/artifact-powers/?game={here.id}&artifact={ring.pk}"
    found = {name: client(user(name)).get(rows).json()["results"] for name in ("ana", "ben", "cleo")}
    assert (found["ana"], found["ben"]) == ([], [])
    assert [(row["power"], row["uses"], row["seat"]) for row in found["cleo"]] == [
        ("call_to_arms", 3, str(here.seats["cleo"]))
    ]
    told = Chronicle.objects.filter(world=here.game.world).values_list("text", flat=True)
    assert "Ring passes from God ana to God cleo." in told
    stage.does(rewind_to(here.id, stands, "Not hers"))
    here.rows_agree()
    assert [(power.seat_id, power.uses) for power in ArtifactPower.objects.filter(game=here.id)] == [
        (here.seats["ana"], 3)
    ]


def test_the_engine_knows_the_kinds_of_holders_that_worlds_have() -> None:
    assert tuple(kind.value for kind in HolderKind) == HOLDERS
