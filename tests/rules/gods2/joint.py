"""Games in which several gods cast together, with mana of their own and powers of the tests."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.engine.game_state import dump
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import God, GodKind
from games.gods2.rules.state.value_types import PartOf, Target
from tests.playbook import Playbook, state_from_log
from tests.rules.gods2.era import ANA, BEN, CLEO, fresh, two_peoples
from tests.rules.gods2.strikes import pack_of

POWER = "teach_horsemanship"
"""A War power of level 3 that costs 9 mana."""


def each_with_a_war_card(options: Gods2Options | None = None) -> tuple[Playbook, UUID, UUID]:
    """Three gods with one War card and 20 mana each; the Dwarves can learn horsemanship."""
    book, dwarves, elves = two_peoples(options, cards={seat: {"WA": 1} for seat in (ANA, BEN, CLEO)})
    needed = book.state.pack.knowledges["horsemanship"].prereqs
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=tuple(sorted(needed)))
    return book, dwarves, elves


def with_powers(**powers: Mapping[str, Any]) -> tuple[Playbook, UUID, UUID]:
    """Two peoples in a game whose pack has these powers too; Ashkar holds 3 cards of Fire & Earth and 2 of War."""
    book, dwarves, elves = two_peoples(cards={ANA: {"FE": 3, "WA": 2}, BEN: {"FE": 3}})
    book.state._packs = {book.state.era.pack_version: pack_of(None, **powers)[2]}
    return book, dwarves, elves


def casting_prompt(book: Playbook) -> UUID:
    """The open question of a combined casting."""
    return next(p.id for p in book.state.prompts.values() if p.kind == "CASTING.join")


def yes(book: Playbook, *seats: UUID) -> list:
    """These partners agree."""
    return [
        event for seat in seats for event in book.when(AnswerCasting(prompt=casting_prompt(book), yes=True), by=seat)
    ]


def parts(*amounts: tuple[UUID, int]) -> tuple[PartOf, ...]:
    """Who pays how much."""
    return tuple(PartOf(seat=seat, amount=amount) for seat, amount in amounts)


def teaching(race: UUID, *amounts: tuple[UUID, int], **more: Any) -> CastPower:
    """Teach horsemanship together."""
    return CastPower(power=POWER, targets=(Target(race=race),), parts=parts(*amounts), **more)


def balances(book: Playbook) -> list[int]:
    """The mana of the three gods."""
    return [book.state.purses[seat].balance for seat in (ANA, BEN, CLEO)]


def set_kind(book: Playbook, seat: UUID, kind: GodKind) -> None:
    """Let the god of a seat be a demon, or a spirit."""
    god = book.state.gods[seat]
    book.state.gods[seat] = God(god.id, god.name, kind)


def replays_alike(book: Playbook) -> bool:
    """Whether the log of a game that began with nothing but its seats leads to the same state."""
    again = fresh()
    again._packs = book.state.packs
    return bool(dump(state_from_log(book.log, again)) == dump(book.state))
