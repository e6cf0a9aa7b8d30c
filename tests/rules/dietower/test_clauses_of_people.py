"""Chapters 0, 1 and 8 of the rulebook, clause by clause: sheets, levels, seats that are left, and every deadline."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dietower.rules import RULESET
from games.dietower.rules.actors.commands import RaiseLevel, Reveal, RollChart, SaveChart, SaveSheet, SetState
from games.dietower.rules.actors.events import ActorShown, ActorStateSet, Revealed
from games.dietower.rules.actors.people_commands import SaveMonster, SaveNpc
from games.dietower.rules.checks.commands import RequestCheck
from games.dietower.rules.checks.events import CheckWithdrawn
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import Asked, Condition, Hidden, SheetField
from games.dietower.rules.table.commands import CloseSession, ConfigureGame, LeaveSeat, OpenSession
from games.engine.game_state import Role, Seat
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import ask_check, declare, fighting, let_fall, owe_die, throw_check, win_miracle
from tests.rules.dietower.stage import (
    GAME,
    GM,
    S1,
    S2,
    WHOLE,
    acting_for,
    monster,
    npc,
    pc,
    playing,
    raise_to,
    require_sound,
    roll_check,
    setting_up,
    write,
)

ANSWER, RULING = ("answer_seconds", 60, 43_200), ("ruling_seconds", 120, 86_400)
WINDOWS = {
    Asked.TURN: ("turn_seconds", 300, 86_400),
    Asked.CHECK_WISH: ANSWER, Asked.PLACE: ANSWER, Asked.ATTACK_DEFEND: ANSWER, Asked.ATTACK_WISH: ANSWER,
    Asked.HELD: ANSWER,
    Asked.CHECK_SET: RULING, Asked.ATTACK_SET: RULING, Asked.MIRACLE: RULING,
    Asked.TERRIBLE: ("consequence_seconds", 300, 86_400),
    Asked.WISH_STORY: ("wish_seconds", 600, 172_800),
}  # fmt: skip
"""Of each question: its option, the deadline of live play, and that by post, in seconds."""


def seconds_of(asked, chosen):
    """How long a question waits in a game with these options."""
    state = RULESET.new_state(GAME)
    state.info = replace(state.info, options=DieTowerOptions(**chosen).model_dump_json())
    return state.window(RULESET.course.questions[asked].window).total_seconds()


@pytest.mark.rule("DT-AMB-31", "DT-TBL-5")
@pytest.mark.parametrize("asked", list(Asked))
def test_the_deadline_of_a_question_is_its_options_or_else_of_the_pace(asked):
    option, live, by_post = WINDOWS[asked]
    chosen = ({}, {"pace": "by_post"}, {option: 7}, {option: 7, "pace": "by_post"})
    assert [seconds_of(asked, each) for each in chosen] == [live, by_post, 7, 7]
    others = {name for name, *_ in WINDOWS.values()} - {option}
    assert seconds_of(asked, dict.fromkeys(others, 7)) == live


@pytest.mark.rule("DT-AMB-31")
@pytest.mark.parametrize(
    ("opened", "asked", "seconds"),
    [
        (ask_check, Asked.CHECK_SET, 11), (throw_check, Asked.CHECK_WISH, 13), (owe_die, Asked.PLACE, 13),
        (let_fall, Asked.TERRIBLE, 17), (win_miracle, Asked.MIRACLE, 11),
    ],
)  # fmt: skip
def test_a_question_runs_its_own_deadline(opened, asked, seconds):
    options = '{"ruling_seconds": 11, "answer_seconds": 13, "consequence_seconds": 17}'
    book = playing(options=options)
    opened(book)
    assert book.state.question(asked) is not None
    book.wait(timedelta(seconds=seconds - 1))
    assert book.state.question(asked) is not None
    book.wait(timedelta(seconds=1))
    assert book.state.question(asked) is None


@pytest.mark.rule("DT-CHR-1", "DT-EX-72")
@pytest.mark.parametrize("lacking", ["weapon", "power", "power_drawback", "deviation", "mystery"])
def test_each_required_field_is_required_before_play(lacking):
    book = setting_up()
    write(book, S1, **{lacking: ""})
    write(book, S2)
    with refused("sheet.incomplete", book.state) as caught:
        book.when(OpenSession(), by=GM)
    assert caught.value.facts["lacking"] == [lacking]


@pytest.mark.rule("DT-CHR-1", "DT-TBL-1")
def test_a_sheet_is_written_by_its_player_in_the_set_up_and_by_the_world_master_between_turns():
    book = setting_up()
    a = write(book, S1)
    for other in (S2, acting_for(S2)):
        with refused("actor.not_yours", book.state):
            book.when(SaveSheet(actor=a, name="Wren", **WHOLE), by=other)
    book.when(SaveSheet(actor=a, name="Wren", **WHOLE), by=acting_for(S1))
    book.when(OpenSession(), by=GM)
    beast = monster(book)
    with refused("target.invalid", book.state):
        book.when(SaveSheet(actor=beast, name="Wren", **WHOLE), by=GM)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    with refused("phase.closed", book.state):
        book.when(SaveSheet(actor=a, name="Wren", **WHOLE), by=GM)


@pytest.mark.rule("DT-TBL-1")
@pytest.mark.parametrize("characters", [1, 2, 4])
def test_a_seat_has_as_many_characters_as_were_agreed_and_no_more(characters):
    book = setting_up()
    book.when(ConfigureGame(seats=6, characters=characters, idle_rounds=2), by=GM)
    for number in range(characters):
        write(book, S1, f"Wren {number}")
    with refused("characters.full", book.state):
        write(book, S1, "One more")
    write(book, S2)


@pytest.mark.rule("DT-TBL-1")
def test_who_watches_or_opens_a_game_has_no_character() -> None:
    """Such a character stood in no order of an encounter, which ended in an error."""
    book = setting_up()
    for number, role in enumerate((Role.OBSERVER, Role.HOST), start=70):
        seat = Seat(UUID(int=number), role, role.value)
        book.state.seats.load(seat.id, seat)
        with refused("issuer.other", book.state):
            write(book, seat.id, "Wren")
        (legal,) = legal_commands_for(book.state, [SaveSheet], Actor(Issuer.SEAT, seat=seat.id))
        assert legal.barred is not None and legal.barred.code == "issuer.other"


@pytest.mark.rule("DT-TBL-1", "DT-AMB-46")
def test_the_world_master_plays_no_character() -> None:
    book = setting_up()
    with refused("seat.missing", book.state):
        book.when(SaveSheet(name="Wren", **WHOLE), by=GM)
    assert [seat.id for seat in book.state.players()] == [S1, S2]


@pytest.mark.rule("DT-TBL-1", "DT-TBL-5", "DT-AMB-46")
@pytest.mark.parametrize(
    ("field", "low", "high"),
    [
        ("seats", 1, 12),
        ("characters", 1, 4),
        ("half_width", 5, 8),
        ("idle_rounds", 1, 10),
        ("turn_seconds", 1, 2_592_000),
    ],
)
def test_an_option_has_its_range(field: str, low: int, high: int) -> None:
    for value in (low, high):
        assert getattr(DieTowerOptions(**{field: value}), field) == value
    for value in (low - 1, high + 1):
        with pytest.raises(ValidationError):
            DieTowerOptions(**{field: value})


@pytest.mark.rule("DT-CHR-3", "DT-AMB-1")
def test_a_level_rises_in_play_and_between_sessions_but_not_before_the_first():
    book = setting_up()
    a = write(book, S1)
    with refused("phase.closed", book.state):
        book.when(RaiseLevel(actor=a, reason="deeds"), by=GM)
    book.when(OpenSession(), by=GM)
    raise_to(book, a, 19)
    book.when(CloseSession(), by=GM)
    raise_to(book, a, 20)
    with refused("level.top", book.state):
        book.when(RaiseLevel(actor=a, reason="deeds"), by=GM)


@pytest.mark.rule("DT-CHR-4")
@pytest.mark.parametrize(
    ("opened", "may"),
    [(ask_check, True), (throw_check, True), (owe_die, True), (let_fall, False), (win_miracle, False)],
)
def test_outside_an_encounter_a_state_is_set_unless_something_terrible_or_a_miracle_is_open(opened, may):
    book = playing()
    opened(book)
    command = SetState(actor=pc(book, S2), state=Condition.FALLEN, text="hurt", reason="fate")
    if may:
        (said,) = of_kind(book.when(command, by=GM), ActorStateSet)
        assert (said.text, said.reason) == ("hurt", "fate")
    else:
        with refused("prompt.open", book.state):
            book.when(command, by=GM)


@pytest.mark.rule("DT-CHR-4")
def test_in_a_turn_a_state_is_set_when_nothing_is_open_inside_it():
    book, beast = fighting(S1, S2)
    declare(book, S1, beast)
    with refused("prompt.open", book.state):
        book.when(SetState(actor=pc(book, S2), state=Condition.FALLEN, reason="fate"), by=GM)
    with refused("prompt.open", book.state):
        book.when(RaiseLevel(actor=pc(book, S2), reason="deeds"), by=GM)


@pytest.mark.rule("DT-CHR-5", "DT-CHR-8", "DT-AMB-52")
def test_what_is_hidden_is_revealed_once_until_it_changes():
    book = playing()
    beast = monster(book, health=3, weakness="salt", weapon="claws", power="stare", notes="old")
    texts = {
        Hidden.HEALTH: "3", Hidden.WEAKNESS: "salt", Hidden.WEAPON: "claws", Hidden.POWER: "stare",
        Hidden.NOTES: "old",
    }  # fmt: skip
    shown = 0
    for field, text in texts.items():
        events = book.when(Reveal(actor=beast, field=field), by=GM)
        assert [e.text for e in of_kind(events, Revealed)] == [text]
        shown += len(of_kind(events, ActorShown))
        with refused("target.invalid", book.state):
            book.when(Reveal(actor=beast, field=field), by=GM)
    assert shown == 1
    book.when(SaveMonster(actor=beast, name="Gnaw", health=5, weakness="salt"), by=GM)
    assert [e.text for e in of_kind(book.when(Reveal(actor=beast, field=Hidden.HEALTH), by=GM), Revealed)] == ["5"]
    with refused("target.invalid", book.state):
        book.when(Reveal(actor=beast, field=Hidden.MYSTERY), by=GM)


@pytest.mark.rule("DT-CHR-8")
def test_a_player_reveals_the_own_secret_mystery_and_nothing_else():
    book = setting_up()
    a, b = write(book, S1, secret_mystery=True), write(book, S2)
    book.when(OpenSession(), by=GM)
    with refused("actor.not_yours", book.state):
        book.when(Reveal(actor=a, field=Hidden.MYSTERY), by=S2)
    with refused("target.invalid", book.state):
        book.when(Reveal(actor=b, field=Hidden.MYSTERY), by=S2)
    assert of_kind(book.when(Reveal(actor=a, field=Hidden.MYSTERY), by=S1), Revealed)
    with refused("target.invalid", book.state):
        book.when(Reveal(actor=a, field=Hidden.MYSTERY), by=S1)


@pytest.mark.rule("DT-CHR-8", "DT-CHR-5", "DT-AMB-52")
def test_people_and_monsters_are_written_anew_each_as_what_they_are():
    book = playing()
    odo, beast = npc(book), monster(book)
    with refused("target.invalid", book.state):
        book.when(SaveNpc(actor=beast, name="Odo the Bold"), by=GM)
    with refused("target.invalid", book.state):
        book.when(SaveMonster(actor=odo, name="Gnaw the Old", health=1), by=GM)
    assert not of_kind(book.when(SaveNpc(actor=odo, name="Odo the Bold"), by=GM), ActorShown)
    roll_check(book, odo, (4, 4))
    assert not of_kind(book.when(SaveNpc(actor=odo, name="Odo the Bold"), by=GM), ActorShown)
    assert of_kind(book.when(SaveNpc(actor=odo, name="Odo"), by=GM), ActorShown)


@pytest.mark.rule("DT-CHR-6")
def test_a_chart_of_names_holds_no_longer_ones_than_a_name_may_be():
    book = setting_up()
    a = write(book, S1)
    with refused("chart.line", book.state):
        book.when(SaveChart(field="name", lines=("x" * 81,)), by=GM)
    book.when(SaveChart(field="name", lines=("x" * 80,)), by=GM)
    book.when(SaveChart(field="weapon", lines=("x" * 81,)), by=GM)
    with refused("actor.not_yours", book.state):
        book.when(RollChart(actor=a, field=SheetField.WEAPON), by=S2)
    book.when(RollChart(actor=a, field=SheetField.WEAPON), by=GM)
    assert book.state.sheets[a].weapon == "x" * 81


@pytest.mark.rule("DT-TBL-4", "DT-CHK-15", "DT-AMB-53")
def test_only_what_the_left_seat_owes_goes_by_the_defaults():
    book = playing()
    for seat in (S1, S2):
        book.when(RequestCheck(intent="climb"), by=seat)
    events = book.when(LeaveSeat(), by=S1)
    assert [book.state.checks[e.check].actor for e in of_kind(events, CheckWithdrawn)] == [pc(book, S1)]
    assert not book.state.is_active(book.state.actors[pc(book, S1)])
    beast = monster(book)
    book.when(RequestCheck(intent="sing"), by=acting_for(S1))
    assert len(list(book.state.questions(Asked.CHECK_SET))) == 2
    with refused("prompt.open", book.state):
        book.when(OpenEncounter(members=(beast,)), by=GM)
    require_sound(book)
