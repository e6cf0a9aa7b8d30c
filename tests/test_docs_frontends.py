"""The page about a frontend of one's own, and the example it begins with: what they name is there."""

import re
from pathlib import Path

import pytest

from accounts.keys import CLIENT_SHAPE
from accounts.models import User
from accounts.oauth.models import EXAMPLE_CLIENT_ID, Application
from clients.build import HERE
from config.env import Environment
from games.workers import demo
from tests.accounts.frontend import Frontend, me
from tests.pages import blocks

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/frontends.md").read_text()
EXAMPLE = HERE / "example"
OURS = [file for file in sorted(EXAMPLE.iterdir()) if file.suffix in (".html", ".css", ".js")]
MOST_LINES = 400
SERVED = re.compile(r"^python3 -m http\.server --bind 127\.0\.0\.1 --directory (\S+) (\d+)", re.M)


def test_the_example_is_short_and_its_files_are_those_of_the_page() -> None:
    assert sum(len(file.read_text().splitlines()) for file in OURS) <= MOST_LINES
    assert re.findall(r"^\| `([\w.]+/?)` \|", PAGE, re.M) == [
        "index.html",
        "style.css",
        "session.js",
        "app.js",
        "theogony/",
    ]
    assert {file.name for file in EXAMPLE.iterdir()} == {*(file.name for file in OURS), "LICENSE", "theogony"}
    assert (EXAMPLE / "LICENSE").read_text() == (HERE / "typescript" / "LICENSE").read_text()


def test_the_functions_that_the_page_names_are_the_examples() -> None:
    (row,) = re.findall(r"^\| `app\.js` \| (.*) \|$", PAGE, re.M)
    defined = re.findall(r"^(?:async )?function (\w+)", (EXAMPLE / "app.js").read_text(), re.M)
    assert set(re.findall(r"`(\w+)`", row)) <= set(defined)


def test_the_commands_of_the_page_serve_what_is_there_where_the_page_says() -> None:
    first, second = blocks(PAGE, "sh")
    assert first.startswith("make run ") and "\nrun: " in (ROOT / "Makefile").read_text()
    ((folder, port),) = SERVED.findall(first)
    assert (ROOT / folder).samefile(EXAMPLE) and f"http://127.0.0.1:{port}/" in PAGE
    copy, _ = second.splitlines()
    assert copy.split()[:3] == ["cp", "-r", folder] and SERVED.findall(second) == [(copy.split()[3], port)]


def test_the_example_knows_the_service_of_this_machine_and_the_application_of_its_demo() -> None:
    fields = dict(re.findall(r'<input name="(\w+)"[^>]* value="([^"]+)"', (EXAMPLE / "index.html").read_text()))
    port = Environment.model_fields["PORT"].default
    assert fields == {"base": f"http://127.0.0.1:{port}", "client": EXAMPLE_CLIENT_ID}
    assert f"`{EXAMPLE_CLIENT_ID}`" in PAGE and CLIENT_SHAPE.fullmatch(EXAMPLE_CLIENT_ID)


@pytest.mark.django_db
def test_the_demo_registers_the_example_for_the_readers_own_machine_alone(settings, tmp_path) -> None:
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    demo.register_example()
    found = Application.objects.get(client_id=EXAMPLE_CLIENT_ID)
    found.full_clean()
    for address in ("http://127.0.0.1:9000/", "http://127.0.0.1/", "http://[::1]:9000/"):
        assert found.redirect_uri_allowed(address), address
    for address in ("http://127.0.0.1:9000/elsewhere", "http://play.example/", "https://127.0.0.1.play.example/"):
        assert not found.redirect_uri_allowed(address), address
    assert (found.allowed_origins, found.scope_words, found.skip_authorization) == ("", "read play", False)

    found.revoked_at = found.created_at
    found.save()
    demo.register_example()
    assert not Application.objects.get(client_id=EXAMPLE_CLIENT_ID).is_usable(None), "who revoked it, meant it"


@pytest.mark.django_db
def test_where_the_demo_is_off_nobody_signs_in_to_the_example_nor_stays_signed_in_longer_than_a_token(
    settings,
) -> None:
    settings.DEMO = True
    demo.register_example()
    application = Application.objects.get(client_id=EXAMPLE_CLIENT_ID)
    frontend = Frontend(application, User.objects.create_user("Ruth", password=None))
    back = {"redirect_uri": "http://127.0.0.1/"}
    code = frontend.code(**back)
    tokens = frontend.exchange(code, **back).json()
    assert me(tokens["access_token"]).status_code == 200

    settings.DEMO = False
    assert frontend.ask(**back).status_code == 400
    assert frontend.renew(tokens["refresh_token"]).status_code in (400, 401)
    settings.DEMO = True
    assert frontend.renew(tokens["refresh_token"]).status_code == 200
