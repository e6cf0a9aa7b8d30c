"""The plan of the sessions (G2-TIME-2)."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.model import IN_ORDER
from games.gods2.rules.calendar.events import SessionsPlanned
from games.gods2.rules.state.options import CENTURIES, LONGEST_MINUTES, SHORTEST_MINUTES
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State


class PlanSessions(Enumerable[State]):
    """Spread the 16 centuries over sessions and say how long a century is; sessions that were held stay."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.HOST, Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    plan: tuple[int, ...] = Field(min_length=1, max_length=CENTURIES, json_schema_extra=IN_ORDER)
    """Centuries of each session, 16 in all."""
    minutes: int | None = None
    """Length of a century, 15 to 45; as it is when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_planning(state, ctx.actor)
        era = state.era
        if sum(self.plan) != CENTURIES or min(self.plan) < 1:
            raise Refused(
                "plan.invalid",
                f"A plan has {CENTURIES} centuries, this one {sum(self.plan)}; each session has one at least.",
                rules=("G2-TIME-2",),
                sum=sum(self.plan),
            )
        if self.plan[: era.session] != era.plan[: era.session]:
            held = ", ".join(map(str, era.plan[: era.session]))
            raise Refused("plan.invalid", f"Past sessions stay as they were: {held}.", rules=("G2-TIME-2",))
        if self.minutes is not None and not SHORTEST_MINUTES <= self.minutes <= LONGEST_MINUTES:
            raise Refused(
                "century.length",
                f"A century has {SHORTEST_MINUTES} to {LONGEST_MINUTES} minutes.",
                rules=("G2-TIME-2",),
                minutes=self.minutes,
            )
        seconds = self.minutes * 60 if self.minutes is not None else era.century_seconds
        yield SessionsPlanned(plan=self.plan, minutes=seconds // 60, seconds=seconds)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_planning(state, actor)
        yield LegalCommand(
            cls.slug(), {"plan": _plans(state), "minutes": Range(low=SHORTEST_MINUTES, high=LONGEST_MINUTES)}
        )


def _plans(state: State) -> Domain:
    """Plans to choose from: after the sessions that were held all centuries that are left in 1 to 16 even ones."""
    held = state.era.plan[: state.era.session]
    left = CENTURIES - sum(held)
    plans = [(*held, *_even(left, sessions)) for sessions in range(1, left + 1)] or [held]
    return Choices.of(list(plan) for plan in plans)


def _even(centuries: int, sessions: int) -> list[int]:
    """So many centuries in so many sessions, the longer ones first."""
    each, more = divmod(centuries, sessions)
    return [each + 1] * more + [each] * (sessions - more)


def require_planning(state: State, actor: Actor) -> None:
    """Refuse unless a host or GM plans in SETUP, or a GM between two sessions."""
    state.require(*((Phase.SETUP, Phase.TRANSITION) if actor.is_gm else (Phase.SETUP,)))
