"""The laws of the tree that import-linter cannot say: read from the syntax of every file, new games included."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.syntax import nodes_of

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "accounts", "worlds", "games", "api", "config")
FOREIGN = frozenset({"migrations", ".venv", "node_modules"})
LONGEST = 350
MOST_MODULES = 25
TRANSPORTS = ("api.rest", "api.graphql", "api.console")
TRANSPORT_FILES = ("config/", "api/rest/", "api/graphql/", "api/console/", "api/streams", "api/door/")
WRITES = frozenset({"create", "bulk_create", "update", "bulk_update", "update_or_create", "get_or_create", "delete"})
DOOR_STEMS = frozenset({"tasks", "admin", "api", "selectors"})
STATE_OPEN = re.compile(r"\[(S|S_contra)\]$")
STAR_OR_DOTS = re.compile(r"\bfrom[\s\\]*\.|\bimport[\s\\(]*\*")
"""What an import of a star or by dots is written with, whatever stands around it."""
SHORT_WORD = re.compile(r"""[0-9a-f]["']\s+not\s+in\b""")
"""What the end of a short word of hexadecimal letters is written with that a test looks for in vain."""
CLOCKS = frozenset({"now", "utcnow", "today"})
GAMES = sorted(path.parent.name for path in (ROOT / "games").glob("*/rules") if path.is_dir())


def files(*folders: str) -> list[Path]:
    """Python files of ours below the folders, migrations left out."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if not FOREIGN & set(path.parts)]


def docstring(path: Path) -> str:
    """The preface of a file, empty where there is none."""
    module = nodes_of(path)[0]
    assert isinstance(module, ast.Module)
    return ast.get_docstring(module) or ""


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def imports_of(path: Path) -> Iterator[tuple[str, ast.AST]]:
    """Full names of what a file imports, `from a import b` as `a.b`."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)


def within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def test_nothing_is_imported_inside_a_function() -> None:
    found = [
        where(path, inner)
        for path in files(*PACKAGES)
        for outer in nodes_of(path)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert found == []


def test_nothing_imports_a_star_or_by_dots() -> None:
    found = [
        where(path, node)
        for path in files(*PACKAGES, "tests", "tools")
        if STAR_OR_DOTS.search(path.read_text())  # most files hold no such text: they are not parsed for it
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and (node.level > 0 or any(alias.name == "*" for alias in node.names))
    ]
    assert found == []


def test_no_signal_receiver_carries_an_effect() -> None:
    found = [
        where(path, node)
        for path in files(*PACKAGES)
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if ast.unparse(mark).split("(")[0].split(".")[-1] == "receiver"
    ]
    assert found == []


def test_engine_and_rules_read_no_clock() -> None:
    pure = files("games/engine", *(f"games/{game}/rules" for game in GAMES))
    found = [
        where(path, node)
        for path in pure
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and node.attr in CLOCKS
        and ast.unparse(node.value).split(".")[-1] in {"datetime", "date"}
    ]
    assert found == []


BY_NAME = [
    ROOT / path
    for path in (
        "games/registry.py",
        "games/engine/members.py",
        "games/runtime/notify.py",  # Redis' client: a setup without Redis does not load it
        "api/graphql/served.py",  # the schema: a process that is asked nothing over GraphQL does not make it
    )
]


def test_few_files_import_by_name() -> None:
    found = [
        where(path, node)
        for path in files(*PACKAGES)
        if path not in BY_NAME
        for name, node in imports_of(path)
        if within(name, "importlib") and name not in {"importlib.resources", "importlib.metadata"}
    ]
    called = [
        where(path, node)
        for path in files(*PACKAGES)
        for node in nodes_of(path)
        if isinstance(node, ast.Name) and node.id == "__import__"
    ]
    assert found + called == []


def test_a_long_file_says_why_it_is_long() -> None:
    found = []
    for path in files(*PACKAGES, "tools"):
        text = path.read_text()
        preface = docstring(path)
        if text.count("\n") > LONGEST and "reason" not in preface.lower():
            found.append(f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines")
    assert found == []


def test_no_test_looks_for_a_word_that_an_id_may_hold_by_chance() -> None:
    """Ids and digests are hexadecimal: a word of their letters alone is found in them now and then."""
    drawn = {("test_map_svg.py", "7"), ("test_setup.py", "d12")}  # from a text without ids; with the ids of the tests
    found = {
        (path.name, word)
        for path in files("tests")
        if SHORT_WORD.search(path.read_text())
        for node in nodes_of(path)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn) and isinstance(node.left, ast.Constant)
        for word in [node.left.value.decode() if isinstance(node.left.value, bytes) else str(node.left.value)]
        if isinstance(node.left.value, str | bytes) and re.fullmatch("[0-9a-f]{1,6}", word)
        if not isinstance(node.comparators[0], ast.Set | ast.List | ast.Tuple | ast.Dict)
    }
    assert found - drawn == set()


def test_no_name_of_a_test_depends_on_the_moment() -> None:
    """What is packed by gzip holds the time: processes of a run that call a test otherwise end the run."""
    found = [
        where(path, call)
        for path in files("tests")
        if "gzip.compress(" in path.read_text()
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.parametrize"
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "gzip.compress"
        if not any(each.arg == "mtime" for each in call.keywords)
    ]
    assert found == []


def test_a_file_with_code_has_a_docstring() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in files(*PACKAGES, "tools")
        if path.read_text().strip() and not docstring(path)
    ]
    assert found == []


