"""What a bot could cast now, on which targets, and how much it wants to: every power and every target is looked at.

Targets are judged first, and only what is chosen is tried by the rules: the price, and what bars it. What harms is
foreseen by the casting forecast, so that it does not fall on the bot's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.insight.forecast import DrawnDice, ForecastOutcome
from games.engine.kernel import Actor, Command, Context, Issuer
from games.gods2.rules.bots.choices import row_to_cast
from games.gods2.rules.bots.land import best_squares, retreats, ways_out, worth_of_squares
from games.gods2.rules.bots.tempers import Manner
from games.gods2.rules.bots.view import View
from games.gods2.rules.bots.wars import LOST_SHARE, Battle, battles, is_likely, peace, spoils
from games.gods2.rules.bots.worth import believers, gain, is_unmade, worth_of_artifact
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.migration_commands import POWER as MIGRATION
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.casting.rules import check_purse, prepare_casting
from games.gods2.rules.casting.war_commands import POWERS, DeclareWar
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.setup.second_creation import castable
from games.gods2.rules.state.gods import cards_in
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.workings.events import endless
from games.gods2.rules.workings.modifications import lasts

Targets = tuple[Target, ...]
RULE = "bot"
TRIES = 4  # targets of one power that are tried
MAX_OPTIONS = 5  # of the best options one is drawn
PLACES = (0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4)  # how often each place is in the bag
OTHERS, ALMS = 25, 15  # percent of what teaching others is worth, and of helping them out of an idle purse
SLEEPING = 3  # centuries for which a modification without an end counts
LEAST_FOR_MANA = 2  # tenths of a unit that a mana has to bring, unless it lies idle
DEAR = 10  # mana: the price of a formula, as long as it is not worked out
FOR_PEOPLE: tuple[type[Operation], ...] = (op.Manual, op.CenturyTime)
"""Tasks for the GM and the time at the table are for people."""
STRIKES: tuple[type[Operation], ...] = (
    op.Kill, op.LimitCut, op.TerrainSet, op.DestroyCity, op.WarDeclare, op.RollTable,
)  # fmt: skip
"""What a power of the whole Earth strikes everybody with."""
HARM_SEEN = frozenset(
    {"deaths", "starved", "city_lost", "knowledge_lost", "limit_cut", "turmoil_started", "modification"}
)
"""What a forecast says of harm, when it befalls one of the bot's own."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Targets of a power, what they are worth to the bot, and whether they are taught, helped or harmed."""

    worth: int
    targets: Targets
    manner: Manner


@dataclass(frozen=True, slots=True)
class Option:
    """A power that the bot could cast, with the aims that are worth it, the best first; or a war."""

    power: str
    manner: Manner
    price: int
    worth: int
    aims: tuple[Aim, ...] = ()
    battle: Battle | None = None


def best_command(view: View, tray: Tray, use: str) -> Command | None:
    """What the bot casts or declares now: one of its best options that the rules allow and that it can pay."""
    ranked = sorted(options(view), key=lambda option: (-_score(view, option), option.power))
    while ranked:
        bag = [place for place in PLACES if place < min(MAX_OPTIONS, len(ranked))]
        option = ranked.pop(tray.draw(use, bag, RULE))
        command = _command(view, option)
        if command is not None:
            return command
    return None


def _score(view: View, option: Option) -> int:
    """How much the bot wants it: by worth, temper, and, unless mana lies idle, by price."""
    weighed = option.worth * view.temper.likes[option.manner]
    return weighed if view.is_rich else weighed * 10 // (option.price + 2)


def options(view: View) -> list[Option]:
    """Everything that is worth its price now."""
    found = [*_powers(view), *_wars(view)]
    return [option for option in found if option.worth > 0 and option.worth >= least_worth(view, option.price)]


def least_worth(view: View, mana: int) -> int:
    """What so much mana has to bring, in tenths of a unit: nothing, where it lies idle."""
    return 0 if view.is_rich else LEAST_FOR_MANA * mana


def _powers(view: View) -> Iterator[Option]:
    for power in view.state.pack.powers.values():
        price = power.cost if isinstance(power.cost, int) else DEAR
        if power.id in POWERS or price > view.balance or not is_for_bots(view, power):
            continue
        aims = sorted((aim for aim in _aims(view, power) if aim.worth > 0), key=lambda aim: -aim.worth)[:TRIES]
        if aims:
            yield Option(power.id, aims[0].manner, price, aims[0].worth, tuple(aims))


