"""Lines, notes, scenes, answers in advance (chapters 7 and 16)."""

import re
from pathlib import Path
from uuid import UUID

import pytest

from games.engine.audience import GM as GM_AUDIENCE
from games.engine.audience import PUBLIC, seat_and_gm, seats
from games.engine.game_state import dump
from games.engine.kernel import CLOCK, Actor, Event, Issuer, apply_events, require_issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.questions import ask_row
from games.forgeborn.rules.state.schema_types import Asked, ListName, PlaceKind, StandingAnswer, StandingKind
from games.forgeborn.rules.story.commands import DrawLine, SetStandingAnswer, TellScene, WriteNote
from games.forgeborn.rules.story.events import LineDrawn, NoteWritten, SceneTold, StandingWordSet, ThreatSet
from games.forgeborn.rules.story.lists import GUARDIANS, LISTS, NAMES, THREATS
from games.forgeborn.rules.story.rules import draw_threat, standing_answer
from tests.dice import GivenDice, Planted, d
from tests.playbook import Playbook, event_like, refused
from tests.rules.forgeborn.lobby import lobby, of_kind
from tests.rules.forgeborn.table import GM, HOST, NO_REFEREE, REFEREE, S1, S2, playing

RULEBOOK = Path("games/forgeborn/rulebook.md")


def drawn(book: Playbook, kind: PlaceKind, number: int, *dice: Planted) -> list[Event]:
    """The events of a threat that is drawn for a place."""
    book.given = GivenDice(dice)
    ctx = book.context(GM)
    happened = apply_events(book.state, draw_threat(book.state, ctx, book.state.place_of_kind(kind, number)), ctx)
    assert book.given.is_exhausted()
    book.given = None
    book.log += happened
    return [record.event for record in happened]


@pytest.mark.rule("FB-EX-71", "FB-TXT-1")
def test_a_line_is_drawn_by_a_die_or_chosen() -> None:
    book = playing(S1, S2)
    (threat,) = book.when(DrawLine(list="threats"), by=GM, dice=[d(26, "draw", 10)])
    assert threat == event_like(LineDrawn, list=ListName.THREATS, line=10, text="feuding clans", die=26)
    (guardian,) = book.when(DrawLine(list="guardians"), by=GM, dice=[d(14, "draw", 5)])
    assert guardian == event_like(LineDrawn, line=5, text="foul troll with thick fingers")
    for line in (27, 0, -1):
        with refused("line.range", book.state):
            book.when(DrawLine(list="threats", line=line), by=GM, dice=[])
    city = book.state.place_of_kind(PlaceKind.CITY).id
    (chosen,) = book.when(DrawLine(list="threats", line=26, place=city), by=GM, dice=[])
    assert chosen == event_like(LineDrawn, line=26, text="time out of joint", die=None, place=city)
    assert book.state.places[city].threat == ""
    with refused("place.missing", book.state):
        book.when(DrawLine(list="threats", place=UUID(int=9)), by=GM)


@pytest.mark.rule("FB-TXT-1")
def test_the_lists_are_those_of_the_rulebook() -> None:
    assert (len(THREATS), len(GUARDIANS), len(NAMES)) == (26, 14, 60)
    for name, lines in LISTS.items():
        row = re.search(rf"^\| {name}.*?\| (.*) \|$", RULEBOOK.read_text(), re.MULTILINE)
        assert row is not None
        parts = row[1].split(", ") if name is ListName.NAMES else re.split(r"; (?=\d)", row[1])
        assert tuple(re.sub(r"^\d+ ", "", part) for part in parts) == lines


@pytest.mark.rule("FB-TXT-1", "FB-GM-3")
def test_names_are_for_everybody_and_lines_are_read_by_their_drawer_and_the_game_masters() -> None:
    book = playing(S1, S2)
    for name in ("threats", "guardians"):
        with refused("list.gm_only", book.state):
            book.when(DrawLine(list=name), by=S1)
    (named,) = of_kind(book.when(DrawLine(list="names"), by=S2, dice=[d(60, "draw", 1)]), LineDrawn)
    assert (named.text, book.log[-1].audience) == ("Brika", seat_and_gm(S2))
    book.when(DrawLine(list="guardians", line=1), by=GM)
    assert book.log[-1].audience == GM_AUDIENCE
    (name_line, guarded) = book.state.lines.values()
    assert list(book.state.view_for(frozenset({S1})).lines) == []
    assert list(book.state.view_for(frozenset({S2})).lines) == [name_line.id]
    assert list(book.state.view_for(frozenset(), gm=True).lines) == [name_line.id, guarded.id]


@pytest.mark.rule("FB-TXT-1")
def test_two_draws_of_one_list_have_dice_of_their_own() -> None:
    book = playing(S1, S2)
    for _ in range(12):
        book.when(DrawLine(list="names"), by=S1)
    labels = [roll.label for record in book.log for roll in record.rolls]
    assert len(set(labels)) == len(labels) == 12
    assert len({line.line for line in book.state.lines.values()}) > 1


