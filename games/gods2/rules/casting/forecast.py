"""What a power would do before it is paid: deaths, knowledges, cities, squares, modifications, wars, with their odds.

Worked out by the rules themselves on a copy of what the viewer sees, as if it were cast now and the wars it declares
were fought at once; so it needs no number at the Window. Cards and mana of partners are theirs to know: a casting with
others is forecast as if they had them. What a GM or a god has yet to decide is not guessed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import UUID

from games.engine.artifacts.events import ArtifactCreated
from games.engine.audience import readable
from games.engine.board.board import Square
from games.engine.dice import DiceSource, Tray
from games.engine.errors import Refused
from games.engine.insight.forecast import Amount, Forecast, Happened, enumerate_outcomes, prospects
from games.engine.kernel import Context, Event, apply_events
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.casting.events import Wish
from games.gods2.rules.casting.joint import Split, check_combinable, common, partners, payer_shares
from games.gods2.rules.casting.legal_casts import steps_of
from games.gods2.rules.casting.rules import Casting, carry_out_casting, check_level, check_purse, check_purses, power_of
from games.gods2.rules.cities.events import CityDestroyed, CityFounded, CityRaised, CivilizationLost, LevelChanged
from games.gods2.rules.declarations.events import WarCancelled, WarDeclared
from games.gods2.rules.effects.events import AttributeGained, FeatureRemoved, LimitsCut, TerrainChanged, UnitsAdded
from games.gods2.rules.growth.events import MigrationOrdered
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.pack.operations import Choose, Cult, Mana, WarForbid
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pantheon.turmoil_events import CultGrew, MemberExpelled, TurmoilEnded, TurmoilStarted
from games.gods2.rules.setup.events import FeatureAdded, RaceDefined
from games.gods2.rules.state.gods import cards_in, purse
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import Cards, God, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, PartOf, Place
from games.gods2.rules.units.events import UnitsDied, UnitsMoved, UnitsStarved
from games.gods2.rules.war.events import CityFell, SquaresTaken, SquaresVacated, UnitsRetreated, WarAverted, WarFought
from games.gods2.rules.war.rules import battle, conclude_wars, open_fighting
from games.gods2.rules.workings.events import ModificationAdded, ModificationEnded, ModificationFired

Steps = Iterator[Event]

Seen = tuple[str, UUID | None, str, int, tuple[Square, ...]]
WARS = 4  # so many declared wars are forecast to their end


def forecast_casting(
    state: State, ctx: Context, primary: God, wish: Wish, parts: Sequence[PartOf] = (), split: Split = "equal"
) -> Forecast:
    """What a casting would do. state: as the primary caster sees it. Raises what bars it, for any payer.

    What only the caster lacks (cards, mana) bars nothing here; it is reported in `barred`.
    """
    casters = partners(state, primary, parts)
    check_combinable(state, power_of(state, wish.power), casters)
    able = with_cards(state, casters, wish.power)
    casting = common(able, casters, wish)
    amount, power = casting.price.amount, casting.power
    shared = payer_shares(amount, parts or (PartOf(seat=primary.id),), split if parts else "equal")
    able = paying(able, shared)

    def play(dice: DiceSource) -> Happened:
        return _outcome_of(able.twin(), ctx, dice, casting, shared, primary.id)

    found, exact = enumerate_outcomes(play)
    return Forecast(
        price=amount,
        steps=steps_of(state, power, casting.price),
        exact=exact,
        cases=len(found),
        prospects=prospects(found),
        hidden=tuple(_unknowns(state, casting, casters)),
        barred=_unaffordable(state, power, casters, shared),
    )


def with_cards(state: State, casters: Sequence[God], key: str) -> State:
    """A copy in which the casters hold the cards that the power asks for, or more where it is known that they do."""
    able = state.twin()
    power = state.pack.powers.get(key)
    if power is not None and power.kind != "personal":
        for god in casters:
            held = max(power.level, cards_in(state, god.id, power.sphere))
            able.cards.load((god.id, power.sphere), Cards(god.id, power.sphere, held))
    return able


def paying(state: State, parts: Sequence[PartOf]) -> State:
    """The same state, in which everyone who is to pay can."""
    total = sum(part.amount for part in parts)
    for part in parts:
        state.purses.load(part.seat, replace(purse(state, part.seat), balance=total))
    state.pools.load(state.info.id, replace(state.pool, balance=total))
    return state


def _unaffordable(state: State, power: Power, casters: Sequence[God], parts: Sequence[PartOf]) -> Refused | None:
    """What the primary caster lacks, from what they see: cards and their own mana."""
    try:
        if len(casters) == 1:
            check_level(state, power, casters)
            check_purses(state, power, parts)
        else:
            check_purse(state, casters[0], parts[0].amount, power)
    except Refused as why:
        return why
    return None


def _outcome_of(
    state: State, ctx: Context, dice: DiceSource, casting: Casting, parts: Sequence[PartOf], seat: UUID
) -> Happened:
    """What happens when the dice fall like this, as far as the caster may read it."""
    inside = replace(ctx, tray=Tray(dice), heads={}, _minted={})
    happened = apply_events(state, _to_the_end(state, inside, casting, parts), inside)
    read = (h.event for h in happened if readable(h.audience, (seat,), gm=False))
    found: dict[tuple[str, UUID | None, str], Amount] = {}
    for what, race, key, amount, squares in chain.from_iterable(map(outcomes_of, read)):
        here = found.setdefault((what, race, key), Amount())
        here.amount += amount
        here.squares |= set(squares)
    return found


def _to_the_end(state: State, ctx: Context, casting: Casting, parts: Sequence[PartOf]) -> Steps:
    """The casting, then the wars that it declares, fought at once by the rules."""
    declared: list[UUID] = []
    for event in carry_out_casting(state, ctx, casting, parts):
        yield event
        if isinstance(event, WarDeclared):
            declared.append(event.war)
    if len(declared) > WARS:
        return
    for war in declared:
        if state.wars[war].status is WarStatus.DECLARED:
            pairs = yield from open_fighting(state, ctx, war)
            for pair in pairs:
                yield from battle(state, ctx, pair)
            yield from conclude_wars(state, ctx, [pair.war for pair in pairs])


def _unknowns(state: State, casting: Casting, casters: Sequence[God]) -> Iterator[str]:
    """What could matter and is not shown, in words that the viewer's own knowledge decides."""
    power = casting.power
    if len(casters) > 1:
        names = " and ".join(god.name for god in casters[1:])
        own = cards_in(state, casters[0].id, power.sphere)
        sphere = state.pack.spheres[power.sphere].name
        yield f"Whether {names} agree, and have the mana and the cards ({power.level} of {sphere}; you hold {own})."
    for here in sorted(state.modifications.values(), key=lambda m: m.place):
        if here.casting is not None and here.casting not in state.authorships and _asks_for_caster(state, here.power):
            race = state.races[here.race].name
            what = state.pack.powers[here.power].name
            yield f"Who cast {what} on {race}, and what it does for the caster or against others."
    if any(isinstance(effect, Choose) and effect.by != "caster" for effect in power.effects):
        yield "What others choose where the power leaves them a choice."
    if power.target == "race+contact" or any(getattr(e, "op", "") == "war_declare" for e in power.effects):
        yield "What the GM decides about the war: diplomacy, combining, where the losses fall; what happens before it."
        if power.target == "earth":
            yield f"How the wars end, when more than {WARS} are declared."
    if options_of(state).dice_by_hand:
        yield "The dice of the real table."


