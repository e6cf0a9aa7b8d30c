"""The secrets of The Gods II."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules import gm_previews
from games.gods2.rules.casting import joint, queue, standing_answers
from games.gods2.rules.casting import rules as casting_rules
from games.gods2.rules.century import calculation, mana
from games.gods2.rules.effects import choices
from games.gods2.rules.effects import misc as effect_misc
from games.gods2.rules.growth import order as growth_order
from games.gods2.rules.growth import preview as growth_preview
from games.gods2.rules.history import naming
from games.gods2.rules.pantheon import commands as pantheon_commands
from games.gods2.rules.pantheon import events as pantheon_events
from games.gods2.rules.pantheon import turmoil_commands
from games.gods2.rules.setup import events as setup_events
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.value_types import CardOf, FactorOf, PartOf, ShareOf
from games.gods2.rules.war import preview as war_preview
from games.gods2.rules.war import schedule as war_schedule
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
    g.as_owner(pantheon_commands.DraftPantheonOrder(race=race, pantheon=shares))
    return max(g.state().orders.values(), key=lambda order: str(order.id)).id


def plant_after_draft(make: Callable[[Ground, UUID], Event]) -> Plant:
    return Plant("gods2", lambda g: g.happen(make(g, draft_order(g))))


def diplomacy(g: Ground) -> None:
    war = g.game.gods2_wars.filter(status="declared").order_by("number").first()
    g.run(war_schedule.SetDiplomacy(war=war.pk, race=war.defender_id, policy="try"))


GODS2 = {
    setup_events.CardsSet: of_god(lambda god: setup_events.CardsSet(seat=god, cards=(CardOf(sphere="CH", count=13),))),
    setup_events.AbsenceMarked: of_god(lambda god: setup_events.AbsenceMarked(seat=god, absent=True)),
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
    casting_rules.PowerAuthored: of_god(lambda god: casting_rules.PowerAuthored(casting=ID, primary=god, seats=(god,))),
    casting_rules.DeedAuthored: of_god(lambda god: casting_rules.DeedAuthored(entry=ID, seat=god)),
    war_schedule.DiplomacySet: Plant("gods2", diplomacy),
    calculation.WorksheetApproved: Plant("gods2", lambda g: g.happen(calculation.WorksheetApproved(century=1))),
    pantheon_events.PantheonOrderDrafted: Plant("gods2", draft_order),
    pantheon_events.PantheonOrderSigned: plant_after_draft(
        lambda g, o: pantheon_events.PantheonOrderSigned(order=o, seat=g.owner.pk)
    ),
    pantheon_events.PantheonOrderUnsigned: plant_after_draft(
        lambda g, o: pantheon_events.PantheonOrderUnsigned(order=o, seat=g.owner.pk)
    ),
    pantheon_events.PantheonOrderDropped: plant_after_draft(lambda g, o: pantheon_events.PantheonOrderDropped(order=o)),
    pantheon_events.PantheonOrderRefused: plant_after_draft(
        lambda g, o: pantheon_events.PantheonOrderRefused(order=o, reason="unsigned")
    ),
    pantheon_events.PantheonOrderDeferred: plant_after_draft(
        lambda g, o: pantheon_events.PantheonOrderDeferred(order=o, century=2)
    ),
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


def casting_proposal(g: Ground) -> Event:
    """A casting of the owner alone, which no other seat has seen yet."""
    part = PartOf(seat=g.owner.pk, amount=7)
    return joint.CastingProposed(casting=ID, prompt=ID, power="revelation", targets=(), price=7, parts=(part,))


def later(g: Ground) -> Event:
    """A turmoil that waits for the next century."""
    return turmoil_commands.TurmoilDeferred(race=race_of(g), century=2, seat=g.owner.pk)


def growth_shown(g: Ground) -> Event:
    """What a growth would do."""
    return growth_preview.GrowthPreviewed(prompt=ID, race=race_of(g), placed=())


POWERS = {
    growth_order.GrowthOrderSet: all_happen(
        lambda g: growth_order.GrowthOrderSet(century=2, races=tuple(sorted(g.state().races, key=str)))
    ),
    growth_preview.GrowthPreviewed: all_happen(growth_shown),
    growth_preview.GrowthPlacementSet: all_happen(
        growth_shown, lambda g: growth_preview.GrowthPlacementSet(prompt=ID, race=race_of(g), placed=())
    ),
    gm_previews.PreviewAccepted: all_happen(growth_shown, lambda g: gm_previews.PreviewAccepted(prompt=ID)),
    gm_previews.PreviewClosed: all_happen(growth_shown, lambda g: gm_previews.PreviewClosed(prompt=ID)),
    war_preview.CasualtiesPreviewed: all_happen(
        lambda g: war_preview.CasualtiesPreviewed(
            prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), pairs=(), wars=(war_of(g),)
        )
    ),
    war_preview.CasualtiesSet: all_happen(
        lambda g: war_preview.CasualtiesSet(prompt=ID, war=war_of(g), losses=(), squares=(), moves=(), reason=WORD)
    ),
    joint.CastingProposed: all_happen(casting_proposal),
    joint.CastingAnswered: all_happen(
        casting_proposal, lambda g: joint.CastingAnswered(casting=ID, seat=g.owner.pk, yes=True)
    ),
    joint.CastingWithdrawn: all_happen(casting_proposal, lambda g: joint.CastingWithdrawn(casting=ID, reason=WORD)),
    casting_rules.PowerGranted: of_god(
        lambda god: casting_rules.PowerGranted(seat=god, power="revelation", source=GrantSource.ARTIFACT, uses=13)
    ),
    choices.EffectAsked: of_god(lambda god: choices.EffectAsked(prompt=ID, casting=ID, rows=(), seats=(god,))),
    effect_misc.TaskOpened: of_god(
        lambda god: effect_misc.TaskOpened(task=ID, casting=ID, words=WORD, parts=(PartOf(seat=god, amount=7),))
    ),
    standing_answers.StandingAnswerUsed: of_god(lambda god: standing_answers.StandingAnswerUsed(prompt=ID, seat=god)),
    mana.PoolSpent: of_god(lambda god: mana.PoolSpent(seat=god, casting=ID, amount=7, balance=13)),
    mana.ManaRefunded: of_god(lambda god: mana.ManaRefunded(seat=god, casting=ID, amount=7, balance=79)),
    mana.PoolRefunded: all_happen(lambda g: mana.PoolRefunded(casting=ID, amount=7, balance=79)),
    mana.PoolGained: all_happen(lambda g: mana.PoolGained(amount=7, balance=79, cause=WORD)),
    turmoil_commands.TurmoilDeferred: all_happen(later),
    turmoil_commands.TurmoilBegun: all_happen(
        later, lambda g: turmoil_commands.TurmoilBegun(race=race_of(g), seat=g.owner.pk)
    ),
    naming.NameAsked: of_god(lambda god: naming.NameAsked(prompt=ID, kind="war", subject=ID, name=WORD, seat=god)),
}
