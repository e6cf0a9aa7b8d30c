"""Cards of characters: of a player's the whole sheet, of the world master's what the viewer may know (DT-CHR-8)."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.dietower.rules.state.records import Actor, Sheet
from games.dietower.rules.state.schema_types import ActorKind, Condition
from games.dietower.rules.state.state import State
from games.engine.artifacts.cards import ARTIFACT_DECK
from games.engine.insight.cards import Card, CardLine, CardName, CardPart, CardText, Deck
from games.engine.wording import listing

KINDS: Mapping[ActorKind, str] = {ActorKind.PC: "Character", ActorKind.NPC: "NPC", ActorKind.MONSTER: "Monster"}


def characters(state: State) -> Iterator[CardName]:
    """The players' characters by their seats, then those of the world master that the viewer may know of."""
    others = (actor for actor in state.actors.values() if actor.kind is not ActorKind.PC)
    for actor in (*state.player_characters(), *sorted(others, key=lambda each: (each.kind, each.name, each.id))):
        yield CardName(actor.id, actor.name)


def character_card(state: State, actor: UUID) -> Card | None:
    """One of them, as its viewer may see it."""
    found = state.actors.get(actor)
    if found is None:
        return None
    parts: list[CardPart] = [CardLine("Condition", _condition(found))]
    if held := [artifact.name for artifact in state.artifacts_of(actor)]:
        parts.append(CardLine("Treasures", listing(held, "and")))
    if actor in state.sheets:
        parts += _sheet(state.sheets[actor])
    if actor in state.vitalities:
        parts.append(CardLine("Health", str(state.vitalities[actor].health)))
    if actor in state.briefs:
        brief = state.briefs[actor]
        parts += _texts(
            ("Weapon", brief.weapon), ("Power", brief.power), ("Weakness", brief.weakness), ("Notes", brief.notes)
        )
    else:
        known = (each for each in state.revelations.values() if each.actor == actor)
        parts += _texts(*((each.field.value.capitalize(), each.text) for each in known))
    if actor in state.mysteries:
        parts += _texts(("Mystery", state.mysteries[actor].text))
    whose = f" of {state.seats[found.seat].name}" if found.seat is not None and found.seat in state.seats else ""
    return Card(found.name, f"{KINDS[found.kind]}{whose}", tuple(parts), found.seat)


def _sheet(sheet: Sheet) -> list[CardPart]:
    defensive = " (defensive)" if sheet.weapon_defensive and sheet.weapon else ""
    return [
        CardLine("Level", str(sheet.level)),
        CardLine("Wishes", str(sheet.wishes)),
        *([CardLine("Good at", listing(sheet.good_at, "and"))] if sheet.good_at else []),
        *_texts(
            ("Weapon", f"{sheet.weapon}{defensive}"),
            ("Power", sheet.power),
            ("Drawback", sheet.power_drawback),
            ("Deviation", sheet.deviation),
            ("Notes", sheet.notes),
        ),
    ]


def _condition(actor: Actor) -> str:
    if actor.condition is Condition.ACTIVE:
        return "active"
    return ", ".join(filter(None, (actor.condition.value, actor.condition_text)))


def _texts(*parts: tuple[str, str]) -> list[CardPart]:
    return [CardText(label, text) for label, text in parts if text.strip()]


CARDS: Mapping[str, Deck[State]] = {
    "characters": Deck("Characters", characters, character_card),
    "artifacts": ARTIFACT_DECK,
}
