"""Forgeborn through both APIs: the same commands and refusals, and nothing that is refused has changed anything."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from games.engine.game_state import dump
from games.forgeborn.rules import RULESET
from tests import forms
from tests.api.forgeborn_refusals import FORM, FUNCTION, PLACES, THREE
from tests.api.sending import (
    bare,
    refusal_faults,
    refusals,
    shape_faults,
    spoil_texts,
    standing,
    take,
)
from tests.api.worlds import NOWHERE
from tests.games.forgeborn import Smithy, amend, begin, reach

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
RULEBOOK = Path(__file__).parents[2] / "games/forgeborn/rulebook.md"
OWN = sorted(n for n, kind in RULESET.open_commands.items() if kind.__module__.startswith("games.forgeborn"))


COVERED: dict[str, set[tuple[str, str]]] = {}
"""The places that were tried in this process, each with its commands and codes."""


@pytest.mark.parametrize("place", PLACES)
def test_both_apis_refuse_alike_and_nothing_has_changed(place: str) -> None:
    here, cases = PLACES[place]()
    COVERED[place] = refusals(cases)
    before, state = standing(here), dump(here.state)
    assert refusal_faults(here, cases) == []
    assert (standing(here), dump(here.state)) == (before, state)


def test_every_command_and_every_code_of_the_rulebook_has_a_case() -> None:
    for place in PLACES.keys() - COVERED.keys():
        COVERED[place] = refusals(PLACES[place]()[1])
    cases = set().union(*COVERED.values())
    assert set(OWN) - {does for does, _ in cases} == set()
    text = RULEBOOK.read_text()
    table = text[text.index("## 12. Commands") : text.index("### 12a.")]
    codes = set(re.findall(r"`([a-z]+\.[a-z_]+)`", table))
    assert codes - {code for _, code in cases} == ELSEWHERE


ELSEWHERE = {
    "amend.invalid", "artifact.not_in_pool", "artifact.refused", "artifact.twice", "clock.paused", "gm.missing",
    "journey.limit", "map.disconnected", "position.stale", "route.exists", "ruins.spent", "seats.few", "seats.full",
    "turn.begun",
}  # fmt: skip
"""Codes that take a longer way: tests of the rules raise them, or they are every game's."""


# --- what is not refused by a rule, but has not the shape of its command ----------------------------------------------
ID, LONG = str(NOWHERE), "x" * 2001
POOL = {"free": [12], "sacrifice": [], "artifacts": [{"artifact": ID, "how": "it shines"}], "text": "So."}
GAIN = {"raise": 8}
CONFLICT = {"pool": POOL, "gain": GAIN}
DIE = {"sides": 12, "face": 5, "x": 20, "y": 20}
WHOLE_BODIES: dict[str, dict[str, Any]] = {
    "configure-game": {
        "width": 300, "height": 210, "dragon_fixed": True, "first_seat": ID, "drop": "service", "referee": "none",
        "round_limit": 9, "pace": "regular", "setup_seconds": 60, "turn_seconds": 60, "answer_seconds": 60,
    },
    "enter-map": {"entries": [DIE] * 15},
    "edit-map": {
        "moves": [{"die": "d8a", "x": 5, "y": 5}], "remove": [{"from": ID, "to": ID}],
        "add": [{"from": ID, "to": ID, "kind": "road"}], "reason": "r",
    },
    "define-smith": {"name": "Brika", "text": "Old.", "dice": [12]},
    "use-character": {"character": ID},
    "journey": {"to": ID},
    "give-artifact": {"artifact": ID, "heroine": ID},
    "take-back-artifact": {"artifact": ID},
    "begin-artifact": {"name": "Ash", "text": "Grey.", "form": FORM, "function": FUNCTION, **CONFLICT},
    "offer-help": {"free": [6], "sacrifice": []},
    "forge-artifact": {"free": [6], "sacrifice": [], "helpers": [ID]},
    "recruit-heroine": {"name": "Ada", "text": "Tall.", **CONFLICT},
    "spend-roll": {"dice": [4]},
    "request-artifact": {"artifact": ID},
    "cast-ballot": {"yes": True},
    "contest-artifact": CONFLICT,
    "take-test": {"artifact": ID, **CONFLICT},
    "face-dragon": CONFLICT,
    "explore-ruins": CONFLICT,
    "assist-village": CONFLICT,
    "beseech-prince": CONFLICT,
    "choose-pool": {"pool": POOL},
    "describe-danger": {"text": "It is awake."},
    "rule-artifacts": {"refused": [ID], "reason": "r"},
    "place-ruins": {"face": 3, "x": 20, "y": 20},
    "commune": {"dice": [6]},
    "give-up-die": {"die": 12},
    "take-boon": {"kind": "die", "raise": 8, "artifact": ID},
    "choose-gain": {"raise": 8},
    "draw-line": {"list": "names", "line": 3, "place": ID},
    "write-note": {"place": ID, "text": "x"},
    "tell-scene": {"text": "x"},
    "name-place": {"place": ID, "name": "Nine"},
    "call-time": {"reason": "late"},
    "set-standing-answer": {"kind": "help", "answer": "decline"},
}  # fmt: skip
BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("define-smith", {"dice": [5]}), ("define-smith", {"dice": [0]}), ("define-smith", {"dice": [-4]}),
    ("define-smith", {"dice": ["12"]}), ("define-smith", {"name": "x" * 81}), ("define-smith", {"name": ""}),
    ("commune", {"dice": [7]}), ("give-up-die", {"die": 20}), ("choose-gain", {"raise": 5}),
    ("face-dragon", {"pool": {"free": [3]}}), ("face-dragon", {"pool": {"free": [12], "colour": "red"}}),
    ("face-dragon", {"pool": {"free": [12], "artifacts": [{"artifact": ID, "how": "x" * 401}]}}),
    ("face-dragon", {"gain": {"raise": 100}}),
    ("edit-map", {"add": [{"from": ID, "to": ID, "kind": "river"}]}), ("edit-map", {"remove": [{"to": ID}]}),
    ("begin-artifact", {"form": {"kind": "spoon", "die": 4}}), ("take-boon", {"kind": "gold"}),
    ("draw-line", {"list": "songs"}), ("set-standing-answer", {"kind": "dragon"}),
    ("configure-game", {"width": -1}), ("configure-game", {"referee": "nobody"}),
]  # fmt: skip
"""Values outside the bounds of section 12."""


