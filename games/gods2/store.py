"""Rows <-> state of The Gods II: common nouns in `worlds`, numbers on sheets, the map as a board.

Long for one reason: each table whose rows are not plain records is read and written here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Max, Model

from games import models
from games.engine.board.board import Square
from games.engine.kernel import EventRecord
from games.engine.lifecycle.amend import Amended
from games.engine.lifecycle.gm_commands import Rewound
from games.engine.wording import capital
from games.gods2 import models as own
from games.gods2.packs import Library
from games.gods2.pictures import plan_of
from games.gods2.rules import RULESET
from games.gods2.rules.history.record import HistoryEntered
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.state import effect_records as last
from games.gods2.rules.state import records as rec
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.wording import stand_name
from games.storage import board_store
from games.storage.store import Codec, Mapped, Part, Store, chunks, same
from worlds.drawing.map_view import MapPlan, PlanLand
from worlds.ids import colours_apart
from worlds.models import Chronicle, City, Deity, Feature, PantheonShare, Presence, Race, World
from worlds.visibility import Visibility

SPECIAL = (rec.ATHEISM, rec.DIABOLISM)


def square_codec(game: models.Game) -> Codec:
    """A square of a record stands as the id of its row; APIs send {x, y}."""
    world = game.world
    if world is None:
        raise RuntimeError("squares need a world")
    return Codec(
        lambda square: board_store.id_of(world, square),
        lambda square: board_store.square_of(world, square),
        lambda square: xy(board_store.square_of(world, square)),
    )


def xy(square: Square) -> dict[str, int]:
    """A square as the APIs send it."""
    return {"x": square.column, "y": square.row}


def squares_codec(_: models.Game) -> Codec:
    """Squares kept as JSON of {x, y}."""
    return Codec(
        lambda squares: json.dumps([xy(square) for square in squares]),
        lambda text: tuple(Square(place["y"], place["x"]) for place in json.loads(text)),
        json.loads,
    )


def goal_codec(_: models.Game) -> Codec:
    """A square or nothing, kept as JSON."""
    return Codec(
        lambda square: json.dumps(None if square is None else xy(square)),
        lambda text: Square(place["y"], place["x"]) if (place := json.loads(text)) else None,
        json.loads,
    )


def shares_codec(_: models.Game) -> Codec:
    """Members and shares kept as JSON of {member, share}."""
    return Codec(
        lambda pairs: json.dumps([{"member": member, "share": share} for member, share in pairs]),
        lambda text: tuple((told["member"], told["share"]) for told in json.loads(text)),
        json.loads,
    )


class Races(Mapped):
    """Races: the world's row, the sheet, and a row for each attribute and knowledge."""

    keyed: tuple[tuple[str, type[Model]], ...] = (
        ("attributes", own.RaceAttribute),
        ("knowledges", own.RaceKnowledge),
    )

    def names(self) -> list[str]:
        return [n for n in super().names() if n not in dict(self.keyed)]

    def load(self, state: Any, game: models.Game) -> None:
        super().load(state, game)
        for name, model in self.keyed:
            for race, keys in self._keys(model, game).items():
                state.races.load(race, replace(state.races[race], **{name: tuple(sorted(keys))}))

    def view(self, game: models.Game, sight: Visibility) -> list[dict[str, Any]]:
        rows = super().view(game, sight)
        for name, model in self.keyed:
            keys = self._keys(model, game)
            for row in rows:
                row[name] = sorted(keys.get(row["id"], ()))
        return rows

    def _keys(self, model: type[Model], game: models.Game) -> dict[UUID, list[str]]:
        found: dict[UUID, list[str]] = {}
        for race, key in model._default_manager.filter(game=game).values_list("race_id", "key"):
            found.setdefault(race, []).append(key)
        return found

    def save(self, state: Any, game: models.Game) -> None:
        touched = [state.races[key] for key in state.races.dirty if key in state.races]
        super().save(state, game)
        for name, model in self.keyed:
            held = {(race, key) for race, keys in self._keys(model, game).items() for key in keys} if touched else set()
            ids = {race.id for race in touched}
            wanted = {(race.id, key) for race in touched for key in getattr(race, name)}
            for race, key in {pair for pair in held if pair[0] in ids} - wanted:
                model._default_manager.filter(race=race, key=key).delete()
            model._default_manager.bulk_create(
                model(race_id=race, key=key, game_id=game.pk) for race, key in sorted(wanted - held)
            )


