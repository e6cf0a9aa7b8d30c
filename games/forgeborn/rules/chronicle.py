"""The saga of a game as it is told, round by round: what Smiths dare, meet, forge and win. Reads alone.

Votes, offers and turns are the game's own. What people have written stands in their own words.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from games.engine.insight.chronicle import Fact, Scene, Sentence, Story, Teller, names, plain
from games.engine.kernel import Event
from games.engine.wording import capital, full_sentence, listing, quantity
from games.forgeborn.rules.claims.events import ArtifactHanded, ArtifactTaken, ClaimMade, ClaimUsed, ClaimVoided
from games.forgeborn.rules.conflict.events import (
    ActionDeclared,
    ConflictFailed,
    ConflictWon,
    DangerDescribed,
    DragonSlain,
    PrinceSwayed,
    RuinsFound,
    SteppedBack,
)
from games.forgeborn.rules.conflict.purchase_events import CreationFailed
from games.forgeborn.rules.forge.events import ArtifactBegun, ArtifactMade, HeroineRecruited
from games.forgeborn.rules.setup.events import GameStarted, SmithsRevealed
from games.forgeborn.rules.state.schema_types import CameBy, Deed, EndReason, Form
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import PLAIN_NAMES, dice_in_words
from games.forgeborn.rules.story.events import PlaceNamed, SceneTold, ThreatSet
from games.forgeborn.rules.turns.events import GameFinished, TimeCalled

Setting = Scene[State]
ACTIONS = (ActionDeclared, ArtifactBegun)
"""What begins a deed; what follows belongs to it."""
SETS_OUT: Mapping[Deed, str] = {
    Deed.RECRUIT_HEROINE: "looks for a Heroine at {place}",
    Deed.CONTEST_ARTIFACT: "reaches for {artifact}, which was denied",
    Deed.TAKE_TEST: "takes the test for {artifact}",
    Deed.FACE_DRAGON: "faces the Dragon",
    Deed.EXPLORE_RUINS: "goes into {place}",
    Deed.ASSIST_VILLAGE: "comes to the help of {place}",
    Deed.BESEECH_PRINCE: "beseeches the Prince",
}
MADE: Mapping[Form, str] = {
    Form.CLOTHING: "a garment",
    Form.JEWELRY: "a jewel",
    Form.BLUNT: "a hammer",
    Form.RANGED: "a weapon that reaches far",
    Form.BLADED: "a blade",
}
ENDINGS: Mapping[EndReason, str] = {
    EndReason.DRAGON: "The Dragon has fallen",
    EndReason.ROUNDS: "The years have run out",
    EndReason.CALLED: "The tale has come to its end",
    EndReason.LEFT: "The Smiths have gone their ways",
}


def name_of(scene: Setting, character: UUID) -> str:
    """A Smith or a Heroine."""
    found = scene.state.characters.get(character)
    return found.name if found is not None else "somebody"


def place_of(scene: Setting, place: UUID) -> str:
    """A place; one that nobody has named and that stands alone with its article."""
    found = scene.state.places.get(place)
    if found is None:
        return "a place"
    return f"the {found.name}" if found.name in PLAIN_NAMES.values() else found.name


def artifact_of(scene: Setting, artifact: UUID | None) -> str:
    """A thing that was forged."""
    found = scene.state.artifacts.get(artifact) if artifact is not None else None
    return found.name if found is not None else "an artifact"


def tell_deed(scene: Setting, event: Any) -> Iterator[Fact]:
    """An action with all that comes of it, in one sentence."""
    begun = event if isinstance(event, ACTIONS) else scene.before(event, *ACTIONS)
    if begun is None:
        yield Fact(("deed", None), partial(_later, scene), event)
        return
    write = _forging if isinstance(begun, ArtifactBegun) else _deed
    yield Fact(
        ("deed", begun.creation if isinstance(begun, ArtifactBegun) else begun.conflict), partial(write, scene), event
    )


def _later(scene: Setting, events: Sequence[Any]) -> Sentence | None:
    """The end of a deed whose beginning is not among these events."""
    return _deed(scene, events) if any(isinstance(event, ConflictWon | ConflictFailed) for event in events) else None


def _deed(scene: Setting, events: Sequence[Any]) -> Sentence | None:
    by_kind: dict[type[Event], Any] = {type(event): event for event in events}
    begun, danger = by_kind.get(ActionDeclared), by_kind.get(DangerDescribed)
    won, failed = by_kind.get(ConflictWon), by_kind.get(ConflictFailed)
    actor = begun or won or failed
    clauses, own_words, figures = list[str](), "", list[str]()
    if begun is not None:
        words = {"place": place_of(scene, begun.place), "artifact": artifact_of(scene, begun.artifact)}
        clauses.append(SETS_OUT[begun.action].format(**words))
        if begun.power is not None:
            figures.append(f"Power {begun.power}")
    if danger is not None:
        met = " ".join(danger.text.split()).rstrip(".")
        if met[:1].islower():
            clauses.append(f"meets {met}")
        elif met:
            own_words = f" {full_sentence(danger.text)}"
    clauses += _outcome(scene, by_kind)
    ended = won or failed
    if ended is not None:
        figures.insert(0, f"{ended.total} to {ended.against}")
    if HeroineRecruited in by_kind:
        figures.append(dice_in_words(by_kind[HeroineRecruited].dice))
    if not clauses or actor is None:
        return None
    return Sentence(f"{name_of(scene, actor.character)} {listing(clauses)}.{own_words}", ", ".join(figures))


def _outcome(scene: Setting, by_kind: Mapping[type[Event], Any]) -> Iterator[str]:
    """How an action ends, as clauses."""
    taken = by_kind.get(ArtifactTaken)
    if DragonSlain in by_kind:
        yield "slays it"
    elif taken is not None:
        yield f"wins {artifact_of(scene, taken.artifact)}"
    elif PrinceSwayed in by_kind:
        yield "wins the ear of the Prince"
    elif RuinsFound in by_kind:
        yield "finds the way to new ruins"
    elif HeroineRecruited in by_kind:
        yield f"finds {by_kind[HeroineRecruited].name}"
    elif ConflictWon in by_kind:
        yield "prevails"
    elif ConflictFailed in by_kind:
        yield "fails"
    elif CreationFailed in by_kind:
        yield "finds nobody"
    elif SteppedBack in by_kind:
        yield "steps back"


def _forging(scene: Setting, events: Sequence[Any]) -> Sentence | None:
    by_kind: dict[type[Event], Any] = {type(event): event for event in events}
    begun, made = by_kind.get(ArtifactBegun), by_kind.get(ArtifactMade)
    if made is not None:
        helped = names(name_of(scene, smith) for smith in made.helpers)
        text = f"{name_of(scene, made.maker)} forges {made.name}, {MADE[made.form]} for {made.function.value}"
        text += f", with the help of {helped}" if helped else ""
        return Sentence(f"{text}.", f"Power {made.power}, {dice_in_words(made.dice)}")
    if begun is None:
        return None
    failed = "fails" if CreationFailed in by_kind else "stands at the anvil still"
    does = f"tries to forge {begun.name} and {failed}" if CreationFailed in by_kind else f"begins to forge {begun.name}"
    return Sentence(f"{name_of(scene, begun.character)} {does}.")


def tell_taken(scene: Setting, event: ArtifactTaken) -> Iterator[Fact]:
    if event.came_by is CameBy.VOTE:
        yield plain(f"The others let {name_of(scene, event.character)} have {artifact_of(scene, event.artifact)}.")
    else:
        yield from tell_deed(scene, event)


def tell_handed(scene: Setting, event: ArtifactHanded) -> Iterator[Fact]:
    giver, taker = name_of(scene, event.giver), name_of(scene, event.taker)
    yield Fact(
        ("handed", event.giver, event.taker),
        lambda things: Sentence(f"{giver} hands {names(things)} to {taker}."),
        artifact_of(scene, event.artifact),
    )


def tell_claim(scene: Setting, event: ClaimMade | ClaimUsed | ClaimVoided) -> Iterator[Fact]:
    thing, who = artifact_of(scene, event.artifact), scene.state.seat_name(event.seat)
    match event:
        case ClaimMade():
            yield plain(f"By the Prince's word {who} lays claim to {thing}.")
        case ClaimUsed():
            yield plain(f"By the Prince's word {name_of(scene, event.character)} takes {thing}.")
        case ClaimVoided():
            yield plain(f"The claim of {who} to {thing} comes to nothing.")


def tell_smiths(scene: Setting, event: SmithsRevealed) -> Iterator[Fact]:
    smiths = [each.name for each in event.smiths]
    figures = "; ".join(f"{each.name} {dice_in_words(each.dice)}" for each in event.smiths)
    yield plain(f"{listing(smiths)} {'are the Smiths' if len(smiths) > 1 else 'is the Smith'} of this tale.", figures)


def tell_start(scene: Setting, event: GameStarted) -> Iterator[Fact]:
    yield plain("The Dragon lies in its Lair, and the Smiths set out from the Citadel.", f"Power {event.dragon}")


def tell_name(scene: Setting, event: PlaceNamed) -> Iterator[Fact]:
    yield plain(f"{event.former} is called {event.name} from now on.")


def tell_threat(scene: Setting, event: ThreatSet) -> Iterator[Fact]:
    place, text = capital(place_of(scene, event.place)), " ".join(event.text.split()).rstrip(".")
    if text[:1].islower():
        yield plain(f"{place} is troubled by {text}.")
    elif text:
        yield plain(f"Trouble comes to {place_of(scene, event.place)}: {full_sentence(event.text)}")


def tell_scene(scene: Setting, event: SceneTold) -> Iterator[Fact]:
    yield plain(full_sentence(event.text))


def tell_time(scene: Setting, event: TimeCalled) -> Iterator[Fact]:
    yield plain("The tale draws to its end.")


def tell_end(scene: Setting, event: GameFinished) -> Iterator[Fact]:
    how = ENDINGS[event.reason]
    if not event.winners:
        yield plain(f"{how}, and nobody wins.")
        return
    who = listing(scene.state.seat_name(seat) for seat in event.winners)
    glory = "; ".join(
        f"{scene.state.seat_name(each.seat)} {quantity(each.vp, 'victory point')}" for each in event.glory
    )
    yield plain(f"{how}, and {who} {'share the victory' if len(event.winners) > 1 else 'wins'}.", glory)


TELLERS: Mapping[type[Event], Teller] = {
    SmithsRevealed: tell_smiths,
    GameStarted: tell_start,
    PlaceNamed: tell_name,
    ThreatSet: tell_threat,
    SceneTold: tell_scene,
    ActionDeclared: tell_deed,
    DangerDescribed: tell_deed,
    SteppedBack: tell_deed,
    ConflictWon: tell_deed,
    ConflictFailed: tell_deed,
    PrinceSwayed: tell_deed,
    RuinsFound: tell_deed,
    DragonSlain: tell_deed,
    CreationFailed: tell_deed,
    HeroineRecruited: tell_deed,
    ArtifactBegun: tell_deed,
    ArtifactMade: tell_deed,
    ArtifactTaken: tell_taken,
    ArtifactHanded: tell_handed,
    ClaimMade: tell_claim,
    ClaimUsed: tell_claim,
    ClaimVoided: tell_claim,
    TimeCalled: tell_time,
    GameFinished: tell_end,
}
STORY: Story[State] = Story(TELLERS)
