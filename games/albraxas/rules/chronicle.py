"""The battle as it is told, turn by turn: who stands where, what each has done, how Tide and Ebb run. Reads alone."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from games.albraxas.rules.ending.events import WORDS, Conceded, GameFinished, SeatLeft, TurnChecked
from games.albraxas.rules.locate.events import LocationsRevealed
from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    FrayForced,
    PhaseLost,
)
from games.albraxas.rules.setup.events import CharactersRevealed, GameStarted
from games.albraxas.rules.state.schema_types import Action, Result, Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.events import TurnStarted
from games.engine.insight.chronicle import COUNTED, Fact, Scene, Sentence, Story, Teller, names, plain, silent
from games.engine.kernel import Event
from games.engine.wording import capital, listing, quantity

Setting = Scene[State]
MAX_DEEDS = 3
"""Of so many deeds of a character in a turn the sentence tells."""
OVERWHELMING = 4
"""So many times the one side's mark is the other's where it drowns it."""
DEEDS: Mapping[tuple[Side, Action, Result], str] = {
    (Side.REBEL, Action.BATTLE, Result.WIN): "raises the Ebb in battle",
    (Side.REBEL, Action.BLITZ, Result.WIN): "raises the Ebb in a blitz",
    (Side.REBEL, Action.BACKBONE, Result.WIN): "stems the Tide",
    (Side.REBEL, Action.BATTLE, Result.LOSE): "loses a battle to the Tide",
    (Side.REBEL, Action.BLITZ, Result.LOSE): "loses ground in a blitz",
    (Side.REBEL, Action.BACKBONE, Result.LOSE): "is worn down",
    (Side.ALBRAXAS, Action.BATTLE, Result.WIN): "raises the Tide in battle",
    (Side.ALBRAXAS, Action.BLITZ, Result.WIN): "raises the Tide in a blitz",
    (Side.ALBRAXAS, Action.BACKBONE, Result.WIN): "breaks the Ebb",
    (Side.ALBRAXAS, Action.BATTLE, Result.LOSE): "loses a battle to the Ebb",
    (Side.ALBRAXAS, Action.BLITZ, Result.LOSE): "loses ground in a blitz",
    (Side.ALBRAXAS, Action.BACKBONE, Result.LOSE): "is worn down",
}
EITHER: Mapping[tuple[Action, Result], str] = {
    (Action.RECOVER, Result.WIN): "gathers strength",
    (Action.BLITZ, Result.TIE): "is checked at a price",
    (Action.BATTLE, Result.TIE): "fights in vain",
    (Action.BACKBONE, Result.TIE): "holds on",
    (Action.HOLE_UP, Result.NONE): "hides",
}
"""What a character does, whichever side it fights for."""
OUTCOMES = {Result.WIN: "won", Result.LOSE: "lost", Result.TIE: "tied"}


def name_of(scene: Setting, seat: UUID) -> str:
    """A character's name."""
    found = scene.state.characters.get(seat)
    return found.name if found is not None else "a character"


def tell_start(scene: Setting, event: GameStarted) -> Iterator[Fact]:
    yield plain("The battle of the Beginning is joined.", f"{quantity(event.phases, 'phase')}, Tide {sum(event.tide)}")


def tell_characters(scene: Setting, event: CharactersRevealed) -> Iterator[Fact]:
    rebels = names((each.name for each in event.characters if each.side is Side.REBEL), "other rebels")
    storm = next((each.name for each in event.characters if each.side is Side.ALBRAXAS), "")
    figures = "; ".join(
        f"{each.name}: Backbone {each.backbone}, Battle {each.battle}, Blitz {each.blitz}" for each in event.characters
    )
    called = "" if storm in ("", "Albraxas") else f", who is called {storm},"
    yield plain(
        f"Against Albraxas{called} {'stand' if ' and ' in rebels else 'stands'} {rebels}.",
        figures,
    )


def tell_turn(scene: Setting, event: TurnStarted) -> Iterator[Fact]:
    left = event.albraxas_phase - 1
    far = f"{COUNTED[left]} phase{'s' if left > 1 else ''}" if left < len(COUNTED) else "a long way"
    places = scene.first(LocationsRevealed)
    facing = f", and {_facing(scene, event, places)}" if places is not None and places.places else ""
    spots = [f"Albraxas in phase {event.albraxas_phase}"]
    spots += [f"{name_of(scene, p.seat)} in phase {p.phase}" for p in places.places] if places is not None else []
    yield plain(f"Albraxas stands {far} from the Beginning{facing}.", "; ".join(spots))


