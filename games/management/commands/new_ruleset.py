"""The files of a new game: those of `docs/engine.md`, which builds one from an empty folder, under another name."""

import re
from argparse import ArgumentParser
from keyword import iskeyword
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import Resolver404, resolve

PAGE = Path("docs", "engine.md")
MODEL = "lagoon"
"""The name of the game on the page."""
RULE = re.compile(rf"\b{MODEL[:2].upper()}-(?=[A-Z]+-\d)")
"""What the ids of its rules begin with."""
NAME = re.compile(r"[a-z][a-z0-9]{2,19}")
FILE = re.compile(r"^\*\*(\S+)\*\*\n```\w+\n(.*?)^```$", flags=re.S | re.M)
"""A file of the page: its path in bold, and below it the fenced text."""
NEXT = """
Next:
  1. Add "games.{name}" to RULESETS in config/settings.py.
  2. .venv/bin/python -m pytest {tests}
  3. DEBUG=1 .venv/bin/python manage.py makemigrations {name}
  4. make run
{page} says what each file does, and how the game is played over REST."""


def files_of(page: str) -> dict[str, str]:
    """The files that stand on a page, by their paths."""
    return {path.replace("\\", ""): text for path, text in FILE.findall(page)}


def rename(text: str, name: str) -> str:
    """A path or a text in which the game is called otherwise: in modules, titles and ids of rules."""
    text = RULE.sub(f"{name[:2].upper()}-", text)
    return text.replace(MODEL, name).replace(MODEL.capitalize(), name.capitalize())


class Command(BaseCommand):
    """`new_ruleset NAME` writes a whole game of one question, to be changed into another."""

    help = "Write the files of a new ruleset, as docs/engine.md builds one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The name, and where the files go."""
        parser.add_argument("name", help="3 to 20 lower-case letters and digits: the folder, and the name in both APIs")
        parser.add_argument(
            "--into", type=Path, default=settings.BASE_DIR, help="the folder that has games/; this repository"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError, and writes nothing, for a name that cannot be used or is taken."""
        name, folder = options["name"], Path(options["into"])
        require_free(name, folder)
        page = settings.BASE_DIR / PAGE
        if not page.is_file():
            raise CommandError(f"{PAGE} is not here, and the files stand in it; run this in the repository.")
        files = {rename(path, name): rename(text, name) for path, text in files_of(page.read_text("utf-8")).items()}
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            self.stdout.write(path)
        tests = next(str(Path(path).parent) for path in files if path.startswith("tests/"))
        self.stdout.write(NEXT.format(name=name, tests=tests, page=PAGE))


def require_free(name: str, folder: Path) -> None:
    """Raise CommandError, with what would do, where a game cannot be called so."""
    if not NAME.fullmatch(name) or iskeyword(name):
        raise CommandError(
            f"{name!r} cannot be a game's name: it is a folder, a module and a part of addresses. "
            "Take 3 to 20 lower-case letters and digits, a letter first, and no word of Python."
        )
    for path in (Path("games", name), Path("tests", "rules", name)):
        if (folder / path).exists() or (settings.BASE_DIR / path).exists():
            raise CommandError(f"{path} exists already; take another name, or remove that folder.")
    if name == "core" or name in apps.app_configs or is_address(name):
        raise CommandError(f"The service uses the name {name} itself; take another.")


def is_address(name: str) -> bool:
    """Whether something answers at this name in the REST API."""
    try:
        resolve(f"/v1/{name}/", urlconf="api.rest.urls")
    except Resolver404:
        return False
    return True
