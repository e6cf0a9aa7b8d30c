"""The forecast of a power is what it does: its price, who is asked, who pays, and each event."""

import re
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.avatars.commands import CommandAvatar, CreateAvatar
from games.dawn.rules.avatars.free_power_commands import FreeArgs, FreePower, FreeUse
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.forecast import ASKED, CHALLENGES
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.commands import CoCreator, CreateRace, UpgradeRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.subrace_commands import CreateSubrace
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.schema_types import (
    AdvanceKind,
    AdvanceWord,
    AvatarKind,
    EdgeKind,
    OrderKind,
    Place,
    WonderKind,
    Works,
)
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.wonders.commands import WorkWonder
from games.engine.game_state import dump
from games.engine.insight.forecast import Forecast
from games.engine.prompts.prompt import PromptOpened
from tests.playbook import Playbook, of_kind, refused
from tests.rules.dawn.field import EAST, HOLD, WEST, actor_of, field
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, C, avatar, edge, order

HOME = Place(x=2, y=2)
QUESTIONS = {"consent", "object", "pick.edges"}


def at(x: int, y: int) -> Place:
    return Place(x=x, y=y)


def world() -> Playbook:
    """A field on which A can use every power, and B speaks for the dwarves; avatars of A stand in both cities."""
    book = field(1, 2, a=60, b=60, c=60)
    order(book, DWARVES, B, kind=OrderKind.RELIGIOUS)
    avatar(book, A, WEST)
    avatar(book, A, EAST)
    for name in ("songs", "ships", "bows", "walls"):
        edge(book, DWARVES, name)
    return book


def avatar_at(book: Playbook, at_: tuple[int, int]) -> UUID:
    """A's avatar on a square."""
    return next(a.id for a in book.state.avatars.values() if (a.x, a.y) == at_)


def order_of(book: Playbook, race: UUID) -> UUID:
    return next(o.id for o in book.state.orders.values() if o.race == race)


def forecast_of(book: Playbook, command: PowerCommand, seat: UUID = A) -> Forecast:
    return command.forecast(book.state, book.context(actor_of(seat)), actor_of(seat))


def bars(book: Playbook, command: PowerCommand, seat: UUID = A) -> str:
    """The code of what a god lacks; "" for nothing."""
    barred = forecast_of(book, command, seat).barred
    return barred.code if barred else ""


def outcomes_in(found: Forecast) -> list[tuple[str, str, int]]:
    """(what, key, how much) of all that is certain."""
    assert found.exact and all(len(p.odds) == 1 and p.odds[0].chance == 1 for p in found.prospects)
    return [(p.what, p.key, p.odds[0].amount) for p in found.prospects]


def snake(kind: type) -> str:
    return re.sub(r"\B(?=[A-Z])", "_", kind.__name__).lower()


