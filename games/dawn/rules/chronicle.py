"""The world as a setting, told by Ages: lands, peoples, cities, orders, avatars, wonders and wars (DW-AGE-1).

Reads alone. Turns, points, bids and votes are the game's own. What people have written stands in their own words.

Long for one reason: a teller for each event of which the world keeps something.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from core.names import comparable
from games.dawn.rules.avatars.events import ArmyLed, AvatarCreated, CityDefended
from games.dawn.rules.command.events import ArmyRaised, CityFounded, DeedRecorded, TerritorySettled
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.orders.events import OrderCommanded, OrderCreated
from games.dawn.rules.races.events import (
    AlignmentShifted,
    AllianceMade,
    EdgeGifted,
    EdgePicked,
    RaceCreated,
    RaceUpgraded,
    SubraceCreated,
)
from games.dawn.rules.revenge.events import AvatarDestroyed, AvatarRespawned
from games.dawn.rules.state.constants import ALIGNMENTS
from games.dawn.rules.state.schema_types import Place, Terrain, WarEnd, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.state.wording import WORKS
from games.dawn.rules.turn.events import GameFinished, RoundStarted
from games.dawn.rules.war.battle_events import BattleRolled, CityFell
from games.dawn.rules.war.events import WarDeclared, WarEnded
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.engine.artifacts.chronicle import ARTIFACT_TELLERS
from games.engine.insight.chronicle import Fact, Scene, Sentence, Story, Teller, names, plain, silent, some
from games.engine.kernel import Event
from games.engine.wording import capital, full_sentence, listing, quantity

Setting = Scene[State]
PLACES = ("square", "home", "squares", "target")
"""Fields of events that say where."""
NOBODY, LOST = "nobody", "a lost city"
"""How the state calls what is no more; how a tale does: cities alone leave the state (DW-MIR-5)."""
LANDS: Mapping[Terrain, str] = {
    Terrain.OCEAN: "an ocean",
    Terrain.LAKE: "a lake",
    Terrain.PLAINS: "plains",
    Terrain.FOREST: "a forest",
    Terrain.JUNGLE: "a jungle",
    Terrain.HILLS: "hills",
    Terrain.MOUNTAINS: "mountains",
    Terrain.SWAMP: "a swamp",
    Terrain.DESERT: "a desert",
    Terrain.TUNDRA: "a tundra",
    Terrain.ICE: "fields of ice",
    Terrain.WASTE: "a waste",
}
WONDERS: Mapping[Works, str] = {
    **WORKS,
    Works.SAVE_CITY: " that keeps {} from all harm for a while",
    Works.BREAKTHROUGH: " that teaches {} what nobody knew",
    Works.ARTIFACT: " that gives {} what nobody had before",
    Works.EXTINGUISH_RACE: " that ends a people",
}
"""What a wonder does; `{}` stands for whom a miracle helps."""
WAR_ENDS: Mapping[WarEnd, str] = {
    WarEnd.RETREAT: "but turns back",
    WarEnd.STOPPED: "but goes no further",
    WarEnd.BEATEN: "and is beaten",
    WarEnd.CAPTURED: "and takes it",
    WarEnd.VOID: "and finds nothing there",
}


def title(scene: Setting, thing: UUID | None) -> str:
    """A god, a people, a city, an avatar or an order by its name; a city that is no more, too."""
    gone = scene.first(CityRazed, city=thing) or scene.first(CityFounded, city=thing)
    found = gone.name if gone is not None else scene.state.title(thing)
    return LOST if found == NOBODY else found


def first(name: str) -> str:
    """A name at the beginning of a sentence."""
    return capital(name) if name == LOST else name


def round_of(scene: Setting, event: Event) -> int:
    """The round of an event: what happens in one is told together; 0 where its beginning is not among the events."""
    began = scene.before(event, RoundStarted)
    return began.round if began is not None else 0


def where(squares: Sequence[Place]) -> str:
    """Squares for the figures: `at 3, 5 and 3, 4`."""
    return f"at {listing(f'{place.x}, {place.y}' for place in squares)}"


def square_of(event: Event) -> At | None:
    """The square of an event, if it has one; of several the first."""
    named: Any = next((getattr(event, name) for name in PLACES if hasattr(event, name)), None)
    first = named[0] if isinstance(named, tuple) and named else named
    return first.at if isinstance(first, Place) else None


# --- the land ---------------------------------------------------------------------------------------------------------


def tell_land(scene: Setting, event: LandShaped) -> Iterator[Fact]:
    """What a god shapes in a round; a land with words of its own stands alone."""
    if event.words.strip():
        yield plain(f"{title(scene, event.by)} shapes {land_of(event)}: {full_sentence(event.words)}", _squares(event))
        return
    yield Fact(("lands", event.by, round_of(scene, event)), partial(_lands, title(scene, event.by)), event)


def _lands(god: str, events: Sequence[LandShaped]) -> Sentence:
    return Sentence(
        f"{god} shapes {names((land_of(e) for e in events), 'other lands')}.", "; ".join(map(_squares, events))
    )


def land_of(event: LandShaped) -> str:
    """A land by its name, or by what it is made of where it bears no other: `Greenlands, a forest`."""
    kind = LANDS[event.terrain]
    if event.floating:
        article, _, noun = kind.partition(" ")
        kind = f"a floating {noun}" if article in ("a", "an") else f"floating {kind}"
    return kind if comparable(event.name) == event.terrain.value else f"{event.name}, {kind}"


def _squares(event: LandShaped) -> str:
    return f"{quantity(len(event.squares), 'square')} of {event.kind.value} {event.terrain.value}"


# --- peoples, cities, orders ------------------------------------------------------------------------------------------


def tell_race(scene: Setting, event: RaceCreated) -> Iterator[Fact]:
    makers = listing(title(scene, god) for god in event.creators)
    verb = "create" if len(event.creators) > 1 else "creates"
    yield Fact(
        ("races", event.creators),
        lambda found: Sentence(f"{makers} {verb} {names(found, 'other peoples')}."),
        title(scene, event.race),
    )


def tell_subrace(scene: Setting, event: SubraceCreated) -> Iterator[Fact]:
    parents = tuple(sorted(event.parents))
    of = listing(title(scene, parent) for parent in event.parents)
    yield Fact(
        ("subraces", parents, round_of(scene, event)),
        lambda found: Sentence(f"{names(found, 'other peoples')} branch off {of}."),
        title(scene, event.race),
    )


def tell_tier(scene: Setting, event: RaceUpgraded) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.race)} become {event.tier.value}.")


def tell_edge(scene: Setting, event: EdgeGifted) -> Iterator[Fact]:
    giver, whom = title(scene, event.by), title(scene, event.target)
    yield Fact(
        ("edges", event.by, event.target),
        lambda edges: Sentence(f"{giver} gives {whom} {names(edges, 'other gifts')}."),
        event.edge,
    )


def tell_heirloom(scene: Setting, event: EdgePicked) -> Iterator[Fact]:
    race = title(scene, event.race)
    yield Fact(
        ("inherited", event.race), lambda edges: Sentence(f"{race} inherit {names(edges, 'other gifts')}."), event.edge
    )


def tell_alignment(scene: Setting, event: AlignmentShifted) -> Iterator[Fact]:
    who = first(title(scene, event.target))
    verb = "turn" if event.target in scene.state.races else "turns"
    yield Fact(
        ("alignment", event.target),
        lambda words: Sentence(f"{who} {verb} {listing(words, 'and then')}."),
        ALIGNMENTS[event.after],
    )


def tell_alliance(scene: Setting, event: AllianceMade) -> Iterator[Fact]:
    one, other = (title(scene, party) for party in event.parties)
    yield plain(f"{first(one)} and {other} become allies.")


def tell_city(scene: Setting, event: CityFounded) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.race)} found the city of {event.name}.", where([event.square]))


def tell_settling(scene: Setting, event: TerritorySettled) -> Iterator[Fact]:
    race = title(scene, event.race)
    yield Fact(
        ("settled", event.race), lambda squares: Sentence(f"{race} settle new land.", where(squares)), event.square
    )


def tell_army(scene: Setting, event: ArmyRaised) -> Iterator[Fact]:
    city = first(title(scene, event.city))
    yield Fact(
        ("armies", event.city, round_of(scene, event)),
        lambda raised: Sentence(f"{city} raises {some(sum(raised), 'army')}.", quantity(sum(raised), "army")),
        len(event.armies),
    )


def tell_deed(scene: Setting, event: DeedRecorded) -> Iterator[Fact]:
    yield plain(f"{first(title(scene, event.by))}: {full_sentence(event.words)}")


def tell_order(scene: Setting, event: OrderCreated) -> Iterator[Fact]:
    race = title(scene, event.race)
    yield Fact(
        ("orders", event.race),
        lambda orders: Sentence(f"Among {race} {_rise(orders)}, {listing(orders)}."),
        event.name,
    )


def _rise(orders: Sequence[str]) -> str:
    return f"{'rise' if len(orders) > 1 else 'rises'} {some(len(orders), 'order')}"


def tell_task(scene: Setting, event: OrderCommanded) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.by)} sets {title(scene, event.order)} a task: {full_sentence(event.task)}")


# --- avatars and wars -------------------------------------------------------------------------------------------------


def tell_avatar(scene: Setting, event: AvatarCreated) -> Iterator[Fact]:
    god, shape = title(scene, event.owner), f"{title(scene, event.avatar)}, a {event.kind.value}"
    yield plain(f"{god} sends {shape}, into the world.", where([event.square]))


def tell_leader(scene: Setting, event: ArmyLed) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.avatar)} takes command of an army.")


def tell_guard(scene: Setting, event: CityDefended) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.avatar)} watches over {title(scene, event.city)}.")


def tell_war(scene: Setting, event: Any) -> Iterator[Fact]:
    """A war with all that comes of it, in one sentence."""
    war = getattr(event, "war", None)
    if war is None:
        last = scene.before(event, WarDeclared, WarEnded)
        war = last.war if isinstance(last, WarDeclared) else None
    if war is not None:
        yield Fact(("war", war), partial(_war, scene), event)
    elif isinstance(event, AvatarDestroyed):
        yield plain(f"{title(scene, event.by)} kills {title(scene, event.avatar)}.", where([event.square]))


def _war(scene: Setting, events: Sequence[Any]) -> Sentence | None:
    declared = next((event for event in events if isinstance(event, WarDeclared)), None)
    if declared is None:
        return None
    ended = next((event for event in events if isinstance(event, WarEnded)), None)
    who, whom = title(scene, declared.attacker), title(scene, declared.city or declared.avatar)
    force = title(scene, declared.alone) if declared.alone is not None else some(len(declared.armies), "army")
    text = f"{who} sends {force} against {whom}"
    if ended is not None:
        text += ", who is slain" if ended.reason is WarEnd.SLAIN else f" {WAR_ENDS[ended.reason]}"
    dead = [event.avatar for event in events if isinstance(event, AvatarDestroyed)]
    slain = [
        title(scene, avatar)
        for avatar in dead
        if ended is None or ended.reason is not WarEnd.SLAIN or avatar != declared.avatar
    ]
    text += f"; {names(slain)} {'fall' if len(set(slain)) > 1 else 'falls'}" if slain else ""
    rolled = [event for event in events if isinstance(event, BattleRolled)]
    battles = ", ".join(f"{event.attacker.total} against {event.defender.total}" for event in rolled)
    return Sentence(f"{text}.", "; ".join(filter(None, [where([declared.target]), battles])))


def tell_return(scene: Setting, event: AvatarRespawned) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.avatar)} rises from the dead.", where([event.square]))


# --- wonders and ends -------------------------------------------------------------------------------------------------


def tell_wonder(scene: Setting, event: WonderWorked) -> Iterator[Fact]:
    work = f"{title(scene, event.by)} works a {event.kind.value}{_work(scene, event)}"
    yield plain(f"{work}: {full_sentence(event.words)}" if event.words.strip() else f"{work}.", where(event.squares))


def _work(scene: Setting, event: WonderWorked) -> str:
    """What a wonder does: a miracle to whom, for nothing else tells of it; a catastrophe tells its victims apart."""
    whom = names((title(scene, target) for target in event.targets), "others")
    restored = "lets {} grow in number again" if scene.state.races.keys() & event.targets else "raises {} from the dead"
    if event.works is Works.ARTIFACT and not event.targets:
        return " that brings something new into the world"
    return {**WONDERS, Works.RESTORE: f" that {restored}"}[event.works].format(whom)


def tell_razed(scene: Setting, event: CityRazed) -> Iterator[Fact]:
    yield plain(f"{event.name} is razed to the ground.", where([event.square]))


def tell_extinct(scene: Setting, event: RaceExtinct) -> Iterator[Fact]:
    yield plain(f"{title(scene, event.race)} are no more.")


def tell_last(scene: Setting, event: RaceNearlyExtinct) -> Iterator[Fact]:
    yield plain(f"Of {title(scene, event.race)} only a last few live on.", where([event.square]))


def tell_end(scene: Setting, event: GameFinished) -> Iterator[Fact]:
    yield plain("The three Ages are over." if event.reason == "ages_over" else "The world is left as it is.")


TELLERS: Mapping[type[Event], Teller] = {
    **ARTIFACT_TELLERS,
    RoundStarted: silent,
    LandShaped: tell_land,
    RaceCreated: tell_race,
    RaceUpgraded: tell_tier,
    SubraceCreated: tell_subrace,
    EdgePicked: tell_heirloom,
    EdgeGifted: tell_edge,
    AlignmentShifted: tell_alignment,
    CityFounded: tell_city,
    TerritorySettled: tell_settling,
    ArmyRaised: tell_army,
    AllianceMade: tell_alliance,
    DeedRecorded: tell_deed,
    OrderCreated: tell_order,
    OrderCommanded: tell_task,
    AvatarCreated: tell_avatar,
    ArmyLed: tell_leader,
    CityDefended: tell_guard,
    AvatarDestroyed: tell_war,
    AvatarRespawned: tell_return,
    WonderWorked: tell_wonder,
    RaceExtinct: tell_extinct,
    RaceNearlyExtinct: tell_last,
    CityRazed: tell_razed,
    WarDeclared: tell_war,
    BattleRolled: tell_war,
    CityFell: tell_war,
    WarEnded: tell_war,
    GameFinished: tell_end,
}
STORY: Story[State] = Story(TELLERS)
