"""What pools and gains may be now, as the domains of legal commands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Domain, Fields, FreeText, Holding, ListOf, Range
from games.engine.insight.legal_commands import LegalCommand
from games.forgeborn.rules.conflict.pool import require_able
from games.forgeborn.rules.state.constants import FREE_DICE, MOST_HOW, MOST_TEXT
from games.forgeborn.rules.state.dice import dice_of, larger, number_of_dice, numbers_of
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import Deed, Size
from games.forgeborn.rules.state.state import State


def dice_fields(character: Character) -> dict[str, Domain]:
    """The own dice of a pool: sizes, of which as many may be named as the character has (FB-CON-9).

    `dice_cases` say what both lists have together.
    """
    sizes, number = Choices.of(sorted(set(dice_of(character)))), number_of_dice(character)
    most, rest = min(FREE_DICE, number), max(0, number - FREE_DICE)
    free = ListOf(sizes, low=min(1, number), high=most, unique=False, most=_held(character, most))
    return {"free": free, "sacrifice": ListOf(sizes, high=rest, unique=False, most=_held(character, rest))}


def dice_cases(character: Character) -> tuple[Case, ...]:
    """How the own dice of a pool depend on each other: Sacrifices stand beside three free dice, and no die is both."""
    rest = number_of_dice(character) - FREE_DICE
    if rest <= 0:
        return ()
    alone = Case({"free": ListOf.between(0, FREE_DICE - 1)}, {"sacrifice": ListOf.between(0, 0)})
    shared = [
        Case({"free": Holding(die, free)}, {"sacrifice": ListOf.between(0, None, (die, held - free))})
        for die, held in ((Choices((int(size),)), held) for size, held in numbers_of(character).items())
        for free in range(1, min(FREE_DICE, held) + 1)
        if held - free < rest
    ]
    return (alone, *shared)


def _held(character: Character, longest: int) -> tuple[tuple[Domain, int], ...]:
    """How many dice of each size a list of so many may have at most, where the character has fewer."""
    held = numbers_of(character).items()
    return tuple((Choices((int(size),)), number) for size, number in held if 0 < number < longest)


def at_most(numbers: Mapping[Size, int]) -> tuple[Case, ...]:
    """How many `dice` there may be, by the largest among them. numbers: how many of a size there may be alone.

    A sum of what dice have, or cost, can be said in no schema: smaller dice beside a large one may be a few more.
    """
    first = next(iter(numbers))
    return tuple(
        Case({"dice": Holding(Range(low=int(size)))}, {"dice": ListOf.between(0, number)})
        for size, number in numbers.items()
        if size is not first
    )


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
    artifacts = ListOf.naming_once("artifact", named, helping)
    return Fields(
        {**dice_fields(character), "artifacts": artifacts, "text": FreeText(high=MOST_TEXT)},
        cases=dice_cases(character),
    )


def gain_domain(character: Character) -> Fields:
    """What a failure may bring: a die that can rise, or none for a d4."""
    rising = sorted({die for die in dice_of(character) if larger(die) is not None})
    return Fields({"raise": Choices.of(rising)} if rising else {})


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
    return LegalCommand(command, domains, facts=facts)
