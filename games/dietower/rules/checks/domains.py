"""What may be said of a roll before its dice are thrown, as the domains of legal commands (DT-CHK-5, DT-CHR-7)."""

from uuid import UUID

from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import is_attack_spent
from games.dietower.rules.state.constants import MOST_CUSTOM_CD
from games.dietower.rules.state.schema_types import Adv, Hindrance, HindranceAs
from games.dietower.rules.state.state import State
from games.engine.insight.domains import Case, Choices, Fields, Flag, OneOf, Range

IN_THE_WAY = Choices((Hindrance.DRAWBACK.value, Hindrance.DEVIATION.value))
HINDERED = (Case({"hindrance": IN_THE_WAY}, required=("hindrance_as",)),)
"""A hindrance says what it does."""


def terms_domain(state: State, actor: UUID) -> Fields:
    """What may be said of somebody's side of a roll."""
    sheet = state.sheets.get(actor)
    there = [Hindrance.NONE.value]
    there += [Hindrance.DRAWBACK.value] if sheet is not None and sheet.power_drawback else []
    there += [Hindrance.DEVIATION.value] if sheet is not None and sheet.deviation else []
    return Fields(
        {
            "adv": Choices.of(adv.value for adv in Adv),
            "edge": Range(low=0, high=3),
            "edge_die": Flag(),
            "hindrance": Choices.of(there),
            "hindrance_as": Choices.of(each.value for each in HindranceAs),
        },
        cases=HINDERED,
    )


def ruling_domain(state: State, actor: UUID, *, own_turn: bool) -> Fields:
    """What a ruling may say of somebody's check. own_turn: whether it takes the attack action unless it is free."""
    spent, terms = own_turn and is_attack_spent(state, actor), terms_domain(state, actor)
    return Fields(
        {
            "cd": OneOf((Choices.of(cd.value for cd in Cd), Range(low=1, high=MOST_CUSTOM_CD))),
            "good": Flag(),
            **terms.fields,
            "free": Choices((True,)) if spent else Flag(),
        },
        required=("free",) * spent,
        cases=terms.cases,
    )
