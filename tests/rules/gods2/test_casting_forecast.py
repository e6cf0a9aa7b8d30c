"""What a power would do before it is paid: by the rules themselves, with the odds of every die, telling no secret."""

from dataclasses import replace
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import seats as readers
from games.engine.board.board import Square
from games.engine.dice import Tray
from games.engine.game_state import dump
from games.engine.insight.forecast import CASES, DrawnDice, Forecast, enumerate_outcomes
from games.engine.kernel import Actor, Command, Context, Issuer
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.state.constants import number
from games.gods2.rules.state.effect_records import Authorship, Modification, ModStatus
from games.gods2.rules.state.records import Cards, City, CityKind, Level, Purse
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Place, Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.forecast import forecast_of
from games.gods2.rules.window.commands import DrawNumber
from tests.playbook import DAWN, Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, endow, two_peoples
from tests.rules.gods2.worlds import id_of

PLAYER = Actor(Issuer.SEAT, seat=ANA)


def forecast_for(state: State, command: Command, seat: UUID = ANA) -> Forecast:
    """The forecast of a casting for a god."""
    actor = Actor(Issuer.SEAT, seat=seat)
    ctx = Context(
        game=state.info.id, now=DAWN, actor=actor, tray=Tray(DrawnDice(0)), id_secret=b"forecast", commands={},
    )  # fmt: skip
    return command.forecast(state.view_for(frozenset({seat})), ctx, actor)  # type: ignore[attr-defined,no-any-return]


def odds(found: Forecast, what: str, race: UUID | None = None, key: str | None = None) -> dict[int, Fraction]:
    """The odds of one thing by amount."""
    (one,) = [p for p in found.prospects if p.what == what and p.subject == race and key in (None, p.key)]
    assert sum(odd.chance for odd in one.odds) == 1
    return {odd.amount: odd.chance for odd in one.odds}


def whats(found: Forecast) -> set[str]:
    return {p.what for p in found.prospects}


def mighty(book: Playbook, seat: UUID = ANA) -> None:
    endow(book, seat, 100, *book.state.pack.spheres)


def on(x: int, y: int) -> tuple[Target, ...]:
    return (Target(squares=(Place(x=x, y=y),)),)


def civilize(book: Playbook, whose: UUID) -> Square:
    """Give a race civilization and a city on its middle row; the city's square."""
    race = book.state.races[whose]
    known = ("agriculture", "civilization", "law", "toolmaking", "tribal_law", "writing")
    book.state.races[whose] = replace(race, knowledges=known, level=Level.CIVILIZED)
    city = id_of(f"city of {whose}")
    own = [Square(r, c) for r, c in zip(*book.state.board.own(whose).nonzero(), strict=True)]
    where = next(square for square in own if square.row == 1)
    book.state.cities[city] = City(city, whose, where, CityKind.CITY)
    return where


def test_every_way_the_dice_may_fall_is_played_once() -> None:
    def two(dice: Any) -> tuple[int, int]:
        first = dice.value("a", 0, 6)[0]
        return first, dice.value("b", 0, 4)[0] if first == 6 else 0

    found, exact = enumerate_outcomes(two)
    assert exact and sum(c.chance for c in found) == 1
    assert [(c.result, c.chance) for c in found] == [
        *(((n, 0), Fraction(1, 6)) for n in range(1, 6)),
        *(((6, n), Fraction(1, 24)) for n in range(1, 5)),
    ]


def test_of_too_many_ways_some_are_drawn_and_it_says_so() -> None:
    def four(dice: Any) -> int:
        return sum(dice.value("a", n, 6)[0] for n in range(4))

    found, exact = enumerate_outcomes(four)
    again, _ = enumerate_outcomes(four)
    assert not exact and len(found) == CASES and found == again
    assert sum(c.chance for c in found) == 1
    assert 12 < sum(c.result * c.chance for c in found) < 16


@pytest.mark.rule("G2-RES-6", "G2-DIS-3", "G2-HIST-3")
def test_deaths_after_resistances_are_forecast_as_they_happen_and_nothing_changes() -> None:
    book, dwarves, elves = two_peoples()
    mighty(book)
    before, heads = dump(book.state), dict(book.heads)
    command = CastPower(power="tidal_wave", targets=on(1, 0))
    with refused("target.unfit"):
        forecast_for(book.state, command)
    command = CastPower(power="earthquake", targets=on(4, 1))
    found = forecast_for(book.state, command)
    assert dump(book.state) == before and book.heads == heads
    events = book.when(command, by=ANA)
    died = of_kind(events, UnitsDied)
    assert found.price == of_kind(events, PowerCast)[0].price  # type: ignore[attr-defined]
    assert found.exact and found.cases == 1 and found.barred is None
    for race in (dwarves, elves):
        real = sum(e.units for e in died if e.race == race)  # type: ignore[attr-defined]
        assert (odds(found, "deaths", race) if real else {0: Fraction(1)}) == {real: Fraction(1)}
    assert sum(e.units for e in died) or "deaths" not in whats(found)  # type: ignore[attr-defined]


@pytest.mark.rule("G2-CITY-9", "G2-CITY-7")
def test_the_loss_of_civilization_is_forecast_with_all_that_needs_it() -> None:
    book, _, elves = two_peoples()
    mighty(book)
    city = civilize(book, elves)
    needing = book.state.pack.needing(["civilization"]) & set(book.state.races[elves].knowledges)
    book.state.board.terrain[0, 0:3] = book.state.board.terrain[2] = number("W")
    drowned = forecast_for(book.state, CastPower(power="drown_the_shore", targets=on(city.column, city.row)))
    assert odds(drowned, "terrain", None, "W") == {1: Fraction(1)}
    assert odds(drowned, "city_lost", elves) == {1: Fraction(1)}
    gone = {p.key for p in drowned.prospects if p.what == "knowledge_lost" and p.subject == elves}
    assert gone == set(needing) and "civilization" in gone
    assert odds(drowned, "level", elves, "barbarian") == {1: Fraction(1)}


