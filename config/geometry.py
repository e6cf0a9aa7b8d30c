"""What keeps Django from looking for the GDAL library, which nothing here needs.

The library of GraphQL asks for it at import, for fields that no model has; to find none takes a start of compiler and
linker for each of a dozen names, twice in each process.
"""

import os
from typing import NoReturn

from django.core.exceptions import ImproperlyConfigured


class NoLibrary(os.PathLike[str]):
    """The path of a library that is not wanted; to open it raises what Django raises where there is none."""

    def __fspath__(self) -> NoReturn:
        raise ImproperlyConfigured("GDAL is not used: no model has geometry.")
