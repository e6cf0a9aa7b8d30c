"""The common generators of clients, over each document: nothing is dropped, and what they make compiles."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

METHODS = ("get", "put", "post", "patch", "delete")
PICTURE = "image/svg+xml"
ODD = re.compile(r"[^a-z0-9]")
TSC = ("--noEmit", "--skipLibCheck", "--strict", "--target", "es2022", "--module", "nodenext")
"""`--skipLibCheck`: of the generator's own declarations; `--strict`: as a strict project would compile it."""
IMPORTED = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module(sys.argv[2])
for found in pkgutil.walk_packages(getattr(package, "__path__", []), sys.argv[2] + "."):
    importlib.import_module(found.name)
"""

Run = Callable[..., str]


@dataclass(frozen=True)
class Document:
    """A document: its file, and the names of its operations, of those that answer pictures, and of its components."""

    path: Path
    operations: frozenset[str]
    pictures: frozenset[str]
    components: frozenset[str]


def read(path: Path) -> Document:
    """The names in a document."""
    found = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
    operations = {
        operation["operationId"]: any(
            PICTURE in answer.get("content", ()) for answer in operation["responses"].values()
        )
        for address in found["paths"].values()
        for method, operation in address.items()
        if method in METHODS
    }
    pictures = frozenset(name for name, is_picture in operations.items() if is_picture)
    return Document(path, frozenset(operations), pictures, frozenset(found["components"]["schemas"]))


def lacking(names: frozenset[str], text: str) -> list[str]:
    """The names that a generated text has in no spelling: generators write `openGame`, `OpenGame` or `open_game`."""
    words = {ODD.sub("", word.casefold()) for word in re.findall(r"[\w-]+", text)}
    return sorted(name for name in names if ODD.sub("", name.casefold()) not in words)


def text_of(folder: Path) -> str:
    """All that was generated below a folder, with the names of its files."""
    files = sorted(file for file in folder.rglob("*") if file.suffix in (".ts", ".py"))
    return "\n".join(f"{file.stem}\n{file.read_text()}" for file in files)


def openapi_typescript(run: Run, document: Document, folder: Path) -> None:
    """Types alone."""
    run("openapi-typescript", document.path, "--output", folder / "types.ts")


def swagger_typescript_api(run: Run, document: Document, folder: Path) -> None:
    """A client on fetch; its file turns the compiler off, which this turns on again."""
    run("swagger-typescript-api", "generate", "--path", document.path, "--output", folder, "--name", "api.ts")
    made = folder / "api.ts"
    made.write_text(made.read_text().replace("// @ts-nocheck\n", ""))


def orval(run: Run, document: Document, folder: Path) -> None:
    """A function for each operation."""
    run("orval", "--input", document.path, "--output", folder / "api.ts", "--client", "fetch")


def openapi_python_client(run: Run, document: Document, folder: Path) -> None:
    """A module for each operation and model; of pictures it takes no answer, and says so, but of nothing else."""
    made = run(
        *("openapi-python-client", "generate", "--path", document.path, "--meta", "none"),
        *("--output-path", folder / "generated"),
    )
    warned = re.findall(r"WARNING parsing \w+ (\S+) within|Unable to (.+)|removal of:?\n(.+)", made)
    if odd := [next(filter(None, each)) for each in warned if not each[0].endswith(".svg")]:
        raise ValueError(f"warns of {', '.join(odd)}")
    run("python", "-c", IMPORTED, folder, "generated")


def datamodel_code_generator(run: Run, document: Document, folder: Path) -> None:
    """Models of pydantic; of operations it makes nothing."""
    run(
        *("datamodel-codegen", "--input", document.path, "--input-file-type", "openapi", "--formatters", "builtin"),
        *("--output-model-type", "pydantic_v2.BaseModel", "--disable-warnings", "--output", folder / "models.py"),
    )
    run("python", "-c", IMPORTED, folder, "models")


GENERATORS: dict[str, tuple[Callable[[Run, Document, Path], None], Callable[[Document], frozenset[str]]]] = {
    "openapi-typescript": (openapi_typescript, lambda of: of.operations | of.components),
    "swagger-typescript-api": (swagger_typescript_api, lambda of: of.components),
    "orval": (orval, lambda of: of.operations),
    "openapi-python-client": (openapi_python_client, lambda of: of.operations - of.pictures),
    "datamodel-code-generator": (datamodel_code_generator, lambda of: of.components),
}
"""How each makes its code of a document, and the names that must stand in it."""


def faults(run: Run, paths: list[Path], folder: Path, node_modules: Path) -> Iterator[str]:
    """What is wrong with what the generators make of these documents, a sentence each."""
    (folder / "node_modules").symlink_to(node_modules)
    (folder / "package.json").write_text('{"type": "module"}')
    documents = [read(path) for path in paths]
    tasks = [(name, document) for document in documents for name in GENERATORS]

    def fault(task: tuple[str, Document]) -> str:
        name, document = task
        make, wanted = GENERATORS[name]
        place = folder / f"{name}-{document.path.stem}"
        place.mkdir()
        try:
            make(run, document, place)
        except Exception as failed:  # noqa: BLE001 - whatever stops a generator is the finding
            return f"{name} of {document.path.name}: {failed}"
        gone = lacking(wanted(document), text_of(place))
        return f"{name} of {document.path.name}: leaves out {', '.join(gone)}" if gone else ""

    with ThreadPoolExecutor(2) as pool:
        yield from filter(None, pool.map(fault, tasks))
    made = sorted(folder.glob("*/*.ts"))
    try:
        run("tsc", *TSC, "--lib", "es2023,dom,dom.iterable", *made, cwd=folder)
    except Exception as failed:  # noqa: BLE001 - the compiler's words are the finding
        yield f"tsc: {failed}"
