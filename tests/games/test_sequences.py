"""Some commands of one game, all or none, beside the clock of the game."""

from datetime import timedelta

import pytest

from games import services
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.engine.lifecycle.gm_commands import Resume
from games.services import IssuedCommand, PendingCommand, PendingSequence
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db


def together(cairns: Cairns, *commands: Command, at: float) -> PendingSequence:
    """Commands of Ann's, sent together."""
    issued = [IssuedCommand(command, cairns.actor(cairns.ann)) for command in commands]
    waiting = [PendingCommand(game=cairns.game.pk, user=cairns.ann.pk, issued=each) for each in issued]
    now = NOON + timedelta(seconds=at)
    return PendingSequence(game=cairns.game.pk, user=cairns.ann.pk, commands=waiting, now=now)


def test_what_was_due_stands_whatever_becomes_of_the_commands_behind_it():
    cairns = table('{"tide_seconds": 60}')
    before = cairns.types()
    sent = together(cairns, AddStones(stones=2), Resume(), at=61)
    with pytest.raises(Refused, match=r"issuer\.other"):
        services.carry_out(sent)
    assert sent.refused == 1 and [each.outcome for each in sent.commands] == [None, None]
    new = cairns.types()[len(before) :]
    assert "TideCame" in new and "StonesAdded" not in new
    assert cairns.rows_equal_log()
    done = together(cairns, AddStones(stones=2), HideCoins(coins=1), at=62)
    assert services.carry_out(done) is done.commands[1].outcome
    assert cairns.types()[len(before) + len(new) :] == ["StonesAdded", "CoinsHidden"]
    assert cairns.rows_equal_log()
