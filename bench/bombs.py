"""GraphQL requests that want to keep the service busy: what refusing each costs the processor.

The aim is a tenth of a second for each. The same requests are in the tests, which see that nothing is executed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure
from bench.ground import Ground, alone

AIM_MS = 100


def measure(on: Ground) -> list[Figure]:
    """One figure for each bomb, the dearest first."""
    found = on.within("", "bombs", DATA_DIR=str(on.folder / "bombs"), DJANGO_SETTINGS_MODULE="bench.settings")
    dearest = sorted(found.items(), key=lambda one: -one[1][1])
    return [
        Figure(
            f"GraphQL bomb: {name} ({size / 1000:.0f} kB)",
            f"{ms:.1f} ms of processor, status {status}",
            aim=AIM_MS,
            value=ms,
            unit=" ms",
            most=True,
        )
        for name, (status, ms, size) in dearest
    ]


if __name__ == "__main__":
    alone("bombs", measure, games=0)
