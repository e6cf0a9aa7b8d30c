"""The chronicle of a world of Dawn: what happened in it, by Age, stored with the world; what is undone is not in it."""

import pytest
from django.utils import timezone

from games.engine.audience import PUBLIC
from games.models import LoggedEvent
from games.storage.chronicle import entry_of
from tests.games.dawn import World, begin, command, peopled_world
from tests.games.moments import rewind_to
from worlds.models import Chronicle, City, Race

pytestmark = pytest.mark.django_db


def rows(here: World) -> list[Chronicle]:
    """The chronicle of the game's world, in order."""
    return list(Chronicle.objects.filter(world=here.game.world).order_by("position"))


def texts_of(here: World) -> list[str]:
    """The sentences of the world's chronicle."""
    return [row.text for row in rows(here)]


@pytest.mark.rule("DW-AGE-1")
def test_the_chronicle_tells_the_world_by_ages_and_leaves_the_game_out() -> None:
    here = peopled_world(now=timezone.now())
    here.run(command("give-points", to=here.seats["bob"], amount=1), "ann")
    here.run(command("open-motion", length=6), "bob")
    before = rows(here)
    assert [row.position for row in before] == list(range(1, len(before) + 1))
    assert {(row.chapter, row.heading) for row in before} == {(1, "Age of Land")}
    texts = " ".join(row.text for row in before)
    assert (
        "Greenlands" in texts and "Elves found the city of Oakhold." in texts and "Weavers" in texts and "Horn" in texts
    )
    assert "points" not in texts and "ends the turn" not in texts and "moves to" not in texts
    founded = next(row for row in before if row.text.endswith("the city of Oakhold."))
    assert founded.square is not None and (founded.square.x, founded.square.y) == (1, 1)
    assert founded.figures == "at 1, 1"
    entry = here.client("cat").get(f"/api/v1/worlds/chronicle/?world={here.game.world_id}&limit=100").json()["results"]
    assert [line["text"] for line in entry] == texts_of(here)


@pytest.mark.rule("DW-AGE-1", "DW-AGE-3")
def test_each_age_is_a_chapter_of_its_own() -> None:
    here = begin(now=timezone.now())
    with here.keeping():
        while here.active != "ann":
            here.run(command("end-turn"), here.active)
        here.grant("ann", 50)
        here.shape("ann", "First shore", (0, 0))
        while here.state.course.age < 2:
            here.run(command("end-turn"), here.active)
        here.turn_of("ann")
        here.shape("ann", "Second shore", (1, 1))
    assert [(row.chapter, row.heading, "shore" in row.text) for row in rows(here)] == [
        (1, "Age of Land", True), (2, "Age of Races", True),
    ]  # fmt: skip


def test_what_a_rewind_undoes_is_taken_out_and_the_chronicle_goes_on_behind_what_stands() -> None:
    here = peopled_world(now=timezone.now())
    town = City.objects.get(world=here.game.world, name="Deephall")
    before, to = texts_of(here), here.game.seq
    razing = {"kind": "catastrophe", "works": "raze_city", "squares": [{"x": 3, "y": 1}], "targets": [town.pk]}
    here.run(command("work-wonder", **razing), "ann")
    here.let_pass("bob")
    assert len(rows(here)) == len(before) + 2
    note = Chronicle.objects.create(world=here.game.world, position=900, text="Told by a person.")
    here.run(rewind_to(here.id, to, "It did not happen."), "gm")
    assert [row.text for row in rows(here)] == [*before, note.text]
    elves = Race.objects.get(world=here.game.world, name="Elves").pk
    here.run(command("command-race", race=elves, act="deed", args={"text": "They sing."}), "ann")
    assert [row.text for row in rows(here)] == [*before, note.text, "Elves: They sing."]
    here.rows_agree()


def test_the_ids_of_the_chronicle_reveal_no_secret() -> None:
    """They count what everybody may read: a secret sentence in between moves none of them."""
    here = begin(now=timezone.now())
    here.turn_of("ann")
    here.grant("ann", 50)
    to = here.game.seq
    here.shape("ann", "Shore", (0, 0))
    plain = rows(here)[0].pk
    here.run(rewind_to(here.id, to, "Again."), "gm")
    public = LoggedEvent.objects.filter(game=here.id, audience=PUBLIC).count()
    here.run(command("set-standing-answer", kind="max_bid", max_bid=3), "bob")
    here.shape("ann", "Shore", (0, 0))
    row = LoggedEvent.objects.get(game=here.id, type="LandShaped", fallen=None)
    assert row.ordinal - public < row.seq - to  # the secret counts in the one, not in the other
    again = rows(here)[0].pk
    assert again != plain and again == entry_of(here.game.pk, row.ordinal)
