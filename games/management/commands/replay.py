"""Fold the log of games again and compare with their rows; check the chain of digests."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import log, registry
from games.engine.table import dump
from games.models import Game


class Command(BaseCommand):
    """Prove that the rows of a game are what its log says. Exit status 1 when one is not."""

    help = "Check that rows equal the folded log, and that the chain of digests is whole."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A game's id, or --all."""
        parser.add_argument("game", nargs="?", help="id of one game")
        parser.add_argument("--all", action="store_true", help="every game")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with the number of games that disagree."""
        if bool(options["game"]) is options["all"]:
            raise CommandError("Name a game, or give --all.")
        games = Game.objects.order_by("created_at")
        if options["game"]:
            games = games.filter(pk=options["game"])
        wrong = 0
        for game in games:
            told = dump(log.folded(game))
            differing = sorted(k for k, v in dump(registry.store(game.ruleset).load(game)).items() if told.get(k) != v)
            broken = list(log.broken_links(game))
            wrong += bool(differing or broken)
            verdict = "rows equal the log" if not differing else f"rows differ in {', '.join(differing)}"
            chain = "chain whole" if not broken else f"chain broken at {broken[:5]}"
            self.stdout.write(f"{game.pk} {game.name}: {game.seq} events, {verdict}, {chain}")
        if wrong:
            raise CommandError(f"{wrong} game(s) disagree with their log.")
