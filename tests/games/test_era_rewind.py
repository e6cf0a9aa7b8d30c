"""A rewind of a live event: what would be undone is listed first, it stays in the log, and play goes on."""

import pytest

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import Rewind
from games.engine.lifecycle.seating import HandOver
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.gm_desk.commands import RecordLaw
from games.gods2.rules.setup.roster_commands import MarkAbsent
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.window.commands import DrawNumber
from games.models import LoggedEvent
from games.storage.chronicle import entry_of
from tests.api.worlds import user
from tests.games.live import Event, Table, live
from tests.games.moments import number_at
from worlds.models import Chronicle

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """An event in which Ana has drawn a number and cast, after a law was passed."""
    made = live()
    made.run(RecordLaw(name="Of Tides"))
    made.run(DrawNumber(), "ana")
    made.run(CastPower(power="call_to_arms", targets=(Target(race=made.races["Dwarves"]),)), "ana")
    return made


def number_of(event: Event, kind: str) -> int:
    return number_at(event.id, LoggedEvent.objects.filter(game=event.id, type=kind).latest("seq").seq)


def test_a_rewind_preview_lists_what_would_be_undone_the_latest_act_first(event):
    law = number_of(event, "LawPassed")
    gaia = Table(event, "gaia", gm=True)
    before = event.game.seq

    answer = gaia.get("rewind-preview/", to=law)

    assert event.game.seq == before and answer["to"] == law and answer["moment"] is not None
    numbers = [each["number"] for each in answer["results"]]
    assert numbers == sorted(numbers, reverse=True) and min(numbers) > law and answer["count"] == len(numbers)
    kinds = {each["type"] for each in answer["results"]}
    assert {"gods2.PowerCast", "gods2.ManaSpent", "gods2.NumberDrawn", "gods2.ModificationAdded"} <= kinds
    assert (
        not {"gods2.LawPassed", "core.TimerSet", "core.TimerFired"} & kinds
    )  # it stands; the clock's own notes are nobody's
    assert [each["text"] for each in answer["results"] if each["type"] == "gods2.PowerCast"] != [""]
    few = gaia.get("rewind-preview/", to=law, limit=2)
    assert [each["number"] for each in few["results"]] == numbers[:2] and few["more"] and few["count"] == len(numbers)
    latest = gaia.get("rewind-preview/", limit=1)
    assert latest["results"][0]["number"] == numbers[0] and latest["moment"] is None


def test_graphql_has_the_rewind_preview_too(event):
    law = number_of(event, "LawPassed")
    gaia = Table(event, "gaia", gm=True)
    query = """query($g: UUID!, $to: Int!) { game(id: $g, asGm: true) { rewindPreview(to: $to) {
        to count more moment results { number type text stays } } } }"""
    body = {"query": query, "variables": {"g": str(event.id), "to": law}}
    answer = gaia.client.post("/graphql/", body, content_type="application/json").json()["data"]["game"][
        "rewindPreview"
    ]
    rest = gaia.get("rewind-preview/", to=law)
    assert answer["count"] == rest["count"]
    assert [each["number"] for each in answer["results"]] == [each["number"] for each in rest["results"]]


def test_a_command_is_never_undone_by_half(event):
    rows = LoggedEvent.objects.filter(game=event.id, cause="cast-power").exclude(audience="server").order_by("seq")
    first, last = rows[0], LoggedEvent.objects.filter(game=event.id, cause="cast-power").latest("seq")
    assert last.seq > first.seq
    event.run(RecordLaw(name="Of Winds"))
    gaia = Table(event, "gaia", gm=True)
    listed = gaia.get("rewind-preview/", to=number_at(event.id, first.seq))
    assert {each["type"] for each in listed["results"]} >= {"gods2.LawPassed"}
    assert "gods2.PowerCast" not in {each["type"] for each in listed["results"]}
    gaia.do("rewind", {"to": number_at(event.id, first.seq), "reason": "No winds."})
    assert list(event.state.laws) == ["Of Tides"] and len(event.state.modifications) == 1
    assert LoggedEvent.objects.filter(game=event.id, fallen__isnull=True, seq__lte=last.seq).count() == last.seq


@pytest.mark.parametrize("name", ["ana", "", "gaia"])
def test_only_a_reader_with_a_game_masters_visibility_gets_the_preview(event, name):
    answer = Table(event, name).client.get(event.url("rewind-preview/"), {"to": 1})
    if name == "gaia":  # she holds the seat; its visibility is used when she asks for that
        assert answer.status_code == 200
        secret = {each["type"] for each in answer.json()["results"]}
        assert not {"gods2.ManaSpent", "gods2.NumberDrawn", "gods2.PowerAuthored"} & secret
    else:
        assert answer.status_code in (403, 404, 409) and answer.json()["code"] == "gm.missing"