@pytest.mark.rule("G2-HIST-3", "G2-HIST-7", "G2-QUEUE-1")
def test_missing_mana_and_a_missing_number_do_not_prevent_a_forecast() -> None:
    book, dwarves, _ = two_peoples()
    book.when(DrawNumber(), by=CLEO)
    command = CastPower(power="call_to_arms", targets=(Target(race=dwarves),))
    found = forecast_for(book.state, command)
    assert odds(found, "modification", dwarves, "call_to_arms") == {1: Fraction(1)}
    book.state.purses[ANA] = Purse(ANA, 1)
    poor = forecast_for(book.state, command)
    assert poor.prospects == found.prospects
    assert poor.barred is not None and poor.barred.code == "mana.short"
    assert dict(poor.barred.facts) == {"need": found.price, "have": 1}


@pytest.mark.rule("G2-WAR-2", "G2-WAR-3", "G2-WAR-5", "G2-WAR-6", "G2-DIP-4")
def test_a_war_is_forecast_with_the_odds_of_diplomacy() -> None:
    book, dwarves, elves = two_peoples()
    expected = forecast_of(book.state, dwarves, elves)
    found = forecast_for(book.state, DeclareWar(attacker=dwarves, defender=elves))
    fought = Fraction(36 - expected.averted, 36)
    sides = {s.race: s for s in (expected.plan.expected.attacker, expected.plan.expected.defender)}
    for race, side in sides.items():
        here = odds(found, "war_losses", race)
        assert here.get(side.losses) == (Fraction(1) if not side.losses else fought)
        assert odds(found, "war_percent", race).get(side.percent) == fought
    assert found.exact
    assert any("GM decides" in message for message in found.hidden)
    assert not book.state.wars


@pytest.mark.rule("G2-HIST-2", "G2-HIST-3")
def test_the_secrets_of_partners_change_no_forecast() -> None:
    def with_partner(cards: int, mana: int) -> Forecast:
        book, dwarves, _ = two_peoples()
        book.state.cards[BEN, "WA"] = Cards(BEN, "WA", cards)
        book.state.purses[BEN] = Purse(BEN, mana)
        command = CastPower(
            power="cult_of_war", targets=(Target(race=dwarves),), parts=(PartOf(seat=ANA), PartOf(seat=BEN))
        )
        return forecast_for(book.state, command)

    assert with_partner(0, 0) == with_partner(6, 100)
    assert with_partner(0, 0).hidden == (
        "Whether Belun agree, and have the mana and the cards (4 of War; you hold 3).",
    )


@pytest.mark.rule("G2-MOD-5", "G2-HREC-1")
@pytest.mark.parametrize("author", [BEN, CLEO])
def test_the_caster_of_a_dormant_modification_does_not_show(author: UUID) -> None:
    results = []
    for who in (BEN, CLEO, author):
        book, _, elves = two_peoples()
        mighty(book)
        sleeping, casting = id_of("sleeping"), id_of("casting")
        key = "cult_of_love"
        book.state.modifications[sleeping] = Modification(
            sleeping, elves, key, ModStatus.DORMANT, 1, 1, casting=casting
        )
        book.state.authorships[casting] = Authorship(casting, who, (who,), readers(who, gm=True))
        results.append(forecast_for(book.state, CastPower(power="earthquake", targets=on(4, 1))))
    assert results[0] == results[1] == results[2]
    assert any(message.startswith("Who cast ") for message in results[0].hidden)


@pytest.mark.rule("G2-PAN-8")
def test_a_cult_is_forecast_with_the_shares_it_leads_to() -> None:
    book, dwarves, _ = two_peoples()
    mighty(book)
    found = forecast_for(book.state, CastPower(power="cult_of_love", targets=(Target(race=dwarves),)))
    book.when(CastPower(power="cult_of_love", targets=(Target(race=dwarves),)), by=ANA)
    for member, share in book.state.pantheon(dwarves).items():
        assert odds(found, "share", dwarves, member) == {share: Fraction(1)}


def test_a_power_with_a_die_has_exact_odds() -> None:
    book, dwarves, _ = two_peoples()
    mighty(book)
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("archery", "fishing", "law"))
    lore = forecast_for(book.state, CastPower(power="lost_lore", targets=(Target(race=dwarves),)))
    lost = {p.key: p.odds for p in lore.prospects if p.what == "knowledge_lost"}
    assert set(lost) == {"archery", "fishing", "law"} and lore.exact and lore.cases == 3
    assert all(
        [(o.amount, o.chance) for o in each] == [(0, Fraction(2, 3)), (1, Fraction(1, 3))] for each in lost.values()
    )


@pytest.mark.rule("G2-TIME-3")
def test_an_impossible_casting_has_no_forecast() -> None:
    book, dwarves, _ = two_peoples()
    with refused("power.missing", book.state):
        forecast_for(book.state, CastPower(power="no_such"))
    with refused("target.invalid", book.state):
        forecast_for(book.state, CastPower(power="call_to_arms"))
    book.wait(book.state.era.activity_ends_at - book.now)  # type: ignore[operator]
    with refused("phase.closed"):
        forecast_for(book.state, CastPower(power="call_to_arms", targets=(Target(race=dwarves),)))
