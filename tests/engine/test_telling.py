"""How a chronicle is told: facts of a key in one sentence, where the last of them happened, each once a chapter."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games.engine.audience import PUBLIC
from games.engine.insight.charts import Chapters
from games.engine.insight.chronicle import (
    Fact,
    Scene,
    Sentence,
    Story,
    count_word,
    names,
    part,
    plain,
    silent,
    some,
    tell,
    tell_chapters,
)
from games.engine.kernel import Event, EventRecord

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


class Rained(Event[Any]):
    """It has rained somewhere."""

    where: str


class Dried(Event[Any]):
    """A place is dry again."""

    where: str


class YearOpened(Event[Any]):
    """A year begins."""

    year: int


def tell_rain(scene: Scene[Any], event: Rained) -> list[Fact]:
    return [Fact("rain", lambda where: Sentence(f"It rains on {names(where)}.", f"{len(where)} times"), event.where)]


def tell_drought(scene: Scene[Any], event: Dried) -> list[Fact]:
    rained = scene.before(event, Rained)
    return [
        plain("The land dries." if rained is None else f"After the rain on {rained.where} the land dries.", "1 day")
    ]


STORY: Story[Any] = Story({Rained: tell_rain, Dried: tell_drought})


def records(*events: Event[Any], text: str = "") -> list[EventRecord]:
    return [EventRecord(event, PUBLIC, NOON, text=text) for event in events]


def test_facts_of_a_key_are_one_sentence_where_the_last_of_them_happened() -> None:
    told = tell(STORY, None, records(Rained(where="hills"), Dried(where="hills"), Rained(where="fields")))
    assert [(line.text, line.figures, line.events) for line in told] == [
        ("After the rain on hills the land dries.", "1 day", (1,)),
        ("It rains on hills and fields.", "2 times", (0, 2)),
    ]


def test_the_same_sentence_stands_once_with_all_its_figures() -> None:
    told = tell(STORY, None, records(Dried(where="a"), Dried(where="b")))
    assert [(line.text, line.figures, line.events) for line in told] == [("The land dries.", "1 day", (0, 1))]


def test_a_sentence_of_nothing_is_not_told_and_what_is_silent_is_only_read() -> None:
    nothing: Story[Any] = Story({Rained: silent, Dried: lambda scene, event: [Fact("dry", lambda values: None)]})
    assert tell(nothing, None, records(Rained(where="a"), Dried(where="a"), YearOpened(year=1))) == []
    assert nothing.kinds == (Rained, Dried) and nothing.sentence_kinds == (Dried,)


def test_a_ruleset_without_a_story_is_told_by_the_sentences_of_its_events() -> None:
    every = [
        *records(Rained(where="a"), text="It rains."),
        *records(Dried(where="a")),
        *records(Dried(where="b"), text="It rains."),
    ]
    assert [(line.text, line.events) for line in tell(Story(), None, every)] == [
        ("It rains.", (0,)),
        ("It rains.", (2,)),
    ]


def test_chapters_are_told_apart_and_counted_from_the_one_after_the_last_event() -> None:
    years: Chapters[Any] = Chapters(
        "Year", (YearOpened,), lambda event: event.year, lambda state: False, {2: "The flood"}
    )
    happened = records(Rained(where="a"), YearOpened(year=1), Rained(where="b"), YearOpened(year=2), Rained(where="c"))
    told = tell_chapters(STORY, None, happened, years, 2)
    assert [(number, line.text, line.events) for number, line in told] == [
        (0, "It rains on a.", (0,)),
        (1, "It rains on b.", (2,)),
        (2, "It rains on c.", (4,)),
    ]
    assert [years.title(number) for number in range(3)] == ["Before the first year", "Year 1", "The flood"]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (names(["Elves"]), "Elves"),
        (names(["Elves", "Elves", "Orcs"]), "Elves and Orcs"),
        (names("abcd"), "a, b, c and d"),
        (names("abcdef", "other peoples"), "a, b, c and three other peoples"),
        (some(1, "army"), "an army"),
        (some(1, "city"), "a city"),
        (some(3, "army"), "three armies"),
        (some(2, "die", "dice"), "two dice"),
        (count_word(12), "twelve"),
        (count_word(13), "many"),
        ([part(p) for p in (97, 60, 50, 46, 40)], ["nearly all", "most", "half", "nearly half", "two fifths"]),
        ([part(p) for p in (33, 25, 20, 10, 1)], ["a third", "a quarter", "a fifth", "a tenth", "a sliver"]),
    ],
)
def test_numbers_are_words(found: object, words: object) -> None:
    assert found == words
