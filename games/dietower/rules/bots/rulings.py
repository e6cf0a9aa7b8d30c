"""What a world master's bot says of a roll: how hard it is, and what helps or stands in the way (DT-CHK-2, DT-CHR-7).

How hard a check is follows from the words in which it was asked for; the hardest word counts.
"""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from games.dietower.rules.bots.lists import NOT_NOW, ONE_THING
from games.dietower.rules.checks.commands import SetCheck, WithdrawCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import is_attack_spent
from games.dietower.rules.state.records import Check
from games.dietower.rules.state.schema_types import Adv, Hindrance, HindranceAs, Means, Terms, Uses
from games.dietower.rules.state.state import State
from games.engine.dice import Tray
from games.engine.kernel import Command
from games.engine.policies import RULE

WORDS: Mapping[Cd, frozenset[str]] = {
    Cd.LEGENDARY: frozenset(["god", "gods", "moon", "sun", "dead", "immortal"]),
    Cd.EPIC: frozenset(["army", "storm", "flood", "mountain", "dragon"]),
    Cd.IMPROBABLE: frozenset(["ghost", "ghosts", "drowned", "abyss", "impossible", "vanish"]),
    Cd.FORMIDABLE: frozenset(["sealed", "burning", "alone", "gale", "fortress", "three"]),
    Cd.CHALLENGING: frozenset(["captain", "vault", "poison", "cipher", "ambush", "cliff"]),
    Cd.TOUGH: frozenset(["guard", "guards", "climb", "steal", "sneak", "hounds", "persuade", "trap", "bars"]),
    Cd.MODERATE: frozenset(["hold", "hide", "find", "remember", "follow", "search", "mend", "cross", "jump", "open"]),
    Cd.AVERAGE: frozenset(["balance", "calm", "learn", "cook", "carry", "push", "cut", "wade"]),
    Cd.EASY: frozenset(["look", "count", "knock", "listen", "ask"]),
    Cd.SIMPLE: frozenset(["greet", "sit", "read", "rest", "walk", "wait"]),
}
"""The words of a request that say how hard it is, the hardest first."""
GLANCES = frozenset([Cd.SIMPLE, Cd.EASY])
GIVES_TWO_DICE = frozenset([Means.WEAPON, Means.POWER])
HELPS, HINDERS, DICE_OF_HELP = 1, 8, 8
"""The faces of a d8 that give an advantage and a disadvantage."""
ONE_IN_EDGES, ONE_IN_EDGE_DICE, ONE_IN_DRAWBACKS, ONE_IN_DEVIATIONS = 6, 12, 3, 10


def difficulty_of(intent: str, *, good: bool) -> Cd:
    """How hard a request is: by its hardest word; where it has none, moderate for the able and average for others."""
    said = frozenset(re.findall(r"[a-z]+", intent.lower()))
    usual = Cd.MODERATE if good else Cd.AVERAGE
    return next((cd for cd, words in WORDS.items() if words & said), usual)


def is_good(state: State, check: Check) -> bool:
    """Whether 2d6 are thrown: it is on the list of the sheet, or the weapon or the power serves (DT-CHK-4)."""
    sheet = state.sheets.get(check.actor)
    return check.uses in GIVES_TWO_DICE or (sheet is not None and check.trait in sheet.good_at)


def rule_on(state: State, check: Check, tray: Tray, use: str) -> Command:
    """How a check is set; in a turn whose attack is spent a glance alone is free, and no other check is made."""
    good = is_good(state, check)
    cd = difficulty_of(check.intent, good=good)
    free = check.own_turn and is_attack_spent(state, check.actor)
    if free and cd not in GLANCES:
        return WithdrawCheck(check=check.id, reason=ONE_THING)
    said = _terms(state, check.actor, tray, use, power=check.uses is Means.POWER)
    return SetCheck(check=check.id, cd=cd, good=good, free=free, **said)


def not_now(check: Check, *, for_encounter: bool) -> WithdrawCheck:
    """A check that makes way for an encounter, or for the end of the session (DT-CHK-16)."""
    return WithdrawCheck(check=check.id, reason=NOT_NOW[0 if for_encounter else 1])


def terms_of_attack(state: State, actor: UUID, uses: Uses | None, tray: Tray, use: str) -> Terms:
    """What one side of an attack has."""
    return Terms(**_terms(state, actor, tray, use, power=uses is Uses.POWER))


def _terms(state: State, actor: UUID, tray: Tray, use: str, *, power: bool) -> dict[str, Any]:
    """Advantage, edge and hindrance, each now and then: the drawback where the power is used, else the deviation."""
    luck = tray.roll(f"{use}/help", DICE_OF_HELP, RULE)
    said: dict[str, Any] = {"adv": {HELPS: Adv.ADV, HINDERS: Adv.DIS}.get(luck, Adv.NONE)}
    if tray.roll(f"{use}/edge", ONE_IN_EDGES, RULE) == 1:
        said["edge"] = tray.roll(f"{use}/how-much", 3, RULE)
    said["edge_die"] = tray.roll(f"{use}/edge-die", ONE_IN_EDGE_DICE, RULE) == 1
    sheet = state.sheets.get(actor)
    if sheet is None:
        return said
    if power and sheet.power_drawback and tray.roll(f"{use}/drawback", ONE_IN_DRAWBACKS, RULE) == 1:
        does = tray.draw(f"{use}/does", tuple(HindranceAs), RULE)
        return {**said, "hindrance": Hindrance.DRAWBACK, "hindrance_as": does}
    if not power and sheet.deviation and tray.roll(f"{use}/deviation", ONE_IN_DEVIATIONS, RULE) == 1:
        return {**said, "hindrance": Hindrance.DEVIATION, "hindrance_as": HindranceAs.DIS}
    return said