def names_of(does: str) -> dict[str, bool]:
    """The fields of a command as the APIs name them, and whether they are required."""
    fields = RULESET.commands[does].model_fields.items()
    return {found.alias or name: found.is_required() for name, found in fields}


def shapeless(does: str) -> list[dict[str, Any]]:
    """Bodies of a command, each with one thing amiss: a field too many or too few, of another type, a long text."""
    whole = WHOLE_BODIES.get(does, {})
    found: list[dict[str, Any]] = [whole | {"colour": "red"}]
    for name, is_required in names_of(does).items():
        if is_required:
            found.append({key: value for key, value in whole.items() if key != name})
        found.append(whole | {name: {"a": 1}})
        if isinstance(whole[name], str):
            found += [whole | {name: 7}, whole | {name: LONG}]
        elif isinstance(whole[name], bool):
            found += [whole | {name: "true"}, whole | {name: 1}]
    return found + [whole | more for named, more in BEYOND if named == does]


def test_each_field_of_each_command_has_a_value_to_spoil() -> None:
    assert {does: set(WHOLE_BODIES.get(does, {})) for does in OWN} == {does: set(names_of(does)) for does in OWN}


def test_what_has_not_the_shape_of_a_command_is_a_422_and_nothing_has_changed() -> None:
    """The same is no query of the graph, or it is refused there as it is over REST."""
    here = begin({"referee": "person"}, now=timezone.now())
    before, tried = standing(here), 0
    bodies = [(does, body) for does in OWN for body in shapeless(does)]
    for does, body in forms.some(bodies, 4):
        assert shape_faults(here, does, [body]) == []
        tried += 1
    assert len(bodies) > 150 and tried > 37 and standing(here) == before


def test_no_text_of_a_command_holds_a_character_that_no_database_takes() -> None:
    here = begin({"referee": "person"}, now=timezone.now())
    before = standing(here)
    tried = sum(spoil_texts(here, does, WHOLE_BODIES.get(does, {})) for does in OWN)
    assert tried > 30 and standing(here) == before


# --- what is done -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("FB-MAP-3", "FB-CON-5")
def test_the_same_commands_have_the_same_events_over_both_apis() -> None:
    """Among them the fields that Python has other names for: `from`, `raise`."""
    stories = []
    for over in ("rest", "graph"):
        here = begin({"referee": "person"}, now=timezone.now())
        names = {str(seat): name for name, seat in here.seats.items()}
        names |= {str(each.id): each.name for each in here.state.characters.values()}
        names |= {str(each.id): each.name for each in here.state.places.values()}
        reach(here, "ann", "lair")
        story = [
            take(here, over, "ann", "face-dragon", {"pool": {"free": [4]}, "gain": {"raise": 8}}),
            take(here, over, "gm", "describe-danger", {"text": "It is awake."}),
            take(here, over, "bob", "end-turn", {}),
            take(here, over, "gm", "name-place", {"place": here.place("city"), "name": "Nine"}),
        ]
        here.rows_agree()
        smith = here.state.smith_of(here.seats["ann"])
        assert (smith.d8, smith.d10) == (2, 1)
        own = [[(kind, data) for kind, data in events if kind.startswith("forgeborn.")] for events in story]
        stories.append(
            [[(kind, bare(data, names, ("total", "against", "power"))) for kind, data in events] for events in own]
        )
    assert stories[0] == stories[1]
    kinds = [kind for kind, _ in stories[0][1]]
    assert {"forgeborn.DangerDescribed", "forgeborn.PoolRolled", "forgeborn.DieRaised"} <= set(kinds)


