"""Cards of Smiths, Heroines and artifacts: all that is on them is public."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.engine.insight.cards import Card, CardDice, CardLine, CardName, CardPart, CardText, Deck
from games.engine.wording import listing
from games.forgeborn.rules.state.dice import dice_of, number_of_faces
from games.forgeborn.rules.state.records import Artifact, Character
from games.forgeborn.rules.state.schema_types import CameBy, CharacterKind
from games.forgeborn.rules.state.state import State

KINDS: Mapping[CharacterKind, str] = {CharacterKind.SMITH: "Master Smith", CharacterKind.HEROINE: "Heroine"}
CAME_BY: Mapping[CameBy, str] = {
    CameBy.VOTE: "agreed by vote",
    CameBy.CONFLICT: "taken in a conflict",
    CameBy.TEST: "won in a test",
    CameBy.CLAIM: "by a claim",
    CameBy.GIFT: "handed over",
}


def characters(state: State) -> Iterator[CardName]:
    """The Smith of each player with the Heroines, in the order of the seats."""
    for seat in state.players():
        for character in state.characters_of(seat.id):
            yield CardName(character.id, character.name)


def artifacts(state: State) -> Iterator[CardName]:
    """What was forged, in the order of rounds."""
    for artifact in sorted(state.artifacts.values(), key=lambda each: (each.round, each.name, each.id)):
        yield CardName(artifact.id, artifact.name)


def character_card(state: State, character: UUID) -> Card | None:
    """A Smith or Heroine: dice, where they are, what they hold, what is told of them."""
    found = state.characters.get(character)
    if found is None:
        return None
    held = [artifact.name for artifact in state.artifacts_of(character)]
    parts: list[CardPart] = [
        CardDice("Dice", tuple(sorted(dice_of(found), reverse=True))),
        CardLine("Faces", str(number_of_faces(dice_of(found)))),
        CardLine("Where", state.places[found.place].name),
        CardLine("Holds", listing(held, "and") or "nothing"),
    ]
    if found.kind is CharacterKind.SMITH and found.seat in state.purses:
        parts.append(CardLine("Glory", f"{state.purses[found.seat].vp} VP"))
    return Card(found.name, _whose(state, found), (*parts, *_text(found.text)), found.seat)


def artifact_card(state: State, artifact: UUID) -> Card | None:
    """An artifact: form, function, Power, dice, who has made it and who has it."""
    found = state.artifacts.get(artifact)
    if found is None:
        return None
    maker = state.characters[found.maker]
    helpers = [state.characters[each].name for each in found.helpers]
    parts: list[CardPart] = [
        CardDice("Dice", tuple(sorted(dice_of(found), reverse=True))),
        CardLine("Power", str(found.power)),
        CardLine("Maker", f"{maker.name}, round {found.round}"),
        *([CardLine("Helpers", listing(helpers, "and"))] if helpers else []),
        CardLine("Holder", _holder(state, found)),
    ]
    subtitle = f"{found.form.value.capitalize()} of {found.function.value.capitalize()}"
    holder = state.characters.get(found.holder)
    return Card(found.name, subtitle, (*parts, *_text(found.text)), holder.seat if holder else None)


def _whose(state: State, character: Character) -> str:
    return f"{KINDS[character.kind]} of {state.seat_name(character.seat)}"


def _holder(state: State, artifact: Artifact) -> str:
    if state.is_in_vault(artifact):
        return "the Vault"
    how = f", {CAME_BY[artifact.came_by]}" if artifact.came_by is not None else ""
    return f"{state.characters[artifact.holder].name}{how}"


def _text(text: str) -> tuple[CardPart, ...]:
    return (CardText("", text),) if text.strip() else ()


CARDS: Mapping[str, Deck[State]] = {
    "characters": Deck("Smiths and Heroines", characters, character_card),
    "artifacts": Deck("Artifacts", artifacts, artifact_card),
}
