"""The commands of a war: stand in, commit armies, attack again, stop (DW-WAR-4, DW-WAR-8, DW-WAR-9)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.command.arguments import MOST_ARMIES
from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import Step, WarSide
from games.dawn.rules.state.state import State
from games.dawn.rules.war.battles import defenders_of, remaining_attackers, remaining_defenders, side_of
from games.dawn.rules.war.forecast import Side, forecast_battle
from games.dawn.rules.war.rules import attack_again, commit, stood_in, stop_war
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, Domain, ListOf
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import innermost, owner_for
from games.engine.prompts.questions import questions_answered_by


class Warring(Enumerable[State], abstract=True):
    """What the commands of a war have in common: they answer one question of it."""

    war: UUID
    """The war."""

    @classmethod
    def question_for(cls, state: State, war: UUID) -> Prompt:
        """The question of a war that this command answers. Raises `prompt.closed`."""
        found = next((p for p in questions_answered_by(state, cls) if p.subject == war), None)
        if found is None:
            raise Refused(
                "prompt.closed", "This is not asked in this war now; look what it waits for.", rules=("DW-ASK-1",)
            )
        return found

    def answering(self, state: State, actor: Actor) -> tuple[War, Prompt, UUID]:
        """The war, the question, and whose answer it is. Raises `prompt.closed`, `prompt.not_yours`, `prompt.open`."""
        state.require(Step.TURN)
        prompt = self.question_for(state, self.war)
        owner = owner_for(state, prompt, actor)
        if not innermost(state, prompt):
            raise Refused("prompt.open", "An inner question is still open; it comes first.", rules=("DW-ASK-1",))
        return state.wars[self.war], prompt, UUID(owner.removeprefix("seat:"))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        seat = state.acting(actor).id
        for war in state.wars.values():
            prompt = cls.question_for(state, war.id)
            owner_for(state, prompt, actor)
            if not innermost(state, prompt):
                raise Refused("prompt.open", "An inner question is still open; it comes first.", rules=("DW-ASK-1",))
            domains = cls.domains(state, war, seat)
            yield LegalCommand(cls.slug(), {"war": Choices.of((war.id,)), **domains}, required=tuple(domains))
            return
        raise Refused("prompt.closed", "No war is being fought.", rules=("DW-ASK-1",))

    @classmethod
    def domains(cls, state: State, war: War, seat: UUID) -> dict[str, Domain]:
        """What the other arguments may be."""
        return {}


class StandIn(Warring):
    """Let an avatar of yours who resides in a city without army fight for it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-8",)

    avatar: UUID
    """The avatar, who dies on defeat while the city stands for now."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        war = state.wars.get(self.war)
        if war is not None and remaining_defenders(state, war):
            raise Refused("army.present", "The city has an army; no avatar stands in.", rules=("DW-WAR-8",))
        war, prompt, seat = self.answering(state, ctx.actor)
        if self.avatar not in able(state, war, seat):
            raise Refused(
                "presence.missing",
                "No avatar of yours of this name resides in the city; name one who does, or waive.",
                rules=("DW-WAR-8", "DW-AVA-7"),
            )
        yield from stood_in(state, prompt, seat, self.avatar)

    @classmethod
    def domains(cls, state: State, war: War, seat: UUID) -> dict[str, Domain]:
        return {"avatar": Choices.of(able(state, war, seat))}


def able(state: State, war: War, seat: UUID) -> list[UUID]:
    """The avatars of a god who may stand in."""
    return [avatar.id for avatar in defenders_of(state, war) if avatar.owner == seat]


class WaiveStandIn(Warring):
    """Let no avatar of yours stand in."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-8",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _, prompt, seat = self.answering(state, ctx.actor)
        yield from stood_in(state, prompt, seat, None)


class CommitArmies(Warring, Forecastable[State]):
    """Choose in secret which of your armies fight this battle; you may think again until both sides are in."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    armies: tuple[UUID, ...] = Field(default=(), max_length=MOST_ARMIES)
    """The armies; or the attacking avatar, if alone. The attacker retreats with none, the defender needs one."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        war, prompt, seat = self.answering(state, ctx.actor)
        self.check(state, war, seat)
        yield from commit(state, ctx, prompt, seat, self.armies)

    def check(self, state: State, war: War, seat: UUID) -> None:
        """Refuse what this side cannot commit: `army.foreign`, `commit.range`."""
        there = present(state, war, seat)
        if any(army in state.armies and _controller(state, army) != seat for army in self.armies):
            raise Refused("army.foreign", "An army that is named is another god's.", rules=("DW-WAR-12",))
        if not set(self.armies) <= set(there) or len(set(self.armies)) < len(self.armies):
            raise Refused(
                "commit.range",
                "Commit armies that are there, each once.",
                rules=("DW-WAR-4",),
                armies=[str(army) for army in there],
            )
        if not self.armies and side_of(war, seat) is WarSide.DEFENDER:
            raise Refused("commit.range", "A city that has armies commits one at least.", rules=("DW-WAR-4",))

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """The odds of the battle with these armies, against each number that the other side may commit."""
        war, _, seat = self.answering(state, actor)
        self.check(state, war, seat)
        side = side_of(war, seat)
        return forecast_battle(state, war, Side(side, self.armies))

    @classmethod
    def domains(cls, state: State, war: War, seat: UUID) -> dict[str, Domain]:
        least = 1 if side_of(war, seat) is WarSide.DEFENDER else 0
        return {"armies": ListOf(Choices.of(present(state, war, seat)), low=least)}


def present(state: State, war: War, seat: UUID) -> tuple[UUID, ...]:
    """What a side may commit: the march that is left, or the armies in the city."""
    return (
        remaining_attackers(state, war) if side_of(war, seat) is WarSide.ATTACKER else remaining_defenders(state, war)
    )


def _controller(state: State, army: UUID) -> UUID:
    return state.cities[state.armies[army].city].controller


class AttackAgain(Warring):
    """Go on: another battle with the armies that are left on the march."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-9",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        war, prompt, _ = self.answering(state, ctx.actor)
        if not remaining_attackers(state, war):
            raise Refused("army.missing", "Nobody is left on the march; stop the war.", rules=("DW-WAR-9",))
        yield from attack_again(state, prompt)


class StopWar(Warring):
    """Stop: your armies are at home."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-9",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _, prompt, _ = self.answering(state, ctx.actor)
        yield from stop_war(state, prompt)
