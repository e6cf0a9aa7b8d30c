"""What a bot does about pantheons: drafts, signatures, who is thrown out.

It asks for a little more where it holds little, first where it would teach: that is its price. A trader gives points of
its own to a god who is no member yet, so that its people has one god more who cares.
"""

from uuid import UUID

from games.engine.audience import reader
from games.engine.dice import Tray
from games.engine.kernel import Command
from games.gods2.rules.bots.view import View
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
)
from games.gods2.rules.pantheon.expulsions import expulsions
from games.gods2.rules.pantheon.orders import objection
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.records import GodKind, GodStatus, Phase
from games.gods2.rules.state.shares import JEALOUS, Shares, share_list

RULE = "bot"
WILL_LOSE = 300  # hundredths of a percent that a bot signs away
LEAST_LEFT = 1000  # it signs nothing away of less
WISHES = 200  # what it asks for
GIFT, ABUNDANCE = 200, 3000  # what it gives to a god who is no member, out of so much
CROWD = 5  # a pantheon of so many members takes in no more


def paper(view: View, *_: object) -> Command | None:
    """Drafts: sign what is fair, hand in what all have signed, drop what others do not sign, or what is void by now."""
    state, seat = view.state, view.god.id
    for order in sorted((o for o in state.orders.values() if not o.deferred), key=lambda o: o.id):
        members = god_members(state, order.race)
        if seat not in members:
            continue
        before, after = state.pantheon(order.race).get(view.me, 0), dict(order.pantheon).get(view.me, 0)
        if seat not in order.signed and _is_fair(before, after):
            return SignPantheonOrder(order=order.id)
        if order.drafter == seat and set(members) <= set(order.signed):
            is_void = objection(state, order) is not None
            return DropPantheonOrder(order=order.id) if is_void else HandInPantheonOrder(order=order.id)
        if order.drafter == seat and seat in order.signed and state.era.phase in (Phase.RECKONING, Phase.CLOSED):
            return DropPantheonOrder(order=order.id)
    return None


def _is_fair(before: int, after: int) -> bool:
    """Whether a bot signs: it loses nothing, or little of much."""
    return after >= before or (before - after <= WILL_LOSE and after >= LEAST_LEFT)


def price(view: View) -> Command | None:
    """The points that the bot asks for where it has no foothold, before it serves that people as one of its own."""
    poor = [race for race in view.shares if race not in view.followers]
    return next((order for race in sorted(poor) if (order := _more(view, race)) is not None), None)


def draft(view: View, tray: Tray, use: str) -> Command | None:
    """New shares that the bot wants: a guest in a pantheon of its own, or a little more for itself."""
    held = {race: view.state.pantheon(race) for race in sorted(view.shares)}
    open_to = [race for race in held if held[race][view.me] >= ABUNDANCE and len(held[race]) < CROWD]
    if view.temper.invites and open_to:
        return _invitation(view, tray, use, tray.draw(f"{use}/draft", open_to, RULE))
    wanted = [order for race in held if (order := _more(view, race)) is not None]
    return tray.draw(f"{use}/draft", wanted, RULE) if wanted else None


def _may_draft(view: View, held: Shares) -> bool:
    """Whether the bot has no other draft open, and no jealous member would veto this one."""
    drafting = any(order.drafter == view.god.id for order in view.state.orders.values())
    return not drafting and not any(member in held for member in JEALOUS)


def _more(view: View, race: UUID) -> Command | None:
    """A little more for the bot, from the largest of the others, where that one would sign."""
    held = view.state.pantheon(race)
    giver = _giver(view, held)
    if giver is None or not _may_draft(view, held):
        return None
    wanted = {**held, view.me: held[view.me] + WISHES, giver: held[giver] - WISHES}
    return DraftPantheonOrder(race=race, pantheon=share_list(wanted))


def _giver(view: View, held: Shares) -> str | None:
    """The largest of the other members, if it would sign."""
    others = [member for member in held if member != view.me]
    giver = max(others, key=lambda m: (held[m], m), default=None)
    return giver if giver is not None and held[giver] - WISHES >= LEAST_LEFT else None


def _invitation(view: View, tray: Tray, use: str, race: UUID) -> Command | None:
    """A living god who is no member gets points of the bot's own."""
    held = view.state.pantheon(race)
    gods = sorted(view.state.gods.values(), key=lambda god: god.id)
    able = [g.id for g in gods if g.kind is GodKind.GOD and g.status is GodStatus.ALIVE and str(g.id) not in held]
    if not able or not _may_draft(view, held):
        return None
    guest = str(tray.draw(f"{use}/guest", able, RULE))
    return DraftPantheonOrder(race=race, pantheon=share_list({**held, view.me: held[view.me] - GIFT, guest: GIFT}))


def expulsion(view: View, *_: object) -> Command | None:
    """Asked whom to throw out, the bot names diabolism or atheism, else the god with the largest share."""
    for asked in expulsions(view.state):
        if reader(view.god.id) in asked.owners and asked.subject is not None:
            held = view.state.pantheon(asked.subject)
            able = [member for member in asked.choices if member in held]
            worst = max(able, key=lambda m: (m in JEALOUS, held[m], m), default=None)
            return AnswerExpulsion(prompt=asked.id, member=worst)
    return None
