"""What may be done while the clock stands still, in games of every ruleset as bots play them."""

from dataclasses import replace
from typing import Any

import pytest

from games import registry
from games.engine.audience import reader
from games.engine.game_state import Role
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.play.moments import PLAYED, moments

MASTER = Actor(Issuer.GM)


def listed(state: Any, actor: Actor) -> dict[str, set[str]]:
    """The commands of its own ruleset in an actor's menu, each with what bars it."""
    found: dict[str, set[str]] = {}
    for legal in legal_commands_for(state, registry.ruleset(state.info.ruleset).own.commands, actor):
        found.setdefault(legal.command, set()).add(code_of(legal))
    return found


def code_of(legal: LegalCommand) -> str:
    """What bars a legal command."""
    return legal.barred.code if legal.barred is not None else ""


def stopped(state: Any) -> Any:
    """The same moment with the clock stopped."""
    twin = state.twin()
    twin.info = replace(twin.info, paused_at=twin.log_time)
    return twin


@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_pause_leaves_a_game_masters_menu_as_it_is_but_for_what_ends_time(ruleset: str) -> None:
    kinds, taken = registry.ruleset(ruleset).open_commands, 0
    for state in moments(ruleset):
        before, after = listed(state, MASTER), listed(stopped(state), MASTER)
        for command, codes in before.items():
            assert after[command] == ({"clock.paused"} if kinds[command].ends_time else codes), command
            taken += "" in codes
    assert taken > 0 or not any(Issuer.GM in kind.issuers for kind in kinds.values())


@pytest.mark.parametrize("ruleset", PLAYED)
def test_in_a_pause_a_seat_waits_and_is_answered_for_where_it_is_asked(ruleset: str) -> None:
    answered = 0
    for state in moments(ruleset):
        for seat in state.seats_of(Role.PLAYER):
            own, acting = Actor(Issuer.SEAT, seat=seat.id), Actor(Issuer.GM, on_behalf_of=seat.id)
            asked = {n for p in state.prompts.values() if reader(seat.id) in p.owners for n in p.answered_by}
            before, after = listed(state, acting), listed(stopped(state), acting)
            assert set().union(*listed(stopped(state), own).values()) <= {"clock.paused"}
            for command, codes in before.items():
                assert after[command] == (codes if command in asked else {"clock.paused"}), command
                answered += command in asked and "" in codes
    assert answered > 0 or ruleset == "gods2"  # whose gods were asked nothing there
