"""Refusals on pages: the words of the APIs, for people."""

from django.http import HttpRequest, HttpResponse
from pydantic import ValidationError
from rest_framework.exceptions import ParseError

from api.common.exceptions import Fault
from api.common.problems import problem_of
from api.pages.policy import page
from games.engine.errors import Refused
from games.engine.wording import capital

TAKEN = (Refused, Fault, ParseError, ValidationError, ValueError)
"""What a form may be sent back for."""


def refuse(request: HttpRequest, error: Exception) -> HttpResponse:
    """A page that says why nothing is shown. Raises the error where it means no problem document."""
    found = problem_of(error)
    if found is None:
        raise error
    answer = page(request, "refused", {"message": found.body["detail"]}, status=found.status)
    for name, value in found.headers.items():
        answer[name] = value
    return answer


def sentences_of(error: Exception) -> tuple[str, ...]:
    """Why a form was not taken: the refusal with its rules, then a sentence for each field at fault."""
    found = problem_of(error)
    if found is None:
        return (str(error),)
    body = found.body
    rules = f" ({', '.join(body['rules'])})" if body.get("rules") else ""
    fields = [
        f"{place_in_words(each.get('pointer') or each.get('parameter') or '')}: {each.get('detail')}"
        for each in body.get("errors", ())
    ]
    return (body["detail"] + rules, *fields)


def place_in_words(pointer: str) -> str:
    """Where in a body something is, as a form calls it: `/losses/1/units` is `Losses 2, units`; items count from 1."""
    words: list[str] = []
    for part in filter(None, pointer.split("/")):
        if part.isdigit() and words:
            words[-1] += f" {int(part) + 1}"
        else:
            words.append(part.replace("_", " "))
    return capital(", ".join(words)) or "The form"
