"""Messages between seats: who reads them, who may write to whom, and that they change nothing."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.engine.audience import PUBLIC, seats
from games.engine.errors import Refused
from games.engine.game_state import Role, dump
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import GameEnded, Pause, Start
from games.engine.lifecycle.messages import (
    EVERYBODY,
    FLOOD_WINDOW,
    MAX_CHARACTERS,
    MAX_MESSAGES,
    MAX_MESSAGES_OF_LEADERS,
    MAX_RECEIVERS,
    MessageSent,
    SendMessage,
)
from games.engine.lifecycle.seating import GameOpened, Join
from games.engine.message_options import MessageOptions, message_options
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, HOST_ACTOR, MASTER, table
from tests.playbook import DAWN, refused
from tests.toy.rules import RULESET

pytestmark = pytest.mark.rule("CF-9")
EVE = Actor(Issuer.SEAT, user=UUID(int=900))
ADMINISTRATOR = Actor(Issuer.GM, user=UUID(int=901))
PEACE = "Peace?"
ALL = (EVERYBODY,)


def written(cairns, by, *to: UUID):
    """The readers and the sentence of a message that is written, to everybody where no seat is named."""
    cairns.when(SendMessage(to=to or ALL, text=PEACE), by)
    return cairns.log[-1].audience, cairns.log[-1].text


def entries(cairns, actor: Actor):
    """What `legal-commands/` says of messages."""
    own = frozenset({actor.seat} if actor.seat else ())
    seen = cairns.state.view_for(own, gm=actor.is_gm)
    return legal_commands_for(seen, [SendMessage], actor)


def receivers(cairns, actor: Actor) -> set[str]:
    """Whom the menu names, and `everybody` where that is offered."""
    found = set()
    for entry in entries(cairns, actor):
        found |= {seat if seat == EVERYBODY else cairns.state.seats[seat].name for seat in entry.choices("to")}
    return found


def test_a_message_is_read_by_its_sender_and_its_receivers():
    cairns = table(ANN, BOB, CYD)
    before = dump(cairns.state)
    assert written(cairns, ANN, BOB) == (seats(ANN, BOB), "Ann to Bob: Peace?")
    assert written(cairns, ANN, CYD, BOB, CYD) == (seats(ANN, BOB, CYD), "Ann to Bob and Cyd: Peace?")
    assert cairns.log[-1].event.to == (BOB, CYD)
    assert written(cairns, ANN) == (PUBLIC, "Ann to everybody: Peace?")
    assert dump(cairns.state) == before
    assert cairns.log_folds_to_state()


def test_game_masters_read_what_is_for_one_of_them_and_by_the_option_everything():
    cairns = table()
    assert written(cairns, ANN, MASTER) == (seats(ANN, MASTER, gm=True), "Ann to Master: Peace?")
    assert written(cairns, GM_ACTOR, ANN) == (seats(ANN, MASTER, gm=True), "Master to Ann: Peace?")
    assert written(cairns, ADMINISTRATOR, ANN) == (seats(ANN, gm=True), "The game-master to Ann: Peace?")
    assert written(cairns, ANN, HOST)[0] == seats(ANN, HOST)
    cairns = table(options='{"gm_reads_messages":true}')
    assert written(cairns, ANN, BOB)[0] == seats(ANN, BOB, gm=True)


def test_messages_are_written_before_the_start_and_in_a_pause_and_not_after_the_end():
    cairns = table()
    written(cairns, ANN, BOB)
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Pause(), GM_ACTOR)
    stage = cairns.state.info.paused_at, dump(cairns.state.prompts), dump(cairns.state.timers)
    written(cairns, BOB, ANN)
    assert stage == (cairns.state.info.paused_at, dump(cairns.state.prompts), dump(cairns.state.timers))
    cairns.happens(lambda s, c: iter([GameEnded(reason="dusk")]))
    for actor in (Actor(Issuer.SEAT, seat=ANN), HOST_ACTOR, GM_ACTOR):
        with refused("phase.closed", cairns.state):
            cairns.when(SendMessage(to=ALL, text=PEACE), actor)
        assert [entry.barred.code for entry in entries(cairns, actor)] == ["phase.closed"]


def test_a_rewind_does_not_take_a_message_back():
    assert MessageSent.survives_rewind


def test_observers_neither_write_nor_are_written_to():
    cairns = table()
    (taken,) = cairns.when(Join(name="Eve", role=Role.OBSERVER), EVE)
    eve = replace(EVE, seat=taken.seat)
    with refused("message.observer", cairns.state):
        cairns.when(SendMessage(to=ALL, text=PEACE), eve)
    with refused("message.observer", cairns.state):
        cairns.when(SendMessage(to=(taken.seat,), text=PEACE), ANN)
    assert [entry.barred.code for entry in entries(cairns, eve)] == ["message.observer"]
    assert receivers(cairns, Actor(Issuer.SEAT, seat=ANN)) == {"everybody", "Bob", "Host", "Master"}


def test_nobody_writes_to_themselves_to_nobody_or_for_another():
    cairns = table()
    with refused("message.self", cairns.state):
        cairns.when(SendMessage(to=(ANN, BOB), text=PEACE), ANN)
    with refused("seat.missing", cairns.state):
        cairns.when(SendMessage(to=(CYD,), text=PEACE), ANN)
    with refused("seat.missing", cairns.state):
        cairns.when(SendMessage(to=ALL, text=PEACE), EVE)
    for_ann = replace(GM_ACTOR, on_behalf_of=ANN)
    with refused("seat.other", cairns.state):
        cairns.when(SendMessage(to=ALL, text=PEACE), for_ann)
    assert entries(cairns, for_ann) == []


@pytest.mark.parametrize(
    ("press", "to_all", "to_bob", "listed"),
    [
        ("open", None, None, {"everybody", "Bob", "Host", "Master"}),
        ("anonymous", None, None, {"everybody", "Ann", "Bob", "Host", "Master"}),
        ("public", None, "press.public", {"everybody", "Host", "Master"}),
        ("none", "press.none", "press.none", {"Host", "Master"}),
    ],
)
def test_players_write_to_each_other_as_the_press_allows(press, to_all, to_bob, listed):
    cairns = table(options=f'{{"press":"{press}"}}')
    for code, to in ((to_all, ALL), (to_bob, (BOB,)), (to_bob, (BOB, HOST))):
        if code is None:
            cairns.when(SendMessage(to=to, text=PEACE), ANN)
            continue
        with refused(code, cairns.state):
            cairns.when(SendMessage(to=to, text=PEACE), ANN)
    assert receivers(cairns, Actor(Issuer.SEAT, seat=ANN)) == listed
    for to in ((HOST,), (MASTER,), (HOST, MASTER)):
        written(cairns, ANN, *to)
    for leader, others in ((HOST_ACTOR, {"Ann", "Bob", "Master"}), (GM_ACTOR, {"Ann", "Bob", "Host"})):
        written(cairns, leader)
        written(cairns, leader, ANN, BOB)
        assert receivers(cairns, leader) == {"everybody", *others}


def test_a_ruleset_adds_a_rule_between_players_alone():
    def only_ann(state, sender, receiver):
        return None if ANN in (sender.id, receiver.id) else Refused("press.ann", "Write to Ann.")

    cairns = table(ANN, BOB, CYD, ruleset=replace(RULESET, message_rule=only_ann))
    with refused("press.ann", cairns.state):
        cairns.when(SendMessage(to=(ANN, CYD), text=PEACE), BOB)
    assert receivers(cairns, Actor(Issuer.SEAT, seat=BOB)) == {"everybody", "Ann", "Host", "Master"}
    written(cairns, BOB, ANN)
    written(cairns, HOST_ACTOR, BOB)


def test_without_anybody_to_write_to_the_menu_says_why():
    cairns = table(options='{"press":"none"}')
    for seat in (HOST, MASTER):
        del cairns.state.seats[seat]
    assert [entry.barred.code for entry in entries(cairns, Actor(Issuer.SEAT, seat=ANN))] == ["press.none"]


def test_the_menu_has_one_entry_for_all_sets_of_seats():
    cairns = table(ANN, BOB, CYD)
    to_all, to_some = entries(cairns, Actor(Issuer.SEAT, seat=ANN))
    assert to_all.choices("to") == ALL and (to_all.arguments["to"].low, to_all.arguments["to"].high) == (1, 1)
    to = to_some.arguments["to"]
    assert isinstance(to.of, Choices) and (to.low, to.high) == (1, 4)


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "a\x07b", "a\u202eb", "a\tb", "x" * (MAX_CHARACTERS + 1)])
def test_a_text_has_up_to_2000_characters_and_no_control_characters(text):
    with pytest.raises(ValidationError):
        SendMessage(to=ALL, text=text)


@pytest.mark.parametrize(
    ("text", "kept"), [(" one\r\ntwo \n", "one\ntwo"), ("x", "x"), ("y" * MAX_CHARACTERS, "y" * MAX_CHARACTERS)]
)
def test_line_breaks_are_kept_and_blanks_around_the_text_are_not(text, kept):
    assert SendMessage(to=ALL, text=text).text == kept


def test_a_message_has_a_bounded_number_of_receivers():
    SendMessage(to=tuple(UUID(int=n) for n in range(MAX_RECEIVERS)), text=PEACE)
    with pytest.raises(ValidationError):
        SendMessage(to=tuple(UUID(int=n) for n in range(MAX_RECEIVERS + 1)), text=PEACE)


@pytest.mark.parametrize("body", [{}, {"to": []}, {"to": None}, {"to": "everybody"}, {"to": ["all"]}, {"to": [7]}])
def test_who_reads_a_message_is_said_and_never_implied(body):
    with pytest.raises(ValidationError):
        SendMessage.model_validate({**body, "text": PEACE})
    assert "to" in SendMessage.model_json_schema()["required"]


def test_everybody_is_named_alone():
    cairns = table()
    with refused("message.receivers", cairns.state):
        cairns.when(SendMessage(to=(EVERYBODY, BOB), text=PEACE), ANN)
    cairns.when(SendMessage(to=(EVERYBODY, EVERYBODY), text=PEACE), ANN)
    assert cairns.log[-1].audience == PUBLIC and cairns.log[-1].event.to == ()


def write_many(cairns, by, count: int) -> None:
    for _ in range(count):
        cairns.when(SendMessage(to=(MASTER,) if by == ANN else (ANN,), text=f"{len(cairns.log)}"), by)


@pytest.mark.parametrize(
    ("by", "most"),
    [(ANN, MAX_MESSAGES), (HOST_ACTOR, MAX_MESSAGES_OF_LEADERS), (ADMINISTRATOR, MAX_MESSAGES_OF_LEADERS)],
)
def test_so_many_messages_of_one_sender_are_taken_in_ten_minutes_and_it_is_said_when_it_goes_on(by, most):
    cairns = table()
    write_many(cairns, by, 1)
    cairns.wait(timedelta(minutes=1))
    write_many(cairns, by, most - 1)
    with refused("message.flood", cairns.state) as caught:
        written(cairns, by, ANN if by != ANN else BOB)
    assert caught.value.facts["goes_on"] == DAWN + FLOOD_WINDOW
    written(cairns, BOB, HOST)
    cairns.wait(FLOOD_WINDOW - timedelta(minutes=1))
    written(cairns, by, ANN if by != ANN else BOB)
    with refused("message.flood", cairns.state):
        write_many(cairns, by, 1)


def test_the_same_is_not_written_twice_in_a_row_to_the_same_readers():
    cairns = table(ANN, BOB, CYD)
    written(cairns, ANN, BOB)
    with refused("message.repeated", cairns.state) as caught:
        written(cairns, ANN, BOB)
    assert caught.value.facts["goes_on"] == DAWN + FLOOD_WINDOW
    written(cairns, ANN, CYD)
    written(cairns, BOB, CYD)
    with refused("message.repeated", cairns.state):
        written(cairns, ANN, CYD)
    written(cairns, ANN)
    written(cairns, ANN, CYD)
    cairns.wait(FLOOD_WINDOW)
    written(cairns, ANN, CYD)


def test_a_pause_keeps_nobody_from_writing_until_it_ends():
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Pause(), GM_ACTOR)
    write_many(cairns, ANN, MAX_MESSAGES)
    cairns.wait(FLOOD_WINDOW)
    written(cairns, ANN, BOB)


def test_each_message_has_an_id_of_its_own_that_only_its_readers_learn():
    cairns = table()
    written(cairns, ANN, BOB)
    written(cairns, ANN)
    first, second = (h.event.message for h in cairns.log[-2:])
    assert first and second and first != second
    assert str(first) not in repr(cairns.events_for(PUBLIC))


def test_the_options_say_what_is_unlike_the_usual_alone():
    usual = RULESET.options(press="open", gm_reads_messages=False)
    assert RULESET.options().model_dump_json() == usual.model_dump_json()
    assert "press" not in RULESET.options().model_dump_json()
    assert message_options("{}") == MessageOptions()
    assert message_options('{"spectator_delay":3,"press":"none"}') == MessageOptions(press="none")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("{}", "Reef was opened."),
        ('{"press":"public"}', "Reef was opened. Players write to each other only where everybody reads it."),
        ('{"press":"none"}', "Reef was opened. Players write no messages to each other."),
        ('{"gm_reads_messages":true}', "Reef was opened. The game-masters read every message between seats."),
    ],
)
def test_the_first_line_of_a_game_says_what_is_unusual(options, said):
    opened = GameOpened(ruleset="toy", name="Reef", chosen=options, commitment="", is_public=True)
    assert opened.sentence(table().state) == said
