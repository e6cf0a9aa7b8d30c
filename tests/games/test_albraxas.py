"""Albraxas through the one writer: whole games, rows that are what the log says, deadlines by the clock."""

from datetime import timedelta

import pytest

from games.albraxas.models import Character, Choice, Phase, Sheet, Storm, Visit, Written
from games.albraxas.rules.ending.commands import LeaveSeat
from games.albraxas.rules.locate.commands import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.orders.commands import OpenOrders, SealOrders, WriteOrders
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import EndSetup, Pause, Resume
from games.engine.lifecycle.seating import AddSeat, HandOver
from games.engine.prompts.sealed import digest_of
from games.models import Answer, LoggedEvent, Prompt, Timer
from tests.games.albraxas import ALBERT, SMALL, battle, begin, blitz, define, writing
from tests.games.moments import rewind_to

pytestmark = pytest.mark.django_db


def step(here) -> tuple[str, int]:
    """Step and turn, read from the row."""
    storm = Storm.objects.get(game=here.id)
    return storm.step, storm.turn


# --- a whole game by its people ---------------------------------------------------------------------------------------
def test_a_game_is_played_by_its_people_and_its_rows_are_what_the_log_says():
    here = begin()
    assert step(here) == ("locate", 1)
    assert list(Phase.objects.filter(game=here.id).values_list("number", "tide", "ebb")) == [
        (1, 1, 0), (2, 0, 0), (3, 0, 0), (4, 1, 0),
    ]  # fmt: skip
    assert Sheet.objects.filter(game=here.id).count() == 0
    assert sorted(Character.objects.filter(game=here.id).values_list("side", "dynamism")) == [
        ("albraxas", 48), ("rebel", 20), ("rebel", 20),
    ]  # fmt: skip
    turns = 0
    while step(here)[0] == "locate":
        turns += 1
        here.go(ria=min(turns, 4), rex=2)
        here.rows_agree()
        assert Choice.objects.filter(game=here.id).count() == 0
        assert Visit.objects.get(seat=here.seats["rex"], phase=2).count == turns
        here.write(ria=(battle(2), blitz(2)), rex=(battle(),), albert=(battle(3), battle(3)))
        here.rows_agree()
    storm = Storm.objects.get(game=here.id)
    assert (storm.step, here.game.status) == ("finished", "finished")
    assert storm.winner in ("rebel", "albraxas") and 1 <= storm.turn == turns <= 3
    assert here.events_of("GameFinished")[0]["winner"] == storm.winner
    assert (Prompt.objects.filter(game=here.id).count(), Timer.objects.filter(game=here.id).count()) == (0, 0)
    assert here.events_of("SecretShown")[0]["secret"] == bytes(here.game.secret.dice).hex()


def test_orders_are_answers_until_all_are_in_and_rows_from_then_on():
    here = begin()
    here.go(ria=1, rex=2)
    here.run(WriteOrders(orders=(battle(1), blitz(3))), "ria")
    (answer,) = Answer.objects.filter(game=here.id)
    assert (answer.owner, len(answer.salt) >= 16) == (f"seat:{here.seats['ria']}", True)
    assert answer.audience == f"gm+seat:{here.seats['ria']}"
    assert digest_of(answer.salt, answer.value) == answer.digest == here.events_of("OrdersSealed")[0]["digest"]
    assert Written.objects.filter(game=here.id).count() == 0
    here.run(WriteOrders(convalesce=True), "rex")
    here.write(albert=(battle(),))
    rows = Written.objects.filter(game=here.id).order_by("juncture")
    assert list(rows.filter(seat=here.seats["ria"]).values_list("juncture", "action", "dice", "tie_max")) == [
        (1, "battle", 0, 1), (2, "blitz", 3, 0),
    ]  # fmt: skip
    assert list(rows.filter(seat=here.seats["rex"]).values_list("juncture", "action")) == [(0, "convalesce")]
    assert Answer.objects.filter(game=here.id).count() == 0
    here.rows_agree()


