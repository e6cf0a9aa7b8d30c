"""Golden game: a real tower and real dice; the host reports where the world master is late, then a die is dropped."""

from collections.abc import Callable

import pytest

from games.dietower.rules.actors.events import ActorFell, ActorRevived
from games.dietower.rules.table.events import SessionOpened
from games.dietower.rules.tower.events import (
    ConsequenceAmended,
    ConsequenceWritten,
    PlacementDue,
    PlacementsDropped,
    TerribleThingDue,
    TowerReset,
)
from games.engine.errors import Refused
from games.engine.prompts.manual_dice import DiceEntered, DieEntered
from games.engine.prompts.prompt import DeadlinePassed, PromptOpened
from tests.golden.evening import WM, Evening
from tests.playbook import event_like, of_kind


@pytest.mark.once
@pytest.mark.rule("DT-TWR-2", "DT-TWR-3", "DT-TWR-4", "DT-TWR-7", "DT-AMB-22", "DT-AMB-31", "DT-AMB-51", "DT-AMB-59")
@pytest.mark.rule("DT-CHK-6", "DT-CHK-8", "DT-CHK-9", "DT-CHK-11", "DT-CHK-12", "DT-SIM-2", "DT-EX-42", "DT-EX-69")
def test_a_real_tower_is_reported_and_real_dice_are_entered(evening: Callable[..., Evening]) -> None:
    game = evening("the real tower", mode="physical", dice_by_hand=True, seats=2)
    game.begins("Ada", "Brok")

    # Ada rolls 2d6 at the table, for what she is good at: two Fails. She owes two dice, the net-fail die first.
    asked = game.tries("Ada", "climb the wall", cd="average", good=True)
    assert game.lines(asked) == []
    assert "2d6" in of_kind(asked, PromptOpened)[-1].question
    with pytest.raises(Refused) as refused:
        game.enters("Ada", 1)
    assert refused.value.code == "dice.count"
    with pytest.raises(Refused) as refused:
        game.enters("Brok", 1, 1)
    assert refused.value.code == "prompt.not_yours"
    thrown = game.enters("Ada", 1, 1)
    assert of_kind(thrown, DiceEntered) == [event_like(DiceEntered, values=(1, 1))]
    assert game.lines([*thrown, *game.closes("Ada")]) == ["Ada rolls 1 1", "Ada net -2 = 2: failure"]
    with pytest.raises(Refused) as refused:
        game.places("Ada")
    assert refused.value.code == "tower.physical"
    # The world master reports the first. Of the second nothing is heard for a minute; then the host may report, too.
    assert game.lines(game.reports(stands=True)) == ["Ada places a die: 1"]
    with pytest.raises(Refused) as refused:
        game.host_does("report-die", placement=game.due, stands=True)
    assert refused.value.code == "prompt.not_yours"
    late = game.wait(1)
    assert len(of_kind(late, DeadlinePassed)) == 1 and not of_kind(late, PlacementsDropped)
    assert game.lines(game.host_does("report-die", placement=game.due, stands=True)) == ["Ada places a die: 2"]
    assert game.wishes == {"Ada": 1, "Brok": 1}  # of level 1: what the dice earned is lost

    # Brok's one die is entered by nobody: after a minute the service rolls it, a Critical. The Wish die is entered by
    # Brok, the extra die by the world master.
    game.tries("Brok", "read the runes", cd="tough")
    assert game.lines(game.wait(1)) == ["Brok rolls 6"]
    game.buys("Brok")
    assert game.lines(game.enters("Brok", 2)) == ["Brok buys 2"]
    assert game.lines(game.closes("Brok")) == []
    assert game.lines(game.enters(WM, 4)) == ["Brok net 1 extra 4 = 12: success"]
    assert game.wishes == {"Ada": 1, "Brok": 0}

    # 2 is less than 6: a die is due. Nobody says what became of it, for a minute and another: it is not placed.
    game.tries("Brok", "wake the miller", cd="moderate")
    game.enters("Brok", 2)
    assert game.lines(game.closes("Brok")) == ["Brok net 0 = 2: failure"]
    assert not of_kind(game.wait(1), PlacementsDropped)
    dropped = game.wait(1)
    assert of_kind(dropped, PlacementsDropped) == [event_like(PlacementsDropped, reason="silence")]
    assert not of_kind(dropped, TerribleThingDue)
    assert (game.height, game.wishes) == (2, {"Ada": 1, "Brok": 0})

    # A Fail that is no success either: two dice, and the first brings the tower down. The second is not placed.
    game.tries("Ada", "cross the weir", cd="easy")
    game.enters("Ada", 1)
    assert [each.reason for each in of_kind(game.closes("Ada"), PlacementDue)] == ["net_fail", "failure"]
    fall = game.reports(stands=False)
    assert game.lines(fall) == ["Ada places a die: 2 fall"]
    assert of_kind(fall, PlacementsDropped) == [event_like(PlacementsDropped, reason="fall")]
    # The world master says nothing for five minutes, then writes it after all, and then thinks better of it.
    written = game.wait(5)
    assert of_kind(written, ConsequenceWritten) == [event_like(ConsequenceWritten, text="left open by the WM")]
    assert not of_kind(written, ActorFell)
    (consequence,) = game.state.consequences
    terms = {"consequence": consequence, "text": "The weir takes Ada.", "reason": "As we said at the table."}
    struck = game.does(
        WM, "amend-consequence", kind="death", targets=[{"actor": game.of("Ada"), "fallen": True}], **terms
    )
    assert of_kind(struck, ConsequenceAmended, ActorFell) == [
        event_like(ConsequenceAmended, reason="As we said at the table."),
        event_like(ActorFell, actor=game.of("Ada")),
    ]
    spared = game.does(
        WM, "amend-consequence", kind="loss", targets=[{"actor": game.of("Ada"), "fallen": False}], **terms
    )
    assert of_kind(spared, ActorRevived) == [event_like(ActorRevived, actor=game.of("Ada"))]

    # Odo is the world master's: nobody else enters these dice, and the roll has no window, so that nothing has
    # happened before its last die is there. What an NPC places earns no Wish.
    game.does(WM, "save-npc", name="Odo", weapon="pike")
    ruling = {"cd": "challenging", "good": True}
    game.does(WM, "request-check", actor=game.of("Odo"), intent="hold the bridge", ruling=ruling)
    with pytest.raises(Refused) as refused:
        game.enters("Ada", 6, 1)
    assert refused.value.code == "prompt.not_yours"
    assert game.lines(game.enters(WM, 6, 2)) == []
    last = game.enters_one(1)
    assert of_kind(last, DieEntered) == [event_like(DieEntered, value=1)]
    assert game.lines(last) == ["Odo rolls 6 2", "Odo net 1 extra 1 = 9: failure"]
    assert game.lines(game.reports(stands=True)) == ["Odo places a die: 1"]

    # The next session is played with a simulated tower: the real one is taken down, and nothing terrible happens.
    game.does(WM, "close-session")
    opened = game.does(WM, "open-session", mode="simulated")
    assert of_kind(opened, SessionOpened, TowerReset, TerribleThingDue) == [
        event_like(SessionOpened, session=2, half_width=6),
        event_like(TowerReset, reason="mode change", height=0),
    ]
    # Its four dice are rolled by hand too: shifted by 3 - 5 and 2 - 2.
    game.tries("Ada", "find the ford", cd="easy")
    game.enters("Ada", 1)
    game.closes("Ada")
    assert game.lines(game.places("Ada"))[0] == "Ada places the first at (0, 0): 1"
    game.places("Ada")
    assert game.lines(game.enters("Ada", 3, 5, 2, 2)) == ["Ada places 3 5 2 2 at (-2, 0): 2"]
    game.does(WM, "close-session")
    game.does(WM, "finish-game", text="They are over the river.")
    game.assert_transcript("physical")
