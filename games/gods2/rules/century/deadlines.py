"""Which timer ends a question that has none of its own (section 11.2 of the rulebook).

A war's questions stand until it is fought, the called number's until it has to pass, the others until the next century
opens: the worksheet counts as it is then, names stay neutral, growth is drawn.
"""

from collections.abc import Mapping
from types import MappingProxyType

from games.gods2.rules.casting import queue
from games.gods2.rules.century.calculation import WORKSHEET
from games.gods2.rules.century.steps import OpenNextCentury
from games.gods2.rules.growth import order as growth_order
from games.gods2.rules.history import naming
from games.gods2.rules.war import gm_prompts
from games.gods2.rules.war.schedule import FightWar

SETTLED_BY: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(gm_prompts.ABOUT_WARS, FightWar.slug()),
        queue.CALLED: queue.PassCalledNumber.slug(),
        WORKSHEET: OpenNextCentury.slug(),
        naming.ASKED: OpenNextCentury.slug(),
        growth_order.PROMPT: OpenNextCentury.slug(),
    }
)
"""Kinds of questions -> the command of the clock that settles them."""
