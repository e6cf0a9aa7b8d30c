"""Pantheons (G2-PAN-1 to 9, 11; G2-TURM-6): share arithmetic, change orders, signatures and vetoes."""

from uuid import UUID

import pytest

from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.pantheon.events import (
    PantheonChanged,
    PantheonOrderAccepted,
    PantheonOrderDeferred,
    PantheonOrderDrafted,
    PantheonOrderDropped,
    PantheonOrderRefused,
    PantheonOrderSigned,
)
from games.gods2.rules.state.records import WHOLE
from games.gods2.rules.state.shares import apportion, cult, dissenter, expel
from games.gods2.rules.state.value_types import ShareOf
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import (
    ANA,
    BEN,
    CLEO,
    GM,
    A,
    B,
    C,
    begin,
    define,
    minutes,
    set_up,
    shares,
    two_peoples,
    units,
)


@pytest.mark.rule("G2-W40")
@pytest.mark.rule("G2-W41")
@pytest.mark.rule("G2-W42")
@pytest.mark.rule("G2-W43")
@pytest.mark.rule("G2-W72")
@pytest.mark.rule("G2-W82")
@pytest.mark.rule("G2-PAN-8")
@pytest.mark.rule("G2-PAN-9")
@pytest.mark.parametrize(
    ("before", "gains", "after"),
    [
        pytest.param({"a": 5000, "b": 3000, "c": 2000}, {"a": 1000}, {"a": 6000, "b": 2400, "c": 1600}, id="W40"),
        pytest.param({"a": 6000, "b": 4000}, {"z": 1000}, {"z": 1000, "a": 5400, "b": 3600}, id="W41"),
        pytest.param({"a": 5000, "b": 3300, "c": 1700}, {"a": 500}, {"a": 5500, "b": 2970, "c": 1530}, id="W42"),
        pytest.param(
            {"a": 7000, "b": 3000}, {"z": 500, "d": 500}, {"z": 500, "d": 500, "a": 6300, "b": 2700}, id="W43"
        ),
        pytest.param(
            {"a": 5000, "b": 3000, "z": 2000},
            {"z": 500, "d": 500},
            {"z": 2500, "d": 500, "a": 4375, "b": 2625},
            id="W72",
        ),
        pytest.param({"a": 6000, "b": 3400, "d": 600}, {"d": -1000}, {"a": 6383, "b": 3617}, id="W82 leaves"),
        pytest.param({"a": 6000, "b": 2500, "d": 1500}, {"d": -1000}, {"d": 500, "a": 6706, "b": 2794}, id="W82"),
        pytest.param({"z": 10_000}, {"z": 1000}, {"z": 10_000}, id="W84"),
        pytest.param({"a": 9800, "b": 200}, {"a": 500, "d": 500}, {"a": 9524, "d": 476}, id="scaled to the whole"),
    ],
)
def test_a_cult_gains_its_points_and_the_others_shrink_in_proportion(
    before: dict[str, int], gains: dict[str, int], after: dict[str, int]
) -> None:
    assert cult(before, gains) == after
    assert sum(after.values()) == WHOLE


@pytest.mark.rule("G2-W82")
@pytest.mark.rule("G2-PAN-11")
def test_a_sole_member_loses_nothing_to_a_negative_cult() -> None:
    with pytest.raises(Refused, match=r"pantheon\.sole"):
        cult({"d": WHOLE}, {"d": -1000})


@pytest.mark.rule("G2-W44")
@pytest.mark.rule("G2-TURM-6")
def test_the_share_of_a_member_thrown_out_goes_to_the_others_in_proportion() -> None:
    assert expel({"a": 5000, "b": 3000, "c": 2000}, "c") == {"a": 6250, "b": 3750}
    assert expel({"a": 4000, "b": 3500, "c": 2500}, "a") == {"b": 5833, "c": 4167}


@pytest.mark.rule("G2-PAN-9")
def test_hundredths_that_are_left_go_to_the_largest_remainders_then_to_ids() -> None:
    assert apportion({"a": 1, "b": 1, "c": 1}, WHOLE) == {"a": 3334, "b": 3333, "c": 3333}


@pytest.mark.rule("G2-W46")
@pytest.mark.rule("G2-PAN-5")
def test_diabolism_beyond_ninety_five_percent_vetoes_every_change() -> None:
    assert dissenter({"diabolism": 9700, "a": 300}, {"diabolism": 9999, "a": 1}) == "diabolism"
    assert dissenter({"diabolism": 9700, "a": 300}, {"diabolism": WHOLE}) == "diabolism"


