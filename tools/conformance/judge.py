"""Let outside tools judge our APIs: `python -m tools.conformance.judge [--examples N] [--since REVISION] [JUDGE ...]`.

Each judge says one line. Those that need a service get one of their own, with the demo event. 1 when one of them finds
a fault; what each is, and how exceptions are listed, is in README.md beside this file.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

from clients import build
from tools.conformance.generators import GENERATORS, faults
from tools.conformance.service import ROOT, Live, NotReady, running

HERE = Path(__file__).resolve().parent
NODE, PYTHON = HERE / "node_modules" / ".bin", HERE / ".venv" / "bin"
PARTS = sorted((ROOT / "api" / "openapi").glob("*.yaml"))
OPENAPI, SDL = ROOT / "api" / "openapi" / "gods2.yaml", ROOT / "api" / "schema.graphql"
SENT = ROOT / "api" / "asyncapi.yaml"
MAX_IMPORT_SECONDS, MAX_MYPY_SECONDS = 1.0, 30.0
"""What one ruleset of our client in Python may cost: to import, and of processor time to check strictly."""
TIMED_IMPORT = (
    "import httpx, time; a = time.perf_counter(); import theogony.gods2; print(f'{time.perf_counter() - a:.2f}')"
)
LIMIT_SECONDS = 1800
MAX_OUTPUT_LINES = 60
CHECKS_OF_OURS = "positive_data_acceptance,missing_required_header,not_a_server_error"
"""What tools/conformance/checks.py stands for."""
PLANTED = (
    ("openapi", OPENAPI, "  /api/v1/games/{game_id}/seats/:\n", "  /api/v1/games/{game_id}/chairs/:\n"),
    ("openapi", OPENAPI, "[ruleset, name]\n      title: OpenGods2", "[ruleset, name, options]\n      title: OpenGods2"),
    ("graphql", SDL, "  serverTime: DateTime!", "  timeOfTheServer: DateTime!"),
)
"""Breaks of a document, each with what it puts in place of what: an address, a field that a request needs, a name."""


class Fault(Exception):
    """What a judge has found, in its own words."""


@dataclass
class Bench:
    """Where a judge sits: a folder that is thrown away, and a service of its own once it is needed."""

    folder: Path
    stack: ExitStack
    examples: int
    since: str = ""
    """The revision whose documents ours are compared with; empty: they are compared with none."""
    found: list[Live] = field(default_factory=list)

    @property
    def live(self) -> Live:
        """The service, started when it is first asked for: its demo event lasts eight minutes."""
        if not self.found:
            place = self.folder / "service"
            place.mkdir()
            self.found.append(self.stack.enter_context(running(place)))
        return self.found[0]

    def players(self, name: str) -> Path:
        """A folder with the players' programs, the SDL and the tools of JavaScript."""
        place = self.folder / name
        shutil.copytree(HERE / "players", place)
        shutil.copy(SDL, place)
        (place / "node_modules").mkdir()
        for tool in (HERE / "node_modules").iterdir():
            (place / "node_modules" / tool.name).symlink_to(tool)
        (place / "package.json").write_text('{"type": "module"}')
        return place


def run(*command: str | Path, cwd: Path = HERE, **environment: str) -> str:
    """What a tool says. Raises Fault when it ends with anything but 0."""
    path = os.pathsep.join([str(PYTHON), str(NODE), os.environ.get("PATH", "")])
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "PATH": path, "REDOCLY_TELEMETRY": "off", "NO_COLOR": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    if done.returncode:
        raise Fault("\n".join(done.stdout.strip().splitlines()[-MAX_OUTPUT_LINES:]))
    return done.stdout.strip()


def last_line(text: str) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


# --- the documents ---------------------------------------------------------------------------------------------------
def validator(bench: Bench) -> str:
    """openapi-spec-validator: is it OpenAPI at all?"""
    for part in PARTS:
        run(PYTHON / "openapi-spec-validator", part)
    return f"{len(PARTS)} documents are valid OpenAPI 3.1"


def spectral(bench: Bench) -> str:
    """Spectral: OpenAPI's and OWASP's rules, nothing above a hint."""
    run(NODE / "spectral", "lint", "--ruleset", ".spectral.yaml", "--fail-severity", "warn", "--quiet", *PARTS)
    return "no error, no warning"


def redocly(bench: Bench) -> str:
    """Redocly: its recommended rules."""
    run(NODE / "redocly", "lint", "--config", "redocly.yaml", *PARTS)
    return "no error"


def asyncapi(bench: Bench) -> str:
    """Spectral and Redocly: the document of what is sent is AsyncAPI 3."""
    run(NODE / "spectral", "lint", "--ruleset", ".asyncapi.spectral.yaml", "--fail-severity", "warn", "--quiet", SENT)
    run(NODE / "redocly", "lint", "--config", "redocly.yaml", SENT)
    return "valid AsyncAPI 3, no error, no warning"


