"""Pictures of a game as a client of the tests asks for them."""

from xml.etree import ElementTree

from api.representations.shapes.pictures import ChartShape
from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.models import Game, Seat, Timer
from tests.api.gods2 import Earth
from tests.api.gods2 import earth as stage

SPACE = "{http://www.w3.org/2000/svg}"


CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def earth() -> Earth:
    """The stage of the rules' refusals, its first century open."""
    played = stage()
    played.game.refresh_from_db()
    return played


def pass_to(played: Earth, century: int) -> None:
    """Let the clock run until a century is open."""
    for _ in range(60):
        state = registry.store("gods2").load(Game.objects.get(pk=played.game.pk))
        if state.era.century >= century:
            played.game.refresh_from_db()
            return
        timer = Timer.objects.filter(game=played.game, due__isnull=False).order_by("due").first()
        services.fire_due(played.game.pk, now=timer.due)
    raise AssertionError(f"century {century} never opens")


def gm_of(played: Earth) -> Actor:
    lead = Seat.objects.get(game=played.game, role="gm")
    return Actor(Issuer.GM, lead.user_id, lead.pk)


def get(who, played: Earth, rest: str, status: int = 200):
    answer = who.get(played.path(rest))
    assert answer.status_code == status, answer.content
    return answer


def refusal(who, played: Earth, rest: str, status: int, code: str) -> dict:
    problem = get(who, played, rest, status).json()
    assert problem["code"] == code
    return problem


def svg(answer) -> ElementTree.Element:
    """The picture of an answer, which must be one that runs nothing."""
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert (answer["Content-Security-Policy"], answer["X-Content-Type-Options"]) == (CSP, "nosniff")
    root = ElementTree.fromstring(answer.content)
    assert root.findtext(f"{SPACE}title") and root.findtext(f"{SPACE}desc")
    assert not [node for node in root.iter() if node.tag.removeprefix(SPACE) in ("script", "image", "a")]
    return root


def chart(who, played: Earth, rest: str) -> ChartShape:
    return ChartShape.model_validate_json(get(who, played, f"charts/{rest}").content)
