"""What the API itself refuses before any game or account is asked: page sizes, unreadable bodies, missing scopes."""

from collections.abc import Mapping
from typing import Any


class Fault(Exception):
    """A request that the API cannot serve; `api.common.problems` answers it by its code.

    pointer names the member of the body (a JSON pointer), parameter that of the query; headers go with the answer.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        pointer: str | None = None,
        parameter: str | None = None,
        headers: Mapping[str, str] | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rules: tuple[str, ...] = ()
        self.facts = facts
        self.headers = dict(headers or {})
        member = {"pointer": pointer} if pointer is not None else {"parameter": parameter} if parameter else {}
        self.errors: tuple[Mapping[str, str], ...] = ({**member, "code": code, "detail": message},) if member else ()


class FaultOfBatch(Exception):
    """Why none of several commands of one request was done: what one of them was refused with. index: from 0."""

    def __init__(self, index: int, error: Exception) -> None:
        super().__init__(str(error))
        self.index, self.error = index, error
