"""Combined castings (G2-HIST-2 to 4): gods who are present add their cards of one sphere and share the price.

The first one casts, the others are asked; nobody pays unless all agree and all can. What is proposed is a secret of
the casters and the GMs. Personal and borrowed powers are never combined; an artifact's may be.
"""

from collections.abc import Iterator, Sequence
from typing import Literal
from uuid import UUID

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import answers_to, close, verdict
from games.gods2.rules.casting.completion import carry_out_called, finish_casting
from games.gods2.rules.casting.events import (
    CastingAnswered,
    CastingProposed,
    CastingWithdrawn,
    Wish,
    casters_of,
    on_targets,
)
from games.gods2.rules.casting.rules import Casting, check_purse, check_purses, prepare_casting
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.state.effect_records import GrantSource, Proposal
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import God
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf
from games.gods2.rules.window.prompts import ask_question, call_of
from games.gods2.rules.window.queue import call_next, draw_number
from games.gods2.rules.window.standing_answers import answer_to_casting, use_standing_answer

Steps = Iterator[Event]

Split = Literal["equal", "given"]


LACKS = {
    "god.dead": ": somebody is dead",
    "power.not_combinable": ": it is personal or borrowed for somebody",
    "mana.split": ": the parts do not add up to the price any more",
}
"""Why a proposal has come to nothing, without what others own."""


def partners(state: State, primary: God, parts: Sequence[PartOf]) -> tuple[God, ...]:
    """All casters, the primary one first. Raises `mana.split`, `seat.missing`, `god.dead`, `caster.absent`."""
    named = [part.seat for part in parts] or [primary.id]
    if named[0] != primary.id or len(set(named)) < len(named):
        raise Refused("mana.split", "Name every caster once, and yourself first.", rules=("G2-HIST-3",))
    if any(seat not in state.gods for seat in named):
        raise Refused("seat.missing", "There is no god at one of these seats.", rules=("G2-HIST-2",))
    casters = tuple(state.gods[seat] for seat in named)
    for god in casters:
        state.require_able(god)
    return casters


def check_combinable(state: State, power: Power, casters: Sequence[God]) -> None:
    """Refuse (`power.not_combinable`) a power that is personal, or borrowed by one of them (G2-HIST-4)."""
    own = {god.id for god in casters}
    held = [g for g in state.grants.values() if g.power == power.id and g.seat in own]
    if len(casters) > 1 and (
        power.kind == "personal" or any(grant.source is not GrantSource.ARTIFACT for grant in held)
    ):
        raise Refused(
            "power.not_combinable",
            f"{power.name} is personal or borrowed for one of you; such powers are cast alone.",
            rules=("G2-HIST-4",),
            power=power.id,
        )


def payer_shares(amount: int, parts: Sequence[PartOf], split: Split) -> tuple[PartOf, ...]:
    """What each pays: equal shares, the remainder to the primary; or as given. Raises `mana.split` (G2-HIST-3)."""
    if split == "given":
        if sum(part.amount for part in parts) != amount:
            raise _split_refusal(
                f"The parts add up to {sum(p.amount for p in parts)} mana; the price is {amount}.", amount
            )
        return tuple(parts)
    each, rest = divmod(amount, len(parts))
    equal = tuple(PartOf(seat=p.seat, amount=each + (rest if n == 0 else 0)) for n, p in enumerate(parts))
    if any(part.amount for part in parts) and equal != tuple(parts):
        raise _split_refusal("These parts are not equal; leave the amounts out, or split as given.", amount)
    return equal


def _split_refusal(message: str, price: int) -> Refused:
    return Refused("mana.split", message, rules=("G2-HIST-3",), price=price)


def common(state: State, casters: Sequence[God], wish: Wish) -> Casting:
    """The casting that these gods wish for, as it could be made now. Raises what `prepare_casting` raises."""
    return prepare_casting(state, casters, wish.power, wish.targets, choice=wish.choice, signed=wish.signed)


