"""Golden game: two towers of thirteen dice; one miracle brings a friend back, the other adds a die to every roll."""

from collections.abc import Callable

import pytest

from games.dietower.rules.actors.events import ActorRevived
from games.dietower.rules.table.events import SceneEnded
from games.dietower.rules.tower.events import BonusEnded, BonusGranted, MiracleDue, TerribleThingDue, TowerTakenDown
from games.engine.errors import Refused
from games.engine.kernel import Event
from tests.golden.evening import WM, Evening
from tests.playbook import event_like, of_kind

HOPELESS = {"cd": "legendary", "good": False}
FIRST = [  # H 8: the dice above a die may be 8 off its centre in the mean, in x and in y
    "Ada rolls 4", "Ada net 0 = 4: failure", "risk 0/1296", "Ada places the first at (0, 0): 1",
    "Ada rolls 6", "Ada net 1 extra 5 = 11: failure", "risk 0/1296", "Ada places 4 6 4 1 at (-2, 3): 2",
    "Ada rolls 6", "Ada net 1 extra 4 = 10: failure", "risk 0/1296", "Ada places 2 4 2 5 at (-4, 0): 3",
    "Ada rolls 6", "Ada net 1 extra 5 = 11: failure", "risk 0/1296", "Ada places 3 3 3 1 at (-4, 2): 4",
    "Ada rolls 2", "Ada net 0 = 2: failure", "risk 0/1296", "Ada places 1 2 4 3 at (-5, 3): 5",
    "Ada rolls 3", "Ada net 0 = 3: failure", "risk 0/1296", "Ada places 3 5 4 3 at (-7, 4): 6",
    "Ada rolls 6", "Ada net 1 extra 6 = 12: failure", "risk 0/1296", "Ada places 4 6 5 3 at (-9, 6): 7",
    "Ada rolls 1", "Ada net -1 = 1: failure",  # more Fails than Criticals, and no success: two dice
    "risk 0/1296", "Ada places 6 1 5 1 at (-4, 10): 8", "risk 0/1296", "Ada places 4 5 5 6 at (-5, 9): 9",
    "Ada rolls 4", "Ada net 0 = 4: failure", "risk 0/1296", "Ada places 1 1 4 2 at (-5, 11): 10",
    "Ada rolls 3", "Ada net 0 = 3: failure", "risk 0/1296", "Ada places 3 2 4 2 at (-4, 13): 11",
    # The eight dice above die 3, which lies at y 0, have y 58; with the next at 13 + t nine have 71 + t, of 9 x 8 = 72.
    # So it falls by a shift of 2 to 5: in 4 + 3 + 2 + 1 of 36 ways, whatever x does.
    "Ada rolls 2", "Ada net 0 = 2: failure", "risk 360/1296", "Ada places 2 2 3 6 at (-4, 10): 12",
]  # fmt: skip
# Now nine dice have 68, and ten may have 80: the next at 10 + t falls by a shift of 3 to 5, in 6 of 36 ways.
THIRTEENTH = ["Ada rolls 1 without 3", "Ada net -1 = 1: failure", "risk 216/1296", "Ada places 5 6 4 6 at (-5, 8): 13"]
SECOND = [
    "Brok rolls 6", "Brok net 1 extra 4 = 10: failure", "risk 0/1296", "Brok places 2 3 5 3 at (-1, 2): 2",
    "Ada rolls 4", "Ada net 0 = 4: failure", "risk 0/1296", "Ada places 3 1 3 3 at (1, 2): 3",
    "Brok rolls 4", "Brok net 0 = 4: failure", "risk 0/1296", "Brok places 6 4 3 4 at (3, 1): 4",
    "Ada rolls 3", "Ada net 0 = 3: failure", "risk 0/1296", "Ada places 3 2 2 2 at (4, 1): 5",
    "Brok rolls 2", "Brok net 0 = 2: failure", "risk 0/1296", "Brok places 4 6 4 3 at (2, 2): 6",
    "Ada rolls 1", "Ada net -1 = 1: failure",
    "risk 0/1296", "Ada places 5 5 3 5 at (2, 0): 7", "risk 0/1296", "Ada places 6 5 2 4 at (3, -2): 8",
    "Brok rolls 1", "Brok net -1 = 1: failure",
    "risk 0/1296", "Brok places 1 2 5 6 at (2, -3): 9", "risk 0/1296", "Brok places 3 2 6 6 at (3, -3): 10",
    "Ada rolls 3", "Ada net 0 = 3: failure", "risk 0/1296", "Ada places 6 4 5 6 at (5, -4): 11",
    "Brok rolls 1", "Brok net -1 = 1: failure",
    "risk 0/1296", "Brok places 3 3 1 2 at (5, -5): 12", "risk 0/1296", "Brok places 6 3 3 4 at (8, -6): 13",
]  # fmt: skip