def test_the_winner_is_read_from_rows_as_it_was_written():
    """A state that is loaded anew is the one that the log leads to, enumerations included."""
    here = begin()
    here.run(LeaveSeat(), "ria")
    here.run(LeaveSeat(), "rex")
    while here.game.status == "running":
        here.fire()
    winner = here.state.storm.winner
    assert (type(winner).__name__, winner.value) == ("Side", "albraxas")
    here.rows_agree()


@pytest.mark.rule("AX-SET-1")
def test_the_progress_of_characters_is_public_and_their_content_is_not():
    here = writing()
    define(here, "ria")
    define(here, "ria", (5, 4, 4))
    assert [e["owner"] for e in here.events_of("PromptAnswered")] == [f"seat:{here.seats['ria']}"]
    assert {row.audience for row in LoggedEvent.objects.filter(game=here.id, type="CharacterWritten")} == {
        f"gm+seat:{here.seats['ria']}"
    }
    with pytest.raises(Refused) as refused:
        here.run(EndSetup())
    assert (refused.value.code, sorted(refused.value.facts["lacking"])) == ("game.not_ready", ["Albert", "Rex"])
    define(here, "rex")
    define(here, ALBERT)
    here.run(PlayAlbraxas(seat=here.seats["rex"]))
    assert Sheet.objects.filter(game=here.id).count() == 1
    here.rows_agree()
    with pytest.raises(Refused) as refused:
        here.run(EndSetup())
    assert sorted(refused.value.facts["lacking"]) == ["Albert", "Rex"]


# --- the clock --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-SET-1")
def test_a_seat_that_has_no_character_in_time_is_dropped():
    here = writing()
    define(here, "ria")
    define(here, ALBERT)
    here.fire()
    assert here.events_of("SeatDropped") == [{"seat": str(here.seats["rex"])}]
    assert step(here) == ("locate", 1)
    assert Character.objects.filter(game=here.id).count() == 2
    here.rows_agree()


def test_a_rewind_to_the_set_up_gives_a_dropped_seat_its_place_back_and_whoever_joined_since_keeps_theirs():
    here = writing()
    to = here.game.seq
    define(here, "ria")
    define(here, ALBERT)
    here.run(AddSeat(name="Late", role=Role.OBSERVER))
    here.fire()
    here.run(rewind_to(here.id, to, "Rex was on the stairs."), "gm")
    roles = {seat.name: seat.role for seat in here.state.seats.values()}
    assert (roles["Rex"], roles["Late"]) == (Role.PLAYER, Role.OBSERVER)
    here.rows_agree()
    define(here, "rex")
    here.rows_agree()


def test_a_game_without_a_rebel_closes_unplayed():
    here = writing()
    define(here, ALBERT)
    here.fire()
    assert (step(here)[0], here.game.status, Storm.objects.get(game=here.id).winner) == ("finished", "finished", None)
    here.rows_agree()


@pytest.mark.rule("AX-TRN-2")
def test_at_the_deadline_of_locate_the_place_set_holds_else_the_next_phase():
    here = begin()
    here.run(SetLocation(phase=3), "ria")
    here.fire()
    assert step(here) == ("order", 1)
    assert here.now == here.events_at("DeadlinePassed")
    where = dict(Character.objects.filter(game=here.id, side="rebel").values_list("seat", "phase"))
    assert where == {here.seats["ria"]: 3, here.seats["rex"]: 1}
    here.write(ria=(), rex=(), albert=())
    here.run(SetLocation(phase=1), "ria")
    here.run(LockLocation(), "ria")
    here.run(UnlockLocation(), "ria")
    here.fire()
    where = dict(Character.objects.filter(game=here.id, side="rebel").values_list("seat", "phase"))
    assert where == {here.seats["ria"]: 1, here.seats["rex"]: 2}
    here.rows_agree()


