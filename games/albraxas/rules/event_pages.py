"""What the pages of a live event show of Albraxas: who stands where, whose choices and orders are in, Tide and Ebb."""

from collections.abc import Iterator
from uuid import UUID

from games.albraxas.rules.chronicle import STORY
from games.albraxas.rules.ending.events import Conceded, GameFinished, TurnChecked
from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    FrayForced,
    ValuesChanged,
)
from games.albraxas.rules.state.schema_types import Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.events import TurnStarted
from games.engine.audience import reader
from games.engine.insight.event_pages import (
    Accent,
    Contest,
    ContestSide,
    EventPages,
    Face,
    FaceKind,
    Highlight,
    HighlightKind,
    Holdings,
    Line,
    Panel,
)
from games.engine.kernel import Event


def desk(state: State) -> Iterator[Panel]:
    """The panels of the desk: the characters with what they have sent, the phases."""
    yield _characters(state)
    yield _phases(state)


def _characters(state: State) -> Panel:
    """Where everybody stands and means to go, and whether their answer is in."""
    question = state.question(state.storm.step)
    lines = []
    for character in sorted(state.characters.values(), key=lambda c: (c.fallen, c.name)):
        choice = state.choices.get(character.id)
        meant = f"to phase {choice.phase}{', locked' if choice.locked else ''}" if choice is not None else ""
        sent = "in" if question is not None and (question, reader(character.id)) in state.answers else ""
        where = f"phase {character.phase}" if character.phase else ""
        lines.append(
            Line(
                (
                    character.name,
                    "fallen" if character.fallen else where,
                    meant,
                    sent,
                    f"{character.backbone} of {character.start_backbone}",
                    character.dynamism,
                )
            )
        )
    columns = ("Character", "Where", "Means to go", "Answer", "Backbone", "Dynamism")
    return Panel("characters", "Places and orders", columns, tuple(lines))


def _phases(state: State) -> Panel:
    """Tide and Ebb of each phase."""
    ordered = sorted(state.phases.values(), key=lambda phase: phase.number)
    return Panel("phases", "Phases", ("Phase", "Tide", "Ebb"), tuple(Line((p.number, p.tide, p.ebb)) for p in ordered))


def standings(state: State) -> Panel:
    """The characters by Dynamism; who fell comes last."""
    ordered = sorted(state.characters.values(), key=lambda c: (c.fallen, -c.dynamism, c.name))
    lines = tuple(Line((c.name, c.dynamism, "fallen" if c.fallen else c.backbone)) for c in ordered)
    return Panel("standings", "Characters", ("Character", "Dynamism", "Backbone"), lines)


def contests(state: State) -> Iterator[Contest]:
    """The phase where Albraxas and rebels meet; Tide against Ebb is the picture itself."""
    albraxas: UUID | None = state.storm.albraxas
    if albraxas is None or albraxas not in state.characters or not state.characters[albraxas].phase:
        return
    phase = state.characters[albraxas].phase
    rebels = tuple(c.name for c in state.rebels() if c.phase == phase and not c.fallen)
    if rebels:
        sides = (ContestSide(state.characters[albraxas].name), ContestSide("The rebels", rebels))
        yield Contest(f"Phase {phase}", sides)


def highlights(state: State, event: Event) -> Iterator[Highlight]:
    """Phases in which Tide or Ebb has changed, where characters meet, where one falls, where Albraxas has come to."""
    match event:
        case ValuesChanged():
            yield Highlight(HighlightKind.BUILT, (str(event.phase),))
        case FrayForced() | BackboneChanged():
            yield Highlight(HighlightKind.CONTEST, (str(state.characters[event.seat].phase),))
        case CharacterFell():
            yield Highlight(HighlightKind.RUIN, (str(state.characters[event.seat].phase),))
        case TurnStarted():
            yield Highlight(HighlightKind.CONTEST, (str(event.albraxas_phase),))


def faces(state: State) -> Iterator[Face]:
    """Albraxas and the rebels."""
    for character in state.characters.values():
        kind = FaceKind.GOD if character.side is Side.ALBRAXAS else FaceKind.HERO
        yield Face(kind, character.name, character.id)


def winners(state: State) -> Iterator[str]:
    """The characters of the side that has won; of the rebels those who did not fall."""
    for character in state.characters.values():
        if character.side is state.storm.winner and not character.fallen:
            yield character.name


def holdings(state: State, seat: UUID) -> Holdings:
    """What a character has left to spend and to lose, and where it stands."""
    character = state.characters.get(seat)
    if character is None:
        return {}
    found: dict[str, str | int] = {
        "Dynamism": f"{character.dynamism} of {character.most_dynamism}",
        "Backbone": f"{character.backbone} of {character.start_backbone}",
        "Battle": character.battle,
        "Blitz": character.blitz,
    }
    return found | ({"Phase": character.phase} if character.phase and not character.fallen else {})


PAGES: EventPages[State] = EventPages(
    holdings=holdings,
    desk=desk,
    standings=standings,
    contests=contests,
    faces=faces,
    highlights=highlights,
    winners=winners,
    story=STORY,
    headlines=(
        GameFinished,
        CharacterFell,
        Conceded,
        FrayForced,
        BackboneChanged,
        ActionResolved,
        Convalesced,
        TurnChecked,
    ),
    finished_by=(GameFinished,),
    accent=Accent("#9a3412", "#ffb38a"),
    main_chart="strength",
)