JOINT = (CoCreator(seat=B, share=5), CoCreator(seat=C, share=0))
Asked = list[tuple[str, UUID]]
CASES: dict[str, tuple[Any, list[int], Asked, list[tuple[str, int]]]] = {
    # command -> (of the world, amounts of the steps of its price, who is asked, (event, how much))
    "create-race": (
        lambda _: CreateRace(name="Gnomes", home=HOME), [15], [], [("race_created", 1), ("order_created", 1)],
    ),
    "upgrade-race": (lambda _: UpgradeRace(race=ELVES), [15], [], [("race_upgraded", 1)]),
    "create-subrace": (
        lambda _: CreateSubrace(name="Deep elves", parents=(DWARVES,), home=at(*EAST)), [10], [("pick.edges", B)],
        [("subrace_created", 2)],
    ),
    "settle": (
        lambda _: CommandRace(race=ELVES, act=Act.SETTLE, args=Args(square=at(1, 2))), [3], [],
        [("territory_settled", 1)],
    ),
    "alliance": (
        lambda _: CommandRace(race=ELVES, act=Act.ALLIANCE, args=Args(race=DWARVES)), [3], [("consent", B)],
        [("alliance_made", 1)],
    ),
    "raise-army": (lambda _: CommandCity(city=HAVEN, act=Act.RAISE_ARMY), [2], [], [("army_raised", 1)]),
    "gift-edge": (
        lambda _: GiftEdge(target=HOLD, name="gates", kind=EdgeKind.DEFENSIVE), [5], [], [("edge_gifted", 1)],
    ),
    "shift-alignment": (
        lambda _: ShiftAlignment(target=DWARVES, dir=-1), [3], [("object", B)], [("alignment_shifted", -1)],
    ),
    "own people": (lambda _: ShiftAlignment(target=HAVEN, dir=1), [3], [], [("alignment_shifted", 1)]),
    "create-order": (
        lambda _: CreateOrder(race=DWARVES, kind=OrderKind.GUILD, name="Miners"), [4], [], [("order_created", 1)],
    ),
    "command-order": (
        lambda book: CommandOrder(order=order_of(book, DWARVES), task="Dig."), [2, 10], [], [("order_commanded", 1)],
    ),
    "own order": (
        lambda book: CommandOrder(order=order_of(book, ELVES), task="Sing."), [2], [], [("order_commanded", 1)],
    ),
    "create-avatar": (
        lambda _: CreateAvatar(square=HOME, kind=AvatarKind.BEAST, name="Paw"), [8], [], [("avatar_created", 1)],
    ),
    "free power": (
        lambda book: CommandAvatar(
            avatar=avatar_at(book, EAST),
            free_power=FreeUse(power=FreePower.CORRUPT_CITY, args=FreeArgs(target=HOLD)),
        ),
        [1], [("object", B)], [("alignment_shifted", -1)],
    ),
    "miracle": (
        lambda _: WorkWonder(kind=WonderKind.MIRACLE, squares=(HOME,), text="Rain."), [10], [], [("wonder_worked", 1)],
    ),
    "ravage": (
        lambda _: WorkWonder(kind=WonderKind.CATASTROPHE, squares=(at(4, 1), at(4, 2), at(3, 2)), works=Works.RAVAGE),
        [10, 10], [("object", B)], [("wonder_worked", 1), ("armies_lost", 2)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.rule("DW-PRC-3", "DW-ALN-2", "DW-CMDR-3", "DW-ORDR-2", "DW-MIR-1")
def test_the_forecast_of_a_power_is_what_it_does(case: str) -> None:
    make, steps, questions, changes = CASES[case]
    book = world()
    command = make(book)
    before = dump(book.state)

    found = forecast_of(book, command)

    assert dump(book.state) == before
    assert ([int(step.amount) for step in found.steps], found.price) == (steps, sum(steps))
    assert {step.rule for step in found.steps} <= {"DW-PRC-3", "DW-ORDR-2", "DW-MIR-1"}
    every = outcomes_in(found)
    assert [(what, UUID(key)) for what, key, _ in every if what in QUESTIONS] == questions
    assert [(what, amount) for what, _, amount in every if what not in QUESTIONS] == changes
    assert (found.barred, found.hidden) == (
        None,
        (ASKED,) if {what for what, _ in questions} & {"consent", "object"} else (),
    )

    have = book.state.balance(A)
    events = book.when(command, by=A)
    assert book.state.balance(A) == have - sum(steps)
    put = [(p.kind.removeprefix("ask."), UUID(o.removeprefix("seat:"))) for p in of_kind(events, PromptOpened)
           for o in p.owners]  # fmt: skip
    assert put == questions
    happened = [snake(type(event)) for event in events if snake(type(event)) in dict(changes)]
    assert happened == ([] if found.hidden else [what for what, _ in changes])


@pytest.mark.rule("DW-RACE-4")
def test_a_joint_creation_forecasts_the_share_of_each() -> None:
    book = world()
    command = CreateRace(name="Gnomes", home=HOME, co_creators=JOINT)
    assert outcomes_in(forecast_of(book, command))[:5] == [
        ("consent", str(B), 1), ("consent", str(C), 1),
        ("share", str(A), 10), ("share", str(B), 5), ("share", str(C), 0),
    ]  # fmt: skip
    book = field(a=10, b=5)
    assert forecast_of(book, CreateRace(name="Gnomes", home=HOME, co_creators=JOINT[:1])).barred is None
    with refused("shares.mismatch"):
        forecast_of(field(a=9, b=6), CreateRace(name="Gnomes", home=HOME, co_creators=JOINT[:1]))


@pytest.mark.rule("DW-ALN-2", "DW-AMB-56")
def test_a_standing_answer_changes_no_forecast() -> None:
    book = world()
    command = ShiftAlignment(target=DWARVES, dir=1)
    before = forecast_of(book, command)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=AdvanceWord.NEVER), by=B)
    assert forecast_of(book, command) == before


@pytest.mark.rule("DW-PRC-1", "DW-DC-7")
def test_a_forecast_says_what_bars_a_power_now() -> None:
    shift = ShiftAlignment(target=HAVEN, dir=1)
    assert bars(world(), shift, B) == "turn.not_yours"
    assert bars(field(a=2), shift) == "points.short"
    book = world()
    book.when(shift, by=A)
    assert bars(book, shift) == "target.marked"
    assert bars(book, shift, B) == "turn.not_yours"
    with refused("creator.missing"):
        forecast_of(book, UpgradeRace(race=DWARVES))
    book.state.set_course(open_challenge=True)
    assert forecast_of(book, CreateOrder(race=ELVES, kind=OrderKind.OTHER, name="X")).hidden == (CHALLENGES,)


def test_a_forecast_names_the_tier_and_the_subject() -> None:
    book = world()
    (upgrade,) = forecast_of(book, UpgradeRace(race=ELVES)).prospects
    assert (upgrade.subject, upgrade.key) == (ELVES, "monstrous")
    (gift,) = forecast_of(book, GiftEdge(target=HOLD, name="gates", kind=EdgeKind.DEFENSIVE)).prospects
    assert (gift.subject, gift.key) == (None, str(HOLD))
    created, _ = forecast_of(book, CreateRace(name="Gnomes", home=HOME)).prospects
    assert (created.subject, [(s.column, s.row) for s in created.squares]) == (None, [(2, 2)])


@pytest.mark.rule("DW-AMB-37")
def test_a_god_whose_seat_was_left_would_not_be_asked() -> None:
    book = world()
    shift = ShiftAlignment(target=DWARVES, dir=1)
    book.when(LeaveSeat(), by=B)
    assert outcomes_in(forecast_of(book, shift)) == [("alignment_shifted", str(DWARVES), 1)]
