"""Charts that are taken at named events: their moments are these events, as far as a viewer may read them."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from api.representations.shapes.pictures import ChartShape
from games import registry, services
from games.engine.errors import Refused
from games.engine.insight.charts import About, Chart, Figure
from games.gods2.rules.century.worksheet_events import CenturyClosed
from games.models import LoggedEvent
from games.reads import history
from tests.api.pictures import SPACE, earth, get, pass_to, svg
from tests.api.worlds import ToyGame, client, run, toy_game
from tests.games.moments import rewind_to
from tests.toy.rules.commands import AddStones, CoinsHidden, HideCoins, StonesAdded
from tests.toy.rules.state import State

pytestmark = pytest.mark.django_db


def stones(state: State, race: UUID | None) -> Iterator[Figure]:
    """The stones of every pile."""
    for pile in state.piles.values():
        yield Figure(str(pile.id), state.seats[pile.id].name, pile.stones)


def coins(state: State, race: UUID | None) -> Iterator[Figure]:
    """The coins of every hoard that the viewer may see."""
    for hoard in state.hoards.values():
        yield Figure(str(hoard.id), state.seats[hoard.id].name, hoard.coins)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ToyGame:
    """Cairns with a chart after each stone and one after each coin that somebody hides."""
    charts = registry.ruleset("toy").charts
    placed = Chart("Piles", "stones", About.NOBODY, stones, taken_at=(StonesAdded,), word="Placement")
    hidden = Chart(
        "Hoards", "coins", About.NOBODY, coins, taken_at=(CoinsHidden,), word="Coin", label=lambda e: f"+{e.coins}"
    )
    monkeypatch.setitem(charts, "piles", placed)
    monkeypatch.setitem(charts, "hoards", hidden)
    return toy_game()


def chart(who, toy: ToyGame, name: str) -> ChartShape:
    answer = who.get(toy.path(f"charts/{name}"))
    assert answer.status_code == 200, answer.content
    return ChartShape.model_validate_json(answer.content)


def amounts(found: ChartShape) -> dict[str, list[int | None]]:
    return {row.name: row.amounts for row in found.rows}


def test_a_chart_at_events_has_a_moment_after_each_of_them(toy: ToyGame) -> None:
    assert chart(client(), toy, "piles/").moments == []
    for person, count in ((toy.ann, 2), (toy.bob, 5), (toy.ann, 1)):
        run(toy, AddStones(stones=count), person)
    found = chart(client(), toy, "piles/")
    rows = LoggedEvent.objects.filter(game=toy.game, type="StonesAdded").order_by("seq")
    assert [(m.chapter, m.ended, m.event, m.label) for m in found.moments] == [
        (0, True, f"public/{row.ordinal}", str(n)) for n, row in enumerate(rows, start=1)
    ]
    assert amounts(found) == {"Bob": [None, 5, 5], "Ann": [2, 2, 3]}
    run(toy, AddStones(stones=4), toy.bob)
    assert amounts(chart(client(), toy, "piles/")) == {"Bob": [None, 5, 5, 9], "Ann": [2, 2, 3, 3]}


def test_the_moments_are_the_events_that_the_viewer_may_read(toy: ToyGame) -> None:
    run(toy, HideCoins(coins=3), toy.ann)
    run(toy, HideCoins(coins=7), toy.bob)
    assert chart(client(), toy, "hoards/").moments == []
    assert chart(client(), toy, "hoards/").rows == []
    own = chart(client(toy.ann), toy, "hoards/")
    assert ([m.label for m in own.moments], amounts(own)) == (["+3"], {"Ann": [3]})
    led = chart(client(toy.host), toy, "hoards/?as=gm")
    assert ([m.label for m in led.moments], amounts(led)) == (["+3", "+7"], {"Bob": [None, 7], "Ann": [3, 3]})


def test_what_a_rewind_undid_is_no_moment(toy: ToyGame) -> None:
    run(toy, AddStones(stones=2), toy.ann)
    run(toy, AddStones(stones=3), toy.ann)
    assert amounts(chart(client(), toy, "piles/")) == {"Ann": [2, 5]}
    first = LoggedEvent.objects.filter(game=toy.game, type="StonesAdded").order_by("seq").first()
    services.run(toy.game.pk, rewind_to(toy.game.pk, first.seq, "by mistake"), actor=toy.gm)
    assert amounts(chart(client(), toy, "piles/")) == {"Ann": [2]}
    run(toy, AddStones(stones=5), toy.bob)
    assert amounts(chart(client(), toy, "piles/")) == {"Bob": [None, 5], "Ann": [2, 2]}


def test_a_chart_at_events_is_drawn_with_their_labels_and_in_graphql(toy: ToyGame) -> None:
    empty = svg(client().get(toy.path("charts/piles.svg")))
    assert empty.findtext(f"{SPACE}desc") == "Lines, in stones. No placement yet."
    run(toy, AddStones(stones=2), toy.ann)
    run(toy, AddStones(stones=3), toy.bob)
    root = svg(client().get(toy.path("charts/piles.svg")))
    texts = [node.text for node in root.iter(f"{SPACE}text")]
    assert root.findtext(f"{SPACE}desc") == "Lines, in stones. Placement 1 to 2. Bob from 3 to 3; Ann from 2 to 2."
    assert "Placement" in texts and "PLACEMENT 2, stones" in texts and "now" not in texts
    query = 'query Q($g: UUID!) { game(id: $g) { chart(name: "piles") { moments { chapter ended event label } } } }'
    body = {"query": query, "variables": {"g": str(toy.game.pk)}}
    answer = client().post("/graphql/", body, content_type="application/json").json()
    found = client().get(toy.path("charts/piles/")).json()
    assert answer["data"]["game"]["chart"]["moments"] == found["moments"]


def test_an_event_of_a_chart_says_in_which_chapter_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    played = earth()
    before = get(client(), played, "charts/population.svg").content

    def century(state, race):
        yield Figure("c", "Century", state.era.century)

    closed = Chart("Centuries", "centuries", About.NOBODY, century, taken_at=(CenturyClosed,), word="Close")
    monkeypatch.setitem(registry.ruleset("gods2").charts, "centuries", closed)
    assert get(client(), played, "charts/population.svg").content == before
    pass_to(played, 3)
    found = ChartShape.model_validate_json(get(client(), played, "charts/centuries/").content)
    assert [(m.chapter, m.label) for m in found.moments] == [(1, "1"), (2, "2")]
    assert [row.amounts for row in found.rows] == [[1, 2]]
    whole = get(client(), played, "charts/population/").json()
    assert {tuple(moment) for moment in whole["moments"]} == {("chapter", "ended")}


def test_events_of_a_chart_have_a_word_and_a_game_in_one_piece_has_no_other_charts(toy: ToyGame, monkeypatch) -> None:
    with pytest.raises(ValueError, match="names its events and what one of them is called"):
        Chart("Piles", "stones", About.NOBODY, stones, taken_at=(StonesAdded,))
    monkeypatch.setitem(registry.ruleset("toy").charts, "ends", Chart("Ends", "stones", About.NOBODY, stones))
    with pytest.raises(Refused, match=r"chapter\.none"):
        history.series(toy.game, None, "ends", None)
