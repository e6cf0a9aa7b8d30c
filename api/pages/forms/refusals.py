"""Refusals on pages: the words of the APIs, for people."""

from collections.abc import Collection

from django.http import HttpRequest, HttpResponse
from pydantic import ValidationError
from rest_framework.exceptions import ParseError

from api.common.exceptions import Fault
from api.common.problems import problem_of
from api.pages.policy import is_part, page, refusal_part
from api.pages.wording import fault_in_words, place_in_words, text_of
from games.engine.errors import Refused

TAKEN = (Refused, Fault, ParseError, ValidationError, ValueError)
"""What a form may be sent back for."""


def refuse(request: HttpRequest, error: Exception) -> HttpResponse:
    """A page, or a part of one, that says why nothing is shown. Raises the error where it means no problem document."""
    found = problem_of(error)
    if found is None:
        raise error
    message = found.body["detail"]
    if is_part(request):
        return refusal_part(request, "Not now", message, found.status, found.headers)
    return page(request, "refused", {"message": message}, found.status, found.headers)


def sentences_of(error: Exception, commands: Collection[str] = ()) -> tuple[str, ...]:
    """Why a form was not taken: the refusal with its rules, then a sentence for each field at fault.

    commands: those that its texts may name.
    """
    found = problem_of(error)
    if found is None:
        return (text_of(str(error), commands),)
    body = found.body
    rules = f" ({', '.join(body['rules'])})" if body.get("rules") else ""
    faults: dict[str, str] = {}
    for each in body.get("errors", ()):  # of a field that may be one of several types the first says enough
        place = place_in_words(each.get("pointer") or each.get("parameter") or "")
        faults.setdefault(place, fault_in_words(each.get("code", ""), each.get("detail", "")))
    return (text_of(body["detail"], commands) + rules, *(f"{place}: {fault}." for place, fault in faults.items()))
