"""The secrets of Dawn."""

from collections.abc import Callable
from uuid import UUID

from games.dawn.rules import advances, answers, motions, trading
from games.dawn.rules import war as war_events
from games.dawn.rules.standing_commands import SetStandingAnswer
from games.dawn.rules.vocabulary import AdvanceKind, AdvanceWord, Asked, OfferKind
from games.engine.exchange import Result
from games.engine.kernel import Event
from tests.security.grounds import Ground
from tests.security.planting import ID, WORD, Plant


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
        lambda g: g.as_owner(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=271828)),
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