@pytest.mark.rule("G2-PAN-5")
def test_diabolism_and_atheism_judge_separately() -> None:
    before = {"a": 8000, "diabolism": 1000, "atheism": 1000}
    assert dissenter(before, {"a": 7000, "diabolism": 2000, "atheism": 1000}) == "atheism"
    assert dissenter(before, {"a": 7000, "diabolism": 1500, "atheism": 1500}) is None


def cultists() -> tuple[Playbook, UUID]:
    """A race of Ashkar 60, Belun 30, diabolism 10 (W45)."""
    book = set_up()
    race = define(book, "Cultists", units((1, 1, 1)), pantheon=shares(a=60, b=30, diabolism=10))
    return begin(book), race


def draft(book: Playbook, race: UUID, pantheon: tuple[ShareOf, ...], *signers: UUID) -> UUID:
    """A draft of Ashkar's, signed by some."""
    order = book.when(DraftPantheonOrder(race=race, pantheon=pantheon), by=ANA)[0].order
    for seat in signers:
        book.when(SignPantheonOrder(order=order), by=seat)
    return order


@pytest.mark.rule("G2-W45")
@pytest.mark.rule("G2-PAN-5")
@pytest.mark.rule("G2-PAN-6")
@pytest.mark.parametrize(
    ("pantheon", "signers", "reason", "member"),
    [
        (shares(a=58, b=28, diabolism=14), (ANA, BEN), "diabolism", None),
        (shares(a=60, b=40), (ANA, BEN), "diabolism", None),
        (shares(a=55, b=30, diabolism=15), (ANA,), "unsigned", B),
    ],
)
def test_an_order_that_lacks_a_signature_or_is_vetoed_changes_nothing(
    pantheon: tuple[ShareOf, ...], signers: tuple[UUID, ...], reason: str, member: str | None
) -> None:
    book, race = cultists()
    before = book.state.pantheon(race)
    order = draft(book, race, pantheon, *signers)

    events = book.when(HandInPantheonOrder(order=order), by=ANA)

    assert events == [event_like(PantheonOrderRefused, order=order, reason=reason, member=member)]
    assert book.state.pantheon(race) == before and order in book.state.orders


@pytest.mark.rule("G2-W45")
@pytest.mark.rule("G2-PAN-3")
@pytest.mark.rule("G2-PAN-4")
def test_an_order_that_all_have_signed_is_accepted() -> None:
    book, race = cultists()
    order = draft(book, race, shares(a=55, b=30, diabolism=15), ANA, BEN)

    events = book.when(HandInPantheonOrder(order=order), by=BEN)

    found = of_kind(events, PantheonOrderAccepted, PantheonChanged, SourceCounted, HistoryEntered)
    assert [type(e) for e in found] == [PantheonOrderAccepted, PantheonChanged, SourceCounted, HistoryEntered]
    assert found[2] == event_like(SourceCounted, source="fj_orders_accepted", count=1)
    assert book.state.pantheon(race) == {A: 5500, B: 3000, "diabolism": 1500}
    assert not book.state.orders and not [p for p in book.state.prompts.values() if p.kind == "PANTHEON.sign"]


@pytest.mark.rule("G2-W45")
@pytest.mark.rule("G2-PAN-1")
@pytest.mark.parametrize(
    ("code", "pantheon"),
    [
        ("pantheon.sum", shares(a=60, b=30, diabolism=11)),
        ("pantheon.sum", shares(a=100, b=0)),
        ("pantheon.invalid", shares(a=90, nobody=10)),
        ("pantheon.invalid", (*shares(a=60), *shares(a=40))),
    ],
)
def test_an_impossible_draft_is_refused(code: str, pantheon: tuple[ShareOf, ...]) -> None:
    book, race = cultists()
    with refused(code, book.state):
        book.when(DraftPantheonOrder(race=race, pantheon=pantheon), by=ANA)


@pytest.mark.rule("G2-PAN-3")
def test_a_draft_is_a_secret_of_the_gods_concerned() -> None:
    book, dwarves, _ = two_peoples()
    order = draft(book, dwarves, shares(a=50, b=50))

    assert {h.audience for h in book.log if isinstance(h.event, PantheonOrderDrafted)} == {
        "+".join(sorted(("gm", f"seat:{ANA}", f"seat:{BEN}")))
    }
    assert not book.state.view_for(frozenset({CLEO})).orders
    with refused("order.closed", book.state):
        book.when(SignPantheonOrder(order=order), by=CLEO)
    assert sorted(_owners(book)) == [f"seat:{ANA}", f"seat:{BEN}"]


