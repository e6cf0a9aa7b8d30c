"""Amounts of mana have no exponent and no trailing zeros: in both APIs, the state and the admin."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from games import registry
from games.gods2.models import Purse
from games.models import Game
from tests.api.gods2 import earth
from tests.api.graph import nodes

pytestmark = pytest.mark.django_db
PURSES = (
    "query($g: UUID!) { game(id: $g) { ... on Gods2Game { purses { edges { node { seat { name } carried } } } } } }"
)


@pytest.mark.parametrize(("carried", "text"), [("0E-8", "0"), ("0.85", "0.85"), ("0.50000000", "0.5")])
def test_a_purse_shows_no_exponent_and_no_trailing_zeros(carried: str, text: str):
    stage = earth()
    Purse.objects.filter(seat__name="Ana").update(carried=Decimal(carried))
    purses = stage.ana.get(f"/api/v1/gods2/purses/?game={stage.game.pk}").json()["results"]
    assert [purse["carried"] for purse in purses] == [text]
    one = stage.ana.get(f"/api/v1/gods2/purses/{purses[0]['seat']}/").json()
    assert one["carried"] == text
    state = stage.ana.get(stage.path("state/")).json()
    assert [purse["carried"] for purse in state["purses"]] == [text]
    graphql = nodes(stage.ask(stage.ana, PURSES, g=str(stage.game.pk))["game"]["purses"])
    assert [purse["carried"] for purse in graphql] == [text]
    loaded = registry.store("gods2").load(Game.objects.get(pk=stage.game.pk))
    assert text in {str(purse.carried) for purse in loaded.purses.values()}


def test_the_admin_shows_a_purse_without_an_exponent(page: Client):
    purse = Purse.objects.get(game=earth().game, seat__name="Ana")
    Purse.objects.filter(pk=purse.pk).update(carried=Decimal("0E-8"))
    for address in (changelist := reverse("admin:gods2_purse_changelist"), f"{changelist}{purse.pk}/change/"):
        shown = page.get(address).content.decode()
        assert "Ana" in shown and "0E-8" not in shown and "0.00000000" not in shown
