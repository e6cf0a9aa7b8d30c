"""The map of a game: it is dropped, built as events, and accepted (FB-MAP-3, section 11)."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.drop import drop_dice
from games.forgeborn.rules.realm.events import DieDropped
from games.forgeborn.rules.realm.realm import ORDER, Link, Realm, Ridge, Site, key_of
from games.forgeborn.rules.realm.rows import dice_in_order
from games.forgeborn.rules.setup.events import MapAccepted, MapBuilt, MapOpened
from games.forgeborn.rules.setup.smiths import ask_for_smiths
from games.forgeborn.rules.setup.values import Bend, BuiltPlace, Cluster, Joint, Route
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked, DropBy, WayKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import plain_name
from games.forgeborn.rules.story.rules import draw_threat

TO_FALL = "no dice"
"""The case in which the map is asked for before its dice have fallen."""


def open_map(state: State, ctx: Context) -> Iterator[Event]:
    """The start opens the map; the service drops its dice at once, and without a referee it stands at once."""
    yield MapOpened()
    if options_of(state).drop is DropBy.SERVICE:
        yield from drop_map(state, ctx)
    if not state.has_referee:
        yield from accept_map(state, ctx)
        return
    yield from ask_row(state, ctx, Asked.MAP, case="" if state.places else TO_FALL)


def drop_map(state: State, ctx: Context) -> Iterator[Event]:
    """The fifteen dice fall, and are a map (FB-MAP-1, 2)."""
    for fall in drop_dice(ctx.roll, options_of(state)):
        yield DieDropped.of(fall)
    yield from build_map(state, ctx)


def build_map(state: State, ctx: Context) -> Iterator[Event]:
    """The dice on the sheet are a map by the rules (FB-MAP-4 to 14)."""
    winds = state.course.winds or not state.places  # a map of before that is dropped anew stays one
    yield map_built(state, ctx, build(dice_in_order(state.dice.values()), options_of(state), winds=winds))


def map_built(state: State, ctx: Context, realm: Realm) -> MapBuilt:
    """The event of a map; places that are there already keep their ids and names (FB-MAP-15)."""
    former = {key_of(place.kind, place.number): place for place in state.places.values()}
    ids: dict[str, UUID] = {
        site.key: former[site.key].id if site.key in former else ctx.mint(PUBLIC) for site in realm.sites
    }
    names = {key: place.name for key, place in former.items()}
    mountains = Cluster(dice=realm.mountains, joints=_joints(realm.ridges))
    return MapBuilt(
        places=tuple(_built_place(site, ids[site.key], names.get(site.key)) for site in realm.sites),
        roads=_routes(realm.links, ids, WayKind.ROAD),
        trails=_routes(realm.links, ids, WayKind.TRAIL),
        range=mountains,
        patches=tuple(Cluster(dice=patch.dice, joints=_joints(patch.ridges)) for patch in realm.patches),
        winds=realm.winds,
    )


def accept_map(state: State, ctx: Context) -> Iterator[Event]:
    """The map stands; without a referee each Village and each Ruins has a drawn threat (FB-TXT-2). Smiths follow."""
    yield from close_question(state, Asked.MAP, "accepted")
    yield MapAccepted()
    for place in sorted(state.places.values(), key=lambda place: (ORDER.index(place.kind), place.number)):
        yield from draw_threat(state, ctx, place)
    yield from ask_for_smiths(state, ctx)


def settle_map(state: State, ctx: Context) -> Iterator[Event]:
    """Silence at the map: dice that have not fallen are dropped, then it is accepted as built (section 11)."""
    if not state.places:
        yield from drop_map(state, ctx)
    yield from accept_map(state, ctx)


def require_map(state: State) -> None:
    """Refuse (`map.incomplete`) what needs a map before its dice have fallen."""
    if not state.places:
        raise Refused(
            "map.incomplete",
            "The dice of the map have not fallen; drop-dice lets them fall, enter-map enters a real drop.",
            rules=("FB-MAP-3",),
        )


def _built_place(site: Site, identity: UUID, name: str | None) -> BuiltPlace:
    return BuiltPlace(
        place=identity,
        kind=site.kind,
        number=site.number,
        name=name or plain_name(site.kind, site.number),
        die=site.die,
        power=site.power,
        x=site.point.x,
        y=site.point.y,
    )


def _routes(links: Iterable[Link], ids: dict[str, UUID], kind: WayKind) -> tuple[Route, ...]:
    """The ways of a kind, by the ids of their places."""
    return tuple(Route(a=ids[link.a], b=ids[link.b]) for link in links if link.kind is kind)


def _joints(ridges: Iterable[Ridge]) -> tuple[Joint, ...]:
    return tuple(
        Joint(a=ridge.a, b=ridge.b, bends=tuple(Bend(x=bend.x, y=bend.y) for bend in ridge.bends)) for ridge in ridges
    )
