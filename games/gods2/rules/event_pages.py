"""What the pages of a live event show of The Gods II: the Window's queue, wars, previews, the worksheet, tasks.

Each takes the state as its viewer may see it. What a war would do is worked out from that alone, so a stranger's
screen shows the odds that a stranger can work out.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from games.engine.audience import GM_READER
from games.engine.insight.event_pages import (
    Accent,
    Action,
    Countdown,
    EventPages,
    Holdings,
    Line,
    Panel,
)
from games.engine.wording import listing, phrase, quantity
from games.gods2.rules.calendar.events import GameFinished
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.chronicle import STORY
from games.gods2.rules.declarations.events import name_of, waiting
from games.gods2.rules.gm_desk.commands import SettleManualTask
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.growth.events import KIND as GROWTH
from games.gods2.rules.growth.preview_commands import PlaceGrowth
from games.gods2.rules.growth.rules import growth_of
from games.gods2.rules.show_view import HEADLINES, contests, faces, forecast_of, highlights, sides_of, standings
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.names import line_name
from games.gods2.rules.state.records import ACTIVE, Phase, War
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import held_units, moves, places
from games.gods2.rules.war.battle import outcome
from games.gods2.rules.war.combined_commands import CombineWars
from games.gods2.rules.war.forecast import plan_of
from games.gods2.rules.war.preview import pairs_of
from games.gods2.rules.war.preview_commands import SetCasualties
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar, SetDiplomacy
from games.gods2.rules.window.commands import CallNumber
from games.gods2.rules.window.queue import next_waiting

HUNDREDTHS = 100
"""Of a percent are shares."""
HELD_SECONDS = 60
"""How long a war is held by one press of its button."""


def desk(state: State) -> Iterator[Panel]:
    """The panels of the desk: queue, wars, worksheet, tasks, modifications."""
    yield _queue(state)
    yield _wars(state)
    yield _worksheet(state)
    yield _tasks(state)
    yield _modifications(state)


def _queue(state: State) -> Panel:
    """The numbers at the Window (G2-QUEUE-1 to 3), with who holds them."""
    ordered = sorted(state.numbers.values(), key=lambda n: (n.number != state.era.called, n.place, n.number))
    lines = tuple(
        Line(
            (
                number.number,
                state.gods[holder.seat].name if (holder := state.holders.get(number.number)) else "somebody",
                "at the Window" if number.number == state.era.called else "waits",
                quantity(number.misses, "miss", "misses") if number.misses else "",
            ),
            _calls(state, number.number),
        )
        for number in ordered
    )
    following = next_waiting(state) if state.era.phase in ACTIVE else None
    label = f"{'Serve' if state.era.called is not None else 'Call'} the next: {following}"
    actions = (Action(CallNumber.slug(), {"number": following}, label),) if following is not None else ()
    empty = "Nobody waits at the Window." if state.era.phase in ACTIVE else ""
    return Panel("queue", "At the Window", ("Number", "God", "Where", "Misses"), lines, actions, empty)


def _calls(state: State, number: int) -> tuple[Action, ...]:
    """What calls a number out of its turn; nothing for the one that stands there."""
    return () if number == state.era.called else (Action(CallNumber.slug(), {"number": number}, "Call"),)


def _wars(state: State) -> Panel:
    """Wars that are still to be fought: when, with what odds (G2-WAR-2, G2-AGG-6)."""
    found = sorted(waiting(state), key=lambda war: (war.due is None, war.due, war.number))
    lines = tuple(
        Line(
            (name_of(state, war.id), sides_of(state, war), _odds(state, war), Countdown(war.due)),
            (
                Action(FightWarNow.slug(), {"war": war.id}, "Fight now"),
                Action(HoldWar.slug(), {"war": war.id, "seconds": HELD_SECONDS}, "Hold 1 min"),
                Action(SetDiplomacy.slug(), {"war": war.id}, "Diplomacy"),
            ),
        )
        for war in found
    )
    actions = (Action(CombineWars.slug(), {}, "Combine", asks=True),) if len(found) > 1 else ()
    return Panel("wars", "Wars", ("War", "Sides", "If it were fought now", "Fought in"), lines, actions)


def what_units_do(count: int, one: str, several: str) -> str:
    """What so many units do: `1 unit dies`, `2 units die`."""
    return f"{quantity(count, 'unit')} {one if count == 1 else several}"


def _odds(state: State, war: War) -> str:
    """How a war would end now, before any diplomacy."""
    expected = forecast_of(state, war)
    numbers = " : ".join(f"{side.percent}%, {side.losses} lost" for side in (expected.attacker, expected.defender))
    loser = f"{state.races[expected.loser].name} lose" if expected.loser is not None else "nobody loses"
    return f"{numbers}; {loser}"


def _worksheet(state: State) -> Panel:
    """The counts of the century while mana is reckoned for them (G2-CALC-1, 2)."""
    reckons = state.era.phase is Phase.RECKONING
    lines = tuple(
        Line(
            (line_name(state, f"{line.kind}:{line.key}"), line.count),
            (
                Action(
                    CorrectWorksheet.slug(),
                    {"line": f"{line.kind}:{line.key}"},
                    "Correct",
                    initial={"count": line.count},
                ),
            ),
        )
        for line in sorted(state.lines.values(), key=lambda line: (line.kind, line.key))
        if reckons
    )
    actions = (Action(ApproveWorksheet.slug(), {}, "Approve the worksheet"),) if reckons else ()
    return Panel("worksheet", "Worksheet", ("Line", "Count"), lines, actions)


def _tasks(state: State) -> Panel:
    """What a game-master does by hand for a casting (MISC-1)."""
    lines = tuple(
        Line(
            (task.words,),
            (
                Action(SettleManualTask.slug(), {"task": task.id, "done": True}, "Done", asks=True),
                Action(SettleManualTask.slug(), {"task": task.id, "done": False}, "Refund", asks=True),
            ),
        )
        for task in sorted(state.tasks.values(), key=lambda task: task.id)
    )
    return Panel("tasks", "Tasks by hand", ("What is to be done",), lines)


def _modifications(state: State) -> Panel:
    """Powers that go on working (G2-MOD-1 to 5), in the order in which they fire."""
    lines = tuple(
        Line(
            (
                state.name_of(found.power) or found.power,
                state.races[found.race].name,
                found.status.value,
                f"until century {found.until}" if found.until is not None else "",
            )
        )
        for found in sorted(state.modifications.values(), key=lambda m: m.place)
    )
    return Panel("modifications", "Modifications in force", ("Power", "Race", "Status", "Ends"), lines)


def exhibits(state: State) -> Mapping[UUID, Panel]:
    """What the open questions show: a preview what would happen (G2-GROW-10, G2-WAR-8), one about a war its odds.

    The form of a preview begins as the rules would have it.
    """
    open_wars = {war.id: war for war in waiting(state)}
    wars = {
        prompt.id: _odds_panel(state, open_wars[prompt.subject])
        for prompt in state.prompts.values()
        if prompt.subject in open_wars and GM_READER in prompt.owners
    }
    previews = {
        prompt: _growth(state, preview) if preview.kind == GROWTH else _losses(state, preview)
        for prompt, preview in state.previews.items()
    }
    return {**wars, **previews}


def _odds_panel(state: State, war: War) -> Panel:
    """How a war would end now, a line for each side (G2-WAR-2, G2-AGG-6)."""
    expected = forecast_of(state, war)
    lines = tuple(
        Line(
            (
                state.races[side.race].name,
                side.strength,
                f"{side.percent}%",
                quantity(side.losses, "unit"),
                "loses the war" if side.race == expected.loser else "",
            )
        )
        for side in (expected.attacker, expected.defender)
    )
    return Panel(f"war-{war.id}", "If it were fought now", ("Side", "Strength", "Kills", "Loses", "Outcome"), lines)


def _growth(state: State, preview: Preview) -> Panel:
    """Where a race would stand after its growth."""
    growth = growth_of(state, preview.subject)
    before, placed = growth.ground.units, held_units(growth.after)
    lines = tuple(
        Line((f"{held.square.x}, {held.square.y}", before.get(held.square.square, 0), held.units))
        for held in placed
        if before.get(held.square.square, 0) != held.units
    )
    initial = {"placed": [held.model_dump(mode="json") for held in placed]}
    actions = _answers(preview, PlaceGrowth.slug(), initial)
    return Panel(f"preview-{preview.id}", "Squares that change", ("Square", "Now", "Then"), lines, actions)


def _losses(state: State, preview: Preview) -> Panel:
    """Who would die where in a war, what would be vacated, who would go where."""
    pair = pairs_of(preview)[0]
    plan = plan_of(state, outcome(state, pair.attacker, pair.defender))
    lost = [(race, held) for race, dead in plan.dead.items() for held in held_units(dead)]
    ways = (*moves(plan.ways), *moves(plan.taking))
    lines = [
        Line((state.races[race].name, f"{held.square.x}, {held.square.y}", what_units_do(held.units, "dies", "die")))
        for race, held in lost
    ]
    loser = plan.expected.loser
    name = state.races[loser].name if loser is not None else ""
    lines += [Line((name, f"{place.x}, {place.y}", "is vacated")) for place in places(plan.gone)]
    for way in ways:
        target = f"{way.to_square.x}, {way.to_square.y}"
        lines.append(
            Line(
                (
                    "",
                    f"{way.from_square.x}, {way.from_square.y}",
                    f"{what_units_do(way.units, 'goes', 'go')} to {target}",
                )
            )
        )
    initial = {
        "losses": [held.model_dump(mode="json") for _, held in lost],
        "squares": [place.model_dump(mode="json") for place in places(plan.gone)],
        "moves": [way.model_dump(mode="json") for way in ways],
    }
    actions = _answers(preview, SetCasualties.slug(), initial)
    return Panel(f"preview-{preview.id}", "By the rules", ("Race", "Square", "What"), tuple(lines), actions)


def _answers(preview: Preview, otherwise: str, initial: Mapping[str, Any]) -> tuple[Action, ...]:
    """Accept a preview, or change it in a form."""
    about = {"prompt": preview.id}
    changing = Action(otherwise, about, "Place otherwise", asks=True, initial=initial)
    return Action(AcceptPreview.slug(), about, "Accept"), changing


def holdings(state: State, seat: UUID) -> Holdings:
    """A god's mana and cards, as far as they may be known, and the shares that they hold of races."""
    purse, found = state.purses.get(seat), dict[str, str | int]()
    if purse is not None:
        found["Mana"] = purse.balance
    cards = sorted((card.sphere, card.count) for card in state.cards.values() if card.seat == seat and card.count)
    if cards:
        found["Cards"] = listing(f"{count} {state.name_of(sphere) or phrase(sphere)}" for sphere, count in cards)
    shares = sorted((race.name, state.pantheon(race.id).get(str(seat), 0)) for race in state.living())
    if held := [f"{name} {share // HUNDREDTHS}%" for name, share in shares if share]:
        found["Pantheons"] = listing(held)
    return found


PAGES: EventPages[State] = EventPages(
    holdings=holdings,
    desk=desk,
    exhibits=exhibits,
    standings=standings,
    contests=contests,
    faces=faces,
    highlights=highlights,
    story=STORY,
    headlines=HEADLINES,
    finished_by=(GameFinished,),
    accent=Accent("#1f4f8f", "#9cc4ff"),
    main_chart="population",
)
