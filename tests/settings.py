"""Settings for the tests: those of the service, in a folder of their own, without the slow and the shared."""

import os
import re
import sys
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = TemporaryDirectory(prefix="theogony-tests-")
os.environ.update(DATA_DIR=FOLDER.name, DEBUG="0", HTTPS="0", SECRET_KEY="only-for-the-tests-of-theogony-" + 40 * "x")
# Some containers forbid bytecode; without it each process that a test starts compiles some 2,000 modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

from config import installed, logs  # noqa: E402  (the environment first)
from config import settings as service  # noqa: E402
from config.databases import FROZEN  # noqa: E402

globals().update({name: value for name, value in vars(service).items() if name.isupper()})

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
WHITENOISE_USE_FINDERS = False  # each client of a test would look for all files; no test reads one through it
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


def _apart(cache: dict[str, Any]) -> dict[str, Any]:
    """A cache for this process of the test run alone: to clear a Redis database is to clear it for everybody in it."""
    found = {**cache, "KEY_PREFIX": f"tests-{WORKER}-{os.getpid()}"}
    if str(cache.get("LOCATION", "")).startswith("redis"):
        found["LOCATION"] = re.sub(r"/\d*$", f"/{10 + int(WORKER[2:]) % 6}", cache["LOCATION"])
    return found


CACHES = {alias: _apart(cache) for alias, cache in service.CACHES.items()}
RULESETS = [*service.RULESETS, "tests.toy"]
INSTALLED_APPS = installed.apps(service.PROCESS, [*RULESETS, *service.SHARED])
DATABASES = service.DATABASES
if service.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file: threads of one process cannot share an in-memory database without locking each other's tables.
    DATABASES = {"default": {**service.DATABASES["default"], "TEST": {"NAME": f"{FOLDER.name}/tests.sqlite3"}}}
if TEST_DATABASE_NAME := os.environ.get("TEST_DATABASE_NAME"):
    # A process that a test has started: it works on the database of that test.
    DATABASES = {"default": {**DATABASES["default"], "NAME": TEST_DATABASE_NAME}}
elif service.DATABASES["default"]["ENGINE"].endswith("postgresql"):
    # A test is one transaction, however long it computes between two statements.
    own = service.DATABASES["default"]
    patient = re.sub(rf"{FROZEN}=\w+", f"{FROZEN}=0", own["OPTIONS"]["options"])
    hasty = f"{patient} -c synchronous_commit=off"  # what this process writes need not outlive a server
    DATABASES = {"default": {**own, "OPTIONS": {**own["OPTIONS"], "options": hasty}}}
if not TEST_DATABASE_NAME:
    # Lines that nobody reads are a twentieth of a run; what reads them sets the level (tests/operations/lines.py).
    LOGGING = logs.logging_settings("json", "NOTSET")
    LOGGING["root"]["level"] = "WARNING"
