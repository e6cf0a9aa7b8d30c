"""What an artifact would come to before anything is paid for it (FB-ART-2, 3, 5)."""

from fractions import Fraction

import pytest

from games.engine.dice import Tray
from games.engine.insight.forecast import DrawnDice, Forecast
from games.engine.kernel import Actor, Context, Issuer
from games.forgeborn.rules.conflict.forecast import HELP
from games.forgeborn.rules.conflict.odds import creation_odds
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.forge.commands import BeginArtifact
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.state.schema_types import Form, Function
from tests.playbook import DAWN, Playbook, refused
from tests.rules.forgeborn.stage import S1, S2
from tests.rules.forgeborn.table import give_dice, playing, smith


def forecast_for(book: Playbook, command: BeginArtifact) -> Forecast:
    """What the first Smith is told."""
    actor = Actor(Issuer.SEAT, seat=S1)
    ctx = Context(
        game=book.state.info.id, now=DAWN, actor=actor, tray=Tray(DrawnDice(0)), id_secret=b"forecast", commands={}
    )
    return command.forecast(book.state.view_for(frozenset({S1})), ctx, actor)


def chances(found: Forecast, what: str) -> dict[str, dict[int, Fraction]]:
    """The odds of one thing by key."""
    return {each.key: {odd.amount: odd.chance for odd in each.odds} for each in found.prospects if each.what == what}


def begin(form_die=8, function_die=4, **more) -> BeginArtifact:
    """A blunt thing of knowledge."""
    form, function = (
        FormChoice(kind=Form.BLUNT, die=form_die),
        FunctionChoice(kind=Function.KNOWLEDGE, die=function_die),
    )
    return BeginArtifact(name="Thunder", form=form, function=function, **more)


@pytest.mark.rule("FB-ART-2", "FB-ART-3", "FB-ART-5", "FB-ART-8")
def test_an_artifact_is_forecast_by_the_dice_that_form_and_function_leave():
    book = playing(S1)
    give_dice(book, smith(book, S1), 12, 10, 8, 6, 4)
    found = forecast_for(book, begin())
    assert chances(found, "paid") == {"d8": {1: 1}, "d4": {1: 1}}
    power = chances(found, "dice")[""]
    assert power == {n: chance for n, chance in enumerate(creation_odds((12, 10, 6)).dice_chances()) if chance}
    assert power[0] == creation_odds((12, 10, 6)).failure and not found.hidden


@pytest.mark.rule("FB-ART-2", "FB-ART-3", "FB-ART-5")
def test_an_artifact_is_forecast_with_the_pool_that_is_named_and_tokens_that_pay():
    book = playing(S1)
    give_dice(book, smith(book, S1), 12, 10, 8, 6)
    book.state.set_purse(S1, secret=1)
    found = forecast_for(book, begin(function_die=None, pool=PoolChoice(free=(6,), sacrifice=())))
    assert chances(found, "paid") == {"d8": {1: 1}, "secret": {1: 1}}
    assert set(chances(found, "dice")[""]) == {0, 1} and chances(found, "dice")[""][1] == Fraction(1, 3)


@pytest.mark.rule("FB-ART-4", "FB-ART-8")
def test_whose_help_comes_is_not_known_where_another_smith_stands_at_the_citadel():
    book = playing(S1, S2)
    give_dice(book, smith(book, S1), 12, 10, 8, 4)
    assert forecast_for(book, begin()).hidden == (HELP,)


@pytest.mark.rule("FB-ART-8")
def test_what_cannot_be_paid_is_not_forecast():
    book = playing(S1)
    give_dice(book, smith(book, S1), 12, 8)
    with refused("die.missing", book.state):
        forecast_for(book, begin())
    give_dice(book, smith(book, S1), 8, 4)
    with refused("dice.none", book.state):
        forecast_for(book, begin())
