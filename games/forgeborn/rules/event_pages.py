"""What the pages of a live event show of Forgeborn: the action under way, rulings, votes, smiths by their points."""

from collections import Counter
from collections.abc import Iterator
from uuid import UUID

from games.engine.insight.event_pages import (
    Accent,
    Action,
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
from games.engine.wording import quantity
from games.forgeborn.rules.chronicle import STORY
from games.forgeborn.rules.claims.events import ArtifactTaken
from games.forgeborn.rules.conflict.events import (
    ActionDeclared,
    ConflictFailed,
    ConflictWon,
    DragonSlain,
    RuinsFound,
)
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, RuleArtifacts
from games.forgeborn.rules.conflict.purchase_events import CreationFailed
from games.forgeborn.rules.forge.events import ArtifactBegun, ArtifactMade, HeroineRecruited
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Action as Deed
from games.forgeborn.rules.state.schema_types import Deed as ActionKind
from games.forgeborn.rules.state.schema_types import PlaceKind, Stage
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.commands import TellScene, WriteNote
from games.forgeborn.rules.turns.commands import CallTime
from games.forgeborn.rules.turns.events import GameFinished, Journeyed


def desk(state: State) -> Iterator[Panel]:
    """The panels of the desk: the action and what a referee may rule on, votes, what may be told."""
    yield _action(state)
    yield _rulings(state)
    yield _votes(state)
    yield _words(state)


def _title(state: State, deed: Deed) -> str:
    place = state.places[deed.place].name if deed.place in state.places else ""
    return f"{deed.kind.value.replace('_', ' ').capitalize()} at {place}"


def _action(state: State) -> Panel:
    """The action under way."""
    lines = tuple(
        Line(
            (
                _title(state, deed),
                state.characters[deed.character].name if deed.character in state.characters else "",
                deed.stage.value,
                f"{deed.total if deed.total is not None else '?'} against {deed.against}" if deed.against else "",
            ),
            (Action(DescribeDanger.slug(), {}, "Describe the danger"),) if not deed.danger else (),
        )
        for deed in state.actions.values()
        if deed.stage is not Stage.OVER
    )
    return Panel("action", "The action", ("What", "Who", "Stage", "Dice"), lines)


def _rulings(state: State) -> Panel:
    """The artifacts that help in open pools, on which a referee rules."""
    lines = tuple(
        Line(
            (
                state.artifacts[helping.artifact].name,
                pool.text,
                "refused" if helping.artifact in pool.refused else "",
            ),
            (Action(RuleArtifacts.slug(), {"refused": [helping.artifact]}, "Refuse", asks=True),),
        )
        for pool in state.pools.values()
        if not pool.is_over
        for helping in pool.artifacts
        if helping.artifact in state.artifacts
    )
    return Panel("rulings", "Artifacts that help", ("Artifact", "How", ""), lines)


def _votes(state: State) -> Panel:
    """Votes that are open, with how many have voted."""
    lines = tuple(
        Line(
            (
                state.artifacts[vote.artifact].name if vote.artifact in state.artifacts else "",
                state.seat_name(vote.seat),
                f"{sum(seal.vote == vote.id for seal in state.seals.values())} of {len(vote.electorate)}",
            )
        )
        for vote in state.votes.values()
        if vote.is_agreed is None
    )
    return Panel("votes", "Votes", ("Artifact", "For whom", "Voted"), lines)


def _words(state: State) -> Panel:
    """What a referee may tell."""
    actions = (
        Action(TellScene.slug(), {}, "Tell a scene", asks=True),
        Action(WriteNote.slug(), {}, "Write a note", asks=True),
        Action(CallTime.slug(), {}, "Call time", asks=True),
    )
    return Panel("words", "Words", (), (), actions)


ROLLS = frozenset({ActionKind.BEGIN_ARTIFACT, ActionKind.RECRUIT_HEROINE, ActionKind.TAKE_TEST})
"""What is rolled against nobody."""


def standings(state: State) -> Panel:
    """The players by their victory points."""
    seats = [seat for seat in state.players() if seat.id in state.purses]
    lines = tuple(
        Line(
            (
                seat.name,
                state.purses[seat.id].vp,
                len(state.characters_of(seat.id)),
                sum(len(state.artifacts_of(character.id)) for character in state.characters_of(seat.id)),
            )
        )
        for seat in sorted(seats, key=lambda seat: (-state.purses[seat.id].vp, seat.name))
    )
    return Panel("standings", "Smiths", ("Player", "Points", "Characters", "Artifacts"), lines)


def contests(state: State) -> Iterator[Contest]:
    """The conflict under way, then the Dragon and the Vault, then the last that was decided; forging is none."""
    fought = [deed for deed in state.actions.values() if deed.kind not in ROLLS]
    for deed in fought:
        if deed.stage is not Stage.OVER and deed.against is not None:
            yield _contest(state, deed)
    dragon = next((place for place in state.places.values() if place.kind is PlaceKind.LAIR), None)
    if dragon is not None:
        vault = quantity(len(state.vault()), "artifact")
        sides = (ContestSide("The Dragon", (f"Power {dragon.power}",)), ContestSide("The Vault", (vault,)))
        yield Contest("Steel against the Dragon", sides)
    over = [deed for deed in fought if deed.stage is Stage.OVER and deed.is_won is not None]
    if over:
        yield _contest(state, over[-1])


def _contest(state: State, deed: Deed) -> Contest:
    who = state.characters[deed.character].name if deed.character in state.characters else state.seat_name(deed.seat)
    total = (str(deed.total),) if deed.total is not None else ()
    against = (str(deed.against),) if deed.against is not None else ()
    sides = (ContestSide(who, total), ContestSide(deed.name or "The danger", against))
    end = "" if deed.is_won is None else f"{who} has won." if deed.is_won else f"{who} has lost."
    return Contest(_title(state, deed), sides, outcome=end)


def highlights(state: State, event: Event) -> Iterator[Highlight]:
    """Journeys, and the places where something is tried, won, lost or found."""
    match event:
        case Journeyed():
            yield Highlight(HighlightKind.MARCH, (str(event.old), str(event.new)))
        case ActionDeclared():
            yield Highlight(HighlightKind.CONTEST, (str(event.place),))
        case RuinsFound() | HeroineRecruited():
            yield Highlight(HighlightKind.BUILT, (str(event.place),))
        case ConflictWon() | ConflictFailed() if event.character in state.characters:
            kind = HighlightKind.WON if isinstance(event, ConflictWon) else HighlightKind.LOST
            yield Highlight(kind, (str(state.characters[event.character].place),))
        case DragonSlain() if event.character in state.characters:
            yield Highlight(HighlightKind.RUIN, (str(state.characters[event.character].place),))


def faces(state: State) -> Iterator[Face]:
    """The players, and their Smiths and Heroines."""
    for seat in state.players():
        yield Face(FaceKind.GOD, seat.name, seat.id)
    for character in state.characters.values():
        yield Face(FaceKind.HERO, character.name, character.seat)


def winners(state: State) -> Iterator[str]:
    """The players who have won."""
    return (state.seat_name(seat) for seat in state.course.winners)


def holdings(state: State, seat: UUID) -> Holdings:
    """A player's points and tokens, then each character with dice, place and artifacts."""
    purse = state.purses.get(seat)
    if purse is None:
        return {}
    tokens = {"Resource tokens": purse.resource, "Secret tokens": purse.secret}
    found: dict[str, str | int] = {"Points": purse.vp, **{label: count for label, count in tokens.items() if count}}
    for character in state.characters_of(seat):
        dice = " ".join(f"{count}d{size.value}" for size, count in Counter(dice_of(character)).items())
        place = state.places[character.place].name if character.place in state.places else ""
        artifacts = (artifact.name for artifact in state.artifacts_of(character.id))
        found[character.name] = ", ".join(filter(None, (dice, place, *artifacts)))
    return found


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
        DragonSlain,
        ConflictWon,
        ConflictFailed,
        ArtifactMade,
        HeroineRecruited,
        ArtifactTaken,
        RuinsFound,
        CreationFailed,
        ActionDeclared,
        ArtifactBegun,
    ),
    finished_by=(GameFinished,),
    accent=Accent("#6b4f00", "#ecc75a"),
    main_chart="glory",
)
