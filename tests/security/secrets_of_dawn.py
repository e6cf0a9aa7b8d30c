"""The secrets of Dawn."""

from collections.abc import Callable
from uuid import UUID

from games.dawn.rules.powers import answers, standing_answers
from games.dawn.rules.powers.standing_answer_commands import SetStandingAnswer
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Asked, OfferKind
from games.dawn.rules.trade import events as trade_events
from games.dawn.rules.turn import motions
from games.dawn.rules.war import commitments
from games.engine.economy.trade_offers import Result
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


def offer_made(g: Ground) -> Event:
    """An offer of the owner to another god, in secret."""
    return trade_events.OfferMade(
        offer=ID, maker=g.owner.pk, taker=cat(g), kind=OfferKind.POINTS, give=7, want=13, memo=WORD
    )


def commitment(g: Ground) -> Event:
    """What the owner sends into the battle."""
    state = g.state()
    war, asked_of = next(iter(state.wars.values())), state.open_prompt(Asked.COMMIT)
    return commitments.ArmiesCommitted(war=war.id, prompt=asked_of.id, seat=g.owner.pk, armies=war.armies[:1])


DAWN = {
    trade_events.OfferMade: of_dawn(offer_made),
    trade_events.OfferClosed: of_dawn(
        offer_made,
        lambda g: trade_events.OfferClosed(offer=ID, maker=g.owner.pk, taker=cat(g), result=Result.DECLINED),
    ),
    answers.PowerAdvanced: of_dawn(
        lambda g: answers.PowerAdvanced(power=next(iter(g.state().powers)), asking=WORD, settled=WORD), step="power"
    ),
    commitments.ArmiesCommitted: of_dawn(commitment),
    motions.BallotCast: of_dawn(
        lambda g: motions.BallotCast(motion=next(iter(g.state().motions)), seat=g.owner.pk, yes=True)
    ),
    standing_answers.AdvanceSet: Plant(
        "dawn",
        lambda g: g.as_owner(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=271828)),
        step="war",
    ),
    standing_answers.StandingAnswerUsed: of_dawn(
        lambda g: standing_answers.StandingAnswerUsed(prompt=ID, seat=g.owner.pk)
    ),
    standing_answers.AdvancesShown: of_dawn(
        lambda g: standing_answers.AdvancesShown(
            advances=(
                standing_answers.Said(
                    seat=g.owner.pk, kind=AdvanceKind.MAX_BID, about=WORD, answer=AdvanceWord.ASK, most=271828
                ),
            )
        )
    ),
}
