"""Every secret that the rulesets can keep, and how each comes about in a real game.

`PLANTS` has one entry for each event class that chooses its readers. A class without one fails the tests, so a new
game cannot forget its secrets. A plant makes the event happen and nothing that the public is told.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from games import registry
from games.albraxas.rules.founding import CharacterWritten
from games.albraxas.rules.locating import LocationLocked, LocationSet, LocationUnlocked
from games.albraxas.rules.orders import OrdersSealed, OrdersWritten
from games.albraxas.rules.setup import DefineCharacter
from games.albraxas.rules.travelling import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.vocabulary import Step
from games.albraxas.rules.writing import SealOrders, WriteOrders
from games.dawn.rules import advances, answers, motions, trading
from games.dawn.rules import war as war_events
from games.dawn.rules.vocabulary import AdvanceKind, AdvanceWord, Asked, OfferKind
from games.engine import bots, conduct, handdice, prompt, seating, timer
from games.engine.amend import Amend, Amended, Change, Deed, FieldChange
from games.engine.audience import GM, GM_READER, SERVER, Audience, Reader, reader, seat_and_gm
from games.engine.exchange import Result
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.table import Role
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
from tests.games.albraxas import battle, blitz
from tests.security.grounds import Ground, Whisper
from tests.toy.rules.commands import BringTide, CastVote, CoinsHidden, HideCoins

WORD = "unspeakable"
KEY = "secret:timer"
ID = UUID("5ec2e700-0000-4000-8000-000000000001")


@dataclass(frozen=True)
class Plant:
    """How a secret comes about. `instead`: another of which the public is told the same, where it is told something."""

    game: str
    how: Callable[[Ground], object]
    instead: Callable[[Ground], object] | None = None
    step: str = ""
    """The step in which it comes about, where a game has one ground for each."""


def secret_events() -> dict[type[Event], set[str]]:
    """Every event class that chooses its readers, and the games that have it."""
    found: dict[type[Event], set[str]] = {}
    for rules in registry.rulesets():
        for kind in rules.events.values():
            if kind.audience is not Event.audience:
                found.setdefault(kind, set()).add(rules.slug)
    return found


# --- of the table ----------------------------------------------------------------------------------------------------


def question(g: Ground, owner: str, readers: Audience, *, sealed: bool = False) -> UUID:
    """A question that these readers alone see; it has a deadline."""

    def words(state: Any, ctx: Context) -> Iterator[Event]:
        yield from prompt.ask(
            state, ctx, "SECRET", f"{WORD}?", owners=(Reader(owner),), lane="secret", rule=prompt.Rule.ALL,
            answered_by=(CastVote,), readers=readers, prompt=ID, sealed=sealed,
            due=ctx.now + timedelta(minutes=30), default=BringTide(), silence=WORD,
        )  # fmt: skip

    g.run(Whisper(words=words))
    return ID


def own(g: Ground) -> Reader:
    return reader(g.owner.pk)


def asked(g: Ground) -> UUID:
    """A question that its owner and the game-masters see."""
    return question(g, own(g), seat_and_gm(g.owner.pk))


def sealed(g: Ground) -> UUID:
    """A question whose answer is for its owner's eyes alone, asked in secret."""
    return question(g, own(g), seat_and_gm(g.owner.pk), sealed=True)


def answered(g: Ground, prompt_id: UUID) -> None:
    g.happen(prompt.PromptAnswered(prompt=prompt_id, owner=own(g), answer='"yes"'))


def about(make: Callable[[Ground], UUID], event: Callable[[Ground, UUID], Event]) -> Callable[[Ground], None]:
    """An event about a question that was asked in secret."""
    return lambda g: g.happen(event(g, make(g)))


def withdrawn(g: Ground) -> None:
    answered(g, sealed(g))
    g.happen(prompt.AnswerWithdrawn(prompt=ID, owner=own(g)))


def hidden_timer(g: Ground, shown: Audience = SERVER) -> None:
    due = g.fresh().last_at + timedelta(minutes=40)
    g.happen(timer.TimerSet.of(KEY, due, BringTide(), shown=shown))


def after_timer(event: Event) -> Callable[[Ground], None]:
    def plant(g: Ground) -> None:
        hidden_timer(g)
        g.happen(event)

    return plant


def thawed(g: Ground) -> None:
    hidden_timer(g)
    g.happen(timer.TimerFrozen(key=KEY), timer.TimerThawed(key=KEY))


def extended(g: Ground) -> None:
    hidden_timer(g, GM)
    g.happen(conduct.Extended(timer=KEY, due=g.fresh().last_at + timedelta(minutes=50), reason=WORD))