def test_nothing_is_called_utils_or_helpers() -> None:
    found = [str(path.relative_to(ROOT)) for path in files(*PACKAGES) if path.stem in {"utils", "helpers"}]
    assert found == []


@pytest.mark.parametrize("package", ["core", "games", "api"])
def test_the_packages_above_pure_code_stay_empty(package: str) -> None:
    assert (ROOT / package / "__init__.py").read_text().strip() == ""


@pytest.mark.parametrize("module", ["games.engine", *(f"games.{game}.rules" for game in GAMES)])
def test_rules_load_without_django(module: str) -> None:
    script = (
        f"import pkgutil, sys, {module} as root\n"
        "names = [m.name for m in pkgutil.walk_packages(root.__path__, root.__name__ + '.')]\n"
        "[__import__(name) for name in names]\n"
        "bad = {'django', 'rest_framework', 'strawberry', 'celery', 'redis'} & set(sys.modules)\n"
        "sys.exit(', '.join(sorted(bad)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_class_of_the_engine_or_a_game_names_the_state_it_works_on() -> None:
    classes = [
        (path, node)
        for path in files("games", "tests/toy")
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
    ]
    open_ones = {node.name for _, node in classes for base in node.bases if STATE_OPEN.search(ast.unparse(base))}
    assert {"Event", "Command", "Enumerable", "Store"} <= open_ones
    found = [
        where(path, node)
        for path, node in classes
        if any(isinstance(base, ast.Name) and base.id in open_ones for base in node.bases)
    ]
    assert not found, f"bare means any state, and nothing is checked: {found}"


def test_nothing_below_the_apis_imports_an_api() -> None:
    above = (*TRANSPORT_FILES, *(f"games/{game}/{admin}" for game in GAMES for admin in ("admin", "packs/admin")))
    found = [
        f"{where(path, node)} imports {name}"
        for path in files(*PACKAGES)
        if not str(path.relative_to(ROOT)).startswith(above)
        for name, node in imports_of(path)
        if any(within(name, transport) for transport in TRANSPORTS)
    ]
    assert found == []


def test_a_game_is_imported_by_itself_alone() -> None:
    """Neither engine, services, APIs nor another game name a game; the registry finds it by its name."""
    found = [
        f"{where(path, node)} imports {name}"
        for path in files(*PACKAGES)
        for name, node in imports_of(path)
        for game in GAMES
        if within(name, f"games.{game}") and not str(path.relative_to(ROOT)).startswith(f"games/{game}/")
    ]
    assert found == []


@pytest.mark.parametrize("game", GAMES)
def test_modules_of_rules_import_each_other_without_a_circle(game: str) -> None:
    """Imports for types alone count, too. `TopologicalSorter.prepare` raises CycleError, with the circle."""
    graph = grimp.build_graph("games")
    rules = {module for module in graph.modules if within(module, f"games.{game}.rules")}
    assert len(rules) > 1
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) & rules for module in rules}).prepare()


@pytest.mark.parametrize("folder", ["games/engine", *(f"games/{game}/rules" for game in GAMES)])
def test_no_folder_of_rules_has_more_modules_than_the_limit(folder: str) -> None:
    folders = {path.parent for path in files(folder)}
    assert {str(each): n for each in folders if (n := len(list(each.glob("*.py")))) > MOST_MODULES} == {}


