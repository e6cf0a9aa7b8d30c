"""Moments of a game of the Die Tower in which something is open: a fall, a miracle, an attack, an encounter."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from games.dietower.rules.checks.commands import RequestCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import DeclareAttack
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.schema_types import Uses
from games.dietower.rules.tower.events import MiracleDue, TowerFell
from games.engine.kernel import Actor, Event
from tests.dice import d
from tests.playbook import Playbook, of_kind
from tests.rules.dietower.stage import GM, S1, build, check, monster, pc, place, playing, roll_check, straight


def let_fall(book: Playbook) -> UUID:
    """The tower falls by a die of the first seat; the terrible thing that is due."""
    build(book, (0, 0), (5, 0), (7, 0))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    assert of_kind(place(book, S1, 6, 1, 3, 3), TowerFell)
    return next(c.id for c in book.state.consequences.values() if not c.written)


def win_miracle(book: Playbook) -> UUID:
    """The first seat places the thirteenth die; the miracle that is due."""
    build(book, *straight(12))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    assert of_kind(place(book, S1, 3, 3, 3, 3), MiracleDue)
    return next(m.id for m in book.state.miracles.values() if m.kind is None)


def ask_check(book: Playbook) -> None:
    """A check of the first seat waits to be set."""
    book.when(RequestCheck(intent="climb"), by=S1)


def throw_check(book: Playbook) -> None:
    """A check of the first seat waits for its Wish dice."""
    roll_check(book, pc(book, S1), (4, 4))


def owe_die(book: Playbook) -> None:
    """A die of the first seat waits to be placed."""
    check(book, S1, (3, 2), cd=Cd.TOUGH)


def fighting(*seats: UUID, **fields: Any) -> tuple[Playbook, UUID]:
    """An encounter of the seats' characters with one Monster; the first character begins."""
    book = playing(*(seats or (S1,)))
    beast = monster(book, **fields)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    return book, beast


def declare(book: Playbook, by: UUID | Actor, target: UUID, uses: Uses = Uses.NONE, actor: UUID | None = None) -> UUID:
    """Declare an attack; its id."""
    book.when(DeclareAttack(actor=actor, target=target, uses=uses), by=by)
    return next(a.id for a in book.state.attacks.values() if not a.over)


def set_attack(book: Playbook, attack: UUID, one: Sequence[int], other: Sequence[int], **terms: Any) -> list[Event]:
    """Say how an attack is rolled, with the dice of attacker and defender."""
    dice = [d(6, "attack attacker", *one), d(6, "attack defender", *other)]
    return book.when(SetAttack(attack=attack, **terms), by=GM, dice=dice)
