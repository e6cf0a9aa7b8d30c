"""tools/with_services.py: servers that are found are used, missing ones started, and a failure is a failure."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "tools/with_services.py"
SHOW = "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'])"


def with_services(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"]} | variables
    command = [sys.executable, str(TOOL), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


def test_addresses_that_are_given_are_taken() -> None:
    given = {"DATABASE_URL": "postgres://somewhere/x", "REDIS_URL": "redis://elsewhere/1"}
    done = with_services(sys.executable, "-c", SHOW, **given)
    assert done.stdout.split() == list(given.values())


def test_the_status_of_the_command_is_the_status() -> None:
    given = {"DATABASE_URL": "postgres://somewhere/x", "REDIS_URL": "redis://elsewhere/1"}
    assert with_services(sys.executable, "-c", "raise SystemExit(7)", **given).returncode == 7


def test_a_server_that_cannot_be_had_is_a_failure() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(TOOL.parent)!r}); import with_services as w\n"
        "w.listening = lambda port: False\n"
        "w.glob.glob = lambda pattern: []\n"
        "w.shutil.which = lambda name: None\n"
        "sys.exit(w.main(['true']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env={"PATH": ""}, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1
    assert "initdb is not installed and no server listens" in done.stderr
