"""What is asked about secrets can be asked: nothing in an answer is by chance, and what is left out exists.

`test_leaks` asks every address in the whole form alone; the short form sees here that a new one may stand there.
"""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from tests.security.addresses import ACTING, NOT_ASKED, READ_TOO, Hidden, rest, routes
from tests.security.grounds import cairns
from tests.security.looking import answer_to, client_of, lift_budgets
from tests.security.test_leaks_of_pages import NOT_LOOKED_AT

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("viewer", ["nobody", "gm"])
def test_an_address_that_is_asked_about_secrets_answers_the_same_twice(
    viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind: an address whose answer holds something by chance, as a form's token, is to be listed in NOT_ASKED."""
    lift_budgets(monkeypatch)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    ground = cairns()
    who = ground.viewers[viewer]
    client, differing = client_of(who.user), set()
    for question in rest(ground, Hidden(), ""):
        if answer_to(client, who, question) != answer_to(client, who, question):
            differing.add(question.path)
    assert not differing, "the answers to these hold something by chance: list them in NOT_ASKED, with the reason"


def test_every_address_that_is_left_out_exists() -> None:
    """An entry that names nothing would leave out the next address of that name."""
    names = {name for _, name, _ in routes()}
    assert {*NOT_ASKED, *ACTING, *READ_TOO, *NOT_LOOKED_AT} <= names
