"""The table and its people: sessions, sheets, charts, who is seen (chapters 0 and 1 of the rulebook)."""

from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dietower.rules.actors.commands import RaiseLevel, Reveal, RollChart, SaveChart, SaveSheet, SetState
from games.dietower.rules.actors.events import ActorShown, ChartRolled, LevelRaised, MysteryWritten, Revealed
from games.dietower.rules.actors.people_commands import SaveMonster, SaveNpc
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck, SetCheck
from games.dietower.rules.checks.events import CheckRequested, PoolRolled
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import Asked, Condition, Hidden, Mode, SheetField, Step
from games.dietower.rules.table.commands import (
    CloseSession,
    ConfigureGame,
    EndScene,
    FinishGame,
    OpenSession,
    SetStandingAnswer,
)
from games.dietower.rules.table.events import GameFinished, SessionOpened
from games.engine.audience import GM as GM_ALONE
from games.engine.audience import GM_READER, PUBLIC, reader, seat_and_gm
from games.engine.game_state import Status
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup
from games.engine.lifecycle.seating import Join
from games.engine.lifecycle.waiting import waiting_for
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    GM_SEAT,
    HOST,
    S1,
    S2,
    S3,
    WHOLE,
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


@pytest.mark.rule("DT-TBL-1", "DT-AMB-46", "DT-EX-87")
def test_a_table_has_so_many_seats_and_a_seat_so_many_characters():
    book = setting_up(S1, S2, options=DieTowerOptions(seats=2).model_dump_json())
    stranger = Actor(Issuer.SEAT, user=UUID(int=77))
    with refused("seats.full", book.state):
        book.when(Join(name="Third"), by=stranger)
    write(book, S1)
    with refused("characters.full", book.state):
        write(book, S1, "Another")
    book.when(ConfigureGame(seats=12, characters=2, idle_rounds=2), by=HOST)
    write(book, S1, "Another")
    assert [a.number for a in book.state.characters_of(S1)] == [1, 2]
    book.when(Join(name="Third"), by=stranger)
    assert [book.state.places[s].number for s in book.state.circle()] == [1, 2, 3]
    for wrong in ({"seats": 13}, {"seats": 2}, {"characters": 1}, {"characters": 5}, {"idle_rounds": 0}):
        with refused("config.range", book.state):
            book.when(ConfigureGame(**({"seats": 6, "characters": 2, "idle_rounds": 2} | wrong)), by=HOST)


@pytest.mark.rule("DT-TBL-5")
@pytest.mark.parametrize("wrong", [{"seats": 13}, {"characters": 0}, {"half_width": 4}, {"half_width": 9}])
def test_options_have_their_ranges(wrong):
    with pytest.raises(ValidationError):
        DieTowerOptions(**wrong)
    assert (DieTowerOptions().seats, DieTowerOptions().half_width, DieTowerOptions().mode) == (6, 6, Mode.SIMULATED)


@pytest.mark.rule("DT-TBL-2", "DT-TBL-3", "DT-AMB-45", "DT-EX-88")
def test_sessions_are_counted_and_the_game_ends_between_two():
    book = playing()
    assert (book.state.course.session, book.state.info.status) == (1, Status.RUNNING)
    with refused("phase.closed", book.state):
        book.when(FinishGame(), by=GM)
    book.when(CloseSession(), by=GM)
    with refused("phase.closed", book.state):
        book.when(RequestCheck(intent="climb"), by=S1)
    (opened,) = of_kind(book.when(OpenSession(), by=GM), SessionOpened)
    assert opened.session == 2
    book.when(CloseSession(), by=GM)
    (finished,) = of_kind(book.when(FinishGame(text="They part."), by=GM), GameFinished)
    assert (finished.sessions, book.state.info.status, book.state.step) == (2, Status.FINISHED, Step.FINISHED)
    require_sound(book)


