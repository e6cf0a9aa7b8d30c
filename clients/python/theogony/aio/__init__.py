"""The same client for asyncio: `from theogony.aio.gods2 import Theogony`. Methods are awaited, lists are `async for`.

Service, GameBase and Stream are written here; those of `theogony` are made from them (`clients/python/unasync.py`).
"""

from ..refusals import Refusal

__all__ = ["Refusal"]
