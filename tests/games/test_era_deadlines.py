"""Questions without a timer of their own show the deadline that ends them (sections 9.1 and 11.2 of the rulebook)."""

import pytest

from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.schedule_commands import HoldWar
from games.gods2.rules.window.commands import DrawNumber
from tests.games.live import Event, Table, live

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """An event whose game-masters see previews; its board is open."""
    found = live({"previews": True})
    while found.state.era.phase == "growth":
        found.run(EndNow())
    return found


def open_prompts(event: Event, name: str, kind: str) -> list[dict]:
    """The open questions of a kind, as a player is asked them."""
    table = Table(event, name, gm=name == "gaia")
    return [prompt for prompt in table.get("prompts/")["results"] if prompt["kind"] == kind]


def timer(event: Event, key: str) -> dict:
    """A timer, as everybody sees it."""
    (found,) = [row for row in Table(event, "").get("timers/")["results"] if row["key"] == key]
    return found


@pytest.mark.rule("G2-WAR-1")
def test_a_wars_questions_are_due_with_the_war(event):
    war = DeclareWar(power="declare_war", attacker=event.races["Dwarves"], defender=event.races["Elves"])
    event.run(war, "ana")
    (number,) = event.state.wars
    for kind in ("WAR.diplomacy", "WAR.time"):
        (question,) = open_prompts(event, "gaia", kind)
        assert question["due"] == timer(event, f"war:{number}")["due"] and 0 < question["due_in"] <= 300
    event.run(HoldWar(war=number, seconds=60))
    (question,) = open_prompts(event, "gaia", "WAR.time")
    assert question["due"] == timer(event, f"war:{number}")["due"] and 300 < question["due_in"] <= 360


@pytest.mark.rule("G2-CALC-2", "G2-GROW-1")
def test_the_worksheet_counts_and_growth_is_drawn_when_the_century_ends(event):
    event.run(EndNow())
    (worksheet,) = open_prompts(event, "gaia", "WORKSHEET")
    end = timer(event, "century:1/end")
    assert worksheet["due"] == end["due"] and worksheet["due_in"] > 0 and not worksheet["frozen"]
    assert Table(event, "gaia", gm=True).do("approve-worksheet").status_code == 201
    (order,) = open_prompts(event, "gaia", "GROWTH.order")
    assert order["due"] == end["due"]


@pytest.mark.rule("G2-QUEUE-1", "G2-HREC-3")
def test_the_called_caster_and_the_god_who_names_see_their_deadlines(event):
    event.run(DrawNumber(), "ana")
    (called,) = open_prompts(event, "ana", "QUEUE.called")
    assert called["due"] == timer(event, "queue:1")["due"] and 0 < called["due_in"] <= 60
    dwarves, elves = (Target(race=event.races[name]) for name in ("Dwarves", "Elves"))
    event.run(CastPower(power="declare_war", targets=(dwarves, elves)), "ana")
    (name,) = open_prompts(event, "ana", "NAME")
    assert name["due"] == timer(event, "century:1/end")["due"]


def test_a_draft_ends_by_an_answer_alone(event):
    shares = [{"member": str(event.seats["ana"]), "share": 10_000}]
    body = {"race": str(event.races["Dwarves"]), "pantheon": shares}
    assert Table(event, "ana").do("draft-pantheon-order", body).status_code == 201
    (sign,) = open_prompts(event, "ana", "PANTHEON.sign")
    assert (sign["due"], sign["due_in"], sign["frozen"]) == (None, None, False)


def test_each_kind_is_settled_by_a_command_of_the_clock():
    hidden = set(RULESET.commands) - set(RULESET.open_commands)
    assert set(RULESET.course.ending_commands.values()) <= hidden
