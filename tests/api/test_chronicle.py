"""The chronicle of a chapter: as JSON, text and Markdown, each sentence with its event's number and its rules."""

import re

import pytest
from django.core.cache import caches

from api.representations.shapes.log import ChroniclePage
from games import registry, services
from games.gods2.rules.history.commands import NamePlace
from games.models import LoggedEvent
from tests.api.pictures import earth, get, gm_of, pass_to, refusal
from tests.api.worlds import client, toy_game
from tests.games.moments import rewind_to

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_caches():
    for name in ("throttles", "responses"):
        caches[name].clear()


def page(who, played, rest: str = "") -> ChroniclePage:
    return ChroniclePage.model_validate_json(get(who, played, f"chronicle/?limit=1000{rest}").content)


def test_each_sentence_has_its_event_its_rules_and_its_century():
    played = earth()
    pass_to(played, 2)
    lines = page(client(), played).results
    rows = {row.ordinal: row for row in LoggedEvent.objects.filter(game=played.game, audience="public")}
    for line in lines:
        stream, number = line.event.split("/")
        row = rows[int(number)]
        assert (stream, registry.event_type("gods2", row.type), row.text) == ("public", line.type, line.text)
    assert {line.chapter for line in lines} == {0, 1, 2}
    opened = next(line for line in lines if line.type == "gods2.CenturyOpened")
    assert (opened.chapter, opened.rules) == (1, ["G2-TIME-1", "G2-TIME-3"])


def test_the_centuries_together_are_the_whole_story():
    played = earth()
    pass_to(played, 3)
    whole = page(played.ana, played).results
    parts = [page(played.ana, played, f"&chapter={n}").results for n in range(4)]
    rows = [line.model_dump(exclude={"cursor"}) for part in parts for line in part]
    assert rows == [line.model_dump(exclude={"cursor"}) for line in whole]
    for number, part in enumerate(parts):
        assert part and {line.chapter for line in part} == {number}
        assert sum(line.type == "gods2.CenturyOpened" for line in part) == (number > 0)


def test_the_cursor_of_a_century_leads_on_in_the_log():
    """Streams without an event in the century stand where they stood when it began."""
    played = earth()
    pass_to(played, 3)
    first, *_ = page(played.ana, played, "&chapter=2").results
    after = get(played.ana, played, f"events/?limit=500&after={first.cursor}").json()["results"]
    whole = get(played.ana, played, "events/?limit=500").json()["results"]
    places = [event["cursor"] for event in whole]
    assert [e["cursor"] for e in after] == places[len(places) - len(after) :]
    assert whole[len(places) - len(after) - 1]["type"] == first.type == "gods2.CenturyOpened"


def test_a_century_is_read_in_pages():
    played = earth()
    pass_to(played, 2)
    whole = page(client(), played, "&chapter=1").results
    found, after = [], ""
    while True:
        answer = get(client(), played, f"chronicle/?chapter=1&limit=7&after={after}").json()
        found += answer["results"]
        after = answer["cursor"]
        if not answer["more"]:
            break
    assert [line["event"] for line in found] == [line.event for line in whole]


def test_text_has_the_number_and_the_rules_before_each_sentence():
    played = earth()
    pass_to(played, 2)
    answer = get(client(), played, "chronicle/?chapter=1&format=text&limit=1000")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    found = answer.content.decode().splitlines()
    lines = page(client(), played, "&chapter=1").results
    assert len(found) == len(lines)
    for sentence, line in zip(found, lines, strict=True):
        source = f"{line.event} [{', '.join(line.rules)}]" if line.rules else line.event
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d  {re.escape(source)}  .+", sentence)
        assert sentence.endswith(" ".join(line.text.split()))


def test_markdown_has_a_heading_for_each_century():
    played = earth()
    pass_to(played, 3)
    answer = get(client(), played, "chronicle/?format=markdown&limit=1000")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    heads = re.findall("^#+ .*$", answer.content.decode(), re.M)
    assert heads == ["# Stage", "## Before the first century", "## Century 1", "## Century 2", "## Century 3"]
    alone = get(client(), played, "chronicle/?format=markdown&chapter=2&limit=1000").content.decode()
    assert re.findall("^#+ .*$", alone, re.M) == ["# Stage", "## Century 2"]
    assert re.search(r"^- \d\d:\d\d:\d\d Century 2 begins; .* `public/\d+ \[G2-TIME-1, G2-TIME-3\]`$", alone, re.M)


def test_a_game_without_centuries_has_a_chronicle_by_days():
    toy = toy_game()
    assert {line["chapter"] for line in client().get(toy.path("chronicle/")).json()["results"]} == {None}
    text = client().get(toy.path("chronicle/?format=markdown")).content.decode()
    assert re.match(r"# Cairns\n\n## \d{4}-\d\d-\d\d\n", text)


def test_what_a_rewind_undid_stays_in_the_century_in_which_it_happened():
    played = earth()
    race, gm = next(iter(played.cast.races.values())), gm_of(played)
    to = LoggedEvent.objects.filter(game=played.game).order_by("seq").last().seq
    services.run(played.game.pk, NamePlace(kind="race", subject=race, name="Undone"), actor=gm)
    services.run(played.game.pk, rewind_to(played.game.pk, to, "Once more."), actor=gm)
    line = next(line for line in page(client(), played, "&chapter=1").results if "Undone" in line.text)
    assert line.undone
    assert "(undone) " in get(client(), played, "chronicle/?chapter=1&format=text&limit=1000").content.decode()


def test_a_secret_sentence_is_shown_to_its_readers_alone():
    played = earth()
    pass_to(played, 2)
    public, own = page(client(), played, "&chapter=1").results, page(played.ana, played, "&chapter=1").results
    secret = [line for line in own if not line.event.startswith("public/")]
    assert secret and [line for line in own if line.event.startswith("public/")] == [
        line.model_copy(update={"cursor": mine.cursor})
        for line, mine in zip(public, (o for o in own if o.event.startswith("public/")), strict=True)
    ]
    for form in ("text", "markdown"):
        text = get(client(), played, f"chronicle/?chapter=1&limit=1000&format={form}").content.decode()
        assert not [line for line in secret if line.event in text]


def test_an_unknown_format_is_refused():
    played = earth()
    assert refusal(client(), played, "chronicle/?chapter=1&format=pdf", 422, "query.invalid")["errors"]
