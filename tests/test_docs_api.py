"""The page of the REST API names every address of a game, and none that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW = re.compile(r"^  /api/v1/games/\{game_id\}/(.*):$", flags=re.M)


def addresses(page: str) -> set[str]:
    """What stands in the first column of the page's table of addresses, without queries and names."""
    rows = (ROOT / "docs" / page).read_text().partition("address below `games/<id>/`")[2].partition("\n\n")[0]
    return {plain(name) for row in rows.splitlines()[2:] for name in re.findall(r"`(.*?)`", row.split(" | ")[0])}


def plain(address: str) -> str:
    """An address with one placeholder for each value."""
    return re.sub(r"<\w+>|\{\w+\}", "*", address.partition("?")[0])


def addresses_of_games() -> set[str]:
    """The addresses below a game; that of all commands stands for each command's."""
    found = {plain(path) for path in BELOW.findall((ROOT / "api" / "openapi" / "core.yaml").read_text())}
    return {path for path in found if not path.startswith("commands/") or "*" in path}


def test_the_table_names_every_address_of_a_game():
    built = addresses_of_games()
    shown_elsewhere = {"", "commands/*/", "join/", "state/", "events/", "stream/"}

    assert addresses("api.md") == built - shown_elsewhere
    page = (ROOT / "docs" / "api.md").read_text()
    assert [path for path in shown_elsewhere if path and f"$GAME/{path.partition('*')[0]}" not in page] == []


@pytest.mark.parametrize("page", ["pictures.md"])
def test_other_tables_of_addresses_name_what_is_there(page):
    built = addresses_of_games()

    assert addresses(page) - built == set()


def test_the_links_of_the_docs_lead_somewhere():
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "games").glob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([\w./-]+\.md)\)", page.read_text())]

    assert links
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []
