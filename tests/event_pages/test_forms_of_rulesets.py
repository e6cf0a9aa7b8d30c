"""Every button and form of the desk in games of every ruleset as they were played (no database)."""

import json
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from api.pages.event.amend import fields_of_row, rows_of
from api.pages.event.board import abouts_of
from api.pages.event.odds import MAX_LINES, odds_of
from api.pages.forms.filling import values_at
from api.pages.forms.marks import SQUARE, Mark, marks_within
from api.pages.forms.refusals import sentences_of
from clients.python.theogony.sampling import Filling, Unfillable
from games import registry
from games.engine.game_state import Role
from games.engine.insight.event_pages import holdings_panel
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for, refusal_of
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.amend import plain_row
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow, Pause, Resume, Start
from games.engine.lifecycle.row_wording import is_id
from games.engine.wording import phrase
from games.models import Game
from tests import forms
from tests.event_pages.pictured import ON_MAPS, leaves_of, looks_of, value_of
from tests.event_pages.played import PlayedDesk
from tests.event_pages.words import keys_in, texts_of_field, texts_of_form, texts_of_page
from tests.play.moments import PLAYED, asked_at_stages, moments, sentences

pytestmark = pytest.mark.timeout(600)


@cache
def desks_of(ruleset: str) -> tuple[PlayedDesk, ...]:
    """The desks of games of a ruleset, at the moments at which there was something new."""
    return tuple(map(PlayedDesk, moments(ruleset)))


@pytest.fixture(params=PLAYED)
def ruleset(request: pytest.FixtureRequest) -> str:
    """Each ruleset, by its name."""
    return str(request.param)


@pytest.fixture
def desks(ruleset: str) -> tuple[PlayedDesk, ...]:
    """The desks of a game of each ruleset."""
    return desks_of(ruleset)


def test_every_ruleset_is_played() -> None:
    assert {*PLAYED, "toy"} == {rules.slug for rules in registry.rulesets()}


NOT_FOR_ANOTHER = {"choose-miracle"}
"""What nobody says for a seat that is held (DT-AMB-50)."""


def test_who_acts_for_a_seat_is_offered_what_that_seat_is_offered(desks: tuple[PlayedDesk, ...]) -> None:
    """The short form asks one seat of each moment, another one in the next."""
    offered = 0
    for at, desk in enumerate(desks):
        seats = list(desk.state.seats_of(Role.PLAYER))
        for seat in seats[at % max(1, len(seats)) :][:1] if forms.SHORT else seats:
            own = desk.state.view_for(frozenset({seat.id}))
            commands = desk.rules.own.commands
            theirs = legal_commands_for(own, commands, Actor(Issuer.SEAT, seat=seat.id))
            acting = legal_commands_for(own, commands, Actor(Issuer.GM, on_behalf_of=seat.id))
            done_for = {kind.slug() for kind in commands if kind.for_seat}  # by a game-master alone
            assert {each.command for each in acting} >= done_for
            apart = done_for | NOT_FOR_ANOTHER
            assert _plain(each for each in acting if each.command not in apart) == _plain(
                each for each in theirs if each.command not in NOT_FOR_ANOTHER
            )
            offered += len(theirs)
    assert offered > 0


def test_only_what_has_no_field_left_and_is_ones_own_acts_at_once(desks: tuple[PlayedDesk, ...]) -> None:
    buttons = [button for desk in desks for button in desk.buttons()]
    assert any(button.acting_for for button in buttons)
    for button in buttons:
        if button.at_once:
            fields = desks[0].rules.open_commands[button.command].model_fields
            assert button.acting_for is None and set(fields) == set(button.fixed), button


def test_every_form_has_its_fields_or_says_why_not(desks: tuple[PlayedDesk, ...]) -> None:
    """The kind: a form without fields that says nothing; a way to answer a question that is none now."""
    for desk in desks:
        for button in desk.buttons():
            form, kind = desk.form(button), desk.rules.open_commands[button.command]
            assert form.barred is None or button.question is None, (button, form.why)
            if form.barred is None:
                filled = {field.path for field in form.fields} | set(button.fixed)
                assert filled or not kind.model_fields, button
                assert {name for name, field in kind.model_fields.items() if field.is_required()} <= filled, button


@pytest.mark.parametrize("role", [Role.GM, Role.HOST])
def test_pages_forms_and_refusals_say_names_and_no_keys(desks: tuple[PlayedDesk, ...], role: Role) -> None:
    """The kind: an id, a key, a code, a type or a word of programs in a text that a person reads."""
    found: dict[str, str] = {}

    def read(where: str, text: str, desk: PlayedDesk) -> None:
        for key in keys_in(text, desk):
            found.setdefault(f"{where}: {key}", text)

    forms = 0
    for desk in (PlayedDesk(each.state, role) if role is not Role.GM else each for each in desks):
        for text in texts_of_page(desk):
            read("page", text, desk)
        for button in desk.buttons():
            for text in texts_of_form(desk.form(button)):
                read(f"form of {button.command}", text, desk)
            forms += 1
    assert forms and found == {}


