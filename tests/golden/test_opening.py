"""Golden game: two hand in digests alone and one does not open them; a pair is knocked out; three give the game up."""

from collections.abc import Callable

import pytest

from games.albraxas.rules.ending.commands import LeaveSeat
from games.albraxas.rules.ending.events import GameFinished, TurnChecked
from games.albraxas.rules.locate.events import LocationsRevealed
from games.albraxas.rules.orders.events import OrdersRevealed
from games.albraxas.rules.resolve.events import ActionResolved, Convalesced
from games.engine.errors import Refused
from games.engine.prompts.prompt import DeadlinePassed
from tests.golden.storm import Storm
from tests.playbook import event_like, of_kind
from tests.rules.albraxas.stage import proves

SALT = "a salt that nobody else knows"
BATTLE = '{"convalesce":false,"orders":[{"action":"battle","dice":null,"tie":{"max":0,"mode":"if_wins"}}]}'


@pytest.mark.once
@pytest.mark.rule("AX-TRN-2", "AX-TRN-3", "AX-TRN-5", "AX-DIE-3", "AX-DIE-5", "AX-DIE-7", "AX-ACT-1", "AX-ACT-4")
@pytest.mark.rule("AX-ACT-5", "AX-ACT-12", "AX-CLN-1", "AX-CLN-2", "AX-CLN-3", "AX-END-6", "AX-END-7", "AX-AMB-31")
def test_a_missed_opening_a_seat_left_and_two_concessions(storm: Callable[..., Storm]) -> None:
    game = storm("the opening of 29", phases=4, sides=6, check_from=3)
    game.begins(Ria=(4, 5, 4), Rex=(3, 4, 6), Rob=(2, 5, 6), Albraxas=(6, 8, 6))

    # Turn 1. Rex and Albraxas keep their orders to themselves. When all are in they have a minute to open them.
    game.go(Ria=4, Rex=2, Rob=3)
    game.write(Ria="battle max 1, blitz 4", Rob="battle, backbone")
    game.seal("Rex", SALT, BATTLE)
    game.seal("Albraxas", SALT, BATTLE)
    with pytest.raises(Refused, match="another digest") as refused:
        game.open("Rex", SALT, "battle, battle")
    assert refused.value.code == "seal.broken"
    game.open("Rex", SALT, "battle")
    turn = game.wait(1)
    assert of_kind(turn, DeadlinePassed) == [event_like(DeadlinePassed, seats=(game.seats["Albraxas"],))]
    (shown,) = of_kind(turn, OrdersRevealed)
    papers = {paper.seat: paper for paper in shown.papers}
    assert [proves(papers[game.seats[name]]) for name in ("Ria", "Rex", "Rob")] == [True, True, True]
    assert papers[game.seats["Albraxas"]].orders == ()
    assert game.roll_lines(turn) == [
        "Rob battle 6 5 5 3 2 v 3: win 3",
        "Rex battle 6 5 5 5 v 4: win 4",
        "Ria battle 6 6 3 1 1 v 6 4: win 1",  # a tie of sixes; one pair is knocked out for 1: 6 3 1 1 against 4
        "Rob backbone 6 3 v 1: win 2",
        "Ria blitz 5 4 3 2 v 5: tie 0",  # Tide 2, her own Ebb 1: one die; a tie costs a Backbone
    ]
    assert [e.spent for e in of_kind(turn, ActionResolved) if e.spent] == [1]
    assert game.marks == {1: (1, 0), 2: (0, 1), 3: (0, 1), 4: (1, 1)}
    # Ria 20 - 1 - 1 for the pair - 4; Rex 12 - 1; Rob 10 - 1 - 1.
    assert [game.force(name) for name in game.seats] == [(3, 14), (3, 11), (2, 8), (6, 48)]
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=2, total_ebb=3, counts=False)]

    # Turn 2. Rob leaves, so Rob is not waited for and walks on. Ria stays for 1 and rests as a clone, for 1 more.
    game.by("Rob", LeaveSeat())
    (places,) = of_kind(game.go(Ria=4, Rex=3), LocationsRevealed)
    assert {(p.seat, p.phase, p.price, p.clones) for p in places.places} == {
        (game.seats["Ria"], 4, 1, 1), (game.seats["Rex"], 3, 0, 0), (game.seats["Rob"], 4, 0, 0),
    }  # fmt: skip
    turn = game.write(Ria="convalesce", Rex="recover", Albraxas="battle")
    assert game.roll_lines(turn) == [
        "Rex recover 6 5 4 4 4 1 v 4: win 2",  # 11 + Backbone 3, but no more than 12
        "Albraxas battle 6 5 4 4 3 2 2 2 v 1: win 8",  # Ebb 2 in phases 1 to 3, Tide 1 in 3 and 4: one die
    ]
    # Backbone 3 + 1 + 1, but no more than 4.
    assert of_kind(turn, Convalesced) == [event_like(Convalesced, seat=game.seats["Ria"], backbone=4, dynamism=20)]
    assert [game.force(name) for name in game.seats] == [(4, 20), (3, 12), (2, 8), (6, 47)]
    assert of_kind(turn, TurnChecked) == [event_like(TurnChecked, total_tide=3, total_ebb=3, counts=False)]

    # Turn 3. Rex gives up and walks on; Rob's empty seat stays in the last phase for 1, Ria goes back for 1.
    assert not of_kind(game.concede("Rex"), GameFinished)
    (places,) = of_kind(game.go(Ria=3), LocationsRevealed)
    assert {(p.seat, p.phase, p.price) for p in places.places} == {
        (game.seats["Ria"], 3, 1), (game.seats["Rex"], 4, 0), (game.seats["Rob"], 4, 1),
    }  # fmt: skip
    game.write(Ria="blitz 2, battle")
    # Albraxas gives up too: what Ria has written is never shown.
    end = game.concede("Albraxas")
    assert of_kind(end, GameFinished) == [event_like(GameFinished, winner="rebel", reason="conceded")]
    assert not of_kind(end, OrdersRevealed)
    game.assert_transcript("opening")