@pytest.mark.once
@pytest.mark.rule("DT-TWR-1", "DT-TWR-3", "DT-TWR-5", "DT-TWR-6", "DT-TWR-8", "DT-AMB-8", "DT-AMB-9", "DT-AMB-19")
@pytest.mark.rule("DT-AMB-24", "DT-AMB-25", "DT-WSH-1", "DT-WSH-3", "DT-WSH-7", "DT-SIM-1", "DT-SIM-4", "DT-EX-41")
def test_two_towers_of_thirteen_are_two_miracles(evening: Callable[..., Evening]) -> None:
    game = evening("the miracle of 40", half_width=8, seats=2)
    game.begins("Ada", "Brok")
    ada, brok = game.of("Ada"), game.of("Brok")
    # Neither buys dice, and what they owe the tower is placed without asking.
    for name in ("Ada", "Brok"):
        game.does(name, "set-standing-answer", kind="place", answer="at_once")
        game.does(name, "set-standing-answer", kind="window", answer="close")
    for _ in range(2):
        game.does(WM, "raise-level", actor=ada, reason="A long year.")
    game.does(WM, "set-state", actor=brok, state="fallen", text="dead", reason="The year before.")

    # Ada holds the gate alone. Twelve dice stand: she owed one for each of eleven failures, and one for a net Fail.
    def tries(actor: object, **ruling: object) -> list[Event]:
        return game.does(WM, "request-check", actor=actor, intent="hold the gate", ruling=HOPELESS | ruling)

    found: list[Event] = []
    for _ in range(11):
        found += tries(ada)
    assert game.lines(found) == FIRST
    assert (game.height, game.wishes) == (12, {"Ada": 3, "Brok": 1})  # of level 3, what came after the second is lost
    # For three Wishes the ferryman believes her. With none left she owes two dice; the first is the thirteenth.
    game.does("Ada", "ask-wish", kind="someone", text="The ferryman trusts her.")
    (wish,) = game.state.wishes
    game.does(WM, "decide-wish", wish=wish, accept=True)
    assert game.wishes["Ada"] == 0
    thirteenth = tries(ada, adv="dis")
    assert game.lines(thirteenth) == THIRTEENTH
    assert of_kind(thirteenth, MiracleDue, TerribleThingDue) == [event_like(MiracleDue, actor=ada)]
    assert (game.height, game.wishes["Ada"]) == (13, 1)
    # Until the miracle is chosen the second die waits and nobody is asked for a check; nobody chooses in Ada's place.
    (miracle,) = game.state.miracles
    with pytest.raises(Refused) as refused:
        tries(ada)
    assert refused.value.code == "prompt.open"
    for choose in (game.does, game.on_behalf):
        who = WM if choose == game.does else "Ada"
        with pytest.raises(Refused) as refused:
            choose(who, "choose-miracle", miracle=miracle, kind="extra_die", target=ada)
        assert refused.value.code == "miracle.not_yours"
    back = game.does("Ada", "choose-miracle", miracle=miracle, kind="revive", target=brok)
    assert of_kind(back, ActorRevived, TowerTakenDown) == [
        event_like(ActorRevived, actor=brok),
        event_like(TowerTakenDown, height=13),
    ]
    # The second die is the first of a new tower, and earns a Wish too.
    assert game.lines(back) == ["risk 0/1296", "Ada places the first at (0, 0): 1"]
    assert (game.height, game.wishes["Ada"]) == (1, 2)

    # They build it together; the thirteenth is Brok's, who gives Ada a die, to the end of the scene.
    found.clear()
    for n in range(9):
        found += tries((brok, ada)[n % 2])
    assert game.lines(found) == SECOND
    (second,) = (each.id for each in game.state.miracles.values() if each.kind is None)
    given = game.does("Brok", "choose-miracle", miracle=second, kind="extra_die", target=ada)
    assert of_kind(given, BonusGranted, TowerTakenDown) == [
        event_like(BonusGranted, actor=ada, until="scene"),
        event_like(TowerTakenDown, height=13),
    ]
    # 2 6 and the miracle's 2: a Critical, one extra die. Without the scene there is no third die.
    jump = tries(ada, cd="challenging", good=True)
    assert game.lines(jump) == ["Ada rolls 2 6 2", "Ada net 1 extra 2 = 12: success"]
    ended = game.does(WM, "end-scene")
    assert of_kind(ended, BonusEnded, SceneEnded) == [event_like(BonusEnded, actor=ada), event_like(SceneEnded)]
    assert not game.state.bonuses
    game.assert_transcript("miracle")
