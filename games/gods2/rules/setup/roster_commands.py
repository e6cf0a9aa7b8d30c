"""What a GM notes about gods: their cards, whether they live, who is absent (section 12.1; AMB-48, G2-MANA-1)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.domains import Choices, Domain, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.phases import closed_phase
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.effects.turmoil import settle_faith
from games.gods2.rules.pantheon.events import PantheonChanged, drop_draft
from games.gods2.rules.setup.events import AbsenceMarked, CardsSet, GodMarked
from games.gods2.rules.setup.sphere_cards import cards_domain, check_cards
from games.gods2.rules.state.records import ATHEISM, God, GodStatus, Phase
from games.gods2.rules.state.shares import share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf
from games.gods2.rules.state.wording import stand_name


class NoteCommand(Enumerable[State], abstract=True):
    """A note about a god, by a GM."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})

    seat: UUID
    """The god's seat."""

    def god(self, state: State) -> God:
        """The god who is meant. Raises `seat.missing`."""
        if self.seat not in state.gods:
            raise Refused("seat.missing", "No god sits there.")
        return state.gods[self.seat]

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        if not state.gods:
            raise Refused("god.missing", "No seat plays a god yet.", rules=("G2-SET-1",))
        yield LegalCommand(cls.slug(), {"seat": Choices.of(cls.seats(state)), **cls.note_domains(state)})

    @classmethod
    def seats(cls, state: State) -> list[UUID]:
        """Of whom something may be noted."""
        return sorted(state.gods)

    @classmethod
    def note_domains(cls, state: State) -> dict[str, Domain]:
        """What may be noted."""
        return {}


class SetCards(NoteCommand):
    """Set the sphere cards of a god before the game or between two sessions; the factors follow at the next session."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-1",)

    cards: tuple[CardOf, ...] = Field(max_length=40)
    """All cards of the god."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = self.god(state)
        state.require(Phase.SETUP, Phase.TRANSITION)
        check_cards(state, self.cards)
        yield CardsSet(seat=god.id, cards=self.cards)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.SETUP, Phase.TRANSITION)
        yield from super().legal_commands(state, actor)

    @classmethod
    def note_domains(cls, state: State) -> dict[str, Domain]:
        return {"cards": cards_domain(state)}


class MarkGod(NoteCommand):
    """Say that a god lives, is killed, or obliterated; the shares of an obliterated god become atheism."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AMB-48",)

    status: GodStatus
    """`alive`, `killed` or `obliterated`."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = self.god(state)
        if self.status is GodStatus.OBLITERATED and state.era.phase is Phase.RECKONING:
            raise closed_phase(
                stand_name(state.era.phase, state.era.century),
                ("once the worksheet is approved",),
                step=state.step,
                over=False,
                rules=("G2-CALC-3",),
                instead="Approve it first: shares count as they stood when the Activity Phase ended.",
            )
        yield GodMarked(seat=god.id, status=self.status)
        if self.status is GodStatus.OBLITERATED:
            yield from run_and_settle(state, ctx, self._forsaken(state, str(god.id)), "pantheon")

    @classmethod
    def note_domains(cls, state: State) -> dict[str, Domain]:
        counting = state.era.phase is Phase.RECKONING
        return {"status": Choices.of(s.value for s in GodStatus if not counting or s is not GodStatus.OBLITERATED)}

    @staticmethod
    def _forsaken(state: State, member: str) -> Iterator[Event]:
        for race in sorted(r for r, m in state.shares if m == member):
            shares = state.pantheon(race)
            shares[ATHEISM] = shares.get(ATHEISM, 0) + shares.pop(member)
            yield PantheonChanged(race=race, pantheon=share_list(shares), cause="obliterated")
            yield from settle_faith(state, race)
            for order in sorted(o.id for o in state.orders.values() if o.race == race and not o.deferred):
                yield from drop_draft(state, order)


class MarkAbsent(NoteCommand):
    """Say that a player is away, or back; who is away casts nothing."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-2",)

    absent: bool
    """Whether the player is away."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat(self.seat)
        if seat.role is not Role.PLAYER:
            raise Refused("seat.missing", f"{seat.name} is no player's seat.")
        yield AbsenceMarked(seat=seat.id, absent=self.absent)

    @classmethod
    def seats(cls, state: State) -> list[UUID]:
        return [seat.id for seat in state.seats_of(Role.PLAYER)]

    @classmethod
    def note_domains(cls, state: State) -> dict[str, Domain]:
        return {"absent": Flag()}
