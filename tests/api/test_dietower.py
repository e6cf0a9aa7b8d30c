"""The Die Tower through both APIs: the same commands and refusals, and nothing that is refused has changed anything."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from games.dietower.rules import RULESET
from games.engine.game_state import dump
from tests import forms
from tests.api.dietower import WHOLE, playing, written
from tests.api.dietower_refusals import PLACES
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

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
RULEBOOK = Path(__file__).parents[2] / "games/dietower/rulebook.md"
OWN = sorted(n for n, kind in RULESET.open_commands.items() if kind.__module__.startswith("games.dietower"))


COVERED: dict[str, set[tuple[str, str]]] = {}
"""The places that were tried in this process, each with its commands and codes."""


@pytest.mark.parametrize("place", PLACES)
def test_both_apis_refuse_alike_and_nothing_has_changed(place: str) -> None:
    here, cases = PLACES[place]()
    COVERED[place] = refusals(cases)
    before, state = standing(here), dump(here.state)
    assert refusal_faults(here, cases) == []
    assert (standing(here), dump(here.state)) == (before, state)


# --- what is not refused by a rule, but has not the shape of its command ----------------------------------------------
ID, LONG = str(NOWHERE), "x" * 2001
WHOLE_BODIES: dict[str, dict[str, Any]] = {
    "configure-game": {"seats": 6, "characters": 1, "idle_rounds": 2},
    "open-session": {"mode": "simulated", "half_width": 6},
    "finish-game": {"text": "over"},
    "set-standing-answer": {"kind": "place", "answer": "at_once"},
    "save-sheet": {"actor": ID, "name": "Wren", **WHOLE, "weapon_defensive": True, "secret_mystery": True, "notes": "n",
                   "good_at": ["climbing"]},
    "save-chart": {"field": "weapon", "lines": ["axe"]},
    "roll-chart": {"actor": ID, "field": "weapon"},
    "raise-level": {"actor": ID, "reason": "r"},
    "set-state": {"actor": ID, "state": "fallen", "text": "t", "reason": "r"},
    "reveal": {"actor": ID, "field": "notes"},
    "save-npc": {"actor": ID, "name": "Odo", "weapon": "w", "weapon_defensive": True, "power": "p", "notes": "n"},
    "save-monster": {"actor": ID, "name": "Maw", "health": 3, "weakness": "w", "weapon": "w", "weapon_defensive": True,
                     "power": "p", "notes": "n"},
    "request-check": {"actor": ID, "intent": "i", "trait": "t", "uses": "none", "ruling": {"cd": "easy", "good": True}},
    "set-check": {"check": ID, "cd": "easy", "good": True, "adv": "adv", "edge": 1, "edge_die": True,
                  "hindrance": "drawback", "hindrance_as": "dis", "free": True},
    "withdraw-check": {"check": ID, "reason": "r"},
    "buy-die": {"roll": ID, "count": 1},
    "close-roll": {"roll": ID},
    "place-die": {"placement": ID},
    "report-die": {"placement": ID, "stands": True},
    "write-consequence": {"consequence": ID, "kind": "loss", "text": "t", "targets": [{"actor": ID, "fallen": True}]},
    "amend-consequence": {"consequence": ID, "kind": "loss", "text": "t", "targets": [{"actor": ID, "fallen": True}],
                          "reason": "r"},
    "choose-miracle": {"miracle": ID, "kind": "revive", "target": ID},
    "reset-tower": {"reason": "r", "mode": "physical", "half_width": 6},
    "ask-wish": {"actor": ID, "kind": "element", "text": "t"},
    "withdraw-wish": {"wish": ID},
    "decide-wish": {"wish": ID, "accept": True, "text": "t"},
    "award-wish": {"actor": ID, "reason": "story", "text": "t", "check": ID},
    "move-actor": {"actor": ID, "target": ID, "band": "long"},
    "declare-attack": {"actor": ID, "target": ID, "uses": "none"},
    "choose-defence": {"attack": ID, "uses": "none"},
    "hold-action": {"actor": ID, "action": "move", "trigger": "t"},
    "release-hold": {"hold": ID, "target": ID, "uses": "none", "band": "long"},
    "keep-hold": {"hold": ID},
    "open-encounter": {"members": [ID], "bands": [{"a": ID, "b": ID, "band": "long"}], "first": ID},
    "close-encounter": {"text": "t"},
    "join-encounter": {"actor": ID, "after": ID, "band": "long"},
    "leave-encounter": {"actor": ID},
    "set-initiative": {"order": [ID], "reason": "r"},
    "set-band": {"a": ID, "b": ID, "band": "long"},
    "set-attack": {"attack": ID, "possible": True, "attack_uses": True, "defence_uses": True, "defence": "none",
                   "weakness": True, "attacker": {"adv": "adv", "edge": 1}, "defender": {"adv": "dis"}, "reason": "r"},
    "trigger-hold": {"hold": ID},
}  # fmt: skip
"""Every field of every command of the game that has some, each of its type."""
BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("buy-die", {"count": 0}), ("buy-die", {"count": 21}), ("buy-die", {"count": True}), ("buy-die", {"count": 1.5}),
    ("set-check", {"edge": 4}), ("set-check", {"edge": -1}), ("set-check", {"cd": 7.5}), ("set-check", {"cd": None}),
    ("set-check", {"cd": "x" * 41}), ("set-attack", {"attacker": {"edge": 4}}),
    ("set-attack", {"defender": {"luck": 1}}), ("open-session", {"mode": "wooden"}),
    ("open-session", {"half_width": -1}), ("reset-tower", {"reason": ""}), ("save-sheet", {"good_at": ["x" * 201]}),
    ("save-sheet", {"good_at": [""]}), ("save-sheet", {"good_at": ["x"] * 101}), ("save-sheet", {"name": "x" * 81}),
    ("save-sheet", {"name": ""}), ("save-sheet", {"name": "Wren\nOdo"}), ("save-npc", {"name": "x" * 81}),
    ("save-chart", {"lines": ["x"] * 101}), ("save-chart", {"lines": ["x" * 201]}),
    ("save-monster", {"health": "3"}), ("save-monster", {"health": 10**7}), ("request-check", {"intent": ""}),
    ("request-check", {"ruling": {"cd": "easy"}}), ("request-check", {"ruling": {"cd": 6, "good": 1}}),
    ("write-consequence", {"targets": [{"actor": ID}]}), ("write-consequence", {"text": ""}),
    ("write-consequence", {"targets": [{"actor": ID, "fallen": True, "how": "x"}]}),
    ("ask-wish", {"kind": "die"}), ("ask-wish", {"text": ""}), ("award-wish", {"reason": "luck"}),
    ("set-band", {"band": "Long"}), ("open-encounter", {"members": [ID] * 101}),
    ("open-encounter", {"bands": [{"a": ID, "b": ID}]}), ("set-initiative", {"order": ["me"]}),
    ("set-standing-answer", {"kind": "miracle"}), ("set-standing-answer", {"answer": "x" * 41}),
    ("set-state", {"state": "asleep"}), ("hold-action", {"action": "defend"}), ("reveal", {"field": "name"}),
]  # fmt: skip
"""Values outside the bounds of section 9a."""


def shapeless(does: str) -> list[dict[str, Any]]:
    """Bodies of a command, each with one thing amiss: a field too many, one too few, one of another type, a long text,
    an id that is none."""
    whole = WHOLE_BODIES.get(does, {})
    found: list[dict[str, Any]] = [whole | {"colour": "red"}]
    for name, about in RULESET.commands[does].model_fields.items():
        if about.is_required():
            found.append({key: value for key, value in whole.items() if key != name})
        found.append(whole | {name: {"a": 1}})
        if isinstance(whole[name], str) and name != "cd":
            found.append(whole | {name: 7})
            found.append(whole | {name: LONG})
        elif isinstance(whole[name], bool):
            found += [whole | {name: "true"}, whole | {name: 1}]
    return found + [whole | more for named, more in BEYOND if named == does]


def test_each_field_of_each_command_has_a_value_to_spoil() -> None:
    fields = {does: set(RULESET.commands[does].model_fields) for does in OWN}
    assert {does: set(WHOLE_BODIES.get(does, {})) for does in OWN} == fields


def test_what_has_not_the_shape_of_a_command_is_a_422_and_nothing_has_changed() -> None:
    """The same is no query of the graph, or it is refused there as it is over REST."""
    here = playing(now=timezone.now())
    before, tried = standing(here), 0
    bodies = [(does, body) for does in OWN for body in shapeless(does)]
    for does, body in forms.some(bodies, 4):
        assert shape_faults(here, does, [body]) == []
        tried += 1
    assert len(bodies) > 300 and tried > 75 and standing(here) == before


def test_no_text_of_a_command_holds_a_character_that_no_database_takes() -> None:
    here = playing(now=timezone.now())
    before = standing(here)
    tried = sum(spoil_texts(here, does, WHOLE_BODIES.get(does, {})) for does in OWN)
    assert tried > 60 and standing(here) == before


# --- what the tables cover --------------------------------------------------------------------------------------------
def test_every_command_and_every_code_of_the_rulebook_has_a_case() -> None:
    for place in PLACES.keys() - COVERED.keys():
        COVERED[place] = refusals(PLACES[place]()[1])
    cases = set().union(*COVERED.values())
    assert set(OWN) - {does for does, _ in cases} == set()
    text = RULEBOOK.read_text()
    table = text[text.index("## 9. Commands") : text.index("### 9a.")]
    codes = set(re.findall(r"`([a-z]+\.[a-z_]+)`", table))
    elsewhere = {"seats.full", "position.stale", "clock.paused", "odds.large", "timer.frozen", "encounter.closing"}
    assert codes - {code for _, code in cases} == elsewhere


# --- what is done -----------------------------------------------------------------------------------------------------
STORY: list[tuple[str, str, dict[str, Any]]] = [
    ("gm", "configure-game", {"seats": 5, "characters": 2, "idle_rounds": 3}),
    ("ann", "save-sheet", {"name": "Second", "good_at": ["climbing", "lies"], **WHOLE}),
    ("gm", "open-session", {"mode": "physical", "half_width": 7}),
    ("bob", "set-standing-answer", {"kind": "window", "answer": "close_when_empty"}),
    ("bob", "request-check", {"intent": "climb", "trait": "feathers"}),
    ("gm", "save-npc", {"name": "Ida"}),
    ("gm", "end-scene", {}),
]


def test_the_same_commands_have_the_same_events_over_both_apis() -> None:
    stories = []
    for over in ("rest", "graph"):
        here = written(now=timezone.now())
        names = {str(actor.id): actor.name for actor in here.state.actors.values()}
        names |= {str(seat): name for name, seat in here.seats.items()}
        story = []
        for name, does, body in STORY:
            events = take(here, over, name, does, body)
            of_game = [(kind, bare(data, names)) for kind, data in events if kind.startswith("dietower.")]
            story.append(of_game)
        here.rows_agree()
        stories.append(story)
    assert stories[0] == stories[1]
    assert [len(events) > 0 for events in stories[0]] == [True] * 3 + [False] + [True] * 3
