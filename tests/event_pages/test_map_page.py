"""The map of a game from its desk: a file of letters or JSON, or the Earth; what is not laid is refused in words."""

import gzip
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import Join
from games.models import Game, Seat
from tests.api.worlds import toy_game, user
from tests.event_pages.desks import Form
from worlds.map_files import earth, write_json
from worlds.models import Square

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ISLAND = "WWWWW\nWPFMW\nWWWWW\nWWWWW\n"


def opened(ruleset: str, first: str) -> tuple[Game, Client]:
    """A game of which a map may be set after this command, and its opener's browser."""
    game = services.open_game(ruleset, "An evening", user=user("host").pk)
    for name in ("ann", "bob"):
        services.run(game.pk, Join(name=name), actor=Actor(Issuer.SEAT, user(name).pk))
    seat = Seat.objects.get(game=game, role="gm")
    services.run(game.pk, registry.ruleset(ruleset).commands[first](), actor=Actor(Issuer.GM, seat.user_id, seat.pk))
    browser = Client()
    browser.force_login(user("host"))
    return game, browser


def send(browser: Client, game: Game, *, name: str = "map.txt", file: str | bytes | None = None, size: str = ""):
    """Send the form of the map."""
    address = f"/games/{game.pk}/desk/map/"
    key = Form(browser.get(address).content.decode()).values["key"]
    data = file.encode() if isinstance(file, str) else file
    brought = {} if data is None else {"file": SimpleUploadedFile(name, data)}
    return browser.post(address, {"key": key, "earth": size, **brought})


def terrain_names(game: Game) -> list[str]:
    world = Game.objects.select_related("world").get(pk=game.pk).world
    return list(Square.objects.filter(world=world).order_by("y", "x").values_list("terrain", flat=True))


def terrain(game: Game) -> str:
    return "".join(terrain_names(game))


def test_the_gods_ii_is_laid_from_a_file_or_as_the_earth():
    game, browser = opened("gods2", "configure-game")
    assert f"/games/{game.pk}/desk/map/" in browser.get(f"/games/{game.pk}/desk/").content.decode()
    written = json.dumps(write_json(earth()))
    for brought in ({"file": ISLAND}, {"size": "30x20"}, {"file": written, "name": "MAP.JSON"}):
        answer = send(browser, game, **brought)
        assert answer.status_code == 302 and answer["Location"] == f"/games/{game.pk}/desk/", answer.content
        expected = ISLAND.replace("\n", "") if brought.get("file") == ISLAND else "".join(earth().terrain)
        assert terrain(game) == expected
    packed = gzip.compress(ISLAND.encode())
    for file, told in (
        ("WW\nWQ\n", "olumn 2"), ("", "map.txt: "), (b"WW\n\xff\xfe", "UTF-8"), ('{"width": 1}', "map.txt: "),
        (packed, "is packed; unpack it first"), (None, "Choose a file"),
    ):  # fmt: skip
        answer = send(browser, game, file=file)
        assert answer.status_code == 422 and told in answer.content.decode(), told
    assert terrain(game) == "".join(earth().terrain)


def test_dawn_is_laid_from_letters_from_cells_and_as_the_earth():
    game, browser = opened("dawn", "start")
    cells = [{"terrain": "plains" if number % 3 else "ocean", "features": []} for number in range(20)]
    written = json.dumps({"width": 5, "height": 4, "cells": cells})
    for brought, squares in (({"file": ISLAND}, 20), ({"file": written}, 20), ({"size": "30x20"}, 600)):
        answer = send(browser, game, **brought)
        assert answer.status_code == 302, answer.content
        assert len(terrain_names(game)) == squares
        if brought.get("file") == ISLAND:
            assert terrain_names(game)[:8] == ["ocean"] * 6 + ["plains", "forest"]
    assert set(terrain_names(game)) == {"ocean", "plains", "forest", "desert", "mountains", "ice"}


STRANGE = ({"terrain": "lava"}, "the terrain lava is not in this game; it has")
MARKED = ({"terrain": "ice", "features": [{"kind": "city"}]}, "the feature city is not in this game")


@pytest.mark.parametrize(
    ("ruleset", "first", "cell", "told"),
    [("dawn", "start", *STRANGE), ("dawn", "start", *MARKED), ("gods2", "configure-game", *STRANGE)],
)
def test_what_a_game_does_not_have_is_refused_with_row_and_column(ruleset, first, cell, told):
    """A file of another game's world, or of another tool: whatever its squares hold that this game's do not."""
    game, browser = opened(ruleset, first)
    usual = {"terrain": "ocean" if ruleset == "dawn" else "P"}
    cells = [cell if number == 7 else usual for number in range(20)]
    answer = send(browser, game, file=json.dumps({"width": 5, "height": 4, "cells": cells}), name="world.json")
    assert answer.status_code == 422 and f"Row 2, column 3: {told}" in answer.content.decode()
    assert not game.events.filter(type="MapSet").exists()


def test_a_ruleset_that_sets_no_map_has_no_such_page():
    toy = toy_game()
    browser = Client()
    browser.force_login(toy.host)
    assert browser.get(f"/games/{toy.game.pk}/desk/map/").status_code == 404
    assert "desk/map/" not in browser.get(f"/games/{toy.game.pk}/desk/").content.decode()