@pytest.mark.rule("DT-TBL-2", "DT-TBL-3")
def test_between_two_sessions_the_world_master_alone_is_waited_for():
    book = playing(S1)
    assert [each.owner for each in waiting_for(book.state)] == [reader(S1)]
    book.when(CloseSession(), by=GM)
    assert [(each.owner, each.must) for each in waiting_for(book.state)] == [(GM_READER, False)]
    book.when(OpenSession(), by=GM)
    assert [each.owner for each in waiting_for(book.state)] == [reader(S1)]


@pytest.mark.rule("DT-TBL-2")
def test_the_end_of_the_setup_is_the_first_session():
    book = setting_up()
    with refused("game.not_ready", book.state):
        book.when(OpenSession(), by=GM)
    write(book, S1)
    assert of_kind(book.when(EndSetup(), by=HOST), SessionOpened)


@pytest.mark.rule("DT-TBL-2", "DT-CHK-14")
def test_a_session_is_closed_when_nothing_is_open():
    book = playing()
    roll_check(book, pc(book, S1), (4, 4))
    with refused("prompt.open", book.state):
        book.when(CloseSession(), by=GM)
    book.when(EndScene(), by=GM)


@pytest.mark.rule("DT-CHR-1", "DT-EX-72")
def test_a_draft_may_lack_something_until_the_first_session():
    book = setting_up()
    write(book, S1, mystery="")
    with refused("sheet.incomplete", book.state):
        book.when(OpenSession(), by=GM)
    book.when(SaveSheet(actor=pc(book, S1), name="Wren", **WHOLE), by=S1)
    book.when(OpenSession(), by=GM)
    with refused("phase.closed", book.state):
        book.when(SaveSheet(actor=pc(book, S1), name="Wren", **WHOLE), by=S1)
    with refused("sheet.incomplete", book.state):
        book.when(SaveSheet(actor=pc(book, S1), name="Wren", **(WHOLE | {"weapon": ""})), by=GM)
    book.when(SaveSheet(actor=pc(book, S1), name="Wren the Old", **WHOLE), by=GM)
    require_sound(book)


@pytest.mark.rule("DT-CHR-2", "DT-CHR-3", "DT-AMB-1", "DT-EX-67")
def test_levels_rise_one_at_a_time_without_a_wish_up_to_twenty():
    book = playing()
    a = pc(book, S1)
    assert (book.state.sheets[a].level, book.state.sheets[a].wishes) == (1, 1)
    (raised,) = of_kind(book.when(RaiseLevel(actor=a, reason="deeds"), by=GM), LevelRaised)
    assert (raised.level, book.state.sheets[a].wishes) == (2, 1)
    raise_to(book, a, 20)
    with refused("level.top", book.state):
        book.when(RaiseLevel(actor=a, reason="more"), by=GM)
    odo = npc(book)
    with refused("target.invalid", book.state):
        book.when(RaiseLevel(actor=odo, reason="more"), by=GM)


@pytest.mark.rule("DT-CHR-4", "DT-CMB-14")
def test_people_fall_and_get_up_as_the_world_master_says_and_monsters_do_not():
    book = playing()
    a, beast = pc(book, S1), monster(book)
    book.when(SetState(actor=a, state=Condition.FALLEN, text="dead", reason="fate"), by=GM)
    assert (book.state.actors[a].condition, book.state.actors[a].condition_text) == (Condition.FALLEN, "dead")
    book.when(SetState(actor=a, state=Condition.ACTIVE, reason="a dream"), by=GM)
    assert book.state.actors[a].condition is Condition.ACTIVE
    with refused("target.invalid", book.state):
        book.when(SetState(actor=beast, state=Condition.FALLEN, reason="fate"), by=GM)


