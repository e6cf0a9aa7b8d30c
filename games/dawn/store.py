"""Rows <-> state of Dawn: common nouns in `worlds` with sheets beside them, all else in rows of its own.

The chronicle of the world retells what happens in it, as it happens; what a rewind undoes is taken out of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID, uuid5

from django.db.models import Max

from games import models
from games.dawn import models as own
from games.dawn.pictures import plan_of
from games.dawn.rules import RULESET
from games.dawn.rules.chronicle import SETTING, retold
from games.dawn.rules.races.races import RaceCreated
from games.dawn.rules.races.subraces import SubraceCreated
from games.dawn.rules.state import records as rec
from games.dawn.rules.state.schema_types import Age, Life
from games.engine.audience import PUBLIC
from games.engine.economy.purses import Hold, Purse
from games.engine.economy.trade_offers import Exchange
from games.engine.kernel import EventRecord
from games.engine.lifecycle.amend import Amended
from games.engine.lifecycle.gm_commands import Rewound
from games.storage.store import Mapped, Part, Store, chunks, same, square_id_at
from worlds.drawing.map_view import MapPlan, PlanLand
from worlds.ids import colours_apart, square_xy
from worlds.models import Adjacency, Army, Avatar, Chronicle, City, Deity, Order, Race, Square, World


def columns(*names: str, **renamed: str) -> Mapping[str, str]:
    """Record fields and their columns, called alike unless renamed."""
    return {name: name for name in names} | renamed


def readers(record: Any, state: Any, game: models.Game) -> str:
    """Who may see a record that says so itself."""
    return str(type(record).audience(record))


def extinct(race: rec.Race, state: Any, game: models.Game) -> bool:
    """Whether a race is no more (DW-MIR-5)."""
    return race.life is Life.EXTINCT


def race_of(record: rec.Edge, state: Any, game: models.Game) -> Any:
    """The race that an edge belongs to; None for that of a city."""
    return record.target if record.target in state.races else None


def city_of(record: rec.Edge, state: Any, game: models.Game) -> Any:
    """The city that an edge belongs to; None for that of a race."""
    return record.target if record.target in state.cities else None


def home_of(army: rec.Army, state: Any, game: models.Game) -> int:
    """The square of the city that an army stands in (DW-WAR-12)."""
    city = state.cities[army.city]
    return square_id_at(game, city.x, city.y)


def standing_on(avatar: rec.Avatar, state: Any, game: models.Game) -> int | None:
    """The square of a living avatar."""
    return square_id_at(game, avatar.x, avatar.y) if avatar.alive else None


def founding_in_words(order: rec.Order, state: Any, game: models.Game) -> str:
    """When an order was founded, in words."""
    return f"Age {order.age}, round {order.round}"


RETOLD = tuple(kind.__name__ for kind in SETTING)
BEHIND = frozenset({"asking", "settled", "refusers", "withdrawn", "worked"})
"""How far the service has come with an open power; what is public of it has events of its own."""
TABLES: tuple[Mapped, ...] = (
    Mapped("courses", rec.Course, (same(rec.Course, own.Course, scope="", id="game_id"),)),
    Mapped(
        "gods",
        rec.God,
        (
            Part(Deity, columns("id", "name"), ("id",), "world_id"),
            Part(
                own.GodSheet,
                columns("portfolio", "moral", "ethical", "text", id="deity_id"),
                ("id",),
                copies={"seat_id": "id"},
            ),
        ),
        via={"name": "deity__name"},
    ),
    Mapped("purses", Purse, (same(Purse, own.Purse, ("seat",)),)),
    Mapped("holds", Hold, (same(Hold, own.Hold, ("undertaking", "seat")),)),
    Mapped("regions", rec.Region, (same(rec.Region, own.Region),)),
    Mapped(
        "squares",
        rec.Square,
        (
            Part(Square, columns("x", "y", "terrain"), ("x", "y"), "world_id", at="id", unique=("id",)),
            Part(
                own.SquareSheet,
                columns("climate", "fantastic", "floating", shaped_by="shaped_by_id", region="region_id"),
                ("x", "y"),
                at="square_id",
            ),
        ),
        via={"terrain": "square__terrain"},
    ),
    Mapped(
        "races",
        rec.Race,
        (
            Part(Race, columns("id", "name"), ("id",), "world_id", copies={"extinct": extinct}),
            Part(
                own.RaceSheet,
                columns("tier", "alignment", "life", "creators", "parents", id="race_id"),
                ("id",),
                at="home_id",
            ),
        ),
        via={"name": "race__name"},
    ),
    Mapped("territory", rec.Territory, (same(rec.Territory, own.Territory, ("race", "x", "y"), at="square_id"),)),
    Mapped(
        "cities",
        rec.City,
        (
            Part(City, columns("id", "name", race="race_id"), ("id",), "world_id", at="square_id"),
            Part(
                own.CitySheet,
                columns("alignment", "raised", "raised_in", "most_raised", id="city_id", controller="controller_id"),
                ("id",),
            ),
        ),
        via={
            "name": "city__name",
            "race": "city__race_id",
            "x": "city__square__x",
            "y": "city__square__y",
        },
    ),
    Mapped(
        "edges",
        rec.Edge,
        (
            replace(
                same(rec.Edge, own.Edge, ("target", "name")),
                copies={"race_id": race_of, "city_id": city_of},
            ),
        ),
    ),
    Mapped(
        "armies",
        rec.Army,
        (Part(Army, columns("id", race="race_id", city="city_id"), ("id",), "", copies={"square_id": home_of}),),
        where="race__dawn_sheet__game_id",
    ),
    Mapped(
        "orders",
        rec.Order,
        (
            Part(
                Order,
                columns("id", "kind", "name", "dissolved", race="race_id"),
                ("id",),
                "",
                copies={"founded": founding_in_words},
            ),
            Part(own.OrderSheet, columns("owners", "age", "round", id="order_id"), ("id",)),
        ),
        via={name: f"order__{name}" for name in ("kind", "name", "dissolved")} | {"race": "order__race_id"},
    ),
    Mapped(
        "avatars",
        rec.Avatar,
        (
            Part(
                Avatar, columns("id", "kind", "name", owner="deity_id"), ("id",), "", copies={"square_id": standing_on}
            ),
            Part(
                own.AvatarSheet,
                columns(
                    "alive",
                    "defending",
                    "fell_in",
                    "returning",
                    "avenging",
                    id="avatar_id",
                    leads="leads_id",
                    killed_by="killed_by_id",
                ),
                ("id",),
                at="square_id",
            ),
        ),
        via={"kind": "avatar__kind", "name": "avatar__name", "owner": "avatar__deity_id"},
    ),
    Mapped("alliances", rec.Alliance, (same(rec.Alliance, own.Alliance),)),
    Mapped("marks", rec.Mark, (same(rec.Mark, own.Mark, ("price", "target")),)),
    Mapped("powers", rec.Power, (same(rec.Power, own.Power),), hidden=BEHIND),
    Mapped("conflicts", rec.Conflict, (same(rec.Conflict, own.Conflict),)),
    Mapped("wars", rec.War, (same(rec.War, own.War, at="square_id"),)),
    Mapped("motions", rec.Motion, (same(rec.Motion, own.Motion),)),
    Mapped("offers", Exchange, (replace(same(Exchange, own.Offer), copies={"audience": readers}),)),
    Mapped(
        "advances",
        rec.Advance,
        (replace(same(rec.Advance, own.Advance, ("seat", "kind", "about")), copies={"audience": readers}),),
    ),
)

PEOPLED = (RaceCreated, SubraceCreated, Amended, Rewound)
"""What may bring a race that has no colour yet."""


class DawnStore(Store):
    """The store of Dawn: a world beside the tables, whose map is drawn from the state."""

    draws: ClassVar[bool] = True

    def is_more_dirty(self, state: Any) -> bool:
        return False

    def caption(self, game: models.Game) -> str:
        course = own.Course.objects.filter(game=game).first()
        if course is None or not course.age:
            return "Before the first Age"
        return f"Age of {Age(course.age).name.capitalize()}, round {course.round} of {course.length}"

    def plan(self, state: Any, game: models.Game, subtitle: str) -> MapPlan | None:
        if game.world is None or not state.squares:
            return None
        chosen = dict(Race.objects.filter(world=game.world).values_list("id", "colour"))
        plan = plan_of(state, colours_apart(chosen))
        return replace(plan, title=game.name, subtitle=subtitle, attribution=game.world.attribution)

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        held: dict[tuple[str, Any], list[tuple[int, int]]] = {}
        rows = own.SquareSheet.objects.filter(game=game, region__isnull=False)
        rows = rows.order_by("region__name", "region", "square")
        for name, region, square in rows.values_list("region__name", "region", "square"):
            held.setdefault((name, region), []).append(square_xy(square, game.world.width if game.world else 0))
        return [PlanLand(name, tuple(squares)) for (name, _), squares in held.items()]

    def save_before(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        course = state.course
        size = (course.width, course.height) if state.squares else (0, 0)
        if game.world is None:
            game.world = World.objects.create(
                id=uuid5(game.pk, "world"),
                name=state.table.name,
                width=size[0],
                height=size[1],
                adjacency=Adjacency.SIDES,
                is_public=game.is_public,
            )
        elif (game.world.width, game.world.height) != size:
            redraw(state, game.world, *size)
        moved = state.cities.dirty
        state.armies.dirty |= {army.id for army in state.armies.values() if army.city in moved}

    def save_more(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        if game.world is not None:
            if any(isinstance(h.event, PEOPLED) for h in happened):
                Race.objects.filter(world=game.world).paint()
            cut_chronicle(game, game.world, happened)
            write_chronicle(state, game, game.world, happened)


def cut_chronicle(game: models.Game, world: World, happened: Sequence[EventRecord]) -> None:
    """Take out of a world's chronicle what a rewind undoes."""
    for to in (h.event.to for h in happened if isinstance(h.event, Rewound)):
        undone = models.LoggedEvent.objects.filter(game=game, audience=PUBLIC, seq__gt=to, type__in=RETOLD)
        entries = [entry_of(game, ordinal) for ordinal in undone.values_list("ordinal", flat=True)]
        for some in chunks(entries):
            Chronicle.objects.filter(world=world, entry__in=some).delete()