def _owners(book: Playbook) -> tuple[str, ...]:
    return next(p.owners for p in book.state.prompts.values() if p.kind == "PANTHEON.sign")


@pytest.mark.rule("G2-PAN-4")
def test_a_new_member_reads_the_draft_and_need_not_sign() -> None:
    book, dwarves, _ = two_peoples()
    order = draft(book, dwarves, shares(a=50, b=40, c=10), ANA, BEN)
    assert order in book.state.view_for(frozenset({CLEO})).orders
    with refused("member.missing", book.state):
        book.when(SignPantheonOrder(order=order), by=CLEO)
    book.when(HandInPantheonOrder(order=order), by=ANA)
    assert book.state.pantheon(dwarves) == {A: 5000, B: 4000, C: 1000}


@pytest.mark.rule("G2-PAN-3")
def test_signatures_are_given_and_taken_back() -> None:
    book, dwarves, _ = two_peoples()
    order = draft(book, dwarves, shares(a=50, b=50), ANA, BEN)
    assert book.state.orders[order].signed == (ANA, BEN)
    book.when(UnsignPantheonOrder(order=order), by=BEN)
    assert book.state.orders[order].signed == (ANA,)
    with refused("signature.missing", book.state):
        book.when(UnsignPantheonOrder(order=order), by=BEN)
    with refused("order.closed", book.state):
        book.when(DropPantheonOrder(order=order), by=BEN)
    assert type(book.when(DropPantheonOrder(order=order), by=ANA)[-1]) is PantheonOrderDropped
    with refused("order.closed", book.state):
        book.when(HandInPantheonOrder(order=order), by=ANA)


def test_only_members_draft() -> None:
    book, dwarves, _ = two_peoples()
    with refused("member.missing", book.state):
        book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(c=100)), by=CLEO)
    with refused("race.missing", book.state):
        book.when(DraftPantheonOrder(race=ANA, pantheon=shares(a=100)), by=ANA)


@pytest.mark.rule("G2-PAN-3")
def test_an_accepted_order_voids_the_other_drafts_for_the_race() -> None:
    book, dwarves, _ = two_peoples()
    draft(book, dwarves, shares(a=40, b=60))
    order = draft(book, dwarves, shares(a=50, b=50), ANA, BEN)
    events = book.when(HandInPantheonOrder(order=order), by=ANA)
    assert len(of_kind(events, PantheonOrderDropped)) == 1 and not book.state.orders


@pytest.mark.rule("G2-AMB-32")
@pytest.mark.rule("G2-CALC-3")
def test_an_order_of_the_calculation_phase_takes_effect_with_the_next_century() -> None:
    book, dwarves, _ = two_peoples()
    book.when(EndNow(), by=GM)
    order = draft(book, dwarves, shares(a=50, b=50), ANA, BEN)

    assert book.when(HandInPantheonOrder(order=order), by=ANA) == [
        event_like(PantheonOrderDeferred, order=order, century=2)
    ]
    assert book.state.pantheon(dwarves) == {A: 6000, B: 4000}

    events = of_kind(book.wait(minutes(30)), CenturyOpened, PantheonOrderAccepted, PantheonChanged)
    assert [type(e) for e in events] == [CenturyOpened, PantheonOrderAccepted, PantheonChanged]
    assert book.state.pantheon(dwarves) == {A: 5000, B: 5000}


@pytest.mark.rule("G2-AMB-32")
def test_a_deferred_order_is_judged_again_and_may_be_void() -> None:
    book, race = cultists()
    book.when(EndNow(), by=GM)
    first = draft(book, race, shares(a=55, b=30, diabolism=15), ANA, BEN)
    second = draft(book, race, shares(a=57, b=28, diabolism=15), ANA, BEN)
    for order in (first, second):
        book.when(HandInPantheonOrder(order=order), by=ANA)

    events = book.wait(minutes(30))

    assert len(of_kind(events, PantheonOrderAccepted)) == 1
    assert of_kind(events, PantheonOrderRefused) == [event_like(PantheonOrderRefused, reason="diabolism")]
    assert not book.state.orders
    assert of_kind(events, PantheonOrderSigned) == []
