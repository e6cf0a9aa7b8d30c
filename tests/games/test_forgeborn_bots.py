"""Forgeborn played by bots through the one writer: with a game-master who answers, one who sleeps, and none."""

import json
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from games import services
from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.invariants import violations
from games.models import Prompt
from tests.api.worlds import user
from tests.games.table import DAWN, Table
from worlds.models import Artifact

pytestmark = pytest.mark.django_db
MOST_TIMERS = 20_000


def whole_game(number: int, referee: str) -> Table:
    """A game of bots, played to its end. referee: `answers`, `sleeps` or `none`."""
    lot = Random(number)
    options = {"referee": "none" if referee == "none" else "person", "round_limit": 12}
    game = services.open_game("forgeborn", "Bots", user=user("host").pk, options=json.dumps(options), now=DAWN)
    here = Table(game.pk)
    for seat in range(lot.randint(2, 4)):
        here.run(AddSeat(name=f"Seat {seat}", bot=lot.choice(("steady", "wild"))))
    if referee == "answers":
        here.run(AddSeat(role=Role.GM, name="Referee", bot="steady"))
    here.run(Start())
    for _ in range(MOST_TIMERS):
        if here.game.status == "finished":
            return here
        here.fire()
    raise AssertionError("it does not end")


@pytest.mark.rule("FB-GM-5", "FB-AMB-39", "FB-END-1", "FB-ROW-1")
@pytest.mark.parametrize(
    ("number", "referee"),
    [
        (0, "answers"), (2, "sleeps"), (3, "none"),
        pytest.param(1, "answers", marks=pytest.mark.long), pytest.param(4, "none", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_game_of_bots_is_over_and_its_rows_are_its_log(number, referee):
    here = whole_game(number, referee)
    state = here.state
    assert state.course.winners and violations(state) == []
    assert here.events_of("TimerRefused", "BotPassed", "TimerFailed") == []
    assert not Prompt.objects.filter(game=here.id).exists()
    here.rows_agree()
    artifacts = Artifact.objects.filter(world=here.game.world)
    assert {a.pk: (a.place_id or a.person_id) for a in artifacts} == {a.id: a.holder for a in state.artifacts.values()}
    for artifact in state.artifacts.values():
        assert artifact.power == len(dice_of(artifact))
    assert dice_by_events(here) == {each.id: Counter(dice_of(each)) for each in state.characters.values()}
    assert here.now - DAWN < timedelta(days=1)


def dice_by_events(here: Table) -> dict[object, Counter[int]]:
    """The dice of every Smith and Heroine as the events tell them: what they began with, gained, raised and lost."""
    dice: dict[str, Counter[int]] = {}
    for row in here.game.events.order_by("seq"):
        body = json.loads(row.body)
        match row.type:
            case "SmithsRevealed":
                dice |= {each["character"]: Counter(each["dice"]) for each in body["smiths"]}
            case "HeroineRecruited":
                dice[body["character"]] = Counter(body["dice"])
            case "DieGained":
                dice[body["character"]][body["die"]] += 1
            case "DieRaised":
                dice[body["character"]][body["old"]] -= 1
                dice[body["character"]][body["new"]] += 1
            case "DiceLost":
                dice[body["character"]] -= Counter(body["dice"])
    names = {str(each): each for each in here.state.characters}
    return {names[key]: +found for key, found in dice.items()}
