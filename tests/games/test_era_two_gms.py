"""Two game-masters (sections 9.1, 9.2): the first commit wins, the other is refused, nothing comes twice."""

import json

import pytest

from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndNow, Extend, Pause, Resume
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.state.records import DiplomacyPolicy, Phase
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar, SetDiplomacy
from games.gods2.rules.window.commands import CallNumber, DrawNumber
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from games.models import LoggedEvent, Prompt, Timer
from tests.games.live import Event, Table, live

pytestmark = pytest.mark.django_db


def war_in(event: Event) -> str:
    """A god's war, declared by Ana."""
    event.run(DeclareWar(power="declare_war", attacker=event.races["Dwarves"], defender=event.races["Elves"]), "ana")
    return str(event.events_of("WarDeclared")[-1]["war"])


def assert_refused(event: Event, command, name: str, code: str, **more) -> None:
    """The command is refused, and neither log nor rows have changed."""
    before = event.game.seq
    with pytest.raises(Refused) as caught:
        event.run(command, name, **more)
    assert caught.value.code == code and event.game.seq == before
    event.rows_agree()


def test_a_command_that_rests_on_an_older_view_is_refused_as_stale():
    event = live()
    war = war_in(event)
    gaia, urania = Table(event, "gaia", gm=True), Table(event, "urania", gm=True)
    cursor = urania.cursor()
    assert gaia.do("hold-war", {"war": war, "seconds": 60}, expected=gaia.cursor()).status_code == 201
    seq = event.game.seq

    late = urania.do("hold-war", {"war": war, "seconds": 60}, expected=cursor)

    assert late.status_code == 412 and late.json()["code"] == "position.stale"
    assert event.game.seq == seq
    assert [w.held for w in event.state.wars.values()] == [60]
    assert urania.do("hold-war", {"war": war, "seconds": 60}, expected=urania.cursor()).status_code == 201
    assert [w.held for w in event.state.wars.values()] == [120]


def test_if_match_does_the_same_as_expected():
    event = live()
    war = war_in(event)
    urania = Table(event, "urania", gm=True)
    tag = urania.client.get(event.url("state/"), {"as": "gm"}).headers["ETag"]
    event.run(Pause())
    event.run(Resume())
    url = event.url("commands/fight-war-now/") + "?as=gm"
    answer = urania.client.post(
        url, json.dumps({"war": war}), content_type="application/json", headers={"If-Match": tag}
    )
    assert answer.status_code == 412 and answer.json()["code"] == "position.stale"
    assert not event.events_of("WarFought") and not event.events_of("WarAverted")


def test_what_a_god_may_not_see_does_not_make_their_view_stale():
    event = live()
    ana = Table(event, "ana")
    cursor = ana.cursor()
    event.run(SetStandingAnswer(kind="expulsion", answer="decline"), "ben")
    assert ana.do("draw-number", expected=cursor).status_code == 201
    assert ana.do("leave-queue", expected=cursor).status_code == 412


@pytest.mark.rule("G2-WAR-1", "G2-SEQ-3")
def test_of_two_gms_who_fight_a_war_now_the_first_wins():
    event = live()
    war = war_in(event)
    event.run(SetDiplomacy(war=war, race=event.races["Elves"], policy=DiplomacyPolicy.TRY), "urania")
    event.run(FightWarNow(war=war), "gaia")
    assert_refused(event, FightWarNow(war=war), "urania", "war.closed")
    assert_refused(event, HoldWar(war=war, seconds=10), "urania", "war.closed")
    assert len(event.events_of("WarHastened")) == 1


@pytest.mark.rule("G2-QUEUE-1", "G2-SEQ-3")
def test_the_queue_is_the_same_whichever_gm_calls_a_number():
    event = live()
    for name in ("ana", "ben", "cleo"):
        event.run(DrawNumber(), name)
    event.run(CallNumber(number=3), "gaia")
    assert_refused(event, CallNumber(number=3), "urania", "number.missing")
    event.run(CallNumber(number=2), "urania")
    assert event.state.era.called == 2


def test_a_preview_that_one_has_accepted_is_closed_for_the_other():
    event = live({"previews": True})
    shown = Prompt.objects.get(game=event.id, kind="GROWTH.preview").pk
    event.run(AcceptPreview(prompt=shown), "gaia")
    assert_refused(event, AcceptPreview(prompt=shown), "urania", "prompt.closed")


@pytest.mark.rule("G2-CALC-2")
def test_the_worksheet_is_corrected_by_both_before_and_by_neither_after_it_is_paid():
    event = live()
    event.run(EndNow(), "gaia")
    assert event.state.era.phase is Phase.RECKONING
    line = f"race:{event.races['Dwarves']}"
    first = event.state.lines["race", str(event.races["Dwarves"])].count
    event.run(CorrectWorksheet(line=line, count=first + 4, text="four more"), "gaia")
    event.run(CorrectWorksheet(line=line, count=first + 5, text="and one"), "urania")
    found = event.events_of("WorksheetCorrected")
    assert [(t["before"], t["count"]) for t in found] == [(first, first + 4), (first + 4, first + 5)]
    event.run(ApproveWorksheet(), "urania")
    assert_refused(event, ApproveWorksheet(), "gaia", "worksheet.closed")
    assert_refused(event, CorrectWorksheet(line=line, count=1), "gaia", "worksheet.closed")
    assert len(event.events_of("WorksheetClosed")) == 1


@pytest.mark.rule("G2-LOG-1")
def test_a_correction_names_the_value_before_and_an_older_one_is_refused():
    event = live()
    seat = str(event.seats["ana"])

    def balance(before: int, after: int) -> Amend:
        change = FieldChange(field="balance", before=str(before), value=str(after))
        changes = (Change(deed=Deed.ALTER, table="purses", row=seat, fields=(change,)),)
        return Amend(changes=changes, reason="miscounted chips")

    event.run(balance(20, 25), "gaia")
    assert_refused(event, balance(20, 30), "urania", "position.stale")
    assert event.state.purses[event.seats["ana"]].balance == 25
    assert [e["reason"] for e in event.events_of("Amended")][:1] == ["miscounted chips"]


@pytest.mark.rule("G2-TIME-5")
def test_either_gm_may_stop_the_clock_and_the_other_resume_it():
    event = live()
    event.run(Pause(reason="The board fell"), "gaia")
    assert_refused(event, Pause(), "urania", "clock.paused")
    assert_refused(event, EndNow(), "urania", "clock.paused")
    event.run(Resume(), "urania")
    assert_refused(event, Resume(), "gaia", "clock.running")
    due = Timer.objects.get(game=event.id, key="century:1/activity").due
    event.run(Extend(seconds=60, reason="late tea"), "gaia")
    event.run(Extend(seconds=30), "urania")
    assert (Timer.objects.get(game=event.id, key="century:1/activity").due - due).total_seconds() == 90


def test_the_same_key_from_one_gm_is_done_once_and_never_shared_with_the_other():
    event = live()
    war = war_in(event)
    first = event.run(HoldWar(war=war, seconds=60), "gaia", key="hold")
    again = event.run(HoldWar(war=war, seconds=60), "gaia", key="hold")
    other = event.run(HoldWar(war=war, seconds=60), "urania", key="hold")
    assert (again.replayed, again.first_seq) == (True, first.first_seq) and not other.replayed
    assert [w.held for w in event.state.wars.values()] == [120]
    acted = LoggedEvent.objects.filter(game=event.id, type="WarHeld").values_list("by", flat=True)
    assert len(list(acted)) == 2
