"""Fold the log of games again and compare with their rows; check the chain of digests."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Max

from core.places import routing
from games import registry
from games.engine.audience import PUBLIC
from games.engine.game_state import dump
from games.models import Game
from games.storage import log
from games.storage.cursors import START
from games.storage.store import position_of


class Command(BaseCommand):
    """Prove that the rows of a game are what its log says. Exit status 1 when one is not."""

    help = "Check that rows equal the folded log, and that the chain of digests is whole."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A game's id, or --all."""
        parser.add_argument("game", nargs="?", type=UUID, help="id of one game")
        parser.add_argument("--all", action="store_true", help="every game, of every place")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with the number of games that disagree."""
        if (options["game"] is not None) is options["all"]:
            raise CommandError("Name a game, or give --all.")
        wrong = 0
        for place in routing.places_for(options["game"]):
            with routing.at_place(place):
                games = Game.objects.order_by("created_at")
                if options["game"]:
                    games = games.filter(pk=options["game"])
                    if not games:
                        raise CommandError(f"There is no game {options['game']}.")
                wrong += sum(self._disagrees(pk) for pk in list(games.values_list("pk", flat=True)))
        if wrong:
            raise CommandError(f"{wrong} game(s) disagree with their log.")

    def _disagrees(self, pk: UUID) -> bool:
        """Whether a game's rows are not what its log says; says what."""
        with transaction.atomic():  # under the game's lock: a live game must not move between the two readings
            game = Game.objects.select_for_update(of=("self",)).get(pk=pk)
            folded = log.fold(game)
            values = dump(folded)
            rows = dump(registry.store(game.ruleset).load(game))
            broken = list(log.broken_links(game))
            ends = [*loose_ends(game), *stale_columns(game, folded)]
        differing = sorted(name for name, value in rows.items() if values.get(name) != value)
        verdict = "rows equal the log" if not differing else f"rows differ in {', '.join(differing)}"
        chain = "chain whole" if not broken else f"chain broken at {broken[:5]}"
        self.stdout.write(", ".join((f"{game.pk} {game.name}: {game.seq} events", verdict, chain, *ends)))
        return bool(differing or broken or ends)


def loose_ends(game: Game) -> Iterator[str]:
    """Where the game's row and the heads of its streams do not fit the end of its log."""
    last = game.events.order_by("-seq").values_list("seq", "digest").first()
    if (game.seq, game.digest) != (last or (0, "")):
        yield f"log ends at event {last[0] if last else 0}"
    ends = dict(game.events.order_by().values_list("audience").annotate(Max("ordinal")))
    heads, there = log.heads_of(game), log.heads_before(game.pk, ends, game.seq + 1)
    wrong = [
        audience
        for audience in ends.keys() | heads.keys()
        if (head := heads.get(audience, START)).ordinal != ends.get(audience)
        or head.contradicts(there.get(audience, START))
    ]
    if wrong:
        yield f"{len(wrong)} stream(s) with a wrong head"
    public = game.events.filter(audience=PUBLIC).order_by("-ordinal").values_list("at", flat=True).first()
    if game.public_at != public:
        yield "public_at is not the time of its last public event"
    if game.listed_at != (log.minute_of(public) if public else None):
        yield "listed_at is not the minute of its last public event"


def stale_columns(game: Game, folded: Any) -> Iterator[str]:
    """Which columns of the game's row do not follow from its state; none before they were first written."""
    now = position_of(folded, registry.ruleset(game.ruleset))
    if wrong := [name for name, value in now.items() if game.step and getattr(game, name) != value]:
        yield f"stale {', '.join(wrong)}"
