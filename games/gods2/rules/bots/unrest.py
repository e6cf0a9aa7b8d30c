"""What a bot does about turmoils: it starts one where it may hope for a larger share, and says who is thrown out."""

from collections.abc import Iterable
from uuid import UUID

from games.engine.audience import reader
from games.engine.kernel import Command
from games.gods2.rules.bots.view import View
from games.gods2.rules.pantheon.expulsions import expulsions
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.shares import JEALOUS, Shares, expel


def start(view: View) -> Command | None:
    """A turmoil in that people in which the bot hopes to gain most by it; for who is left behind (G2-TURM-1)."""
    if view.state.era.phase is not Phase.OPEN or not view.is_behind(view.me):
        return None
    worth = {race: _worth(view, race) for race in sorted(view.shares) if _may_start(view, race)}
    best = max(worth, key=lambda race: (worth[race], race), default=None)
    return StartTurmoil(race=best) if best is not None and worth[best] > 0 else None


def _may_start(view: View, race: UUID) -> bool:
    """Whether a people has been at peace in this century, and others have most of its worship."""
    here, held = view.state.races[race], view.pantheon(race)
    if here.turmoil or here.troubled or race in view.state.later_turmoils:
        return False
    return held[view.me] < max(held.values())


def _worth(view: View, race: UUID) -> int:
    """What the bot hopes to gain over the centuries to come, less the worship of this one, which nobody is paid."""
    held = view.pantheon(race)
    return view.units(race) * ((hope(view, held) - held[view.me]) * view.span - held[view.me])


def hope(view: View, held: Shares) -> int:
    """What the bot may expect to hold when the dice of a turmoil have fallen, in hundredths of a percent.

    In a third of the cases nothing happens, in a third a member at random is thrown out, in a third one names another
    (G2-TURM-3, 5): a god as bots do, diabolism and atheism anybody.
    """
    left = {member: expel(held, member).get(view.me, 0) for member in held}
    thrown = sum(left.values())
    named = 0
    for member in held:
        others = [other for other in held if other != member]
        if member in JEALOUS:
            named += sum(left[other] for other in others) // len(others)
        else:
            named += left[least_wanted_member(view, held, others)]
    return (held[view.me] + (thrown + named) // len(held)) // 3


def least_wanted_member(view: View, held: Shares, able: Iterable[str]) -> str:
    """Whom a god throws out: diabolism or atheism, then who runs away, then the one with the largest share."""
    return max(able, key=lambda member: (member in JEALOUS, view.is_ahead(member), held[member], member))


def expulsion(view: View, *_: object) -> Command | None:
    """Asked whom to throw out, the bot names whom it wants least, itself never."""
    for asked in expulsions(view.state):
        if reader(view.god.id) in asked.owners and asked.subject is not None:
            held = view.pantheon(asked.subject)
            able = [member for member in asked.choices if member in held]
            return AnswerExpulsion(prompt=asked.id, member=least_wanted_member(view, held, able) if able else None)
    return None
