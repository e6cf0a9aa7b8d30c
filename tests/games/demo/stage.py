"""Games of the demo, found and played on by their timers."""

from games import services
from games.engine.game_state import Status
from games.engine.kernel import Actor, Issuer
from games.models import Game, Timer
from games.reads.selectors import demo_games

MINUTE = 60


def finish(games) -> None:
    """Let these games be over."""
    games.update(status=Status.FINISHED)


def live(ruleset: str) -> list[Game]:
    """The demo games of a ruleset that go on."""
    return list(demo_games(Game.objects.filter(ruleset=ruleset)))


def as_person(game: Game) -> Actor:
    """The person among the bots."""
    seat = game.seats.get(user__username__startswith="demo-player")
    return Actor(Issuer.SEAT, seat.user_id, seat.pk)


def fire_until(game: Game, reached) -> None:
    """Fire timer after timer, each at its time, until something holds."""
    while not reached() and (timer := Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()):
        services.fire_due(game.pk, now=timer.due)