class Shares(Mapped):
    """Shares of pantheons: a deity, or diabolism or atheism, in columns of their own."""

    def load(self, state: Any, game: models.Game) -> None:
        for race, deity, special, share in self._rows(PantheonShare.objects.all(), game):
            member = special or str(deity)
            state.shares.load((race, member), rec.Share(race, member, share))

    def view(self, game: models.Game, sight: Visibility) -> list[dict[str, Any]]:
        rows = self._rows(PantheonShare.objects.visible_to(sight), game)
        return [{"race": race, "member": special or str(deity), "share": share} for race, deity, special, share in rows]

    def _rows(self, shares: Any, game: models.Game) -> Any:
        ordered = shares.filter(race__world_id=game.world_id).order_by("race", "id")
        return ordered.values_list("race_id", "deity_id", "special", "share")

    def save(self, state: Any, game: models.Game) -> None:
        touched = sorted(state.shares.dirty)
        for race in {race for race, _ in touched}:
            members = [member for r, member in touched if r == race]
            held = PantheonShare.objects.filter(race=race)
            held.filter(deity__in=[m for m in members if m not in SPECIAL]).delete()
            held.filter(special__in=[m for m in members if m in SPECIAL]).delete()
        PantheonShare.objects.bulk_create(
            PantheonShare(
                race_id=race,
                deity_id=None if member in SPECIAL else UUID(member),
                special=member if member in SPECIAL else "",
                share=state.shares[race, member].share,
            )
            for race, member in touched
            if (race, member) in state.shares
        )
        state.shares.dirty.clear()


def columns(*names: str, **renamed: str) -> Mapping[str, str]:
    """Record fields and their columns, called alike unless renamed."""
    return {name: name for name in names} | renamed


ON_MAP = {"square": square_codec}
TABLES: tuple[Mapped, ...] = (
    Mapped("eras", rec.Era, (same(rec.Era, own.Era, scope="", id="game_id"),)),
    Mapped(
        "gods",
        rec.God,
        (
            Part(Deity, columns("id", "name", "kind", "status"), ("id",), "world_id"),
            Part(own.GodSheet, {"id": "deity_id"}, ("id",), "game_id", copies={"seat_id": "id"}),
        ),
        via={"name": "deity__name", "kind": "deity__kind", "status": "deity__status"},
    ),
    Mapped("purses", rec.Purse, (same(rec.Purse, own.Purse, id="seat_id"),)),
    Mapped("pools", rec.Pool, (same(rec.Pool, own.Pool, scope="", id="game_id"),)),
    Mapped("cards", rec.Cards, (same(rec.Cards, own.Cards, ("seat", "sphere")),)),
    Mapped("factors", rec.Factor, (same(rec.Factor, own.Factor, ("seat", "source")),)),
    Races(
        "races",
        rec.Race,
        (
            Part(Race, columns("id", "name", "extinct"), ("id",), "world_id"),
            Part(
                own.RaceSheet,
                columns(
                    "level",
                    "floor",
                    "starved",
                    "turmoil",
                    "troubled",
                    "turmoil_at_will",
                    "peak",
                    "counted",
                    id="race_id",
                ),
                ("id",),
            ),
        ),
        via={"name": "race__name", "extinct": "race__extinct"},
    ),
    Shares("shares", rec.Share, (Part(PantheonShare, {}, ("race", "member"), ""),)),
    Mapped(
        "cities",
        rec.City,
        (
            Part(
                City,
                columns("id", "kind", "name", race="race_id", square="square_id"),
                ("id",),
                "world_id",
                {"square": square_codec},
            ),
        ),
        where="world_id",
    ),
    Mapped(
        "features",
        rec.Feature,
        (
            Part(
                Feature,
                columns("id", "kind", "name", square="square_id"),
                ("id",),
                "world_id",
                {"square": square_codec},
            ),
        ),
        where="world_id",
    ),
    Mapped("wars", rec.War, (replace(same(rec.War, own.War), codecs={"vacated": squares_codec}),)),
    Mapped("policies", rec.WarPolicy, (same(rec.WarPolicy, own.WarPolicy, ("war", "race")),)),
    Mapped(
        "orders",
        rec.PantheonOrder,
        (replace(same(rec.PantheonOrder, own.PantheonOrder, readers="audience"), codecs={"pantheon": shares_codec}),),
    ),
    Mapped("absences", rec.Absence, (same(rec.Absence, own.Absence, ("seat",)),)),
    Mapped("numbers", rec.QueueNumber, (same(rec.QueueNumber, own.QueueNumber, ("number",)),)),
    Mapped("holders", rec.NumberHolder, (same(rec.NumberHolder, own.NumberHolder, ("number",)),)),
    Mapped("lines", rec.Line, (same(rec.Line, own.Line, ("kind", "key")),)),
    Mapped("modifications", last.Modification, (same(last.Modification, own.Modification),)),
    Mapped("cuts", last.Cut, (replace(same(last.Cut, own.Cut), codecs={"squares": squares_codec}),)),
    Mapped(
        "migrations",
        last.Migration,
        (replace(same(last.Migration, own.Migration, id="race_id"), codecs={"square": goal_codec}),),
    ),
    Mapped("authorships", last.Authorship, (same(last.Authorship, own.Authorship, readers="audience"),)),
    Mapped("deeds", last.Deed, (same(last.Deed, own.Deed),)),
    Mapped("signatures", last.Signature, (same(last.Signature, own.Signature),)),
    Mapped("proposals", last.Proposal, (same(last.Proposal, own.Proposal, readers="audience"),)),
    Mapped("tasks", last.Task, (same(last.Task, own.Task, readers="audience"),)),
    Mapped("grants", last.Grant, (same(last.Grant, own.Grant, ("seat", "power", "source")),)),
    Mapped("laws", last.Law, (same(last.Law, own.Law, ("name",)),)),
    Mapped("lands", last.Land, (replace(same(last.Land, own.Land), codecs={"squares": squares_codec}),)),
    Mapped("later_turmoils", last.LaterTurmoil, (same(last.LaterTurmoil, own.LaterTurmoil, ("race",)),)),
    Mapped("growth_plans", last.GrowthPlan, (same(last.GrowthPlan, own.GrowthPlan, scope="", id="game_id"),)),
    Mapped("previews", last.Preview, (same(last.Preview, own.Preview),)),
)