@pytest.mark.rule("AX-TRN-5")
def test_at_the_deadline_of_orders_the_written_ones_hold_else_hole_up():
    here = begin()
    here.go(ria=1, rex=2)
    here.run(WriteOrders(orders=(battle(),)), "ria")
    here.fire()
    assert step(here) in {("locate", 2), ("finished", 1)}
    (shown,) = here.events_of("OrdersRevealed")
    assert {p["seat"]: len(p["orders"]) for p in shown["papers"]} == {
        str(here.seats["ria"]): 1, str(here.seats["rex"]): 0, str(here.seats[ALBERT]): 0,
    }  # fmt: skip
    late = here.events_of("DeadlinePassed")[-1]["seats"]
    assert sorted(late) == sorted(str(here.seats[name]) for name in ("rex", ALBERT))
    assert {row.by for row in LoggedEvent.objects.filter(game=here.id, type="ActionResolved")} == {"deadline"}
    here.rows_agree()


def test_a_pause_preserves_the_remaining_time_of_a_deadline():
    here = begin()
    due = Timer.objects.get(game=here.id, key__startswith="prompt:").due
    here.now += timedelta(seconds=30)
    here.run(Pause(reason="Tea."))
    here.now += timedelta(hours=1)
    here.run(Resume())
    assert Timer.objects.get(game=here.id, key__startswith="prompt:").due == due + timedelta(hours=1)
    here.rows_agree()


def test_a_turn_is_rewound_and_played_anew_with_other_dice():
    here = begin({**SMALL, "check_from": 3})
    here.go(ria=1, rex=2)
    to = here.game.seq
    here.write(ria=(battle(),), rex=(battle(),), albert=(battle(),))
    first = here.events_of("ActionResolved")
    here.run(rewind_to(here.id, to, "The lights went out."), "gm")
    assert (step(here), Written.objects.filter(game=here.id).count()) == (("order", 1), 0)
    here.rows_agree()
    here.write(ria=(battle(),), rex=(battle(),), albert=(battle(),))
    again = here.events_of("ActionResolved")[len(first) :]
    assert [(e["seat"], e["action"]) for e in again] == [(e["seat"], e["action"]) for e in first]
    assert [e["dice"] for e in again] != [e["dice"] for e in first]
    here.rows_agree()


# --- commitments alone ------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-AMB-31")
def test_orders_of_which_only_the_digest_is_known_are_opened_when_all_are_in():
    here = begin()
    here.go(ria=1, rex=2)
    salt, value = "a salt of my own", '{"convalesce":false,"orders":[]}'
    here.run(SealOrders(digest=digest_of(salt, value)), "ria")
    here.run(SealOrders(digest=digest_of(salt, value)), "rex")
    here.write(albert=(battle(),))
    window = Timer.objects.get(game=here.id, due__isnull=False)
    asking = Prompt.objects.get(game=here.id, kind="order.open")
    assert (window.key, window.due) == (f"prompt:{asking.pk}", here.now + timedelta(seconds=60))
    here.run(OpenOrders(salt=salt), "ria")
    assert set(Answer.objects.filter(prompt=asking).values_list("owner", flat=True)) == {f"seat:{here.seats['ria']}"}
    here.rows_agree()
    here.fire()
    assert step(here)[0] == "locate"
    shown = {p["seat"]: (p["salt"], p["digest"]) for p in here.events_of("OrdersRevealed")[0]["papers"]}
    assert shown[str(here.seats["ria"])] == (salt, digest_of(salt, value))
    assert shown[str(here.seats["rex"])] == ("", "")
    assert here.events_of("DeadlinePassed")[-1]["seats"] == [str(here.seats["rex"])]
    here.rows_agree()


@pytest.mark.rule("AX-END-7")
def test_a_seat_that_was_left_is_not_waited_for_until_it_is_taken_again():
    here = begin()
    here.go(ria=2)
    here.run(LeaveSeat(), "rex")
    assert step(here) == ("order", 1)
    assert dict(Character.objects.filter(game=here.id, side="rebel").values_list("seat", "phase")) == {
        here.seats["ria"]: 2, here.seats["rex"]: 1,
    }  # fmt: skip
    here.run(HandOver(seat=here.seats["rex"], user=here.actor("rex").user, reason="He is back."))
    here.write(ria=(), albert=())
    assert step(here) == ("order", 1)
    here.write(rex=())
    assert step(here) == ("locate", 2)
    here.rows_agree()