@pytest.mark.rule("FB-EX-101", "FB-TXT-2")
def test_the_next_problem_of_a_village_is_drawn_where_nobody_is_the_referee() -> None:
    book = playing(S1, S2, options=NO_REFEREE)
    village = book.state.place_of_kind(PlaceKind.VILLAGE, 2).id
    assert drawn(book, PlaceKind.VILLAGE, 2, d(26, "draw", 8)) == [
        event_like(LineDrawn, list=ListName.THREATS, line=8, text="famine", place=village, is_public=True),
        event_like(ThreatSet, place=village, text="famine"),
    ]
    assert [record.audience for record in book.log[-2:]] == [PUBLIC, PUBLIC]
    assert book.state.places[village].threat == "famine"
    guarded = drawn(book, PlaceKind.RUINS, 1, d(14, "draw", 14))
    assert of_kind(guarded, ThreatSet) == [event_like(ThreatSet, text="linked traps")]


@pytest.mark.rule("FB-TXT-2", "FB-GM-5")
def test_with_a_referee_nothing_is_drawn() -> None:
    book = playing(S1, S2, options=REFEREE)
    assert drawn(book, PlaceKind.VILLAGE, 2) == []


@pytest.mark.rule("FB-TXT-2", "FB-GM-5", "FB-AMB-41")
def test_without_a_referee_each_village_and_each_ruins_has_a_threat_from_the_start() -> None:
    book = lobby(S1, S2, options=NO_REFEREE)
    happened = book.when(Start(), by=HOST)
    kinds = [book.state.places[event.place].kind for event in of_kind(happened, ThreatSet)]
    assert kinds == [PlaceKind.VILLAGE] * 4 + [PlaceKind.RUINS] * 2
    for place in book.state.places.values():
        assert bool(place.threat) is (place.kind in (PlaceKind.VILLAGE, PlaceKind.RUINS))
    used = {PlaceKind.VILLAGE: THREATS, PlaceKind.RUINS: GUARDIANS}
    assert all(place.threat in used[place.kind] for place in book.state.places.values() if place.threat)


@pytest.mark.rule("FB-EX-113", "FB-GM-3", "FB-AMB-54", "FB-GM-1")
def test_a_scene_and_a_note_hold_nothing_up() -> None:
    book = playing(S1, S2)
    ctx = book.context(GM)
    asked = ask_row(book.state, ctx, Asked.POOL, character="Ilmar")
    book.log += apply_events(book.state, asked, ctx)
    open_now = dump(book.state.prompts), dump(book.state.timers)
    rows = dump(book.state.characters), dump(book.state.places), dump(book.state.purses)
    city = book.state.place_of_kind(PlaceKind.CITY).id
    assert book.when(TellScene(text="The beast is asleep, you win"), by=GM) == [event_like(SceneTold)]
    assert book.log[-1].audience == PUBLIC
    assert book.when(WriteNote(text="It is not.", place=city), by=GM) == [event_like(NoteWritten, place=city)]
    assert book.log[-1].audience == GM_AUDIENCE
    assert (dump(book.state.prompts), dump(book.state.timers)) == open_now
    assert (dump(book.state.characters), dump(book.state.places), dump(book.state.purses)) == rows
    assert list(book.state.view_for(frozenset({S1})).notes) == []
    assert len(book.state.view_for(frozenset(), gm=True).notes) == 1
    with refused("place.missing", book.state):
        book.when(WriteNote(text="Nowhere.", place=UUID(int=9)), by=GM)


@pytest.mark.rule("FB-GM-3")
def test_scenes_and_notes_are_the_game_masters_at_any_time_before_the_end() -> None:
    for command in (TellScene(text="Rain."), WriteNote(text="Rain.")):
        with refused("issuer.other"):
            require_issuer(command, Actor(Issuer.SEAT, seat=S1))
        lobby(S1, S2).when(command, by=GM)
    book = playing(S1, S2, options='{"referee":"none","round_limit":1}')
    book.state.set_course(step="finished")
    for late in (TellScene(text="Rain."), WriteNote(text="Rain."), DrawLine(list="names")):
        with refused("phase.closed", book.state):
            book.when(late, by=GM)


@pytest.mark.rule("FB-AMB-53")
def test_answers_in_advance_are_a_secret_of_their_seat() -> None:
    book = playing(S1, S2)
    for kind, answer in (("help", "decline"), ("vault", "no"), ("vault", "yes"), ("gain", "d4")):
        assert book.when(SetStandingAnswer(kind=kind, answer=answer), by=S1) == [
            event_like(StandingWordSet, seat=S1, answer=StandingAnswer(answer))
        ]
        assert book.log[-1].audience == seats(S1)
        assert standing_answer(book.state, book.context(CLOCK), S1, StandingKind(kind)) == answer
    assert list(book.state.view_for(frozenset(), gm=True).advance_answers) == []
    assert len(book.state.view_for(frozenset({S1})).advance_answers) == 3
    book.when(SetStandingAnswer(kind="vault"), by=S1)
    assert standing_answer(book.state, book.context(CLOCK), S1, StandingKind.VAULT) is None
    assert standing_answer(book.state, book.context(CLOCK), S2, StandingKind.HELP) is None
    for kind, answer in (("help", "yes"), ("vault", "d4"), ("gain", "decline"), ("gain", "no"), ("help", "perhaps")):
        with refused("answer.invalid", book.state):
            book.when(SetStandingAnswer(kind=kind, answer=answer), by=S1)
    with refused("seat.missing", book.state):
        book.when(SetStandingAnswer(kind="gain", answer="d4"), by=Actor(Issuer.SEAT, seat=GM.seat))
