"""The preview of a war (setting `previews`): who would die where, what would be vacated, who would go where.

A GM may place deaths, squares and movements otherwise, in the same numbers (G2-WAR-3, 6, 12). Of wars that are fought
together each is shown when its turn comes. Those left when the Activity Phase ends are fought without a preview.
"""

import json
from collections.abc import Iterator, Sequence
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, Domain, Fields, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import close, lapse_event
from games.engine.prompts.questions import ask_row, close_question
from games.engine.wording import quantity
from games.gods2.rules.geometry.adjacency import units_by_square
from games.gods2.rules.gm_previews import PreviewClosed, preview_of, record_answer
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import War, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Fighter, Held, Move, PairOf, Place, held_units, moves, places
from games.gods2.rules.war.battle import Footing, outcome
from games.gods2.rules.war.declarations import name_of
from games.gods2.rules.war.forecast import Plan, plan_of
from games.gods2.rules.war.gm_plan import plan_by_hand
from games.gods2.rules.war.rules import Pair, battle, conclude_wars

Steps = Iterator[Event]
KIND = "war"


class CasualtiesPreviewed(ForGm[State]):
    """What a war would do by the rules."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-8", "G2-WAR-9", "G2-WAR-10", "G2-WAR-12")

    prompt: UUID
    war: UUID
    losses: tuple[Held, ...]
    """Of both sides."""
    squares: tuple[Place, ...]
    """Those that the loser vacates."""
    moves: tuple[Move, ...]
    """The retreat, then the winner's moving in."""
    pairs: tuple[PairOf, ...]
    """This war and those that are fought together with it and come later, with their numbers."""
    wars: tuple[UUID, ...]
    """All that are fought together."""

    def apply(self, state: State) -> None:
        plan = {"pairs": [p.model_dump(mode="json") for p in self.pairs], "wars": [str(w) for w in self.wars]}
        state.previews[self.prompt] = Preview(self.prompt, KIND, self.war, json.dumps(plan))

    def sentence(self, state: State) -> str:
        deaths = quantity(sum(h.units for h in self.losses), "unit")
        squares = quantity(len(self.squares), "square")
        return f"{name_of(state, self.war)} would kill {deaths} and vacate {squares}."


class CasualtiesSet(ForGm[State]):
    """A GM has placed the losses of a war."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-8", "G2-WAR-9")

    prompt: UUID
    war: UUID
    losses: tuple[Held, ...]
    squares: tuple[Place, ...]
    moves: tuple[Move, ...]
    reason: str

    def sentence(self, state: State) -> str:
        return f"The GM places the losses of {name_of(state, self.war)}. {self.reason}".strip()


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


def pairs_of(preview: Preview) -> list[Pair]:
    """The wars of a preview that are still to be fought, with their numbers."""
    read = [PairOf.model_validate(raw) for raw in json.loads(preview.plan)["pairs"]]
    return [Pair(p.war, _footing(p.attacker), _footing(p.defender)) for p in read]


def wars_of(preview: Preview) -> list[UUID]:
    """All wars that are fought together with the one of a preview, itself among them."""
    return [UUID(war) for war in json.loads(preview.plan)["wars"]]


def _footing(fighter: Fighter) -> Footing:
    return Footing(fighter.race, fighter.strength, fighter.military)


def preview_for(state: State, war: War) -> Preview | None:
    """The preview on which a war waits: it is being fought."""
    shown = (p for p in state.previews.values() if p.kind == KIND)
    return next((p for p in shown if war.id in wars_of(p)), None)


def show_or_fight(state: State, ctx: Context, pairs: Sequence[Pair], wars: Sequence[UUID]) -> Steps:
    """Show the next war to the GMs where the setting says so, else fight all; then what follows from them."""
    standing = [pair for pair in pairs if state.wars[pair.war].status is WarStatus.DECLARED]
    if standing and options_of(state).previews:
        yield from _show_war(state, ctx, standing, wars)
        return
    for pair in standing:
        yield from battle(state, ctx, pair)
    yield from conclude_wars(state, ctx, wars)


def _show_war(state: State, ctx: Context, pairs: Sequence[Pair], wars: Sequence[UUID]) -> Steps:
    pair, prompt = pairs[0], ctx.mint(GM)
    plan = plan_of(state, outcome(state, pair.attacker, pair.defender))
    yield CasualtiesPreviewed(
        prompt=prompt,
        war=pair.war,
        losses=tuple(h for side in plan.dead.values() for h in held_units(side)),
        squares=places(plan.gone),
        moves=(*moves(plan.ways), *moves(plan.taking)),
        pairs=tuple(_pair_shown(pair) for pair in pairs),
        wars=tuple(wars),
    )
    yield from ask_row(state, ctx, Asked.BATTLE, pair.war, prompt=prompt, war=name_of(state, pair.war))


def _pair_shown(pair: Pair) -> PairOf:
    one, other = (
        Fighter(race=f.race, strength=f.strength, military=f.military) for f in (pair.attacker, pair.defender)
    )
    return PairOf(war=pair.war, attacker=one, defender=other)


def fight_by_the_rules(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Steps:
    """Nobody places the losses of a war, or a GM lets the rules place them: it is fought."""
    yield from close_question(state, Asked.BATTLE, "deadline", prompt.subject)
    yield from fight_as_placed(state, ctx, state.previews[prompt.id])


def fight_as_placed(state: State, ctx: Context, preview: Preview, plan: Plan | None = None) -> Steps:
    """What was shown happens, as the rules or a GM place it; then the next war of those fought together is shown."""
    pair, *rest = pairs_of(preview)
    yield PreviewClosed(prompt=preview.id)
    yield from battle(state, ctx, pair, plan)
    yield from show_or_fight(state, ctx, rest, wars_of(preview))


def finish_wars(state: State, ctx: Context, preview: Preview) -> Steps:
    """The Activity Phase ends: what was shown, and all that is fought with it, happens by the rules."""
    yield lapse_event(state, preview.id)
    yield from close(state, preview.id, "deadline")
    yield PreviewClosed(prompt=preview.id)
    for pair in pairs_of(preview):
        yield from battle(state, ctx, pair)
    yield from conclude_wars(state, ctx, wars_of(preview))
