"""The way of docs/sign-in.md: its commands are run as written, against the service, by a shell with curl, openssl."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.models import User
from accounts.oauth.scopes import SENTENCES
from accounts.sessions import BACKEND
from config import rest
from tests.accounts.frontend import PASSWORD, query_of, register
from tests.pages import blocks

PAGE = (Path(__file__).parent.parent / "docs" / "sign-in.md").read_text()
needed = pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("openssl") is None, reason="Needs curl and openssl"
)


def shell(block: str, values: dict[str, str], *shown: str) -> list[str]:
    """What a block prints, then the values of the shown variables, a line each."""
    given = "".join(f"{name}='{value}'\n" for name, value in values.items())
    after = "".join(f'\nprintf "\\n%s" "${name}"' for name in shown)
    done = subprocess.run(
        ["bash", "-euc", given + block + after], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.split("\n")


@needed
@pytest.mark.django_db(transaction=True)
def test_the_way_with_curl(live_server):
    back = "https://atlas.example/back"
    ruth = User.objects.create_user("Ruth", password=PASSWORD)
    values = {"BASE": live_server.url, "BACK": back, "CLIENT": register("Atlas").client_id}
    begin, exchange, look, renew, revoke = blocks(PAGE, "sh")

    address, *_, values["VERIFIER"] = shell(begin, values, "VERIFIER")
    browser = Client()
    browser.force_login(ruth, backend=BACKEND)
    path = address.removeprefix(live_server.url)
    assert browser.get(path).status_code == 200
    sent_back = browser.post(path, {"decision": "allow"})
    assert urlsplit(sent_back["Location"]).path == "/back"
    values["CODE"] = query_of(sent_back)["code"]

    tokens = json.loads(shell(exchange, values)[0])
    (shown,) = map(json.loads, blocks(PAGE, "json"))
    assert set(tokens) == set(shown)
    assert {name: tokens[name] for name in ("expires_in", "token_type", "scope")} == {
        name: shown[name] for name in ("expires_in", "token_type", "scope")
    }
    values |= {"ACCESS": tokens["access_token"], "REFRESH": tokens["refresh_token"]}
    assert json.loads(shell(look, values)[0])["username"] == "Ruth"

    tokens = json.loads(shell(renew, values)[0])
    assert json.loads(shell(look, values)[0])["code"] == "token.refused"
    values |= {"ACCESS": tokens["access_token"], "REFRESH": tokens["refresh_token"]}
    assert json.loads(shell(look, values)[0])["username"] == "Ruth"
    assert shell(revoke, values) == [""]
    assert json.loads(shell(look, values)[0])["code"] == "token.refused"


def test_the_page_lists_the_scopes_and_the_budget_as_they_are():
    assert dict(re.findall(r"^\| `(\w+)` \| ([A-Z].*) \|$", PAGE, re.M)) == {
        str(s): text for s, text in SENTENCES.items()
    }
    limit = rest.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["oauth"].partition("/")[0]
    assert f"({limit} a minute)" in PAGE
