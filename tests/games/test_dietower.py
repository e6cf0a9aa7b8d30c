"""The Die Tower through the one writer: rows that are what the log says, deadlines by the clock, undone falls."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.test import Client

from games.dietower.models import Actor, Consequence, Course, Encounter, Mystery, Placement, Session, Tower, TowerDie
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.engine.lifecycle.seating import HandOver
from games.models import LoggedEvent, Prompt, Timer
from tests.api.worlds import client, user
from tests.games.dietower import SHEET, Evening, begin, fighting, setting_up
from tests.games.moments import rewind_to
from worlds.models import Person

pytestmark = pytest.mark.django_db


def step(here: Evening) -> str:
    """Where the game is, read from the row."""
    return str(Course.objects.get(game=here.id).step)


def timers(here: Evening) -> int:
    """The timers that are set."""
    return Timer.objects.filter(game=here.id).count()


# --- a whole game by its people ---------------------------------------------------------------------------------------
@pytest.mark.rule("DT-TBL-2", "DT-TBL-3", "DT-TWR-7", "DT-EX-88")
def test_a_game_of_two_sessions_is_played_and_its_rows_are_what_the_log_says():
    here = begin({"half_width": 8})
    assert step(here) == "free"
    here.builds("ann", 2)
    here.rows_agree()
    assert list(TowerDie.objects.filter(game=here.id).values_list("level", "actor")) == [
        (1, here.of("ann")), (2, here.of("ann")),
    ]  # fmt: skip
    here.places_all("ann")
    with pytest.raises(Refused) as refused:
        here.does("gm", "finish-game")
    assert refused.value.code == "phase.closed"
    here.does("gm", "close-session")
    here.does("gm", "open-session", mode="physical")
    assert list(Session.objects.filter(game=here.id).values_list("number", "mode", "closed")) == [
        (1, "simulated", True), (2, "physical", False),
    ]  # fmt: skip
    assert (Tower.objects.get(game=here.id).height, TowerDie.objects.filter(game=here.id).count()) == (0, 0)
    here.does("gm", "close-session")
    here.does("gm", "finish-game", text="They are across.")
    assert (step(here), here.game.status, timers(here)) == ("finished", "finished", 0)
    assert here.events_of("SecretShown")[0]["secret"] == bytes(here.game.secret.dice).hex()
    here.rows_agree()


@pytest.mark.rule("DT-CHR-8", "DT-AMB-52")
def test_who_is_shown_is_a_person_of_the_world_and_who_is_not_is_none():
    here = begin()
    here.does("gm", "save-monster", name="Gnaw", health=3)
    people = Person.objects.filter(world=here.game.world)
    assert set(people.values_list("name", flat=True)) == {"ann", "bob"}
    here.does("gm", "open-encounter", members=[here.of("Gnaw")])
    assert set(people.values_list("name", "kind")) == {("ann", "pc"), ("bob", "pc"), ("Gnaw", "monster")}
    assert Actor.objects.get(game=here.id, name="Gnaw").person.name == "Gnaw"
    here.rows_agree()


@pytest.mark.rule("DT-CHR-8", "DT-AMB-39", "DT-WSH-6")
def test_what_one_may_not_know_changes_no_byte_of_what_one_is_shown():
    here = setting_up()
    here.does("ann", "save-sheet", name="ann", **SHEET | {"secret_mystery": True, "mystery": "The key below."})
    here.does("bob", "save-sheet", name="bob", **SHEET)
    here.does("gm", "open-session")
    here.does("gm", "raise-level", actor=here.of("ann"), reason="A long year.")
    here.does("gm", "award-wish", actor=here.of("ann"), reason="story")
    readers = [client(user("bob")), client(user("nobody")), client(), client(user("ann"))]
    before = pages_of(here, readers)
    here.does("gm", "save-npc", name="Odo", weapon="pike")
    here.does("gm", "save-monster", name="Gnaw", health=3, weakness="salt")
    here.does("ann", "ask-wish", kind="element", text="A boat lies on the shore.")
    here.does("ann", "set-standing-answer", kind="window", answer="close")
    *others, own = pages_of(here, readers)
    assert others == before[:-1]
    assert b"A boat lies" in own[0] and own != before[-1]
    secret = (b"Odo", b"Gnaw", b"A boat lies", b"The key below.")
    assert not any(word in page for pages in others for page in pages for word in secret)


def pages_of(here: Evening, readers: list[Client]) -> list[list[bytes]]:
    """What these people are shown of the game at its last moment."""
    with patch("django.utils.timezone.now", return_value=here.game.last_at):
        addresses = [here.url(page) for page in ("state/", "events/", "legal-commands/", "timers/", "prompts/")]
        answers = [[reader.get(address) for address in addresses] for reader in readers]
    assert {answer.status_code for each in answers for answer in each} == {200}
    return [[answer.content for answer in each] for each in answers]


# --- the clock --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-AMB-31", "DT-CHK-6", "DT-CHK-16")
def test_every_question_outside_an_encounter_ends_by_its_deadline():
    here = begin({"half_width": 5})
    here.does("ann", "request-check", intent="climb")
    here.fire()
    assert here.events_of("CheckWithdrawn")[-1]["reason"] == "silence"
    while not here.events_of("TowerFell"):
        here.tries("bob")
        while timers(here):
            here.fire()
            here.rows_agree()
    (late,) = here.events_of("ConsequenceWritten")
    assert late["text"] == "left open by the WM" and not here.events_of("ActorFell")
    assert {row.by for row in LoggedEvent.objects.filter(game=here.id, type="DiePlaced")} == {"deadline"}
    assert (step(here), Prompt.objects.filter(game=here.id).count()) == ("free", 0)
    here.rows_agree()


@pytest.mark.rule("DT-CMB-17", "DT-AMB-44", "DT-EX-101")
def test_an_encounter_in_which_nobody_answers_anything_closes_and_no_timer_is_left():
    here = fighting()
    began = here.now
    here.fire(until=began + timedelta(hours=2))
    (closed,) = here.events_of("EncounterClosed")
    assert closed["reason"] == "silence"
    assert here.events_at("EncounterClosed") == began + 6 * timedelta(minutes=5)  # two rounds of three
    assert (step(here), timers(here), Prompt.objects.filter(game=here.id).count()) == ("free", 0, 0)
    assert Encounter.objects.get(game=here.id).closed and not here.state.members
    here.rows_agree()


@pytest.mark.rule("DT-CMB-17", "DT-CMB-9", "DT-TWR-8", "DT-AMB-31")
def test_an_attack_that_nobody_answers_is_carried_out_and_then_the_silence_counts():
    here = fighting()
    here.does("ann", "end-turn")
    here.does("bob", "end-turn")
    here.does("gm", "declare-attack", actor=here.of("Gnaw"), target=here.of("ann"), uses="weapon")
    here.fire(until=here.now + timedelta(hours=2))
    assert len(here.events_of("AttackHit", "AttackMissed")) == 1
    assert here.events_of("EncounterClosed")[0]["reason"] == "silence"
    assert len(here.events_of("RoundStarted")) == 3
    assert not Placement.objects.filter(game=here.id, status="due").exists()
    assert (step(here), timers(here)) == ("free", 0)
    here.rows_agree()


def test_a_pause_preserves_the_time_of_the_innermost_question_and_of_the_turn_below():
    here = fighting({"turn_seconds": 300, "answer_seconds": 60})
    here.now += timedelta(seconds=100)
    here.does("ann", "request-check", intent="climb")  # the turn waits with 200 seconds left
    here.does("gm", "set-check", check=here.asked_check(), cd="average", good=True)
    here.now += timedelta(seconds=20)
    here.run(Pause(reason="Tea."))
    here.now += timedelta(hours=1)
    here.run(Resume())
    asked = Prompt.objects.get(game=here.id, kind="CHECK.WISH")
    assert Timer.objects.get(key=f"prompt:{asked.pk}").due == here.now + timedelta(seconds=40)
    here.does("ann", "close-roll", roll=here.roll_of("ann"))
    here.places_all("ann")
    turn = Prompt.objects.get(game=here.id, kind="TURN")
    assert Timer.objects.get(key=f"prompt:{turn.pk}").due == here.now + timedelta(seconds=200)
    here.rows_agree()


# --- undone -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-SIM-2", "DT-TWR-4", "CF-2")
def test_what_fell_is_rewound_and_placed_anew_with_other_dice():
    here = begin({"half_width": 5})
    here.falls("ann", pace=timedelta(seconds=1))
    fell = here.events_of("TowerFell")[-1]
    to = LoggedEvent.objects.filter(game=here.id, type="RiskShown").latest("seq").seq
    here.run(rewind_to(here.id, to, "The lights went out."), "gm")
    here.rows_agree()
    assert (step(here), Consequence.objects.filter(game=here.id).count()) == ("free", 0)
    assert TowerDie.objects.filter(game=here.id).count() == fell["height"]
    assert str(here.due) == fell["placement"]
    here.does("ann", "place-die", placement=here.due)
    again = here.events_of("TowerFell", "DiePlaced")[-1]
    assert (again["placement"], again["dice"] != fell["dice"]) == (fell["placement"], True)
    here.rows_agree()


# --- seats ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-TBL-4", "DT-AMB-53", "DT-EX-89")
def test_what_a_seat_owes_that_is_left_goes_by_the_defaults_until_it_is_taken_again():
    here = begin({"half_width": 8}, ("ann", "bob", "cat"))
    here.does("bob", "request-check", intent="climb")
    here.does("bob", "leave-seat")
    assert here.events_of("CheckWithdrawn")[-1]["reason"] == "left"
    here.tries("cat")
    here.does("cat", "leave-seat")
    assert not Placement.objects.filter(game=here.id, status="due").exists()
    assert here.events_of("DiePlaced") and timers(here) == 0
    here.does("gm", "save-monster", name="Gnaw", health=3)
    here.does("gm", "open-encounter", members=[here.of("Gnaw")])
    names = {actor.id: actor.name for actor in here.state.actors.values()}
    assert {names[member] for member in here.state.members} == {"ann", "Gnaw"}
    here.run(HandOver(seat=here.seats["bob"], user=user("bob").pk, reason="Bob is back."))
    here.does("gm", "join-encounter", actor=here.of("bob"))
    assert here.of("bob") in here.state.encounter.order
    here.rows_agree()


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49", "DT-EX-98")
def test_who_has_answered_in_advance_is_not_asked():
    here = begin()
    here.does("ann", "set-standing-answer", kind="place", answer="at_once")
    here.does("ann", "set-standing-answer", kind="window", answer="close")
    here.tries("ann")
    assert (len(here.events_of("DiePlaced")) >= 1, timers(here)) == (True, 0)
    assert {event["kind"] for event in here.events_of("StandingAnswerUsed")} == {"place", "window"}
    here.rows_agree()


@pytest.mark.rule("DT-CHR-1", "DT-CHR-8")
def test_a_secret_mystery_is_read_by_its_seat_and_revealed_by_its_player():
    here = begin()
    here.does("gm", "save-sheet", actor=here.of("ann"), name="ann", **SHEET | {"secret_mystery": True})
    row = Mystery.objects.get(actor=here.of("ann"))
    assert (row.secret, row.audience) == (True, f"gm+seat:{here.seats['ann']}")
    here.does("ann", "reveal", actor=here.of("ann"), field="mystery")
    assert here.events_of("Revealed")[-1]["text"] == SHEET["mystery"]
    here.rows_agree()


@pytest.mark.rule("DT-AMB-51")
@pytest.mark.parametrize("entered", [True, False])
def test_a_deadline_waits_for_a_die_that_is_being_rolled_at_the_table(entered: bool):
    here = begin({"dice_by_hand": True, "answer_seconds": 100})
    here.tries("ann")
    here.does("ann", "enter-dice", prompt=Prompt.objects.get(kind="DICE").pk, values=[6])
    roll = here.roll_of("ann")
    here.now += timedelta(seconds=50)
    here.does("ann", "close-roll", roll=roll)
    asked = Prompt.objects.get(kind="DICE")
    with pytest.raises(Refused) as refused:
        here.does("ann", "close-roll", roll=roll)
    assert refused.value.code == "prompt.open"
    here.fire()  # the time of the Wish window is up, and the extra die is on its way
    assert Prompt.objects.filter(kind="DICE").get() == asked
    if entered:
        here.does("ann", "enter-dice", prompt=asked.pk, values=[3])
    else:
        here.fire()
    (closed,) = here.events_of("RollClosed")
    assert closed["extra"] == [3] if entered else len(closed["extra"]) == 1
    assert not Prompt.objects.filter(kind__in=("DICE", "CHECK.WISH")).exists()
    assert not here.events_of("TimerRefused")
    here.rows_agree()
