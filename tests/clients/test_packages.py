"""What the packages of both clients say of themselves before anybody publishes them."""

import json
import tomllib

import pytest

from clients import build
from clients.build import DOCUMENTS, HERE
from tests.test_docs_lists import RULESETS

PYTHON = tomllib.loads((HERE / "python" / "pyproject.toml").read_text())["project"]
TYPESCRIPT = json.loads((HERE / "typescript" / "package.json").read_text())


def test_both_packages_say_the_same_of_themselves() -> None:
    assert PYTHON["description"] == TYPESCRIPT["description"]
    assert PYTHON["license"] == TYPESCRIPT["license"] == "MIT"
    assert PYTHON["authors"] == [{"name": TYPESCRIPT["author"]}]
    assert PYTHON["keywords"] == TYPESCRIPT["keywords"] == sorted(PYTHON["keywords"])
    assert set(RULESETS) <= set(PYTHON["keywords"])


@pytest.mark.parametrize("client", ["python", "typescript"])
def test_a_package_is_under_the_mit_licence_which_it_has_with_it(client: str) -> None:
    text = (HERE / client / "LICENSE").read_text()

    assert text.startswith("MIT License\n\nCopyright (c) ") and 'THE SOFTWARE IS PROVIDED "AS IS"' in text


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("https://git.example/theogony", "https://git.example/theogony"),
        ("https://me:secret@git.example/theogony", ""),
        ("git@git.example:theogony.git", ""),
        ("/srv/theogony", ""),
    ],
)
def test_the_address_of_the_sources_is_public_or_not_said(named, shown, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("REPOSITORY", named)
    monkeypatch.setattr(build, "DOCUMENTS", DOCUMENTS[:0])

    build.assemble_python(tmp_path / "python")

    project = tomllib.loads((tmp_path / "python" / "pyproject.toml").read_text())["project"]
    assert project.get("urls", {}).get("Repository", "") == shown
    assert project["version"] == build.VERSION


def test_the_client_beside_the_example_is_what_the_sources_make() -> None:
    """`make clients` writes it anew; the checksums are of the sources and of the copies."""
    assert (build.COPY / "checksums.txt").read_text() == build.checksums()
    assert {file.name for file in build.COPY.iterdir()} == {
        "checksums.txt",
        *(f"{name}.js" for name in build.module_names()),
    }
