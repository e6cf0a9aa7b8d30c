"""The desk of a game of every ruleset: all its forms, and the rows of all its tables."""

import re
from html import unescape
from urllib.parse import quote

import pytest

from games.albraxas.rules.state.schema_types import Step
from tests import forms
from tests.event_pages.desks import Desk
from tests.security.grounds import Ground, ages, cairns, era, forge, storm, tower

pytestmark = pytest.mark.django_db
GROUNDS = {
    "toy": cairns,
    "albraxas": lambda: storm(Step.ORDER),
    "dawn": lambda: ages("conflict"),
    "dietower": lambda: tower("turn"),
    "forgeborn": lambda: forge("danger"),
}


@pytest.fixture(params=[*GROUNDS, "gods2"])
def ground(request, settings, tmp_path) -> Ground:
    """A game of each ruleset, under way."""
    return era(settings, tmp_path) if request.param == "gods2" else GROUNDS[request.param]()


def test_a_leader_of_a_game_of_any_ruleset_sees_it_whole(ground, django_assert_max_num_queries):
    desk = Desk.of(ground.game)
    desk.body()  # the state is in the process from now on
    with django_assert_max_num_queries(25):
        answer = desk.client.get(desk.path)
    text = answer.content.decode()
    assert answer.status_code == 200 and ground.game.name in text
    assert "script-src 'self'" in answer["Content-Security-Policy"] and answer["Cache-Control"] == "no-store"
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=", text)  # nothing inline


def test_every_form_of_any_ruleset_opens_with_its_fields_or_says_why_not(ground):
    desk = Desk.of(ground.game)
    asked = [address for method, address, _ in desk.buttons() if method == "get"]
    assert len(asked) > 5
    if forms.SHORT:  # one button of each command
        asked = list({address.partition("?")[0]: address for address in asked}.values())
    for address in asked:
        answer = desk.client.get(address)
        assert answer.status_code == 200, address
        assert any(found in answer.content for found in (b"<form", b"<select", b'role="alert"')), address


def test_every_table_of_any_ruleset_has_rows_that_are_as_they_say(ground):
    """A form that nobody has changed changes nothing: what it shows is what it sends."""
    desk = Desk.of(ground.game)
    amend = desk.path + "amend/"
    tables = re.findall(r'<option value="([^"]+)"', desk.client.get(amend).content.decode())
    assert tables or ground.game.ruleset == "toy"  # in which nobody has a stone yet
    for table in tables:
        if table == "squares":  # by its place, see below
            continue
        listed = desk.client.get(f"{amend}?table={table}").content.decode().partition('id="amend-row"')[2]
        row = quote(unescape(re.findall(r'<option value="([^"]+)"', listed)[-1]))
        answer = desk.send(f"{amend}?table={table}&row={row}", reason=["As it is."])
        assert answer.status_code == 422 and "Nothing differs" in answer.content.decode(), (table, answer.content)
