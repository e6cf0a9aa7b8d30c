"""Compute the dice of games again from their secrets; write the transcript of a finished game for outsiders."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.places import routing
from games.engine.dice import Source, die, reveal_matches
from games.engine.game_state import Status
from games.models import Die, Game


class Command(BaseCommand):
    """Prove that each die which the server rolled is the one its secret says. Exit status 1 when one is not."""

    help = "Check every stored die of games; with --transcript write what tools/verify_dice.py reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A game's id, or --all; --transcript with one finished game."""
        parser.add_argument("game", nargs="?", type=UUID, help="id of one game")
        parser.add_argument("--all", action="store_true", help="every game, of every place")
        parser.add_argument("--transcript", metavar="FILE", type=Path, help="write the dice and the secret here")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with the number of games whose dice do not come out."""
        if (options["game"] is not None) is options["all"]:
            raise CommandError("Name a game, or give --all.")
        if options["transcript"] and options["all"]:
            raise CommandError("A transcript is of one game; name it.")
        wrong = 0
        for place in routing.places_for(options["game"]):
            with routing.at_place(place):
                games = Game.objects.select_related("secret").order_by("created_at")
                if options["game"]:
                    games = games.filter(pk=options["game"])
                    if not games:
                        raise CommandError(f"There is no game {options['game']}.")
                wrong += sum(self._report_faults(game) for game in games)
                if options["transcript"] and not wrong:
                    self._write(games[0], options["transcript"])
        if wrong:
            raise CommandError(f"The dice of {wrong} game(s) do not come out.")

    def _report_faults(self, game: Game) -> bool:
        """Whether something is wrong with a game's dice; says what."""
        faults = list(faults_of(game))
        for fault in faults:
            self.stdout.write(f"  WRONG {fault}")
        dice = Die.objects.filter(game=game)
        entered = dice.filter(source=Source.ENTERED).count()
        self.stdout.write(
            f"{game.pk} {game.name}: {dice.count() - entered} dice computed again, {entered} entered by hand, "
            f"{len(faults)} wrong"
        )
        return bool(faults)

    def _write(self, game: Game, path: Path) -> None:
        if game.status != Status.FINISHED:
            raise CommandError("The secret of a game is shown when it is over; this one is not.")
        path.write_text(json.dumps(transcript(game), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        self.stdout.write(f"Written: {path}")


def faults_of(game: Game) -> Iterator[str]:
    """What is wrong with the dice of a game, a line each."""
    secret = bytes(game.secret.dice)
    if not reveal_matches(game.commitment, secret):
        yield "the secret is not the one that was committed to"
    for rolled in Die.objects.filter(game=game, source=Source.SERVER).iterator():
        expected = die(secret, str(game.pk), rolled.label, rolled.index, rolled.sides)
        if rolled.value != expected:
            yield f"{rolled.label} no. {rolled.index}: the row says {rolled.value}, the secret says {expected}"


def transcript(game: Game) -> dict[str, Any]:
    """What an outsider needs to compute every die of a finished game, those of fallen events included."""
    rolls = Die.objects.filter(game=game).order_by("seq", "id")
    return {
        "game": str(game.pk),
        "commitment": game.commitment,
        "secret": bytes(game.secret.dice).hex(),
        "rolls": list(rolls.values("label", "index", "sides", "value", "source", "rule")),
    }
