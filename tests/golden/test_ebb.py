"""Golden game: two rebels lay more Ebb than there is Tide, and the second CHECK ends the war."""

from collections.abc import Callable

import pytest

from games.albraxas.rules.ending.events import GameFinished, TurnChecked
from games.albraxas.rules.locate.events import LocationsRevealed
from games.albraxas.rules.orders.events import OrdersRevealed
from games.albraxas.rules.resolve.events import FrayForced
from tests.golden.storm import Storm
from tests.playbook import event_like, of_kind
from tests.rules.albraxas.stage import proves


@pytest.mark.once
@pytest.mark.rule("AX-SET-3", "AX-SET-6", "AX-SET-7", "AX-TRN-3", "AX-TRN-5", "AX-TRN-7", "AX-EFF-1", "AX-EFF-2")
@pytest.mark.rule("AX-ACT-1", "AX-ACT-2", "AX-ACT-3", "AX-ACT-4", "AX-ACT-7", "AX-ACT-10", "AX-ACT-12", "AX-END-2")
def test_two_rebels_win_by_ebb_at_the_second_check(storm: Callable[..., Storm]) -> None:
    game = storm("the ebb of 3", phases=4, sides=6)
    game.begins(Ria=(4, 5, 4), Rex=(3, 4, 6), Albraxas=(6, 8, 6))
    # Tide on the square 1 and on the square 4, which is the last phase too. Dynamism is Battle x Backbone.
    assert game.marks == {1: (1, 0), 4: (1, 0)}
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(4, 20), (3, 12), (6, 48)]

    # Turn 1. The first places are free; Albraxas is in phase 4. Effective Tide in 1 and 2 is 1, effective Ebb in 4 too.
    game.go(Ria=1, Rex=2)
    turn = game.write(Ria="battle, recover", Rex="backbone, battle", Albraxas="battle, battle")
    (shown,) = of_kind(turn, OrdersRevealed)
    assert all(proves(paper) for paper in shown.papers)
    assert game.roll_lines(turn) == [
        "Rex backbone 5 4 1 v 2: win 2",  # Tide of phase 2 - 1: there is none, and there never is less
        "Ria battle 5 4 3 2 2 v 1: win 5",  # Ebb of phase 1: 1
        "Albraxas battle 6 6 6 6 4 3 2 1 v 6: tie 0",  # nothing, and no pair knocked out
        "Rex battle 6 4 4 2 v 3: win 3",  # Ebb of phase 2: 1
        "Ria recover 3 3 2 1 v 2: win 2",  # 19 + Backbone 4, but no more than the 20 that she began with
        "Albraxas battle 6 6 5 5 4 4 3 1 v 5: win 2",  # Tide of phase 4: 2
    ]
    assert game.marks == {1: (1, 1), 2: (0, 1), 4: (2, 0)}
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(4, 20), (3, 10), (6, 46)]
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=3, total_ebb=2, counts=True)]
    assert not of_kind(turn, GameFinished)

    # Turn 2. Ria goes on free, Rex two phases further for the root of 2, rounded up: 2. Albraxas is in phase 3.
    (places,) = of_kind(game.go(Ria=2, Rex=4), LocationsRevealed)
    assert {(place.phase, place.price) for place in places.places} == {(2, 0), (4, 2)}
    turn = game.write(Ria="blitz 3, battle", Rex="blitz 4", Albraxas="backbone, recover")
    assert game.roll_lines(turn) == [
        "Rex blitz 3 2 2 1 v 5 4 2: lose 2",  # against Tide 1 + 2 in phases 1 to 4; Ebb of phase 4 - 2: none there
        "Ria blitz 5 4 3 v 3: win 2",  # Tide 1, Ebb 1 from phase 2 on: 1 die. Ebb of phase 2: 1 + 2
        "Albraxas backbone 6 6 6 3 3 2 v 4: win 3",  # Ebb 2 in 1 to 3, Tide 2 in 3 and 4: 1 die. No Ebb in phase 3
        "Ria battle 5 3 2 2 1 v 1: win 4",  # Ebb of phase 2: 4
        "Albraxas recover 4 3 3 3 1 1 v 5 4: lose 1",  # Ebb 1 + 3 less Tide 2: 2 dice. Albraxas is drawn into the fray,
        "Albraxas battle 6 4 4 2 2 1 1 1 v 4 1: win 1",  # in vain, with Battle 8: Tide of phase 3: 1
    ]
    assert len(of_kind(turn, FrayForced)) == 1
    assert game.marks == {1: (1, 1), 2: (0, 4), 3: (1, 0), 4: (2, 0)}
    # Ria 20 - 3 - 1; Rex 10 - 2 - 4; Albraxas 46 - 1.
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(4, 16), (3, 4), (6, 45)]
    # Tide 1 + 1 + 2, Ebb 1 + 4.
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=4, total_ebb=5, counts=True)]
    assert of_kind(turn, GameFinished) == [event_like(GameFinished, winner="rebel", reason="ebb_over_tide")]
    game.assert_transcript("ebb")
