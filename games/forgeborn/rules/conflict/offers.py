"""What pools and gains may be now, as the domains of legal commands."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText, ListOf
from games.engine.insight.legal_commands import LegalCommand
from games.forgeborn.rules.conflict.pool import require_able
from games.forgeborn.rules.state.constants import FREE_DICE, MOST_HOW, MOST_TEXT
from games.forgeborn.rules.state.dice import dice_of, larger, number_of_dice
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import Deed
from games.forgeborn.rules.state.state import State


def dice_fields(character: Character) -> dict[str, Domain]:
    """The own dice of a pool: sizes, of which as many may be named as the character has (FB-CON-9)."""
    sizes, number = Choices.of(sorted(set(dice_of(character)))), number_of_dice(character)
    free = ListOf(sizes, low=min(1, number), high=min(FREE_DICE, number), unique=False)
    rest = max(0, number - FREE_DICE)
    return {"free": free, "sacrifice": ListOf(sizes, high=rest, unique=False)}


def pool_fields(state: State, character: Character, action: Action | None = None) -> Fields:
    """A whole pool: own dice, artifacts held that are not refused, words."""
    pool = state.pools.get(action.id) if action is not None else None
    if action is not None and action.kind is Deed.TAKE_TEST and action.artifact is not None:
        named = [action.artifact]
    elif pool is not None:
        named = [each.artifact for each in pool.artifacts if each.artifact not in pool.refused]
    else:
        named = [artifact.id for artifact in state.artifacts_of(character.id)]
    helping = Fields({"artifact": Choices.of(named), "how": FreeText(high=MOST_HOW)})
    return Fields(
        {**dice_fields(character), "artifacts": ListOf(helping, high=len(named)), "text": FreeText(high=MOST_TEXT)}
    )


def gain_domain(character: Character) -> Fields:
    """What a failure may bring: a die that can rise, or none for a d4."""
    return Fields({"raise": Choices.of(sorted({die for die in dice_of(character) if larger(die) is not None}))})


def legal_deed(
    state: State,
    command: str,
    deed: Deed,
    character: Character,
    require: Callable[[], Any],
    artifacts: Sequence[UUID] | None = None,
) -> LegalCommand:
    """A deed of the acting character, with pool and gain that may be sent along, or why it is barred.

    require: what refuses it. artifacts: of the Vault, for a deed that names one.
    """
    facts = {"character": character.id, "place": character.place, "dice": list(dice_of(character))}
    domains: dict[str, Domain] = {} if artifacts is None else {"artifact": Choices.of(artifacts)}
    try:
        require()
        require_able(character)
        if artifacts is not None and not artifacts:
            raise Refused("artifact.not_in_vault", "Nothing lies in the Vault.", rules=("FB-TST-1",))
    except Refused as barred:
        return LegalCommand(command, domains, barred=barred, facts=facts)
    domains |= {"pool": pool_fields(state, character), "gain": gain_domain(character)}
    return LegalCommand(command, domains, facts=facts, partial=True)
