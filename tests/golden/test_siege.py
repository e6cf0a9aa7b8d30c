"""Golden game: armies march on a city; its avatar holds it twice, dies and returns; the city falls, its people end."""

from collections.abc import Callable

import pytest

from games.dawn.rules.conflict.events import ConflictResolved
from games.dawn.rules.revenge.events import AvatarDestroyed, AvatarRespawned
from games.dawn.rules.state.schema_types import Moral
from games.dawn.rules.war.battle_events import ArmiesLost, CityFell, CommitSealed
from games.dawn.rules.war.events import WarEnded
from games.dawn.rules.wonders.events import RaceExtinct, WonderWorked
from games.engine.errors import Refused
from tests.golden.horizon import Horizon, battle_lines
from tests.playbook import event_like, of_kind

TWO = {"act": "raise_army", "args": {"count": 2}}


@pytest.mark.rule("DW-CMDR-1", "DW-CMDR-2", "DW-CMDC-2", "DW-AVA-2", "DW-AVA-4", "DW-AVA-5", "DW-AVA-6", "DW-AVA-7")
@pytest.mark.rule("DW-WAR-1", "DW-WAR-4", "DW-WAR-5", "DW-WAR-6", "DW-WAR-7", "DW-WAR-8", "DW-WAR-9", "DW-WAR-10")
@pytest.mark.rule("DW-WAR-11", "DW-MIR-3", "DW-MIR-5", "DW-AMB-32")
def test_a_city_is_besieged_held_by_an_avatar_and_falls(horizon: Callable[..., Horizon]) -> None:
    game = horizon("the siege", "......", "......", "......", "~~~~~~")
    game.begins(Ram=Moral.NEUTRAL, Wolf=Moral.EVIL)
    for _ in range(5):  # the Age of Land passes; what is not spent stays
        game.round_passes()
    assert game.points == {"Ram": 48, "Wolf": 60}
    assert game.order == ["Ram", "Wolf"]

    # Age 2, round 1. Ram: a race 6, a city 4, an avatar 7; through the avatar, for 1, two armies at once.
    game.does("Ram", "create-race", name="Horned", home=(0, 1), order_name="Rite of the Horn")
    founds = {"act": "found_city", "args": {"square": (0, 1), "name": "Fold"}}
    game.does("Ram", "command-race", race=game.of("Horned"), **founds)
    game.does("Ram", "create-avatar", square=(0, 1), kind="mortal", name="Bellwether")
    leader, fold = game.of("Bellwether"), game.of("Fold")
    raising = {"power": "command_city", "args": {"city": fold, **TWO}}
    game.does("Ram", "command-avatar", avatar=leader, free_power=raising)
    with pytest.raises(Refused) as refused:
        game.does("Ram", "command-city", city=fold, act="raise_army")
    assert refused.value.code == "army.cap"
    # Wolf: a race 6, a city 4, its edge 4, an avatar 7, one army 3.
    game.turn_of("Wolf")
    game.does("Wolf", "create-race", name="Pack", home=(4, 1), order_name="Howl")
    founds = {"act": "found_city", "args": {"square": (4, 1), "name": "Lair"}}
    game.does("Wolf", "command-race", race=game.of("Pack"), **founds)
    lair = game.of("Lair")
    game.does("Wolf", "gift-edge", target=lair, name="thick walls", kind="defensive")
    game.does("Wolf", "create-avatar", square=(4, 1), kind="beast", name="Fang")
    game.does("Wolf", "command-city", city=lair, act="raise_army")
    assert game.points == {"Ram": 30, "Wolf": 36}
    # Round 2: two more armies for Ram. Round 3: Bellwether leads one of the four, for 1.
    game.round_passes()
    game.turn_of("Ram")
    game.does("Ram", "command-avatar", avatar=leader, free_power=raising)
    game.round_passes()
    assert game.points == {"Ram": 44, "Wolf": 53}
    march, guard = game.armies("Fold"), game.armies("Lair")
    assert (len(march), len(guard)) == (4, 1)
    game.does("Ram", "command-avatar", avatar=leader, actions=[{"action": "lead_army", "army": march[0]}])

    # For 4 all four march. Both sides choose in secret: Wolf the one army, Ram two, the led one among them.
    order = {"act": "war", "args": {"target": {"square": (4, 1)}, "armies": march}}
    game.does("Ram", "command-race", race=game.of("Horned"), **order)
    war = next(iter(game.state.wars))
    sealed = game.does("Wolf", "commit-armies", war=war, armies=guard)
    assert of_kind(sealed, CommitSealed) == [event_like(CommitSealed, side="defender")]
    assert battle_lines(sealed) == []
    battle = game.does("Ram", "commit-armies", war=war, armies=march[:2])
    assert battle_lines(battle) == ["6+5 leader 1 = 12 v 2 city_edges 1 resident 1 = 4: attacker"]
    assert of_kind(battle, ArmiesLost) == [event_like(ArmiesLost, armies=tuple(guard))]

    # The city has no army: Fang stands in, one die with all its bonuses. Fang beats the led army, then another.
    def again(*, stands_in: bool, armies: int) -> list[str]:
        left = [army for army in march if army in game.state.armies]
        game.does("Ram", "attack-again", war=war)
        if stands_in:
            game.does("Wolf", "stand-in", war=war, avatar=game.of("Fang"))
        battle.clear()
        battle.extend(game.does("Ram", "commit-armies", war=war, armies=left[:armies]))
        return battle_lines(battle)

    assert again(stands_in=True, armies=1) == ["1 leader 1 = 2 v 2 city_edges 1 resident 1 = 4: defender"]
    # Bellwether lives, at home, and leads nobody.
    assert (game.record("Bellwether").alive, game.record("Bellwether").leads) == (True, None)
    assert (game.record("Bellwether").x, game.record("Bellwether").y) == (0, 1)
    assert again(stands_in=True, armies=1) == ["1 = 1 v 2 city_edges 1 resident 1 = 4: defender"]
    assert again(stands_in=True, armies=1) == ["4 = 4 v 1 city_edges 1 resident 1 = 3: attacker"]
    assert of_kind(battle, AvatarDestroyed) == [event_like(AvatarDestroyed, avatar=game.of("Fang"))]
    assert game.record("Lair").controller == game.seats["Wolf"]  # the stand-in is dead, and the city stands

    # Wolf takes revenge: Wolf bids 3, Ram folds; Fang will return.
    game.answers("Wolf", "open-conflict", "avatar.revenge")
    game.bids("Wolf", 3)
    assert of_kind(game.folds("Ram"), ConflictResolved) == [event_like(ConflictResolved, winner="invoker")]
    assert game.points == {"Ram": 39, "Wolf": 50}

    # Nobody stands in any more. Both armies that are left attack, and move in.
    left = tuple(army for army in march if army in game.state.armies)
    assert again(stands_in=False, armies=2) == ["1+2 = 3 v 1 city_edges 1 = 2: attacker"]
    horned, pack = game.of("Horned"), game.of("Pack")
    assert of_kind(battle, CityFell, WarEnded) == [
        event_like(CityFell, controller=game.seats["Ram"], race=horned, armies=left),
        event_like(WarEnded, reason="captured"),
    ]
    assert (len(game.armies("Fold")), len(game.armies("Lair"))) == (0, 2)
    assert {(horned, 4, 1), (pack, 4, 1)} <= set(game.state.territory)
    assert [edge.name for edge in game.state.edges_of(lair)] == ["thick walls"]

    # Round 4. The Pack has no city left. Wolf cannot hold the catastrophe up: Wolf bids 1, Ram 2, and Wolf folds.
    game.round_passes()
    game.turn_of("Ram")
    before = game.points
    wrath = {"kind": "catastrophe", "works": "extinguish_race", "text": "A winter without end."}
    game.does("Ram", "work-wonder", squares=[(4, 1)], targets=[pack], **wrath)
    game.answers("Wolf", "raise-objection", "ask.object")
    game.bids("Wolf", 1)
    game.bids("Ram", 2)
    ended = game.folds("Wolf")
    assert of_kind(ended, WonderWorked, RaceExtinct) == [event_like(WonderWorked), event_like(RaceExtinct, race=pack)]
    after = game.points
    assert {name: before[name] - after[name] for name in before} == {"Ram": 12, "Wolf": 1}  # 10 for the power, 2 bid
    assert game.record("Howl").dissolved
    assert (pack, 4, 1) not in game.state.territory

    # At the start of Wolf's turn Fang stands at the place of death, before the walls that are Ram's now.
    returned = game.turn_of("Wolf")
    assert of_kind(returned, AvatarRespawned) == [event_like(AvatarRespawned, avatar=game.of("Fang"))]
    with pytest.raises(Refused) as refused:
        game.does("Wolf", "create-order", race=pack, kind="guild", name="Last Howl")
    assert refused.value.code == "race.extinct"
    game.assert_transcript("siege")
