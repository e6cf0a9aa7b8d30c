"""Golden game: the tower falls in a fight and buries all who are in it; the encounter is over; one is dug out."""

from collections.abc import Callable

import pytest

from games.dietower.rules.actors.events import ActorFell, ActorStateSet
from games.dietower.rules.combat.action_events import AttackHit
from games.dietower.rules.combat.events import EncounterClosed, RoundStarted, TurnEnded, TurnStarted
from games.dietower.rules.tower.events import PlacementDue, TerribleThingDue
from games.engine.errors import Refused
from tests.golden.evening import WM, Evening
from tests.playbook import event_like, of_kind


@pytest.mark.once
@pytest.mark.rule("DT-CHR-4", "DT-CHR-8", "DT-TWR-1", "DT-TWR-3", "DT-TWR-4", "DT-SIM-3", "DT-SIM-5", "DT-CMB-2")
@pytest.mark.rule("DT-CMB-6", "DT-CMB-9", "DT-CMB-10", "DT-CMB-14", "DT-CMB-16", "DT-AMB-44", "DT-AMB-52", "DT-EX-61")
def test_all_fall_and_the_encounter_closes_by_itself(evening: Callable[..., Evening]) -> None:
    game = evening("the loss of 11", half_width=5, seats=2)
    game.begins("Ada", "Brok")
    game.does(WM, "save-npc", name="Odo", weapon="pike")
    ada, brok, odo = (game.of(name) for name in ("Ada", "Brok", "Odo"))

    # Three dice stand before it comes to blows: one of Ada's, two of Brok's Fail that is no success either.
    search = [*game.tries("Ada", "find the pass", cd="formidable"), *game.closes("Ada"), *game.places("Ada")]
    search += [*game.tries("Brok", "find the pass", cd="formidable"), *game.closes("Brok")]
    search += [*game.places("Brok"), *game.places("Brok")]
    assert game.lines(search) == [
        "Ada rolls 5", "Ada net 0 = 5: failure", "risk 0/1296", "Ada places the first at (0, 0): 1",
        "Brok rolls 1", "Brok net -1 = 1: failure",
        "risk 0/1296", "Brok places 6 5 1 3 at (1, -2): 2", "risk 0/1296", "Brok places 5 5 5 4 at (1, -1): 3",
    ]  # fmt: skip

    # Odo bars it, and begins by the word of the world master, though Brok's die stood last; then it is clockwise.
    game.does(WM, "open-encounter", members=[odo], first=odo)
    assert [game.state.actors[actor].name for actor in game.state.encounter.order] == ["Odo", "Ada", "Brok"]
    # The pike, 9 to 2: a hit on a PC is a die for the tower.
    pike = [*game.strikes("Odo", "Ada"), *game.closes("Ada")]
    assert of_kind(pike, AttackHit)
    assert [(due.actor, due.reason) for due in of_kind(pike, PlacementDue)] == [(ada, "hit")]
    assert game.lines([*pike, *game.places("Ada")]) == [
        "Odo rolls 5 4", "Ada rolls 2", "Odo net 0 = 9", "Ada net 0 = 2",
        "risk 0/1296", "Ada places 3 3 1 2 at (1, -2): 4",
    ]  # fmt: skip
    game.does(WM, "end-turn")
    # The crows, 9 to 1: Odo's Fail and the hit on Odo are two dice, and the world master places both, without a Wish.
    crows = [*game.strikes("Ada", "Odo", "power"), *game.closes("Ada")]
    assert [(due.actor, due.reason) for due in of_kind(crows, PlacementDue)] == [(odo, "net_fail"), (odo, "hit")]
    with pytest.raises(Refused) as refused:
        game.places("Ada")
    assert refused.value.code == "placement.not_yours"
    assert game.lines([*crows, *game.places(WM), *game.places(WM)]) == [
        "Ada rolls 5 4", "Odo rolls 1", "Ada net 0 = 9", "Odo net -1 = 1",
        "risk 0/1296", "Odo places 1 6 5 3 at (-4, 0): 5",
        "risk 540/1296", "Odo places 1 1 2 4 at (-4, -2): 6",
    ]  # fmt: skip
    assert game.wishes == {"Ada": 1, "Brok": 1}
    game.does("Ada", "end-turn")

    # Brok hits Odo as well. The dice lie at x 0, 1, 1, 1, -4, -4. Above die 4 the two are -5 each off its centre, and a
    # third at -5 + s has 15 to stay within: -15 + s stands from 0 on, so that 15 of 36 shifts in x fall, all below 0.
    again = [*game.strikes("Brok", "Odo", "power"), *game.closes("Brok"), *game.places(WM)]
    assert game.lines(again) == [
        "Brok rolls 3 4", "Odo rolls 3", "Brok net 0 = 7", "Odo net 0 = 3",
        "risk 540/1296", "Odo places 2 3 3 1: 6 fall over die 4 in x",
    ]  # fmt: skip
    assert of_kind(again, TerribleThingDue) == [event_like(TerribleThingDue, actor=odo)]
    # Nobody is left: the turn ends, and the encounter with it.
    (consequence,) = game.state.consequences
    struck = [{"actor": actor, "fallen": True} for actor in (ada, brok, odo)]
    slide = game.does(
        WM, "write-consequence", consequence=consequence, kind="death", text="The slope comes down.", targets=struck
    )
    assert of_kind(slide, ActorFell, TurnEnded, EncounterClosed, TurnStarted, RoundStarted) == [
        *(event_like(ActorFell, actor=actor, text="The slope comes down.") for actor in (ada, brok, odo)),
        event_like(TurnEnded, actor=brok),
        event_like(EncounterClosed, reason="empty"),
    ]
    assert (game.state.step, game.height, dict(game.state.prompts), dict(game.state.timers)) == ("free", 0, {}, {})
    for actor in (ada, odo):
        with pytest.raises(Refused) as refused:
            game.does(WM, "request-check", actor=actor, intent="dig")
        assert refused.value.code == "actor.fallen"
    assert game.wait(60) == []

    # The world master has Ada dug out; she is the one who acts, and the tower begins anew.
    up = game.does(WM, "set-state", actor=ada, state="active", reason="The crows have found her.")
    assert of_kind(up, ActorStateSet) == [event_like(ActorStateSet, actor=ada, state="active")]
    with pytest.raises(Refused) as refused:
        game.does("Brok", "request-check", intent="dig")
    assert refused.value.code == "actor.fallen"
    digs = [*game.tries("Ada", "dig for Brok", cd="simple")]
    assert game.lines(digs) == []
    assert [check.success for check in game.state.checks.values() if check.intent == "dig for Brok"] == [True]
    game.assert_transcript("total_loss")