def rewound(fallen: int) -> Callable[[Ground], None]:
    """That time was turned back is public; which number in the log that is, and what secrets fell, is not."""

    def plant(g: Ground) -> None:
        seq = g.fresh().seq
        g.as_owner(HideCoins(coins=1))
        g.happen(conduct.Rewound(to=seq + 1 - fallen, reason=WORD, timers_set=100))

    return plant


def invited(g: Ground) -> None:
    g.happen(seating.Invited(invitation=ID, code=f"code-{WORD}", role=Role.PLAYER))


def used_up(g: Ground) -> None:
    invited(g)
    g.happen(seating.InvitationUsed(invitation=ID))


def held(g: Ground) -> None:
    g.happen(handdice.DecisionHeld(
        prompt=ID, does="hide-coins", with_='{"coins":9}', role=Issuer.SEAT, seat=g.owner.pk,
        label=f"{WORD}/1", index=1, faces=6,
    ))  # fmt: skip


def by_hand(g: Ground) -> None:
    question(g, GM_READER, GM)
    g.happen(handdice.DieEntered(prompt=ID, value=4))


def amended(g: Ground) -> None:
    g.as_owner(HideCoins(coins=3))
    coins = FieldChange(field="coins", value="77")
    change = Change(deed=Deed.ALTER, table="hoards", row=str(g.owner.pk), fields=(coins,))
    g.run(Amend(changes=(change,), reason=WORD))


TABLE = {
    seating.Invited: Plant("toy", invited),
    seating.InvitationUsed: Plant("toy", used_up),
    seating.SeatMoved: Plant("toy", lambda g: g.happen(seating.SeatMoved(seat=g.owner.pk, reason=WORD))),
    conduct.Extended: Plant("toy", extended),
    conduct.Rewound: Plant("toy", rewound(0), rewound(1)),
    timer.TimerSet: Plant("toy", hidden_timer),
    timer.TimerCleared: Plant("toy", after_timer(timer.TimerCleared(key=KEY))),
    timer.TimerFrozen: Plant("toy", after_timer(timer.TimerFrozen(key=KEY))),
    timer.TimerThawed: Plant("toy", thawed),
    timer.TimerFired: Plant("toy", after_timer(timer.TimerFired(key=KEY, generation=2))),
    timer.TimerRefused: Plant(
        "toy", after_timer(timer.TimerRefused(key=KEY, does="bring-tide", code="secret.code", reason=WORD))
    ),
    timer.TimerFailed: Plant("toy", after_timer(timer.TimerFailed(key=KEY, does="bring-tide", times=3, reason=WORD))),
    prompt.PromptOpened: Plant("toy", asked),
    prompt.PromptAnswered: Plant("toy", lambda g: answered(g, sealed(g))),
    prompt.PromptCounted: Plant("toy", about(sealed, lambda g, p: prompt.PromptCounted(prompt=p, count=1))),
    prompt.AnswerWithdrawn: Plant("toy", withdrawn),
    prompt.PromptClosed: Plant(
        "toy", about(asked, lambda g, p: prompt.PromptClosed(prompt=p, result=WORD, readers=seat_and_gm(g.owner.pk)))
    ),
    prompt.DeadlinePassed: Plant(
        "toy", about(asked, lambda g, p: prompt.DeadlinePassed(prompt=p, readers=seat_and_gm(g.owner.pk)))
    ),
    prompt.StandingAnswerSet: Plant(
        "toy", lambda g: g.happen(prompt.StandingAnswerSet(seat=g.owner.pk, kind="SECRET", answer=WORD))
    ),
    bots.BotPassed: Plant("toy", lambda g: g.happen(bots.BotPassed(seat=g.owner.pk, code="secret.code"))),
    handdice.DecisionHeld: Plant("toy", held),
    handdice.DieEntered: Plant("toy", by_hand),
    handdice.DieSettled: Plant("toy", lambda g: g.happen(handdice.DieSettled(label=f"{WORD}/2", index=1, value=5))),
    Amended: Plant("toy", amended),
    CoinsHidden: Plant("toy", lambda g: g.as_owner(HideCoins(coins=7), key="owner-key")),
}

# --- of The Gods II --------------------------------------------------------------------------------------------------


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
    war = g.game.gods2_wars.order_by("number").first()
    g.run(fighting.SetDiplomacy(war=war.pk, race=war.defender_id, policy="try"))


