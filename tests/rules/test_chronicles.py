"""Chronicles of whole games, as they are read aloud: what never stands in a sentence, and some sentences themselves."""

import re

import pytest

from tests.rules.told import FAULTS, GAMES, MAX_CHARACTERS, chronicle, names_in, played, without_names
from tests.rulesets import RULESETS

EVERY = [(slug, number) for slug, (_, numbers) in GAMES.items() for number in numbers]


def test_a_game_of_every_ruleset_is_read() -> None:
    assert set(GAMES) == set(RULESETS) - {"toy"}


@pytest.mark.parametrize(("slug", "number"), EVERY)
def test_a_chronicle_has_no_number_no_coordinates_no_bookkeeping_and_no_key(slug: str, number: int) -> None:
    rules, book = RULESETS[slug], played(slug, number)
    names = list(names_in(rules, book.state))
    told = [line.text for _, line in chronicle(rules, book)]
    assert told
    wrong = {text: [why for why, found in FAULTS.items() if found.search(without_names(text, names))] for text in told}
    assert {text: why for text, why in wrong.items() if why} == {}


@pytest.mark.parametrize(("slug", "number"), EVERY)
def test_no_sentence_stands_twice_in_a_chapter_and_none_is_a_list(slug: str, number: int) -> None:
    lines = chronicle(RULESETS[slug], played(slug, number))
    said = [(chapter, line.text) for chapter, line in lines]
    assert len(set(said)) == len(said)
    assert [text for _, text in said if len(text) > MAX_CHARACTERS] == []


@pytest.mark.parametrize(("slug", "number"), EVERY)
def test_a_chronicle_is_told_from_what_strangers_know(slug: str, number: int) -> None:
    """The state without any secret gives the same words, and the same figures."""
    rules, book = RULESETS[slug], played(slug, number)
    assert chronicle(rules, book, book.state.view_for(frozenset(), gm=False)) == chronicle(rules, book)


@pytest.mark.parametrize(("slug", "number"), EVERY)
def test_each_sentence_says_which_events_it_tells_of_and_stands_where_the_last_of_them_does(
    slug: str, number: int
) -> None:
    lines = [line for _, line in chronicle(RULESETS[slug], played(slug, number))]
    assert all(line.events and list(line.events) == sorted(set(line.events)) for line in lines)
    assert [line.events[-1] for line in lines] == sorted(line.events[-1] for line in lines)


EXAMPLES: dict[tuple[str, int], tuple[tuple[int, str, str], ...]] = {
    ("gods2", 1): (
        (1, "The peoples multiply, Coast Folk most of all.", "50 units born; Coast Folk 15 to 21"),
        (1, "Low Elves learn Fire-keeping, Hunting Lore and Animal Husbandry.", ""),
        (1, "Horn of Tides is made; Thalune has it.", ""),
        (
            1,
            "Ash Cult march on Sandwalkers and beat them.",
            "Ash Cult, strength 19, lose 2 units; Sandwalkers, strength 20, lose 3 units",
        ),
        (
            3,
            "Turmoil divides the faith of Riverlanders, and Orrovai is cast out.",
            "Unrest; Riverlanders: Maribelle 38 %, Solenne 34 %, Tekheth 21 %, Gordrun 6 %",
        ),
        (
            3,
            "Solenne's cult has turned a quarter of Riverlanders; Maribelle keeps a third.",
            "Riverlanders: Maribelle 32 %, Solenne 28 %, Orrovai 18 %, Tekheth 18 %, Gordrun 5 %",
        ),
        (2, "Plains open after a wildfire.", "Wildfire at 6, 16"),
    ),
    ("albraxas", 4): (
        (
            2,
            "Seat 1 gathers strength, raises the Tide in battle and breaks the Ebb.",
            "6 won",
        ),
        (3, "The rebels have the better of it, and the Ebb runs deeper than the Tide.", "Tide 14, Ebb 21"),
        (3, "The rebels win: there is more Ebb than Tide.", ""),
    ),
    ("dawn", 3): (
        (2, "God 11 sends four armies against Coren, who is slain.", "at 4, 1; 15 against 3"),
        (
            2,
            "God 13 works a miracle that gives Norborn what nobody had before: It is warm like a hand.",
            "at 1, 5",
        ),
        (2, "Ravenhelm is made; Norborn have it.", ""),
        (2, "God 14 works a miracle that keeps Morhold from all harm for a while.", "at 2, 3"),
        (
            3,
            "God 14 sends eight armies against Galstead and takes it; Galune falls.",
            "at 1, 0; 23 against 5, 4 against 3, 7 against 7, 27 against 4",
        ),
        (3, "Norborn found the city of Oakhaven.", "at 1, 5"),
        (3, "Ravenhelm passes from Norborn to Hollowkin: their last city has fallen.", ""),
    ),
    ("forgeborn", 1): (
        (
            1,
            "Ixisellania forges Ember, a weapon that reaches far for knowledge, with the help of Brancetia and Opsia.",
            "Power 12, 12d4",
        ),
        (4, "Opsia comes to the help of Village 1 and prevails.", "53 to 32, Power 4"),
        (6, "Brancetia faces the Dragon and slays it.", "53 to 45, Power 8"),
    ),
}
"""Sentences of these games, with their chapters and figures."""


@pytest.mark.parametrize(("slug", "number"), list(EXAMPLES))
def test_causes_and_consequences_are_told_in_one_sentence_with_the_figures_beside_it(slug: str, number: int) -> None:
    told = {(chapter, line.text, line.figures) for chapter, line in chronicle(RULESETS[slug], played(slug, number))}
    assert [example for example in EXAMPLES[slug, number] if example not in told] == []
    assert {game for game, _ in EXAMPLES} | set(FORMS) == set(GAMES)


WHO = r"Seat \d+(?: \d+)?"
SEVERAL = rf"{WHO}(?:, {WHO})* and {WHO}"
FORMS: dict[str, tuple[tuple[str, str], ...]] = {
    "dietower": (
        (rf"{SEVERAL} strike [\w ]+ down\.", r"\d+ hits"),
        (rf"{SEVERAL} grow stronger\.", r"level \d"),
        (rf"{WHO} tries to [a-z ,]+ and succeeds\.", r"Seat .* \d+"),
        (
            rf"{WHO} (?:tries to|tries this:) [\w ,]+ and (?:succeeds|fails), and the tower falls; {WHO} [a-z ]+: .+\.",
            r"Seat .* \d+; tower of \d+ dice",
        ),
        (rf"{WHO} is spoken of\. .+", ""),
        (rf"{WHO} wishes, and the wish comes true: .+", ""),
        (rf"The mystery of {WHO} comes to light: .+", ""),
    ),
}
"""Forms of sentences and figures where it is nothing to a test how fast bots play; each is in one of the games."""


@pytest.mark.parametrize("slug", FORMS)
def test_sentences_of_every_form_are_told_in_games_of_bots(slug: str) -> None:
    rules = RULESETS[slug]
    lines = [line for number in GAMES[slug][1] for _, line in chronicle(rules, played(slug, number))]
    missing = [
        (text, figures)
        for text, figures in FORMS[slug]
        if not any(re.fullmatch(text, line.text) and re.fullmatch(figures, line.figures) for line in lines)
    ]
    assert missing == []
