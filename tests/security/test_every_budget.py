"""Every address spends from a budget: with all of them empty nothing is answered but what `UNCOUNTED` lists."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from api.common.error_handlers import of_api
from api.common.page_budget import UNCOUNTED

pytestmark = [pytest.mark.django_db, pytest.mark.once]
FILLED = {"uuid": str(uuid4()), "slug": "toy", "str": "x", "path": "x", "int": "1"}
ELSEWHERE = ("/no/such/address/", "/api/v1/no-such/", "/api/v1/games", "/static/none.css")
BAD_TOKEN = {"Authorization": f"Bearer theo_{'x' * 43}"}


def addresses(patterns=None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(name, a path) of every address of the service, those of the admin too."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        here = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from addresses(pattern.url_patterns, here)
            continue
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: FILLED[found[1] or "str"], here)
        yield str(pattern.name), "/" + re.sub(r"\(\?P<\w+>[^)]*\)|[\^$]|\\Z", "", path)


@pytest.fixture
def no_budget_left(settings):
    caches["throttles"].clear()
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {
        **whole,
        "DEFAULT_THROTTLE_RATES": dict.fromkeys(whole["DEFAULT_THROTTLE_RATES"], "0/day"),
    }


def status_of(method: str, path: str, headers: dict[str, str]) -> int:
    kind = {"content_type": "application/json"} if method == "post" else {}
    return getattr(Client(headers=headers), method)(path, **kind).status_code


def test_every_address_has_a_budget(no_budget_left):
    known = list(addresses())
    assert {"home", "metrics", "schema", "docs", "login", "graphql-schema", "authorize"} <= {name for name, _ in known}
    tried = [(method, path) for name, path in known if name not in UNCOUNTED for method in ("get", "post")]
    tried += [("get", path) for path in ELSEWHERE]
    spent = {(method, path): status_of(method, path, {}) for method, path in tried}
    assert {each: status for each, status in spent.items() if status != 429} == {}


def test_a_token_that_is_refused_and_a_method_that_is_not_served_spend_too(no_budget_left):
    tried = [("get", "/api/v1/me/"), ("post", "/api/v1/tokens/"), ("delete", "/api/v1/games/"), ("put", "/graphql/"),
             ("options", "/graphql/"), ("get", "/graphql/?query={__typename}"), ("head", "/")]  # fmt: skip
    assert [status_of(method, path, BAD_TOKEN) for method, path in tried] == [429] * len(tried)


def test_a_refusal_says_when_to_come_again_as_a_problem_or_as_a_page(no_budget_left):
    page, program = Client().get("/"), Client().get("/api/v1/no-such/")
    assert f"Too many requests; try again in {page['Retry-After']} s." in page.content.decode()
    assert (program.json()["code"], program["Content-Type"]) == ("rate.exceeded", "application/problem+json")
    assert program["Retry-After"] == program["RateLimit-Reset"]


def test_no_refusal_is_without_a_word():
    """The kind: what Django refuses by itself, or a view by a status alone; a program is never answered with a page."""
    ada = Client(raise_request_exception=False, enforce_csrf_checks=True)
    ada.force_login(User.objects.create_user("ada", is_staff=True))
    wordless = set()
    for name, path in addresses():
        if path.startswith("/admin/") or name == "schema":  # long in the making, and never refused
            continue
        caches["throttles"].clear()
        for answer in (ada.get(path), ada.post(path)):
            said = b"".join(answer)
            if answer.status_code >= 400 and (not said or (of_api(answer.wsgi_request) and b"<html" in said)):
                wordless.add((name, answer.status_code))
    assert wordless == set()


def test_each_exception_is_an_address_and_has_its_reason():
    names = {name for name, _ in addresses()}
    assert all(name in names and reason for name, reason in UNCOUNTED.items())
    assert [status_of("get", f"/{name}", {}) for name in UNCOUNTED] == [200] * len(UNCOUNTED)
