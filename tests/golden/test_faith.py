"""Golden game: shares and signatures, a veto of diabolism, a cult, and a turmoil that costs a god their worshippers."""

from collections.abc import Callable

import pytest

from games.gods2.rules.mana.events import ManaPaid, PoolPaid
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.events import PantheonOrderAccepted, PantheonOrderRefused
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import (
    CultGrew,
    ExpulsionAsked,
    MemberExpelled,
    TurmoilEnded,
    TurmoilStarted,
)
from games.gods2.rules.state.value_types import Target
from tests.golden.stage import Story
from tests.playbook import event_like, of_kind

HELLISH = "diabolism"


def order_shares(game: Story, by: str, signed: str = "", **percent: float) -> list[object]:
    """A god drafts new shares for the Norse; these sign, and the god hands the order in."""
    draft = DraftPantheonOrder(race=game.races["Norse"], pantheon=game.pantheon(**percent))
    order = game.by(by, draft)[0].order
    for god in signed.split():
        game.by(god, SignPantheonOrder(order=order))
    return game.by(by, HandInPantheonOrder(order=order))


def payments(events: list[object], game: Story) -> dict[str, tuple[str, int]]:
    """What every god has earned, and was paid."""
    return {
        name: (str(e.earned), e.amount)
        for e in of_kind(events, ManaPaid)
        for name, seat in game.seats.items()
        if seat == e.seat
    }