def apart(here: Smithy) -> tuple[UUID, UUID]:
    """Two Villages or Ruins that no way joins."""
    joined = {frozenset((way.a, way.b)) for way in here.state.ways.values()}
    places = sorted(each.id for each in here.state.places.values() if each.kind in ("village", "ruins"))
    return next(pair for pair in combinations(places, 2) if frozenset(pair) not in joined)


def test_the_map_is_edited_over_both_apis() -> None:
    for over in ("rest", "graph"):
        here, _ = PLACES["with_a_map"]()
        a, b = apart(here)
        done = take(here, over, "gm", "edit-map", {"add": [{"from": a, "to": b, "kind": "trail"}], "reason": "a path"})
        assert "forgeborn.MapEdited" in [kind for kind, _ in done]
        assert [each.kind.value for each in here.state.ways.values() if {each.a, each.b} == {a, b}] == ["trail"]
        take(here, over, "gm", "edit-map", {"remove": [{"from": a, "to": b}], "reason": "a flood"})
        assert not [each for each in here.state.ways.values() if {each.a, each.b} == {a, b}]


def test_the_same_key_again_has_the_same_outcome_and_another_body_is_refused() -> None:
    here = begin({"referee": "none"}, now=timezone.now())
    reach(here, "ann", "lair")
    address, key = here.url("commands/face-dragon/"), {"Idempotency-Key": "once"}
    first, again, other = (
        here.client("ann").post(address, body, content_type="application/json", headers=key)
        for body in ({"pool": THREE}, {"pool": THREE}, {"pool": {"free": [4]}})
    )
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 422), other.content
    assert (first.json()["replayed"], again.json()["replayed"]) == (False, True)
    assert first.json()["events"] == again.json()["events"]
    assert other.json()["code"] == "key.reused"


FOUND = """query($g: UUID!, $h: UUID!) { game(id: $g) { ... on ForgebornGame {
    form: artifacts(filters: {form: {exact: clothing}}) { edges { node { artifact { id } } } }
    other: artifacts(filters: {form: {exact: blunt}}) { edges { node { artifact { id } } } }
    held: artifacts(filters: {holder: {exact: $h}}) { edges { node { artifact { id } } } }
    purses { edges { node { vp resource secret isSwayed seat { id } } } } } } }"""


@pytest.mark.rule("FB-ROW-4", "FB-EX-112")
def test_artifacts_are_found_and_purses_are_the_same_for_everybody() -> None:
    here, _ = PLACES["holding"]()
    ember, ann = str(here.thing("Ember")), str(here.of("ann"))
    amend(here, "purses", str(here.seats["bob"]), resource="3", secret="2")
    rows = f"/api/v1/forgeborn/artifacts/?game={here.id}&"
    for viewer in ("ann", "bob", None):
        who = here.client(viewer)
        found = {
            query: [each["artifact"] for each in who.get(rows + query).json()["results"]]
            for query in (
                "form=clothing",
                "form=blunt",
                f"holder={ann}",
                f"holder={here.of('bob')}",
                "function=fortune",
            )
        }
        assert list(found.values()) == [[ember], [], [ember], [], [ember]]
        purses = who.get(f"/api/v1/forgeborn/purses/?game={here.id}").json()["results"]
        told = {each["seat"]: (each["vp"], each["resource"], each["secret"], each["is_swayed"]) for each in purses}
        assert told == {str(here.seats["ann"]): (1, 0, 0, False), str(here.seats["bob"]): (0, 3, 2, False)}
        body = {"query": FOUND, "variables": {"g": str(here.id), "h": ann}}
        game = who.post("/graphql/", body, content_type="application/json").json()["data"]["game"]
        ids = {
            key: [edge["node"]["artifact"]["id"] for edge in game[key]["edges"]] for key in ("form", "other", "held")
        }
        assert ids == {"form": [ember], "other": [], "held": [ember]}
        nodes = [edge["node"] for edge in game["purses"]["edges"]]
        assert {n["seat"]["id"]: (n["vp"], n["resource"], n["secret"], n["isSwayed"]) for n in nodes} == told
