"""Which timer ends a question that has none of its own (section 11.2 of the rulebook).

A war's questions stand until it is fought, the called number's until it has to pass, the others until the next century
opens: the worksheet counts as it is then, names stay neutral, growth is drawn.
"""

from collections.abc import Mapping
from types import MappingProxyType

from games.gods2.rules import naming, planning, queue, wardesk
from games.gods2.rules.calculation import WORKSHEET
from games.gods2.rules.century import OpenNextCentury
from games.gods2.rules.fighting import FightWar

SETTLED_BY: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(wardesk.ABOUT_WARS, FightWar.slug()),
        queue.CALLED: queue.PassCalledNumber.slug(),
        WORKSHEET: OpenNextCentury.slug(),
        naming.ASKED: OpenNextCentury.slug(),
        planning.PROMPT: OpenNextCentury.slug(),
    }
)
"""Kinds of questions -> the command of the clock that settles them."""
