"""Combined wars (G2-WAR-15, G2-WAR-16; AMB-15, AMB-50): a GM lets several races fight one enemy in one war.

They are fought together when the last of them is due. The enemy splits its strength as the option or the GM says.
The legal commands suggest what gods declared on one race within five minutes; without a word nothing is combined.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations
from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.gods2.rules.declarations.events import WarsCombined, WarSplitSet, waiting
from games.gods2.rules.declarations.gm_prompts import record_war_answer
from games.gods2.rules.declarations.groups import common_enemy, declaration, enemy_of
from games.gods2.rules.declarations.rules import fight_timer
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Phase, War, WarKind, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import StrengthOf
from games.gods2.rules.war.schedule import open_war

Steps = Iterator[Event]

SUGGESTED = "Gods have declared these wars on one race within a few minutes of each other."


class CombineWars(Enumerable[State]):
    """Let wars of several races against one enemy be fought as one."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-15", "G2-AMB-50")

    wars: tuple[UUID, ...] = Field(max_length=50)
    """Two or more that wait, with one race on a side of each."""
    text: str = Field(default="", max_length=2000)
    """The like cause, for everybody."""

    def decide(self, state: State, ctx: Context) -> Steps:
        state.require(Phase.OPEN, Phase.CLOSING)
        wars = sorted((open_war(state, war) for war in dict.fromkeys(self.wars)), key=declaration)
        enemy = common_enemy(wars)
        if enemy is None:
            raise Refused(
                "war.unlike",
                "Two or more wars are combined, of different races against one and the same enemy.",
                rules=("G2-WAR-15",),
            )
        group = ctx.mint(PUBLIC)
        yield WarsCombined(group=group, wars=tuple(w.id for w in wars), race=enemy, reason=self.text)
        for war in wars:
            due = state.wars[war.id].due
            if due is not None:
                yield fight_timer(war.id, due)
        yield from record_war_answer(state, Asked.COMBINE, state.wars[wars[0].id], '"combined"')

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.OPEN, Phase.CLOSING)
        pairs = [two for two in combinations(sorted(waiting(state), key=declaration), 2) if _could(*two)]
        if not pairs:
            raise Refused("war.unlike", "No two wars that wait have a common enemy.", rules=("G2-WAR-15",))
        for suggested in (True, False):
            fitting = [[str(w.id) for w in two] for two in pairs if is_suggested(state, *two) is suggested]
            if fitting:
                yield LegalCommand(
                    cls.slug(), {"wars": Choices.of(fitting), "text": FreeText()}, note=SUGGESTED if suggested else ""
                )


def _could(one: War, other: War) -> bool:
    """Whether two wars could be combined and are not yet."""
    return common_enemy((one, other)) is not None and (one.group is None or one.group != other.group)


def is_suggested(state: State, one: War, other: War) -> bool:
    """Whether two gods' wars on one defender were declared close together (AMB-50)."""
    close = timedelta(seconds=scaled_window(state, options_of(state).war_delay_seconds))
    by_gods = one.kind is WarKind.GOD and other.kind is WarKind.GOD
    return by_gods and one.defender == other.defender and abs(one.declared_at - other.declared_at) <= close


class SetWarSplit(Enumerable[State]):
    """Say how the race with several enemies splits its strength among them; without a word the option does."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-16", "G2-AMB-15")

    group: UUID
    """The combined war."""
    strengths: tuple[StrengthOf, ...] = Field(max_length=50)
    """For each enemy a part; together the whole strength."""

    def decide(self, state: State, ctx: Context) -> Steps:
        wars = group_of(state, self.group)
        for war in wars:
            open_war(state, war.id)
        enemy = common_enemy(wars)
        if enemy is None:
            raise Refused("war.unlike", "Nothing is split: one war is left of these.", rules=("G2-WAR-16",))
        if sorted(s.race for s in self.strengths) != sorted(enemy_of(w, enemy) for w in wars):
            raise Refused("war.side", "Name each enemy of this combined war once.", rules=("G2-WAR-16",))
        whole, given = strength(state, enemy), sum(s.strength for s in self.strengths)
        if given != whole:
            raise Refused(
                "split.sum",
                f"The parts add up to {given}; {state.races[enemy].name} have strength {whole}.",
                rules=("G2-WAR-16",),
                need=whole,
                have=given,
            )
        yield WarSplitSet(group=self.group, strengths=self.strengths)
        yield from record_war_answer(state, Asked.COMBINE, wars[0], '"split"')

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        groups = sorted({w.group for w in waiting(state) if w.group is not None})
        if not groups:
            raise Refused("war.missing", "No wars are combined.", rules=("G2-WAR-16",))
        for group in groups:
            if splits := _splits(state, group):
                yield LegalCommand(
                    cls.slug(), {"group": Choices((group,)), "strengths": Choices.of(splits)}, note=PARTS
                )


PARTS = "Any parts are good that add up to the strength; the form has even ones, and all against one enemy."


def _splits(state: State, group: UUID) -> list[list[dict[str, Any]]]:
    """Ways to split the strength of the race with several enemies: evenly, or all against one of them."""
    wars = [war for war in group_of(state, group) if war.status is WarStatus.DECLARED]
    enemy = common_enemy(wars)
    if enemy is None:
        return []
    enemies, whole = sorted(enemy_of(war, enemy) for war in wars), strength(state, enemy)
    each, rest = divmod(whole, len(enemies))
    even = [each + (place < rest) for place in range(len(enemies))]
    ones = [[whole if place == one else 0 for place in range(len(enemies))] for one in range(len(enemies))]
    rows = [even, *ones]
    return [[{"race": r, "strength": n} for r, n in zip(enemies, row, strict=True)] for row in rows if whole >= 0]


def group_of(state: State, group: UUID) -> list[War]:
    """The wars of a group that are still to be fought. Raises `war.missing`, `war.closed`."""
    wars = [w for w in state.wars.values() if w.group == group]
    if not wars:
        raise Refused("war.missing", "There is no such combined war in this game.", rules=("G2-WAR-15",))
    left = [w for w in wars if w.status is WarStatus.DECLARED]
    if not left:
        raise Refused("war.closed", "This combined war is over.", rules=("G2-WAR-16",))
    return sorted(left, key=declaration)
