"""Every button and form of the desk in games of every ruleset as they were played (no database)."""

from functools import cache
from typing import Any

import pytest

from games.engine.game_state import Role
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.event_pages.played import PlayedDesk
from tests.play.moments import PLAYED, moments

pytestmark = pytest.mark.timeout(600)


@cache
def desks_of(ruleset: str) -> tuple[PlayedDesk, ...]:
    """The desks of games of a ruleset, at the moments at which there was something new."""
    return tuple(map(PlayedDesk, moments(ruleset)))


@pytest.fixture(params=PLAYED)
def desks(request: pytest.FixtureRequest) -> tuple[PlayedDesk, ...]:
    """The desks of a game of each ruleset."""
    return desks_of(request.param)


def test_who_acts_for_a_seat_is_offered_what_that_seat_is_offered(desks: tuple[PlayedDesk, ...]) -> None:
    offered = 0
    for desk in desks:
        for seat in desk.state.seats_of(Role.PLAYER):
            own = desk.state.view_for(frozenset({seat.id}))
            commands = desk.rules.own.commands
            theirs = legal_commands_for(own, commands, Actor(Issuer.SEAT, seat=seat.id))
            acting = legal_commands_for(own, commands, Actor(Issuer.GM, on_behalf_of=seat.id))
            done_for = {kind.slug() for kind in commands if kind.for_seat}  # by a game-master alone
            assert {each.command for each in acting} >= done_for
            assert _plain([each for each in acting if each.command not in done_for]) == _plain(theirs)
            offered += len(theirs)
    assert offered > 0


def test_only_what_has_no_field_left_and_is_ones_own_acts_at_once(desks: tuple[PlayedDesk, ...]) -> None:
    buttons = [button for desk in desks for button in desk.buttons()]
    assert any(button.acting_for for button in buttons)
    for button in buttons:
        if button.at_once:
            fields = desks[0].rules.open_commands[button.command].model_fields
            assert button.acting_for is None and set(fields) == set(button.settled), button


def test_every_form_has_its_fields_or_says_why_not(desks: tuple[PlayedDesk, ...]) -> None:
    for desk in desks:
        for button in desk.buttons():
            form, kind = desk.form(button), desk.rules.open_commands[button.command]
            if form.barred is None:
                filled = {field.path for field in form.fields} | set(button.settled)
                assert filled or not kind.model_fields, button
                assert {name for name, field in kind.model_fields.items() if field.is_required()} <= filled, button


def _plain(found: Any) -> list[tuple[Any, ...]]:
    """Legal commands without what no two of them share: refusals compare by identity."""
    return [
        (each.command, each.arguments, each.price, each.note, each.required, each.cases, each.quits, each.partial)
        + ((each.barred.code, each.barred.message) if each.barred else ())
        for each in found
    ]