GODS2 = {
    founding.CardsSet: of_god(lambda god: founding.CardsSet(seat=god, cards=(CardOf(sphere="CH", count=13),))),
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

# --- of Albraxas -----------------------------------------------------------------------------------------------------


def as_rob(g: Ground, *commands: Command) -> None:
    """Rob, whom none of the viewers plays, does this."""
    rob = g.game.seats.get(name="Rob")
    for command in commands:
        g.run(command, Actor(Issuer.SEAT, rob.user_id, rob.pk))


def ria_does(step: Step, *commands: Command) -> Plant:
    """The owner does this in a step, and the public is told nothing."""

    def plant(g: Ground) -> None:
        for command in commands:
            g.as_owner(command)

    return Plant("albraxas", plant, step=step.value)


def named(name: str, *numbers: int) -> DefineCharacter:
    """A character to be written."""
    return DefineCharacter(name=name, **dict(zip(("backbone", "battle", "blitz"), numbers, strict=True)))


THIRD, FIFTH, LOCK = SetLocation(phase=3), SetLocation(phase=5), LockLocation()
ALBRAXAS = {
    CharacterWritten: Plant(
        "albraxas",
        lambda g: as_rob(g, named("Rob", 4, 5, 4), named("Rob", 1, 1, 11)),
        lambda g: as_rob(g, named("Rob", 5, 5, 3)),
        step="characters",
    ),
    LocationSet: ria_does(Step.LOCATE, THIRD, FIFTH),
    LocationLocked: Plant("albraxas", lambda g: as_rob(g, THIRD, LOCK), step="locate"),
    LocationUnlocked: ria_does(Step.LOCATE, THIRD, LOCK, UnlockLocation(), FIFTH),
    OrdersWritten: ria_does(Step.ORDER, WriteOrders(orders=(blitz(4),)), SealOrders(digest="f" * 64)),
    OrdersSealed: Plant(
        "albraxas",
        lambda g: as_rob(g, WriteOrders(orders=(battle(5),)), SealOrders(digest="e" * 64), WriteOrders()),
        lambda g: as_rob(g, WriteOrders(convalesce=True)),
        step="order",
    ),
}
"""That Rob has written something is public, and his character's name; not what it is, nor that he has thought again."""


# --- of Dawn ---------------------------------------------------------------------------------------------------------


def of_dawn(*make: Callable[[Ground], Event], step: str = "war") -> Plant:
    """Events of Dawn that happen one after the other."""

    def plant(g: Ground) -> None:
        for one in make:
            g.happen(one(g))

    return Plant("dawn", plant, step=step)


def cat(g: Ground) -> UUID:
    """A god whom none of the viewers plays."""
    return UUID(str(g.game.seats.get(name="Cat").pk))


def offered(g: Ground) -> Event:
    """An offer of the owner to another god, in secret."""
    return trading.OfferMade(
        offer=ID, maker=g.owner.pk, taker=cat(g), kind=OfferKind.POINTS, give=7, want=13, memo=WORD
    )


def committed(g: Ground) -> Event:
    """What the owner sends into the battle."""
    state = g.state()
    war, asked_of = next(iter(state.wars.values())), state.asked(Asked.COMMIT)
    return war_events.ArmiesCommitted(war=war.id, prompt=asked_of.id, seat=g.owner.pk, armies=war.armies[:1])


DAWN = {
    trading.OfferMade: of_dawn(offered),
    trading.OfferClosed: of_dawn(
        offered,
        lambda g: trading.OfferClosed(offer=ID, maker=g.owner.pk, taker=cat(g), result=Result.DECLINED),
    ),
    answers.PowerAdvanced: of_dawn(
        lambda g: answers.PowerAdvanced(power=next(iter(g.state().powers)), asking=WORD, settled=WORD), step="power"
    ),
    war_events.ArmiesCommitted: of_dawn(committed),
    motions.BallotCast: of_dawn(
        lambda g: motions.BallotCast(motion=next(iter(g.state().motions)), seat=g.owner.pk, yes=True)
    ),
    advances.AdvanceSet: Plant(
        "dawn",
        lambda g: g.as_owner(advances.SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=271828)),
        step="war",
    ),
    advances.StandingAnswerUsed: of_dawn(lambda g: advances.StandingAnswerUsed(prompt=ID, seat=g.owner.pk)),
    advances.AdvancesShown: of_dawn(
        lambda g: advances.AdvancesShown(
            advances=(
                advances.Said(
                    seat=g.owner.pk, kind=AdvanceKind.MAX_BID, about=WORD, answer=AdvanceWord.ASK, most=271828
                ),
            )
        )
    ),
}

PLANTS: dict[type[Event], Plant] = {**TABLE, **GODS2, **POWERS, **ALBRAXAS, **DAWN}
