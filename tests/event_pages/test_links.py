"""Where the pages that everybody may open lead to: each link to a page, and each name of an address to one address.

The kind: a name that two addresses have, so that a link for people leads to the one for programs.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.api.worlds import toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LINK = re.compile(r'<a [^>]*?href="(/[^"#]*)')
FOR_PROGRAMS = ("/api/docs/", "/api/schema/", "/graphql/")
"""What a page leads developers to."""


def named(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Every name of an address with what it takes."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            for name, takes in named(each, f"{space}{each.namespace or ''}:"):
                yield name, takes | {*each.pattern.converters}
        elif isinstance(each, URLPattern) and each.name:
            yield f"{space}{each.name}".lstrip(":"), frozenset(each.pattern.converters)


def test_a_name_is_that_of_one_address():
    own = [(name, takes) for name, takes in named(get_resolver()) if not name.startswith("admin:")]
    assert [each for each, count in Counter(own).items() if count > 1] == []


def test_every_link_of_a_page_that_everybody_may_open_leads_to_a_page(settings):
    settings.SIGN_UP = "open"
    toy_game()
    browser, seen, left = Client(headers={"Accept": "text/html"}), set[str](), ["/"]
    while left:
        address = left.pop()
        seen.add(address)
        answer = browser.get(address, follow=True)
        kind = answer.get("Content-Type", "").partition(";")[0]
        assert (answer.status_code, kind) == (200, "text/html"), f"{address} is linked to"
        found = {unescape(each) for each in LINK.findall(answer.content.decode())}
        left += [each for each in found - seen - {*left} if not each.startswith(FOR_PROGRAMS)]
    assert {"/sign-up/", "/oauth/log-in/?next=/", "/forgotten-password/"} <= seen
