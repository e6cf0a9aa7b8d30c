"""What game-masters answer inside a turn: what threatens, whether artifacts help, where new Ruins lie (FB-GM-2)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import NOT_BLANK, Case, Choices, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import close
from games.forgeborn.rules.conflict.deeds import enter_ruins
from games.forgeborn.rules.conflict.events import DangerDescribed
from games.forgeborn.rules.conflict.pool import MOST_HELPING
from games.forgeborn.rules.conflict.rules import answerable, go_on_after_description, rule_artifacts
from games.forgeborn.rules.state.constants import MOST_TEXT, RUINS_SIDES
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Text
from games.forgeborn.rules.state.sheet import Point
from games.forgeborn.rules.state.state import State

MASTER = frozenset({Issuer.GM})


class DescribeDanger(Enumerable[State]):
    """Say what the character meets; no description changes a number."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7", "FB-GM-1", "FB-GM-2")

    text: Text
    """What threatens."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        yield DangerDescribed(text=self.text)
        yield from close(state, prompt.id, "described")
        yield from go_on_after_description(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug(), {"text": FreeText(high=MOST_TEXT)})


class RuleArtifacts(Enumerable[State]):
    """Say which of the named artifacts do not help, with the reason; an empty list lets all of them help."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("FB-CON-2", "FB-CON-7", "FB-AMB-32")

    refused: Annotated[tuple[UUID, ...], Field(max_length=MOST_HELPING)] = ()
    """Artifacts of the pool."""
    reason: Text = ""
    """Why they do not help."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        answerable(state, ctx.actor, type(self))
        named = self._named(state)
        unknown = next((artifact for artifact in self.refused if artifact not in named), None)
        if unknown is not None:
            raise Refused(
                "artifact.not_in_pool",
                "This artifact is not in the pool; refuse one of those that are.",
                rules=("FB-CON-7",),
                artifact=unknown,
                named=named,
            )
        if self.refused and not self.reason.strip():
            raise Refused(
                "reason.missing", "Say why the artifacts do not help.", rules=("FB-CON-7",), refused=list(self.refused)
            )
        yield from rule_artifacts(state, ctx, tuple(dict.fromkeys(self.refused)), self.reason)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        refused = ListOf(Choices.of(cls._named(state)), high=len(cls._named(state)))
        said = Case(
            {"refused": ListOf.between(1, None)}, {"reason": FreeText(low=1, pattern=NOT_BLANK)}, required=("reason",)
        )
        yield LegalCommand(cls.slug(), {"refused": refused, "reason": FreeText(high=MOST_TEXT)}, cases=(said,))

    @staticmethod
    def _named(state: State) -> list[UUID]:
        return [each.artifact for each in state.pools[state.require_action().id].artifacts]


class PlaceRuins(Enumerable[State]):
    """Enter where the d8 of new Ruins has fallen at a real table; it may lie close to others."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("FB-RUI-2", "FB-GM-2")

    face: int
    """What the die shows, 1 to 8."""
    x: int
    """Whole units from the left edge of the sheet."""
    y: int
    """Whole units from its upper edge."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        events = enter_ruins(state, ctx, self.face, Point(self.x, self.y))
        yield next(events)  # refused before anything has happened
        yield from close(state, prompt.id, "placed")
        yield from events

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        options = options_of(state)
        domains = {"face": Range(1, RUINS_SIDES), "x": Range(0, options.width - 1), "y": Range(0, options.height - 1)}
        yield LegalCommand(cls.slug(), domains)
