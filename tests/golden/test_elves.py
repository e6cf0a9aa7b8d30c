"""Golden game: two gods create the elves, a third lets a people branch off, seeks friends, and is objected to."""

from collections.abc import Callable

import pytest

from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.powers.events import PowerFailed, PowerWithdrawn, SharesDrawn
from games.dawn.rules.races.events import AlignmentShifted, AllianceMade, RaceCreated, SubraceCreated
from games.dawn.rules.state.schema_types import Moral
from games.dawn.rules.turn.motion_events import BallotSealed, MotionClosed
from games.engine.errors import Refused
from tests.golden.horizon import Horizon
from tests.playbook import event_like, of_kind


@pytest.mark.once
@pytest.mark.rule("DW-RACE-1", "DW-RACE-4", "DW-SUB-1", "DW-SUB-2", "DW-SUB-3", "DW-EDGE-1", "DW-EDGE-2", "DW-CMDR-3")
@pytest.mark.rule("DW-ALN-1", "DW-ALN-2", "DW-PRC-1", "DW-DC-4", "DW-DC-5", "DW-AGE-2", "DW-AGE-3", "DW-AGE-5")
def test_elves_are_created_branch_off_find_friends_and_are_fought_over(horizon: Callable[..., Horizon]) -> None:
    game = horizon("the elves", "~~~~~", "~...~", "~.*.~", "~~~~~")
    game.begins(Oak=Moral.GOOD, Reed=Moral.NEUTRAL, Thorn=Moral.EVIL)
    for _ in range(5):  # nobody does anything in the Age of Land; what is not spent stays
        game.round_passes()
    assert (game.state.course.age, game.state.course.round, game.state.course.length) == (2, 1, 5)
    assert game.points == {"Oak": 52, "Reed": 57, "Thorn": 66}
    assert game.order == ["Oak", "Reed", "Thorn"]
    oak, reed, thorn = (game.seats[name] for name in ("Oak", "Reed", "Thorn"))

    # Oak's turn. A race costs 6 now; Thorn will not pay 2 of it, Reed does, and the free order is theirs together.
    elves = {"name": "Elves", "home": (1, 1), "order_name": "Singers of the Leaf"}
    game.does("Oak", "create-race", co_creators=[{"seat": thorn, "share": 2}], **elves)
    assert game.points == {"Oak": 48, "Reed": 57, "Thorn": 66}
    denied = game.answers("Thorn", "answer-consent", "ask.consent", yes=False)
    assert of_kind(denied, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]
    game.does("Oak", "create-race", co_creators=[{"seat": reed, "share": 2}], **elves)
    agreed = game.answers("Reed", "answer-consent", "ask.consent", yes=True)
    assert of_kind(agreed, SharesDrawn, RaceCreated, OrderCreated) == [
        event_like(SharesDrawn),
        event_like(RaceCreated, name="Elves", creators=(oak, reed), alignment=0, tier="mortal"),
        event_like(OrderCreated, name="Singers of the Leaf", owners=(oak, reed)),
    ]
    assert game.points == {"Oak": 48, "Reed": 55, "Thorn": 66}
    people = game.of("Elves")
    game.does("Oak", "gift-edge", target=people, name="archery", kind="offensive")  # 5
    game.does("Oak", "gift-edge", target=people, name="long memory", kind="other")  # 4
    game.turn_of("Reed")
    game.does("Reed", "gift-edge", target=people, name="song", kind="other")
    game.does("Reed", "gift-edge", target=people, name="shield walls", kind="defensive")
    assert game.points == {"Oak": 39, "Reed": 46, "Thorn": 66}

    # Reed moves for seven rounds. Oak changes the ballot unseen; with that yes and Reed's the result is certain.
    game.does("Reed", "open-motion", length=7)
    votes = [("Oak", False), ("Oak", True), ("Thorn", False), ("Reed", True)]
    voted = [e for name, yes in votes for e in game.does(name, "cast-ballot", motion=game.prompt_of("motion"), yes=yes)]
    assert len(of_kind(voted, BallotSealed)) == 3
    assert of_kind(voted, MotionClosed) == [
        event_like(MotionClosed, yes=2, no=1, missing=0, passed=True, length=7),
    ]

    # Thorn's turn. A people branches off: 4 edges give 2, and those who created the elves pick one each.
    game.turn_of("Thorn")
    branched = game.does("Thorn", "create-subrace", name="Briar elves", parents=[people], home=(1, 1))  # 4
    assert of_kind(branched, SubraceCreated) == [
        event_like(SubraceCreated, creator=thorn, edge_number=2, pickers=(oak, reed), alignment=0),
    ]
    game.answers("Oak", "pick-edge", "pick.edges", edge="archery")
    with pytest.raises(Refused) as refused:
        game.answers("Reed", "pick-edge", "pick.edges", edge="archery")
    assert refused.value.code == "edge.not_in_pool"
    game.answers("Reed", "pick-edge", "pick.edges", edge="song")
    heirs = {edge.name: edge.kind for edge in game.state.edges_of(game.of("Briar elves"))}
    assert heirs == {"archery": "offensive", "song": "other"}

    # Fen's goblins seek an alliance: of the two who speak for the elves one agrees, and that is enough.
    game.does("Thorn", "create-race", name="Goblins", home=(3, 1))  # 6
    game.does("Thorn", "command-race", race=game.of("Goblins"), act="alliance", args={"race": people})  # 4
    assert of_kind(game.answers("Oak", "answer-consent", "ask.consent", yes=False), AllianceMade) == []
    allied = game.answers("Reed", "answer-consent", "ask.consent", yes=True)
    assert of_kind(allied, AllianceMade) == [event_like(AllianceMade, parties=(game.of("Goblins"), people))]
    assert game.points == {"Oak": 39, "Reed": 46, "Thorn": 52}

    # Fen would purify the elves for 3. Oak objects and wins: what was held comes back, what was bid is gone.
    game.does("Thorn", "shift-alignment", target=people, dir=1)
    objected = game.answers("Oak", "raise-objection", "ask.object")
    assert of_kind(objected, ConflictOpened) == [event_like(ConflictOpened, invoker=oak, challenger=thorn)]
    game.bids("Oak", 1)
    game.bids("Thorn", 2)
    game.bids("Oak", 4)
    lost = game.folds("Thorn")
    assert of_kind(lost, ConflictResolved, PowerFailed) == [
        event_like(ConflictResolved, winner="invoker", paid_invoker=4, paid_challenger=2),
        event_like(PowerFailed, refund=3),
    ]
    assert game.points == {"Oak": 35, "Reed": 46, "Thorn": 50}
    with pytest.raises(Refused) as refused:
        game.does("Thorn", "shift-alignment", target=people, dir=1)
    assert refused.value.code == "target.marked"
    # To corrupt them is another power; both let it pass, and the scale of the subrace is its own.
    game.does("Thorn", "shift-alignment", target=people, dir=-1)
    game.answers("Oak", "waive-objection", "ask.object")
    waived = game.answers("Reed", "waive-objection", "ask.object")
    assert of_kind(waived, AlignmentShifted) == [event_like(AlignmentShifted, before=0, after=-1)]
    assert (game.record("Elves").alignment, game.record("Briar elves").alignment) == (-1, 0)
    assert game.points == {"Oak": 35, "Reed": 46, "Thorn": 47}

    # The Age goes on after its fifth round.
    for _ in range(5):
        game.round_passes()
    assert (game.state.course.age, game.state.course.round, game.state.course.length) == (2, 6, 7)
    game.assert_transcript("elves")
