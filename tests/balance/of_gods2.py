"""The Gods II in the frame: the sixteen centuries of the demo's Earth, every god a bot."""

from collections.abc import Iterator
from typing import Any

from games.engine.game_state import Role
from games.engine.kernel import Event
from games.gods2.pack import pack_files
from games.gods2.rules import RULESET
from games.gods2.rules.bots.options import strikes_everybody
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.state.records import WHOLE
from games.gods2.rules.war.events import WarFought
from tests.balance.frame import Bound, Facts, Standing
from tests.playbook import Playbook
from tests.rules.gods2.era import fresh
from tests.rules.gods2.test_whole_game import FOR_PEOPLE, THIRTY, whole_game


def play(number: int) -> tuple[Playbook, Any]:
    """A whole game: one of those of `test_whole_game.py`."""
    book = whole_game(THIRTY[number]).book
    names = {seat.id: seat.name for seat in book.state.seats_of(Role.PLAYER)}
    return book, fresh(names, bots="god", game=book.state.info.id)


def worshippers(state: Any) -> Standing:
    """The units that worship each god: a share of every race."""
    found = {str(god): 0.0 for god in state.gods}
    for race in state.living():
        units = state.board.units_of(race.id)
        for member, share in state.pantheon(race.id).items():
            if member in found:
                found[member] += units * share / WHOLE
    return found


def powers(event: Event) -> Iterator[str]:
    """What is cast."""
    if isinstance(event, PowerCast):
        yield f"power {event.power}"


PACKS = pack_files()
POWERS = [power for power in PACKS[max(PACKS)].powers.values() if power.kind == "history"]
"""The powers of the newest pack that gods cast."""
FACTS = Facts(
    ruleset=RULESET,
    word="century",
    play=play,
    opened_by=(CenturyOpened,),
    changes=(WarFought, KnowledgeLearned, CityFounded, RaceDestroyed, PantheonChanged, PowerCast),
    ahead="units that worship a god",
    standing=worshippers,
    powers=powers,
    every_power=[f"power {power.id}" for power in POWERS],
    unused={
        **dict.fromkeys(
            (
                "accept-preview", "approve-worksheet", "call-number", "choose-city-site", "combine-wars",
                "correct-worksheet", "fight-war-now", "grant-power", "hold-war", "mark-absent", "mark-god",
                "move-pack", "place-growth", "plan-sessions", "record-law", "set-cards", "set-casualties",
                "set-diplomacy", "set-growth-order", "set-war-split", "settle-manual-task", "start-second-creation",
            ),
            "of the game-master's desk: these games run by themselves",
        ),
        **dict.fromkeys(
            ("draw-number", "leave-queue"),
            "bots cast as they think of it; the queue of numbers is for people at a table",
        ),
        "choose-effect": "no power of these packs leaves a choice; asked by another pack's, a bot answers",
        **{
            f"power {power.id}": "it strikes the whole Earth: for people, and for gods in their last corner (ADR 72)"
            for power in POWERS
            if strikes_everybody(power)
        },
        **{f"power {name}": "the time at the table is for people" for name in FOR_PEOPLE},
    },
    seldom={"pass-number": "a bot whose partner refuses mostly has another use for its number"},
    bounds={
        "shortest": Bound(least=16),
        "longest": Bound(most=16),
        "spread": Bound(least=25),
        "comebacks": Bound(most=70),
        "idle": Bound(most=15),
    },
    in_one="its one whole game in a run of the suite is held to the bounds of `test_whole_game.py`",
)  # fmt: skip
