"""The map beside a desk or a seat: as its viewer sees it, and what they may do with what they touch there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from api.common.exceptions import Fault
from api.common.plain_json import plain
from api.pages.access import PageViewer
from api.pages.event.odds import Odds, odds_of
from api.pages.event.panels import Button, Panels
from api.pages.event.screen import picture
from api.pages.forms.commands import form_in
from api.pages.forms.filling import values_at
from api.pages.forms.marks import SQUARE, Mark
from api.pages.forms.view import view_of
from api.pages.policy import page
from api.representations import maps
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import GameState
from games.engine.insight.event_pages import Action
from games.engine.insight.legal_commands import Enumerable, LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Command
from games.engine.ruleset import Ruleset
from games.models import Game
from games.reads import selectors
from games.storage.drawing import Drawing
from worlds.visibility import Visibility

MAX_MARKS = 8
"""So many things are touched at once, at most."""
LOWEST = "from {}"
SHEET, WALL = "sheet", "wall"
FORMS: Mapping[str, Callable[[Game, Visibility], bytes]] = {SHEET: maps.map_now, WALL: maps.wall_map_for}
"""How a map is drawn."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that may be done: its button, what it costs, and how it would go."""

    button: Button
    price: str = ""
    odds: Odds = ()


def sight_of(viewer: PageViewer) -> str:
    """By which a look at the game is known: what may be read of the log ends there."""
    return selectors.cursor_for(viewer.viewer.game, viewer.viewer.visibility)


def has_map(game: Game, seen: GameState) -> bool:
    """Whether there is a map to look at: one that is drawn from the state may have nothing to show yet.

    seen: the state as its viewer may see it.
    """
    drawing: Drawing = registry.store(game.ruleset).drawing
    return drawing.is_drawable(game) and (drawing.from_rows or drawing.shows(seen))


def map_svg(viewer: PageViewer, form: str = SHEET) -> bytes:
    """The map of now as somebody may see it, drawn once while nothing happens. Raises `map.missing`.

    form: the sheet with heading and legend, or as for a wall, whose letters a small display shows larger.
    """
    game, draw = viewer.viewer.game, FORMS[form]
    moment = f"{game.pk} {viewer.role} {viewer.own_actor.seat} {sight_of(viewer)} {game.digest} {form}"
    key = sha256(moment.encode()).hexdigest()
    return maps.draw_once(f"page-map:{key}", lambda: draw(game, viewer.viewer.visibility).decode())


def answer_map(request: HttpRequest, viewer: PageViewer) -> HttpResponse:
    """That map as an answer, in which nothing can be run. Raises Http404 while there is none."""
    try:
        return picture(map_svg(viewer, WALL if "wall" in request.GET else SHEET))
    except Refused as none:
        raise Http404(none.message) from none


def abouts_of(seen: GameState, subject: UUID | None) -> tuple[str, ...]:
    """What is outlined on the map for a question about something: it, the things that it names, the square it is on.

    seen: the state as its viewer may see it; of what is not there only its own id is given.
    """
    if subject is None:
        return ()
    found: dict[str, None] = {f":{subject}": None}
    for table in seen.tables:
        row = getattr(seen, table).get(subject)
        if row is None or not is_dataclass(row):
            continue
        values = {each.name: getattr(row, each.name) for each in fields(row)}
        found |= {f":{value}": None for value in values.values() if isinstance(value, UUID)}
        if all(type(values.get(axis)) is int for axis in "xy"):
            found[f"{SQUARE}:{values['x']},{values['y']}"] = None
    return tuple(found)


def marks_in(request: HttpRequest) -> list[Mark]:
    """What is touched, as the address says. Raises Fault (query.invalid)."""
    try:
        return [Mark.of(text) for text in request.GET.getlist("mark")[:MAX_MARKS]]
    except ValueError as wrong:
        raise Fault("query.invalid", "`mark` is a kind and an id, with a colon between.", parameter="mark") from wrong


def answer_at(request: HttpRequest, viewer: PageViewer) -> HttpResponse:
    """What may be done with what is touched, each with a form that begins with it. Raises Fault (query.invalid)."""
    marks = marks_in(request)
    seen, stage = view_of(viewer)
    panels = Panels(viewer, timezone.now(), {}, stage=stage)
    context = {"place": viewer.place, "acts": list(acts_at(seen, viewer, panels, marks))}
    return page(request, "at", context)


def acts_at(seen: GameState, viewer: PageViewer, panels: Panels, marks: Sequence[Mark]) -> Iterator[Act]:
    """The commands of the game of which a field takes what is touched."""
    rules = registry.ruleset(viewer.viewer.game.ruleset)
    answers = answering(seen, rules)
    for kind in rules.own.commands if marks else ():
        if kind.slug() in answers or not panels.is_ours(kind.slug()):
            continue
        form = form_in(seen, rules, kind, viewer.own_actor, {}, {})
        values = values_at(form.fields, marks) if form.barred is None else {}
        if values:
            found = ways_of(seen, kind, viewer)
            about = [each for each in found if each.legal and _names(each, values)]
            yield act_of(seen, panels, kind, about or [each for each in found if each.legal], values)


def answering(seen: GameState, rules: Ruleset) -> frozenset[str]:
    """The commands that answer an open question, but for those of a turn: they stand with their question."""
    turns = turns_of(rules)
    return frozenset(name for each in seen.prompts.values() if each.kind not in turns for name in each.answered_by)


def turns_of(rules: Ruleset) -> frozenset[str]:
    """The questions that others interrupt: what may be done in a turn stands under what the player may do."""
    return frozenset(row.inside for row in rules.course.questions.values()) - {""}


def ways_of(seen: GameState, kind: type[Command], viewer: PageViewer) -> list[LegalCommand]:
    """The legal commands of one kind, and why others are barred; one without arguments where it cannot say."""
    if not issubclass(kind, Enumerable):
        return [LegalCommand(kind.slug())]
    return legal_commands_for(seen, [kind], viewer.own_actor, LegalCommandFilter(kind.slug()))


def _names(legal: LegalCommand, values: dict[str, Any]) -> bool:
    """Whether a legal command lists each of these values, as far as it lists any for their arguments."""
    return all(plain(value) in map(plain, legal.choices(name) or (value,)) for name, value in values.items())


def act_of(
    seen: GameState,
    panels: Panels,
    kind: type[Command],
    legal: Sequence[LegalCommand],
    begun: dict[str, Any] | None = None,
) -> Act:
    """What may be done by one command: the lowest price, and how it would go. begun: what its form begins with."""
    prices = sorted({each.price for each in legal if each.price is not None})
    price = "" if not prices else str(prices[0]) if len(prices) == 1 else LOWEST.format(prices[0])
    button = panels.button(Action(kind.slug(), asks=True), begun=begun)
    return Act(button, price, odds_of(seen, panels.game, panels.leader.own_actor, kind, legal))
