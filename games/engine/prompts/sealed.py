"""Sealed answers with a commitment: written in secret, proved by a digest, revealed together (CF-9).

digest = SHA-256 of "salt:value", both UTF-8, in hexadecimal; the value is canonical JSON. The digest of the first
writing is public at once, so a reader of the reveal can check that an answer which was not rewritten stood before the
others were known. The salt comes from a secret of its own. A client that trusts nobody sends the digest alone
(`commit_digest`) and opens it when all are in: a question is put inside the sealed one, to those who hold
an unopened seal. A ruleset names its own events: it subclasses `AnswerWritten` and `AnswerSealed` and adds typed
fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from games.engine.audience import Audience, Reader, reader, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import Answer, GameState, Prompt, S_contra
from games.engine.kernel import Actor, Context, DryRunEnd, Event
from games.engine.prompts.prompt import PromptClosed, PromptOpened, innermost, open_prompt, owner_for

DIGEST = r"^[0-9a-f]{64}$"
SHORTEST_SALT = 16  # characters: few orders can be guessed, so the salt must not be


class ClientSealed:
    """Marks a command of which an argument is a digest, or opens one: programs send it, and no page offers it."""


class AnswerWritten(Event[S_contra], abstract=True):
    """A seat has written or opened a sealed answer: itself and the GMs alone know what."""

    prompt: UUID
    seat: UUID
    salt: str = ""
    """Empty while only the digest is known."""
    digest: str

    def value(self) -> str:
        """The answer as canonical JSON; "" while only the digest is known."""
        return ""

    def audience(self, state: S_contra) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: S_contra) -> None:
        owner, readers = reader(self.seat), self.audience(state)
        state.answers[self.prompt, owner] = Answer(self.prompt, owner, self.value(), readers, self.salt, self.digest)


class AnswerSealed(Event[S_contra], abstract=True):
    """A seat has handed in a sealed answer: that, not what. Reported once; a change of mind is secret."""

    prompt: UUID
    seat: UUID
    digest: str

    def audience(self, state: S_contra) -> Audience:
        return state.prompts[self.prompt].audience


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """What makes an answer a sealed one: whose it is, its salt and digest, and whether it is the owner's first."""

    prompt: UUID
    seat: UUID
    salt: str
    digest: str
    first: bool


def digest_of(salt: str, value: str) -> str:
    """The commitment to a value: SHA-256 of `salt:value`, hexadecimal."""
    return sha256(f"{salt}:{value}".encode()).hexdigest()


def seal_answer(state: GameState, ctx: Context, prompt_id: UUID, value: str) -> SealedAnswer:
    """Seal an answer with a fresh salt. Raises `prompt.closed`, `prompt.not_yours`, `prompt.open`."""
    prompt, seat = owing(state, ctx.actor, prompt_id)
    return seal_value(state, ctx, prompt, seat, value, seat_and_gm(seat))


def seal_value(state: GameState, ctx: Context, prompt: Prompt, seat: UUID, value: str, to: Audience) -> SealedAnswer:
    """Seal what a seat answers, or what its silence means, with a fresh salt. to: the readers of the next event."""
    salt = ctx.salt(to)
    return SealedAnswer(prompt.id, seat, salt, digest_of(salt, value), _first(state, prompt, seat))


def commit_digest(state: GameState, ctx: Context, prompt_id: UUID, digest: str) -> SealedAnswer:
    """Hand in a digest alone; the value stays with the client. Raises what `seal_answer` raises."""
    prompt, seat = owing(state, ctx.actor, prompt_id)
    return SealedAnswer(prompt.id, seat, "", digest, _first(state, prompt, seat))


def unopened_seats(state: GameState, prompt: UUID) -> list[UUID]:
    """The seats of which only a digest is known, by id."""
    found = [a for (p, _), a in state.answers.items() if p == prompt and a.digest and not a.value]
    return sorted(_seat_of(a.owner) for a in found)


def open_answer(state: GameState, ctx: Context, opening_id: UUID, value: str, salt: str) -> SealedAnswer:
    """The stamp of a sealed answer that its owner opens in the reveal window.

    Raises `prompt.closed`, `prompt.not_yours`, `seal.opened`, `seal.weak` and, when value and salt do not give the
    digest that was handed in, `seal.broken`.
    """
    opening = open_prompt(state, opening_id)
    if opening.parent is None:
        raise Refused("prompt.closed", "There is nothing to open yet; wait until all are in.")
    owner = owner_for(state, opening, ctx.actor)
    held = state.answers[opening.parent, owner]
    if held.value:
        raise Refused("seal.opened", "You have opened it already.")
    if len(salt) < SHORTEST_SALT:
        raise Refused("seal.weak", f"A salt has {SHORTEST_SALT} characters at least.", need=SHORTEST_SALT)
    if digest_of(salt, value) != held.digest:
        raise Refused(
            "seal.broken",
            "This is not what you sealed: SHA-256 of salt, colon and the answer's canonical JSON gives another digest.",
            sealed=held.digest,
            given=digest_of(salt, value),
        )
    return SealedAnswer(opening.parent, _seat_of(owner), salt, held.digest, first=False)


def run_until_opened(state: GameState, events: Iterator[Event]) -> Iterator[Event]:
    """The events of a dry run until a sealed question is settled, or a secret of somebody else is opened: what others
    have sealed, and what comes of it, is shown to nobody who has not answered in earnest. Each event is applied before
    the next is taken."""
    try:
        for event in events:
            if _settles_seal(state, event):
                return
            yield event
    except DryRunEnd:
        return


def note_disclosures(state: GameState, ctx: Context, events: Iterator[Event]) -> Iterator[Event]:
    """The events of a decision; its context says whether one of them is where a dry run would end."""
    for event in events:
        ctx.discloses |= _settles_seal(state, event)
        yield event


def _settles_seal(state: GameState, event: Event) -> bool:
    """Whether an event that is about to be applied settles a sealed question, or opens a secret of somebody else."""
    asked = event.prompt if isinstance(event, PromptClosed) else None
    asked = event.parent if isinstance(event, PromptOpened) else asked
    return event.unseals or (asked is not None and asked in state.prompts and state.prompts[asked].sealed)


def owing(state: GameState, actor: Actor, prompt_id: UUID) -> tuple[Prompt, UUID]:
    """The sealed question that an actor may answer now, and the actor's seat. Raises what `seal_answer` raises."""
    prompt = open_prompt(state, prompt_id)
    owner = owner_for(state, prompt, actor)
    if not innermost(state, prompt):
        raise Refused("prompt.open", "All are in, and some seals are being opened; nobody writes any more.")
    return prompt, _seat_of(owner)


def _first(state: GameState, prompt: Prompt, seat: UUID) -> bool:
    return (prompt.id, reader(seat)) not in state.answers


def _seat_of(owner: Reader) -> UUID:
    return UUID(owner.removeprefix("seat:"))
