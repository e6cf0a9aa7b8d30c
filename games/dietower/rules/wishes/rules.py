"""Wishes: how many somebody holds, and how they come and go (DT-WSH-1..6)."""

from collections.abc import Iterator
from uuid import UUID

from games.dietower.rules.state.records import Check, StoryWish
from games.dietower.rules.state.schema_types import Asked, WishReason
from games.dietower.rules.state.state import State
from games.dietower.rules.wishes.events import StoryWishDecided, WishEarned, WishesSpent, WishLost
from games.engine.errors import Refused
from games.engine.kernel import Event
from games.engine.prompts.prompt import close
from games.engine.wording import quantity


def earn_wish(
    state: State,
    actor: UUID,
    reason: WishReason,
    text: str = "",
    *,
    check: UUID | None = None,
    warn: bool = False,
) -> Iterator[Event]:
    """Give somebody a Wish; it is lost where they hold as many as their level (DT-WSH-1). Others earn none.

    check: the check that was the deed. warn: whether a lost one carries the warning `wishes.full` (DT-AMB-26).
    """
    sheet = state.sheets.get(actor)
    if sheet is None:
        return
    if sheet.wishes < sheet.level:
        yield WishEarned(actor=actor, reason=reason, wishes=sheet.wishes + 1, text=text, check=check)
    else:
        warnings = ("wishes.full",) if warn else ()
        yield WishLost(actor=actor, reason=reason, wishes=sheet.wishes, text=text, warnings=warnings, check=check)


def deeds_of(state: State, actor: UUID) -> list[Check]:
    """The checks of somebody that have succeeded and were not told yet, by their ids (DT-WSH-2)."""
    found = [check for check in state.checks.values() if check.actor == actor and check.success and not check.told]
    return sorted(found, key=lambda check: check.id)


def require_wishes(state: State, actor: UUID, count: int, rule: str) -> None:
    """Refuse (`wishes.short`) what costs more than is free: the balance without what is held (DT-WSH-6)."""
    free = state.free_wishes(actor)
    if free < count:
        raise Refused(
            "wishes.short",
            f"This takes {quantity(count, 'Wish', 'Wishes')}; {free} are free.",
            rules=(rule,),
            price=count,
            free=free,
        )


def spend_wishes(state: State, actor: UUID, count: int, kind: str) -> Iterator[Event]:
    """Take Wishes from somebody. kind: `die`, or what of the story they are for."""
    left = state.sheets[actor].wishes - count
    yield WishesSpent(actor=actor, count=count, wishes=left, kind=kind)


def decide_wish(state: State, wish: StoryWish, *, accept: bool, text: str) -> Iterator[Event]:
    """Close a story Wish: granted, it is paid; refused, its Wishes are free again (DT-WSH-4)."""
    prompt = state.question(Asked.WISH_STORY, wish.id)
    yield StoryWishDecided(wish=wish.id, actor=wish.actor, kind=wish.kind, asked=wish.asked, accept=accept, text=text)
    if accept:
        yield from spend_wishes(state, wish.actor, wish.price, wish.kind)
    if prompt is not None:
        yield from close(state, prompt, "true" if accept else "false")
