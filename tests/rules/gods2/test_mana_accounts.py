"""Whose mana it is, and for what: spheres that were lost, sources that count the same, demons with own accounts."""

import pytest

from games.engine.game_state import dump
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.mana.events import ManaPaid, ManaSpent, PoolGained, PoolPaid, PoolSpent, SourceCounted
from games.gods2.rules.pack.pack import build
from games.gods2.rules.setup.roster_commands import SetCards
from games.gods2.rules.state.options import Gods2Options, options_of
from games.gods2.rules.state.records import GodKind, Phase
from games.gods2.rules.state.value_types import CardOf, Target
from games.gods2.rules.war.schedule_commands import FightWarNow
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, shares
from tests.rules.gods2.position import deity, position, replay
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import id_of, race, row_major


def pay_century(book: Playbook) -> dict:
    """End the century's play and close its worksheet; what each god is paid, by seat."""
    book.when(EndNow(), by=GM)
    return {e.seat: e for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}


@pytest.mark.rule("G2-MANA-1")
def test_a_god_who_loses_a_sphere_between_two_sessions_earns_nothing_by_it_any_more() -> None:
    """2 Love & Beauty cards are 0.12 a worshipper, 3 War cards 0.15 more: 0.54 for the 2 of century 1.

    The 2 become 3 in century 2; without War 0.12 each are left, 0.36.
    """
    elves = race("Elves", {(0, 0): 1, (0, 1): 1}, attributes=("peaceful",), faith=shares(a=100))
    gods = (deity(ANA, cards={"LB": 2, "WA": 3}),)
    book = position(("PPPP",), elves, gods=gods, options=Gods2Options(plan=(1, 15), pack_version=1))
    assert pay_century(book)[ANA].earned == "0.54"
    book.wait(book.state.era.ends_at - book.now)
    assert book.state.era.phase is Phase.TRANSITION
    book.when(SetCards(seat=ANA, cards=(CardOf(sphere="LB", count=2),)), by=GM)
    book.when(OpenSession(), by=GM)
    assert {source for seat, source in book.state.factors if source.startswith("wa_")} == set()
    assert pay_century(book)[ANA].earned == "0.36"
    assert dump(replay(book)) == dump(book.state)


@pytest.mark.rule("G2-MANA-7", "G2-MANA-3")
def test_all_sources_that_count_the_same_event_are_counted_and_paid() -> None:
    """The pack pays War 0.3 for a war fought; here Love & Beauty has 0.5 for it, too. Two cards of each: 0.6 and 1."""
    raw = raw_pack(1)
    more = {"id": "lb_war_fought", "sphere": "LB", "when": "event", "counter": "war_fought", "factor": "0.5"}
    raw["mana_sources"].append({**more, "origin": "test"})
    norse = race("Norse", row_major(10, 0, 20), faith=shares(a=100))
    picts = race("Picts", row_major(10, 20, 20))
    gods = (deity(ANA, cards={"WA": 2}), deity(BEN, cards={"LB": 2}))
    book = position(["P" * 10] * 4, norse, picts, gods=gods, packs={2: build(2, raw)})
    declared = book.when(DeclareWar(power="declare_war", attacker=norse.id, defender=picts.id), by=ANA)
    events = book.when(FightWarNow(war=of_kind(declared, WarDeclared)[0].war), by=GM, dice=[])
    assert [e.source for e in of_kind(events, SourceCounted)] == ["lb_war_fought", "wa_war_fought"]
    book.when(EndNow(), by=GM)
    assert [book.state.lines["source", f"{sphere}_war_fought"].count for sphere in ("lb", "wa")] == [1, 1]
    earned = {e.seat: e.earned for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    assert earned[BEN] == "1"


@pytest.fixture(params=["common", "equal"])
def diabolists(request) -> Playbook:
    """40 Norse of diabolism, the demons Belun and Cirra with 20 mana each, and how the demons divide their pool."""
    faith = shares(diabolism=100)
    norse = race("Norse", row_major(10, 0, 40), attributes=("peaceful",), knowledges=("toolmaking",), faith=faith)
    gods = (deity(ANA), deity(BEN, GodKind.DEMON, cards={"WA": 3}), deity(CLEO, GodKind.DEMON))
    return position(["P" * 10] * 5, norse, gods=gods, options=Gods2Options(demon_pool=request.param))


@pytest.mark.rule("G2-MANA-4", "G2-AMB-70")
def test_a_demon_pays_from_the_pool_where_it_is_one_account_and_from_the_own_purse_elsewhere(diabolists) -> None:
    book, spell = diabolists, CastPower(power="teach_archery", targets=(Target(race=id_of("Norse")),))
    price = book.state.pack.powers["teach_archery"].cost
    if options_of(book.state).demon_pool == "common":
        with refused("mana.short", book.state):  # the pool is empty, whatever lies in the purse
            book.when(spell, by=BEN)
        book.plant(PoolGained(amount=50, balance=50, cause="test"))
        spent = event_like(PoolSpent, seat=BEN, amount=price, balance=50 - price)
    else:
        spent = event_like(ManaSpent, seat=BEN, amount=price, balance=20 - price)  # the empty pool hinders nobody
    assert of_kind(book.when(spell, by=BEN), ManaSpent, PoolSpent) == [spent]
    assert dump(replay(book)) == dump(book.state)


@pytest.mark.rule("G2-MANA-4", "G2-AMB-70")
def test_what_diabolism_earns_goes_to_the_pool_or_in_halves_to_the_demons(diabolists: Playbook) -> None:
    """40 worshippers x 0.25 are 10, or 5 each."""
    book = diabolists
    book.when(EndNow(), by=GM)
    events = book.when(ApproveWorksheet(), by=GM)
    purses = {e.seat: (e.amount, e.balance) for e in of_kind(events, ManaPaid)}
    if options_of(book.state).demon_pool == "common":
        assert of_kind(events, PoolPaid) == [event_like(PoolPaid, amount=10, balance=10)]
        assert not purses.keys() & {BEN, CLEO}
    else:
        assert of_kind(events, PoolPaid) == []
        assert (purses[BEN], purses[CLEO]) == ((5, 25), (5, 25))