def write_chronicle(state: Any, game: models.Game, world: World, happened: Sequence[EventRecord]) -> None:
    """A chronicle row for each sentence that retells the world as a setting, under its Age."""
    public = [h for h in happened if h.audience == PUBLIC]
    told = list(retold(public, state.course.age))
    if not told:
        return
    head = models.Stream.objects.filter(game=game, audience=PUBLIC).values_list("head", flat=True).first() or 0
    last = Chronicle.objects.filter(world=world).aggregate(last=Max("position"))["last"] or 0
    rows = []
    for position, each in enumerate(told, start=last + 1):
        entry = entry_of(game, head + each.place + 1)
        rows.append(
            Chronicle(
                id=entry,
                world=world,
                position=position,
                age=each.age,
                heading=f"Age of {each.age.name.capitalize()}",
                text=each.text,
                square_id=square_id_at(game, *each.square) if each.square else None,
                entry=entry,
                written_at=each.at,
            )
        )
    Chronicle.objects.bulk_create(rows)


def entry_of(game: models.Game, ordinal: int) -> UUID:
    """The chronicle's id of a public event: from its place in the public stream, which tells of no secret one."""
    return uuid5(game.pk, f"{PUBLIC}/{ordinal}")


def redraw(state: Any, world: World, width: int, height: int) -> None:
    """Give a world another size. Its squares get other ids, so everything is written anew that may stand on them."""
    world.squares.all().delete()
    world.width, world.height = width, height
    world.save(update_fields=["width", "height"])
    for _, rows in state.rows():
        rows.dirty.update(rows)


STORE = DawnStore(RULESET, *TABLES)
