"""The events of chapter 5: Wishes are earned, lost and spent, and asked of the story."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.records import StoryWish
from games.dietower.rules.state.schema_types import WishKind, WishReason, WishStatus
from games.dietower.rules.state.state import State
from games.engine.audience import Audience, seat_and_gm
from games.engine.kernel import Event
from games.engine.wording import full_sentence, quantity

REASONS = {
    WishReason.PLACEMENT: "for a die that stands",
    WishReason.ROLE_PLAY: "for good role-play",
    WishReason.STORY: "for a moment of the story",
}
KINDS = {
    WishKind.ELEMENT: "a part of the story",
    WishKind.SOMEONE: "to convince someone",
    WishKind.GROUP: "to convince a group",
}


def _tell_deed(state: State, check: UUID | None) -> None:
    """A check that was named as a deed is told."""
    if check is not None:
        state.checks[check] = replace(state.checks[check], told=True)


class WishEarned(Event[State]):
    """A character has earned a Wish."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-2",)

    actor: UUID
    reason: WishReason
    wishes: int
    """The balance after it."""
    text: str = ""
    check: UUID | None = None
    """The check that was the deed; null for none."""

    def apply(self, state: State) -> None:
        state.set_sheet(self.actor, wishes=self.wishes)
        _tell_deed(state, self.check)

    def sentence(self, state: State) -> str:
        words = f"{state.actors[self.actor].name} earns a Wish {REASONS[self.reason]}, and has {self.wishes}."
        return f"{words} {full_sentence(self.text)}".strip()


class WishLost(Event[State]):
    """A Wish was earned by a character who holds as many as the level allows: it is lost."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-1", "DT-AMB-18", "DT-AMB-26")

    actor: UUID
    reason: WishReason
    wishes: int
    text: str = ""
    warnings: tuple[str, ...] = ()
    """`wishes.full` where the world master awarded it."""
    check: UUID | None = None
    """The check that was the deed; null for none."""

    def apply(self, state: State) -> None:
        _tell_deed(state, self.check)

    def sentence(self, state: State) -> str:
        name = state.actors[self.actor].name
        return f"{name} has {quantity(self.wishes, 'Wish', 'Wishes')}, as many as the level allows: one more is lost."


class WishesSpent(Event[State]):
    """A character has spent Wishes: on dice (`die`) or on the story."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-3",)

    actor: UUID
    count: int
    wishes: int
    """The balance after it."""
    kind: str

    def apply(self, state: State) -> None:
        state.set_sheet(self.actor, wishes=self.wishes)

    def sentence(self, state: State) -> str:
        spent = quantity(self.count, "Wish", "Wishes")
        return f"{state.actors[self.actor].name} spends {spent}; {self.wishes} left."


class StoryWishAsked(Event[State]):
    """A player asks something of the story; a secret of theirs and the world master's until it is decided."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-4", "DT-AMB-39")

    wish: UUID
    actor: UUID
    seat: UUID
    kind: WishKind
    price: int
    text: str

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: State) -> None:
        state.wishes[self.wish] = StoryWish(self.wish, self.actor, self.seat, self.kind, self.price, self.text)

    def sentence(self, state: State) -> str:
        price = quantity(self.price, "Wish", "Wishes")
        return f"{state.actors[self.actor].name} asks for {price}, {KINDS[self.kind]}: {full_sentence(self.text)}"


class StoryWishWithdrawn(Event[State]):
    """A story Wish was taken back; it stays a secret."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-4",)

    wish: UUID

    def audience(self, state: State) -> Audience:
        return seat_and_gm(state.wishes[self.wish].seat)

    def apply(self, state: State) -> None:
        state.wishes[self.wish] = replace(state.wishes[self.wish], status=WishStatus.WITHDRAWN)

    def sentence(self, state: State) -> str:
        return f"{state.actors[state.wishes[self.wish].actor].name} takes the Wish for the story back."


class StoryWishDecided(Event[State]):
    """The world master has decided a story Wish; what was asked is public from now on."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-4", "DT-AMB-10")

    wish: UUID
    actor: UUID
    kind: WishKind
    asked: str
    accept: bool
    text: str
    """How it comes true, or why not."""

    def apply(self, state: State) -> None:
        status = WishStatus.ACCEPTED if self.accept else WishStatus.REFUSED
        state.wishes[self.wish] = replace(state.wishes[self.wish], status=status, text=self.text)

    def sentence(self, state: State) -> str:
        name, verdict = state.actors[self.actor].name, "is granted" if self.accept else "is refused"
        return f"{name} {verdict} {KINDS[self.kind]}: {full_sentence(self.asked)} {full_sentence(self.text)}".strip()