def is_for_bots(view: View, power: Power) -> bool:
    """Whether the bot has the cards, and the power is one for bots."""
    held = cards_in(view.state, view.god.id, power.sphere) >= power.level
    granted = any(grant.seat == view.god.id and grant.power == power.id for grant in view.state.grants.values())
    if not (granted or (held and power.kind != "personal")) or not castable(view.state, power):
        return False
    if any(isinstance(effect, FOR_PEOPLE) for effect in power.effects):
        return False
    return view.is_cornered or not strikes_everybody(power)


def strikes_everybody(power: Power) -> bool:
    """Whether a power strikes the whole Earth: kills, starves, floods or sets everybody at war."""
    return power.target == "earth" and any(isinstance(e, STRIKES) and not e.conditions for e in power.effects)


def teaches(state: State, power: Power) -> bool:
    """Whether a power brings knowledge or a city that does its people good."""
    return any(
        isinstance(e, op.FoundCity) or (isinstance(e, op.Learn) and not _bleeds(state, e.knowledge))
        for e in power.effects
    )


def bears_people(power: Power) -> bool:
    """Whether a power makes a people (G2-CREA-3)."""
    return any(isinstance(effect, op.RaceAdd) for effect in power.effects)


def _bleeds(state: State, knowledge: str | None) -> bool:
    """Whether a knowledge makes a people sacrifice its own."""
    return knowledge is not None and any(
        isinstance(effect, op.Sacrifice) for effect in state.pack.knowledges[knowledge].effects
    )


def _aims(view: View, power: Power) -> Iterator[Aim]:
    """Every aim of a power, with what it is worth."""
    match power.target.partition(":")[0]:
        case "square" | "squares" | "connected":
            for worth, squares in best_squares(view, power, TRIES):
                dwellers = {view.state.board.people_at(square) for square in squares}
                own = dwellers <= {*view.shares, *([None] if bears_people(power) else [])}
                yield Aim(worth, (Target(squares=tuple(map(Place.of, squares))),), "help" if own else "harm")
        case "earth":
            each = [on_people(view, power, race.id, alone=False) for race in view.living]
            harms = any(aim.manner == "harm" for aim in each)
            truce = peace(view) if any(isinstance(effect, op.WarCancel) for effect in power.effects) else 0
            kind: Manner = "harm" if harms else "teach" if teaches(view.state, power) else "help"
            yield Aim(sum(aim.worth for aim in each) + truce + _own_artifact(view, power), (), kind)
        case "city":
            for city in view.state.cities.values():
                yield replace(on_people(view, power, city.race), targets=(Target(city=city.id),))
        case "race" if any(isinstance(effect, op.Migrate) for effect in power.effects):
            for race in sorted(view.followers - view.state.migrations.keys()):
                ways = ways_out(view, race) if view.is_crowded(race) else retreats(view, race)
                for worth, direction in ways:
                    yield Aim(worth, (Target(race=race, direction=direction),), "help")
        case "race":
            first = [aim for race in sorted(view.followers) if (aim := on_people(view, power, race)).worth > 0]
            others = [race.id for race in view.living if race.id not in view.followers]
            yield from first or (on_people(view, power, race) for race in others if _is_meant_for(view, power, race))


def worth_of_targets(view: View, power: Power, targets: Targets) -> int:
    """What a power on the targets that somebody has named is worth to the bot; below 0 it is hurt."""
    match power.target.partition(":")[0], targets:
        case "earth", _:
            return sum(aim.worth for aim in _aims(view, power))
        case "race+contact", (Target(race=UUID() as attacker), Target(race=UUID() as defender)):
            return spoils(view, attacker, defender) if attacker in view.shares else 0
        case "city", (Target(city=UUID() as city),) if city in view.state.cities:
            return on_people(view, power, view.state.cities[city].race).worth
        case _, (Target(race=UUID() as race),):
            return on_people(view, power, race).worth
        case _, (Target(squares=places),):
            worth = worth_of_squares(view, power)
            return sum(int(worth[place.square]) for place in places)
    return 0


def _own_artifact(view: View, power: Power) -> int:
    """What an artifact is worth that a power makes for its caster."""
    made = (e for e in power.effects if isinstance(e, op.ArtifactMake) and e.holder == "caster" and is_unmade(view, e))
    return sum(worth_of_artifact(view) for _ in made)


def _is_meant_for(view: View, power: Power, race: UUID) -> bool:
    """Whether a power could be of worth on this people: help for others than its own only comes of riches."""
    if view.is_rich or race in view.shares or teaches(view.state, power):
        return True
    harms = any(code == "Mn" or code.startswith("B") for code in power.codes)
    return harms or any(isinstance(effect, (*STRIKES, op.Cult, op.Learn, op.Turmoil)) for effect in power.effects)


