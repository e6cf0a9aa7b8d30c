"""The pages for frontend authors of each game: their requests are sent in order, their tables are the registry's."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

import pytest
from pydantic import BaseModel

from games import registry
from games.albraxas.rules.course import COURSE as ALBRAXAS
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import OPENING
from games.dawn.rules.course import COURSE as DAWN
from games.dawn.rules.state.options import DawnOptions
from games.dietower.rules.course import COURSE as DIETOWER
from games.dietower.rules.state.options import DieTowerOptions
from games.engine.course import Course
from games.engine.insight.forecast import Forecastable
from games.engine.kernel import Issuer
from games.forgeborn.rules.course import COURSE as FORGEBORN
from games.forgeborn.rules.state.options import ForgebornOptions
from games.gods2.packs import library
from games.gods2.rules.course import COURSE as GODS2
from games.gods2.rules.state.options import Gods2Options
from tests.pages import (
    ROOT,
    KnownGame,
    Reading,
    command_rows,
    missing_files,
    open_commands,
    prompt_rows,
    public_events,
    table,
    unknown_codes,
    unknown_rules,
)

UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86_400}


def seconds(text: str) -> timedelta:
    """A window as it is text: a number and its unit."""
    number, unit = text.split()
    return timedelta(seconds=int(number) * UNITS[unit])


@dataclass(frozen=True, slots=True)
class Game:
    """The facts of one game's page."""

    secret: bytes
    """What the dice of the page follow from."""
    people: tuple[str, str, str]
    """Those who send its requests."""
    parts: tuple[str, ...]
    """Parts of a game that are asked."""
    folders: tuple[str, ...]
    """Parts that are asked for one thing in them."""
    rules: str
    """What the ids of its rules begin with."""
    forecasts: Callable[[str], list[str]]
    """The commands that the page says have a forecast."""
    prompts: Mapping[str, timedelta | None]
    """How long each prompt is open in live play; None where the page says no time. Those with a time are in order."""
    options: type[BaseModel]
    windows: Collection[str] = ()
    """The windows that an option sets."""
    player: str = "player"
    """What the page calls a seat."""
    refusals: tuple[int, ...] = (409,)
    """The statuses of the refusals that the page shows."""
    public: frozenset[str] = frozenset()
    """Events that everybody reads though their audience is no constant."""
    prompts_like_codes: frozenset[str] = frozenset()
    """Prompts that are named as codes of refusals are."""


def of_course(course: Course) -> dict[str, timedelta | None]:
    """The time of each prompt of a game."""
    rows = course.questions.values()
    return {row.kind: course.windows[row.window].live if row.window and not row.until else None for row in rows}


def named_from(start: str) -> Callable[[str], list[str]]:
    """The commands of the sentence that begins with `start` and says which have a forecast."""
    return lambda page: re.findall(r"`([a-z-]+)`", start + page.partition(start)[2].partition(" have a forecast;")[0])


def named_in_paragraph(page: str) -> list[str]:
    """The commands of the paragraph that says which have a forecast."""
    return re.findall(r"`([\w-]+)`", page.partition(" have a forecast")[0].rpartition("\n\n")[2])


GAMES = {
    "albraxas": Game(
        secret=b"two at dawn",
        people=("gaia", "ana", "ben"),
        parts=("state", "legal-commands", "prompts", "breakdowns", "chronicle", "map.svg", "dice"),
        folders=("forecast", "commands", "charts", "albraxas"),
        rules="AX-",
        forecasts=lambda page: ["write-orders"],
        prompts=of_course(ALBRAXAS),
        options=AlbraxasOptions,
        windows=ALBRAXAS.windows,
        public=frozenset({"OrdersSealed"}),  # it has the readers of its prompt, and everybody reads that of the orders
        prompts_like_codes=frozenset({OPENING}),
    ),
    "dawn": Game(
        secret=b"two shores",
        people=("gaia", "ana", "ben"),
        parts=("state", "legal-commands", "prompts", "chronicle", "map.svg", "dice"),
        folders=("forecast", "commands", "charts", "dawn"),
        rules="DW-",
        forecasts=named_from("\n`shape-land`, "),
        prompts=of_course(DAWN),
        options=DawnOptions,
        windows=("setup", "turn", "answer"),
        player="god",
        refusals=(404, 409),
    ),
    "dietower": Game(
        secret=b"salt road",
        people=("wanda", "ana", "ben"),
        parts=("state", "legal-commands", "prompts", "forecast", "chronicle", "map.svg", "dice", "charts", "commands"),
        folders=(),
        rules="DT-",
        forecasts=named_in_paragraph,
        prompts=of_course(DIETOWER),
        options=DieTowerOptions,
        windows=DIETOWER.windows,
    ),
    "forgeborn": Game(
        secret=b"cold anvil",
        people=("wanda", "ana", "ben"),
        parts=("legal-commands", "prompts", "forecast", "chronicle", "map.svg", "cards", "dice", "charts", "commands"),
        folders=(),
        rules="FB-",
        forecasts=named_in_paragraph,
        prompts=of_course(FORGEBORN),
        options=ForgebornOptions,
    ),
    "gods2": Game(
        secret=b"two peoples",
        people=("gaia", "ana", "ben"),
        parts=(
            *("state", "legal-commands", "prompts", "breakdowns", "rewind-preview", "chronicle", "pictures", "map.svg"),
        ),
        folders=("forecast", "commands", "reaches", "charts", "trees", "gods2"),
        rules="G2-",
        forecasts=named_from("could matter. "),
        prompts=of_course(GODS2),
        options=Gods2Options,
        player="god",
    ),
}
PAGES = {slug: (ROOT / "docs" / "games" / f"{slug}.md").read_text() for slug in GAMES}
each_game = pytest.mark.parametrize("slug", GAMES)


