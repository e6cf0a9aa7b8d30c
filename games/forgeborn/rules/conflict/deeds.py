"""What each conflict is rolled against, what it needs, and what winning it brings (FB-DRG, RUI, VIL, PRI, VLT, TST)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row
from games.forgeborn.rules.claims.rules import take_artifact
from games.forgeborn.rules.conflict.events import DragonSlain, PrinceSwayed, ProblemSet, RuinsFound, RuinsSpent
from games.forgeborn.rules.gains.events import Glory
from games.forgeborn.rules.gains.rules import gain_glory, gain_token
from games.forgeborn.rules.realm.drop import drop_die
from games.forgeborn.rules.realm.edits import add_ruins, name_of_next_ruins
from games.forgeborn.rules.realm.events import DieDropped, MapDieEntered
from games.forgeborn.rules.realm.realm import Realm
from games.forgeborn.rules.realm.rows import realm_of
from games.forgeborn.rules.state.constants import RUINS_SIDES, VILLAGE_SIDES
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import Action, Artifact, Character, Place
from games.forgeborn.rules.state.schema_types import (
    Asked,
    CameBy,
    CharacterKind,
    Deed,
    DropBy,
    PlaceKind,
    Token,
)
from games.forgeborn.rules.state.sheet import MapDie, Point
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import PLAIN_NAMES, plain_name
from games.forgeborn.rules.story.rules import draw_threat
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn, start_last_turns

PLACES = {
    Deed.BEGIN_ARTIFACT: (PlaceKind.CITADEL,),
    Deed.RECRUIT_HEROINE: (PlaceKind.CITY, PlaceKind.VILLAGE),
    Deed.CONTEST_ARTIFACT: (PlaceKind.CITADEL,),
    Deed.TAKE_TEST: (PlaceKind.CITADEL,),
    Deed.FACE_DRAGON: (PlaceKind.LAIR,),
    Deed.EXPLORE_RUINS: (PlaceKind.RUINS,),
    Deed.ASSIST_VILLAGE: (PlaceKind.VILLAGE,),
    Deed.BESEECH_PRINCE: (PlaceKind.CITY,),
}
"""Where an action is done."""
RULES = {
    Deed.BEGIN_ARTIFACT: "FB-ART-1",
    Deed.RECRUIT_HEROINE: "FB-HER-1",
    Deed.CONTEST_ARTIFACT: "FB-VLT-1",
    Deed.TAKE_TEST: "FB-TST-1",
    Deed.FACE_DRAGON: "FB-DRG-1",
    Deed.EXPLORE_RUINS: "FB-RUI-1",
    Deed.ASSIST_VILLAGE: "FB-VIL-1",
    Deed.BESEECH_PRINCE: "FB-PRI-1",
}
"""The rule of an action."""


def require_kind(character: Character, kind: CharacterKind, rule: str) -> None:
    """Refuse a Heroine (`character.smith_only`) or a Smith (`character.heroine_only`) where the other kind acts."""
    if character.kind is kind:
        return
    if kind is CharacterKind.SMITH:
        raise Refused(
            "character.smith_only",
            f"This is for a Smith; {character.name} is a Heroine.",
            rules=(rule,),
            character=character.id,
        )
    raise Refused(
        "character.heroine_only",
        f"This is for a Heroine; {character.name} is a Smith.",
        rules=(rule,),
        character=character.id,
    )


def require_place_of(state: State, character: Character, deed: Deed) -> Place:
    """The place where an action is done. Raises `place.wrong` for a character who stands elsewhere."""
    place = state.places[character.place]
    require_standing_at(place, PLACES[deed], RULES[deed])
    return place


def require_standing_at(place: Place, kinds: tuple[PlaceKind, ...], rule: str) -> None:
    """Refuse (`place.wrong`) what is done in places of another kind."""
    if place.kind not in kinds:
        where = " or ".join(PLAIN_NAMES[kind] for kind in kinds)
        raise Refused(
            "place.wrong",
            f"This is done at: {where}; your character is at {place.name}.",
            rules=(rule,),
            place=place.id,
        )


def require_vault(state: State, artifact: UUID, rule: str) -> Artifact:
    """An artifact in the Vault. Raises `artifact.missing`, `artifact.not_in_vault`."""
    found = state.artifacts.get(artifact)
    if found is None:
        raise Refused("artifact.missing", "There is no such artifact.", rules=(rule,), artifact=artifact)
    if not state.is_in_vault(found):
        holder = state.characters[found.holder].name
        raise Refused(
            "artifact.not_in_vault",
            f"{found.name} does not lie in the Vault; {holder} holds it.",
            rules=(rule,),
            artifact=artifact,
        )
    return found


def power_of(state: State, deed: Deed, place: Place, artifact: Artifact | None) -> int:
    """The d12 that roll against a conflict: of the artifact that is fought for, else of the place."""
    return artifact.power if deed is Deed.CONTEST_ARTIFACT and artifact is not None else place.power


def win(state: State, ctx: Context, action: Action) -> Iterator[Event]:
    """What a won conflict brings; its Sacrifices are lost already. The turn ends, unless the table drops a die."""
    seat, place = action.seat, state.places[action.place]
    match action.kind:
        case Deed.CONTEST_ARTIFACT | Deed.TAKE_TEST if action.artifact is not None:
            came_by = CameBy.TEST if action.kind is Deed.TAKE_TEST else CameBy.CONFLICT
            yield from take_artifact(state, action.artifact, action.character, came_by)
        case Deed.EXPLORE_RUINS:
            yield from gain_token(state, seat, Token.SECRET)
            yield from gain_glory(state, seat, 1, Glory.RUINS)
            yield RuinsSpent(place=place.id)
            if state.has_referee and options_of(state).drop is DropBy.TABLE:
                yield from _ask_for_ruins(state, ctx)
                return
            yield from drop_ruins(state, ctx)
            return
        case Deed.ASSIST_VILLAGE:
            yield from gain_token(state, seat, Token.RESOURCE)
            power = ctx.roll(f"conflict/{action.id}/problem", VILLAGE_SIDES, "FB-VIL-1")
            yield ProblemSet(place=place.id, power=power)
            yield from draw_threat(state, ctx, state.places[place.id])
        case Deed.FACE_DRAGON:
            yield DragonSlain(seat=seat, character=action.character, power=place.power)
            yield from gain_glory(state, seat, place.power, Glory.DRAGON)
            yield from start_last_turns(state, seat)
        case Deed.BESEECH_PRINCE:
            yield PrinceSwayed(seat=seat)
    yield from end_turn(state, TurnEnd.ACTION)


def drop_ruins(state: State, ctx: Context) -> Iterator[Event]:
    """The service drops the die of new Ruins (FB-RUI-2)."""
    realm = realm_of(state)
    fall = drop_die(ctx.roll, name_of_next_ruins(realm), realm.dice, realm.options)
    yield DieDropped.of(fall)
    yield from _find_ruins(state, ctx, realm, fall.die)


def enter_ruins(state: State, ctx: Context, face: int, point: Point) -> Iterator[Event]:
    """The table has dropped the die of new Ruins. Raises `die.range`, `point.off_sheet` (FB-RUI-2)."""
    realm = realm_of(state)
    die = MapDie(name_of_next_ruins(realm), RUINS_SIDES, face, point)
    add_ruins(realm, face, point)
    yield MapDieEntered.of(die)
    yield from _find_ruins(state, ctx, realm, die)


def _ask_for_ruins(state: State, ctx: Context) -> Iterator[Event]:
    yield from ask_row(state, ctx, Asked.RUINS, sides=RUINS_SIDES)


def _find_ruins(state: State, ctx: Context, realm: Realm, die: MapDie) -> Iterator[Event]:
    """New Ruins and their Trail; the turn is over."""
    grown = add_ruins(realm, die.face, die.point)
    site = next(site for site in grown.sites if site.die == die.name)
    ends = next(link.ends for link in grown.links if site.key in link.ends)
    neighbour = grown.by_key()[ends[0] if ends[1] == site.key else ends[1]]
    place = ctx.mint(PUBLIC)
    yield RuinsFound(
        place=place,
        number=site.number,
        name=plain_name(site.kind, site.number),
        die=die.name,
        power=site.power,
        x=die.point.x,
        y=die.point.y,
        neighbour=state.place_of_kind(neighbour.kind, neighbour.number).id,
    )
    yield from draw_threat(state, ctx, state.places[place])
    yield from end_turn(state, TurnEnd.ACTION)
