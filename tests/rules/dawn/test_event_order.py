"""What follows a command, in the order of table 10a: set-up, turns, transfers, land, races, subraces, commands."""

import re

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.powers.answer_commands import AnswerConsent, AnswerLeave, OpenConflict, WithdrawPower
from games.dawn.rules.races.commands import CoCreator, CreateRace, UpgradeRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.subrace_commands import CreateSubrace, PickEdge
from games.dawn.rules.state.schema_types import EdgeKind, Place, Terrain
from games.dawn.rules.trade.commands import AcceptOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndSetup
from tests.playbook import Playbook
from tests.rules.dawn.field import terrain
from tests.rules.dawn.shaping import bid, fold, set_shaper, shape
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    HOST,
    A,
    B,
    C,
    begin,
    city,
    define,
    edge,
    inner_prompt,
    order,
    people,
    playing,
    rising,
    setting_up,
)

OWN = {event.__name__ for event in RULESET.own.events} - {"PowerAdvanced"}
HOME = Place(x=1, y=1)


def event_names(events: list[Event]) -> str:
    """The names of the game's own events; the same one several times over only once, with `..`."""
    names = " ".join(name for event in events if (name := type(event).__name__) in OWN)
    return re.sub(r"\b(\w+)(?: \1)+\b", r"\1..", names)


def stage(age: int = 2) -> Playbook:
    """A's turn: A's elves at (1, 1) with two edges, a city and an order; B's dwarves with an order; dry land."""
    book = playing(age=age, a=40, b=20, c=20)
    terrain(book, Terrain.PLAINS, *book.state.squares)
    city(book, people(book, A))
    people(book, B, race=DWARVES, x=3, y=3)
    order(book, ELVES, A)
    order(book, DWARVES, B)
    edge(book, ELVES, "Music")
    edge(book, ELVES, "Memory")
    return book


def test_the_start() -> None:
    book = setting_up(3)
    assert event_names(define(book, A)) == "GodDefined"
    define(book, B)
    start = book.when(EndSetup(), by=HOST, dice=rising(2))
    assert event_names(start) == "SeatDropped GameStarted RoundStarted IncomeRolled.. OrderFixed TurnStarted"


@pytest.mark.rule("DW-AGE-3", "DW-TRN-1")
@pytest.mark.parametrize(
    ("_case", "age", "number", "after"),
    [
        ("round", 1, 4, "RoundEnded RoundStarted IncomeRolled.. OrderFixed TurnStarted"),
        ("age", 1, 5, "RoundEnded AgeChanged RoundStarted IncomeRolled.. OrderFixed TurnStarted"),
        ("game", 3, 5, "RoundEnded GameFinished"),
    ],
)
def test_the_end_of_a_turn(_case: str, age: int, number: int, after: str) -> None:
    book = begin(2)
    book.state.set_course(age=age, round=number)
    assert event_names(book.when(EndTurn(), by=A)) == "TurnEnded TurnStarted"
    assert event_names(book.when(EndTurn(), by=B)) == f"TurnEnded {after}"


def test_transfers() -> None:
    book = playing(a=5, b=5, c=5)
    assert event_names(book.when(GivePoints(to=B, amount=1), by=A)) == "PointsGiven"
    assert event_names(book.when(MakeOffer(to=B, give=1, want=1), by=A)) == "OfferMade"
    assert event_names(book.when(AcceptOffer(offer=next(iter(book.state.offers))), by=B)) == "OfferClosed PointsGiven.."
    book.when(MakeOffer(to=B, give=1, want=0), by=A)
    assert event_names(book.when(DeclineOffer(offer=next(iter(book.state.offers))), by=B)) == "OfferClosed"
    book.when(OfferPlace(to=C, price=2), by=A)
    assert (
        event_names(book.when(AcceptOffer(offer=next(iter(book.state.offers))), by=C))
        == "OfferClosed PlaceSold TurnStarted"
    )
    assert event_names(book.when(LeaveSeat(), by=B)) == "SeatLeft"


