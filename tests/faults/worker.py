"""A worker of its own process: fires what is due in one game. `python -m tests.faults.worker GAME NOW`."""

import os
import sys
from datetime import datetime
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from games import services  # noqa: E402  (Django first)

if __name__ == "__main__":
    sys.stdout.write(f"{services.fire_due(UUID(sys.argv[1]), datetime.fromisoformat(sys.argv[2]))}\n")