def former_documents(since: str, root: Path = ROOT) -> dict[str, str]:
    """The documents as they were committed at the revision `since`: their text by their path below `root`.

    Raises Fault where the repository does not have the revision, or the revision no documents.
    """
    try:
        commit = run("git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{since}^{{commit}}", cwd=root)
    except Fault as unknown:
        raise Fault(
            f"no revision {since!r} here; a shallow clone lacks what `git fetch --unshallow --tags` gets"
        ) from unknown
    listed = run("git", "ls-tree", "-r", "--name-only", commit, "--", "api/openapi", "api/schema.graphql", cwd=root)
    if not listed:
        raise Fault(f"revision {since!r} has no documents: neither api/openapi/ nor api/schema.graphql")
    return {path: run("git", "show", f"{commit}:{path}", cwd=root) for path in listed.splitlines()}


def changes(bench: Bench) -> str:
    """Nothing breaks inside v1: each document against its former text. First the differs find planted breaks."""
    former = former_documents(bench.since) if bench.since else {}
    for kind, document, old, new in PLANTED:
        planted = bench.folder / f"planted-{document.name}"
        text = document.read_text()
        if old not in text:
            raise Fault(f"{document.name} no longer has {old.strip()!r}, where a break would be planted")
        planted.write_text(text.replace(old, new, 1))
        try:
            message = run("node", "changes.mjs", kind, document, planted)
        except Fault as noticed:
            if "breaking: " not in str(noticed):
                raise
        else:
            raise Fault(f"a planted break of {document.name} was not noticed: {message}")
    if not bench.since:
        return 'planted breaks are noticed; compared with no revision: ARGS="--since v1" names one'
    ours = {str(document.relative_to(ROOT)): document for document in (*PARTS, SDL)}
    if gone := sorted(former.keys() - ours.keys()):
        raise Fault(f"breaking: {', '.join(gone)} of {bench.since} is no longer there")
    rows = []
    for path, document in ours.items():
        if path not in former:
            rows.append(f"{document.stem}: new")
            continue
        then = bench.folder / f"then-{document.name}"
        then.write_text(former[path])
        kind = "graphql" if document == SDL else "openapi"
        rows.append(f"{document.stem}: {last_line(run('node', 'changes.mjs', kind, then, document))}")
    return f"planted breaks are noticed; against {bench.since}: {'; '.join(rows)}"


# --- clients ---------------------------------------------------------------------------------------------------------
def example_of(client: str, language: str) -> str:
    """The program in the README of a client; it is checked as strictly as the players."""
    page = (ROOT / "clients" / client / "README.md").read_text()
    (program,) = re.findall(rf"```{language}\n(.*?)```", page, re.S)
    return str(program)


def typescript(bench: Bench, package: Path) -> list[tuple[str, Path]]:
    """Install our client in TypeScript, generate one for GraphQL, compile both; the programs that play."""
    place = bench.players("typescript")
    ours = place / "node_modules" / "theogony"
    ours.mkdir()
    run("tar", "--extract", "--strip-components=1", "--file", package, cwd=ours)
    (place / "readme.ts").write_text(example_of("typescript", "ts"))
    run(NODE / "graphql-codegen", "--config", "codegen.yml", cwd=place)
    run(NODE / "tsc", "--project", "tsconfig.json", cwd=place)
    run("node", place / "built" / "check_layer.js", cwd=place)
    return [("node", place / "built" / "play_client.js"), ("node", place / "built" / "play_graphql.js")]


def python(bench: Bench, wheel: Path) -> list[tuple[str, Path]]:
    """Install our client in Python, generate one for GraphQL, check both; the programs that play."""
    place = bench.players("python")
    with ZipFile(wheel) as files:
        files.extractall(place)
    (place / "readme.py").write_text(example_of("python", "python"))
    run("ariadne-codegen", "--config", "ariadne.toml", cwd=place)
    every = ("theogony", "readme.py", "play_client.py", "graphql_client", "play_graphql.py")
    run("mypy", "--config-file", "mypy.ini", "--cache-dir", str(bench.folder / "mypy"), *every, cwd=place)
    return [(str(PYTHON / "python"), place / "play_client.py"), (str(PYTHON / "python"), place / "play_graphql.py")]


def figures(files: list[Path], bench: Bench) -> str:
    """What the clients weigh; of one ruleset in Python, seconds of import and of processor under mypy --strict."""
    place = bench.folder / "python"
    said = run(PYTHON / "python", "-c", TIMED_IMPORT, cwd=place)
    (place / "timed.py").write_text("import theogony.gods2\n")
    before = os.times().children_user
    run("mypy", "--strict", "--cache-dir", str(bench.folder / "timed"), "timed.py", cwd=place)
    checked = os.times().children_user - before
    if float(said) > MAX_IMPORT_SECONDS or checked > MAX_MYPY_SECONDS:
        raise Fault(f"theogony.gods2 takes {said} s to import, {checked:.1f} s of processor to check")
    sizes = ", ".join(f"{file.name} {file.stat().st_size // 1024} kB" for file in files)
    return f"{sizes}, import {said} s, mypy {checked:.1f} s"


