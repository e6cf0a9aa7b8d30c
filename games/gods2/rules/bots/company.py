"""What a bot casts with others: whom it asks to share a price, whom it joins, and whom it refuses in advance.

It asks the god who holds most of a people beside it, for what helps that people and is too dear for it alone. It joins
where it would pay its part for the same by itself. Nobody casts with a god who runs away with the worshippers of the
Earth: that is always answered alike, so it is said in advance (G2-ASK-2).
"""

from uuid import UUID

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.gods2.rules.bots.options import is_for_bots, least_worth, on_people, worth_of_targets
from games.gods2.rules.bots.view import View
from games.gods2.rules.casting.commands import CastPower, present
from games.gods2.rules.casting.events import Wish
from games.gods2.rules.casting.joint import is_able, payer_shares
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.state.effect_records import Proposal
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from games.gods2.rules.window.standing_answers import key_of

CASTERS = 2  # in a casting of bots


def proposal(view: View) -> Command | None:
    """A power on a people of its own that the bot cannot pay alone, with the god who gains most beside it."""
    if view.leader == view.me:
        return None
    wanted = [
        (aim.worth, power.id, race)
        for power in _too_dear(view)
        for race in sorted(view.followers)
        if (aim := on_people(view, power, race)).manner != "harm" and aim.worth > 0
    ]
    for worth, power, race in sorted(wanted, key=lambda each: (-each[0], each[1:])):
        partner = _partner(view, race)
        if partner is not None and (command := _common(view, power, race, partner, worth)) is not None:
            return command
    return None


def _too_dear(view: View) -> list[Power]:
    """The powers on a people that the bot could cast if another god paid half, none of them borrowed."""
    granted = {grant.power for grant in view.state.grants.values() if grant.seat == view.god.id}
    return [
        power
        for power in view.state.pack.powers.values()
        if isinstance(power.cost, int)
        and view.balance < power.cost <= view.balance * CASTERS
        and power.target == "race"
        and power.id not in granted
        and is_for_bots(view, power)
    ]


def _partner(view: View, race: UUID) -> UUID | None:
    """The god who holds most of a people beside the bot, and is here; never one who runs away."""
    held = view.pantheon(race)
    able = [god.id for god in present(view.state) if god.id != view.god.id and str(god.id) in held]
    able = [seat for seat in able if str(seat) != view.rival]
    return max(able, key=lambda seat: (held[str(seat)], seat), default=None)


def _common(view: View, power: str, race: UUID, partner: UUID, worth: int) -> Command | None:
    """The casting in equal parts, where the rules allow it and the bot's own part is worth it and there."""
    parts, targets = (PartOf(seat=view.god.id), PartOf(seat=partner)), (Target(race=race),)
    try:
        casting = prepare_casting(view.state, (view.god, view.state.gods[partner]), power, targets)
    except Refused:
        return None
    own = payer_shares(casting.price.amount, parts, "equal")[0]
    if worth < least_worth(view, own.amount) or not is_able(view.state, own, casting.power):
        return None
    return CastPower(power=power, targets=targets, parts=parts)


def reply(view: View, *_: object) -> Command | None:
    """The answer to the first god who asks the bot to cast with them."""
    own = reader(view.god.id)
    for asked in sorted((p for p in view.state.prompts.values() if p.kind == Asked.JOIN), key=lambda p: p.id):
        if own in asked.owners and (asked.id, own) not in view.state.answers and asked.subject is not None:
            return AnswerCasting(prompt=asked.id, yes=joins(view, view.state.proposals[asked.subject]))
    return None


def joins(view: View, proposed: Proposal) -> bool:
    """Whether a proposed casting is worth its part to the bot, which hurts it nowhere, and is not of who runs away."""
    power, wish = view.state.pack.powers[proposed.power], Wish.model_validate_json(proposed.wish)
    own = PartOf(seat=view.god.id, amount=dict(proposed.parts)[view.god.id])
    if str(proposed.primary) == view.rival or not is_able(view.state, own, power):
        return False
    worth = worth_of_targets(view, power, wish.targets)
    return worth > 0 and worth >= least_worth(view, own.amount)


def word_in_advance(view: View) -> Command | None:
    """A no to all castings of who runs away; it is taken back from who does so no more."""
    own = {said.kind: said.answer for said in view.state.standing.values() if said.seat == view.god.id}
    for god in sorted(view.state.gods):
        refused, runs_away = own.get(key_of("casting", god)) == "no", str(god) == view.rival
        if refused is not runs_away:
            return SetStandingAnswer(kind="casting", seat=god, answer="no" if runs_away else "ask")
    return None
