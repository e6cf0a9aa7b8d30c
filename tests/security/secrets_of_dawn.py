"""The secrets of Dawn."""

from collections.abc import Callable
from uuid import UUID

from games.dawn.rules.powers.events import PowerAdvanced
from games.dawn.rules.standing_answers import events as standing_answer_events
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Asked, OfferKind
from games.dawn.rules.trade import events as trade_events
from games.dawn.rules.turn.motion_events import BallotCast
from games.dawn.rules.war.battle_events import ArmiesCommitted
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
    return ArmiesCommitted(war=war.id, prompt=asked_of.id, seat=g.owner.pk, armies=war.armies[:1])


DAWN = {
    trade_events.OfferMade: of_dawn(offer_made),
    trade_events.OfferClosed: of_dawn(
        offer_made,
        lambda g: trade_events.OfferClosed(offer=ID, maker=g.owner.pk, taker=cat(g), result=Result.DECLINED),
    ),
    PowerAdvanced: of_dawn(
        lambda g: PowerAdvanced(power=next(iter(g.state().powers)), asking=WORD, settled=WORD), step="power"
    ),
    ArmiesCommitted: of_dawn(commitment),
    BallotCast: of_dawn(lambda g: BallotCast(motion=next(iter(g.state().motions)), seat=g.owner.pk, yes=True)),
    standing_answer_events.AdvanceSet: Plant(
        "dawn",
        lambda g: g.as_owner(SetStandingAnswer(kind=AdvanceKind.MAX_BID, max_bid=271828)),
        step="war",
    ),
    standing_answer_events.StandingAnswerUsed: of_dawn(
        lambda g: standing_answer_events.StandingAnswerUsed(prompt=ID, seat=g.owner.pk)
    ),
    standing_answer_events.AdvancesShown: of_dawn(
        lambda g: standing_answer_events.AdvancesShown(
            advances=(
                standing_answer_events.Said(
                    seat=g.owner.pk, kind=AdvanceKind.MAX_BID, about=WORD, answer=AdvanceWord.ASK, most=271828
                ),
            )
        )
    ),
}
