"""Questions of Dawn that nest: `prompts/` has each for exactly those who owe it, whatever process is asked."""

from typing import Any

import pytest
from django.utils import timezone

from games.dawn.rules.state.state import LANE
from games.engine.prompts.prompt import innermost_in
from games.storage.state_cache import STATE_CACHE
from tests.api.dawn import graphql
from tests.games.dawn import World, begin, command

pytestmark = pytest.mark.django_db
PEOPLE = ("ann", "bob", "cat", "dan")
ASKED = """query($g: UUID!) { game(id: $g) { prompts { kind answered answerable silence dueIn frozen } } }"""
WAITS, OWED = False, True


def owing(here: World) -> dict[str, list[tuple[str, bool]]]:
    """Who is asked what, and whether it can be answered now, as a new process answers in both APIs."""
    STATE_CACHE.clear()
    found = {}
    for name in PEOPLE:
        viewer = here.client(name)
        answer: list[dict[str, Any]] = viewer.get(here.url("prompts/")).json()["results"]
        same = graphql(viewer, ASKED, g=str(here.id))["game"]["prompts"]
        open_ones = [p for p in answer if not p["answered"]]
        assert [(p["kind"], p["answerable"]) for p in open_ones] == [
            (p["kind"], p["answerable"]) for p in same if not p["answered"]
        ]
        for prompt in open_ones:
            assert prompt["silence"] and prompt["frozen"] is not prompt["answerable"]
            assert prompt["due_in"] > 0
        if open_ones:
            found[name] = sorted((p["kind"], p["answerable"]) for p in open_ones)
    return found


def world_of_shapers() -> World:
    """Ann's turn; Bob, Cat and Dan have shaped a square each, side by side."""
    here = begin(people=PEOPLE, now=timezone.now())
    for name, x in (("bob", 1), ("cat", 2), ("dan", 3)):
        here.turn_of(name)
        here.grant(name, 20)
        here.shape(name, f"Shore of {name}", (x, 0))
    here.turn_of("ann")
    here.grant("ann", 20)
    return here


@pytest.mark.rule("DW-LAND-3", "DW-AMB-36", "DW-DC-2", "DW-DC-3", "DW-DC-6")
def test_a_question_within_a_question_is_owed_by_the_seats_it_asks_alone() -> None:
    here = world_of_shapers()
    mine = [("turn", WAITS)]
    assert owing(here) == {"ann": [("turn", OWED)]}
    here.shape("ann", "Long shore", (1, 0), (2, 0), (3, 0))
    leave = [("ask.leave", OWED)]
    assert owing(here) == {"ann": mine, "bob": leave, "cat": leave, "dan": leave}
    here.run(command("open-motion", length=6), "cat")
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=False), "bob")
    motion = [("motion", OWED)]
    assert owing(here) == {"ann": [*motion, *mine], "bob": motion, "cat": leave + motion, "dan": leave + motion}
    for name in ("bob", "cat", "ann", "dan"):
        here.run(command("cast-ballot", motion=here.prompt_of("motion"), yes=False), name)
    assert here.events_of("MotionClosed")[0]["no"] == 4
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=True), "cat")
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=False), "dan")
    assert owing(here) == {"ann": [("ask.decide", OWED), *mine]}
    here.run(command("open-conflict", prompt=here.prompt_of("ask.decide")), "ann")
    assert owing(here) == {"ann": [("auction", OWED), *mine]}
    (conflict,) = here.state.conflicts.values()
    first, second = ("bob", "dan") if conflict.challenger == here.seats["bob"] else ("dan", "bob")
    here.run(command("place-bid", conflict=conflict.id, total=2), "ann")
    assert owing(here) == {"ann": mine, first: [("auction", OWED)]}
    here.run(command("fold", conflict=conflict.id), first)
    assert owing(here) == {"ann": [("ask.decide", OWED), *mine]}
    here.run(command("open-conflict", prompt=here.prompt_of("ask.decide")), "ann")
    (conflict,) = here.state.conflicts.values()
    here.run(command("place-bid", conflict=conflict.id, total=1), "ann")
    assert owing(here) == {"ann": mine, second: [("auction", OWED)]}
    here.run(command("place-bid", conflict=conflict.id, total=2), second)
    assert owing(here) == {"ann": [("auction", OWED), *mine]}
    here.run(command("fold", conflict=conflict.id), "ann")
    assert owing(here) == {"ann": [("turn", OWED)]}
    assert [len(here.events_of(kind)) for kind in ("ConflictResolved", "PowerFailed", "LandShaped")] == [2, 1, 3]
    here.rows_agree()


@pytest.mark.rule("DW-AMB-56", "DW-LAND-3", "DW-DC-3")
def test_a_seat_with_a_standing_answer_owes_nothing_and_no_other_seat_sees_why() -> None:
    here = world_of_shapers()
    ann = here.seats["ann"]
    here.run(command("set-standing-answer", kind="leave", answer="always"), "bob")
    here.run(command("set-standing-answer", kind="leave", answer="never", seat=ann), "cat")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=4), "cat")
    here.shape("ann", "Long shore", (1, 0), (2, 0), (3, 0))
    assert owing(here) == {"ann": [("turn", WAITS)], "dan": [("ask.leave", OWED)]}
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=True), "dan")
    here.run(command("open-conflict", prompt=here.prompt_of("ask.decide")), "ann")
    (conflict,) = here.state.conflicts.values()
    here.run(command("place-bid", conflict=conflict.id, total=3), "ann")
    assert owing(here) == {"ann": [("auction", OWED), ("turn", WAITS)]}
    assert [(bid["total"], bid["seat"]) for bid in here.events_of("BidPlaced")] == [
        (3, str(ann)),
        (4, str(here.seats["cat"])),
    ]
    here.run(command("place-bid", conflict=conflict.id, total=5), "ann")
    assert owing(here) == {"ann": [("turn", OWED)]}
    assert len(here.events_of("LandShaped")) == 4
    used = here.events_of("StandingAnswerUsed")
    assert {answer["seat"] for answer in used} == {str(here.seats["bob"]), str(here.seats["cat"])}
    for name in ("ann", "dan"):
        log = here.client(name).get(here.url("events/?limit=500")).content.decode()
        assert "StandingAnswerUsed" not in log and "AdvanceSet" not in log
    here.rows_agree()


@pytest.mark.rule("DW-AMB-31")
def test_silence_ends_each_question_in_its_turn_from_the_innermost_to_the_turn_itself() -> None:
    here = world_of_shapers()
    here.shape("ann", "Long shore", (1, 0), (2, 0), (3, 0))
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=True), "bob")
    kinds = []
    while here.active == "ann" and len(kinds) < 9:
        STATE_CACHE.clear()
        inner = innermost_in(here.state, LANE)
        assert inner is not None
        kinds.append(inner.kind)
        here.fire()
    assert kinds == ["ask.leave", "ask.decide", "turn"]
    assert [answer["yes"] for answer in here.events_of("LeaveAnswered")] == [True, False, False]
    assert len(here.events_of("PowerWithdrawn")) == 1
    here.rows_agree()
