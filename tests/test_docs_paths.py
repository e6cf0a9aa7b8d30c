"""Every file, folder and module of the repository that a page names exists.

Looked at is what stands between backticks in README, CONTRIBUTING, SECURITY, `docs/` and the clients' pages: paths that
begin with a folder of the repository, names of files, and dotted names of modules and what is in them. Addresses of the
API and files that a service writes are neither. What a page names although it is gone is followed by `(gone`.
"""

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "accounts",
    "api",
    "bench",
    "clients",
    "config",
    "core",
    "docker",
    "docs",
    "games",
    "tests",
    "tools",
    "worlds",
)
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(page for folder in ("docs", "docs/games", "docs/adr") for page in sorted((ROOT / folder).glob("*.md"))),
    *sorted((ROOT / "clients").glob("*/README.md")),
)
FENCED = re.compile(r"^```.*?^```$", flags=re.S | re.M)
WORD = re.compile(r"`([^`\s]+)`(?! \(gone)")
NAME_OF_FILE = re.compile(r"[\w./-]+\.(py|md|yaml|toml|conf|graphql|txt|html|ts|mjs)")
DOTTED = re.compile(rf"(?!core\.[A-Z])({'|'.join(FOLDERS)})(\.\w+)+")
"""A dotted name of a module; `core.Paused` is the type of an event."""
CODES = (ROOT / "docs" / "error-codes.md").read_text()
"""Its first column has the codes of refusals, which look like names of modules."""
ELSEWHERE = {
    "utils.py": "the pages say that there is none",
    "nginx.conf": "of the proxy's image",
    "games.change_game": "a permission of Django",
}


def words(page: Path) -> list[str]:
    """What a page has between backticks, code blocks aside."""
    found = WORD.findall(FENCED.sub("", page.read_text()))
    return [word for word in found if word not in ELSEWHERE and f"| `{word}` |" not in CODES]


def alternatives(path: str) -> list[str]:
    """A path with each of its choices: `a/{b,c}.py` is `a/b.py` and `a/c.py`."""
    parts = re.split(r"\{([\w,]+)\}", path)
    return ["".join(chosen) for chosen in product(*(part.split(",") for part in parts))]


def is_address(word: str) -> bool:
    """Whether it is an address of the API or of a page: below an id, with a query, or from the service's root."""
    return word.startswith("/") or "?" in word or "<id>" in word or word.startswith(("api/v1", "api/docs"))


def is_there(path: str) -> bool:
    """Whether a path of the repository exists; `<game>` and `*` stand for any name."""
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    return next(ROOT.glob(pattern), None) is not None


@pytest.fixture(scope="module")
def files() -> list[str]:
    """Every file of the repository, with a slash in front."""
    below = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.*"))
    found = [*ROOT.glob("*.*"), *(file for file in below if "node_modules" not in file.parts)]
    return [f"/{file.relative_to(ROOT).as_posix()}" for file in found]


def source_of(dotted: str) -> tuple[str, str]:
    """The source of the module that a dotted name begins with, and what of the name is left; "" without a module.

    A package is the source of all that is in it.
    """
    first, *names = dotted.split(".")
    place = ROOT / first
    while names and (place / names[0]).is_dir():
        place /= names.pop(0)
    if names and (place / f"{names[0]}.py").is_file():
        return (place / f"{names.pop(0)}.py").read_text(), ".".join(names)
    return "".join(file.read_text() for file in sorted(place.rglob("*.py"))), ".".join(names)


def is_defined(dotted: str) -> bool:
    """Whether a dotted name is a module, or a name that is defined in one."""
    source, rest = source_of(dotted)
    name = rest.partition(".")[0]
    if not name:
        return True
    return re.search(rf"^ *(async def|def|class) {name}\b|^{name}(:.*)? = ", source, re.M) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path, files: list[str]) -> None:
    missing = []
    for word in filter(lambda word: not is_address(word), words(page)):
        if word.startswith(tuple(f"{folder}/" for folder in FOLDERS)):
            missing += [path for path in alternatives(word) if not is_there(path)]
        elif DOTTED.fullmatch(word) or NAME_OF_FILE.fullmatch(word):
            found = is_defined(word) if DOTTED.fullmatch(word) else False
            missing += [] if found or any(file.endswith(f"/{word}") for file in files) else [word]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize(
    ("_case", "word", "there"),
    [
        ("a folder", "games/engine/", True),
        ("a choice", "games/engine/economy/auction.py", True),
        ("any game", "games/<game>/rulebook.md", True),
        ("a file that is gone", "games/following.py", False),
    ],
)
def test_a_path_is_there_or_not(_case: str, word: str, there: bool) -> None:
    assert is_there(word) is there


@pytest.mark.parametrize(
    ("dotted", "there"),
    [
        ("games.services.run", True),
        ("games.engine", True),
        ("accounts.Token", True),
        ("games.services.stroll", False),
        ("api.kit", False),
    ],
)
def test_a_dotted_name_is_defined_or_not(dotted: str, there: bool) -> None:
    assert is_defined(dotted) is there


def test_choices_of_a_path_are_looked_at_one_by_one() -> None:
    assert alternatives("a/{b,c}.py") == ["a/b.py", "a/c.py"]
    assert alternatives("a/b.py") == ["a/b.py"]
