"""Orders of a pantheon: which shares may be, when an order is void, and how it takes effect (G2-PAN-*)."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from games.engine.audience import readable
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Dependent, Domain, Fields, ListOf, OneOf
from games.engine.kernel import Actor, Context, Event
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pantheon.events import (
    PantheonChanged,
    PantheonOrderAccepted,
    PantheonOrderRefused,
    close_prompt_of,
    drop_draft,
)
from games.gods2.rules.pantheon.turmoil_events import TurmoilEnded
from games.gods2.rules.state.gods import god_members, god_of
from games.gods2.rules.state.records import (
    WHOLE,
    God,
    GodKind,
    GodStatus,
    PantheonOrder,
)
from games.gods2.rules.state.shares import JEALOUS, dissenter, share_list, shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf


def check_shares(state: State, pantheon: Sequence[ShareOf]) -> dict[str, int]:
    """The shares of a pantheon as it may be. Raises `pantheon.sum`, `pantheon.invalid`."""
    shares = shares_of(pantheon)
    total = sum(each.share for each in pantheon)
    if total != WHOLE or any(each.share <= 0 for each in pantheon):
        raise Refused(
            "pantheon.sum",
            f"Shares add up to {total / 100:g}%, not 100%, or somebody has none; who has none is left out.",
            rules=("G2-PAN-1",),
            sum=total,
        )
    unknown = [m for m in shares if not can_be_member(state, m)]
    if unknown or len(shares) < len(pantheon):
        raise Refused(
            "pantheon.invalid",
            "Members are gods by the id of their seat, `diabolism` and `atheism`, each once; demons are no members.",
            rules=("G2-PAN-2", "G2-PAN-7"),
            unknown=unknown,
        )
    return shares


def can_be_member(state: State, member: str) -> bool:
    """Whether a pantheon may have this member: a god, unless obliterated (AMB-48); diabolism; atheism."""
    gods = {str(g.id) for g in state.gods.values() if g.kind is GodKind.GOD and g.status is not GodStatus.OBLITERATED}
    return member in JEALOUS or member in gods


def member(state: State, actor: Actor, race: UUID) -> God:
    """The god who acts, a member of this pantheon. Raises `race.missing`, `god.missing`, `member.missing`."""
    found, god = state.race(race), god_of(state, actor)
    if god.id not in god_members(state, race):
        raise Refused(
            "member.missing", f"{god.name} is no member of the pantheon of {found.name}.", rules=("G2-PAN-3",)
        )
    return god


def open_order(state: State, order: UUID, actor: Actor) -> PantheonOrder:
    """A draft that this actor may read. Raises `order.closed`, also for one they may not know of."""
    found = state.orders.get(order)
    god = god_of(state, actor)
    if found is None or found.deferred or not readable(found.readers, (god.id,), gm=False):
        raise Refused(
            "order.closed",
            "This draft is not open: it was accepted, dropped, or waits for the next century.",
            rules=("G2-PAN-3",),
        )
    return found


def objection(state: State, order: PantheonOrder) -> tuple[str, str | None] | None:
    """Why an order is void now: reason and member; None when it is valid (G2-PAN-3, 5)."""
    shares = dict(order.pantheon)
    if not all(can_be_member(state, m) for m in shares) or state.races[order.race].extinct:
        return "members", None
    for god in god_members(state, order.race):
        if god not in order.signed:
            return "unsigned", str(god)
    veto = dissenter(state.pantheon(order.race), shares)
    return (veto, None) if veto else None


def accept_order(state: State, ctx: Context, order: PantheonOrder) -> Iterator[Event]:
    """A valid order takes effect; other drafts for this race are void with the pantheon they were made for.

    None makes diabolism leave: it agrees only when it gains (G2-PAN-5).
    """
    yield from close_prompt_of(state, order.id, "accepted")
    yield PantheonOrderAccepted(order=order.id, race=order.race)
    yield PantheonChanged(race=order.race, pantheon=share_list(dict(order.pantheon)), cause="order")
    yield from count_event(state, "orders_accepted", order.race)
    if state.races[order.race].turmoil:
        yield TurmoilEnded(race=order.race, cause="agreed")
        yield from count_event(state, "turmoil_agreed", order.race)
        if not state.races[order.race].turmoil_at_will:
            yield from count_event(state, "turmoil_agreed:power", order.race)
    for other in sorted(
        (o for o in state.orders.values() if o.race == order.race and not o.deferred), key=lambda o: o.id
    ):
        yield from drop_draft(state, other.id)
    name = state.races[order.race].name
    text = f"The gods of {name} agree on new shares."
    yield from enter_history(state, ctx, kind="pantheon", cause="order", words=text)


def apply_deferred_orders(state: State, ctx: Context) -> Iterator[Event]:
    """Orders of the last Calculation Phase take effect, judged again by the shares of this moment (AMB-32)."""
    for waiting in sorted((o for o in state.orders.values() if o.deferred), key=lambda o: o.id):
        against = objection(state, waiting)
        if against is None:
            yield from run_and_settle(state, ctx, accept_order(state, ctx, waiting), "pantheon")
        else:
            yield PantheonOrderRefused(order=waiting.id, reason=against[0], member=against[1])
            yield from drop_draft(state, waiting.id)


SHARING = "Any shares are good that add up to 10,000; the form has one member, or two alike."


def pantheon_domain(state: State) -> Domain:
    """Pantheons of one member or two: what a schema can say of shares that add up."""
    names = {str(god.id): god.name for god in state.gods.values()} | {jealous: jealous for jealous in JEALOUS}
    members = sorted(each for each in names if can_be_member(state, each))
    forms = [ListOf(_share_of_one(names, members, WHOLE), low=1, high=1)]
    for bit in range((len(members) - 1).bit_length()):  # any two differ in one bit of their places
        one, other = ([m for place, m in enumerate(members) if place >> bit & 1 == wanted] for wanted in (0, 1))
        first = (_share_of_one(names, one, WHOLE // 2), _share_of_one(names, other, WHOLE // 2))
        forms.append(ListOf(Dependent(), low=2, high=2, unique=False, first=first))
    return OneOf(tuple(forms))


def _share_of_one(names: Mapping[str, str], members: Sequence[str], share: int) -> Domain:
    """A share of any of these members."""
    return Fields({"member": Choices.with_titles({m: names[m] for m in members}), "share": Choices((share,))})
