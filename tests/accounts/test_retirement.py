"""People are retired and never deleted: the id stays, for games keep it; all else about them is gone."""

import re

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import services
from accounts.errors import AccountError
from accounts.models import Invitation, Token, User
from accounts.oauth.models import Grant, RefreshToken
from accounts.retirement import retire
from games.models import Game, Seat
from tests.accounts.frontend import PASSWORD
from tests.api.worlds import client, toy_game
from worlds.models import WorldMember

pytestmark = pytest.mark.django_db


def person(name: str = "ada") -> User:
    user = User.objects.create_user(name, "ada@example.org", PASSWORD, display_name="Ada L.", is_staff=True)
    user.groups.add(Group.objects.create(name="leaders"))
    services.mint_token(user, "Ada's laptop")
    services.invite(user, note="for Ben")
    return user


def test_a_user_is_never_deleted() -> None:
    ada = person()
    for delete in (ada.delete, User.objects.all().delete, User.objects.filter(pk=ada.pk).delete):
        with pytest.raises(AccountError) as caught:
            delete()
        assert caught.value.code == "user.kept"
    assert User.objects.filter(pk=ada.pk).exists()


def test_nothing_but_the_id_of_a_retired_person_is_kept() -> None:
    ada = person()
    key = ada.pk
    retire(ada)
    kept = User.objects.get(pk=key)
    assert kept.is_retired and ada.is_retired
    assert (kept.display_name, kept.email, str(kept)) == ("Retired", "", "Retired")
    assert re.fullmatch("retired-[0-9a-f]{24}", kept.username), "a random name, in which ada may stand by chance"
    assert not (kept.has_usable_password() or kept.is_active or kept.is_staff or kept.is_superuser)
    assert not kept.groups.exists() and not Token.objects.filter(user=kept).exists()
    assert set(Invitation.objects.values_list("uses_left", flat=True)) == {0}
    assert not kept.check_password(PASSWORD)
    retire(kept)  # a second time changes nothing
    assert User.objects.get(pk=key).retired_at == kept.retired_at


def test_sign_ins_of_applications_end_with_retirement(frontend, ruth) -> None:
    token = frontend.sign_in()
    assert Grant.objects.filter(user=ruth).exists() and RefreshToken.objects.exists() and token
    retire(ruth)
    assert not Grant.objects.filter(user=ruth).exists()
    assert not RefreshToken.objects.exists() and not Token.objects.filter(user=ruth).exists()


def test_a_retired_persons_games_go_on_and_their_token_is_refused() -> None:
    toy = toy_game()
    seat, ann, host = toy.seat(toy.ann), client(toy.ann), client(toy.host)
    retire(toy.ann)
    assert ann.get("/api/v1/me/").status_code == 401
    assert Seat.objects.get(pk=seat).user_id == toy.ann.pk
    assert host.get(toy.path("state/")).status_code == 200
    given = {"seat": str(seat), "user": str(toy.eve.pk), "reason": "Ann has left."}
    answer = host.post(toy.path("commands/hand-over/"), given, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert Seat.objects.get(pk=seat).user_id == toy.eve.pk


@pytest.mark.parametrize("retired", [True, False])
def test_a_seat_is_handed_to_people_who_are_there_alone(retired: bool) -> None:
    toy = toy_game()
    nobody = str(toy.eve.pk) if retired else "00000000-0000-4000-8000-00000000dead"
    retire(toy.eve)
    before = toy.fresh().seq
    given = {"seat": str(toy.seat(toy.ann)), "user": nobody, "reason": "Ann sleeps."}
    answer = client(toy.host).post(toy.path("commands/hand-over/"), given, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "person.missing")
    assert toy.fresh().seq == before and Seat.objects.get(pk=toy.seat(toy.ann)).user_id == toy.ann.pk


def test_a_row_of_a_game_may_name_somebody_who_is_not_in_this_database() -> None:
    """No key of the database leads from games and worlds to people: they may live in another one."""
    for model, name in ((Game, "opened_by"), (Seat, "user"), (WorldMember, "user")):
        assert model._meta.get_field(name).db_constraint is False


def test_a_user_name_of_the_retired_is_taken() -> None:
    with pytest.raises(AccountError) as caught:
        services.sign_up(username="Retired-0123", password=PASSWORD, mode="open")
    assert caught.value.code == "username.shape"


def test_an_administrator_retires_people_and_deletes_nobody() -> None:
    root, ada, page = User.objects.create_superuser("root", password=PASSWORD), person(), Client()
    page.force_login(root)
    LogEntry.objects.log_actions(root.pk, [ada], 2, "Changed.", single_object=True)
    changelist = reverse("admin:accounts_user_changelist")
    wish = {"action": "retire", ACTION_CHECKBOX_NAME: [str(ada.pk)]}

    assert page.get(reverse("admin:accounts_user_delete", args=[ada.pk])).status_code == 403
    asked = page.post(changelist, wish)
    assert asked.status_code == 200 and b"for good" in asked.content
    assert not User.objects.get(pk=ada.pk).is_retired
    assert page.post(changelist, wish | {"confirmed": "1"}).status_code == 302

    assert User.objects.get(pk=ada.pk).is_retired
    assert not LogEntry.objects.filter(object_repr__contains="Ada").exists()
    form = page.get(reverse("admin:accounts_user_change", args=[ada.pk]))
    assert form.status_code == 200 and b'name="_save"' not in form.content

    page.post(changelist, {"action": "retire", ACTION_CHECKBOX_NAME: [str(root.pk)], "confirmed": "1"})
    assert not User.objects.get(pk=root.pk).is_retired


def test_pages_of_games_find_rows_by_people_without_joining_them() -> None:
    toy, page = toy_game(), Client()
    page.force_login(User.objects.create_superuser("root", password=PASSWORD))
    User.objects.filter(pk=toy.ann.pk).update(display_name="Wanderer of the West")
    with CaptureQueriesContext(connection) as asked:
        seats = page.get(reverse("admin:games_seat_changelist"), {"q": "wanderer"}).content.decode()
        games = page.get(reverse("admin:games_game_changelist"), {"q": "host"}).content.decode()
    assert "Ann" in seats and "Bob" not in seats and "Cairns" in games
    both = [q["sql"] for q in asked if '"games_' in q["sql"] and '"accounts_user"' in q["sql"]]
    assert both == []
    nobody = page.get(reverse("admin:games_game_changelist"), {"q": "wanderer"}).content.decode()
    assert str(toy.game.pk) not in nobody
