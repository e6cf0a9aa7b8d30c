"""Casualties placed by hand, while the preview of a war is shown (G2-WAR-8)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.gods2.rules.declarations.events import KIND, CasualtiesSet, name_of
from games.gods2.rules.geometry.adjacency import units_by_square
from games.gods2.rules.gm_previews.rules import preview_of, record_answer
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, Place, places
from games.gods2.rules.war.battle import outcome
from games.gods2.rules.war.gm_plan import plan_by_hand
from games.gods2.rules.war.preview import fight_as_placed, pairs_of
from games.gods2.rules.war.rules import Pair

Steps = Iterator[Event]


class SetCasualties(Enumerable[State]):
    """Place the deaths, the vacated squares and the movements of a war yourself, in the numbers of the preview.

    Its legal entry is `partial`: how many die, leave and go where follows from all of them together.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-3", "G2-WAR-6", "G2-WAR-12")

    prompt: UUID
    """The preview's question."""
    losses: tuple[Held, ...] = Field(default=(), max_length=1000)
    """Units that die, by square, of both sides."""
    squares: tuple[Place, ...] = Field(default=(), max_length=1000)
    """The squares that the loser vacates."""
    moves: tuple[Move, ...] = Field(default=(), max_length=1000)
    """Who retreats where, and who moves in."""
    text: str = Field(default="", max_length=2000)
    """Why, for the other GMs."""

    def decide(self, state: State, ctx: Context) -> Steps:
        preview = preview_of(state, self.prompt)
        if preview.kind != KIND:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        pair = pairs_of(preview)[0]
        expected = outcome(state, pair.attacker, pair.defender)
        plan = plan_by_hand(state, expected, self.losses, self.squares, self.moves)
        yield from record_answer(state, ctx, self.prompt, self.model_dump_json())
        yield CasualtiesSet(
            prompt=self.prompt,
            war=pair.war,
            losses=self.losses,
            squares=self.squares,
            moves=self.moves,
            reason=self.text,
        )
        yield from fight_as_placed(state, ctx, preview, plan)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        shown = [p for p in sorted(state.previews.values(), key=lambda p: p.id) if p.kind == KIND]
        if not shown:
            raise Refused("prompt.closed", "No war is shown to you beforehand now.", rules=("G2-WAR-8",))
        for preview in shown:
            domains = {"prompt": Choices.of((preview.id,)), **_domains(state, pairs_of(preview)[0])}
            yield LegalCommand(cls.slug(), domains, note=name_of(state, preview.subject), partial=True)


def _domains(state: State, pair: Pair) -> dict[str, Domain]:
    """Where units of both sides may die, what may be vacated, who may go from where, and words.

    Squares are listed as far as a list goes; of larger peoples any square may be named.
    """
    standing = (*units_by_square(state, pair.attacker.race), *units_by_square(state, pair.defender.race))
    listed = Choices.of(place.model_dump() for place in places(standing))
    own: Domain = Fields({}) if listed.more else listed
    return {
        "losses": ListOf(Fields({"square": own, "units": Range(1)}), unique=False),
        "squares": ListOf(own),
        "moves": ListOf(Fields({"from_square": own, "units": Range(1)}), unique=False),
        "text": FreeText(),
    }