@pytest.mark.rule("DT-CHR-5", "DT-AMB-2")
def test_a_monster_has_health_and_may_be_revealed():
    book = playing()
    for health in (0, -1):
        with refused("health.range", book.state):
            monster(book, health=health)
    beast = monster(book, health=4, weakness="salt")
    assert book.state.vitalities[beast].health == 4
    events = book.when(Reveal(actor=beast, field=Hidden.WEAKNESS), by=GM)
    assert [e.text for e in of_kind(events, Revealed)] == ["salt"] and of_kind(events, ActorShown)
    with refused("target.invalid", book.state):
        book.when(Reveal(actor=beast, field=Hidden.WEAKNESS), by=GM)
    with refused("actor.not_yours", book.state):
        book.when(Reveal(actor=beast, field=Hidden.HEALTH), by=S1)


@pytest.mark.rule("DT-CHR-6", "DT-EX-66", "DT-EX-104")
def test_a_chart_draws_a_line_with_a_die_of_as_many_sides():
    book = setting_up()
    a = write(book, S1)
    book.when(SaveChart(field="deviation", lines=("one", "two", "three", "four", "five")), by=GM)
    with refused("chart.missing", book.state):
        book.when(RollChart(actor=a, field=SheetField.POWER), by=S1)
    (drawn,) = of_kind(
        book.when(RollChart(actor=a, field=SheetField.DEVIATION), by=S1, dice=[d(5, "chart deviation", 3)]), ChartRolled
    )
    assert (drawn.line, drawn.text, book.state.sheets[a].deviation) == (3, "three", "three")
    book.when(SaveChart(field="power", lines=("fire",)), by=GM)
    book.when(RollChart(actor=a, field=SheetField.POWER), by=S1, dice=[])
    assert book.state.sheets[a].power == "fire"
    with refused("chart.field", book.state):
        book.when(SaveChart(field="level", lines=("one",)), by=GM)
    with refused("chart.empty", book.state):
        book.when(SaveChart(field="power", lines=()), by=GM)


@pytest.mark.rule("DT-CHR-6", "DT-CHR-8")
def test_the_die_of_a_secret_mystery_is_a_secret_too():
    book = setting_up()
    a = write(book, S1, secret_mystery=True)
    book.when(SaveChart(field="mystery", lines=("an heir", "a ghost")), by=GM)
    book.when(RollChart(actor=a, field=SheetField.MYSTERY), by=S1, dice=[d(2, "secret-chart mystery", 2)])
    drawn = [r for r in book.log if isinstance(r.event, ChartRolled | MysteryWritten)]
    assert {r.audience for r in drawn} == {seat_and_gm(S1)}
    assert not book.state.view_for(frozenset({S2})).mysteries
    assert book.state.mysteries[a].text == "a ghost"


@pytest.mark.rule("DT-CHR-6", "CF-3")
def test_a_field_is_drawn_again_and_the_place_of_a_public_die_counts_no_secret_ones():
    book = setting_up()
    a = write(book, S1, secret_mystery=True)
    for field in ("mystery", "weapon"):
        book.when(SaveChart(field=field, lines=("one", "two", "three")), by=GM)
    for field in (SheetField.MYSTERY, SheetField.WEAPON) * 2:
        book.when(RollChart(actor=a, field=field), by=S1)
    book.when(SaveSheet(actor=a, name="Wren", **WHOLE | {"secret_mystery": False}), by=S1)
    book.when(RollChart(actor=a, field=SheetField.MYSTERY), by=S1)
    dice = [(str(roll.label).split("/")[1], roll.index) for record in book.log for roll in record.rolls]
    assert dice == [
        ("secret-chart:mystery", 0), ("chart:weapon", 0), ("secret-chart:mystery", 1), ("chart:weapon", 1),
        ("chart:mystery", 0),
    ]  # fmt: skip


@pytest.mark.rule("DT-AMB-60")
def test_a_name_that_was_drawn_may_be_taken_and_a_written_one_may_not():
    book = setting_up()
    a = write(book, S1, "Wren")
    book.when(SaveChart(field="name", lines=("Wren",)), by=GM)
    b = write(book, S2, "Odo")
    book.when(RollChart(actor=b, field=SheetField.NAME), by=S2, dice=[])
    assert book.state.actors[b].name == book.state.actors[a].name == "Wren"
    with refused("name.taken", book.state):
        book.when(SaveSheet(actor=b, name="wren", **WHOLE), by=S2)