@pytest.mark.parametrize(
    ("to", "code"), [("999999", "history.missing"), ("x", "query.invalid"), ("-1", "query.invalid")]
)
def test_an_unknown_moment_is_refused(event, to, code):
    answer = Table(event, "gaia", gm=True).client.get(event.url("rewind-preview/"), {"as": "gm", "to": to})
    assert answer.json()["code"] == code


@pytest.mark.rule("G2-LOG-1")
def test_undone_events_are_stored_and_the_event_goes_on_from_the_moment(event):
    law = number_of(event, "LawPassed")
    gaia = Table(event, "gaia", gm=True)
    listed = gaia.get("rewind-preview/", to=law)
    rewound = gaia.do("rewind", {"to": law, "reason": "The wrong race was named."}, expected=listed["cursor"])
    assert rewound.status_code == 201

    assert event.state.purses[event.seats["ana"]].balance == 20 and not event.state.modifications
    assert list(event.state.laws) == ["Of Tides"] and event.state.info.rewinds == 1
    undone = list(LoggedEvent.objects.filter(game=event.id, fallen__isnull=False).order_by("-seq"))
    readable = [number_at(event.id, row.seq) for row in undone if row.audience != "server"]
    assert readable == [each["number"] for each in listed["results"]]
    log_rows = gaia.get("events/", limit=500)["results"]
    assert {e["type"] for e in log_rows if e["undone"]} >= {"gods2.PowerCast", "gods2.ManaSpent"}
    events = [e for e in Table(event, "ben").get("events/", limit=500)["results"] if e["type"] == "core.TimeTurned"]
    assert [e["data"]["reason"] for e in events] == ["The wrong race was named."]
    event.rows_agree()

    event.run(DrawNumber(), "ana")
    event.run(CastPower(power="call_to_arms", targets=(Target(race=event.races["Elves"]),)), "ana")
    assert [m.race for m in event.state.modifications.values()] == [event.races["Elves"]]
    with pytest.raises(Refused) as caught:
        event.run(Rewind(to=number_at(event.id, undone[0].seq), reason="back to what has fallen"))
    assert caught.value.code == "history.missing"


def test_a_seat_that_was_taken_since_stays_taken(event):
    law = number_of(event, "LawPassed")
    Table(event, "dora").do("join", {"name": "Dora"})
    gaia = Table(event, "gaia", gm=True)
    assert [e["stays"] for e in gaia.get("rewind-preview/", to=law)["results"] if e["type"] == "core.SeatTaken"] == [
        True
    ]
    gaia.do("rewind", {"to": law, "reason": "again"})
    assert "Dora" in [seat["name"] for seat in gaia.get("seats/")["results"]]


def test_a_god_who_was_absent_then_and_whose_seat_was_taken_since_is_present(event):
    event.run(MarkAbsent(seat=event.seats["ben"], absent=True))
    absent = number_of(event, "AbsenceMarked")
    event.run(HandOver(seat=event.seats["ben"], user=user("una").pk, reason="Ben has left."))
    assert not event.state.absences
    event.run(Rewind(to=absent, reason="Once more."))
    assert not event.state.absences
    event.rows_agree()


def test_a_rewind_on_an_older_list_is_refused(event):
    law = number_of(event, "LawPassed")
    gaia = Table(event, "gaia", gm=True)
    listed = gaia.get("rewind-preview/", to=law)
    event.run(RecordLaw(name="Of Stars"), "urania")
    late = gaia.do("rewind", {"to": law, "reason": "x"}, expected=listed["cursor"])
    assert late.status_code == 412 and event.state.info.rewinds == 0


@pytest.mark.rule("G2-HREC-1")
def test_what_a_rewind_undoes_leaves_the_chronicle_of_the_world(event):
    world = event.game.world
    note = Chronicle.objects.create(world=world, position=900, text="Told by a person.")
    law = number_of(event, "LawPassed")
    place = LoggedEvent.objects.get(game=event.id, type="LawPassed").seq
    names = set(Chronicle.objects.filter(world=world).values_list("text", flat=True))
    ordinals = LoggedEvent.objects.filter(game=event.id, audience=PUBLIC, seq__gt=place).values_list(
        "ordinal", flat=True
    )
    undone = Chronicle.objects.filter(world=world, entry__in=[entry_of(event.id, ordinal) for ordinal in ordinals])
    gone = set(undone.values_list("text", flat=True))
    assert any("Call to Arms" in text for text in gone)
    event.run(Rewind(to=law, reason="Too early."))
    left = set(Chronicle.objects.filter(world=world).values_list("text", flat=True))
    assert note.text in left and left == names - gone
