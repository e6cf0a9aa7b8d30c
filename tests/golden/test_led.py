"""Golden game: two players and a game-master, a real drop, and every question that is asked inside a turn."""

from collections.abc import Callable
from typing import Any

import pytest

from api.representations.issuing.examples import example_of
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.models import Prompt
from tests.golden.forge import GM, Forge

DROP: list[Any] = (example_of("forgeborn", "enter-map") or {})["entries"]
THREE = {"free": [12, 12, 12]}


def amend(game: Forge, table: str, row: object, **values: str) -> None:
    """The game-master corrects a row: its fields as JSON."""
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    changes = (Change(deed=Deed.ALTER, table=table, row=str(row), fields=fields),)
    game.by_gm(Amend(changes=changes, reason="The evening is short"))


def asked(game: Forge) -> list[str]:
    """The questions that are open, by kind."""
    return sorted(Prompt.objects.filter(game=game.game).values_list("kind", flat=True))


@pytest.mark.once
@pytest.mark.rule("FB-MAP-3", "FB-FOR-1", "FB-CON-7", "FB-CON-8", "FB-GM-2", "FB-VLT-2", "FB-RUI-2", "FB-DRG-2")
def test_a_game_master_is_asked_inside_the_turns(forge: Callable[..., Forge]) -> None:
    game = forge("cold anvil", referee="person", drop="table", turn_seconds=300, answer_seconds=60)
    game.gathers("Ann", "Bob")
    assert asked(game) == ["MAP"]
    game.does(GM, "enter-map", entries=DROP)
    game.does(GM, "accept-map")
    game.does("Ann", "define-smith", name="Ann", dice=[12, 12, 12, 12, 12, 8, 4])
    game.does("Bob", "define-smith", name="Bob", dice=[12, 12, 12, 10, 8, 8, 6, 4])
    first, second = ("Ann", "Bob") if game.turn == "Ann" else ("Bob", "Ann")

    # Help is asked for, then dice; 33 buy one d12, for 13. The maker has a point for its Power, the helper one.
    game.does(
        first,
        "begin-artifact",
        name="Ember",
        form={"kind": "clothing", "die": 4},
        function={"kind": "fortune", "die": 8},
    )
    assert asked(game) == ["HELP", "TURN"]
    game.does(second, "offer-help", free=[12, 12, 12])
    assert asked(game) == ["FORGE", "TURN"]
    game.does(first, "forge-artifact", free=[12, 12, 12], helpers=[game.seats[second]])
    assert asked(game) == ["SPEND", "TURN"]
    game.does(first, "spend-roll", dice=[12])
    assert game.glory == {first: 1, second: 1}
    game.does(second, "end-turn")

    # The ballot is no: the coat is denied, and taken by force, 36 to 7; the game-master says what that is like.
    ember = game.thing("Ember")
    game.does(first, "request-artifact", artifact=ember)
    assert asked(game) == ["TURN", "VAULT"]
    game.does(second, "cast-ballot", yes=False)
    assert asked(game) == ["DENIED", "TURN"]
    game.does(first, "contest-artifact", pool={"free": [12, 12, 12], "sacrifice": [12, 12] if first == "Ann" else [10]})
    assert asked(game) == ["DESCRIBE", "TURN"]
    game.does(GM, "describe-danger", text="The Vault has hands of its own.")
    while asked(game) != ["TURN"]:
        game.wait(1)
    game.does(second, "end-turn")

    # In the next turn the coat is named, and the game-master does not think that it helps: a new pool is asked for.
    assert game.state.artifacts[ember].holder == game.of(first)
    amend(game, "characters", game.of(first), place=f'"{game.place("village", 1)}"', d12="4")
    named = [{"artifact": str(ember), "how": "It is warm."}]
    game.does(first, "assist-village")
    game.does(GM, "describe-danger", text="The well is frozen.")
    assert asked(game) == ["POOL", "TURN"]
    game.does(first, "choose-pool", pool={**THREE, "artifacts": named})
    assert asked(game) == ["RULING", "TURN"]
    game.does(GM, "rule-artifacts", refused=[ember], reason="A coat thaws nobody's well.")
    assert asked(game) == ["REPOOL", "TURN"]
    game.does(first, "choose-pool", pool=THREE)
    while asked(game) != ["TURN"]:
        game.wait(1)

    # The other explores Ruins; the game-master sleeps, and the service says nothing and drops the new Ruins.
    amend(game, "characters", game.of(second), place=f'"{game.place("ruins", 2)}"', d12="6")
    game.does(second, "explore-ruins", pool={"free": [12, 12, 12], "sacrifice": [12, 12, 12]}, gain={})
    game.wait(3)
    assert asked(game) == ["TURN"]

    # The Spirits are asked for far too much: a die is to be given up, and the seat says which.
    amend(game, "characters", game.of(first), place=f'"{game.place("forest")}"', d12="3")
    game.does(first, "commune", dice=[12] * 20)
    assert asked(game) == ["FOREST", "TURN"]
    game.does(first, "give-up-die", die=12)
    assert game.state.characters[game.of(first)].d12 == 2
    game.does(second, "end-turn")

    # Fourteen d12 come to 79 against 54 of eight: the Dragon falls. The other has one turn more, and steps back.
    amend(game, "characters", game.of(first), place=f'"{game.place("lair")}"', d12="14")
    game.does(first, "face-dragon", pool={"free": [12, 12, 12], "sacrifice": [12] * 11})
    game.does(GM, "describe-danger", text="It yawns.")
    assert game.state.course.slayer == game.seats[first]
    amend(game, "characters", game.of(second), place=f'"{game.place("ruins", 1)}"')
    game.does(second, "explore-ruins")
    game.does(GM, "describe-danger", text="Somebody else's name is on the door.")
    game.does(second, "step-back")
    assert game.fresh().status == "finished"
    assert game.state.course.winners == (game.seats[first],)
    game.assert_transcript("led")