@pytest.mark.rule("DT-CHR-8", "DT-AMB-48", "DT-AMB-52")
def test_people_and_monsters_are_hidden_until_the_first_public_event_that_names_them():
    book = playing()
    odo = npc(book, "Odo", notes="a traitor")
    nobody = book.state.view_for(frozenset({S1}))
    assert odo not in nobody.actors and not nobody.briefs
    with refused("actor.missing", book.state):
        book.when(RequestCheck(actor=odo, intent="hide"), by=S1)
    events = roll_check(book, odo, (4, 4))
    assert isinstance(of_kind(events, ActorShown)[0], ActorShown)
    seen = book.state.view_for(frozenset({S1}))
    assert (seen.actors[odo].name, seen.actors[odo].kind, dict(seen.briefs)) == ("Odo", "npc", {})
    events = book.when(SaveNpc(actor=odo, name="Odo the Bold"), by=GM)
    assert [e.name for e in of_kind(events, ActorShown)] == ["Odo the Bold"]
    hidden = [r for r in book.log if type(r.event).__name__ in ("NpcSaved", "MonsterSaved")]
    assert {r.audience for r in hidden} == {GM_ALONE}


@pytest.mark.rule("DT-AMB-52")
def test_the_name_of_somebody_hidden_is_told_to_nobody():
    book = setting_up()
    npc(book, "Odo")
    write(book, S1, "Odo")
    with refused("name.taken", book.state):
        book.when(SaveMonster(name="odo", health=1), by=GM)


@pytest.mark.rule("DT-CHR-8", "DT-CHR-1")
def test_notes_lie_on_the_table_and_a_secret_mystery_does_not():
    book = setting_up()
    a = write(book, S1, notes="tall", secret_mystery=True)
    seen = book.state.view_for(frozenset({S2}))
    assert seen.sheets[a].notes == "tall" and not seen.mysteries
    book.when(Reveal(actor=a, field=Hidden.MYSTERY), by=S1)
    assert book.state.view_for(frozenset({S2})).mysteries[a].text == WHOLE["mystery"]
    assert [r.audience for r in book.log if isinstance(r.event, Revealed)] == [PUBLIC]


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49")
def test_the_world_master_says_in_advance_that_the_dice_of_people_are_placed():
    book = playing()
    book.when(SetStandingAnswer(kind="place", answer="at_once"), by=GM)
    with refused("answer.invalid", book.state):
        book.when(SetStandingAnswer(kind="window", answer="close"), by=GM)
    roll_check(book, npc(book), (2, 2))
    assert book.state.tower.height == 1 and book.state.question(Asked.PLACE) is None
    book.when(SetStandingAnswer(kind="place", answer="ask"), by=GM)
    assert (GM_SEAT, "place") not in book.state.standing
    assert S3 not in book.state.seats


@pytest.mark.rule("DT-AMB-20", "DT-CHK-4")
def test_what_somebody_is_good_at_is_a_guide_on_the_sheet():
    book = setting_up()
    a = write(book, S1, good_at=("climbing", "lying"))
    book.when(OpenSession(), by=GM)
    assert book.state.sheets[a].good_at == ("climbing", "lying")
    for trait, good in (("climbing", False), ("swimming", True), ("climbing", True)):
        (asked,) = of_kind(book.when(RequestCheck(intent="over the wall", trait=trait), by=S1), CheckRequested)
        thrown = of_kind(book.when(SetCheck(check=asked.check, cd=Cd.AVERAGE, good=good), by=GM), PoolRolled)
        assert asked.trait == trait and [len(e.dice) for e in thrown] == [1 + good]
        book.when(CloseRoll(roll=thrown[0].roll), by=S1)
