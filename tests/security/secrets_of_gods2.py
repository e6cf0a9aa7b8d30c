"""The secrets of The Gods II."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules import (
    calculation,
    casting,
    choosing,
    fighting,
    founding,
    growing,
    joining,
    lesser,
    mana,
    naming,
    orders,
    pantheon,
    planning,
    previewing,
    previews,
    queue,
    standing,
    unrest,
)
from games.gods2.rules.fields import CardOf, FactorOf, PartOf, ShareOf
from games.gods2.rules.lasting import GrantSource
from tests.security.grounds import Ground
from tests.security.planting import ID, WORD, Plant


def of_god(make: Callable[[UUID], Event]) -> Plant:
    """An event that one god and the game-masters read."""
    return Plant("gods2", lambda g: g.happen(make(g.owner.pk)))


def drafted(g: Ground) -> UUID:
    """A draft that the owner's pantheon sees, and the game-masters; no other viewer is of it."""
    state = g.state()
    bystanders = {str(g.other.pk)}
    race = next(
        race for race in sorted(state.races, key=str)
        if str(g.owner.pk) in state.pantheon(race) and not bystanders & set(state.pantheon(race))
    )  # fmt: skip
    shares = tuple(ShareOf(member=member, share=share) for member, share in state.pantheon(race).items())
    g.as_owner(pantheon.DraftPantheonOrder(race=race, pantheon=shares))
    return max(g.state().orders.values(), key=lambda order: str(order.id)).id


def drafted_then(make: Callable[[Ground, UUID], Event]) -> Plant:
    return Plant("gods2", lambda g: g.happen(make(g, drafted(g))))


def diplomacy(g: Ground) -> None:
    war = g.game.gods2_wars.filter(status="declared").order_by("number").first()
    g.run(fighting.SetDiplomacy(war=war.pk, race=war.defender_id, policy="try"))


GODS2 = {
    founding.CardsSet: of_god(lambda god: founding.CardsSet(seat=god, cards=(CardOf(sphere="CH", count=13),))),
    founding.AbsenceMarked: of_god(lambda god: founding.AbsenceMarked(seat=god, absent=True)),
    mana.FactorsTaken: of_god(
        lambda god: mana.FactorsTaken(session=1, seat=god, factors=(FactorOf(source="secret", factor=Decimal(13)),))
    ),
    mana.ManaGained: of_god(lambda god: mana.ManaGained(seat=god, amount=79, balance=99, cause=WORD)),
    mana.ManaSpent: of_god(lambda god: mana.ManaSpent(seat=god, casting=ID, amount=7, balance=13)),
    mana.ManaPaid: of_god(
        lambda god: mana.ManaPaid(seat=god, century=1, earned="7.5", amount=7, carried="0.5", balance=27)
    ),
    mana.PoolPaid: Plant(
        "gods2", lambda g: g.happen(mana.PoolPaid(century=1, earned="3.5", amount=3, carried="0.5", balance=3))
    ),
    queue.NumberDrawn: of_god(lambda god: queue.NumberDrawn(number=999, seat=god)),
    casting.PowerAuthored: of_god(lambda god: casting.PowerAuthored(casting=ID, primary=god, seats=(god,))),
    casting.DeedAuthored: of_god(lambda god: casting.DeedAuthored(entry=ID, seat=god)),
    fighting.DiplomacySet: Plant("gods2", diplomacy),
    calculation.WorksheetApproved: Plant("gods2", lambda g: g.happen(calculation.WorksheetApproved(century=1))),
    orders.PantheonOrderDrafted: Plant("gods2", drafted),
    orders.PantheonOrderSigned: drafted_then(lambda g, o: orders.PantheonOrderSigned(order=o, seat=g.owner.pk)),
    orders.PantheonOrderUnsigned: drafted_then(lambda g, o: orders.PantheonOrderUnsigned(order=o, seat=g.owner.pk)),
    orders.PantheonOrderDropped: drafted_then(lambda g, o: orders.PantheonOrderDropped(order=o)),
    orders.PantheonOrderRefused: drafted_then(lambda g, o: orders.PantheonOrderRefused(order=o, reason="unsigned")),
    orders.PantheonOrderDeferred: drafted_then(lambda g, o: orders.PantheonOrderDeferred(order=o, century=2)),
}


