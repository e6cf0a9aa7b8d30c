"""Messages between seats: who reads them, who may write to whom, and that they change nothing."""

from dataclasses import replace
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
from games.engine.lifecycle.messages import MAX_CHARACTERS, MAX_RECEIVERS, MessageSent, SendMessage
from games.engine.lifecycle.seating import GameOpened, Join
from games.engine.message_options import MessageOptions, message_options
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, HOST_ACTOR, MASTER, table
from tests.playbook import refused
from tests.toy.rules import RULESET

pytestmark = pytest.mark.rule("CF-9")
EVE = Actor(Issuer.SEAT, user=UUID(int=900))
ADMINISTRATOR = Actor(Issuer.GM, user=UUID(int=901))
PEACE = "Peace?"


def written(cairns, by, *to: UUID):
    """The readers and the sentence of a message that is written."""
    cairns.when(SendMessage(to=to, text=PEACE), by)
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
        named = entry.choices("to")
        found |= {cairns.state.seats[seat].name for seat in named} or ({"everybody"} if entry.legal else set())
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
    written(cairns, ANN, BOB)
    assert stage == (cairns.state.info.paused_at, dump(cairns.state.prompts), dump(cairns.state.timers))
    cairns.happens(lambda s, c: iter([GameEnded(reason="dusk")]))
    for actor in (Actor(Issuer.SEAT, seat=ANN), HOST_ACTOR, GM_ACTOR):
        with refused("phase.closed", cairns.state):
            cairns.when(SendMessage(text=PEACE), actor)
        assert [entry.barred.code for entry in entries(cairns, actor)] == ["phase.closed"]


def test_a_rewind_does_not_take_a_message_back():
    assert MessageSent.survives_rewind


def test_observers_neither_write_nor_are_written_to():
    cairns = table()
    (taken,) = cairns.when(Join(name="Eve", role=Role.OBSERVER), EVE)
    eve = replace(EVE, seat=taken.seat)
    with refused("message.observer", cairns.state):
        cairns.when(SendMessage(text=PEACE), eve)
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
        cairns.when(SendMessage(text=PEACE), EVE)
    for_ann = replace(GM_ACTOR, on_behalf_of=ANN)
    with refused("seat.other", cairns.state):
        cairns.when(SendMessage(text=PEACE), for_ann)
    assert entries(cairns, for_ann) == []


@pytest.mark.parametrize(
    ("press", "to_all", "to_bob", "listed"),
    [
        ("open", None, None, {"everybody", "Bob", "Host", "Master"}),
        ("public", None, "press.public", {"everybody", "Host", "Master"}),
        ("none", "press.none", "press.none", {"Host", "Master"}),
    ],
)
def test_players_write_to_each_other_as_the_press_allows(press, to_all, to_bob, listed):
    cairns = table(options=f'{{"press":"{press}"}}')
    for code, to in ((to_all, ()), (to_bob, (BOB,)), (to_bob, (BOB, HOST))):
        if code is None:
            written(cairns, ANN, *to)
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
    assert set(to_all.arguments) == {"text"} and to_some.required == ("to",)
    to = to_some.arguments["to"]
    assert isinstance(to.of, Choices) and (to.low, to.high) == (1, 4)


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "a\x07b", "a\u202eb", "a\tb", "x" * (MAX_CHARACTERS + 1)])
def test_a_text_has_up_to_2000_characters_and_no_control_characters(text):
    with pytest.raises(ValidationError):
        SendMessage(text=text)


@pytest.mark.parametrize(
    ("text", "kept"), [(" one\r\ntwo \n", "one\ntwo"), ("x", "x"), ("y" * MAX_CHARACTERS, "y" * MAX_CHARACTERS)]
)
def test_line_breaks_are_kept_and_blanks_around_the_text_are_not(text, kept):
    assert SendMessage(text=text).text == kept


def test_a_message_has_a_bounded_number_of_receivers():
    SendMessage(to=tuple(UUID(int=n) for n in range(MAX_RECEIVERS)), text=PEACE)
    with pytest.raises(ValidationError):
        SendMessage(to=tuple(UUID(int=n) for n in range(MAX_RECEIVERS + 1)), text=PEACE)


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
