"""The desk: for those alone who lead a game, with everything that they may do."""

import json
import re
from html import escape, unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from api.common.authentication import Principal
from api.pages.event.panels import answer_values
from api.streams.access import open_access
from api.streams.presence import note
from games import services
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow
from games.engine.lifecycle.seating import AddSeat, HandOver
from games.forgeborn.rules.turns.commands import Journey
from games.gods2.models import Preview
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.war.schedule_commands import HoldWar
from games.models import Game, LoggedEvent, Seat
from tests.api.worlds import toy_game, user
from tests.event_pages.desks import Desk, Form
from tests.security.grounds import era
from tests.toy.rules.commands import CastVote, Propose, RollStones
from worlds.models import Presence

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def here() -> Desk:
    """The desk of a game of Cairns."""
    return Desk.of(toy_game().game)


def test_players_observers_and_strangers_have_no_desk(here):
    for person in (user("ann"), user("eve")):
        client = Client()
        client.force_login(person)
        for path in (here.path, here.path + "body/", here.address("pause")):
            answer = client.get(path)
            assert answer.status_code == 403 and b"game-masters and the host" in answer.content
        assert client.post(here.address("pause"), {"reason:text": ""}).status_code == 403
        assert client.post(here.path + "ticket/").status_code == 403
    assert here.game.paused_at is None and not LoggedEvent.objects.filter(game=here.game, type="Paused").exists()


