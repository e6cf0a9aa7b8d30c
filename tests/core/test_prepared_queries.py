"""A statement that is built once answers as its queryset does, whatever it is asked with."""

from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.db.models import sql

from accounts.models import Token, User
from accounts.services import mint_token
from core.prepared_queries import Statement, column_names, instance

pytestmark = pytest.mark.django_db


def test_a_statement_is_compiled_once_and_runs_with_other_values(monkeypatch, django_assert_num_queries):
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    by_id = Statement(lambda pk: User.objects.filter(pk=pk).values_list("id", "username"), type(ada.pk))
    assert by_id.rows(ada.pk) == [(ada.pk, "ada")]
    monkeypatch.setattr(sql.Query, "get_compiler", None)
    with django_assert_num_queries(2):
        assert by_id.first(bob.pk) == (bob.pk, "bob")
        assert by_id.first(uuid4()) is None


def test_an_empty_queryset_runs_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Statement(lambda _: User.objects.none().values_list("id"), str).rows("x") == []


def test_a_value_of_another_type_is_refused_without_a_query():
    by_id = Statement(lambda pk: User.objects.filter(pk=pk).values_list("id"), UUID)
    with pytest.raises(TypeError, match="no UUID"):
        by_id.rows(str(uuid4()))


def test_each_kind_of_database_has_a_statement_of_its_own(monkeypatch):
    by_id = Statement(lambda pk: User.objects.filter(pk=pk).values_list("id"), UUID)
    built = []
    monkeypatch.setattr(by_id, "_build", lambda here: built.append(here.vendor))
    for vendor in ("sqlite", "postgresql", "sqlite"):
        by_id.build(SimpleNamespace(vendor=vendor))
    assert built == ["sqlite", "postgresql"]


def test_rows_become_instances_with_their_times_and_ids():
    token, _ = mint_token(User.objects.create_user("ada"), "phone")
    columns = Statement(lambda digest: Token.objects.filter(digest=digest).values_list(*column_names(Token)), str)
    read = instance(Token, columns.first(token.digest))
    assert (read, read.created_at, read.user_id, read._state.adding) == (token, token.created_at, token.user_id, False)
