"""Golden game: a god lays a floating lake over the land of three others; one allows it, two must be outbid."""

from collections.abc import Callable

import pytest

from games.dawn.rules.conflict.events import BidFolded, ConflictResolved
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.powers.events import LeaveAnswered, LeaveAsked, PowerFailed
from games.dawn.rules.state.schema_types import Moral
from games.dawn.rules.trade.events import PlaceSold
from games.dawn.rules.turn.events import OrderFixed
from games.engine.errors import Refused
from games.engine.prompts.prompt import DeadlinePassed
from tests.golden.horizon import Horizon
from tests.playbook import event_like, of_kind

SEA = ("~~~~~",) * 4
LAKE = [(1, 0), (1, 1), (2, 1)]


@pytest.mark.once
@pytest.mark.rule("DW-INC-1", "DW-ORD-1", "DW-ORD-2", "DW-ORD-3", "DW-ORD-4", "DW-PTS-2", "DW-PTS-6", "DW-AMB-6")
@pytest.mark.rule("DW-LAND-1", "DW-LAND-2", "DW-LAND-3", "DW-DC-2", "DW-DC-3", "DW-DC-4", "DW-DC-5", "DW-AMB-36")
def test_a_lake_is_laid_over_the_land_of_three_gods(horizon: Callable[..., Horizon]) -> None:
    game = horizon("the moon", *SEA)
    begun = game.begins(Moon=Moral.NEUTRAL, Sun=Moral.GOOD, Earth=Moral.GOOD, Night=Moral.EVIL)
    assert game.income(begun) == ["Earth 3+6+2 = 11", "Night 2+5+2 = 9", "Sun 6+4+2 = 12", "Moon 5+3+2 = 10"]
    assert game.order == ["Night", "Moon", "Earth", "Sun"]  # fewest points first

    # Age 1, round 1. Night sells a place to Sun for 2; Moon's offer to the same god is too late then.
    made_offer = game.does("Night", "offer-place", to=game.seats["Sun"], price=2)
    sold = game.does("Sun", "accept-offer", offer=made_offer[0].offer)
    assert len(of_kind(sold, PlaceSold)) == 1
    assert game.order == ["Sun", "Night", "Moon", "Earth"]
    assert game.points == {"Moon": 10, "Sun": 10, "Earth": 11, "Night": 11}
    shaped = {"kind": "mundane", "climate": "temperate"}
    game.does("Sun", "shape-land", squares=[(0, 0), (1, 0)], terrain="plains", name="Dayland", **shaped)
    game.turn_of("Night")
    game.does("Night", "shape-land", squares=[(0, 1), (1, 1)], terrain="mountains", name="Nightwall", **shaped)
    game.turn_of("Moon")
    with pytest.raises(Refused) as refused:
        game.does("Moon", "offer-place", to=game.seats["Sun"], price=0)
    assert refused.value.code == "place.acted"
    game.turn_of("Earth")
    game.does("Earth", "shape-land", squares=[(2, 1), (3, 1)], terrain="forest", name="Greenwood", **shaped)
    # A square costs 1 in the first Age. On its own turn Earth gives 4 away, for good.
    game.does("Earth", "give-points", to=game.seats["Moon"], amount=4, memo="For moonlit nights.")
    assert game.points == {"Moon": 14, "Sun": 8, "Earth": 5, "Night": 9}

    # Round 2. Moon has most and acts last: 14 + 10.
    rolled = game.income(game.round_passes())
    assert rolled == ["Earth 6+2+2 = 10", "Night 4+4+2 = 10", "Sun 1+5+2 = 8", "Moon 3+5+2 = 10"]
    assert game.points == {"Moon": 24, "Sun": 16, "Earth": 15, "Night": 19}
    assert game.order == ["Earth", "Sun", "Night", "Moon"]
    game.turn_of("Moon")
    lake = {"kind": "fantastic", "terrain": "lake", "climate": "cold", "floating": True, "name": "Mirror"}
    declared = game.does("Moon", "shape-land", squares=LAKE, **lake)  # three fantastic squares: 9
    assert game.points["Moon"] == 15
    (leave,) = of_kind(declared, LeaveAsked)
    assert [game.seat_name(seat) for seat in leave.seats] == ["Earth", "Sun", "Night"]
    game.answers("Earth", "answer-leave", "ask.leave", yes=True)
    game.answers("Night", "answer-leave", "ask.leave", yes=False)
    game.answers("Sun", "answer-leave", "ask.leave", yes=False)

    # Sun comes before Night in this round, so Sun is the first whom Moon must outbid.
    game.answers("Moon", "open-conflict", "ask.decide")
    game.bids("Moon", 2)
    with pytest.raises(Refused) as refused:
        game.does("Earth", "give-points", to=game.seats["Moon"], amount=1)
    assert refused.value.code == "conflict.open"
    game.bids("Sun", 4)
    game.bids("Moon", 5)
    won = game.folds("Sun")
    assert of_kind(won, ConflictResolved) == [event_like(ConflictResolved, winner="invoker")]
    assert of_kind(won, LandShaped) == []  # Night has refused too
    assert game.points == {"Moon": 10, "Sun": 12, "Earth": 15, "Night": 19}
    game.answers("Moon", "open-conflict", "ask.decide")
    game.bids("Moon", 1)
    game.bids("Night", 9)
    # Moon bids everything: 9 more, 10 in all. Night has 10 left, could reach 19, and folds.
    won = game.bids("Moon", 10)
    assert of_kind(won, BidFolded) == []
    won = game.folds("Night")
    assert of_kind(won, LandShaped) == [event_like(LandShaped, name="Mirror", by=game.seats["Moon"], floating=True)]
    # 24 - 9 - 5 - 10; what was bid is gone on both sides.
    assert game.points == {"Moon": 0, "Sun": 12, "Earth": 15, "Night": 10}
    squares = game.state.squares
    assert {game.seat_name(squares[at].shaped_by) for at in LAKE} == {"Moon"}
    assert {(squares[at].terrain, squares[at].fantastic, squares[at].floating) for at in LAKE} == {("lake", True, True)}
    assert [game.seat_name(squares[at].shaped_by) for at in ((0, 0), (0, 1), (3, 1))] == ["Sun", "Night", "Earth"]

    # Round 3: Sun wants the square back and asks Moon, who is silent: that is a refusal. Sun is outbid; 1 comes back.
    rolled = game.round_passes()
    assert game.income(rolled) == ["Earth 1+4+2 = 7", "Night 5+2+2 = 9", "Sun 5+6+2 = 13", "Moon 3+2+2 = 7"]
    assert of_kind(rolled, OrderFixed) == [event_like(OrderFixed, tie_rolls=())]
    assert game.order == ["Moon", "Night", "Earth", "Sun"]  # 7, 19, 22, 25
    game.turn_of("Sun")
    game.does("Sun", "shape-land", squares=[(1, 0)], terrain="plains", name="Dayland again", **shaped)
    assert game.points["Sun"] == 24
    silent = game.wait(1.5)
    assert of_kind(silent, DeadlinePassed) == [event_like(DeadlinePassed, seats=(game.seats["Moon"],))]
    assert of_kind(silent, LeaveAnswered) == [event_like(LeaveAnswered, seat=game.seats["Moon"], yes=False)]
    game.answers("Sun", "open-conflict", "ask.decide")
    game.bids("Sun", 1)
    game.bids("Moon", 2)
    lost = game.folds("Sun")
    assert of_kind(lost, PowerFailed) == [event_like(PowerFailed, refund=1)]
    assert game.points == {"Moon": 5, "Sun": 24, "Earth": 22, "Night": 19}
    assert game.state.squares[1, 0].terrain == "lake"
    game.assert_transcript("moon")