SERVICES_OF_PEOPLE = (
    "api/webhooks/delivery.py",
    "api/webhooks/endpoint_rows.py",
    "api/webhooks/endpoints.py",
    "api/webhooks/owners.py",
    "api/webhooks/subscriptions.py",
    "api/webhooks/chat/delivery.py",
    "api/webhooks/chat/hooks.py",
    "api/notifications/browsers.py",
    "api/notifications/digests.py",
    "api/notifications/following.py",
    "api/notifications/mailing.py",
    "api/notifications/pushing.py",
    "api/notifications/reading.py",
    "api/notifications/sending.py",
    "api/notifications/wishes.py",
)
"""What REST, GraphQL, tasks and the admin call; they write the rows of webhooks and notifications, and no others (ADR
117, 119, 120, 125, 127, 129)."""


def test_rows_are_written_by_services_and_stores_alone() -> None:
    """APIs, tasks and admins call a service: no `.objects.create(`, `.update(`, `.save(` of their own."""
    found = []
    doors = files("api") + [path for path in files("games") if path.stem in DOOR_STEMS]
    for path in (path for path in doors if str(path.relative_to(ROOT)) not in SERVICES_OF_PEOPLE):
        for node in nodes_of(path):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner, verb = ast.unparse(node.func.value), node.func.attr
            by_manager = verb in WRITES and ".objects" in owner
            by_row = verb == "save" and owner not in {"super()", "serializer", "form", "formset"}
            if by_manager or by_row:
                found.append(f"{where(path, node)} {owner}.{verb}")
    assert found == []


SCHEMAS = ("strawberry", "graphql", "drf_spectacular", "django_filters")
PAGES = (*SCHEMAS, "rest_framework", "unfold", "api")
PARTS_OF_PEOPLE = ("console", "door", "graphql", "oauth", "pages", "representations", "rest", "streams")
OF_PEOPLE = (*SCHEMAS, "rest_framework", "unfold", *(f"api.{part}" for part in PARTS_OF_PEOPLE))
"""The same for the worker, which posts to webhooks."""
TABLES_AND_RULES = ("games.models", "games.gods2.rules", "games.services")
SETTINGS = ("django", "pydantic", "config.settings")
OF_OTHERS = ("celery", "kombu", "rest_framework.views", "requests")
"""What thousands of watchers would pay for, and no stream uses: 20 MB."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("process", "start", "absent"),
    [
        (
            "clock",
            "import celery.bin.worker; from config.celery import app; app.loader.import_default_modules()",
            (*OF_PEOPLE, "redis"),
        ),
        ("supervisor", "import config.process.serving", (*PAGES, *TABLES_AND_RULES, *SETTINGS)),
        (
            "clock",
            "from django.core.management import call_command as c; import django; django.setup(); c('check')",
            PAGES,
        ),
        ("clock", "from config.beat import app; app.loader.import_default_modules()", (*PAGES, *TABLES_AND_RULES)),
        (
            "supervisor",
            "import django; django.setup(); import config.management.commands.serve",
            (*PAGES, *TABLES_AND_RULES),
        ),
        ("stream", "import config.stream", (*SCHEMAS, *OF_OTHERS, "unfold", "api.graphql", "api.door", "redis")),
    ],
    ids=["worker", "supervisor", "commands", "beat", "serve", "stream"],
)
def test_a_process_loads_what_it_is_for(process: str, start: str, absent: tuple[str, ...], tmp_path: Path) -> None:
    script = (
        f"{start}\nimport sys\n"
        f"found = [m for m in sys.modules if any(m == a or m.startswith(a + '.') for a in {absent!r})]\n"
        "found += [m for m in sys.modules if m.endswith('.admin') and m.startswith(('games', 'worlds', 'accounts'))]\n"
        "found += [m for m in sys.modules if m == 'config.urls']\n"
        "print(', '.join(sorted(found)[:9]), end='')\n"
    )
    environment = {
        "PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DEBUG": "1", "THEOGONY_PROCESS": process,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )
    assert (done.returncode, done.stdout.removeprefix("System check identified no issues (1 silenced).\n")) == (
        0,
        "",
    ), done.stderr


@pytest.mark.long
@pytest.mark.parametrize(("variables", "made"), [({}, "0 1"), ({"DEBUG": "0", "GRAPHQL_EARLY": "1"}, "1 1")])
def test_the_schema_of_graphql_is_made_before_a_service_listens_or_when_it_is_asked(
    variables: dict[str, str], made: str, tmp_path: Path
) -> None:
    script = (
        "import sys, config.asgi\nfrom api.graphql.served import schema\n"
        "first = 'api.graphql.schema' in sys.modules\nschema.query\n"
        "print(int(first), int('api.graphql.schema' in sys.modules))"
    )
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DEBUG": "1", "SECRET_KEY": 60 * "kx"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.returncode, done.stdout) == (0, f"{made}\n"), done.stderr