def race_of(g: Ground) -> UUID:
    """A race of the game."""
    return min(g.state().races, key=str)


def war_of(g: Ground) -> UUID:
    """A war of the game."""
    return g.game.gods2_wars.order_by("number").first().pk


def all_happen(*make: Callable[[Ground], Event]) -> Plant:
    """Events that happen one after the other."""

    def plant(g: Ground) -> None:
        for one in make:
            g.happen(one(g))

    return Plant("gods2", plant)


def proposed(g: Ground) -> Event:
    """A casting of the owner with himself, which nobody has heard of yet."""
    part = PartOf(seat=g.owner.pk, amount=7)
    return joining.CastingProposed(casting=ID, prompt=ID, power="revelation", targets=(), price=7, parts=(part,))


def later(g: Ground) -> Event:
    """A turmoil that waits for the next century."""
    return unrest.TurmoilDeferred(race=race_of(g), century=2, seat=g.owner.pk)


def shown(g: Ground) -> Event:
    """What a growth would do."""
    return growing.GrowthPreviewed(prompt=ID, race=race_of(g), placed=())


POWERS = {
    planning.GrowthOrderSet: all_happen(
        lambda g: planning.GrowthOrderSet(century=2, races=tuple(sorted(g.state().races, key=str)))
    ),
    growing.GrowthPreviewed: all_happen(shown),
    growing.GrowthPlacementSet: all_happen(
        shown, lambda g: growing.GrowthPlacementSet(prompt=ID, race=race_of(g), placed=())
    ),
    previews.PreviewAccepted: all_happen(shown, lambda g: previews.PreviewAccepted(prompt=ID)),
    previews.PreviewClosed: all_happen(shown, lambda g: previews.PreviewClosed(prompt=ID)),
    previewing.CasualtiesPreviewed: all_happen(
        lambda g: previewing.CasualtiesPreviewed(
            prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), pairs=(), wars=(war_of(g),)
        )
    ),
    previewing.CasualtiesSet: all_happen(
        lambda g: previewing.CasualtiesSet(prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), reason=WORD)
    ),
    joining.CastingProposed: all_happen(proposed),
    joining.CastingAnswered: all_happen(
        proposed, lambda g: joining.CastingAnswered(casting=ID, seat=g.owner.pk, yes=True)
    ),
    joining.CastingWithdrawn: all_happen(proposed, lambda g: joining.CastingWithdrawn(casting=ID, reason=WORD)),
    casting.PowerGranted: of_god(
        lambda god: casting.PowerGranted(seat=god, power="revelation", source=GrantSource.ARTIFACT, uses=13)
    ),
    choosing.EffectAsked: of_god(lambda god: choosing.EffectAsked(prompt=ID, casting=ID, rows=(), seats=(god,))),
    lesser.TaskOpened: of_god(
        lambda god: lesser.TaskOpened(task=ID, casting=ID, words=WORD, parts=(PartOf(seat=god, amount=7),))
    ),
    standing.StandingAnswerUsed: of_god(lambda god: standing.StandingAnswerUsed(prompt=ID, seat=god)),
    mana.PoolSpent: of_god(lambda god: mana.PoolSpent(seat=god, casting=ID, amount=7, balance=13)),
    mana.ManaRefunded: of_god(lambda god: mana.ManaRefunded(seat=god, casting=ID, amount=7, balance=79)),
    mana.PoolRefunded: all_happen(lambda g: mana.PoolRefunded(casting=ID, amount=7, balance=79)),
    mana.PoolGained: all_happen(lambda g: mana.PoolGained(amount=7, balance=79, cause=WORD)),
    unrest.TurmoilDeferred: all_happen(later),
    unrest.TurmoilBegun: all_happen(later, lambda g: unrest.TurmoilBegun(race=race_of(g), seat=g.owner.pk)),
    naming.NameAsked: of_god(lambda god: naming.NameAsked(prompt=ID, kind="war", subject=ID, name=WORD, seat=god)),
}
