"""Open auctions of two sides, purses with escrow, and offers between two (CF-8, CF-12)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.course import Course, rows
from games.engine.economy import purses as escrow
from games.engine.economy.auction import (
    ANSWERER,
    OPENER,
    Auction,
    increase,
    must_fold,
    next_bid,
    other,
    raise_bid,
    reach,
)
from games.engine.economy.purses import Hold, Purse
from games.engine.economy.trade_offers import (
    OFFER,
    Exchange,
    ExchangeClosed,
    ExchangeMade,
    Result,
    between,
    end,
    make_offer,
    offer_by,
    offer_to,
    require_room,
)
from games.engine.errors import Refused
from games.engine.kernel import Command, Context, Event
from games.engine.prompts.prompt import Rule, ask, close, innermost_in
from games.engine.prompts.questions import Question
from games.engine.state import Rows
from games.engine.state import table as declare
from tests.engine.cairns import ANN, BOB, CYD, table
from tests.playbook import refused
from tests.toy.rules import RULESET
from tests.toy.rules.state import State

ONE, OTHER = UUID(int=31), UUID(int=32)
WORK = UUID(int=40)
DEEDS = ("earn", "spend", "move", "hold", "more", "return", "settle")


def test_a_bid_pays_its_increase_and_passes_the_turn():
    auction = raise_bid(Auction(), 3)
    assert (auction.opener, auction.to_act, auction.to_beat) == (3, ANSWERER, 3)
    auction = raise_bid(auction, 5)
    assert increase(auction, 6, balance=9) == 3 and raise_bid(auction, 6) == Auction(6, 5, ANSWERER)
    assert other(OPENER) == ANSWERER


@pytest.mark.parametrize(
    ("_case", "total", "code"),
    [("as high as the other", 5, "bid.low"), ("beyond the reach", 8, "points.short")],
)
def test_an_impossible_bid_is_refused(_case, total, code):
    with refused(code):
        increase(Auction(3, 5, OPENER), total, balance=4)


@pytest.mark.parametrize(
    ("_case", "auction", "balance", "folds"),
    [
        ("equal reach", Auction(8, 0, ANSWERER), 8, True),
        ("one more", Auction(8, 0, ANSWERER), 9, False),
        ("what was bid counts", Auction(4, 10, OPENER), 7, False),
        ("and is not enough", Auction(4, 10, OPENER), 6, True),
        ("the first bid needs a point", Auction(), 0, True),
    ],
)
def test_a_seat_that_cannot_exceed_the_other_folds(_case, auction, balance, folds):
    assert must_fold(auction, balance) is folds


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 60))
def test_a_standing_limit_is_never_passed_and_always_beats_the_other(opener, balance, most):
    auction = Auction(opener, 0, ANSWERER)
    bid = next_bid(auction, most, balance)
    if bid is None:
        assert most <= opener or reach(auction, balance) <= opener
    else:
        assert bid == opener + 1 <= most and increase(auction, bid, balance) == bid


@pytest.mark.rule("CF-8")
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 9))))
def test_purses_add_up_whatever_happens(steps):
    purses: escrow.Purses = Rows()
    holds: escrow.Holds = Rows()
    acts = {
        "earn": lambda n: escrow.earn(purses, ONE, n),
        "spend": lambda n: escrow.spend(purses, ONE, n),
        "move": lambda n: escrow.move(purses, ONE, OTHER, n),
        "hold": lambda n: escrow.hold(purses, holds, WORK, ONE, n),
        "more": lambda n: escrow.hold(purses, holds, WORK, OTHER, n),
        "return": lambda n: escrow.return_held(purses, holds, WORK),
        "settle": lambda n: escrow.spend_held(purses, holds, WORK),
    }
    for step, amount in steps:
        try:
            acts[step](amount)
        except ValueError:
            assert step in ("spend", "move", "hold", "more")
        assert escrow.imbalances(purses.values(), holds.values()) == []


def test_an_amount_in_escrow_comes_back_or_is_spent_whole():
    purses: escrow.Purses = Rows()
    holds: escrow.Holds = Rows()
    escrow.earn(purses, ONE, 9)
    escrow.hold(purses, holds, WORK, ONE, 3)
    escrow.hold(purses, holds, WORK, ONE, 2)
    assert (escrow.hold_total(holds, WORK), purses[ONE].balance) == (5, 4)
    escrow.return_held(purses, holds, WORK)
    assert purses[ONE] == Purse(ONE, balance=9, earned=9) and holds == {}
    escrow.hold(purses, holds, WORK, ONE, 5)
    escrow.spend_held(purses, holds, WORK)
    assert purses[ONE] == Purse(ONE, balance=4, earned=9, spent=5)
    with refused("points.short"):
        escrow.require(purses, ONE, 5)


@pytest.mark.parametrize(
    ("_case", "purse", "holds"),
    [
        ("from nothing", Purse(ONE, balance=1), []),
        ("held of nobody", Purse(ONE, balance=0, held=1, earned=1), []),
        ("held without a record", Purse(ONE, balance=1, earned=1), [Hold(WORK, ONE, 1)]),
        ("below zero", Purse(ONE, balance=-1, spent=1), []),
        ("given to nobody", Purse(ONE, earned=1, given=1), []),
    ],
)
def test_amounts_that_do_not_add_up_are_reported(_case, purse, holds):
    assert escrow.imbalances([purse], holds) != []


class Swapping(State):
    """Cairns with offers."""

    swaps: Rows[UUID, Exchange] = declare(Exchange)


class Offered(ExchangeMade):
    """A toy offer."""

    def apply(self, state: Any) -> None:
        state.swaps[self.offer] = self.exchange()


class Settled(ExchangeClosed):
    """What became of it."""

    def apply(self, state: Any) -> None:
        del state.swaps[self.offer]


class Take(Command[Any]):
    """What answers a toy offer."""


SWAPS: Course[Any] = Course(
    kinds=(OFFER,),
    questions=rows(
        Question(
            kind=OFFER,
            lane="offer:{offer}",
            owners="the other",
            until="the end of the turn",
            answered_by=(Take,),
            asks="{given} for one?",
            silence="It lapses.",
            default=lambda *_: iter(()),
            rules=("CF-12",),
        )
    ),
)


def swapping():
    own = replace(RULESET.own, commands=(*RULESET.own.commands, Take))
    cairns = table(ANN, BOB, CYD, ruleset=replace(RULESET, state=Swapping, own=own, course=SWAPS))
    cairns.happens(lambda state, ctx: put_offer(state, ctx), by=ANN)
    (offer,) = cairns.state.swaps
    return cairns, offer


def put_offer(state: Any, ctx: Context) -> Iterator[Event]:
    made = Offered(offer=ctx.mint(between(ANN, BOB)), maker=ANN, taker=BOB, kind="stones", give=2, want=1, memo="")
    yield from make_offer(state, ctx, made, given="Two")


@pytest.mark.rule("CF-12", "CF-9")
def test_an_offer_is_asked_in_a_lane_of_its_own_and_seen_by_the_two_alone():
    cairns, offer = swapping()
    prompt = cairns.state.prompts[offer]
    assert (prompt.lane, prompt.owners, prompt.audience) == (f"offer:{offer}", (f"seat:{BOB}",), between(ANN, BOB))
    assert (prompt.question, prompt.silence, prompt.answered_by) == ("Two for one?", "It lapses.", ("take",))
    assert f"prompt:{offer}" not in cairns.state.timers, "the end of the turn ends it"
    assert innermost_in(cairns.state, prompt.lane) == prompt
    assert {h.audience for h in cairns.log if isinstance(h.event, Offered)} == {between(ANN, BOB)}
    cairns.happens(lambda state, ctx: end(state, Settled(offer=offer, maker=ANN, taker=BOB, result=Result.DECLINED)))
    assert offer not in cairns.state.prompts and cairns.state.swaps == {}


@pytest.mark.rule("CF-12")
def test_one_offer_a_pair_and_kind_and_only_its_maker_or_taker_answers_it():
    cairns, offer = swapping()
    swaps: Rows[UUID, Exchange] = cairns.state.swaps
    with refused("offer.pending"):
        require_room(swaps, "stones", BOB, ANN)
    require_room(swaps, "coins", BOB, ANN)
    require_room(swaps, "stones", CYD, ANN)
    assert offer_to(swaps, offer, BOB) == offer_by(swaps, offer, ANN)
    for look, seat, code in (
        (offer_to, ANN, "offer.not_yours"),
        (offer_by, BOB, "offer.not_yours"),
        (offer_to, CYD, "offer.closed"),
        (offer_by, CYD, "offer.closed"),
    ):
        with pytest.raises(Refused) as caught:
            look(swaps, offer, seat)
        assert caught.value.code == code


def test_the_innermost_question_of_a_lane_comes_first():
    cairns = table(ANN, BOB)
    outer, inner = UUID(int=600), UUID(int=601)

    def asker(prompt: UUID, parent: UUID | None):
        return lambda state, ctx: ask(
            state,
            ctx,
            "toy",
            "?",
            owners=["gm"],
            lane="x",
            rule=Rule.FIRST,
            answered_by=(),
            prompt=prompt,
            parent=parent,
        )

    cairns.happens(asker(outer, None))
    cairns.happens(asker(inner, outer))
    first = innermost_in(cairns.state, "x")
    assert first is not None and first.id == inner
    cairns.happens(lambda state, ctx: close(state, inner, "done"))
    first = innermost_in(cairns.state, "x")
    assert first is not None and first.id == outer and innermost_in(cairns.state, "y") is None