PEOPLED = (RaceDefined, Amended, Rewound)
"""What may bring a race that has no colour yet."""


class Gods2Store(Store):
    """The store of The Gods II: packs handed in, a board beside the tables, the chronicle written as it happens."""

    def new_state(self, game: UUID) -> Any:
        state = super().new_state(game)
        state.hand_packs(Library())
        return state

    def load(self, game: models.Game) -> Any:
        state = super().load(game)
        if state.era.pack_version:
            state.shelf.expect(state.era.pack_version, state.era.pack_digest)
        return state

    def load_more(self, state: Any, game: models.Game) -> None:
        state.board = board_store.load_board(game.world, TERRAINS)

    def view_more(self, game: models.Game, sight: Visibility) -> dict[str, Any]:
        return dict(board_store.view_board(game, Presence.objects.visible_to(sight)))

    def is_more_dirty(self, state: Any) -> bool:
        board = state.board
        return bool(board.dirty_units.any() or board.dirty_terrain.any())

    def caption(self, game: models.Game) -> str:
        era = own.Era.objects.filter(game=game).first()
        return capital(stand_name(era.phase, era.century)) if era and era.century else "Before the first century"

    def plan(self, state: Any, game: models.Game, subtitle: str) -> MapPlan | None:
        if game.world is None or not state.board.width:
            return None
        chosen = dict(Race.objects.filter(world=game.world).values_list("id", "colour"))
        plan = plan_of(state, colours_apart(chosen))
        return replace(plan, title=game.name, subtitle=subtitle, attribution=game.world.attribution)

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        rows = own.Land.objects.filter(game=game).order_by("name", "id").values_list("name", "squares")
        read = squares_codec(game).from_row
        return [PlanLand(name, tuple((s.column, s.row) for s in sorted(read(squares)))) for name, squares in rows]

    def save_before(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        width, height = state.board.width, state.board.height
        if game.world is None:
            game.world = World.objects.create(
                id=uuid5(game.pk, "world"), name=state.table.name, width=width, height=height, is_public=game.is_public
            )
        elif (game.world.width, game.world.height) != (width, height):
            game.world.squares.all().delete()
            game.world.width, game.world.height = width, height
            game.world.save(update_fields=["width", "height"])

    def save_more(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        if game.world is not None:
            board_store.save_board(state.board, game.world, TERRAINS)
            if any(isinstance(h.event, PEOPLED) for h in happened):
                Race.objects.filter(world=game.world).paint()
            cut_chronicle(game, game.world, happened)
            write_chronicle(game.world, happened)


def cut_chronicle(game: models.Game, world: World, happened: Sequence[EventRecord]) -> None:
    """Take out of a world's chronicle what a rewind undoes."""
    for to in (h.event.to for h in happened if isinstance(h.event, Rewound)):
        undone = models.LoggedEvent.objects.filter(game=game, seq__gt=to, type=HistoryEntered.__name__)
        entries = [UUID(json.loads(body)["entry"]) for body in undone.values_list("body", flat=True)]
        for some in chunks(entries):
            Chronicle.objects.filter(world=world, entry__in=some).delete()


def write_chronicle(world: World, happened: Sequence[EventRecord]) -> None:
    """A chronicle row for each history entry (G2-HREC-1): century, time, place, what; never who."""
    entered = [(h, h.event) for h in happened if isinstance(h.event, HistoryEntered)]
    if not entered:
        return
    last = Chronicle.objects.filter(world=world).aggregate(last=Max("position"))["last"] or 0
    rows = []
    for position, (h, event) in enumerate(entered, start=last + 1):
        squares = event.squares or ()
        rows.append(
            Chronicle(
                id=event.entry,
                world=world,
                position=position,
                age=event.century,
                heading=f"Century {event.century}",
                text=event.words,
                square_id=board_store.id_of(world, Square(squares[0].y, squares[0].x)) if squares else None,
                entry=event.entry,
                written_at=h.at,
            )
        )
    Chronicle.objects.bulk_create(rows)


STORE = Gods2Store(RULESET, *TABLES)
