"""An artifact that a miracle makes: its name, who has it, and what is refused (DW-MIR-10)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.chronicle import STORY
from games.dawn.rules.powers.answer_commands import WaiveObjection
from games.dawn.rules.powers.events import PowerResolved
from games.dawn.rules.powers.forecast import forecast_power
from games.dawn.rules.state.schema_types import Life, WonderKind, Works
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.wonders.commands import WorkWonder
from games.dawn.rules.wonders.events import WonderWorked
from games.engine.artifacts.cards import ARTIFACT_DECK
from games.engine.artifacts.commands import CreateArtifact, DestroyArtifact
from games.engine.artifacts.events import ArtifactCreated, ArtifactPassed
from games.engine.artifacts.state import Artifact
from games.engine.errors import Refused
from games.engine.insight.cards import CardLine, CardText
from games.engine.insight.chronicle import tell
from games.engine.insight.domains import FreeText
from games.engine.kernel import Event
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    WEST,
    actor_of,
    area,
    armies,
    commit,
    field,
    legal_commands_of,
    log_folds_to_rest,
    march,
    snapshot,
    wild,
    work,
)
from tests.rules.dawn.stage import DWARVES, ELVES, GM, HAVEN, A, B, C, balances, inner_prompt, playing, sound


def wondrous(*holder: UUID, name: str | None = "Sunring", **fields: Any) -> WorkWonder:
    """A miracle on one square, or on those that are said, that makes an artifact."""
    squares = area(*fields.pop("at", (EAST,)))
    return WorkWonder(
        kind=WonderKind.MIRACLE, squares=squares, works=Works.ARTIFACT, targets=holder, artifact=name, **fields
    )


def make(book: Playbook, *holder: UUID, **fields: Any) -> list[Event]:
    """A makes an artifact by a miracle."""
    return book.when(wondrous(*holder, **fields), by=A)


def the_artifact(book: Playbook) -> Artifact:
    """The one artifact of the world."""
    (found,) = book.state.artifacts.values()
    return found


@pytest.mark.rule("DW-MIR-10", "DW-AMB-60", "DW-AMB-64")
@pytest.mark.parametrize("holder", [(HOLD,), (DWARVES,), ()])
def test_a_miracle_makes_one_artifact_for_a_race_or_a_city_in_the_area_or_for_nobody(holder: tuple[UUID, ...]) -> None:
    book = field()
    since = snapshot(book)
    events = make(book, *holder, text="It glows.")
    has = next(iter(holder), None)
    assert of_kind(events, WonderWorked, ArtifactCreated, PowerResolved) == [
        event_like(WonderWorked, works=Works.ARTIFACT, targets=holder, words="It glows.", by=A),
        event_like(ArtifactCreated, name="Sunring", holder=has, description="It glows.", under=("DW-MIR-10",)),
        event_like(PowerResolved),
    ]
    ring = the_artifact(book)
    assert (ring.name, ring.holder, ring.description, ring.lost) == ("Sunring", has, "It glows.", False)
    assert balances(book, A) == [10] and not book.state.edges
    assert log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-10", "DW-MIR-1")
def test_some_territory_of_a_race_in_the_area_is_enough() -> None:
    book = field()
    race = wild(book, B, life=Life.NEAR_EXTINCT)
    make(book, race, at=((2, 4), (2, 3)))
    assert the_artifact(book).race == race and balances(book, A) == [5]


@pytest.mark.rule("DW-MIR-10")
@pytest.mark.parametrize("holder", [HAVEN, ELVES])
def test_who_is_not_in_the_area_gets_none(holder: UUID) -> None:
    book = field()
    with pytest.raises(Refused) as why:
        make(book, holder)
    assert (why.value.code, why.value.rules, balances(book, A)) == ("effect.invalid", ("DW-MIR-10",), [20])
    assert why.value.message == (
        f"{book.state.title(holder)} has nothing in this area; choose another square, or another holder."
    )
    make(book, holder, at=(WEST,))
    assert the_artifact(book).holder == holder


@pytest.mark.rule("DW-MIR-10")
def test_an_artifact_needs_a_name_and_one_holder_at_most_that_can_have_it() -> None:
    book = field()
    for holders, name, code in (
        ((HOLD,), None, "effect.invalid"),
        ((HOLD, DWARVES), "Sunring", "effect.invalid"),
        ((UUID(int=404),), "Sunring", "target.missing"),
        ((A,), "Sunring", "target.missing"),
    ):
        with refused(code, book.state):
            make(book, *holders, name=name)
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    for holder in (DWARVES, HOLD):
        with refused("race.extinct", book.state):
            make(book, holder)


@pytest.mark.rule("DW-MIR-10")
def test_the_name_of_another_artifact_is_refused_also_of_one_that_is_lost() -> None:
    book = field(a=30)
    make(book, HOLD)
    with refused("name.taken", book.state) as why:
        make(book, HOLD, name="SUNRING")
    assert why.value.rules == ("DW-MIR-10",)
    book.when(DestroyArtifact(artifact=the_artifact(book).id, reason="It melts."), GM)
    with refused("name.taken", book.state):
        make(book)
    make(book, HOLD, name="Moonring")
    assert len(book.state.artifacts) == 2


@pytest.mark.rule("DW-MIR-10")
def test_no_other_work_names_an_artifact_and_this_one_brings_no_edge() -> None:
    book = field()
    with refused("effect.invalid", book.state):
        work(book, artifact="Sunring")
    with refused("effect.invalid", book.state):
        work(book, Works.RAZE_CITY, HOLD, artifact="Sunring")
    with refused("effect.invalid", book.state):
        make(book, HOLD, edge="music")
    with refused("effect.invalid", book.state):
        work(book, Works.ARTIFACT, HOLD, artifact="Sunring")


@pytest.mark.rule("DW-MIR-10")
def test_the_menu_has_who_can_have_it_nobody_and_the_names_that_are_taken() -> None:
    book = field(a=30)
    make(book, HOLD)
    (legal,) = (each for each in legal_commands_of(book, "work-wonder", A) if Works.ARTIFACT in each.choices("works"))
    assert legal.legal and legal.required == ("works", "artifact")
    assert legal.arguments["artifact"] == FreeText(taken=("Sunring",))
    assert set(legal.choices("targets")) == {ELVES, DWARVES, HAVEN, HOLD}
    (case,) = legal.cases
    assert len(case.either) == 5 and case.either[-1] == {"targets": None}
    empty = playing(a=30)
    (legal,) = (each for each in legal_commands_of(empty, "work-wonder", A) if Works.ARTIFACT in each.choices("works"))
    assert "targets" not in legal.arguments and legal.cases == ()
    make(empty)
    assert the_artifact(empty).holder is None


@pytest.mark.rule("DW-MIR-10", "DW-PRC-3")
def test_the_forecast_says_what_is_made_and_for_whom() -> None:
    book = field()
    ctx = book.context(actor_of(A))
    forecast = forecast_power(book.state, ctx, actor_of(A), wondrous(HOLD))
    assert forecast.price == 10
    assert [(each.what, each.key) for each in forecast.prospects] == [
        ("wonder_worked", ""),
        ("artifact_created", str(HOLD)),
    ]


def challenged() -> Playbook:
    """A's miracle for the dwarves waits for whether others challenge it."""
    book = field()
    book.state.set_course(open_challenge=True)
    make(book, DWARVES)
    assert not book.state.artifacts
    return book