@pytest.mark.once
@pytest.mark.rule("G2-PAN-1", "G2-PAN-3", "G2-PAN-4", "G2-PAN-5", "G2-PAN-6", "G2-PAN-8", "G2-PAN-9", "G2-PAN-11")
@pytest.mark.rule("G2-TURM-1", "G2-TURM-2", "G2-TURM-3", "G2-TURM-5", "G2-TURM-6", "G2-TURM-7", "G2-MANA-4")
@pytest.mark.rule("G2-MANA-7", "G2-QUEUE-3")
def test_the_gods_of_the_norse_quarrel_and_agree(story: Callable[..., Story]) -> None:
    game = story()
    game.earth("PPPP")
    game.god("Ashkar", LB=2)
    game.god("Belun", FJ=5)
    game.god("Cirra", 30, LI=3)
    game.god("Zorn", 0, kind="demon")
    game.race(
        "Norse", {1: 3, 2: 3}, attributes=["peaceful"], knows=["tribal_law"],
        worships={"Ashkar": 60, "Belun": 30, HELLISH: 10},
    )  # fmt: skip
    # Century 1: 6 and ceil(1.5) = 2 new Norse, one to each side. 4 - 3 + 2 = 3: they attack nobody.
    game.begins(("d6 G2-AGG-3", 4))
    assert game.units("Norse") == {0: 1, 1: 3, 2: 3, 3: 1}

    # Diabolism wants 5 points more, or it agrees to nothing; 4 are not enough, and to be thrown out is no gain.
    norse = game.races["Norse"]
    both = "Ashkar Belun"
    vetoed = event_like(PantheonOrderRefused, reason="diabolism")
    assert of_kind(order_shares(game, "Ashkar", both, Ashkar=56, Belun=30, diabolism=14), PantheonOrderRefused) == [
        vetoed
    ]
    assert of_kind(order_shares(game, "Ashkar", both, Ashkar=70, Belun=30), PantheonOrderRefused) == [vetoed]
    # With 5 it agrees, but all the member gods must have signed.
    unsigned = order_shares(game, "Ashkar", "Ashkar", Ashkar=55, Belun=30, diabolism=15)
    assert of_kind(unsigned, PantheonOrderRefused) == [event_like(PantheonOrderRefused, reason="unsigned")]
    assert game.shares("Norse") == {"Ashkar": 60, "Belun": 30, HELLISH: 10}
    agreed = order_shares(game, "Ashkar", both, Ashkar=55, Belun=30, diabolism=15)
    assert of_kind(agreed, PantheonOrderAccepted)
    assert game.shares("Norse") == {"Ashkar": 55, "Belun": 30, HELLISH: 15}

    # Cirra's cult of light takes 10 points; the others shrink to nine tenths. Nobody is asked, and there is no turmoil.
    cult = game.cast("Cirra", "cult_of_light", Target(race=norse))
    assert of_kind(cult, CultGrew) and not of_kind(cult, TurmoilStarted)
    assert game.shares("Norse") == {"Ashkar": 49.5, "Belun": 27, "Cirra": 10, HELLISH: 13.5}
    # Purify takes 10 points from diabolism. They go to the others by 49.5 : 27 : 10 (86.5 in all): 5.7225, 3.1214 and
    # 1.1561; the hundredth that is left goes to the largest remainder, 11.1561.
    game.cast("Cirra", "purify", Target(race=norse))
    assert game.shares("Norse") == {"Ashkar": 55.22, "Belun": 30.12, "Cirra": 11.16, HELLISH: 3.5}
    assert game.mana()["Cirra"] == 30 - 8 - 9

    # Belun starts a turmoil at will: it needs no number and no mana.
    turmoil = game.by("Belun", StartTurmoil(race=norse))
    assert of_kind(turmoil, TurmoilStarted) == [event_like(TurmoilStarted, race=norse)]

    # The Activity Phase ends at minute 25. The Norse are still in turmoil: a 5 lets a random member throw out another.
    # Members are sorted gods by id, then atheism, diabolism; the second die names Belun.
    game.until(25)
    gods = sorted(("Ashkar", "Belun", "Cirra"), key=game.seats.__getitem__)
    dice = game.dice(("d6 G2-TURM-3", 5), ("d4 G2-TURM-4", gods.index("Belun") + 1))
    assert of_kind(dice, ExpulsionAsked) == [event_like(ExpulsionAsked, race=norse, seat=game.seats["Belun"])]
    thrown = game.by("Belun", AnswerExpulsion(prompt=game.prompt_of("TURMOIL.expel"), member=str(game.seats["Cirra"])))
    assert of_kind(thrown, MemberExpelled) == [event_like(MemberExpelled, member=str(game.seats["Cirra"]))]
    # 11.16 points go to the others by their shares of 88.84: 62.1567, 33.9036 and 3.9397; two hundredths are left.
    assert game.shares("Norse") == {"Ashkar": 62.16, "Belun": 33.9, HELLISH: 3.94}

    # Nobody is paid for worship. Belun's 5 cards of Fate & Justice bring 0.20 each for the one accepted order.
    century = game.pay_mana(25)
    assert payments(century, game) == {"Ashkar": ("0", 0), "Belun": ("1", 1), "Cirra": ("0", 0)}
    assert of_kind(century, PoolPaid) == [event_like(PoolPaid, amount=0)]

    # Century 2: 8 and 2 new Norse, one stays, one of two spreads - no square is free, so both stay. The turmoil goes
    # on.
    game.until(30)
    game.dice(("d6 G2-AGG-3", 4))
    assert game.units("Norse") == {0: 2, 1: 3, 2: 3, 3: 2}
    # It ends when all agree to a division, and diabolism to 5 points more: 3.94 + 5 = 8.94.
    refused = order_shares(game, "Ashkar", both, Ashkar=61.07, Belun=30, diabolism=8.93)
    assert of_kind(refused, PantheonOrderRefused) == [vetoed]
    peace = order_shares(game, "Ashkar", both, Ashkar=61, Belun=30, diabolism=9)
    assert of_kind(peace, TurmoilEnded) == [event_like(TurmoilEnded, race=norse, cause="agreed")]
    # Still no worship: they were in turmoil in this century. Ashkar has 1 x 2 cards for a turmoil ended by agreement.
    century = game.pay_mana(55)
    assert payments(century, game) == {"Ashkar": ("2", 2), "Belun": ("1", 1), "Cirra": ("0", 0)}

    # Century 3, at peace: 10 and ceil(2.5) = 3, of which two fit (four squares of 3) and one starves.
    game.until(60)
    game.dice(("d6 G2-AGG-3", 2))
    assert game.units("Norse") == {0: 3, 1: 3, 2: 3, 3: 3}
    # 12 worshippers. Ashkar 12 x 61% x 0.06 x 2 = 0.8784; Belun 12 x 30% x 0.05 x 5 = 0.9; Cirra none; the demons'
    # pool 12 x 9% x 0.25 = 0.27.
    century = game.pay_mana(85)
    assert payments(century, game) == {"Ashkar": ("0.8784", 0), "Belun": ("0.9", 0), "Cirra": ("0", 0)}
    assert [(str(e.earned), e.amount, str(e.carried)) for e in of_kind(century, PoolPaid)] == [("0.27", 0, "0.27")]
    game.assert_transcript("faith")
