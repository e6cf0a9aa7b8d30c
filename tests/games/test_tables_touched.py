"""What a reader reads anew after something has happened is what would be read without an earlier reading."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.common import viewer_cache
from api.representations import games as noun
from api.representations import table as nouns_of_table
from api.representations.shapes.state_schemas import LIVE
from core.process_cache import clear_process_caches
from games import registry
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.seating import Join
from games.engine.state import Rows
from games.models import Game, LoggedEvent
from games.reads import selectors
from games.runtime import session
from games.storage import state_cache
from games.storage.state_cache import STATE_CACHE, StateCache
from tests.api.worlds import ToyGame, run, toy_game, user
from tests.games.moments import rewind_to
from tests.golden import test_war
from tests.golden.stage import Story
from tests.toy.rules.commands import AddStones, CastVote, HideCoins, Propose

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_seen():
    clear_process_caches()
    yield
    clear_process_caches()


def sorted_rows(expected: Any) -> Any:
    """Rows without regard to their order, which no table promises."""
    return sorted(expected, key=repr) if isinstance(expected, list) else expected


def assert_whole(game: UUID, person: UUID | None, as_: str = "") -> viewer_cache.Since:
    """Read the state as the API does, compare it with the rows, and tell what was believed of the reading before."""
    seen = viewer_cache.cached_viewer(game, person, as_=as_)
    before = viewer_cache.since(seen)
    body = noun.state_json(seen)
    assert body is not None
    viewer, answer = seen.viewer, orjson.loads(body)
    for name, rows in selectors.state_for(viewer.game, viewer.visibility).items():
        if name not in LIVE:
            wanted = orjson.loads(orjson.dumps(rows, default=str, option=orjson.OPT_UTC_Z))
            assert sorted_rows(answer[name]) == sorted_rows(wanted), name
    assert seen.found["timers"] == nouns_of_table.visible_timers(viewer)
    assert seen.found["prompts"] == nouns_of_table.open_prompts(viewer, every=True)
    assert answer["cursor"] == selectors.cursor_for(game, viewer.visibility)
    return before


def everybody(toy: ToyGame) -> list[viewer_cache.Since]:
    eyes = [(None, ""), (toy.ann.pk, ""), (toy.bob.pk, ""), (toy.host.pk, "gm"), (toy.eve.pk, "")]
    return [assert_whole(toy.game.pk, person, as_) for person, as_ in eyes]


@pytest.fixture
def followed() -> ToyGame:
    """A game that everybody has read often enough for the process to follow it."""
    toy = toy_game()
    for _ in range(2):
        run(toy, AddStones(stones=1), toy.ann)
        everybody(toy)
    return toy


def test_only_the_tables_that_an_event_touched_are_read_again(followed):
    run(followed, AddStones(stones=1), followed.ann)
    seen = viewer_cache.cached_viewer(followed.game.pk, followed.ann.pk)
    with CaptureQueriesContext(connection) as asked:
        noun.state_json(seen)
    read = " ".join(query["sql"] for query in asked.captured_queries)
    assert "toy_pile" in read
    assert not any(name in read for name in ("toy_hoard", "toy_tide", "games_timer", "games_prompt", "games_answer"))
    assert len(asked) == 2  # the piles, and whether the game is still there


def test_parts_are_kept_and_completed_by_what_is_asked_later(followed):
    run(followed, AddStones(stones=1), followed.ann)
    seen = viewer_cache.cached_viewer(followed.game.pk, followed.ann.pk)
    with CaptureQueriesContext(connection) as asked:
        noun.state_json(seen, frozenset({"hoards"}))
    assert len(asked) == 1  # whether the game is still there: nobody has touched a hoard
    with CaptureQueriesContext(connection) as asked:
        body = noun.state_json(seen)
    assert body is not None and max(pile["stones"] for pile in orjson.loads(body)["piles"]) == 3
    read = " ".join(query["sql"] for query in asked.captured_queries)
    assert "toy_pile" in read and "toy_hoard" not in read
    with CaptureQueriesContext(connection) as asked:
        noun.state_json(seen, frozenset({"piles", "hoards"}))
    assert len(asked) == 1  # whether the game is still there


def test_what_another_process_wrote_takes_one_query_more(followed, monkeypatch):
    monkeypatch.setattr(session, "STATE_CACHE", StateCache(32))
    run(followed, AddStones(stones=1), followed.ann)
    seen = viewer_cache.cached_viewer(followed.game.pk, followed.ann.pk)
    with CaptureQueriesContext(connection) as caught:
        noun.state_json(seen)
    assert len(caught) == 3
    assert "games_loggedevent" in caught[0]["sql"]


def test_a_secret_that_was_hidden_is_in_the_next_reading_of_those_who_may_see_it_alone(followed):
    run(followed, HideCoins(coins=5), followed.ann)
    everybody(followed)
    coins = lambda person, as_="": orjson.loads(  # noqa: E731
        noun.state_json(viewer_cache.cached_viewer(followed.game.pk, person, as_=as_)) or b""
    )["hoards"]
    assert [row["coins"] for row in coins(followed.ann.pk)] == [5]
    assert [row["coins"] for row in coins(followed.host.pk, "gm")] == [5]
    assert coins(followed.bob.pk) == coins(None) == []


def test_questions_and_answers_are_read_again_when_they_come(followed):
    run(followed, Propose(text="Stop?"), followed.ann)
    everybody(followed)
    run(followed, CastVote(prompt=followed.fresh().prompts.get().pk, yes=True), followed.bob)
    everybody(followed)


def test_everything_is_read_again_when_somebody_sits_down(followed):
    run(followed, Join(name="Cy"), followed.gm.__class__("seat", user("cy").pk))
    assert {before.moved for before in everybody(followed)} == {None}


def test_everything_is_read_again_after_a_rewind_and_after_an_event_that_does_not_fit_the_chain(followed, monkeypatch):
    back = followed.fresh().seq - 1
    run(followed, rewind_to(followed.game.pk, back, "a slip"), followed.gm)
    assert {before.moved for before in everybody(followed)} == {None}
    run(followed, AddStones(stones=2), followed.ann)
    assert all(before.moved is not None for before in everybody(followed))
    monkeypatch.setattr(session, "STATE_CACHE", StateCache(32))
    run(followed, AddStones(stones=2), followed.ann)
    last = LoggedEvent.objects.filter(game=followed.game).order_by("-seq").first()
    LoggedEvent.objects.filter(pk=last.pk).update(text="something else")
    assert {before.moved for before in everybody(followed)} == {None}


def test_an_amended_row_is_read_again(followed):
    change = Change(
        table="piles",
        row=str(followed.seat(followed.ann)),
        deed=Deed.ALTER,
        fields=(FieldChange(field="stones", value="9"),),
    )
    assert "piles" in registry.ruleset("toy").new_state(followed.game.pk).amendable()
    run(followed, Amend(changes=(change,), reason="miscounted"), followed.gm)
    assert all(before.moved is not None and "piles" in before.moved for before in everybody(followed))


def test_an_event_that_cannot_be_read_makes_the_reader_read_everything(followed, monkeypatch):
    monkeypatch.setattr(session, "STATE_CACHE", StateCache(32))
    run(followed, AddStones(stones=1), followed.ann)
    monkeypatch.setattr(state_cache.log, "event_of", lambda *_: (_ for _ in ()).throw(LookupError("a newer release")))
    assert assert_whole(followed.game.pk, followed.bob.pk).moved is None


def test_without_room_for_states_everything_is_read_each_time(monkeypatch):
    for module in (session, viewer_cache):
        monkeypatch.setattr(module, "STATE_CACHE", StateCache(0))
    toy = toy_game()
    for _ in range(3):
        run(toy, AddStones(stones=1), toy.ann)
        assert {before.moved for before in everybody(toy)} == {None}


@pytest.mark.parametrize("ruleset", registry.rulesets(), ids=lambda rules: rules.slug)
def test_every_table_of_a_store_is_one_that_remembers_what_was_touched(ruleset):
    store = registry.store(ruleset.slug)
    state = store.new_state(UUID(int=1))
    assert [m.table for m in store.tables if not isinstance(getattr(state, m.table), Rows)] == []


@pytest.mark.long
def test_every_reading_of_a_golden_game_is_whole(monkeypatch):
    plain_run, believed = Story._run, []

    def checked(story: Story, command: Any, actor: Any) -> Any:
        events = plain_run(story, command, actor)
        if Game.objects.get(pk=story.game.pk).seq > 12:
            gods = [*story.users.values()]
            believed.append(assert_whole(story.game.pk, story.gm.user, "gm").moved)
            assert_whole(story.game.pk, gods[len(believed) % len(gods)])
        return events

    monkeypatch.setattr(Story, "_run", checked)
    STATE_CACHE.clear()
    opened: Callable[..., Story] = lambda **options: Story(monkeypatch, **options)  # noqa: E731
    test_war.test_ur_is_founded_raised_and_captured(opened)
    assert sum(moved is not None for moved in believed) > len(believed) / 2
