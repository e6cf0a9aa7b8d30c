"""Golden game: there is more Ebb early, when no CHECK counts yet; a rebel falls, the other rests, Albraxas arrives."""

from collections.abc import Callable

import pytest

from games.albraxas.rules.ending.events import GameFinished, TurnChecked
from games.albraxas.rules.locate.events import LocationsRevealed
from games.albraxas.rules.resolve.events import CharacterFell, Convalesced, OrderFizzled
from games.engine.prompts.prompt import DeadlinePassed
from tests.golden.storm import Storm
from tests.playbook import event_like, of_kind


@pytest.mark.rule("AX-TRN-2", "AX-TRN-3", "AX-TRN-5", "AX-TRN-9", "AX-ACT-3", "AX-ACT-4", "AX-ACT-5", "AX-ACT-7")
@pytest.mark.rule("AX-ACT-8", "AX-ACT-9", "AX-CLN-1", "AX-CLN-2", "AX-CLN-3", "AX-END-1", "AX-END-5", "AX-END-6")
def test_albraxas_arrives_at_the_beginning(storm: Callable[..., Storm]) -> None:
    game = storm("the arrival of 0", phases=5, sides=6, check_from=4)
    game.begins(Ria=(4, 5, 4), Rex=(1, 6, 6), Albraxas=(6, 8, 6))
    assert game.marks == {1: (1, 0), 4: (1, 0), 5: (1, 0)}
    ria, rex = game.seats["Ria"], game.seats["Rex"]

    # Turn 1: both in phase 1, against one die; Albraxas in phase 5.
    game.go(Ria=1, Rex=1)
    turn = game.write(Ria="battle, blitz 4", Rex="blitz 5, battle", Albraxas="battle, battle, battle")
    assert game.roll_lines(turn) == [
        "Rex blitz 5 5 3 3 2 v 1: win 5",
        "Ria battle 6 5 4 1 1 v 3: win 3",
        "Albraxas battle 5 5 5 4 3 2 2 1 v 4: win 3",
        "Rex battle 6 6 5 4 4 3 v 2: win 6",
        "Ria blitz 5 4 4 3 v 5: tie 0",  # a tie costs a Backbone
        "Albraxas battle 6 5 4 4 4 4 2 1 v 5 4 4 3: win 1",  # Ebb 6 in phases 1 to 5, Tide 2 in phase 5: 4 dice
        "Albraxas battle 6 6 6 4 4 4 2 1 v 6 4 3 2: tie 0",  # Ebb 7, Tide 3
    ]
    assert game.marks == {1: (1, 7), 4: (1, 0), 5: (3, 0)}
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(3, 15), (1, 0), (6, 45)]
    # More Ebb than Tide, but it is too early.
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=5, total_ebb=7, counts=False)]
    assert not of_kind(turn, GameFinished)

    # Turn 2: Ria stays for 1, a clone now. Rex says nothing: after five minutes Rex goes on to phase 2.
    game.go(Ria=1)
    passed = game.wait(5)
    assert of_kind(passed, DeadlinePassed) == [event_like(DeadlinePassed, seats=(rex,))]
    (places,) = of_kind(passed, LocationsRevealed)
    assert {(p.seat, p.phase, p.price, p.clones) for p in places.places} == {(ria, 1, 1, 1), (rex, 2, 0, 0)}
    turn = game.write(Ria="battle, backbone", Rex="battle", Albraxas="blitz 6, battle")
    assert game.roll_lines(turn) == [
        "Ria battle 5 4 4 3 1 v 5: tie 0",
        "Albraxas blitz 6 5 5 3 3 3 v 6 2 1: tie 0",  # in phase 4: Ebb 7 less Tide 1 + 3. A Backbone is lost
        "Ria backbone 6 5 3 v 3: win 2",  # three dice now; Tide of phase 1 - (1 + 1), and never below 0
        "Albraxas battle 6 5 5 5 3 3 1 1 v 3 2 1: win 4",
    ]
    assert of_kind(turn, OrderFizzled) == [event_like(OrderFizzled, seat=rex, juncture=1, price=1)]
    assert game.marks == {1: (0, 7), 4: (2, 0), 5: (3, 0)}
    # Ria 15 - 1 for the stay - 2 x (1 + 1).
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(3, 10), (1, 0), (5, 38)]

    # Turn 3: Ria rests in phase 2, Rex recovers and risks the only Backbone in phase 3, where Albraxas is too.
    game.go(Ria=2, Rex=3)
    turn = game.write(Ria="convalesce", Rex="recover, backbone", Albraxas="battle, battle, battle")
    assert game.roll_lines(turn) == [
        "Rex recover 5 4 4 3 2 2 v 2: win 4",  # Dynamism 0 + Backbone 1
        "Albraxas battle 6 6 6 5 5 5 3 1 v 6 1: tie 0",  # Ebb 7 less Tide 2 + 3
        "Rex backbone 2 v 4: lose 1",
        "Albraxas battle 6 6 5 5 3 3 1 1 v 4 3: win 4",
        "Albraxas battle 6 4 4 4 4 4 2 1 v 5: win 1",  # Ebb 7 less Tide 1 + 2 + 3
    ]
    assert of_kind(turn, CharacterFell) == [event_like(CharacterFell, seat=rex)]
    assert of_kind(turn, Convalesced) == [event_like(Convalesced, seat=ria, backbone=4, dynamism=20)]
    assert game.marks == {1: (0, 7), 3: (2, 0), 4: (2, 0), 5: (3, 0)}

    # Turn 4: Albraxas is in phase 2. Ria is not there any more; twice five minutes pass, she walks on and holes up.
    assert of_kind(game.wait(5), LocationsRevealed)[0].places[0].phase == 3
    game.write(Albraxas="blitz 6, recover")
    turn = game.wait(5)
    assert game.roll_lines(turn) == [
        "Albraxas blitz 6 6 5 3 3 1 v 2: win 5",
        "Albraxas recover 5 5 4 2 1 1 v 3: win 3",
    ]
    # 35 - 6 + Backbone 5.
    assert [game.force(name) for name in ("Ria", "Rex", "Albraxas")] == [(4, 20), (0, 0), (5, 34)]
    assert game.marks == {1: (0, 7), 2: (5, 0), 3: (2, 0), 4: (2, 0), 5: (3, 0)}
    # This CHECK counts: Tide 5 + 2 + 2 + 3, Ebb 7. The next phase is the Beginning.
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=12, total_ebb=7, counts=True)]
    assert of_kind(turn, GameFinished) == [event_like(GameFinished, winner="albraxas", reason="arrived")]
    game.assert_transcript("arrival")
