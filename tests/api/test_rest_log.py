"""Events, dice and the chronicle over REST: resumed without gap or repeat, checked, and as text."""

import pytest

from api.representations.shapes.log import ChroniclePage, DicePage, EventPage
from games.engine.dice import die, reveal_matches
from games.engine.lifecycle.gm_commands import EndNow
from tests.api.worlds import assert_refused, client, max_queries, run, toy_game
from tests.toy.rules.commands import AddStones, HideCoins, Propose, RollStones

pytestmark = pytest.mark.django_db


def test_the_log_is_resumed_at_every_event_without_gap_or_repeat():
    toy = toy_game()
    for stones in (1, 2, 3):
        run(toy, AddStones(stones=stones), toy.ann)
        run(toy, HideCoins(coins=stones), toy.bob)
    for who, query in ((client(toy.ann), ""), (client(toy.bob), ""), (client(toy.host), "&as=gm"), (client(), "")):
        whole = EventPage.model_validate_json(who.get(toy.path(f"events/?limit=500{query}")).content)
        assert not whole.more
        for index, event in enumerate(whole.results):
            rest = who.get(toy.path(f"events/?after={event['cursor']}{query}")).json()
            assert rest["results"] == whole.results[index + 1 :]
        paged, after, more = [], "", True
        while more:
            page = who.get(toy.path(f"events/?limit=1&after={after}{query}")).json()
            paged, after, more = paged + page["results"], page["cursor"], page["more"]
        assert paged == whole.results
        assert after == whole.cursor == who.get(toy.path(f"?{query[1:]}")).json()["cursor"]
    assert len(client(toy.bob).get(toy.path("events/")).json()["results"]) == 3 + len(
        client().get(toy.path("events/")).json()["results"]
    )


def test_a_cursor_is_opaque_and_a_made_up_one_is_refused():
    toy = toy_game()
    run(toy, HideCoins(coins=1), toy.bob)
    cursor = client(toy.bob).get(toy.path()).json()["cursor"]
    assert str(toy.seat(toy.bob)) not in cursor and "=" not in cursor
    assert_refused(client(toy.bob).get(toy.path("events/?after=nonsense")), 422, "cursor.invalid")
    assert_refused(client(toy.bob).get(toy.path("events/?limit=501")), 422, "page.size")


@pytest.mark.parametrize("stones", [2, 30])
def test_events_are_read_in_as_many_queries_whatever_their_number(stones):
    toy = toy_game()
    for _ in range(stones):
        run(toy, AddStones(stones=1), toy.ann)
    bob = client(toy.bob)
    bob.get("/api/v1/me/")
    with max_queries(5):
        assert len(bob.get(toy.path("events/?limit=500")).json()["results"]) > stones


def test_every_die_can_be_checked_once_the_secret_is_revealed():
    toy = toy_game('{"tide_seconds": 3600, "tides": 1}')
    for person in (toy.ann, toy.bob, toy.ann):
        run(toy, RollStones(), person)
    page = DicePage.model_validate_json(client().get(toy.path("dice/")).content)
    assert (len(page.results), page.secret, page.more) == (3, None, False)
    first = client().get(toy.path("dice/?limit=1")).json()
    second = client().get(toy.path(f"dice/?limit=2&after={first['cursor']}")).json()
    assert [d["label"] for d in first["results"] + second["results"]] == [d.label for d in page.results]
    run(toy, EndNow(), toy.gm)
    shown = DicePage.model_validate_json(client().get(toy.path("dice/")).content)
    secret = bytes.fromhex(shown.secret)
    assert reveal_matches(shown.commitment, secret)
    for d in shown.results:
        assert die(secret, str(shown.game), d.label, d.index, d.sides) == d.value


def test_the_chronicle_is_served_as_json_text_and_markdown():
    toy = toy_game()
    run(toy, Propose(text="*Stop*\n<b>now</b>"), toy.ann)
    run(toy, AddStones(stones=2), toy.ann)
    page = ChroniclePage.model_validate_json(client().get(toy.path("chronicle/")).content)
    assert page.results[-1].text == "Ann adds 2 stones."
    assert all(line.text for line in page.results)
    text = client().get(toy.path("chronicle/?format=text"))
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode().splitlines()[-1].endswith("  Ann adds 2 stones.")
    assert len(text.content.decode().splitlines()) == len(page.results)
    answer = client().get(toy.path("chronicle/?format=markdown&limit=3"), headers={"Accept": "text/markdown"})
    assert answer["X-More"] == "1"
    assert answer.content.decode().startswith("# Cairns\n\n## ")
    rest = client().get(toy.path(f"chronicle/?format=markdown&after={answer['X-Cursor']}")).content.decode()
    assert "\\*Stop\\* \\<b\\>now\\</b\\>" in rest
    assert_refused(client().get(toy.path("chronicle/?format=pdf")), 422, "query.invalid")
