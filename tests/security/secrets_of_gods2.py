"""The secrets of The Gods II."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.casting.events import (
    CastingAnswered,
    CastingProposed,
    CastingWithdrawn,
    DeedAuthored,
    PowerAuthored,
    PowerGranted,
    StandingAnswerUsed,
)
from games.gods2.rules.century.worksheet_events import WorksheetApproved
from games.gods2.rules.declarations.events import CasualtiesPreviewed, CasualtiesSet, DiplomacySet
from games.gods2.rules.effects.events import EffectAsked, TaskOpened
from games.gods2.rules.gm_previews.events import PreviewAccepted, PreviewClosed
from games.gods2.rules.growth.events import GrowthOrderSet, GrowthPlacementSet, GrowthPreviewed
from games.gods2.rules.history.events import NameAsked
from games.gods2.rules.mana.events import (
    FactorsTaken,
    ManaGained,
    ManaPaid,
    ManaRefunded,
    ManaSpent,
    PoolGained,
    PoolPaid,
    PoolRefunded,
    PoolSpent,
)
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.pantheon.events import (
    PantheonOrderDeferred,
    PantheonOrderDrafted,
    PantheonOrderDropped,
    PantheonOrderRefused,
    PantheonOrderSigned,
    PantheonOrderUnsigned,
)
from games.gods2.rules.pantheon.turmoil_events import TurmoilBegun, TurmoilDeferred
from games.gods2.rules.setup.events import AbsenceMarked, CardsSet
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.value_types import CardOf, FactorOf, PartOf, ShareOf
from games.gods2.rules.war.schedule_commands import SetDiplomacy
from games.gods2.rules.window.events import NumberDrawn
from tests.security.grounds import Ground
from tests.security.planting import ID, WORD, Plant


def of_god(make: Callable[[UUID], Event]) -> Plant:
    """An event that one god and the game-masters read."""
    return Plant("gods2", lambda g: g.happen(make(g.owner.pk)))


def draft_order(g: Ground) -> UUID:
    """A draft that the owner's pantheon sees, and the game-masters; no other viewer is of it."""
    state = g.state()
    bystanders = {str(g.other.pk)}
    race = next(
        race for race in sorted(state.races, key=str)
        if str(g.owner.pk) in state.pantheon(race) and not bystanders & set(state.pantheon(race))
    )  # fmt: skip
    shares = tuple(ShareOf(member=member, share=share) for member, share in state.pantheon(race).items())
    g.as_owner(DraftPantheonOrder(race=race, pantheon=shares))
    return max(g.state().orders.values(), key=lambda order: str(order.id)).id


def plant_after_draft(make: Callable[[Ground, UUID], Event]) -> Plant:
    return Plant("gods2", lambda g: g.happen(make(g, draft_order(g))))


def diplomacy(g: Ground) -> None:
    war = g.game.gods2_wars.filter(status="declared").order_by("number").first()
    g.run(SetDiplomacy(war=war.pk, race=war.defender_id, policy="try"))


GODS2 = {
    CardsSet: of_god(lambda god: CardsSet(seat=god, cards=(CardOf(sphere="CH", count=13),))),
    AbsenceMarked: of_god(lambda god: AbsenceMarked(seat=god, absent=True)),
    FactorsTaken: of_god(
        lambda god: FactorsTaken(session=1, seat=god, factors=(FactorOf(source="secret", factor=Decimal(13)),))
    ),
    ManaGained: of_god(lambda god: ManaGained(seat=god, amount=79, balance=99, cause=WORD)),
    ManaSpent: of_god(lambda god: ManaSpent(seat=god, casting=ID, amount=7, balance=13)),
    ManaPaid: of_god(lambda god: ManaPaid(seat=god, century=1, earned="7.5", amount=7, carried="0.5", balance=27)),
    PoolPaid: Plant("gods2", lambda g: g.happen(PoolPaid(century=1, earned="3.5", amount=3, carried="0.5", balance=3))),
    NumberDrawn: of_god(lambda god: NumberDrawn(number=999, seat=god)),
    PowerAuthored: of_god(lambda god: PowerAuthored(casting=ID, primary=god, seats=(god,))),
    DeedAuthored: of_god(lambda god: DeedAuthored(entry=ID, seat=god)),
    DiplomacySet: Plant("gods2", diplomacy),
    WorksheetApproved: Plant("gods2", lambda g: g.happen(WorksheetApproved(century=1))),
    PantheonOrderDrafted: Plant("gods2", draft_order),
    PantheonOrderSigned: plant_after_draft(lambda g, o: PantheonOrderSigned(order=o, seat=g.owner.pk)),
    PantheonOrderUnsigned: plant_after_draft(lambda g, o: PantheonOrderUnsigned(order=o, seat=g.owner.pk)),
    PantheonOrderDropped: plant_after_draft(lambda g, o: PantheonOrderDropped(order=o)),
    PantheonOrderRefused: plant_after_draft(lambda g, o: PantheonOrderRefused(order=o, reason="unsigned")),
    PantheonOrderDeferred: plant_after_draft(lambda g, o: PantheonOrderDeferred(order=o, century=2)),
}


