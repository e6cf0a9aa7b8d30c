"""What the pages of a live event show of Dawn of Worlds: auctions, wars, powers under way, gods by their points."""

from collections import Counter
from collections.abc import Iterator, Mapping
from uuid import UUID

from games.dawn.rules.avatars.events import AvatarCreated
from games.dawn.rules.chronicle import STORY
from games.dawn.rules.command.events import CityFounded, TerritorySettled
from games.dawn.rules.command.safety import end_in_words
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.races.events import RaceCreated, SubraceCreated
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.records import City, Conflict, War
from games.dawn.rules.state.schema_types import Asked, Place, WonderKind
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.events import GameFinished
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.war.events import WarDeclared, WarEnded
from games.dawn.rules.war.forecast import odds_table
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, WonderWorked
from games.engine.economy.auction import OPENER
from games.engine.errors import Refused
from games.engine.insight.event_pages import (
    Accent,
    Contest,
    ContestSide,
    EventPages,
    Face,
    FaceKind,
    Highlight,
    HighlightKind,
    Holdings,
    Line,
    Panel,
)
from games.engine.insight.forecast import percent
from games.engine.kernel import Event
from games.engine.wording import listing, quantity


def desk(state: State) -> Iterator[Panel]:
    """The panels of the desk: turns, auctions, wars, powers under way, cities that are saved."""
    yield _turns(state)
    yield _auctions(state)
    yield _wars(state)
    yield _powers(state)
    yield _saved_cities(state)


def _name(state: State, god: UUID) -> str:
    return state.gods[god].name if god in state.gods else state.seats[god].name


def _turns(state: State) -> Panel:
    """The order of the round (DW-TRN-1)."""
    course = state.course
    lines = tuple(
        Line((_name(state, god), state.balance(god), _stand(state, god))) for god in state.present(course.order)
    )
    return Panel("turns", "The round", ("God", "Free points", "Turn"), lines)


def _stand(state: State, god: UUID) -> str:
    if god == state.course.active:
        return "acts"
    return "has acted" if god in state.course.acted else ""


def _auctions(state: State) -> Panel:
    """Open Divine Conflicts (DW-DC-1 to 5)."""
    lines = tuple(
        Line(
            (
                conflict.text or state.title(conflict.about),
                f"{_name(state, conflict.invoker)}: {conflict.paid_invoker}",
                f"{_name(state, conflict.challenger)}: {conflict.paid_challenger}",
                _name(state, _bidder(conflict)),
            )
        )
        for conflict in state.conflicts.values()
    )
    return Panel("auctions", "Divine Conflicts", ("About", "Invoker", "Challenger", "To bid"), lines)


def _bidder(conflict: Conflict) -> UUID:
    return conflict.invoker if conflict.to_act == OPENER else conflict.challenger


def _wars(state: State) -> Panel:
    """Wars that are being fought (DW-WAR-1)."""
    lines = tuple(
        Line((_name(state, war.attacker), _target(state, war), war.battle, len(war.armies)))
        for war in state.wars.values()
    )
    return Panel("wars", "Wars", ("Attacker", "Attacked", "Battle", "Armies left"), lines)


def _target(state: State, war: War) -> str:
    return state.title(war.city or war.avatar) or f"{war.x}, {war.y}"


def exhibits(state: State) -> Mapping[UUID, Panel]:
    """What a question of what to commit to a battle shows: how likely the attacker is to win (DW-WAR-5)."""
    asked = [p for p in state.prompts.values() if p.kind == Asked.COMMIT and p.subject in state.wars]
    found = ((prompt.id, _odds(state, state.wars[prompt.subject])) for prompt in asked if prompt.subject is not None)
    return {prompt: panel for prompt, panel in found if panel.lines}


def _odds(state: State, war: War) -> Panel:
    """The odds of the next battle, a line for each number of armies that may attack; none where nobody counts."""
    try:
        table = odds_table(state, war)
    except Refused:  # too many dice to count
        table = []
    columns = [f"Against {quantity(n, 'army', 'armies') if n else 'none'}" for n in (table[0][1] if table else ())]
    lines = tuple(Line((ours, *(percent(won) for won in chances.values()))) for ours, chances in table)
    return Panel(f"odds-{war.id}", "How likely the attacker is to win", ("Armies that attack", *columns), lines)


def _powers(state: State) -> Panel:
    """Powers that are declared and not yet settled."""
    lines = tuple(
        Line(
            (
                power.does.replace("-", " "),
                _name(state, power.caster),
                quantity(power.price, "point"),
                f"refused by {listing(_name(state, god) for god in power.refusers)}" if power.refusers else "",
            )
        )
        for power in state.powers.values()
    )
    return Panel("powers", "Powers under way", ("Power", "God", "Price", ""), lines)


def _saved_cities(state: State) -> Panel:
    """Cities that a miracle saves, and until when (DW-MIR-7)."""
    saved = sorted((city for city in state.cities.values() if city.saved_by), key=lambda city: (city.name, city.id))
    lines = tuple(Line((city.name, _name(state, city.controller), end_in_words(state, city))) for city in saved)
    return Panel("saved", "Saved cities", ("City", "God", "Not razed, ravaged or taken"), lines)


