"""Golden game: a live evening. The GM combines two wars, goes back, corrects a worksheet and a purse, and pauses."""

import json
from collections.abc import Callable

import pytest

from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.century.worksheet_events import CenturyClosed, WorksheetCorrected
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.records import DiplomacyPolicy, Phase
from games.gods2.rules.state.value_types import StrengthOf
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.combined_commands import CombineWars, SetWarSplit
from games.gods2.rules.war.events import SquaresVacated, WarFought
from games.gods2.rules.war.schedule_commands import FightWarNow, SetDiplomacy
from games.models import LoggedEvent
from tests.games.moments import rewind_to
from tests.golden.stage import Story
from tests.playbook import event_like, of_kind


def war_sides(events: list[object]) -> list[list[tuple[int, int]]]:
    """Strength and losses of both sides of each war, the attacker first."""
    return [[(side.strength, side.losses) for side in e.sides] for e in of_kind(events, WarFought)]


@pytest.mark.rule("G2-WAR-15", "G2-WAR-16", "G2-WAR-17", "G2-AMB-15", "G2-DIP-2", "G2-CALC-2", "G2-TIME-5", "G2-LOG-1")
def test_the_game_master_leads_an_evening(story: Callable[..., Story]) -> None:
    game = story()
    game.earth(*["P" * 12] * 3)
    game.god("Ares", WA=3)
    game.god("Mitra", WA=2)
    tribe = {"knows": ["tribal_law"]}
    game.race("Greeks", {(1, x): 3 for x in range(4)}, worships={"Ares": 100}, **tribe)
    scythia = {(1, x): 3 for x in range(4, 8)} | {(0, x): 2 for x in range(4, 8)}
    game.race("Scythians", scythia, worships={"atheism": 100}, **tribe)
    game.race("Persians", {(1, x): 2 for x in range(8, 12)}, worships={"Mitra": 100}, **tribe)
    # Century 1: 12 + 3 Greeks, 20 + 5 Scythians, 8 + 2 Persians; 1 + 2 makes nobody angry.
    quiet = [("d6 G2-AGG-3", 1)] * 3
    game.begins(("d3 G2-GROW-1", 1), ("d2 G2-GROW-1", 1), *quiet)
    greeks, scythians, persians = (game.races[name] for name in ("Greeks", "Scythians", "Persians"))
    board = game.state.board
    assert [board.units_of(race) for race in (greeks, scythians, persians)] == [15, 25, 10]

    # Both neighbours attack the Scythians within five minutes; the GM makes one war of it. In a combined war the
    # Persians alone would fear their losses (2 of 10); the GM lets them refrain.
    game.wait(1)
    game.by("Ares", DeclareWar(attacker=greeks, defender=scythians))
    game.wait(1)
    game.by("Mitra", DeclareWar(attacker=persians, defender=scythians))
    first, second = (w.id for w in sorted(game.state.wars.values(), key=lambda w: w.number))
    group = game.by_gm(CombineWars(wars=(first, second), text="The steppe is everybody's"))[0].group
    game.by_gm(SetDiplomacy(war=second, race=persians, policy=DiplomacyPolicy.REFRAIN))
    moment = game.fresh().seq

    # Nobody is stronger: 10% on all sides. 25 Scythians are 13 for the first declared and 12. Each enemy uses all it
    # has: 1.3 -> 2 Greeks and 1.5 -> 2 Scythians die, 1.2 -> 2 Persians and 1.0 -> 1 Scythian. 2 to 1 is lost, but half
    # of the difference is no square.
    events = game.by_gm(FightWarNow(war=first))
    assert war_sides(events) == [[(15, 2), (13, 2)], [(10, 2), (12, 1)]]
    assert [e.race for e in of_kind(events, WarFought)] == [None, persians]
    assert not of_kind(events, SquaresVacated)
    assert sum(e.units for e in of_kind(events, UnitsDied)) == 7

    # "They stood against the Greeks with 15!" The GM goes back to before the war, sets the split, and it is fought
    # again: 1.5 -> 2 Greeks, 2 Scythians; 1.0 -> 1 Persian, 1 Scythian. What fell away stays in the log, marked.
    game.by_gm(rewind_to(game.game.pk, moment, "The split was forgotten"))
    assert [game.state.board.units_of(race) for race in (greeks, scythians, persians)] == [15, 25, 10]
    assert LoggedEvent.objects.filter(game=game.game, fallen__isnull=False, type="WarFought").count() == 2
    game.by_gm(
        SetWarSplit(
            group=group, strengths=(StrengthOf(race=greeks, strength=15), StrengthOf(race=persians, strength=10))
        )
    )
    events = game.by_gm(FightWarNow(war=first))
    assert war_sides(events) == [[(15, 2), (15, 2)], [(10, 1), (10, 1)]]
    assert [game.state.board.units_of(race) for race in (greeks, scythians, persians)] == [13, 22, 9]

    # The Activity Phase is over. A Greek drowned on the way: the GM corrects the worksheet from 6 dead to 7.
    game.until(25)
    assert game.state.era.phase is Phase.RECKONING
    corrected = game.by_gm(CorrectWorksheet(line="box:war", count=7, text="One fell into the river"))
    assert of_kind(corrected, WorksheetCorrected) == [event_like(WorksheetCorrected, line="box:war", before=6, count=7)]
    # Ares (3 cards): 13 worshippers x 0.15 = 1.95, seven dead x 0.3 = 2.1, two wars x 0.9 = 1.8: 5.85. Mitra (2 cards):
    # 9 x 0.1 = 0.9, 7 x 0.2 = 1.4, 2 x 0.6 = 1.2: 3.5.
    approved = game.by_gm(ApproveWorksheet())
    assert {(e.seat, str(e.earned), e.amount, str(e.carried)) for e in of_kind(approved, ManaPaid)} == {
        (game.seats["Ares"], "5.85", 5, "0.85"),
        (game.seats["Mitra"], "3.5", 3, "0.5"),
    }
    assert [(e.summary.deaths, e.summary.wars) for e in of_kind(approved, CenturyClosed)] == [(7, 2)]
    assert game.mana() == {"Ares": 20 - 6 + 5, "Mitra": 20 - 6 + 3}

    # A prize was forgotten; that is corrected with a reason, by a new event.
    prize = FieldChange(field="balance", value=json.dumps(22))
    row = str(game.seats["Ares"])
    game.by_gm(Amend(changes=(Change(deed=Deed.ALTER, table="purses", row=row, fields=(prize,)),), reason="The prize"))
    assert game.mana()["Ares"] == 22

    # A pause of ten minutes: the century ends ten minutes later.
    game.until(27)
    game.by_gm(Pause(reason="Soup"))
    game.wait(10)
    game.by_gm(Resume())
    game.until(39.9)
    assert (game.state.era.phase, game.state.era.century) == (Phase.CLOSED, 1)
    game.until(40)
    game.dice(("d3 G2-GROW-1", 1), ("d2 G2-GROW-1", 1), *quiet)
    assert (game.state.era.phase, game.state.era.century) == (Phase.OPEN, 2)
    # 13 and ceil(3.25) = 4, 22 and ceil(5.5) = 6, 9 and ceil(2.25) = 3.
    assert [game.state.board.units_of(race) for race in (greeks, scythians, persians)] == [17, 28, 12]
    game.assert_transcript("event")