def let_pass(book: Playbook) -> list[Event]:
    """Nobody challenges it."""
    question = inner_prompt(book)
    return [event for seat in (B, C) for event in book.when(WaiveObjection(prompt=question), by=seat)]


@pytest.mark.rule("DW-MIR-10", "DW-AMB-64", "DW-DC-7")
def test_none_is_made_where_a_game_master_has_given_the_name_meanwhile() -> None:
    book = challenged()
    book.when(CreateArtifact(name="Sunring"), GM)
    assert of_kind(let_pass(book), WonderWorked, ArtifactCreated, PowerResolved) == [
        event_like(WonderWorked),
        event_like(PowerResolved),
    ]
    assert the_artifact(book).holder is None and sound(book)


@pytest.mark.rule("DW-MIR-10", "DW-AMB-64", "DW-DC-7")
def test_nobody_has_it_where_its_holder_can_have_nothing_any_more() -> None:
    book = challenged()
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    assert of_kind(let_pass(book), ArtifactCreated) == [event_like(ArtifactCreated, name="Sunring", holder=None)]
    assert the_artifact(book).holder is None


@pytest.mark.rule("DW-EX-52", "DW-MIR-10", "DW-ART-2")
def test_what_a_miracle_has_laid_into_a_city_goes_with_it() -> None:
    book = field(1, 0, a=40)
    make(book, HOLD, at=(EAST, (4, 2)))
    assert balances(book, A) == [25]
    march(book)
    events = commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert of_kind(events, CityFell, ArtifactPassed) == [event_like(CityFell, city=HOLD, race=ELVES)]
    assert the_artifact(book).city == HOLD and book.state.cities[HOLD].race == ELVES


@pytest.mark.rule("DW-MIR-10", "CF-14")
def test_chronicle_and_card_tell_of_it() -> None:
    book = field(a=30)
    start = len(book.log)
    make(book, HOLD, text="It glows.")
    make(book, DWARVES, name="Moonring")
    make(book, name="Starring")
    assert [line.text for line in tell(STORY, book.state, book.log[start:])] == [
        "God A works a miracle that gives City c2 what nobody had before: It glows.",
        "Sunring is made; City c2 has it.",
        "God A works a miracle that gives Race d7 what nobody had before.",
        "Moonring is made; Race d7 have it.",
        "God A works a miracle that brings something new into the world.",
        "Starring is made.",
    ]
    ring = next(each for each in book.state.artifacts.values() if each.name == "Sunring")
    card = ARTIFACT_DECK.card(book.state, ring.id)
    assert card is not None
    assert card.parts == (CardLine("Holder", "City c2"), CardText("", "It glows."))