def clients(bench: Bench) -> str:
    """Our two clients as they are packed, and two generated for GraphQL; each plays into the next century."""
    try:
        wheel, package = sorted(build.pack(bench.folder / "dist"))
    except build.ToolFailed as failed:
        raise Fault(str(failed)) from failed
    programs = [*typescript(bench, package), *python(bench, wheel)]
    measured = figures([package, wheel], bench)
    values = {"DEMO_JSON": str(bench.live.demo_json)}
    with ThreadPoolExecutor(len(programs)) as pool:
        plays = [(path, pool.submit(run, with_, path, cwd=path.parent, **values)) for with_, path in programs]
    faults = [f"{path.parent.name}/{path.name}: {play.exception()}" for path, play in plays if play.exception()]
    if faults:
        raise Fault("\n".join(faults))
    rows = [f"{path.suffix[1:]} {path.stem[5:]}: {last_line(play.result())}" for path, play in plays]
    return "; ".join([measured, *rows])


def generators(bench: Bench) -> str:
    """The common generators over each document: no model dropped, no operation left out, what they make compiles."""
    place = bench.folder / "generated"
    place.mkdir()
    if found := list(faults(run, PARTS, place, HERE / "node_modules")):
        raise Fault("\n".join(found))
    return f"{len(PARTS)} documents survive {', '.join(GENERATORS)}"


# --- the live service ------------------------------------------------------------------------------------------------
def audit(bench: Bench) -> str:
    """graphql-http: GraphQL over HTTP."""
    return last_line(run("node", "audit.mjs", f"{bench.live.base}/graphql/"))


def schemathesis(bench: Bench) -> str:
    """Schemathesis on REST and GraphQL, as the one whose game it is and as a stranger."""
    live, rows = bench.live, []
    for who, token in (("owner", live.token_of("demo-gm")), ("stranger", live.stranger)):
        config = bench.folder / f"schemathesis-{who}.toml"
        config.write_text(
            f'headers = {{ Authorization = "Bearer {token}" }}\n\n[parameters]\n"path.slug" = "gods2"\n'
            f'"path.game_id" = "{live.demo["game"]}"\n"path.world_id" = "{live.demo["world"]}"\n'
        )
        for kind, place in (("REST", "/api/schema/"), ("GraphQL", "/graphql/")):
            message = run(
                *("schemathesis", "--config-file", config, "run", f"{live.base}{place}"),
                *(("--url", live.base, "--exclude-operation-id", "stream") if kind == "REST" else ()),
                *("--checks", "all", "--exclude-checks", CHECKS_OF_OURS, "--seed", "1", "--workers", "2"),
                *("--max-examples", str(bench.examples), "--phases", "examples,coverage,fuzzing"),
                *("--no-color", "--warnings", "off"),
                cwd=bench.folder,
                SCHEMATHESIS_HOOKS="tools.conformance.checks",
                PYTHONPATH=str(ROOT),
            )
            count = next((line.split()[0] for line in message.splitlines() if " generated" in line), "?")
            rows.append(f"{kind} as {who}: {count} cases")
    return "; ".join(rows)


JUDGES: dict[str, Callable[[Bench], str]] = {
    "validator": validator,
    "spectral": spectral,
    "redocly": redocly,
    "asyncapi": asyncapi,
    "changes": changes,
    "audit": audit,
    "clients": clients,
    "generators": generators,
    "schemathesis": schemathesis,
}


def main(arguments: list[str]) -> int:
    """Ask the judges named, or all; 1 when one has found a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("judges", nargs="*", metavar="JUDGE", help=f"of {', '.join(JUDGES)}; all when none is named")
    parser.add_argument("--examples", type=int, default=15, help="of schemathesis, for each operation")
    parser.add_argument("--since", default="", metavar="REVISION", help="what `changes` compares with")
    wanted = parser.parse_args(arguments)
    if unknown := set(wanted.judges) - set(JUDGES):
        parser.error(f"there is no judge {', '.join(sorted(unknown))}")
    failed = 0
    for name in wanted.judges or JUDGES:
        begin = time.monotonic()
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="theogony-conformance-")))
            try:
                verdict, message = "ok", JUDGES[name](Bench(folder, stack, wanted.examples, wanted.since))
            except (Fault, NotReady, subprocess.TimeoutExpired) as fault:
                verdict, message, failed = "FAULT", str(fault), failed + 1
        mark = "\n" if "\n" in message else ""
        print(f"{verdict:5} {name:12} {time.monotonic() - begin:4.0f} s  {mark}{message}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
