"""The commands of chapter 5: Wishes are asked of the story, taken back, decided, and awarded."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.rules import actor_known_to, is_owner, own_actor
from games.dietower.rules.combat.rules import require_quiet_play
from games.dietower.rules.state.constants import MOST_TEXT, PRICES
from games.dietower.rules.state.records import StoryWish
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    Text,
    WishKind,
    WishReason,
    WishStatus,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import PLAY
from games.dietower.rules.wishes.events import StoryWishAsked, StoryWishWithdrawn
from games.dietower.rules.wishes.rules import decide_wish, deeds_of, earn_wish, require_wishes
from games.engine.audience import seat_and_gm
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Flag, FreeText
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row

OWN = frozenset({Issuer.SEAT, Issuer.GM})
MASTER = frozenset({Issuer.GM})


class AskWish(Enumerable[State]):
    """Ask something of the story: 2 Wishes for a part of it, 3 to convince someone, 4 to convince a group.

    The Wishes are held until the world master has decided; a refusal frees them.
    """

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-3", "DT-WSH-4", "DT-WSH-5")

    actor: UUID | None = None
    """Your character; may be left out where you have one."""
    kind: WishKind
    """What it is for, which says what it costs."""
    text: str = Field(min_length=1, max_length=MOST_TEXT)
    """What you wish for."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor, seat = self._wisher(state, ctx.actor, self.actor)
        price = PRICES[self.kind]
        require_wishes(state, actor, price, "DT-WSH-3")
        readers = seat_and_gm(seat)
        wish = ctx.mint(readers)
        yield StoryWishAsked(wish=wish, actor=actor, seat=seat, kind=self.kind, price=price, text=self.text)
        yield from ask_row(
            state, ctx, Asked.WISH_STORY, wish, wish=wish, actor=state.actors[actor].name, text=self.text
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        require_quiet_play(state)
        seat = state.seat(actor.acting_seat)
        for own in state.characters_of(seat.id):
            try:
                cls._wisher(state, actor, own.id)
                require_wishes(state, own.id, min(PRICES.values()), "DT-WSH-3")
            except Refused as barred:
                yield LegalCommand(cls.slug(), {"actor": Choices((own.id,))}, barred=barred)
                continue
            free = state.free_wishes(own.id)
            kinds = Choices.of(kind for kind, price in PRICES.items() if price <= free)
            domains = {"actor": Choices((own.id,)), "kind": kinds, "text": FreeText(low=1, high=MOST_TEXT)}
            yield LegalCommand(cls.slug(), domains, required=("actor",), facts={"free": free})

    @staticmethod
    def _wisher(state: State, asker: Actor, named: UUID | None) -> tuple[UUID, UUID]:
        """(the character, its seat). Raises `phase.closed`, `prompt.open`, `target.invalid`, `wish.pending`."""
        state.require(*PLAY)
        require_quiet_play(state)
        actor = own_actor(state, asker, named)
        if actor.seat is None or not is_owner(asker, actor):
            raise Refused("target.invalid", "Wishes are for the characters of players.", rules=("DT-WSH-5",))
        pending = next((w for w in state.wishes.values() if w.actor == actor.id and _is_pending(w)), None)
        if pending is not None:
            raise Refused(
                "wish.pending",
                f"A Wish of {actor.name} waits to be decided; withdraw-wish takes it back.",
                rules=("DT-WSH-4",),
                wish=pending.id,
            )
        return actor.id, actor.seat


class WithdrawWish(Enumerable[State]):
    """Take a story Wish back that is not decided yet; it stays a secret."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-4",)

    wish: UUID
    """Your Wish."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        wish = _pending_wish(state, ctx.actor, self.wish)
        if ctx.actor.acting_seat != wish.seat:
            raise Refused("wish.closed", "There is no such Wish of yours that waits.", rules=("DT-WSH-4",))
        prompt = state.question(Asked.WISH_STORY, wish.id)
        yield StoryWishWithdrawn(wish=wish.id)
        if prompt is not None:
            yield from close(state, prompt, "withdrawn")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        own = [w for w in state.wishes.values() if _is_pending(w) and w.seat == actor.acting_seat]
        for wish in own:
            yield LegalCommand(cls.slug(), {"wish": Choices((wish.id,))})


class DecideWish(Enumerable[State]):
    """Grant a story Wish, perhaps in another shape, or refuse it; a refusal frees its Wishes."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-4", "DT-AMB-10")

    wish: UUID
    """The Wish."""
    accept: bool
    """Whether it comes true."""
    text: Text = ""
    """How, or why not."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        yield from decide_wish(state, _pending_wish(state, ctx.actor, self.wish), accept=self.accept, text=self.text)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        for wish in filter(_is_pending, state.wishes.values()):
            domains = {"wish": Choices((wish.id,)), "accept": Flag(), "text": FreeText(high=MOST_TEXT)}
            yield LegalCommand(cls.slug(), domains)


class AwardWish(Enumerable[State]):
    """Give a character a Wish, for good role-play or for a moment of the story; a full one loses it.

    Where a check was the deed it may be named: a deed is told once.
    """

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-2", "DT-AMB-26")

    actor: UUID
    """A player's character."""
    reason: WishReason
    """`role_play` or `story`."""
    text: Text = ""
    """What it was for."""
    check: UUID | None = None
    """A check of the character that has succeeded; none where it was no check."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY)
        actor = actor_known_to(state, ctx.actor, self.actor)
        if actor.kind is not ActorKind.PC:
            raise Refused("target.invalid", f"{actor.name} is no player's character.", rules=("DT-WSH-5",))
        if self.reason is WishReason.PLACEMENT:
            raise Refused(
                "reason.invalid",
                "A die that stands earns its Wish by itself; say role_play or story.",
                rules=("DT-WSH-2",),
            )
        if self.check is not None and self.check not in {deed.id for deed in deeds_of(state, actor.id)}:
            raise Refused(
                "target.invalid",
                f"Name a check that {actor.name} has made with success, and that was not told yet; or none.",
                rules=("DT-WSH-2",),
            )
        yield from earn_wish(state, actor.id, self.reason, self.text, check=self.check, warn=True)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*PLAY)
        common: dict[str, Domain] = {
            "reason": Choices.of((WishReason.ROLE_PLAY.value, WishReason.STORY.value)),
            "text": FreeText(high=MOST_TEXT),
        }
        characters = [a.id for a in state.player_characters()]
        yield LegalCommand(cls.slug(), {"actor": Choices.of(characters), **common})
        for each in characters:
            deeds = Choices.of(deed.id for deed in deeds_of(state, each))
            if deeds.values:
                named = {"actor": Choices((each,)), **common, "check": deeds}
                yield LegalCommand(cls.slug(), named, required=("check",), note="For a deed.")


def _is_pending(wish: StoryWish) -> bool:
    return wish.status is WishStatus.PENDING


def _pending_wish(state: State, asker: Actor, wish: UUID) -> StoryWish:
    """The pending Wish of this id, which the asker may know. Raises `wish.closed`, also for another's secret."""
    found = state.wishes.get(wish)
    if found is None or not _is_pending(found) or not (asker.is_gm or asker.acting_seat == found.seat):
        raise Refused(
            "wish.closed", "This Wish is not waiting: decided, taken back, or never asked.", rules=("DT-WSH-4",)
        )
    return found
