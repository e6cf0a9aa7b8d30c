"""Golden game: an evening, from the sheets to the last word: a Wish die, a fall, Wishes for the story, a Monster."""

from collections.abc import Callable

import pytest

from games.dietower.rules.actors.events import ActorShown, ChartRolled, MysteryWritten, Revealed
from games.dietower.rules.combat.action_events import (
    AttackHit,
    HealthChanged,
    HoldReleased,
    HoldTriggered,
    MonsterBeaten,
    MonsterHurt,
)
from games.dietower.rules.combat.events import EncounterClosed, TurnStarted
from games.dietower.rules.state.schema_types import Asked
from games.dietower.rules.table.events import GameFinished, SessionClosed, SessionOpened
from games.dietower.rules.tower.events import ConsequenceWritten, PlacementsDropped, TerribleThingDue
from games.dietower.rules.wishes.events import StoryWishDecided, WishEarned, WishesSpent, WishLost
from games.engine.dice import commitment
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import SecretShown
from tests.golden.evening import SHEET, WM, Evening
from tests.playbook import event_like, of_kind

DICE = "the evening of 497"


@pytest.mark.rule("DT-TBL-2", "DT-TBL-3", "DT-CHR-1", "DT-CHR-3", "DT-CHR-5", "DT-CHR-6", "DT-CHR-7", "DT-CHR-8")
@pytest.mark.rule("DT-CHK-1", "DT-CHK-2", "DT-CHK-4", "DT-CHK-5", "DT-CHK-6", "DT-CHK-7", "DT-CHK-9", "DT-CHK-11")
@pytest.mark.rule("DT-TWR-3", "DT-TWR-4", "DT-SIM-2", "DT-SIM-3", "DT-SIM-4", "DT-SIM-5", "DT-WSH-1", "DT-WSH-2")
@pytest.mark.rule("DT-WSH-3", "DT-WSH-4", "DT-WSH-6", "DT-CMB-1", "DT-CMB-2", "DT-CMB-3", "DT-CMB-4", "DT-CMB-5")
@pytest.mark.rule("DT-CMB-6", "DT-CMB-7", "DT-CMB-8", "DT-CMB-9", "DT-CMB-10", "DT-CMB-13", "DT-AMB-7", "DT-AMB-18")
def test_an_evening_is_played_to_its_end(evening: Callable[..., Evening]) -> None:
    game = evening(DICE, half_width=5, seats=2)

    # Sheets. Ada draws what is odd about her from a chart of three lines; Brok's mystery is a secret.
    game.gathers("Ada", "Brok")
    game.does(WM, "save-chart", field="deviation", lines=["feathers", "gills", "no shadow"])
    drawn = {name: text for name, text in SHEET.items() if name != "deviation"}
    game.does("Ada", "save-sheet", name="Ada", **drawn)
    with pytest.raises(Refused, match="lacks deviation") as refused:
        game.does(WM, "open-session")
    assert refused.value.code == "sheet.incomplete"
    ada = game.of("Ada")
    roll = game.does("Ada", "roll-chart", actor=ada, field="deviation")
    assert of_kind(roll, ChartRolled) == [event_like(ChartRolled, line=2, text="gills")]
    shield = {"weapon": "great shield", "weapon_defensive": True, "secret_mystery": True}
    written = game.does("Brok", "save-sheet", name="Brok", **SHEET | shield)
    brok = game.of("Brok")
    (mystery,) = of_kind(written, MysteryWritten)
    assert mystery.audience(game.state) == f"gm+seat:{game.seats['Brok']}"
    monster = {"health": 3, "weakness": "salt", "weapon": "teeth"}
    assert not of_kind(game.does(WM, "save-monster", name="Gnaw", **monster), ActorShown)
    opened = game.does(WM, "open-session")
    assert of_kind(opened, SessionOpened) == [event_like(SessionOpened, session=1, half_width=5)]

    # 2 + 3 reach Average 4. 4 + 5 do not reach Challenging 10; the Wish die makes them 13.
    climb = [*game.tries("Ada", "climb the wall", cd="average", good=True), *game.closes("Ada")]
    assert game.lines(climb) == ["Ada rolls 2 3", "Ada net 0 = 5: success"]
    gate = [*game.tries("Brok", "lift the gate", cd="challenging", good=True), *game.buys("Brok")]
    gate += game.closes("Brok")
    assert game.lines(gate) == ["Brok rolls 4 5", "Brok buys 4", "Brok net 0 = 13: success"]
    assert game.wishes == {"Ada": 1, "Brok": 0}

    # One die on what Ada is not good at. 5 of 8: a die for the tower, the first. Level 1 holds no second Wish.
    letters = [*game.tries("Ada", "read the letters", cd="tough"), *game.closes("Ada"), *game.places("Ada")]
    assert game.lines(letters) == [
        "Ada rolls 5", "Ada net 0 = 5: failure", "risk 0/1296", "Ada places the first at (0, 0): 1",
    ]  # fmt: skip
    assert of_kind(letters, WishLost) == [event_like(WishLost, actor=ada, wishes=1)]
    # Brok is hindered by feathers: of 1 and 5 the 5 goes. A Fail, and less than 2: two dice.
    # Above the first die 2 + 3 and -3 - 4 are within 2 x 5.
    ice = game.tries("Brok", "cross the ice", cd="easy", hindrance="deviation", hindrance_as="dis")
    ice += [*game.closes("Brok"), *game.places("Brok"), *game.places("Brok")]
    assert game.lines(ice) == [
        "Brok rolls 1 without 5", "Brok net -1 = 1: failure",
        "risk 0/1296", "Brok places 5 3 2 5 at (2, -3): 2",
        "risk 36/1296", "Brok places 3 2 3 4 at (3, -4): 3",
    ]  # fmt: skip
    assert of_kind(ice, WishEarned, WishLost) == [
        event_like(WishEarned, actor=brok, wishes=1),
        event_like(WishLost, actor=brok, wishes=1),
    ]

    # Ada is of level 2 now, and has two Wishes. What she wants of the story is refused, then something else granted.
    game.does(WM, "raise-level", actor=ada, reason="She found the letters.")
    game.does(WM, "award-wish", actor=ada, reason="role_play", text="How she spoke to the crows.")
    assert game.wishes == {"Ada": 2, "Brok": 1}
    for kind, code in (("group", "wishes.short"), ("someone", "wishes.short")):
        with pytest.raises(Refused) as refused:
            game.does("Ada", "ask-wish", kind=kind, text="They let us pass.")
        assert refused.value.code == code
    game.does("Ada", "ask-wish", kind="element", text="The letters name the murderer.")
    (first,) = game.state.wishes
    with pytest.raises(Refused) as refused:
        game.does("Ada", "ask-wish", kind="element", text="A boat lies on the shore.")
    assert refused.value.code == "wish.pending"
    assert (game.wishes["Ada"], game.state.free_wishes(ada)) == (2, 0)  # held, which nobody else sees
    no = game.does(WM, "decide-wish", wish=first, accept=False, text="They are older than that.")
    assert of_kind(no, StoryWishDecided, WishesSpent) == [event_like(StoryWishDecided, accept=False)]
    game.does("Ada", "ask-wish", kind="element", text="A boat lies on the shore.")
    (second,) = set(game.state.wishes) - {first}
    yes = game.does(WM, "decide-wish", wish=second, accept=True)
    assert of_kind(yes, StoryWishDecided, WishesSpent) == [
        event_like(StoryWishDecided, accept=True),
        event_like(WishesSpent, actor=ada, count=2, wishes=0),
    ]

    # They row into the storm, and nobody reaches 13. The tower leans: y 0, -3, -4, -5, -6, -7. One more at -7 + t has
    # -32 + t above the first die, of 6 x 5 = 30: in y 10 shifts of 36 stand, 2 to 5. In x 35 do: 350 of 1296 stand.
    storm = []
    for name in ("Ada", "Brok", "Ada"):
        storm += [*game.tries(name, "row into the storm", cd="formidable"), *game.closes(name), *game.places(name)]
    assert game.lines(storm) == [
        "Ada rolls 3", "Ada net 0 = 3: failure", "risk 36/1296", "Ada places 4 4 1 2 at (3, -5): 4",
        "Brok rolls 3", "Brok net 0 = 3: failure", "risk 108/1296", "Brok places 2 3 1 2 at (2, -6): 5",
        "Ada rolls 2", "Ada net 0 = 2: failure", "risk 360/1296", "Ada places 1 4 4 5 at (-1, -7): 6",
    ]  # fmt: skip
    fall = [*game.tries("Brok", "row into the storm", cd="formidable"), *game.closes("Brok"), *game.places("Brok")]
    assert game.lines(fall) == [
        "Brok rolls 1", "Brok net -1 = 1: failure",
        "risk 946/1296", "Brok places 4 6 5 5: 6 fall over die 1 in y",
    ]  # fmt: skip
    # The die for the failure is not placed any more. Nobody tries anything before the terrible thing is written.
    assert of_kind(fall, PlacementsDropped, TerribleThingDue) == [
        event_like(PlacementsDropped, reason="fall"),
        event_like(TerribleThingDue, actor=brok),
    ]
    with pytest.raises(Refused) as refused:
        game.does("Ada", "request-check", intent="bail the water out")
    assert refused.value.code == "prompt.open"
    (consequence,) = game.state.consequences
    wreck = game.does(
        WM, "write-consequence", consequence=consequence, kind="loss", text="The boat goes down; Brok swims."
    )
    (said,) = of_kind(wreck, ConsequenceWritten)
    assert [(target.actor, target.fallen) for target in said.targets] == [(brok, False)]
    assert (game.height, game.wishes) == (0, {"Ada": 2, "Brok": 1})

    # Gnaw waits on the shore. Ada's die stood last, so she begins: she holds her attack.
    gnaw = game.of("Gnaw")
    shore = game.does(WM, "open-encounter", members=[gnaw])
    assert of_kind(shore, ActorShown, TurnStarted) == [
        event_like(ActorShown, actor=gnaw, name="Gnaw"),
        event_like(TurnStarted, actor=ada),
    ]
    game.does("Ada", "hold-action", action="attack", trigger="when it strikes")
    game.does("Ada", "end-turn")
    game.does("Brok", "move-actor", target=gnaw, band="short")
    game.does("Brok", "end-turn")
    # Gnaw bites Brok behind the shield, with an edge of 3: 10 against 4. While it does, Ada's trigger has come; she is
    # asked when Brok's dice are placed, the net-fail die and that of the hit.
    bite = game.does(WM, "declare-attack", actor=gnaw, target=brok, uses="weapon")
    (hold,) = game.state.holds
    assert of_kind(game.does(WM, "trigger-hold", hold=hold), HoldTriggered)
    bite += game.does("Brok", "choose-defence", attack=game.attack, uses="weapon")
    bite += game.does(WM, "set-attack", attack=game.attack, attacker={"edge": 3})
    bite += [*game.closes("Brok"), *game.places("Brok")]
    assert game.state.question(Asked.HELD) is None
    bite += game.places("Brok")
    assert game.lines(bite) == [
        "Gnaw rolls 5 2", "Brok rolls 3 1", "Gnaw net 0 edge 3 = 10", "Brok net -1 = 4",
        "risk 0/1296", "Brok places the first at (0, 0): 1",
        "risk 0/1296", "Brok places 6 5 4 3 at (1, 1): 2",
    ]  # fmt: skip
    assert game.state.question(Asked.HELD, hold) is not None
    # Out of turn, with salt on the knife: everybody learns of the weakness by the hit, of the Health the world master.
    salt = game.does("Ada", "release-hold", hold=hold, target=gnaw, uses="weapon")
    assert of_kind(salt, HoldReleased)
    salt += game.does(WM, "set-attack", attack=game.attack, weakness=True, attacker={"edge": 2})
    salt += game.closes("Ada")
    assert game.lines(salt) == ["Ada rolls 6 1", "Gnaw rolls 5", "Ada net 0 edge 2 = 9", "Gnaw net 0 = 5"]
    assert of_kind(salt, AttackHit, MonsterHurt, HealthChanged) == [
        event_like(AttackHit, weakness=True),
        event_like(MonsterHurt, actor=gnaw, amount=2),
        event_like(HealthChanged, actor=gnaw, health=1),
    ]
    assert game.turn == "Gnaw"
    # Round 2. Three dice with the edge, a Critical among them: 3 + 2 + 6, 6 more, and 1.
    game.does(WM, "end-turn")
    last = [*game.strikes("Ada", "Gnaw", attacker={"edge": 1, "edge_die": True}), *game.closes("Ada")]
    assert game.lines(last) == [
        "Ada rolls 3 2 6", "Gnaw rolls 3", "Ada net 1 extra 6 edge 1 = 18", "Gnaw net 0 = 3",
    ]  # fmt: skip
    assert of_kind(last, MonsterBeaten) == [event_like(MonsterBeaten, actor=gnaw)]
    closed = game.does(WM, "close-encounter", text="It sinks.")
    assert of_kind(closed, EncounterClosed) == [event_like(EncounterClosed, reason="called", text="It sinks.")]
    assert of_kind(game.does(WM, "reveal", actor=gnaw, field="weakness"), Revealed) == [
        event_like(Revealed, actor=gnaw, text="salt")
    ]

    # The end. The dice were those of a secret that was promised before the first of them fell.
    game.does(WM, "raise-level", actor=brok, reason="A long swim.")
    assert of_kind(game.does(WM, "close-session"), SessionClosed) == [event_like(SessionClosed, session=1)]
    over = game.does(WM, "finish-game", text="They sleep on the shore.")
    assert of_kind(over, GameFinished) == [event_like(GameFinished, sessions=1)]
    (shown,) = of_kind(over, SecretShown)
    assert bytes.fromhex(shown.secret) == DICE.encode()
    assert of_kind(opened, SessionOpened)[0].commitment == commitment(DICE.encode())
    game.assert_transcript("evening")