def propose_casting(state: State, ctx: Context, wish: Wish, casting: Casting, parts: tuple[PartOf, ...]) -> Steps:
    """Ask the partners of the called caster; who has said in advance what they answer is not waited for.

    Without a number one is drawn and called, as nobody waits.
    """
    check_purse(state, casting.primary, parts[0].amount, casting.power)
    if state.era.called is None:
        yield from draw_number(state, casting.primary.id)
        yield from call_next(state, ctx)
    readers = casters_of(parts)
    identity, prompt = ctx.mint(readers), ctx.mint(readers)
    yield CastingProposed(
        casting=identity,
        prompt=prompt,
        power=wish.power,
        targets=wish.targets,
        price=casting.price.amount,
        parts=parts,
        choice=wish.choice,
        signed=wish.signed,
    )
    yield from ask_question(
        state,
        ctx,
        Asked.JOIN,
        identity,
        parent=call_of(state),
        prompt=prompt,
        owners=[reader(part.seat) for part in parts[1:]],
        readers=readers,
        choices=("true", "false"),
        power=f"{casting.power.name}{on_targets(state, wish.targets)}",
        caster=casting.primary.name,
    )
    for part in parts[1:]:
        consents = answer_to_casting(state, part.seat, casting.primary.id, part.amount)
        if prompt in state.prompts and consents is not None and (not consents or is_able(state, part, casting.power)):
            yield from use_standing_answer(prompt, part.seat, "true" if consents else "false")
            yield from record_reply(state, ctx, prompt, identity, part.seat, yes=consents)


def _reason(why: Refused) -> str:
    """Why a casting is withdrawn, for all casters: what one of them lacks is a secret, and so are the numbers."""
    own = why.code in ("caster.absent", "mana.short", "power.level")
    return "one of the casters cannot any more" if own else f"it is not possible any more{LACKS.get(why.code, '')}"


def is_able(state: State, part: PartOf, power: Power) -> bool:
    try:
        check_purse(state, state.gods[part.seat], part.amount, power)
    except Refused:
        return False
    return True


def record_reply(state: State, ctx: Context, prompt: UUID, casting: UUID, seat: UUID, *, yes: bool) -> Steps:
    """A partner has answered: at a no the casting is withdrawn, at the last yes it is made."""
    yield CastingAnswered(casting=casting, seat=seat, yes=yes)
    settled = verdict(state.prompts[prompt], answers_to(state, prompt))
    if settled is None:
        return
    yield from close(state, prompt, "answered")
    if settled:
        yield from _make_casting(state, ctx, state.proposals[casting])
    else:
        yield from _withdraw_proposal(state, ctx, casting, f"{state.gods[seat].name} says no")


def _withdraw_proposal(state: State, ctx: Context, casting: UUID, reason: str) -> Steps:
    yield CastingWithdrawn(casting=casting, reason=reason)
    yield from finish_casting(state, ctx)


def _make_casting(state: State, ctx: Context, proposal: Proposal) -> Steps:
    """All have agreed: everything is checked again; then all pay and it works, or nobody does."""
    parts = tuple(PartOf(seat=seat, amount=amount) for seat, amount in proposal.parts)
    wish = Wish.model_validate_json(proposal.wish)
    try:
        casters = partners(state, state.gods[proposal.primary], parts)
        casting = common(state, casters, wish)
        check_combinable(state, casting.power, casters)
        payer_shares(casting.price.amount, parts, "given")
        check_purses(state, casting.power, parts)
    except Refused as why:
        yield from _withdraw_proposal(state, ctx, proposal.id, _reason(why))
        return
    yield from carry_out_called(state, ctx, casting, parts, proposal.id)


def withdraw_by_silence(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Steps:
    """The partners have not answered in time: the casting is withdrawn."""
    if prompt.subject is None:
        raise RuntimeError("what is joined is a casting")
    yield from close(state, prompt.id, "deadline")
    yield from _withdraw_proposal(state, ctx, prompt.subject, "not all have answered in time")
