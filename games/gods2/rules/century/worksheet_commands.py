"""The worksheet of a century, corrected and approved by the game-masters (G2-CALC-*)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.gods2.rules.century.calculation import pay_mana
from games.gods2.rules.century.worksheet_events import (
    WorksheetApproved,
    WorksheetCorrected,
)
from games.gods2.rules.pantheon.expulsions import check_expulsions
from games.gods2.rules.state.names import line_name
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import stand_name

Text = Annotated[str, Field(max_length=2000)]


def require_reckoning(state: State) -> None:
    """Refuse (`worksheet.closed`, `clock.paused`) while no worksheet is open."""
    if state.era.phase is not Phase.RECKONING:
        now = stand_name(state.era.phase, state.era.century)
        raise Refused(
            "worksheet.closed",
            f"No worksheet is open: {now}. A GM corrects by amendments what is paid.",
            rules=("G2-CALC-2",),
        )
    state.require(Phase.RECKONING)


class CorrectWorksheet(Enumerable[State]):
    """Correct a count of the worksheet before mana is paid for it."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    line: str = Field(min_length=1, max_length=120)
    """The line, as it is listed: deaths in a box, a mana source, the worshippers of a race."""
    count: int
    """What it should say."""
    text: Text = ""
    """Why."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_reckoning(state)
        kind, _, key = self.line.partition(":")
        line = state.lines.get((kind, key))
        if line is None:
            raise Refused(
                "line.missing", f"The worksheet has no line for {line_name(state, self.line)}.", rules=("G2-CALC-2",)
            )
        if self.count < 0:
            raise Refused("count.invalid", "A count is 0 or more.", rules=("G2-CALC-2",), count=self.count)
        yield WorksheetCorrected(
            century=state.era.century, line=self.line, before=line.count, count=self.count, reason=self.text
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_reckoning(state)
        keys = (f"{kind}:{key}" for kind, key in sorted(state.lines))
        lines = Choices.with_titles({key: line_name(state, key) for key in keys})
        yield LegalCommand(cls.slug(), {"line": lines, "count": Range(low=0), "text": FreeText()})


class ApproveWorksheet(Enumerable[State]):
    """Approve the worksheet: mana is paid at once instead of at the century's end."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_reckoning(state)
        check_expulsions(state)
        yield WorksheetApproved(century=state.era.century)
        yield from pay_mana(state)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_reckoning(state)
        check_expulsions(state)
        yield LegalCommand(cls.slug())
