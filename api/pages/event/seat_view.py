"""What stands at a player's seat: the clock, what is asked of them, what they may do, what they know."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.utils import timezone

from api.pages.access import PageViewer
from api.pages.event.desk_view import Sight
from api.pages.event.panels import Button, Panels
from api.pages.forms.view import view_of
from api.pages.wording import text_of, words_of
from api.representations import maps
from games import registry
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.game_state import GameState
from games.engine.insight.event_pages import Action
from games.engine.insight.legal_commands import Enumerable, LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Issuer
from games.engine.lifecycle.leaving import LeaveSeat
from games.engine.prompts.sealed import ClientSealed
from games.engine.ruleset import Ruleset
from games.reads import selectors

LOWEST = "from {}"


@dataclass(frozen=True, slots=True)
class Act:
    """Something that the player may do: its button, what it costs, and how it would go."""

    button: Button
    price: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Barred:
    """Something that the player may not do now, and why."""

    title: str
    why: str


def seat_json(player: PageViewer) -> dict[str, Any]:
    """All of the page that moves: the context of its template."""
    sight = Sight.of(player)
    turns = turns_of(sight.rules)
    asked = (replace(each, answers=()) if each.row["kind"] in turns else each for each in sight.asked)
    return {
        **sight.as_json(asked),
        "seat": player.viewer.seat,
        "may_act": any(each["seat"] == player.seat and not each["must"] for each in sight.waiting),
        "has_map": has_map(player),
        "sight": sight_of(player),
    }


def has_map(player: PageViewer) -> bool:
    """Whether there is a map to look at: one that is drawn from the state may have nothing to show yet."""
    try:
        return maps.drawing_of(player.viewer.game).from_rows or bool(map_svg(player))
    except Refused:
        return False


def map_svg(player: PageViewer) -> bytes:
    """The map of now as the seat may see it, drawn once while nothing happens. Raises `map.missing`."""
    viewer = player.viewer
    moment = sha256(f"{viewer.game.pk} {player.seat} {sight_of(player)} {viewer.game.digest}".encode()).hexdigest()
    return maps.draw_once(f"seat-map:{moment}", lambda: maps.map_now(viewer.game, viewer.visibility).decode())


def sight_of(player: PageViewer) -> str:
    """By which a look at the game is known: what the seat may read of the log ends there."""
    viewer = player.viewer
    return selectors.cursor_for(viewer.game, viewer.visibility)


def may_json(player: PageViewer) -> dict[str, Any]:
    """What the player may do now: the context of its template."""
    rules = registry.ruleset(player.viewer.game.ruleset)
    seen, stage = view_of(player)
    panels = Panels(player, timezone.now(), {}, stage=stage)
    own, table_acts, barred = acts_of(player, seen, rules, panels)
    return {
        "game": player.viewer.game,
        "place": player.place,
        "acts": own,
        "table_acts": table_acts,
        "barred": barred,
        "sight": sight_of(player),
    }


def acts_of(
    player: PageViewer, seen: GameState, rules: Ruleset, panels: Panels
) -> tuple[list[Act], list[Act], list[Barred]]:
    """What the player may do in the game, what about the table, and what they may not do now.

    What answers a question that is open to them stands with the question.
    """
    own: list[Act] = []
    about_the_table: list[Act] = []
    barred: list[Barred] = []
    asked = set(answering(seen, player, turns_of(rules)))
    for name, kind in rules.open_commands.items():
        if Issuer.SEAT not in kind.issuers or name in asked or issubclass(kind, ClientSealed):
            continue
        if issubclass(kind, Enumerable):
            found = legal_commands_for(seen, [kind], player.own_actor, LegalCommandFilter(name))
        else:  # it cannot say what it would accept now
            found = [LegalCommand(name)]
        legal = [each for each in found if each.legal]
        of_the_game = kind in rules.own.commands and not issubclass(kind, LeaveSeat)
        if legal:
            (own if of_the_game else about_the_table).append(act_of(panels, name, legal))
        elif of_the_game and (why := next((each.barred for each in found if each.barred), None)) is not None:
            barred.append(Barred(words_of(name), text_of(why.message, rules.open_commands)))
    return own, about_the_table, barred


def answering(seen: GameState, player: PageViewer, turns: Collection[str]) -> Iterator[str]:
    """The commands that answer a question which is open to the player, those of a turn aside."""
    seat = player.seat
    for prompt in seen.prompts.values():
        if seat is not None and reader(seat) in prompt.owners and prompt.kind not in turns:
            yield from prompt.answered_by


def turns_of(rules: Ruleset) -> frozenset[str]:
    """The questions that others interrupt: what may be done in a turn stands under what the player may do."""
    return frozenset(row.inside for row in rules.course.questions.values()) - {""}


def act_of(panels: Panels, command: str, legal: Sequence[LegalCommand]) -> Act:
    """What may be done by one command: the lowest price, and what is said of it where there is one way alone."""
    prices = sorted({each.price for each in legal if each.price is not None})
    price = "" if not prices else str(prices[0]) if len(prices) == 1 else LOWEST.format(prices[0])
    note = text_of(legal[0].note, panels.commands) if len(legal) == 1 else ""
    return Act(panels.button(Action(command, asks=True)), price, note)