def test_who_is_not_signed_in_is_asked_to_and_comes_back(here):
    answer = Client().get(here.path)
    assert (answer.status_code, answer["Location"]) == (302, f"/oauth/log-in/?next={here.path}")
    part = Client().get(here.path + "body/", headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Refresh"]) == (401, "true")


def test_a_form_without_the_token_of_the_session_changes_nothing(here):
    client = Client(enforce_csrf_checks=True)
    client.force_login(user("host"))
    assert client.post(here.address("pause", {"reason": ""})).status_code == 403
    assert Game.objects.get(pk=here.game.pk).paused_at is None


def test_a_private_game_is_missing_for_strangers():
    desk = Desk.of(toy_game(is_public=False).game)
    client = Client()
    client.force_login(user("eve"))
    assert client.get(desk.path).status_code == 404


def test_the_clock_is_paused_resumed_and_extended_by_buttons(here):
    method, address = here.button("Pause")
    assert method == "post"
    answer = here.client.post(address, {"key": "a"})
    assert answer.status_code == 204
    assert json.loads(answer["HX-Trigger"])["issued"]["message"].startswith("The clock stands still.")
    assert ">paused<" in here.body()
    assert here.client.post(here.button("Resume")[1], {"key": "b"}).status_code == 204
    before = here.game.timers.get(key="tide").due
    assert here.client.post(here.button("+1 min")[1], {"key": "c"}).status_code == 204
    assert (here.game.timers.get(key="tide").due - before).total_seconds() > 59


def test_a_button_that_is_pressed_twice_counts_once(here):
    address = here.button("+5 min")[1]
    for _ in range(2):
        assert here.client.post(address, {"key": "once"}).status_code == 204
    assert LoggedEvent.objects.filter(game=here.game, type="Extended").count() == 1
    here.client.post(address, {"key": "again"})
    assert LoggedEvent.objects.filter(game=here.game, type="Extended").count() == 2


def test_a_refusal_comes_back_on_the_form_with_what_was_written(here):
    address = here.address("rewind", {"to": 9999})
    answer = here.send(address, reason__text=["By mistake."])
    text = answer.content.decode()
    assert answer.status_code == 422 and "Event 9999 is no moment" in text and "By mistake." in text
    missing = here.send(here.address("rewind", {"to": 1}))
    assert missing.status_code == 422 and "reason" in missing.content.decode()


def test_a_rewind_shows_what_would_fall_and_then_happens(here):
    ann = services.run(here.game.pk, RollStones(), actor=Actor(Issuer.SEAT, user("ann").pk, _seat(here.game, "Ann")))
    assert ann.last_seq
    rewinds = [address for _, address, label in here.buttons() if label.startswith("Rewind")]
    form = here.client.get(rewinds[1]).content.decode()
    assert "would be undone" in form
    assert here.send(rewinds[1], reason__text=["A slip."]).status_code == 204
    assert Game.objects.get(pk=here.game.pk).rewinds == 1
    assert 'class="undone"' in here.body()


def test_a_square_is_corrected_by_its_place_and_its_race_by_its_name(settings, tmp_path):
    """What stands on the map has no row of its own, and a race is chosen among those that there are."""
    ground = era(settings, tmp_path)
    desk, held = Desk.of(ground.game), Presence.objects.filter(square__world=ground.game.world, units=2)[0]
    place = f"{held.square.x},{held.square.y}"
    form = desk.client.get(f"{desk.path}amend/?table=squares&row={place}").content.decode()
    assert f'value="{place}"' in form and f" selected>the race {escape(held.race.name)}</option>" in form
    done = desk.send(f"{desk.path}amend/?table=squares&row={place}", units__number=["1"], reason=["Miscounted."])
    assert done.status_code == 204
    assert Presence.objects.get(square=held.square).units == 1
    assert desk.client.get(f"{desk.path}amend/?table=squares&row=900,900").status_code == 404


def test_what_several_questions_are_about_is_one_card_with_the_odds(settings, tmp_path):
    settings.DEMO_PREVIEWS = True
    ground = era(settings, tmp_path)
    services.run(
        ground.game.pk, DeclareWar(**ground.act[1]), actor=Actor(Issuer.SEAT, ground.other.user_id, ground.other.pk)
    )
    desk = Desk.of(ground.game)
    inbox = desk.body().partition('id="inbox"')[2].partition('id="panels"')[0].partition('id="others"')[0]
    cards = inbox.split('<li class="card matter"')[1:]
    war = next(card for card in cards if "Is it held, or fought now?" in card)
    assert "Do its sides try diplomacy?" in war and war.count("<h3") == 1
    assert ">Strength</th>" in war and war.count("<tbody>") == 1  # the odds stand there once for all its questions
    assert re.search(r'<th scope="row">Fight war \(war \d of century 2\)</th>', desk.body())
    titles = re.findall(r"<h3[^>]*>([^<]+)</h3>", inbox)
    assert len(titles) == len(set(titles))
    lefts = [float(re.search(r'data-left="([^"]+)"', card).group(1)) for card in cards if "data-left" in card]
    assert lefts == sorted(lefts)


def test_the_form_of_a_growth_is_a_table_that_is_taken_as_it_stands(settings, tmp_path):
    """What the rules would do is what it begins with."""
    settings.DEMO_PREVIEWS = True
    ground = era(settings, tmp_path)
    while not (shown := Preview.objects.filter(game=ground.game, kind="growth")).exists():
        war = Preview.objects.filter(game=ground.game).first()
        services.run(ground.game.pk, AcceptPreview(prompt=war.pk) if war else EndNow(), actor=ground.gm)
    desk = Desk.of(Game.objects.get(pk=ground.game.pk))
    address = desk.button("Place otherwise")[1]
    form = desk.client.get(address).content.decode()
    held = Presence.objects.filter(square__world=ground.game.world, race=shown.get().subject).count()
    assert form.count('<table class="entry">') == 1 and form.count("<tr>") > held
    assert desk.send(address).status_code == 204
    assert LoggedEvent.objects.filter(game=ground.game, type="GrowthPlacementSet").exists()


def test_for_another_seat_there_is_always_a_form_which_says_where_that_seat_has_answered(here):
    """One kind: what is pressed for somebody else. A ballot is there already, a command without any field."""
    ann, bob = _seat(here.game, "Ann"), _seat(here.game, "Bob")
    services.run(here.game.pk, Propose(text="A feast?"), actor=Actor(Issuer.SEAT, user("ann").pk, ann))
    question = here.game.prompts.get()
    vote = CastVote(prompt=question.pk, yes=True)
    services.run(here.game.pk, vote, actor=Actor(Issuer.SEAT, user("bob").pk, bob))
    ways = {address: method for method, address, label in here.buttons() if f"question={question.pk}" in address}
    assert set(ways.values()) == {"get"} and len(ways) == 2
    assert "for Bob, who has answered" in here.body() and "for Ann, who" not in here.body()
    forms = {seat: here.client.get(next(w for w in ways if f"for={seat}" in w)).content.decode() for seat in (ann, bob)}
    assert "Bob has answered already." in forms[bob] and "has answered already" not in forms[ann]
    assert 'name="yes:flag"' in forms[bob]


def test_a_form_whose_question_is_gone_says_so_and_sends_nothing(here):
    ann = Actor(Issuer.SEAT, user("ann").pk, _seat(here.game, "Ann"))
    services.run(here.game.pk, Propose(text="A feast?"), actor=ann)
    address = next(address for _, address, _ in here.buttons() if "question=" in address)
    open_form = Form(here.client.get(address).content.decode()).values
    here.game.prompts.get()  # it is open, and closes
    for seat in ("Ann", "Bob"):
        vote = CastVote(prompt=here.game.prompts.get().pk, yes=False)
        services.run(here.game.pk, vote, actor=Actor(Issuer.GM, user("host").pk, on_behalf_of=_seat(here.game, seat)))
        if not here.game.prompts.exists():
            break
    services.run(here.game.pk, Propose(text="A dance?"), actor=ann)
    for answer in (here.client.get(address), here.client.post(address, open_form)):
        text = answer.content.decode()
        assert 'role="alert"' in text and "not open any more" in text and "<form" not in text
    assert not here.game.answers.exists()


def test_what_a_button_has_fixed_is_what_is_sent(here):
    address = here.button("+5 min")[1]
    before = here.game.timers.get(key="tide").due
    assert here.client.post(address, {"key": "a", "seconds:number": "999"}).status_code == 204
    assert (here.game.timers.get(key="tide").due - before).total_seconds() == 300


def test_two_at_two_desks_see_what_the_other_has_done(here):
    other = Desk.of(here.game)
    assert here.client.post(here.button("Pause")[1], {"key": "a"}).status_code == 204
    assert ">paused<" in other.body()
    assert other.client.post(other.button("Resume")[1], {"key": "b"}).status_code == 204
    late = here.client.post(here.address("resume"), {"key": "c"})
    assert late.status_code == 422 and b"clock.running" not in late.content  # words for people, not codes


def test_a_desk_says_who_of_several_leaders_did_what(here):
    """The second game-master's pause is seen at the first one's desk under the name of their seat."""
    gm = Actor(Issuer.GM, user("host").pk, _seat(here.game, "Game-master"))
    services.run(here.game.pk, AddSeat(role=Role.GM, name="Second hand"), actor=gm)
    form = here.form("hand-over").content.decode()
    assert ">Second hand</option>" in form and 'name="user:text"' in form
    address = here.address("hand-over", {"seat": str(_seat(here.game, "Second hand"))})
    for filled in ("eve", str(user("eve").pk)):  # a link does not say who is given a seat
        link = here.address("hand-over", {"seat": str(_seat(here.game, "Second hand")), "user": filled})
        assert f'value="{filled}"' not in here.client.get(link).content.decode()
    nobody = here.send(address, user__text=["nobody-here"], reason__text=["Two desks."])
    assert nobody.status_code == 422 and "Nobody here has an account called nobody-here" in nobody.content.decode()
    shown = here.send(address, user__text=["EVE"], reason__text=["Two desks."])
    sent = Form(shown.content.decode()).values
    assert "This is the account <strong>eve</strong>" in shown.content.decode() and sent["user:text"] == ["EVE"]
    other = here.client.post(address, sent | {"user:text": ["bob"]})  # who is named anew is shown, too
    assert other.status_code == 200 and "<strong>bob</strong>" in other.content.decode()
    assert Seat.objects.get(game=here.game, name="Second hand").user is None
    assert here.client.post(address, sent).status_code == 204
    eve = Client(headers={"HX-Request": "true"})
    eve.force_login(user("eve"))
    other = Desk(here.game, eve)
    assert other.client.post(other.button("Pause")[1], {"key": "a"}).status_code == 204
    told = here.body().partition('class="events"')[2]
    assert '<span class="by">Second hand:</span> <span class="told">The clock stands still.' in told


def test_what_a_game_master_does_for_an_absent_seat_is_told_with_both_names(here):
    ann = _seat(here.game, "Ann")
    assert here.send(here.address("roll-stones", acting_for=ann)).status_code == 204
    assert '<span class="by">Game-master for Ann:</span>' in here.body()
    services.run(here.game.pk, RollStones(), actor=Actor(Issuer.SEAT, user("bob").pk, _seat(here.game, "Bob")))
    assert (
        here.body().count("for Ann:</span>") == 1 and "for Bob<" not in here.body()
    )  # who sits at a seat that acts for itself is not told


def test_an_entry_of_the_log_is_a_whole_command_and_leads_to_what_it_was_about(here):
    ann = Actor(Issuer.SEAT, user("ann").pk, _seat(here.game, "Ann"))
    rolled = services.run(here.game.pk, RollStones(), actor=ann)
    entries = here.body().partition('class="events"')[2].split("<li")[1:]
    told = [event.text for event in LoggedEvent.objects.filter(game=here.game, seq__gte=rolled.first_seq) if event.text]
    assert told and all(escape(text) in entries[0] for text in told)
    amends = [address for _, address, label in here.buttons() if label.startswith("Amend")]
    offered = here.client.get(amends[0]).content.decode()
    (row,) = re.findall(r'hx-get="([^"]+table=piles[^"]+)"', offered)
    assert 'name="stones:number"' in here.client.get(unescape(row)).content.decode()
    assert here.client.get(here.path + "amend/?event=9999").status_code == 404
    assert here.client.get(here.path + "amend/?event=last").status_code == 422


def test_a_question_is_put_off_where_it_stands_and_its_form_says_what_is_left(here):
    ann = Actor(Issuer.SEAT, user("ann").pk, _seat(here.game, "Ann"))
    services.run(here.game.pk, Propose(text="A feast?"), actor=ann)
    prompt = here.game.prompts.get()
    card = here.body().partition(f'id="question-{prompt.pk}"')[2]
    (address,) = re.findall(r'hx-post="([^"]+/extend/[^"]+)"', card.partition("</div>")[0])
    form = here.form("cast-vote", {"prompt": str(prompt.pk)}, _seat(here.game, "Ann")).content.decode()
    assert f'data-of="question-{prompt.pk}"' in form and "data-stay" in form
    before = here.game.timers.get(key=f"prompt:{prompt.pk}").due
    assert here.client.post(unescape(address), {"key": "a"}).status_code == 204
    assert (here.game.timers.get(key=f"prompt:{prompt.pk}").due - before).total_seconds() == 60


def test_the_desk_says_who_is_connected(here):
    assert "Not connected: Ann, Bob" in here.body()
    note(open_access(Principal(user("ann")), here.game.pk, seat=None, as_gm=False))
    assert "Connected: Ann." in here.body() and "Not connected: Bob" in here.body()


def test_a_host_may_do_what_a_host_may(here):
    seats = {seat.role: seat for seat in here.game.seats.all()}
    gm = Actor(Issuer.GM, user("host").pk, seats["gm"].pk)
    services.run(here.game.pk, HandOver(seat=seats["gm"].pk, user=user("eve").pk, reason="Tea."), actor=gm)
    host = Desk.of(here.game, "host")
    labels = {label for _, _, label in host.buttons()}
    assert "Pause" in labels and not any(label.startswith(("Correct", "Rewind")) for label in labels)
    assert host.client.get(host.address("amend")).status_code == 409


def test_a_ticket_opens_the_stream_for_who_leads_alone(here):
    answer = here.client.post(here.path + "ticket/")
    assert answer.status_code == 200 and answer.json()["ticket"]
    assert here.client.get(here.path + "ticket/").status_code == 405


def test_a_row_is_corrected_by_its_name_with_a_reason(here):
    services.run(here.game.pk, RollStones(), actor=Actor(Issuer.SEAT, user("ann").pk, _seat(here.game, "Ann")))
    tables = here.client.get(here.path + "amend/").content.decode()
    assert 'value="piles"' in tables
    rows = here.client.get(here.path + "amend/?table=piles").content.decode()
    (row,) = re.findall(r'<option value="([^"]+)">[^<]*Ann', rows)
    address = f"{here.path}amend/?table=piles&row={row}"
    form = here.client.get(address).content.decode()
    assert 'name="stones:number"' in form and "Ann" in form
    nothing = here.send(address, reason=["Miscounted."])
    assert nothing.status_code == 422 and "Nothing differs" in nothing.content.decode()
    silent = here.send(address, stones__number=["7"])
    assert silent.status_code == 422 and "reason" in silent.content.decode()
    done = here.send(address, stones__number=["7"], reason=["Miscounted."])
    assert done.status_code == 204 and "Miscounted." in json.loads(done["HX-Trigger"])["issued"]["message"]
    assert LoggedEvent.objects.filter(game=here.game, type="Amended").count() == 1
    gone = here.client.get(here.path + "amend/?table=piles&row=nobody")
    assert gone.status_code == 404 and b"no such row" in gone.content


@pytest.mark.parametrize("query", ["values=[]", "values={", "for=me", "for=00000000-0000-4000-8000-00000000dead"])
def test_an_address_that_was_made_up_is_refused(here, query):
    answer = here.client.get(f"{here.path}commands/pause/?{query}")
    assert answer.status_code in (404, 422), answer.status_code
    assert b'role="alert"' in answer.content


def test_a_command_that_nobody_may_issue_has_no_form(here):
    assert here.client.get(here.address("fire-missiles")).status_code == 404


def _seat(game: Game, name: str) -> Any:
    return game.seats.get(name=name).pk


def test_an_answer_says_what_its_question_is_about_only_under_its_own_name():
    """A smith's turn is about their character: that is nowhere to go to."""
    about, asked = uuid4(), uuid4()
    row = {"id": asked, "subject": about}
    assert answer_values(HoldWar, row, frozenset({"wars"})) == {"war": about}
    assert answer_values(Journey, row, frozenset({"characters", "chairs"})) == {}
    assert answer_values(CastVote, row, frozenset({"wars"})) == {"prompt": asked}
