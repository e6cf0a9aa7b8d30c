"""Pages by position: nothing skipped, nothing twice, bounded size, opaque cursors."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from rest_framework.request import Request

from accounts.models import Token, User
from api.common.exceptions import Fault
from api.common.keyset import beyond, decode_cursor, encode_cursor, page_size
from api.common.paging import CursorPages

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def tokens() -> list[str]:
    """250 tokens in groups of 100 of one instant; names in the order of a list, the newest first."""
    user = User.objects.create_user("ada")
    Token.objects.bulk_create(
        Token(
            user=user, name=f"{n}", prefix="x", digest=f"{n:064}", scope_words="read",
            created_at=NOON + timedelta(microseconds=n // 100),
        )
        for n in range(250)
    )  # fmt: skip
    return list(Token.objects.order_by("-created_at", "id").values_list("name", flat=True))


def page(address: str, queryset=None, view=None):
    pages = CursorPages()
    request = Request(RequestFactory().get(address))
    rows = pages.paginate_queryset(Token.objects.all() if queryset is None else queryset, request, view)
    return [row["name"] if isinstance(row, dict) else row.name for row in rows], pages.get_paginated_response(None).data


def test_following_next_returns_each_row_once_also_where_many_share_an_instant(tokens):
    names_so_far, address = [], "/api/v1/tokens/?limit=30"
    while address:
        names, links = page(address)
        assert len(names) <= 30
        names_so_far += names
        address = links["next"]
    assert names_so_far == tokens


def test_following_previous_leads_back_the_same_way(tokens):
    address, forth = "/api/v1/tokens/?limit=100", []
    while address:
        names, links = page(address)
        forth.append(names)
        address = links["next"]
    back, address = [], links["previous"]
    while address:
        names, links = page(address)
        back.append(names)
        address = links["previous"]
    assert [len(names) for names in forth] == [100, 100, 50]
    assert back == forth[1::-1]


def test_the_first_page_has_no_previous_and_the_last_no_next(tokens):
    first = page("/x/?limit=100")[1]
    assert first["previous"] is None
    last = page(page(first["next"])[1]["next"])[1]
    assert last["next"] is None
    assert last["previous"] is not None


def test_rows_that_come_and_go_meanwhile_neither_double_nor_hide_the_others(tokens):
    names, links = page("/x/?limit=100")
    Token.objects.filter(name__in=names).delete()
    user = User.objects.get()
    Token.objects.create(user=user, name="new", prefix="x", digest="n" * 64, scope_words="read")
    assert page(links["next"])[0] == tokens[100:200]


def test_a_page_has_fifty_rows_unless_asked_otherwise_and_its_address_keeps_its_filters(tokens):
    names, links = page("/api/v1/tokens/?live=1")
    assert len(names) == 50
    assert links["next"].startswith("http://testserver/api/v1/tokens/?")
    assert "live=1" in links["next"]


def test_an_exact_last_page_has_no_empty_page_after_it(tokens):
    assert page("/x/?limit=50", Token.objects.filter(name__in=tokens[:50]))[1]["next"] is None
    assert page("/x/", Token.objects.none()) == ([], {"results": None, "next": None, "previous": None})


@pytest.mark.parametrize("text", ["0", "-1", "101", "1e2", "x", "", "²", "9" * 5000])
def test_a_page_size_out_of_bounds_is_refused_and_not_clamped(text):
    with pytest.raises(Fault) as caught:
        page_size(text)
    assert caught.value.code == "page.size"
    assert caught.value.errors[0]["parameter"] == "limit"


@pytest.mark.parametrize("cursor", ["", "x", "é", "bnVsbA", "W10", "WzEsMl0", "eyJhIjoxfQ", "A" * 2000, "W" * 999])
def test_a_cursor_that_was_not_made_here_is_refused(cursor):
    with pytest.raises(Fault) as caught:
        decode_cursor(cursor, ("-created_at", "id"), Token)
    assert caught.value.code == "page.cursor"


@pytest.mark.parametrize("values", [["yesterday", "x"], [NOON, "x"], [None, None], [NOON], [NOON, {}], [[], NOON]])
def test_a_cursor_with_values_of_another_kind_is_refused(values):
    order = ("-created_at", "id")
    with pytest.raises(Fault) as caught:
        decode_cursor(encode_cursor(order, False, values), order, Token)
    assert caught.value.code == "page.cursor"


def test_a_cursor_of_another_ordering_is_refused():
    cursor = encode_cursor(("created_at", "id"), False, [NOON, "0b0e7a52-58f1-4bd3-9dfd-111111111111"])
    with pytest.raises(Fault):
        decode_cursor(cursor, ("-created_at", "id"), Token)


def test_a_view_may_order_its_own_way(tokens):
    class View:
        page_ordering = ("prefix", "digest")

    names, links = page("/x/?limit=100", view=View())
    assert names == [f"{n}" for n in range(100)]
    assert page(links["next"], view=View())[0] == [f"{n}" for n in range(100, 200)]


def test_rows_as_plain_values_are_paged_as_well(tokens):
    values = Token.objects.values("name", "created_at", "id")
    names, links = page("/x/?limit=100", values)
    assert names + page(links["next"], values)[0] == tokens[:200]


def test_a_page_is_one_query_wherever_it_is(tokens):
    links = page("/x/?limit=100")[1]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(page(links["next"])[1]["next"])
    assert len(queries) == 2
    assert all("OFFSET" not in query["sql"] for query in queries)


def test_beyond_is_true_of_rows_after_or_before_the_cursor():
    assert str(beyond(("-a", "b"), (1, 2), False)) == "(OR: ('a__lt', 1), (AND: ('a', 1), ('b__gt', 2)))"
    assert str(beyond(("-a", "b"), (1, 2), True)) == "(OR: ('a__gt', 1), (AND: ('a', 1), ('b__lt', 2)))"
