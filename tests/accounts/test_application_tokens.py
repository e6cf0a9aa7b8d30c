"""What the token of an application learns of its owner: no e-mail address, and of the tokens itself alone."""

import json

import pytest
from django.core.cache import caches
from django.test import Client

from accounts import services
from accounts.models import User
from tests.accounts.frontend import Frontend, register

pytestmark = pytest.mark.django_db


def both(token: str) -> tuple[str, list[str], str, list[str]]:
    """(e-mail, names of tokens), asked over REST and over GraphQL."""
    client = Client(headers={"Authorization": f"Bearer {token}"})
    rows = client.get("/api/v1/tokens/").json()
    query = json.dumps({"query": "{ me { email } tokens { id } }"})
    data = client.post("/graphql/", query, content_type="application/json").json()["data"]
    return (
        client.get("/api/v1/me/").json()["email"],
        [row["id"] for row in (rows["results"] if isinstance(rows, dict) else rows)],
        data["me"]["email"],
        [row["id"] for row in data["tokens"]],
    )


def test_an_application_learns_no_address_and_of_its_own_token_alone():
    caches["throttles"].clear()
    ann = User.objects.create_user("ann", email="ann@gods.example")
    row, personal = services.mint_token(ann, "laptop")
    frontend = Frontend(register("Atlas", scope_words="read play gm"), ann)
    tokens = frontend.sign_in(scope="read play")
    own = str(services.authenticate_token(tokens["access_token"]).pk)
    assert both(tokens["access_token"]) == ("", [own], "", [own])
    email, listed, email_again, listed_again = both(personal)
    assert (email, email_again) == ("ann@gods.example",) * 2
    assert set(listed) == set(listed_again) == {own, str(row.pk)}