def _asks_for_caster(state: State, key: str) -> bool:
    """Whether a power's effects depend on who cast it."""
    for effect in state.pack.powers[key].effects:
        named = (
            (isinstance(effect, Cult) and effect.deity == "caster")
            or (isinstance(effect, Mana) and effect.to == "caster")
            or (isinstance(effect, WarForbid) and effect.kind == "against_caster")
        )
        if named or any("caster" in c.name or "caster" in c.values for c in effect.conditions):
            return True
    return False


def at(places: Sequence[Place]) -> tuple[Square, ...]:
    """The squares of places."""
    return tuple(place.square for place in places)


def where(units: Sequence[Held]) -> tuple[Square, ...]:
    """The squares on which units stood."""
    return tuple(each.square.square for each in units)


def ends(ways: Sequence[Move]) -> tuple[Square, ...]:
    """Where units go."""
    return tuple(way.to_square.square for way in ways)


def war_outcomes(e: WarFought) -> list[Seen]:
    """Percentages and losses of both sides, the loser and the squares vacated."""
    outcomes: list[Seen] = []
    for side in e.sides:
        outcomes.append(("war_percent", side.race, "", side.percent, ()))
        outcomes.append(("war_losses", side.race, "", side.losses, ()))
        outcomes.append(("war_lost", side.race, "", int(e.race == side.race), ()))
    return outcomes