def test_what_is_chosen_from_is_told_apart(desks: tuple[PlayedDesk, ...]) -> None:
    """The kind: two choices of one field under one name."""
    for desk in desks:
        for button in desk.buttons():
            for field in desk.form(button).fields:
                titles = Counter(title for _, title, _ in field.choices)
                assert [title for title, count in titles.items() if count > 1] == [], (button.command, field.path)


def test_what_a_button_does_not_name_is_bound_to_the_stage_or_question_that_it_was_made_in(
    desks: tuple[PlayedDesk, ...],
) -> None:
    """The kind: a button that says what is ended, passed or closed by nothing but its place on the page."""
    bound = 0
    for desk in desks:
        for button in desk.buttons():
            kind = desk.rules.open_commands[button.command]
            names = any(is_id(str(value)) or (value and isinstance(value, list)) for value in button.fixed.values())
            names |= "-" in str(button.fixed.get("timer", ""))
            if not names and (kind in desk.rules.own.commands or kind in (EndNow, FireNow, Extend)):
                assert button.question or button.stage in (desk.state.stage, desk.state.phase_mark), button
                assert button.question or f"stage={button.stage}" in button.query, button
                bound += 1
            elif names or kind in (Pause, Resume, Start):
                assert not button.stage, button
    assert bound


def test_in_one_stage_a_command_that_names_nothing_answers_one_question(ruleset: str) -> None:
    """The kind: two stages under one mark, so that what was meant for one would be taken for the other."""
    commands, seen = registry.ruleset(ruleset).open_commands, 0
    for (_, _, name), asked in asked_at_stages(ruleset).items():
        kind = commands.get(name)
        if kind is None or any("UUID" in str(field.annotation) for field in kind.model_fields.values()):
            continue
        for before, after in pairwise(asked):
            assert before & after, name
        seen += 1
    assert seen


def test_a_row_is_corrected_by_names_and_words(desks: tuple[PlayedDesk, ...]) -> None:
    found: dict[str, str] = {}
    for desk in desks:
        for table in sorted(desk.seen.amendable() - desk.seen.special):
            assert keys_in(phrase(table)) == []
            for key, name, _ in rows_of(desk.seen, table, "")[:20]:
                found |= {f"{table}: {key}": name for key in keys_in(name)}
                for field in fields_of_row(desk.seen, table, key, plain_row(desk.seen, table, key) or {}):
                    for text in texts_of_field(field):
                        typed = ("a key", "a word") if text == field.value else ()  # a value that is typed as it stands
                        keys = [key for key in keys_in(text) if not key.startswith(typed or "-")]
                        found |= {f"{table}.{field.path}: {each}": text for each in keys}
    assert found == {}


def test_a_form_that_is_filled_in_wrongly_is_refused_in_words(desks: tuple[PlayedDesk, ...]) -> None:
    desk, found = desks[-1], dict[str, str]()
    commands = desk.rules.open_commands
    for name, kind in commands.items():
        fields = kind.model_fields
        for wrong in (
            {},
            dict.fromkeys(fields, "x"),
            {each: [{"x": -1}] for each in fields},
            dict.fromkeys(fields, -1),
        ):
            try:
                kind.model_validate_json(json.dumps(wrong), strict=True)
            except ValidationError as error:
                for text in sentences_of(error, commands):
                    found |= {f"{name}: {key}": text for key in keys_in(text, desk)}
    assert found == {}


def test_what_the_rules_refuse_is_said_in_words(desks: tuple[PlayedDesk, ...]) -> None:
    """Each command of each moment with a body at random, as a game-master, the host and a seat."""
    found, refusals, chance = dict[str, str](), 0, Random(5)
    for desk in desks:
        commands = desk.rules.open_commands
        for name, kind in commands.items():
            schema = kind.model_json_schema()
            for actor in actors_of(desk, kind):
                try:
                    command = kind.model_validate(Filling(schema.get("$defs", {}), chance, 0.5).value(schema))
                except (Unfillable, ValidationError):
                    continue
                refused = refusal_of(command, desk.state.twin(), actor)
                if refused is not None:
                    refusals += 1
                    for text in sentences_of(refused, commands):
                        found |= {f"{name}: {key}": text for key in keys_in(text, desk)}
    assert refusals > 10 * len(desks) and found == {}


def test_events_tell_in_words(ruleset: str) -> None:
    told = sentences(ruleset)
    assert len(told) > 20
    assert {text: keys for text in told if (keys := keys_in(text))} == {}