def on_people(view: View, power: Power, race: UUID, *, alone: bool = True) -> Aim:
    """What a power on one people is worth to the bot: its own peoples' good, others' harm, its own cult, its peace.

    alone: whether it is aimed at this people, so that it calls off this people's wars.
    """
    span = view.span
    if lasts(power):
        span = min(span, SLEEPING) if endless(power) else 1
    gained = gain(view, race, power.effects, span)
    manner: Manner = "harm" if gained < 0 else "teach" if teaches(view.state, power) else "help"
    worth = _regard(view, race, gained, manner)
    for effect in power.effects:
        if isinstance(effect, op.Cult) and effect.deity == "caster":
            worth, manner = worth + believers(view, race, effect.points), "help"
        elif isinstance(effect, op.WarCancel) and alone:
            worth += peace(view, race)
    return Aim(worth, (Target(race=race),), manner)


def _regard(view: View, race: UUID, gained: int, manner: Manner) -> int:
    """What it is worth to the bot that a people gains or loses so much.

    Others are taught, but not those on whom a god lives who runs away with the worshippers of the Earth.
    """
    if race in view.shares:
        return gained * (100 + view.shares[race] // 100) // 100
    enmity = view.enmity(race)
    if manner == "harm":
        return -gained * enmity // 100 if enmity else gained
    if manner == "teach":
        return gained * OTHERS // 100 if enmity < 100 and not view.is_mainstay(race) else 0
    return gained * ALMS // 100 if view.is_rich and enmity < 100 else -gained * enmity // 200


def _wars(view: View) -> Iterator[Option]:
    """The wars that pay, as one option; none in a second Creation."""
    if view.state.era.phase is not Phase.OPEN:
        return
    known = [view.state.pack.powers[key] for key in POWERS if key in view.state.pack.powers]
    prices = [int(p.cost) for p in known if cards_in(view.state, view.god.id, p.sphere) >= p.level]
    if not prices or min(prices) > view.balance:
        return
    for battle in battles(view)[:1]:
        yield Option(POWERS[0], "war", min(prices), battle.worth, battle=battle)


def _command(view: View, option: Option) -> Command | None:
    """The command of an option on the first of its aims that the rules allow and that does what it should."""
    if option.battle is not None:
        if not is_likely(view, option.battle):
            return None
        return DeclareWar(attacker=option.battle.attacker, defender=option.battle.defender)
    power = view.state.pack.powers[option.power]
    for aim in option.aims:
        try:
            casting = prepare_casting(view.state, (view.god,), option.power, aim.targets)
            check_purse(view.state, view.god, casting.price.amount, power)
        except Refused:
            continue  # the next aim may be allowed, or cheaper
        if power.id == MIGRATION:
            return _migration(aim.targets[0])
        choice = row_to_cast(view, casting.working)
        command = CastPower(power=option.power, targets=aim.targets, choice=choice)
        if aim.manner != "harm" or is_measured(view, command):
            return command
    return None


def _migration(target: Target) -> Command | None:
    """The order in its short form."""
    if target.race is None:
        return None
    return OrderMigration(race=target.race, direction=target.direction)


def is_measured(view: View, command: CastPower) -> bool:
    """Whether the casting forecast knows of no case in which the bot's own are harmed, or others too much."""
    if _may_spread(view, command):
        return False
    actor = Actor(Issuer.SEAT, seat=view.god.id)
    ctx = Context(
        game=view.state.info.id,
        now=view.state.now,
        actor=actor,
        tray=Tray(DrawnDice(0)),
        id_secret=b"forecast",
        commands={},
    )
    try:
        foreseen = command.forecast(view.state, ctx, actor)
    except Refused:
        return False
    return not any(_is_too_much(view, prospect) for prospect in foreseen.prospects)


def _may_spread(view: View, command: CastPower) -> bool:
    """Whether a power that may go on to a random neighbour is aimed beside the bot's own: that needs no forecast."""
    tables = (e.table for e in view.state.pack.powers[command.power].effects if isinstance(e, op.RollTable))
    rows = (row for table in tables for row in view.state.pack.tables[table].rows)
    if not any(isinstance(effect, op.Repeat) for row in rows for effect in row.effects):
        return False
    hit = (target.race for target in command.targets if target.race is not None)
    return any(other in view.shares for race in hit for other in view.contacts(race))


def _is_too_much(view: View, prospect: ForecastOutcome) -> bool:
    """Whether what may happen harms the bot's own, ends a people, or kills more than one in three of it."""
    if prospect.subject in view.shares:
        return prospect.what in HARM_SEEN
    if prospect.subject is None or view.is_cornered:
        return False
    deaths = max(odd.amount for odd in prospect.odds) if prospect.what in ("deaths", "starved") else 0
    return prospect.what == "race_destroyed" or deaths * LOST_SHARE > view.units(prospect.subject)