def standings(state: State) -> Panel:
    """The gods by the squares of the races that they made, then by name."""
    land = Counter(territory.race for territory in state.territory.values())
    cities = Counter(city.controller for city in state.cities.values())
    made: Counter[UUID] = Counter()
    for race in state.living_races():
        made.update(dict.fromkeys(race.creators, land[race.id]))
    ordered = sorted(state.gods.values(), key=lambda god: (-made[god.id], -cities[god.id], god.name))
    lines = tuple(Line((god.name, made[god.id], cities[god.id], state.balance(god.id))) for god in ordered)
    return Panel("standings", "Gods", ("God", "Squares", "Cities", "Points"), lines)


def contests(state: State) -> Iterator[Contest]:
    """Open auctions, then wars that are being fought."""
    for conflict in state.conflicts.values():
        yield Contest(
            "Divine Conflict" + (f": {conflict.text}" if conflict.text else ""),
            (
                ContestSide(_name(state, conflict.invoker), (quantity(conflict.paid_invoker, "point"),)),
                ContestSide(_name(state, conflict.challenger), (quantity(conflict.paid_challenger, "point"),)),
            ),
        )
    for war in state.wars.values():
        armies = (quantity(len(war.armies), "army", "armies"),) if war.armies else ()
        yield Contest(
            f"{_name(state, war.attacker)} against {_target(state, war)}",
            (ContestSide(_name(state, war.attacker), armies), ContestSide(_target(state, war))),
        )


def highlights(state: State, event: Event) -> Iterator[Highlight]:
    """Land that is shaped, peoples and cities that begin, where war is made, what is ravaged."""
    match event:
        case LandShaped():
            yield Highlight(HighlightKind.BUILT, tuple(map(_square, event.squares)))
        case RaceCreated():
            yield Highlight(HighlightKind.BUILT, (_square(event.home),))
        case CityFounded() | AvatarCreated():
            yield Highlight(HighlightKind.BUILT, (_square(event.square),))
        case TerritorySettled():
            yield Highlight(HighlightKind.WON, (_square(event.square),))
        case WarDeclared():
            homes = [state.cities[army.city] for army in map(state.armies.get, event.armies) if army is not None]
            yield Highlight(HighlightKind.CONTEST, (_square(event.target),))
            if homes:
                yield Highlight(HighlightKind.MARCH, (f"{homes[0].x},{homes[0].y}", _square(event.target)))
        case CityFell() if event.city in state.cities:
            city = state.cities[event.city]
            yield Highlight(HighlightKind.WON, (f"{city.x},{city.y}",))
        case WonderWorked():
            kind = HighlightKind.BUILT if event.kind is WonderKind.MIRACLE else HighlightKind.RUIN
            yield Highlight(kind, tuple(map(_square, event.squares)))
        case CityRazed():
            yield Highlight(HighlightKind.RUIN, (_square(event.square),))


def _square(place: Place) -> str:
    return f"{place.x},{place.y}"


def faces(state: State) -> Iterator[Face]:
    """The gods by what they are gods of, the races, the avatars."""
    for god in state.gods.values():
        yield Face(FaceKind.GOD, god.name, god.id, ", ".join(god.portfolio))
    for race in state.races.values():
        yield Face(FaceKind.PEOPLE, race.name, race.id)
    for avatar in state.avatars.values():
        yield Face(FaceKind.HERO, avatar.name, avatar.id)


def holdings(state: State, seat: UUID) -> Holdings:
    """A god's points, and what is theirs in the world: races that they made, cities, living avatars."""
    if seat not in state.gods:
        return {}
    named = {
        "Races": [race.name for race in state.living_races() if seat in race.creators],
        "Cities": [_standing(city) for city in state.cities.values() if city.controller == seat],
        "Avatars": [avatar.name for avatar in state.avatars.values() if avatar.alive and avatar.owner == seat],
    }
    points: Holdings = {"Points": state.balance(seat)}
    return {**points, **{label: listing(sorted(names)) for label, names in named.items() if names}}


def _standing(city: City) -> str:
    """A city, and whether a miracle saves it."""
    return f"{city.name} (saved)" if city.saved_by else city.name


PAGES: EventPages[State] = EventPages(
    holdings=holdings,
    desk=desk,
    exhibits=exhibits,
    standings=standings,
    contests=contests,
    faces=faces,
    highlights=highlights,
    story=STORY,
    headlines=(
        GameFinished,
        RaceExtinct,
        CityFell,
        AvatarDestroyed,
        WarDeclared,
        WonderWorked,
        RaceCreated,
        CityFounded,
        AvatarCreated,
        OrderCreated,
        WarEnded,
        SubraceCreated,
        LandShaped,
    ),
    finished_by=(GameFinished,),
    accent=Accent("#8d3355", "#f5a8c2"),
    main_chart="territory",
)