def knowledge_losses(e: KnowledgeLost | CivilizationLost) -> list[Seen]:
    """Each knowledge that goes."""
    return [("knowledge_lost", e.race, key, 1, ()) for key in e.knowledges]


def shares(e: CultGrew) -> list[Seen]:
    """The share of each member afterwards, in hundredths of a percent."""
    return [("share", e.race, share.member, share.share, ()) for share in e.pantheon]


OUTCOMES: Mapping[type[Event], Callable[[Any], list[Seen]]] = {
    ArtifactCreated: lambda e: [("artifact_made", None, e.name, 1, ())],
    RaceDefined: lambda e: [("race_made", None, e.name, sum(h.units for h in e.placed), where(e.placed))],
    AttributeGained: lambda e: [("attribute", e.race, e.attribute, 1, ())],
    UnitsDied: lambda e: [("deaths", e.race, e.box, e.units, where(e.losses))],
    UnitsStarved: lambda e: [("starved", e.race, e.cause, e.units, where(e.losses))],
    UnitsAdded: lambda e: [("units_added", e.race, "", sum(h.units for h in e.placed), where(e.placed))],
    UnitsMoved: lambda e: [("units_moved", e.race, "", sum(m.units for m in e.moves), ends(e.moves))],
    RaceDestroyed: lambda e: [("race_destroyed", e.race, "", 1, ())],
    KnowledgeLearned: lambda e: [("knowledge_learned", e.race, e.knowledge, 1, ())],
    KnowledgeLost: knowledge_losses,
    CivilizationLost: knowledge_losses,
    LevelChanged: lambda e: [("level", e.race, e.level.value, 1, ())],
    CityFounded: lambda e: [("city_founded", e.race, e.kind.value, 1, at([e.square]))],
    CityRaised: lambda e: [("city_founded", e.race, "great", 1, at([e.square]))],
    CityDestroyed: lambda e: [("city_lost", e.race, "", 1, at([e.square]))],
    CityFell: lambda e: [("city_won", e.race, e.kind.value, 1, at([e.square]))],
    TerrainChanged: lambda e: [("terrain", None, e.terrain, len(e.squares), at(e.squares))],
    FeatureAdded: lambda e: [("feature_added", None, e.kind, 1, at([e.square]))],
    FeatureRemoved: lambda e: [("feature_removed", None, e.kind, 1, at([e.square]))],
    LimitsCut: lambda e: [("limit_cut", e.race, e.terrain or "", e.amount, at(e.squares))],
    ModificationAdded: lambda e: [("modification", e.race, e.power, 1, ())],
    ModificationFired: lambda e: [("modification_fired", e.race, e.trigger, 1, ())],
    ModificationEnded: lambda e: [("modification_ended", e.race, e.power, 1, ())],
    MigrationOrdered: lambda e: [("migration", e.race, e.direction or "square", 1, at([e.square] if e.square else []))],
    CultGrew: shares,
    MemberExpelled: lambda e: [("member_expelled", e.race, e.member, 1, ())],
    TurmoilStarted: lambda e: [("turmoil_started", e.race, "", 1, ())],
    TurmoilEnded: lambda e: [("turmoil_ended", e.race, "", 1, ())],
    WarDeclared: lambda e: [("war_declared", e.attacker, str(e.defender), 1, ())],
    WarCancelled: lambda e: [("war_cancelled", None, "", 1, ())],
    WarAverted: lambda e: [("war_averted", e.race, "", 1, ())],
    WarFought: war_outcomes,
    SquaresVacated: lambda e: [("squares_vacated", e.race, "", len(e.squares), at(e.squares))],
    UnitsRetreated: lambda e: [("retreated", e.race, "", sum(m.units for m in e.moves), ends(e.moves))],
    SquaresTaken: lambda e: [("squares_taken", e.race, "", len({*ends(e.moves)}), ends(e.moves))],
}
"""What is forecast of an event: what, whose, which, how much, where. Of all others nothing."""


def outcomes_of(event: Event) -> list[Seen]:
    """What a forecast says of an event."""
    outcomes = OUTCOMES.get(type(event))
    return outcomes(event) if outcomes is not None else []