def race_of(g: Ground) -> UUID:
    """A race of the game."""
    return min(g.state().races, key=str)


def war_of(g: Ground) -> UUID:
    """A war of the game."""
    return g.game.gods2_wars.order_by("number").first().pk


def power_of_ring(g: Ground) -> Event:
    """A power lies in what the owner has."""
    (ring,) = g.state().artifacts
    return ArtifactPowerSet(artifact=ring, power="revelation", uses=13, seat=g.owner.pk)


def all_happen(*make: Callable[[Ground], Event]) -> Plant:
    """Events that happen one after the other."""

    def plant(g: Ground) -> None:
        for one in make:
            g.happen(one(g))

    return Plant("gods2", plant)


def casting_proposal(g: Ground) -> Event:
    """A casting of the owner alone, which no other seat has seen yet."""
    part = PartOf(seat=g.owner.pk, amount=7)
    return CastingProposed(casting=ID, prompt=ID, power="revelation", targets=(), price=7, parts=(part,))


def later(g: Ground) -> Event:
    """A turmoil that waits for the next century."""
    return TurmoilDeferred(race=race_of(g), century=2, seat=g.owner.pk)


def growth_shown(g: Ground) -> Event:
    """What a growth would do."""
    return GrowthPreviewed(prompt=ID, race=race_of(g), placed=())


POWERS = {
    GrowthOrderSet: all_happen(lambda g: GrowthOrderSet(century=2, races=tuple(sorted(g.state().races, key=str)))),
    GrowthPreviewed: all_happen(growth_shown),
    GrowthPlacementSet: all_happen(growth_shown, lambda g: GrowthPlacementSet(prompt=ID, race=race_of(g), placed=())),
    PreviewAccepted: all_happen(growth_shown, lambda g: PreviewAccepted(prompt=ID)),
    PreviewClosed: all_happen(growth_shown, lambda g: PreviewClosed(prompt=ID)),
    CasualtiesPreviewed: all_happen(
        lambda g: CasualtiesPreviewed(
            prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), pairs=(), wars=(war_of(g),)
        )
    ),
    CasualtiesSet: all_happen(
        lambda g: CasualtiesSet(prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), reason=WORD)
    ),
    CastingProposed: all_happen(casting_proposal),
    CastingAnswered: all_happen(casting_proposal, lambda g: CastingAnswered(casting=ID, seat=g.owner.pk, yes=True)),
    CastingWithdrawn: all_happen(casting_proposal, lambda g: CastingWithdrawn(casting=ID, reason=WORD)),
    PowerGranted: of_god(lambda god: PowerGranted(seat=god, power="revelation", source=GrantSource.ARTIFACT, uses=13)),
    ArtifactPowerSet: all_happen(power_of_ring),
    EffectAsked: of_god(lambda god: EffectAsked(prompt=ID, casting=ID, rows=(), seats=(god,))),
    TaskOpened: of_god(lambda god: TaskOpened(task=ID, casting=ID, words=WORD, parts=(PartOf(seat=god, amount=7),))),
    StandingAnswerUsed: of_god(lambda god: StandingAnswerUsed(prompt=ID, seat=god)),
    PoolSpent: of_god(lambda god: PoolSpent(seat=god, casting=ID, amount=7, balance=13)),
    ManaRefunded: of_god(lambda god: ManaRefunded(seat=god, casting=ID, amount=7, balance=79)),
    PoolRefunded: all_happen(lambda g: PoolRefunded(casting=ID, amount=7, balance=79)),
    PoolGained: all_happen(lambda g: PoolGained(amount=7, balance=79, cause=WORD)),
    TurmoilDeferred: all_happen(later),
    TurmoilBegun: all_happen(later, lambda g: TurmoilBegun(race=race_of(g), seat=g.owner.pk)),
    NameAsked: of_god(lambda god: NameAsked(prompt=ID, kind="war", subject=ID, name=WORD, seat=god)),
}
