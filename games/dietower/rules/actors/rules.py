"""Who is meant and who may act for them: lookups that refuse by what the asker may know (DT-CHR-8, section 9)."""

from collections.abc import Iterator
from uuid import UUID

from games.dietower.rules.actors.events import ActorShown, StandingAnswerUsed
from games.dietower.rules.state.records import Actor, Sheet
from games.dietower.rules.state.schema_types import Condition, Means, Uses
from games.dietower.rules.state.state import State
from games.engine.artifacts.rules import pass_all_on
from games.engine.audience import GM_READER, Reader, reader
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.standing import standing_answer
from games.engine.wording import listing

"""What a sheet lacks play for, beside name and mystery (DT-CHR-1)."""


def is_master(asker: CommandActor) -> bool:
    """Whether somebody speaks as the world master, and for no seat."""
    return asker.is_gm and asker.on_behalf_of is None


def require_master(asker: CommandActor) -> None:
    """Refuse (`issuer.other`) what is the world master's."""
    if not is_master(asker):
        raise Refused("issuer.other", "That is for the world master to say.", rules=("DT-TBL-6",))


def actor_known_to(state: State, asker: CommandActor, actor: UUID) -> Actor:
    """Somebody whom the asker may know of. Raises `actor.missing`, also for one who was never shown (DT-CHR-8)."""
    found = state.actors.get(actor)
    if found is None or not (found.shown or asker.is_gm or asker.role is Issuer.CLOCK):
        raise Refused("actor.missing", "There is nobody of this id; the state lists all you know of.")
    return found


def own_actor(state: State, asker: CommandActor, named: UUID | None) -> Actor:
    """Whom a command is about whose sender acts for somebody: a player's character, or one of the world master's.

    Raises `actor.missing`, `actor.not_yours`, `seat.missing`.
    """
    if is_master(asker):
        if named is None:
            raise Refused("actor.missing", "Name the actor; the world master has several.")
        return actor_known_to(state, asker, named)
    seat = state.seat(asker.acting_seat)
    own = state.characters_of(seat.id)
    if named is not None:
        found = actor_known_to(state, asker, named)
        if found.seat != seat.id:
            raise Refused("actor.not_yours", f"{found.name} is not played by {seat.name}.", rules=("DT-TBL-1",))
        return found
    if len(own) != 1:
        many = "several characters; name one" if own else "no character; save-sheet writes one"
        raise Refused("actor.missing", f"{seat.name} has {many}.")
    return own[0]


def lay_down(state: State, actor: UUID) -> Iterator[Event]:
    """What somebody has who is struck down or beaten lies where they are, and nobody has it (DT-TRS-2)."""
    reason = f"{state.actors[actor].name} is down, and it lies there"
    yield from pass_all_on(state, actor, None, reason=reason, rules=("DT-TRS-2",))


def require_upright(actor: Actor) -> None:
    """Refuse (`actor.fallen`, `actor.beaten`) somebody who can do nothing (DT-CMB-14)."""
    if actor.condition is Condition.FALLEN:
        raise Refused("actor.fallen", f"{actor.name} has fallen and rolls no dice.", rules=("DT-CMB-14",))
    if actor.condition is Condition.BEATEN:
        raise Refused("actor.beaten", f"{actor.name} is beaten and rolls no dice.", rules=("DT-CMB-14",))


def description(actor: Actor, sheet: Sheet | None) -> str:
    """What everybody knows of somebody, in a few words: weapon and power of a character, and how anyone fell."""
    said = [f"{word}: {text}" for word, text in _shown(sheet)] + [actor.condition_text]
    return "; ".join(text for text in said if text)


def _shown(sheet: Sheet | None) -> Iterator[tuple[str, str]]:
    if sheet is not None:
        yield from ((word, text) for word, text in (("Weapon", sheet.weapon), ("Power", sheet.power)) if text)


def owner_of(actor: Actor) -> Reader:
    """Who decides for somebody: the seat, or the world master."""
    return reader(actor.seat) if actor.seat is not None else GM_READER


def is_owner(asker: CommandActor, actor: Actor) -> bool:
    """Whether an asker decides for somebody; the clock decides for all."""
    if asker.role is Issuer.CLOCK:
        return True
    return is_master(asker) if actor.seat is None else asker.acting_seat == actor.seat


def show(state: State, actor: Actor) -> Iterator[Event]:
    """Let everybody know who somebody is, before the first public event that names them (DT-AMB-52)."""
    if not state.actors[actor.id].shown:
        yield ActorShown(actor=actor.id, kind=actor.kind, name=actor.name)


def weapon_of(state: State, actor: UUID) -> tuple[str, bool]:
    """What somebody fights with, and whether it is for defence."""
    found = state.sheets.get(actor) or state.briefs.get(actor)
    return (found.weapon, found.weapon_defensive) if found is not None else ("", False)


def power_of(state: State, actor: UUID) -> str:
    """The power of somebody."""
    found = state.sheets.get(actor) or state.briefs.get(actor)
    return found.power if found is not None else ""


def defence_uses(state: State, actor: UUID) -> list[Uses]:
    """What somebody may defend with: a defensive weapon, a power, nothing (DT-CMB-5, DT-AMB-27)."""
    weapon, defensive = weapon_of(state, actor)
    found = [Uses.WEAPON] if weapon and defensive else []
    return [*found, *([Uses.POWER] if power_of(state, actor) else []), Uses.NONE]


def attack_uses(state: State, actor: UUID) -> list[Uses]:
    """What somebody may attack with: a weapon that is not defensive, a power, nothing (DT-CMB-5)."""
    weapon, defensive = weapon_of(state, actor)
    found = [Uses.WEAPON] if weapon and not defensive else []
    return [*found, *([Uses.POWER] if power_of(state, actor) else []), Uses.NONE]


def check_means(state: State, actor: UUID) -> list[Means]:
    """What somebody may do a check with: a trait, the weapon and the power that are there, nothing (DT-CHK-1)."""
    weapon, _ = weapon_of(state, actor)
    things = [means for means, text in ((Means.WEAPON, weapon), (Means.POWER, power_of(state, actor))) if text]
    return [Means.TRAIT, *things, Means.NONE]


def require_means(state: State, actor: UUID, uses: Means) -> None:
    """Refuse (`uses.invalid`) a check with a weapon or a power that is not there (DT-CHK-1)."""
    possible = check_means(state, actor)
    if uses not in possible:
        raise Refused(
            "uses.invalid",
            f"Here that is {listing(list(possible), 'or')}, not {uses}.",
            rules=("DT-CHK-1",),
            uses=[each.value for each in possible],
        )


def deciding_seats(state: State, actor: Actor) -> list[UUID]:
    """The seats that decide for somebody: the own one, or those of the world master."""
    return [actor.seat] if actor.seat is not None else [seat.id for seat in state.seats_of(Role.GM)]


def use_standing_answer(state: State, ctx: Context, actor: Actor, kind: str, about: UUID) -> Iterator[Event]:
    """Let those who decide for somebody know that what they said in advance was used (DT-WSH-7).

    about: what would have been asked about.
    """
    for seat in deciding_seats(state, actor):
        if standing_answer(state, seat, kind) is not None:
            yield StandingAnswerUsed(prompt=about, seat=seat, kind=kind)
