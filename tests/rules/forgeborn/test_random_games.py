"""Whole games of bots: each ends with winners, the log folds to the state, nothing hangs, every die is accounted for.

Eight in the short form of the suite, a few tens in the whole one; `FORGEBORN_GAMES=1000` plays more.
"""

import os
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from games.engine.bots import BotPassed
from games.engine.game_state import GameInfo, Role, Seat, dump
from games.engine.lifecycle.gm_commands import Start
from games.engine.timer import TimerRefused
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.claims.events import ArtifactHanded, ArtifactTaken, ClaimUsed
from games.forgeborn.rules.forge.events import ArtifactMade, HeroineRecruited
from games.forgeborn.rules.gains.events import DiceLost, DieGained, DieRaised, GloryGained
from games.forgeborn.rules.setup.events import SmithsRevealed
from games.forgeborn.rules.state.dice import dice_of, number_of_dice
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import Step
from games.forgeborn.rules.turns.events import GameFinished
from tests import forms
from tests.balance import of_forgeborn
from tests.balance.frame import misses_in_one
from tests.playbook import Playbook, of_kind, state_from_log
from tests.rules.forgeborn.table import HOST

GAMES = int(os.environ.get("FORGEBORN_GAMES", "24"))
IN_THE_FRAME = 2
"""So many games are held to the bounds of a single one (`tests/balance`)."""
LONGEST = 4_000
"""Minutes in which a game is over."""


def state_of(number: int) -> Any:
    """The seats and options of game `number`: two to four bots; every fourth has a referee, who is a bot."""
    lot = Random(number)
    referee = number % 4 == 3
    chosen = ForgebornOptions(
        round_limit=60,
        referee="person" if referee else "none",
        drop=lot.choice(("service", "table")) if referee else "service",
        dragon_fixed=lot.choice((None, None, 12)),
    )
    game = UUID(int=0xF04E0000 + number)
    state = RULESET.new_state(game)
    state.info = GameInfo(id=game, ruleset="forgeborn", options=chosen.model_dump_json())
    state.seats[UUID(int=1)] = Seat(UUID(int=1), Role.HOST, "Host", user=UUID(int=1))
    if referee:
        state.seats[UUID(int=2)] = Seat(UUID(int=2), Role.GM, "Referee", bot="steady")
    for at in range(lot.randint(2, 4)):
        seat = UUID(int=100 + at)
        state.seats[seat] = Seat(seat, Role.PLAYER, f"Seat {at}", bot=lot.choice(("wild", "wild", "steady")))
        state.enter_seat(seat)
    return state


def game(number: int) -> Playbook:
    """A game of bots from the start to its end; what always holds is asked each minute."""
    book = Playbook(RULESET, state_of(number))
    book.when(Start(), by=HOST)
    for _ in range(LONGEST):
        book.wait(timedelta(minutes=1))
        assert violations(book.state) == []
        if book.state.course.step is Step.FINISHED:
            return book
    raise AssertionError(f"game {number} does not end: {book.state.course}")


def sound(number: int, book: Playbook) -> None:
    """Check one game."""
    state, events = book.state, [record.event for record in book.log]
    assert of_kind(events, BotPassed, TimerRefused) == []
    (end,) = of_kind(events, GameFinished)
    assert isinstance(end, GameFinished)
    assert end.winners and end.reason in ("dragon", "rounds")
    most = max(glory.vp for glory in end.glory)
    assert set(end.winners) == {glory.seat for glory in end.glory if glory.vp == most}
    assert not state.prompts and state.action() is None
    assert dump(state_from_log(book.log, state_of(number))) == dump(state)
    for artifact in state.artifacts.values():
        assert artifact.power == number_of_dice(artifact)
        assert (artifact.holder in state.characters) is not state.is_in_vault(artifact)
    dice_add_up(book)
    glory_adds_up(book)
    artifacts_add_up(book)
    if number < IN_THE_FRAME:
        assert misses_in_one(of_forgeborn.FACTS, book, state_of(number)) == []


def dice_add_up(book: Playbook) -> None:
    """Dice at the end are those at the start, with all gains and without all losses."""
    dice: Counter[tuple[UUID, int]] = Counter()
    for event in (record.event for record in book.log):
        match event:
            case SmithsRevealed():
                for smith in event.smiths:
                    dice.update((smith.character, size) for size in smith.dice)
            case HeroineRecruited():
                dice.update((event.character, size) for size in event.dice)
            case DieGained():
                dice[event.character, event.die] += 1
            case DieRaised():
                dice[event.character, event.old] -= 1
                dice[event.character, event.new] += 1
            case DiceLost():
                dice.subtract((event.character, size) for size in event.dice)
    assert min(dice.values()) >= 0
    held: Counter[tuple[UUID, int]] = Counter()
    for character in book.state.characters.values():
        held.update((character.id, size) for size in dice_of(character))
    assert +dice == held


def glory_adds_up(book: Playbook) -> None:
    """Every victory point is of an event."""
    points: Counter[UUID] = Counter()
    for event in of_kind([record.event for record in book.log], GloryGained):
        assert isinstance(event, GloryGained)
        points[event.seat] += event.amount
    assert {purse.seat: purse.vp for purse in book.state.purses.values() if purse.vp} == dict(+points)


def artifacts_add_up(book: Playbook) -> None:
    """Where an artifact is follows from the events that name it."""
    where: dict[UUID, UUID | None] = {}
    for event in (record.event for record in book.log):
        match event:
            case ArtifactMade():
                where[event.artifact] = None
            case ArtifactTaken() | ClaimUsed():
                where[event.artifact] = event.character
            case ArtifactHanded():
                where[event.artifact] = event.taker
    state = book.state
    assert where == {a.id: None if state.is_in_vault(a) else a.holder for a in state.artifacts.values()}


@pytest.mark.timeout(3600)
@pytest.mark.rule("FB-GM-6", "FB-END-1", "FB-DRG-2", "FB-TRN-6")
@pytest.mark.parametrize("number", forms.first(range(GAMES), 8))
def test_a_game_of_bots_ends_with_winners(number: int) -> None:
    sound(number, game(number))


def test_the_same_dice_play_the_same_game() -> None:
    first, second = game(5), game(5)
    assert [record.event for record in first.log] == [record.event for record in second.log]