def _facing(scene: Setting, turn: TurnStarted, places: LocationsRevealed) -> str:
    """Which rebels stand where Albraxas does."""
    there = [name_of(scene, each.seat) for each in places.places if each.phase == turn.albraxas_phase]
    if there:
        return f"{names(there, 'other rebels')} {'stand' if len(there) > 1 else 'stands'} in the way"
    if len(places.places) > 1 and len({each.phase for each in places.places}) == 1:
        return "the rebels stand together elsewhere"
    return "no rebel stands in the way"


def tell_deed(scene: Setting, event: Any) -> Iterator[Fact]:
    """All that a character does in a turn, in one sentence."""
    yield Fact(("deeds", event.seat), partial(_deeds, scene, event.seat), event)


def _deeds(scene: Setting, seat: UUID, events: Sequence[Any]) -> Sentence | None:
    found = dict.fromkeys(filter(None, (_deed(scene, event) for event in events)))
    if len(found) > 1:
        found.pop(DEED_OF_HIDING, None)
    if any(isinstance(event, CharacterFell) for event in events):
        clauses = [*list(found)[: MAX_DEEDS - 1], "falls"]
    else:
        clauses = list(found)[:MAX_DEEDS]
    return Sentence(f"{name_of(scene, seat)} {listing(clauses)}.", _account(events)) if clauses else None


DEED_OF_HIDING = EITHER[Action.HOLE_UP, Result.NONE]


def _deed(scene: Setting, event: Any) -> str:
    """What one event says of a character, as a clause; "" for nothing."""
    match event:
        case ActionResolved():
            who = scene.state.characters.get(event.seat)
            side = who.side if who is not None else Side.REBEL
            return DEEDS.get((side, event.action, event.result)) or EITHER.get((event.action, event.result), "")
        case FrayForced():
            return "is drawn into the fray"
        case PhaseLost():
            return "is held fast"
        case Convalesced():
            return "rests and heals"
        case Conceded():
            return "gives up"
        case SeatLeft():
            return "leaves the field"
    return ""


def _account(events: Sequence[Any]) -> str:
    """Rolls by their outcome, and what became of the Backbone."""
    rolls = [event.result for event in events if isinstance(event, ActionResolved)]
    parts = [f"{rolls.count(result)} {word}" for result, word in OUTCOMES.items() if result in rolls]
    changed = [event for event in events if isinstance(event, BackboneChanged)]
    if changed and changed[0].before != changed[-1].after:
        parts.append(f"Backbone {changed[0].before} to {changed[-1].after}")
    healed = [event for event in events if isinstance(event, Convalesced)]
    parts += [f"Backbone {event.backbone}, Dynamism {event.dynamism}" for event in healed[-1:]]
    return ", ".join(parts)


def tell_check(scene: Setting, event: TurnChecked) -> Iterator[Fact]:
    """Whose turn it was, by the actions that were won, and how Tide and Ebb stand."""
    won = [scene.state.characters.get(roll.seat) for roll in scene.all(ActionResolved, result=Result.WIN)]
    storm = sum(who is not None and who.side is Side.ALBRAXAS for who in won)
    rebels = sum(who is not None and who.side is Side.REBEL for who in won)
    better = "Albraxas has" if storm > rebels else "the rebels have" if rebels > storm else "nobody has"
    tide, ebb = event.total_tide, event.total_ebb
    if tide >= OVERWHELMING * max(1, ebb):
        stands = "the Tide drowns the Ebb"
    elif tide > ebb:
        stands = "the Tide runs higher than the Ebb"
    else:
        stands = "Tide and Ebb are even" if tide == ebb else "the Ebb runs deeper than the Tide"
    link = "yet" if (rebels > storm) == (tide > ebb) and rebels != storm else "and"
    yield plain(f"{capital(better)} the better of it, {link} {stands}.", f"Tide {tide}, Ebb {ebb}")


def tell_end(scene: Setting, event: GameFinished) -> Iterator[Fact]:
    winner = {None: "Nobody wins", Side.REBEL: "The rebels win", Side.ALBRAXAS: "Albraxas wins"}[event.winner]
    yield plain(f"{winner}: {WORDS[event.reason]}.")


TELLERS: Mapping[type[Event], Teller] = {
    GameStarted: tell_start,
    CharactersRevealed: tell_characters,
    TurnStarted: tell_turn,
    LocationsRevealed: silent,
    ActionResolved: tell_deed,
    FrayForced: tell_deed,
    PhaseLost: tell_deed,
    BackboneChanged: tell_deed,
    Convalesced: tell_deed,
    CharacterFell: tell_deed,
    Conceded: tell_deed,
    SeatLeft: tell_deed,
    TurnChecked: tell_check,
    GameFinished: tell_end,
}
STORY: Story[State] = Story(TELLERS)
