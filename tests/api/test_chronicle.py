"""The chronicle of a chapter: as JSON, text and Markdown, each sentence with its event's number and its rules."""

import json
import re
from html import unescape

import pytest

from api.representations.shapes.log import ChroniclePage
from games import registry, services
from games.gods2.rules.history.commands import NamePlace
from games.models import Game, LoggedEvent
from tests.api.pictures import earth, get, gm_of, pass_to, refusal
from tests.api.worlds import client, toy_game
from tests.games.moments import rewind_to

pytestmark = pytest.mark.django_db


def page(who, played, rest: str = "") -> ChroniclePage:
    return ChroniclePage.model_validate_json(get(who, played, f"chronicle/?limit=1000{rest}").content)


def test_each_sentence_has_its_events_their_rules_and_its_century():
    played = earth()
    pass_to(played, 2)
    lines = page(client(), played).results
    rows = {f"public/{row.ordinal}": row for row in LoggedEvent.objects.filter(game=played.game, audience="public")}
    for line in lines:
        told = [rows[number] for number in line.events]
        assert line.event == line.events[-1] and line.type == registry.event_type("gods2", told[-1].type)
        assert line.at == told[-1].at and line.rules == unique(rule for row in told for rule in json.loads(row.rules))
    assert {line.chapter for line in lines} == {0, 1, 2}
    grown = next(line for line in lines if line.type == "gods2.RaceGrew" and line.chapter == 1)
    assert grown.text.startswith("The peoples multiply, ") and len(grown.events) > 1
    assert re.fullmatch(r"\d+ units? born; .* \d+ to \d+", grown.figures)


def unique(words):
    return list(dict.fromkeys(words))


def test_a_sentence_stands_once_in_its_chapter_and_names_no_seat_and_no_square():
    played = earth()
    pass_to(played, 3)
    for chapter in range(4):
        told = [line.text for line in page(client(), played, f"&chapter={chapter}").results]
        assert told and len(set(told)) == len(told)
        assert not [text for text in told if re.search(r"\d+, ?\d+|takes a seat", text)]


def test_the_centuries_together_are_the_whole_story():
    played = earth()
    pass_to(played, 3)
    whole = page(played.ana, played).results
    parts = [page(played.ana, played, f"&chapter={n}").results for n in range(4)]
    rows = [line.model_dump(exclude={"cursor"}) for part in parts for line in part]
    assert rows == [line.model_dump(exclude={"cursor"}) for line in whole]
    for number, part in enumerate(parts):
        assert part and {line.chapter for line in part} == {number}


def test_the_cursor_of_a_sentence_is_that_of_the_event_that_completes_it():
    """Streams without an event in the century stand where they stood when it began."""
    played = earth()
    pass_to(played, 3)
    first, *_ = page(played.ana, played, "&chapter=2").results
    after = get(played.ana, played, f"events/?limit=500&after={first.cursor}").json()["results"]
    whole = get(played.ana, played, "events/?limit=500").json()["results"]
    places = [event["cursor"] for event in whole]
    assert [e["cursor"] for e in after] == places[len(places) - len(after) :]
    assert whole[len(places) - len(after) - 1]["type"] == first.type


def test_a_sentence_that_has_grown_is_told_again_to_who_reads_on():
    played = earth()
    pass_to(played, 1)
    one, two = list(played.cast.races.values())[:2]
    gm, path = gm_of(played), "chronicle/?chapter=1&limit=1000"
    services.run(played.game.pk, NamePlace(kind="race", subject=one, name="Firstlings"), actor=gm)
    answer = get(client(), played, path).json()
    assert answer["results"][-1]["text"] == "A people takes a new name: Firstlings."
    services.run(played.game.pk, NamePlace(kind="race", subject=two, name="Latecomers"), actor=gm)
    (grown,) = get(client(), played, f"{path}&after={answer['cursor']}").json()["results"]
    assert grown["text"] == "A people takes a new name: Firstlings and Latecomers."
    assert len(grown["events"]) == 2 and grown["event"] == grown["events"][-1]


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


def test_text_has_event_and_rules_before_each_sentence_and_figures_below_it():
    played = earth()
    pass_to(played, 2)
    answer = get(client(), played, "chronicle/?chapter=1&format=text&limit=1000")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    expected = []
    for line in page(client(), played, "&chapter=1").results:
        source = f"{line.event} [{', '.join(line.rules)}]" if line.rules else line.event
        expected.append(f"{line.at:%Y-%m-%d %H:%M:%S}  {source}  {line.text}")
        expected += [f"{' ' * 21}{line.figures}"] if line.figures else []
    assert answer.content.decode().splitlines() == expected


def test_markdown_has_a_heading_for_each_century():
    played = earth()
    pass_to(played, 3)
    answer = get(client(), played, "chronicle/?format=markdown&limit=1000")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    heads = re.findall("^#+ .*$", answer.content.decode(), re.M)
    assert heads == ["# Stage", "## Before the first century", "## Century 1", "## Century 2", "## Century 3"]
    alone = get(client(), played, "chronicle/?format=markdown&chapter=2&limit=1000").content.decode()
    assert re.findall("^#+ .*$", alone, re.M) == ["# Stage", "## Century 2"]
    figures = r"\d+ units born; \w+ \d+ to \d+ · \d\d:\d\d:\d\d"
    assert re.search(rf"\n\nThe peoples multiply, \w+ most of all\.  \n\*{figures}\* `public/\d+ \[G2", alone)


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


def test_the_chronicle_tells_everybody_the_same():
    played = earth()
    pass_to(played, 2)
    public, own = page(client(), played, "&chapter=1").results, page(played.ana, played, "&chapter=1").results
    assert public and [line.model_dump(exclude={"cursor"}) for line in own] == [
        line.model_dump(exclude={"cursor"}) for line in public
    ]


def test_the_book_holds_what_the_chronicle_tells_with_its_figures():
    played = earth()
    pass_to(played, 2)
    text = client().get(f"/games/{played.game.pk}/chronicle/").content.decode()
    assert re.findall("<h2[^>]*>(.*?)</h2>", text) == ["Before the first century", "Century 1", "Century 2"]
    lines = page(client(), played).results
    assert [unescape(told) for told in re.findall("</time><p>(.*?)</p>", text)] == [line.text for line in lines]
    figures = [unescape(told) for told in re.findall('<p class="figures">(.*?)</p>', text)]
    assert figures == [line.figures for line in lines if line.figures]


def test_the_book_of_a_private_game_is_for_its_members():
    played = earth()
    pass_to(played, 1)
    Game.objects.filter(pk=played.game.pk).update(is_public=False)
    assert client().get(f"/games/{played.game.pk}/chronicle/").status_code == 404
    member = client()
    member.force_login(played.game.seats.filter(user__isnull=False).first().user)
    assert member.get(f"/games/{played.game.pk}/chronicle/").status_code == 200


def test_a_book_without_chapters_is_one_of_days_and_an_empty_one_says_so():
    toy = toy_game()
    text = client().get(f"/games/{toy.game.pk}/chronicle/").content.decode()
    assert re.search(r"<h2[^>]*>\d{4}-\d\d-\d\d</h2>", text) and "takes a seat" in text
    LoggedEvent.objects.filter(game=toy.game).update(text="")
    assert "Nothing is told yet." in client().get(f"/games/{toy.game.pk}/chronicle/").content.decode()


def test_an_unknown_format_is_refused():
    played = earth()
    assert refusal(client(), played, "chronicle/?chapter=1&format=pdf", 422, "query.invalid")["errors"]
