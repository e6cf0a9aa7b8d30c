"""What stands at a player's seat: the clock, what is asked of them, what they may do, what they know."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from api.pages.access import PageViewer
from api.pages.event.board import Act, act_of, sight_of, turns_of, ways_of
from api.pages.event.desk_view import Sight
from api.pages.event.faces import faces_of
from api.pages.event.panels import Panels
from api.pages.forms.view import view_of
from api.pages.wording import text_of, words_of
from games import registry
from games.engine.audience import reader
from games.engine.game_state import GameState
from games.engine.insight.event_pages import FaceKind
from games.engine.kernel import Issuer
from games.engine.lifecycle.leaving import LeaveSeat
from games.engine.prompts.sealed import ClientSealed
from games.engine.ruleset import Ruleset


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
    held = sight.rules.pages.holdings(sight.seen, player.seat) if player.seat is not None else {}
    return {
        **sight.as_json(asked),
        "seat": player.viewer.seat,
        "faces": faces_of(player.viewer.game, sight.seen),
        **self_json(sight, player.seat),
        "first_held": next(iter(held.items()), None),
        "holdings": dict(list(held.items())[1:]),
        "stand_in": stand_in(player),
        "may_act": any(each["seat"] == player.seat and not each["must"] for each in sight.waiting),
    }


def stand_in(player: PageViewer) -> dict[str, Any] | None:
    """What the button needs by which somebody takes their seat over from the bot that stands in; None without one."""
    seat = player.viewer.seat
    if seat is None or not seat.bot or seat.user_id is None:
        return None
    return {"seat": str(seat.pk), "user": str(seat.user_id), "key": uuid4().hex, "is_claimable": seat.is_claimable}


def self_json(sight: Sight, seat: UUID | None) -> dict[str, str]:
    """Who somebody is in the game, and what they stand for: who has the emblem of their seat, else the seat itself."""
    face = next((face for face in sight.rules.pages.faces(sight.seen) if face.key == seat), None)
    if face is None:
        return {"self": sight.names.get(seat, "") if seat is not None else "", "trait": ""}
    of = "god of " if face.kind is FaceKind.GOD else ""
    return {"self": face.name, "trait": f"{of}{face.trait}" if face.trait else ""}


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
    asked = set(asked_of(seen, player, turns_of(rules)))
    for name, kind in rules.open_commands.items():
        if Issuer.SEAT not in kind.issuers or name in asked or issubclass(kind, ClientSealed):
            continue
        found = ways_of(seen, kind, player)
        legal = [each for each in found if each.legal]
        of_the_game = kind in rules.own.commands and not issubclass(kind, LeaveSeat)
        if legal:
            (own if of_the_game else about_the_table).append(act_of(seen, panels, kind, legal))
        elif of_the_game and (why := next((each.barred for each in found if each.barred), None)) is not None:
            barred.append(Barred(words_of(name), text_of(why.message, rules.open_commands)))
    return own, about_the_table, barred


def asked_of(seen: GameState, player: PageViewer, turns: Collection[str]) -> Iterator[str]:
    """The commands that answer a question which is open to the player, those of a turn aside."""
    seat = player.seat
    for prompt in seen.prompts.values():
        if seat is not None and reader(seat) in prompt.owners and prompt.kind not in turns:
            yield from prompt.answered_by
