"""What a god can cast now: legal casts say of every square what trying it would say, with its price step by step."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.errors import Refused
from games.engine.insight.breakdown import after
from games.engine.insight.domains import SHOWN, Choices, Fields, ListOf
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.casting.square_classes import kinds
from games.gods2.rules.setup.roster_commands import MarkAbsent, MarkGod
from games.gods2.rules.state.records import Cards, God, GodStatus, Purse
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, Target
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, two_peoples
from tests.rules.gods2.test_worlds_at_random import SIDE, worlds
from tests.rules.gods2.worlds import earth_of, race

PLAYER = Actor(Issuer.SEAT, seat=ANA)
ON_SQUARES = ("square", "squares", "connected")


def able(state: State, mana: int = 500) -> God:
    """A god with six cards of every sphere."""
    god = God(ANA, "Ashkar")
    state.gods[ANA], state.purses[ANA] = god, Purse(ANA, mana)
    for sphere in state.pack.spheres:
        state.cards[ANA, sphere] = Cards(ANA, sphere, 6)
    return god


def squares_by_price(state: State, god: God, power: str) -> dict[int, list[Any]]:
    """Every square tried by itself, by price."""
    found: dict[int, list[Any]] = {}
    for row in range(state.board.height):
        for column in range(state.board.width):
            target = Target(squares=(Place(x=column, y=row),))
            try:
                price = prepare_casting(state, (god,), power, (target,)).price.amount
            except Refused:
                continue
            found.setdefault(price, []).append([{"squares": [{"x": column, "y": row}]}])
    return found


@pytest.mark.rule("G2-HIST-1", "G2-TERR-2", "G2-FILT-2", "G2-CITY-11")
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), st.data())
def test_every_square_is_listed_that_fits_and_no_other(state: State, data: st.DataObject) -> None:
    god = able(state)
    aimed = [p.id for p in state.pack.powers.values() if p.target.partition(":")[0] in ON_SQUARES]
    chosen = data.draw(st.lists(st.sampled_from(sorted(aimed)), min_size=6, max_size=6, unique=True))
    served: dict[str, dict[int, list[Any]]] = {key: {} for key in chosen}
    for dish in menu(state, god, chosen):
        if dish.price is not None:
            served[dish.power.id][dish.price] = list(dish.targets.values or ())
    assert served == {key: squares_by_price(state, god, key) for key in chosen}


@pytest.mark.rule("G2-HIST-6")
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_the_steps_of_a_price_lead_to_it(state: State) -> None:
    god = able(state)
    for dish in menu(state, god):
        value = dish.steps[0].value * 0 if dish.steps else None
        for step in dish.steps:
            value = after(value, step.does, step.amount)  # type: ignore[arg-type]
            assert value == step.value
        assert value == dish.price


@pytest.mark.rule("G2-CITY-11", "G2-HIST-6")
def test_a_great_city_stands_in_the_price_step_by_step() -> None:
    great = race("Builders", {(1, 1): 5}, "civilized")
    state = earth_of(["PPPPP", "PPPPP"], great, features=[("great_city", (1, 1))])
    god = able(state)
    dishes = [d for d in menu(state, god, ("earthquake",)) if d.price is not None]
    assert len(dishes) == 2
    rows = [[(s.kind, s.key, s.does, s.rule) for s in d.steps] for d in dishes]
    assert rows[0] == [("base", "earthquake", "add", "G2-HIST-6")]
    assert rows[1][1] == ("feature", "great_city", "multiply", "G2-FILT-2")


def test_squares_share_a_class_only_where_no_rule_distinguishes_them() -> None:
    folk = race("Folk", {(0, 0): 3}, "civilized")
    state = earth_of(["PPPPW", "PPPPP"], folk, features=[("river", (1, 3))])
    power = state.pack.powers["fertile_soil"]
    labels = kinds(state, power, np.ones((2, 5), dtype=np.bool_)).reshape(2, 5)
    assert labels[0, 2] == labels[1, 2]
    assert len({int(labels[at]) for at in ((0, 0), (0, 1), (0, 2), (0, 4), (1, 3))}) == 5


@pytest.mark.rule("G2-HIST-7", "G2-HIST-3")
def test_a_barred_cast_has_its_reason_with_numbers() -> None:
    book, *_ = two_peoples()
    legal = {o.arguments["power"].values[0]: o for o in of_cast(book)}  # type: ignore[index]
    short = legal["eruption"]
    assert short.barred is not None and short.barred.code == "power.level"
    assert dict(short.barred.facts) == {"need": 4, "have": 0}
    assert short.facts["cards"] == 0 and short.facts["mana"] == 20
    book.state.purses[ANA] = Purse(ANA, 0)
    dear = next(o for o in of_cast(book) if o.price)
    assert dear.barred is not None and (dear.barred.code, dear.barred.rules) == ("mana.short", ("G2-HIST-3",))
    assert dict(dear.barred.facts) == {"need": dear.price, "have": 0}


@pytest.mark.rule("G2-HIST-2")
def test_gods_who_are_present_may_be_asked_to_join() -> None:
    book, *_ = two_peoples()
    book.when(MarkGod(seat=BEN, status=GodStatus.KILLED), by=GM)
    book.when(MarkAbsent(seat=CLEO, absent=True), by=GM)
    # an absence is no secret to the game-master, who acts for a god; the other gods do not see it
    for_ana = Actor(Issuer.GM, on_behalf_of=ANA)
    by_gm = next(
        CastPower.matching_legal_commands(book.state.view_for(frozenset(), gm=True), for_ana, LegalCommandFilter())
    )
    assert "parts" not in by_gm.arguments and "split" not in by_gm.arguments
    candidate = next(of_cast(book))
    parts = candidate.arguments["parts"]
    assert isinstance(parts, ListOf) and parts.first == (Fields({"seat": Choices((ANA,))}),)
    assert (parts.of, parts.low, parts.high) == (Fields({"seat": Choices((CLEO,))}), 2, 2)
    assert candidate.choices("split") == ("equal",)


def of_cast(book: Playbook, **narrow: Any) -> Iterator[LegalCommand]:
    return CastPower.matching_legal_commands(
        book.state.view_for(frozenset({ANA})), PLAYER, LegalCommandFilter(**narrow)
    )


def test_one_power_can_be_asked_for_and_its_targets_come_in_pages() -> None:
    state = earth_of(["P" * 30] * 20, race("Folk", {(0, 0): 1}))
    god = able(state)
    (first,) = menu(state, god, ("fertile_soil",))
    (second,) = menu(state, god, ("fertile_soil",), skip=SHOWN)
    (last,) = menu(state, god, ("fertile_soil",), skip=2 * SHOWN)
    assert [len(d.targets.values or ()) for d in (first, second, last)] == [200, 200, 200]
    assert [d.targets.more for d in (first, second, last)] == [400, 200, 0]
    pages = [t for d in (first, second, last) for t in d.targets.values or ()]
    assert pages == squares_by_price(state, god, "fertile_soil")[first.price or 0]
    assert {d.power.id for d in menu(state, god, ("fertile_soil", "flood"))} == {"fertile_soil", "flood"}


def test_listing_legal_casts_leaves_the_state_unchanged() -> None:
    state = earth_of(["PPPP"] * SIDE, race("Folk", {(0, 0): 1}))
    god = able(state)
    before = {name: (dict(rows), rows.writes) for name, rows in state.rows()} | {"board": state.board.content()}
    assert list(menu(state, god))
    assert before == {name: (dict(rows), rows.writes) for name, rows in state.rows()} | {"board": state.board.content()}


def test_a_map_of_four_times_the_size_has_no_more_classes_of_squares() -> None:
    rows = ["PPFFDMIW", "PPFFDMIW", "PPFFDMIW"]
    small, large = earth_of(rows), earth_of([row * 2 for row in rows] * 2)
    for power in ("raise_mountain", "tremor", "create_volcano"):
        counts = []
        for state in (small, large):
            everywhere = np.ones(state.board.terrain.shape, dtype=np.bool_)
            counts.append(len(np.unique(kinds(state, state.pack.powers[power], everywhere))))
        assert counts[1] <= counts[0] + 2, power
