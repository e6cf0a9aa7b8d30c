"""The one exception of the service: what it refused, and why."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx


class Refusal(Exception):
    """The service refused a request: a problem document (RFC 9457). Nothing has changed.

    code: for programs, `noun.reason`. detail: for people. rules: ids of the rules that say so. facts: the numbers and
    names behind it. errors: with status 422, each place at fault (`pointer` or `parameter`, `code`, `detail`).
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code: str = problem.get("code", "answer.unreadable")
        self.detail: str = problem.get("detail", f"The answer has status {status} and no problem document.")
        self.rules: Sequence[str] = problem.get("rules", ())
        self.facts: Mapping[str, Any] = problem.get("facts", {})
        self.errors: Sequence[Mapping[str, str]] = problem.get("errors", ())
        self.request_id: str = problem.get("request_id", "")
        super().__init__(f"{self.code}: {self.detail}")

    @classmethod
    def of(cls, answer: httpx.Response) -> "Refusal":
        """The refusal that an answer is; of a gateway before the service, one with the code `answer.unreadable`."""
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        return cls(answer.status_code, problem if isinstance(problem, dict) else {})
