"""Users, tokens and invitations, without HTTP."""

import logging
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import keys, services
from accounts.errors import AccountError
from accounts.models import Invitation, Scope, Token, User

pytestmark = pytest.mark.django_db
PASSWORD = "seven-gates-of-horn"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", password=PASSWORD)


def code_of(call, *args, **kwargs) -> str:
    with pytest.raises(AccountError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_a_user_has_a_uuid_and_the_project_uses_this_user_class(ada):
    assert get_user_model() is User
    assert ada.pk.version == 4


def test_two_user_names_that_differ_in_case_alone_are_one_name(ada):
    assert code_of(services.sign_up, username="aDA", password=PASSWORD, mode="open") == "username.taken"
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ADA", password=PASSWORD)
    assert User.objects.count() == 1
    assert User.objects.get_by_natural_key("aDa") == ada


@pytest.mark.parametrize("name", ["", "a", "-ada", "a" * 33, "ada lovelace", "ада", "ada\n", "a/../b"])
def test_a_user_name_of_another_shape_is_refused(name):
    assert code_of(services.sign_up, username=name, password=PASSWORD, mode="open") == "username.shape"
    assert not User.objects.exists()


@pytest.mark.parametrize("password", ["short", "password123", "ada.lovelace"])
def test_a_weak_password_is_refused(password):
    refused = code_of(services.sign_up, username="ada.lovelace", password=password, mode="open")
    assert refused == "password.weak"
    assert not User.objects.exists()


def test_a_display_name_is_one_printable_line():
    user = services.sign_up(username="ada", password=PASSWORD, display_name="  Ada   of Byron ", mode="open")
    assert user.display_name == str(user) == "Ada of Byron"
    assert code_of(services.change_profile, user, display_name="A\u202eda") == "display_name.shape"
    assert code_of(services.change_profile, user, email="ada at byron") == "email.shape"


def test_nobody_signs_up_where_sign_up_is_closed():
    _, code = services.invite(None)
    refused = code_of(services.sign_up, username="ada", password=PASSWORD, invitation=code, mode="closed")
    assert refused == "sign_up.closed"
    assert Invitation.objects.get().uses_left == 1


def test_an_invitation_serves_as_many_people_as_it_allows_and_no_more(ada):
    row, code = services.invite(ada, uses=2)
    for name in ("bob", "cyd"):
        user = services.sign_up(username=name, password=PASSWORD, invitation=code, mode="invitation")
        assert user.invitation == row
    refused = code_of(services.sign_up, username="dee", password=PASSWORD, invitation=code, mode="invitation")
    assert refused == "invitation.unusable"
    assert sorted(User.objects.values_list("username", flat=True)) == ["Ada", "bob", "cyd"]


def test_signing_up_by_invitation_needs_one():
    refused = code_of(services.sign_up, username="bob", password=PASSWORD, mode="invitation")
    assert refused == "invitation.needed"


def test_a_refused_sign_up_leaves_the_invitation_its_use(ada):
    row, code = services.invite(ada)
    refused = code_of(services.sign_up, username="ada", password=PASSWORD, invitation=code, mode="invitation")
    assert refused == "username.taken"
    row.refresh_from_db()
    assert row.uses_left == 1


def test_an_expired_or_withdrawn_invitation_is_rejected(ada):
    late, late_code = services.invite(ada, expires_at=timezone.now() + timedelta(hours=1))
    Invitation.objects.filter(pk=late.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    back, back_code = services.invite(ada, uses=5)
    services.withdraw(back)
    for code in (late_code, back_code, "theoinvite_" + 24 * "0", "nonsense"):
        refused = code_of(services.sign_up, username="bob", password=PASSWORD, invitation=code, mode="invitation")
        assert refused == "invitation.unusable"


def test_an_invitation_is_stored_as_its_hash_alone(ada):
    row, code = services.invite(ada, note="for Bob")
    row.refresh_from_db()
    assert keys.INVITATION_SHAPE.fullmatch(code)
    assert code not in str(vars(row)) + str(row) + repr(row)
    assert row.digest == keys.digest(code)


def test_impossible_invitations_are_refused(ada):
    assert code_of(services.invite, ada, uses=0) == "invitation.uses"
    assert code_of(services.invite, ada, uses=1001) == "invitation.uses"
    assert code_of(services.invite, ada, role="king") == "invitation.role"
    assert code_of(services.invite, ada, expires_at=timezone.now()) == "invitation.past"
    assert not Invitation.objects.exists()


def test_a_token_is_shown_once_and_stored_as_its_hash(ada, caplog):
    caplog.set_level(logging.DEBUG)
    token, plain = services.mint_token(ada, "my frontend", ["gm", "read"])
    assert keys.TOKEN_SHAPE.fullmatch(plain)
    token.refresh_from_db()
    assert token.digest == keys.digest(plain)
    assert token.prefix == plain[5:13]
    assert token.scopes == {Scope.READ, Scope.GM}
    assert token.scope_words == "read gm"
    secret = plain[13:]
    assert secret not in str(vars(token)) + str(token) + repr(token)
    assert services.authenticate_token(plain) == token
    assert secret not in caplog.text


def test_two_tokens_never_share_a_text(ada):
    texts = {services.mint_token(ada, f"token {n}")[1] for n in range(20)}
    assert len(texts) == 20


def test_a_revoked_token_is_rejected_and_stays_so(ada):
    token, plain = services.mint_token(ada, "old")
    services.revoke_token(token)
    first = Token.objects.get().revoked_at
    services.revoke_token(Token.objects.get())
    assert Token.objects.get().revoked_at == first
    assert services.authenticate_token(plain) is None
    assert services.live_token(token.pk) is None


def test_an_expired_token_is_rejected_from_its_last_moment_on(ada):
    ends = timezone.now() + timedelta(hours=1)
    token, plain = services.mint_token(ada, "short", expires_at=ends)
    assert services.authenticate_token(plain) == token
    assert token in Token.objects.live(ends - timedelta(microseconds=1))
    assert token not in Token.objects.live(ends)
    Token.objects.update(expires_at=timezone.now())
    assert services.authenticate_token(plain) is None


def test_the_token_of_an_inactive_user_is_rejected(ada):
    _, plain = services.mint_token(ada, "mine")
    User.objects.update(is_active=False)
    assert services.authenticate_token(plain) is None
    ada.refresh_from_db()
    assert code_of(services.mint_token, ada, "another") == "user.inactive"


@pytest.mark.parametrize(
    "plain", ["", "theo_", "theo_" + 39 * "a", "theo_" + 40 * "a", "theo_" + 40 * "a" + "\n", "é" * 45]
)
def test_a_text_that_is_no_token_identifies_no_user(plain, ada):
    assert services.authenticate_token(plain) is None


def test_the_use_of_a_token_is_written_at_most_once_a_minute(ada, django_assert_num_queries):
    _, plain = services.mint_token(ada, "mine")
    with django_assert_num_queries(2):
        services.authenticate_token(plain)
    first = Token.objects.get().last_used_at
    with django_assert_num_queries(1):
        services.authenticate_token(plain)
    assert Token.objects.get().last_used_at == first
    Token.objects.update(last_used_at=first - timedelta(minutes=1))
    services.authenticate_token(plain)
    assert Token.objects.get().last_used_at >= first


def test_impossible_tokens_are_refused(ada):
    assert code_of(services.mint_token, ada, "   ") == "token.name"
    assert code_of(services.mint_token, ada, "x" * 81) == "token.name"
    assert code_of(services.mint_token, ada, "x", []) == "token.scopes"
    assert code_of(services.mint_token, ada, "x", ["read", "admin"]) == "token.scopes"
    assert code_of(services.mint_token, ada, "x", expires_at=timezone.now()) == "token.past"
    assert not Token.objects.exists()


def test_a_token_is_validated_by_one_statement_and_a_revocation_counts_at_once(ada, django_assert_num_queries):
    token, plain = services.mint_token(ada, "phone")
    services.authenticate_token(plain)  # notes the use
    with django_assert_num_queries(1):
        found = services.authenticate_token(plain)
        assert found is not None and found.user.username == "Ada"
    services.revoke_token(token)
    assert services.authenticate_token(plain) is None


def test_a_user_has_a_bounded_number_of_live_tokens(ada, monkeypatch):
    monkeypatch.setattr(services, "MAX_TOKENS", 2)
    first, _ = services.mint_token(ada, "one")
    services.mint_token(ada, "two")
    assert code_of(services.mint_token, ada, "three") == "token.many"
    services.revoke_token(first)
    services.mint_token(ada, "three")
    assert Token.objects.live().count() == 2


def test_the_database_refuses_a_token_with_unknown_scopes(ada):
    token, _ = services.mint_token(ada, "mine")
    with pytest.raises(IntegrityError), transaction.atomic():
        Token.objects.filter(pk=token.pk).update(scope_words="read admin")


def test_a_new_password_revokes_every_token_but_the_one_in_use(ada):
    current, current_plain = services.mint_token(ada, "kept")
    _, revoked_plain = services.mint_token(ada, "lost")
    assert code_of(services.change_password, ada, new="short") == "password.weak"
    assert services.authenticate_token(revoked_plain) is not None
    assert services.change_password(ada, new="a-long-new-one", keep=current) == 1
    assert services.authenticate_token(current_plain) == current
    assert services.authenticate_token(revoked_plain) is None
    ada.refresh_from_db()
    assert ada.check_password("a-long-new-one")


@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=400)])
def test_a_clock_that_goes_back_lengthens_a_token_to_its_moment_and_brings_back_none_that_was_revoked(ada, back):
    """ADR 96: what people were told is a moment; docs/operations.md says what an operator does."""
    ends = timezone.now() + timedelta(hours=2)
    kept, _ = services.mint_token(ada, "kept", expires_at=ends)
    revoked, _ = services.mint_token(ada, "revoked", expires_at=ends)
    services.revoke_token(revoked)
    assert not Token.objects.live(ends)
    for moment in (ends - back, ends - timedelta(microseconds=1)):
        assert list(Token.objects.live(moment)) == [kept]
    assert not Token.objects.live(ends)
