"""The Python client as it is assembled from the documents, to be imported as `theogony` for a while."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients.build import assemble_python


@contextmanager
def importable(folder: Path) -> Iterator[Path]:
    """Assemble it in a new folder, and let it be imported from there."""
    assemble_python(folder)
    sys.path.insert(0, str(folder))
    try:
        yield folder
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "theogony"]:
            del sys.modules[name]
