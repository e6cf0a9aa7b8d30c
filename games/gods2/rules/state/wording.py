"""What keys are called in sentences, whatever the game: triggers, boxes, targets, terrain, phases.

A key that nobody knows any more, of an older pack, is rendered as its own words.
"""

from collections.abc import Collection, Mapping
from typing import Final

from games.engine.errors import Refused
from games.engine.phases import closed_phase, ended_game
from games.engine.wording import listing, phrase, quantity, span
from games.gods2.rules.pack.filters import SMALL
from games.gods2.rules.state.records import Era, Phase

TERRAIN: Final[Mapping[str, str]] = {
    "P": "plains",
    "F": "forest",
    "D": "desert",
    "M": "mountains",
    "I": "ice",
    "W": "water",
}
"""The terrains by their letters (G2-MAP-2)."""
BOXES: Final[Mapping[str, str]] = {
    "war": "war",
    "starvation": "starvation",
    "sacrifice": "sacrifice",
    "global": "a global power",
    "disaster": "a disaster",
    "other": "other causes",
    "all": "all causes",
}
"""The boxes of the death worksheet that are no elements (G2-CALC-1)."""
TRIGGERS: Final[Mapping[str, str]] = {
    "century_start": "the century has begun",
    "growth": "the race has grown",
    "starvation": "units have starved",
    "century_end": "the century ends",
    "war_declared_on": "war was declared on the race",
    "war_declares": "the race has declared war",
    "war_fought": "a war was fought",
    "war_won": "a war was won",
    "war_lost": "a war was lost",
    "disaster_hit": "a disaster has struck",
    "city_founded": "a city was founded",
    "city_lost": "a city was lost",
    "power_priced": "a power was cast on the race",
    "knowledge_taught": "a knowledge was learned",
    "knowledge_lost": "a knowledge was lost",
    "level_changed": "the cultural level has changed",
    "turmoil_started": "a turmoil has broken out",
    "pantheon_changed": "the pantheon has changed",
    "diplomacy_used": "diplomacy was tried",
    "die_rolled": "a die was rolled for the race",
    "contact_made": "the race has met another",
}
"""What wakes a modification (G2-MOD-3, section 4.2)."""
TARGETS: Final[Mapping[str, str]] = {
    "race": "a race",
    "race+contact": "two races in contact",
    "square": "a square",
    "squares": "up to {} squares",
    "connected": "up to {} connected squares",
    "city": "a city",
    "earth": "the whole Earth",
}
"""What powers are aimed at."""
DIRECTIONS: Final[Mapping[str, str]] = {
    "n": "north",
    "ne": "north-east",
    "e": "east",
    "se": "south-east",
    "s": "south",
    "sw": "south-west",
    "w": "west",
    "nw": "north-west",
}
STANDS: Final[Mapping[Phase, str]] = {
    Phase.SETUP: "the game is being set up",
    Phase.TRANSITION: "the game is in a Transition Phase, between two sessions",
    Phase.OPENING: "century {century} is beginning",
    Phase.GROWTH: "the races of century {century} are growing",
    Phase.STARTING: "century {century} is beginning",
    Phase.AGGRESSION: "the aggression of century {century} is being rolled",
    Phase.OPEN: "century {century} is in its Activity Phase",
    Phase.CLOSING: "the Activity Phase of century {century} is closing",
    Phase.RECKONING: "century {century} is in its Calculation Phase",
    Phase.PAYING: "the mana of century {century} is being paid",
    Phase.CLOSED: "century {century} is over",
    Phase.CREATION: "century {century} is a second Creation",
    Phase.FINISHED: "Era Centrum is over",
}
"""Where a game is, in words."""
TIMES: Final[Mapping[Phase, str]] = {
    Phase.SETUP: "before the game starts",
    Phase.TRANSITION: "between two sessions",
    Phase.OPENING: "while a century begins",
    Phase.GROWTH: "while the races grow",
    Phase.STARTING: "while a century begins",
    Phase.AGGRESSION: "while aggression is rolled",
    Phase.OPEN: "in the Activity Phase",
    Phase.CLOSING: "while the Activity Phase closes",
    Phase.RECKONING: "while the worksheet is open",
    Phase.PAYING: "while mana is paid",
    Phase.CLOSED: "at the end of a century",
    Phase.CREATION: "in a second Creation",
    Phase.FINISHED: "after Era Centrum",
}
"""When something is done, in words."""
CALCULATION: Final = frozenset((Phase.RECKONING, Phase.PAYING, Phase.CLOSED))
CENTURY: Final = frozenset(Phase) - {Phase.SETUP, Phase.FINISHED}
"""All but the set-up and the end."""


def trigger_name(trigger: str) -> str:
    """What has activated a modification, as a clause: `war was declared on the race`."""
    name, _, about = trigger.partition(":")
    clause = TRIGGERS.get(name, phrase(name))
    return f"{clause} ({about})" if about in SMALL.values() else clause


def box_name(box: str) -> str:
    """A box of the death worksheet, as `war` or `fire and earth`."""
    return BOXES.get(box, phrase(box))


def plan_name(plan: Collection[int], seconds: int) -> str:
    """The sessions of a game: `3 sessions of 6, 5 and 5 centuries; a century lasts 30 minutes.`"""
    return f"{quantity(len(plan), 'session')} of {listing(map(str, plan))} centuries; a century lasts {span(seconds)}."


def target_name(target: str) -> str:
    """What a power is aimed at, from the pack's word for it (section 4.1)."""
    kind, _, most = target.partition(":")
    return TARGETS.get(kind, phrase(target)).format(most)


def stand_name(phase: str, century: int) -> str:
    """Where a game is, as a clause."""
    return STANDS[Phase(phase)].format(century=century)


def phase_refusal(era: Era, wanted: Collection[Phase], *, rules: tuple[str, ...]) -> Refused:
    """Why something that belongs to other phases cannot be done now (G2-TIME-3)."""
    now = stand_name(era.phase, era.century)
    if era.phase is Phase.FINISHED:
        return ended_game(now, step=era.phase, rules=rules)
    if CENTURY.issubset(wanted):
        times = ["once the first session has begun"]
    else:
        times = [TIMES[phase] for phase in Phase if phase in wanted and phase not in CALCULATION]
        if CALCULATION.issubset(wanted):
            times.append("in the Calculation Phase")
        else:
            times += [TIMES[phase] for phase in wanted if phase in CALCULATION]
    over = not any(_comes(era, phase) for phase in wanted)
    return closed_phase(now, times, step=era.phase, over=over, rules=rules)


def _comes(era: Era, phase: Phase) -> bool:
    """Whether a phase is still to come: the set-up is not, others are while a century or a session is left."""
    if phase is Phase.SETUP:
        return False
    if phase is Phase.TRANSITION:
        return era.session < len(era.plan)
    if era.century < sum(era.plan):
        return True
    order = list(Phase)
    return phase is not Phase.CREATION and order.index(phase) > order.index(era.phase)