def test_shaping() -> None:
    book = stage()
    assert event_names(book.when(shape((0, 0)), by=A)) == "PowerDeclared LandShaped PowerResolved"
    set_shaper(book, B, (1, 0))
    assert event_names(book.when(shape((1, 0)), by=A)) == "PowerDeclared LeaveAsked"
    assert (
        event_names(book.when(AnswerLeave(prompt=inner_prompt(book), yes=True), by=B))
        == "LeaveAnswered LandShaped PowerResolved"
    )
    set_shaper(book, B, (1, 0))
    for ends, last in ((B, "ConflictResolved LandShaped PowerResolved"), (A, "ConflictResolved PowerFailed")):
        set_shaper(book, B, (1, 0))
        book.when(shape((1, 0)), by=A)
        assert event_names(book.when(AnswerLeave(prompt=inner_prompt(book), yes=False), by=B)) == "LeaveAnswered"
        assert event_names(book.when(OpenConflict(prompt=inner_prompt(book)), by=A)) == "ConflictOpened"
        assert event_names(bid(book, A, 1)) == "BidPlaced"
        if ends == A:
            assert event_names(bid(book, B, 2)) == "BidPlaced"
        assert event_names(fold(book, ends)) == f"BidFolded {last}"
    book.when(shape((1, 0)), by=A)
    book.when(AnswerLeave(prompt=inner_prompt(book), yes=False), by=B)
    assert event_names(book.when(WithdrawPower(prompt=inner_prompt(book)), by=A)) == "PowerWithdrawn"


def test_races() -> None:
    book = stage()
    alone = book.when(CreateRace(name="Trolls", home=HOME), by=A)
    assert event_names(alone) == "PowerDeclared RaceCreated OrderCreated PowerResolved"
    joint = CreateRace(name="Gnomes", home=HOME, co_creators=(CoCreator(seat=B, share=1), CoCreator(seat=C, share=1)))
    assert event_names(book.when(joint, by=A)) == "PowerDeclared ConsentAsked"
    assert event_names(book.when(AnswerConsent(prompt=inner_prompt(book), yes=True), by=C)) == "ConsentAnswered"
    last = book.when(AnswerConsent(prompt=inner_prompt(book), yes=True), by=B)
    assert event_names(last) == "ConsentAnswered SharesDrawn RaceCreated OrderCreated PowerResolved"
    assert event_names(book.when(UpgradeRace(race=ELVES), by=A)) == "PowerDeclared RaceUpgraded PowerResolved"
    gift = GiftEdge(target=ELVES, name="Bows", kind=EdgeKind.OFFENSIVE)
    assert event_names(book.when(gift, by=A)) == "PowerDeclared EdgeGifted PowerResolved"
    branch = book.when(CreateSubrace(name="Sprites", parents=(ELVES,), home=HOME), by=A)
    assert event_names(branch) == "PowerDeclared SubraceCreated"
    assert event_names(book.when(PickEdge(prompt=inner_prompt(book), edge="Music"), by=A)) == "EdgePicked PowerResolved"


def test_commands() -> None:
    book = stage()
    for act, args, event in (
        (Act.SETTLE, {"square": Place(x=2, y=1)}, "TerritorySettled"),
        (Act.FOUND_CITY, {"square": Place(x=2, y=1), "name": "Port"}, "CityFounded"),
        (Act.DEED, {"text": "They sing."}, "DeedRecorded"),
    ):
        events = book.when(CommandRace(race=ELVES, act=act, args=Args(**args)), by=A)
        assert event_names(events) == f"PowerDeclared {event} PowerResolved"
    raised = book.when(CommandCity(city=HAVEN, act=Act.RAISE_ARMY), by=A)
    assert event_names(raised) == "PowerDeclared ArmyRaised PowerResolved"
    for yes, last in ((False, "PowerWithdrawn"), (True, "AllianceMade PowerResolved")):
        ally = CommandRace(race=ELVES, act=Act.ALLIANCE, args=Args(race=DWARVES))
        assert event_names(book.when(ally, by=A)) == "PowerDeclared ConsentAsked"
        assert (
            event_names(book.when(AnswerConsent(prompt=inner_prompt(book), yes=yes), by=B)) == f"ConsentAnswered {last}"
        )
