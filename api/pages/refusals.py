"""Refusals on pages: the words of the APIs, for people."""

from django.http import HttpRequest, HttpResponse
from pydantic import ValidationError
from rest_framework.exceptions import ParseError

from api.common.exceptions import Fault
from api.common.problems import problem_of
from api.pages.policy import page
from games.engine.errors import Refused

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
        f"{each.get('pointer') or each.get('parameter')}: {each.get('detail')}" for each in body.get("errors", ())
    ]
    return (body["detail"] + rules, *fields)
