"""When wars are fought (G2-WAR-1): at their time, at a GM's word, and all that are left when the Activity Phase ends.

How a war is fought stands in `games.gods2.rules.war.rules`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM_READER
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Domain, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.prompts.prompt import PromptAnswered
from games.engine.timer import clear_timer
from games.gods2.rules.casting.prompts import check_idle, questions
from games.gods2.rules.geometry.stats import diplomacy_by_nature
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import DiplomacyPolicy, Phase, War, WarPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.war.declarations import (
    WarHastened,
    WarHeld,
    fight_timer,
    fighting_order,
    name_of,
    waiting,
    war_key,
)
from games.gods2.rules.war.forecast import forecast_of, forecast_sentence
from games.gods2.rules.war.gm_prompts import record_war_answer, war_questions
from games.gods2.rules.war.groups import combined_wars
from games.gods2.rules.war.preview import KIND, finish_wars, preview_for, show_or_fight
from games.gods2.rules.war.rules import fight, open_fighting

LONGEST_HOLD = 600  # seconds in all (section 12.1)

POLICIES = {
    DiplomacyPolicy.TRY: "will try diplomacy",
    DiplomacyPolicy.REFRAIN: "will refrain from diplomacy",
    DiplomacyPolicy.AUTO: "will judge by themselves whether to try diplomacy",
}


class DiplomacySet(ForGm[State]):
    """A GM has said what a side does about diplomacy."""

    rules: ClassVar[tuple[str, ...]] = ("G2-DIP-2",)

    war: UUID
    race: UUID
    policy: DiplomacyPolicy

    def apply(self, state: State) -> None:
        state.policies[self.war, self.race] = WarPolicy(self.war, self.race, self.policy)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)}: {state.races[self.race].name} {POLICIES[self.policy]}."


class FightWar(Command[State]):
    """Fight a war that has come due, and those that wait with it: gods' wars first."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        if questions(state):  # it is overdue, keeps its place, and is fought when the casting is finished
            return
        together = [w for w in waiting(state) if w.id == self.war or (w.due is not None and w.due <= ctx.now)]
        yield from begin_wars(state, ctx, together)


def begin_wars(state: State, ctx: Context, wars: list[War]) -> Iterator[Event]:
    """Fight these wars in the order of those that wait together; one that an earlier war ended is left out.

    Wars that are combined are fought at the place of the first of them. Where the setting says so each is shown to the
    GMs before its losses happen.
    """
    for war in fighting_order(wars):
        if state.wars[war.id].status is WarStatus.DECLARED and preview_for(state, state.wars[war.id]) is None:
            together = combined_wars(state, state.wars[war.id])
            for each in together:
                yield from clear_timer(state, war_key(each.id))
            pairs = yield from open_fighting(state, ctx, war.id)
            yield from show_or_fight(state, ctx, pairs, [pair.war for pair in pairs])


def fight_wars(state: State, ctx: Context, wars: list[War]) -> Iterator[Event]:
    """Fight these wars to their end, in the same order, without showing them; those that were shown come first."""
    for preview in sorted((p for p in state.previews.values() if p.kind == KIND), key=lambda p: p.id):
        yield from finish_wars(state, ctx, preview)
    for war in fighting_order(wars):
        yield from clear_timer(state, war_key(war.id))
        if state.wars[war.id].status is WarStatus.DECLARED:
            yield from fight(state, ctx, war.id)


def open_war(state: State, war: UUID) -> War:
    """A war that is still to be fought. Raises `war.missing`, `war.closed`."""
    if war not in state.wars:
        raise Refused("war.missing", "There is no such war in this game.", rules=("G2-WAR-1",))
    found = state.wars[war]
    if found.status is not WarStatus.DECLARED:
        raise Refused("war.closed", f"{name_of(state, war)} is over ({found.status}).", rules=("G2-WAR-1",))
    if preview_for(state, found) is not None:
        raise Refused("war.closed", f"{name_of(state, war)} is being fought.", rules=("G2-WAR-1",))
    return found


