"""Golden game: two bots and two people, corrections and a rewind; what is undone is gone from the world, too."""

from collections.abc import Callable

import pytest

from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from tests.games.moments import rewind_to
from tests.golden.forge import Forge
from worlds.models import Artifact, Chronicle, Holding

pytestmark = pytest.mark.long


@pytest.mark.rule("FB-GM-4", "FB-ROW-1", "FB-TXT-2", "FB-END-1")
def test_a_week_at_the_forge_is_taken_back(forge: Callable[..., Forge]) -> None:
    game = forge("second thoughts", referee="none", round_limit=8, setup_seconds=60, turn_seconds=60)
    game.seats_bot("Cleo", "steady")
    game.seats_bot("Dorn", "wild")
    game.gathers("Ann", "Bob")
    for name in ("Ann", "Bob"):
        game.does(name, "define-smith", name=name, dice=[12, 12, 12, 8, 8, 8, 4, 4, 4])
    while not Artifact.objects.filter(world=game.fresh().world).exists():
        game.wait(1)
    world, stands = game.fresh().world, game.fresh().seq
    first = Artifact.objects.get(world=world)
    told = list(Chronicle.objects.filter(world=world).values_list("text", flat=True))

    # A correction puts the artifact into Ann's hands; then the table plays on for two rounds.
    values = {"holder": f'"{game.of("Ann")}"', "came_by": '"gift"'}
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    change = Change(deed=Deed.ALTER, table="artifacts", row=str(first.pk), fields=fields)
    game.by_gm(Amend(changes=(change,), reason="It was promised"))
    assert Holding.objects.filter(artifact=first).count() == 2
    until = game.state.course.round + 2
    while game.state.course.round < until:
        game.wait(1)

    # The game-master takes it all back: artifact, chronicle and holdings are those of the moment.
    game.by_gm(rewind_to(game.game.pk, stands, "Nobody had seen the correction"))
    assert list(Chronicle.objects.filter(world=world).values_list("text", flat=True)) == told
    assert list(Artifact.objects.filter(world=world)) == [first]
    assert Holding.objects.get(artifact=first).place_id == game.place("citadel")
    game.proven()

    # Ann and Bob go home; bots play their seats, with other dice than before, to the last round.
    for name in ("Ann", "Bob"):
        game.host_does("hand-over", seat=game.seats[name], bot="wild", reason="Late")
    for _ in range(200):
        if game.fresh().status == "finished":
            break
        game.wait(1)
    assert (game.fresh().status, game.state.course.reason) == ("finished", "rounds")
    game.assert_transcript("undone")