def actors_of(desk: PlayedDesk, kind: type[Command]) -> list[Actor]:
    """A game-master, the host, and a game-master for a seat, as far as a command is theirs."""
    absent = [Actor(Issuer.GM, on_behalf_of=seat.id) for seat in desk.state.seats_of(Role.PLAYER)[:1]]
    own = [Actor(Issuer.GM, user=UUID(int=7)), Actor(Issuer.HOST, seat=UUID(int=7), user=UUID(int=7))]
    return [*(actor for actor in own if actor.role in kind.issuers), *(absent if Issuer.SEAT in kind.issuers else ())]


def _plain(found: Any) -> list[tuple[Any, ...]]:
    """Legal commands without what no two of them share: refusals compare by identity."""
    return [
        (each.command, each.arguments, each.price, each.note, each.required, each.cases, each.quits, each.partial)
        + ((each.barred.code, each.barred.message) if each.barred else ())
        for each in found
    ]


def test_what_a_field_asks_for_and_stands_on_the_map_is_found_there(ruleset: str) -> None:
    """The kind: a field for a race, a city, a place or a square that no touch of the picture fills in."""
    met: dict[str, bool] = defaultdict(bool)
    for look in looks_of(ruleset):
        there = {str(each) for table in ON_MAPS[ruleset] for each in getattr(look.seen, table)}
        for field in leaves_of(look.fields):
            choices = [value_of(choice) for each in (field, *field.fields) for choice in each.choices]
            values = [named for value in choices for named in marks_within(value)]
            if look.marks and any(each.kind == SQUARE or each.id in there for each in values):
                met[field.path] |= bool(values_at([field], look.marks))
    assert [path for path, is_found in met.items() if not is_found] == []
    assert met or not ON_MAPS[ruleset]


def test_a_touch_fills_in_only_what_a_field_offers(ruleset: str) -> None:
    for look in looks_of(ruleset):
        for field in leaves_of(look.fields):
            for mark in look.marks[:40]:
                value = values_at([field], [mark])
                if value and field.choices:
                    (taken,) = value.values()
                    one = taken if field.widget in ("select", "fixed", "hidden") else taken[0]
                    assert one in map(value_of, field.choices)


def test_a_picture_marks_nothing_that_its_viewer_does_not_see(ruleset: str) -> None:
    """The kind: an id in a picture that is in no table of the state as the seat sees it."""
    seen_any = False
    for look in looks_of(ruleset):
        known = {str(key) for table in look.seen.tables for key in getattr(look.seen, table)}
        assert {mark.id for mark in look.marks if "-" in mark.id} <= known
        seen_any |= bool(look.marks)
    assert seen_any


def test_the_number_of_a_phase_is_chosen_on_the_river() -> None:
    found = [
        values_at([field], [Mark("phase", "3")])
        for look in looks_of("albraxas")
        for field in leaves_of(look.fields)
        if field.takes == "phase" and Mark("phase", "3") in look.marks
    ]
    assert {"phase": 3} in found


def test_a_question_is_about_its_subject_and_what_that_names(ruleset: str) -> None:
    for look in looks_of(ruleset):
        for prompt in look.seen.prompts.values():
            abouts = abouts_of(look.seen, prompt.subject)
            assert (f":{prompt.subject}" in abouts) == (prompt.subject is not None)


def test_a_seat_has_what_the_desk_says_that_it_has_and_of_others_what_all_may_know(ruleset: str) -> None:
    """The kind: two definitions of what somebody has; a purse or a hand of another seat."""
    pages, met = registry.ruleset(ruleset).pages, False
    for look in looks_of(ruleset):
        players = [seat.id for seat in look.seen.seats_of(Role.PLAYER)]
        rows = {line.cells for line in holdings_panel(look.seen, pages).lines}
        for seat in players:
            held = pages.holdings(look.seen, seat)
            met |= bool(held)
            stranger = pages.holdings(look.seen.view_for(frozenset({UUID(int=5)})), seat)
            assert seat == look.seat or held == stranger
            assert not held or any({*held.values()} <= {*cells} for cells in rows)
    assert met


def test_odds_are_few_and_in_words(ruleset: str) -> None:
    told, rules = list[str](), registry.ruleset(ruleset)
    for look in looks_of(ruleset):
        game = Game(id=look.seen.info.id, ruleset=ruleset, created_at=look.seen.now)
        actor = Actor(Issuer.SEAT, seat=look.seat)
        for kind in rules.own.commands:
            found = legal_commands_for(look.seen, [kind], actor, LegalCommandFilter(kind.slug()))
            lines = odds_of(look.seen, game, actor, kind, [each for each in found if each.legal])
            assert len({*lines}) == len(lines) <= MAX_LINES, kind
            told += [text for _, text in lines]
    assert {text: keys for text in told if (keys := keys_in(text))} == {}
    # A forecast of Dawn needs armies or actions, and in the Die Tower one seat has a roll at a time.
    assert [text for text in told if "%" in text] or ruleset in ("dawn", "dietower")
