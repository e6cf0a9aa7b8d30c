"""The rows of Dawn through both APIs: the same to the same visibility, the same filters, the same secrets."""

import re
from typing import Any

import pytest
from django.utils import timezone

from games.dawn import api
from games.dawn import models as own
from tests.api.dawn import rows_of
from tests.api.worlds import client
from tests.games.dawn import PEOPLE, begin, command, peopled_world, record_named
from worlds.models import City, Race

pytestmark = pytest.mark.django_db

BID = re.compile(r"(?<![0-9a-f.])314159(?![0-9a-f])")
"""A bid as a number of its own: ids, digests and times may hold its digits by chance."""


def test_both_apis_show_the_same_rows_to_the_same_visibility() -> None:
    here = peopled_world(now=timezone.now())
    here.run(command("make-offer", to=here.seats["bob"], give=1, want=1), "ann")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=3), "cat")
    here.run(command("open-motion", length=6), "bob")
    here.run(command("shift-alignment", target=record_named(here.state.races, "Dwarves").id, dir=1), "ann")
    public = {resource.name: rows_of(resource.name, here, None) for resource in api.RESOURCES}
    assert {name for name, rows in public.items() if not rows} == {"conflicts", "wars", "offers", "advances"}
    for resource in api.RESOURCES:
        own_rows = rows_of(resource.name, here, "ann")
        if resource.name != "offers":
            assert own_rows == public[resource.name]
    assert [p["does"] for p in public["powers"]] == ["shift-alignment"]
    assert public["powers"][0]["arguments"]["dir"] == 1
    offers = {name: len(rows_of("offers", here, name)) for name in PEOPLE}
    assert offers == {"ann": 1, "bob": 1, "cat": 0}
    assert len(rows_of("offers", here, "host", gm=True)) == 1
    assert {name: len(rows_of("advances", here, name)) for name in PEOPLE} == {"ann": 0, "bob": 0, "cat": 1}


def test_rows_are_filtered_alike_in_both_apis() -> None:
    here = peopled_world(now=timezone.now())
    elves, dwarves = (Race.objects.get(world=here.game.world, name=name) for name in ("Elves", "Dwarves"))
    oakhold = City.objects.get(world=here.game.world, name="Oakhold")
    ann, bob = str(here.seats["ann"]), str(here.seats["bob"])

    def ids(name: str, field: str, /, **wanted: Any) -> list[Any]:
        return [row[field] for row in rows_of(name, here, "cat", **wanted)]

    assert ids("races", "race", name="Elves") == [str(elves.pk)]
    assert ids("races", "race", creator=bob) == [str(dwarves.pk)]
    assert sorted(ids("races", "race", edge="good ships")) == sorted([str(elves.pk), str(dwarves.pk)])
    assert ids("races", "race", tier="majestic") == ids("races", "race", alignment_min=1) == []
    assert len(ids("races", "race", alignment=0, life="alive")) == 2
    assert ids("cities", "city", alignment_min=1) == ids("cities", "city", controller=ann) == [str(oakhold.pk)]
    assert ids("cities", "city", edge="thick walls", race=str(elves.pk)) == [str(oakhold.pk)]
    assert ids("edges", "name", kind="defensive", city=str(oakhold.pk)) == ["thick walls"]
    assert ids("edges", "tags", race=str(elves.pk), tag="crosses_water") == [["crosses_water"]]
    assert ids("squares", "square", climate="polar") == [{"x": 6, "y": 4}, {"x": 7, "y": 4}]
    assert len(ids("squares", "square", fantastic=True)) == len(ids("squares", "square", floating=True)) == 2
    assert len(ids("squares", "square", shaped_by=ann)) == 6
    assert len(ids("squares", "square", terrain="plains", x_max=2)) == 4
    isle = own.Region.objects.get(name="Isle of Glass")
    assert len(ids("squares", "square", region=str(isle.pk))) == 2
    assert ids("regions", "name", fantastic=True) == ids("regions", "name", name_contains="glass") == ["Isle of Glass"]
    assert ids("territories", "square", race=str(elves.pk)) == [{"x": 1, "y": 1}, {"x": 1, "y": 2}]
    assert ids("territories", "race", x=3, y=1) == [str(dwarves.pk)]
    assert len(ids("orders", "order", owner=ann)) == 2
    assert len(ids("orders", "order", kind="religious")) == 2
    assert ids("avatars", "square", owner=ann, alive=True) == [{"x": 1, "y": 1}]
    assert len(ids("avatars", "avatar", owner=bob)) == 0
    assert len(ids("purses", "seat", balance_min=0)) == 3
    assert client().get("/api/v1/dawn/races/", {"colour": "red"}).status_code in (400, 422)


@pytest.mark.rule("DW-AGE-5", "DW-AMB-56")
def test_secret_rows_are_shown_to_their_own_seat_alone() -> None:
    """Ballots until the motion is closed; standing answers always, and from the game-master too."""
    here = begin(now=timezone.now())
    here.run(command("open-motion", length=7), "ann")
    motion = own.Motion.objects.get(game=here.id)
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "bob")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=314159), "bob")
    assert [row["most"] for row in rows_of("advances", here, "bob")] == [314159]
    for name, gm in (("ann", False), ("cat", False), (None, False), ("host", True)):
        assert rows_of("advances", here, name, gm=gm) == []
        viewer, as_gm = here.client(name) if name else client(), "as=gm" if gm else ""
        for part in (f"state/?{as_gm}", f"events/?limit=500&{as_gm}", f"prompts/?all=1&{as_gm}"):
            text = viewer.get(here.url(part)).content.decode()
            assert not BID.search(text) and "dawn.BallotCast" not in text, (name, part)
        answers = viewer.get(here.url(f"state/?{as_gm}")).json()["answers"]
        assert answers == []
    mine = here.client("bob").get(here.url("state/")).json()
    assert [a["value"] for a in mine["answers"]] == ["true"] or [a["value"] for a in mine["answers"]] == [True]


@pytest.mark.rule("DW-WAR-4")
def test_armies_that_a_side_commits_are_sealed_until_both_are_in() -> None:
    here = peopled_world(now=timezone.now())
    deephall, oakhold = (record_named(here.state.cities, name) for name in ("Deephall", "Oakhold"))
    here.turn_of("bob")
    here.run(command("command-city", city=deephall.id, act="raise_army"), "bob")
    here.turn_of("ann")
    armies = [a.id for a in here.state.armies_in(oakhold.id)]
    march = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(a) for a in armies]}
    here.run(command("command-city", city=oakhold.id, act="war", args=march), "ann")
    war = own.War.objects.get(game=here.id)
    here.run(command("commit-armies", war=war.pk, armies=[str(armies[0])]), "ann")
    for name, knows in (("ann", True), ("bob", False), ("cat", False)):
        found = here.client(name).get(here.url("state/")).json()["answers"]
        assert (len(found) > 0) is knows, name
        log = here.client(name).get(here.url("events/?limit=500")).content.decode()
        assert ("dawn.ArmiesCommitted" in log, "dawn.CommitSealed" in log) == (knows, True)
    here.rows_agree()
    (mine,) = here.state.armies_in(deephall.id)
    body = {"war": str(war.pk), "armies": [str(mine.id)]}
    answer = here.client("bob").post(
        here.url("commands/commit-armies/?dry_run=1"), body, content_type="application/json"
    )
    assert (answer.status_code, [e["type"] for e in answer.json()["events"]]) == (
        200,
        ["dawn.ArmiesCommitted", "dawn.CommitSealed"],
    )
    assert str(armies[0]) not in answer.content.decode()