@pytest.mark.django_db
@each_game
def test_every_request_of_the_page_is_answered_as_it_says(slug, monkeypatch):
    game, page = GAMES[slug], PAGES[slug]
    known = KnownGame(monkeypatch, game.secret)
    library.import_packs()  # a test that emptied the tables took them away
    reading = Reading(page, known.tokens(*game.people), sleep=known.sleep)

    reading.run()

    requests = " ".join(reading.requests)
    for part in (*game.parts, *(f"{folder}/" for folder in game.folders)):
        assert f"/{part}" in requests, part
    assert requests.count("GRAPHQL") == page.count("```graphql\n")
    for status in game.refusals:
        assert requests.count(f" {status}") == page.count(f'"status": {status}') > 0
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", page, flags=re.M))


@each_game
def test_the_table_of_commands_is_that_of_the_registry(slug):
    rows = table(PAGES[slug], "Commands", "command")

    who = {Issuer.SEAT: GAMES[slug].player, Issuer.GM: "GM", Issuer.HOST: "host"}
    found = [[name, issuers, fields, rules] for name, issuers, fields, _, rules in rows]
    assert found == command_rows(slug, who, GAMES[slug].rules)


@each_game
def test_the_commands_that_are_said_to_have_a_forecast_have_one(slug):
    assert GAMES[slug].forecasts(PAGES[slug]) == [c.slug() for c in open_commands(slug) if issubclass(c, Forecastable)]


@each_game
def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret(slug):
    rows = table(PAGES[slug], "Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in registry.ruleset(slug).own.events]
    assert {name for name, who, _ in rows if who == "everybody"} == public_events(slug) | GAMES[slug].public


@each_game
def test_the_table_of_prompts_is_that_of_the_rules(slug):
    game, rows = GAMES[slug], {row[0]: row for row in table(PAGES[slug], "Prompts", "prompt")}

    assert rows.keys() == game.prompts.keys()
    commands = registry.ruleset(slug).open_commands
    assert [name for row in rows.values() for name in row[2].split(", ") if name not in commands] == []
    timed = {prompt: window for prompt, window in game.prompts.items() if window is not None}
    found = [(prompt, seconds(row[3])) for prompt, row in rows.items() if prompt in timed]
    assert found == list(timed.items())
    assert {f"{window}_seconds" for window in game.windows} <= game.options.model_fields.keys()


@pytest.mark.parametrize(
    ("slug", "course"),
    [("albraxas", ALBRAXAS), ("dawn", DAWN), ("dietower", DIETOWER), ("forgeborn", FORGEBORN), ("gods2", GODS2)],
)
def test_the_table_of_prompts_says_what_the_course_says(slug, course):
    assert table(PAGES[slug], "Prompts", "prompt") == prompt_rows(course)


def test_the_times_of_dawn_by_post_are_those_of_the_rules():
    said = re.search(r"by post they are (.*) for a turn, (.*) for the set-up and (.*) for all else", PAGES["dawn"])
    assert said
    turn, setup, answer = (seconds(each) for each in said.groups())
    windows = DAWN.windows
    assert (turn, setup) == (windows["turn"].by_post, windows["setup"].by_post)
    assert answer == windows["answer"].by_post == windows["challenge"].by_post


@each_game
def test_codes_rules_and_files_that_the_page_names_exist(slug):
    game, page = GAMES[slug], PAGES[slug]
    rulings = table(page, "Rulings that a frontend meets", "question")

    assert rulings
    assert set(unknown_codes(page, slug)) == game.prompts_like_codes
    assert unknown_rules(rulings, slug, game.rules) == []
    assert missing_files(page) == []