class HoldWar(Enumerable[State]):
    """Put a war off, by ten minutes in all at most; it is fought at the end of the Activity Phase at the latest."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    """The war that waits."""
    seconds: int = Field(ge=1)
    """How much later; 600 in all at most."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        war, end = open_war(state, self.war), state.era.activity_ends_at
        state.require(Phase.OPEN)
        if war.due is None or end is None:
            raise Refused("war.closed", f"{name_of(state, war.id)} has no time yet.", rules=("G2-WAR-1",))
        together = combined_wars(state, war)
        held = max(each.held for each in together)
        if self.seconds > LONGEST_HOLD - held or self.seconds > (end - war.due).total_seconds():
            raise Refused(
                "war.held",
                f"{name_of(state, war.id)} was held for {held} s; {LONGEST_HOLD} s in all are allowed, "
                f"and none after {end:%H:%M:%S} UTC.",
                rules=("G2-WAR-1",),
                held=held,
                seconds=self.seconds,
            )
        due = war.due + timedelta(seconds=self.seconds)
        for each in together:
            yield WarHeld(war=each.id, due=due)
            yield fight_timer(each.id, due)
        yield from record_war_answer(state, Asked.TIME, war, json.dumps({"held": self.seconds}))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.OPEN)
        end = state.era.activity_ends_at
        for legal in _on_a_war(cls, state, {}):
            for war in (state.wars[each] for each in legal.choices("war")):
                most = LONGEST_HOLD - max(each.held for each in combined_wars(state, war))
                if war.due is not None and end is not None:
                    most = min(most, int((end - war.due).total_seconds()))
                    seconds = Range(low=1, high=most)
                    late = Refused("war.held", "No time is left to hold it.", rules=("G2-WAR-1",))
                    barred = late if most < 1 else legal.barred
                    yield replace(legal, arguments={"war": Choices((war.id,)), "seconds": seconds}, barred=barred)
            if legal.barred:
                yield legal


class FightWarNow(Enumerable[State]):
    """Fight a war at once instead of at its time."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    ends_time: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    """The war that waits."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        open_war(state, self.war)
        state.require(Phase.OPEN)
        check_idle(state)
        yield from record_war_answer(state, Asked.TIME, state.wars[self.war], '"now"')
        yield WarHastened(war=self.war)
        yield from begin_wars(state, ctx, [state.wars[self.war]])

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.OPEN)
        check_idle(state)
        yield from _on_a_war(cls, state, {})


class SetDiplomacy(Enumerable[State]):
    """Say whether a side of a war tries diplomacy; without a word the rule judges for itself (G2-DIP-3)."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-DIP-2",)

    war: UUID
    """The war that waits."""
    race: UUID
    """One of its sides."""
    policy: DiplomacyPolicy
    """`try`, `refrain`, or `auto` for the rule's own judgement."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        war = open_war(state, self.war)
        if self.race not in (war.attacker, war.defender):
            raise Refused("war.side", f"This race is no side of {name_of(state, war.id)}.", rules=("G2-DIP-2",))
        forced = diplomacy_by_nature(state, self.race, role_of(war, self.race), war.id)
        if forced is not None and self.policy is (DiplomacyPolicy.REFRAIN if forced else DiplomacyPolicy.TRY):
            raise Refused(
                "policy.forced",
                f"{state.races[self.race].name} {'always try' if forced else 'never try'} diplomacy by their nature.",
                rules=("G2-DIP-2",),
            )
        yield DiplomacySet(war=self.war, race=self.race, policy=self.policy)
        policy = json.dumps({"race": str(self.race), "policy": self.policy.value})
        for asked in war_questions(state, self.war):
            if asked.kind == Asked.DIPLOMACY:
                yield PromptAnswered(prompt=asked.id, owner=GM_READER, answer=policy)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for war in fighting_order(waiting(state)):
            if preview_for(state, war) is not None:
                continue  # it is being fought
            sides = Choices.of((war.attacker, war.defender))
            note = forecast_sentence(state, forecast_of(state, war.attacker, war.defender, war.id))
            policies = Choices.of(p.value for p in DiplomacyPolicy)
            cases = tuple(Case({"race": Choices((r,))}, {"policy": _policies(state, war, r)}) for r in sides.values)
            yield LegalCommand(
                cls.slug(), {"war": Choices.of((war.id,)), "race": sides, "policy": policies}, note=note, cases=cases
            )


def _policies(state: State, war: War, race: UUID) -> Domain:
    """The policies that a side's nature leaves open."""
    forced = diplomacy_by_nature(state, race, role_of(war, race), war.id)
    closed = None if forced is None else DiplomacyPolicy.REFRAIN if forced else DiplomacyPolicy.TRY
    return Choices.of(policy.value for policy in DiplomacyPolicy if policy is not closed)


def role_of(war: War, race: UUID) -> str:
    """The role of one of a war's sides."""
    return "attacker" if race == war.attacker else "defender"


def _on_a_war(command: type[Enumerable], state: State, more: dict[str, Domain]) -> Iterator[LegalCommand]:
    wars = Choices.of(w.id for w in fighting_order(waiting(state)) if preview_for(state, w) is None)
    if wars.values:
        yield LegalCommand(command.slug(), {"war": wars, **more})
    else:
        yield LegalCommand(
            command.slug(), barred=Refused("war.missing", "No war waits to be fought.", rules=("G2-WAR-1",))
        )
