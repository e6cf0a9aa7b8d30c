"""A war is fought, put off, hastened, its diplomacy set: by the clock, and by game-masters (G2-WAR-1, G2-DIP-2)."""

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
from games.gods2.rules.declarations.events import DiplomacySet, WarHastened, WarHeld, name_of, waiting
from games.gods2.rules.declarations.gm_prompts import record_war_answer, war_questions
from games.gods2.rules.declarations.groups import combined_wars
from games.gods2.rules.declarations.rules import fight_timer, fighting_order
from games.gods2.rules.geometry.stats import diplomacy_by_nature
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import DiplomacyPolicy, Phase, War
from games.gods2.rules.state.state import State
from games.gods2.rules.war.forecast import forecast_of, forecast_sentence
from games.gods2.rules.war.preview import preview_for
from games.gods2.rules.war.schedule import begin_wars, open_war, role_of
from games.gods2.rules.window.prompts import check_idle, questions

LONGEST_HOLD = 600  # seconds in all (section 12.1)


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


def _on_a_war(command: type[Enumerable], state: State, more: dict[str, Domain]) -> Iterator[LegalCommand]:
    wars = Choices.of(w.id for w in fighting_order(waiting(state)) if preview_for(state, w) is None)
    if wars.values:
        yield LegalCommand(command.slug(), {"war": wars, **more})
    else:
        yield LegalCommand(
            command.slug(), barred=Refused("war.missing", "No war waits to be fought.", rules=("G2-WAR-1",))
        )
