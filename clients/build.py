"""Make the clients from the documents: `python clients/build.py python|typescript FOLDER`, or both, packed, into dist/.

A client is assembled in a folder of its own: the hand-made part from here, the ruleset's from `api/openapi/`, the
version from `pyproject.toml`, the address of the sources from `REPOSITORY` in the environment or the clone's `origin`.
Nothing of a ruleset that is generated is committed.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from clients.python.generate import write_modules
from clients.python.unasync import write_blocking

HERE = Path(__file__).resolve().parent
UV = os.environ.get("UV", "uv")
ROOT = HERE.parent
SOURCES = HERE / "typescript" / "src"
COPY = HERE / "example" / "theogony"
"""The client of every game, beside the example, which has no build: of what is made, this alone is committed."""
DOCUMENTS = sorted((ROOT / "api" / "openapi").glob("*.yaml"))
VERSION = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
RULESET_MODULE = """/** The client of {slug}: `import {{ Theogony, Refusal }} from "theogony/{slug}"`. */
import type {{ components, paths }} from "./documents/{slug}.js";
import {{ Service }} from "./service.js";

export {{ choices, type Choice }} from "./choices.js";
export {{ form, type Fault, type Form }} from "./form.js";
export {{ Refusal }} from "./refusal.js";
export {{ sample, type Chances }} from "./sample.js";
export {{ Reading, type Schema }} from "./schema.js";
/** Each component of the document by its name: `Schemas["GameDetail"]`. */
export type Schemas = components["schemas"];
/** An event of the log. */
export type GameEvent = Schemas["GameEvent"];
/** One service, and who holds the token. */
export class Theogony extends Service<paths, Schemas["GameState"]> {{}}
"""


class ToolFailed(Exception):
    """A tool is missing or has ended with a fault; the message is its own."""


def run(*command: str | Path, cwd: Path) -> str:
    """What a tool says. Raises ToolFailed."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError as missing:
        raise ToolFailed(f"{words[0]} is not here; `make clients` fetches it.") from missing
    if done.returncode:
        raise ToolFailed(done.stdout)
    return done.stdout.strip()


def repository() -> str:
    """The https address of the sources; "" where neither `REPOSITORY` nor `origin` is one that anybody may be shown."""
    try:
        found = os.environ.get("REPOSITORY") or run("git", "config", "--get", "remote.origin.url", cwd=ROOT)
    except ToolFailed:  # an archive of the sources, or a clone of nothing
        return ""
    address = urlsplit(found)
    return found if address.scheme == "https" and address.hostname and "@" not in address.netloc else ""


def assemble_python(folder: Path) -> None:
    """The Python client's sources, in a new folder. Raises Unknown."""
    shutil.copytree(HERE / "python", folder, ignore=shutil.ignore_patterns("__pycache__", "generate.py", "unasync.py"))
    write_blocking(folder / "theogony")
    for document in DOCUMENTS:
        write_modules(document, folder / "theogony")
    project = folder / "pyproject.toml"
    text = project.read_text().replace('version = "0"', f'version = "{VERSION}"', 1)
    if address := repository():
        text += f'\n[project.urls]\nRepository = "{address}"\n'
    project.write_text(text)


def assemble_typescript(folder: Path) -> None:
    """The TypeScript client, compiled, in a new folder. Its tools must be there (`npm ci`). Raises ToolFailed."""
    shutil.copytree(HERE / "typescript", folder, ignore=shutil.ignore_patterns("node_modules", "built"))
    tools = HERE / "typescript" / "node_modules"
    (folder / "node_modules").symlink_to(tools)
    for document in DOCUMENTS:
        made = folder / "src" / "documents" / f"{document.stem}.ts"
        run(tools / ".bin" / "openapi-typescript", document, "--default-non-nullable=false", "-o", made, cwd=folder)
        (folder / "src" / f"{document.stem}.ts").write_text(RULESET_MODULE.format(slug=document.stem))
    run(tools / ".bin" / "tsc", "--project", "tsconfig.json", cwd=folder)
    package = json.loads((folder / "package.json").read_text()) | {"version": VERSION}
    del package["devDependencies"]
    if address := repository():
        package["repository"] = {"type": "git", "url": f"git+{address}", "directory": "clients/typescript"}
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")


def pack(dist: Path) -> list[Path]:
    """The wheel and the npm package; their files. `UV` in the environment names uv. Raises ToolFailed."""
    dist.mkdir(exist_ok=True)
    for old in (*dist.glob("theogony-*.whl"), *dist.glob("theogony-*.tgz")):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="theogony-clients-") as place:
        python, typescript = Path(place) / "python", Path(place) / "typescript"
        assemble_python(python)
        run(UV, "build", "--quiet", "--wheel", "--offline", "--out-dir", dist, cwd=python)
        assemble_typescript(typescript)
        run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", dist, cwd=typescript)
    return sorted((*dist.glob("theogony-*.whl"), *dist.glob("theogony-*.tgz")))


def module_names() -> list[str]:
    """The modules of the client of every game, without that which has types alone."""
    return sorted(("core", *(file.stem for file in SOURCES.glob("*.ts") if file.stem != "types")))


def checksums() -> str:
    """The sources and the copies as `sha256sum -c` reads them in the folder of the copies."""
    files = [*sorted(SOURCES.glob("*.ts")), *(COPY / f"{name}.js" for name in module_names())]
    return "".join(f"{sha256(file.read_bytes()).hexdigest()}  {os.path.relpath(file, COPY)}\n" for file in files)


def copy_to_example(package: Path) -> None:
    """Put the modules of the packed client beside the example, with their checksums and those of their sources."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    with tarfile.open(package) as packed:
        for name in module_names():
            found = packed.extractfile(f"package/built/{name}.js")
            assert found is not None
            (COPY / f"{name}.js").write_bytes(found.read())
    (COPY / "checksums.txt").write_text(checksums())


def judge(dist: Path) -> None:
    """Let the tools that publish judge what was packed, without publishing it. Raises ToolFailed.

    npm publishes as a dry run, which needs no network; twine comes from `uv.lock` into an environment of its own.
    """
    (wheel,), (package,) = dist.glob("theogony-*.whl"), dist.glob("theogony-*.tgz")
    run("npm", "publish", "--dry-run", "--ignore-scripts", package, cwd=dist)
    twine = (UV, "run", "--quiet", "--locked", "--isolated", "--only-group", "clients", "twine")
    run(*twine, "check", "--strict", wheel, cwd=ROOT)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["python", folder]:
            assemble_python(Path(folder))
        case ["typescript", folder]:
            assemble_typescript(Path(folder))
        case _:
            try:
                files = pack(ROOT / "dist")
                copy_to_example(next(file for file in files if file.suffix == ".tgz"))
                judge(ROOT / "dist")
            except ToolFailed as failed:
                sys.exit(str(failed))
            for file in files:
                print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} kB")
            sources = repository() or "at no address; REPOSITORY=https://... names one"
            print(f"npm publish --dry-run and twine check find no fault; sources {sources}")
