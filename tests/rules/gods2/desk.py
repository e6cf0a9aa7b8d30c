"""Games with previews, in which the GMs are asked everything that they may decide."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Phase
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, GM, two_peoples

PLAN = (16,)
GM_OPTIONS = Gods2Options(previews=True, plan=PLAN)
"""The GMs see previews, and are asked whatever they may decide."""


def seconds(n: float) -> timedelta:
    """So many seconds."""
    return timedelta(seconds=n)


def prompt_of(book: Playbook, kind: str) -> Any:
    """The open question of a kind."""
    (found,) = [p for p in book.state.prompts.values() if p.kind == kind]
    return found


def kinds(book: Playbook) -> list[str]:
    """The kinds of the open questions."""
    return sorted(p.kind for p in book.state.prompts.values())


def left(book: Playbook, key: str) -> timedelta:
    """What a timer has left."""
    return book.state.timers[key].due - book.now


def accept_growth(book: Playbook) -> Playbook:
    """Let every growth that is shown happen, without letting time pass."""
    while book.state.era.phase is Phase.GROWTH:
        book.when(EndNow(), by=GM)
    return book


def declare_war(book: Playbook, attacker: UUID, defender: UUID) -> UUID:
    """A god's war."""
    events = book.when(DeclareWar(power="declare_war", attacker=attacker, defender=defender), by=ANA)
    war: UUID = of_kind(events, WarDeclared)[0].war
    return war


def warring(options: Gods2Options = GM_OPTIONS) -> tuple[Playbook, UUID, UUID, UUID]:
    """Two peaceful peoples and a god's war between them."""
    book, dwarves, elves = two_peoples(options)
    accept_growth(book)
    return book, dwarves, elves, declare_war(book, dwarves, elves)
