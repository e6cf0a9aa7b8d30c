"""How an artifact is created: paid, helped, rolled, and spent (FB-ART-1 to 8); what silence spends."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.audience import PUBLIC, reader
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.conflict.events import Helper, PoolRolled, PoolSent
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice, largest_dice
from games.forgeborn.rules.conflict.purchases import bought_by, helpers_of, lose_sacrifices, seats_after, settle_sum
from games.forgeborn.rules.conflict.spending import default_purchase, require_affordable
from games.forgeborn.rules.forge.events import ArtifactMade, HelpDeclined, HeroineRecruited
from games.forgeborn.rules.gains.events import Glory, Loss
from games.forgeborn.rules.gains.rules import gain_glory, lose_dice, spend_token
from games.forgeborn.rules.state.dice import number_of_dice
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import (
    Asked,
    Bought,
    Form,
    Function,
    PlaceKind,
    Size,
    StandingAnswer,
    StandingKind,
    Token,
    Value,
)
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.rules import standing_answer
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn

FORM_DICE = {
    Form.CLOTHING: Size.D4,
    Form.JEWELRY: Size.D6,
    Form.BLUNT: Size.D8,
    Form.RANGED: Size.D10,
    Form.BLADED: Size.D12,
}
"""The die that pays for a form (FB-ART-2)."""
FUNCTION_DICE = {
    Function.KNOWLEDGE: Size.D4,
    Function.PERSUASION: Size.D6,
    Function.FORTUNE: Size.D8,
    Function.CHANGE: Size.D10,
    Function.COMBAT: Size.D12,
}
"""The die that pays for a function (FB-ART-3)."""


class FormChoice(Value):
    """A form, and what pays for it: its own die, or a Resource token."""

    kind: Form
    """What the artifact is."""
    die: Size | None = None
    """The die that is sacrificed; null for a Resource token."""


class FunctionChoice(Value):
    """A function, and what pays for it: its own die, or a Secret token."""

    kind: Function
    """What the artifact is for."""
    die: Size | None = None
    """The die that is sacrificed; null for a Secret token."""


def require_payment(
    state: State, maker: Character, form: FormChoice, function: FunctionChoice
) -> tuple[tuple[Size, ...], tuple[Token, ...]]:
    """(the dice, the tokens) that pay for form and function; one own die is left to roll.

    Raises `kind.mismatch`, `die.missing`, `token.short`, `dice.none`.
    """
    dice, tokens = list[Size](), list[Token]()
    wants = (
        (form.die, FORM_DICE[form.kind], form.kind.value, Token.RESOURCE, "FB-ART-2"),
        (function.die, FUNCTION_DICE[function.kind], function.kind.value, Token.SECRET, "FB-ART-3"),
    )
    for die, needed, kind, token, rule in wants:
        if die is None:
            tokens.append(token)
        elif die is needed:
            dice.append(die)
        else:
            raise Refused(
                "kind.mismatch",
                f"{kind.title()} takes a d{needed}, or a {token.value.title()} token.",
                rules=(rule,),
                kind=kind,
                die=die,
                needs=needed,
            )
    _require_dice_to_pay(maker, dice)
    purse = state.purses[maker.seat]
    for token in tokens:
        if getattr(purse, token.value) < 1:
            raise Refused(
                "token.short",
                f"You have no {token.value.title()} token; pay with the die of its kind.",
                rules=("FB-ART-2", "FB-ART-3"),
                kind=token.value,
            )
    if number_of_dice(maker) - len(dice) < 1:
        raise Refused(
            "dice.none",
            "Form and function would take the last die; one is left to roll.",
            rules=("FB-ART-8", "FB-CON-6"),
        )
    return tuple(dice), tuple(tokens)


def pay(state: State, maker: Character, form: FormChoice, function: FunctionChoice) -> Iterator[Event]:
    """Pay for form, then for function."""
    for die, loss, token in ((form.die, Loss.FORM, Token.RESOURCE), (function.die, Loss.FUNCTION, Token.SECRET)):
        if die is None:
            yield from spend_token(state, maker.seat, token)
        else:
            yield from lose_dice(maker.id, (die,), loss)


def possible_helpers(state: State, maker: Character) -> list[Character]:
    """The other Smiths at the Citadel who have a die and whose seat is held, in the order of turns (FB-AMB-56)."""
    smiths = (state.smith_of(seat) for seat in seats_after(state, maker.seat))
    citadel = state.place_of_kind(PlaceKind.CITADEL).id
    return [s for s in smiths if s and s.place == citadel and number_of_dice(s) and state.is_held(s.seat)]


def go_on_with_creation(
    state: State, ctx: Context, action: Action, pool: PoolChoice | None, gain: GainChoice | None
) -> Iterator[Event]:
    """Form and function are paid: who can help is asked; with nobody there the pool sent along is rolled at once."""
    maker = state.characters[action.character]
    helpers = possible_helpers(state, maker)
    if gain is not None and (helpers or pool is None):
        yield PoolSent(conflict=action.id, seat=action.seat, has_pool=False, has_gain=True, raised=gain.raise_)
    if helpers:
        yield from _ask_for_help(state, ctx, action, helpers)
    elif pool is not None:
        yield from forge(state, ctx, action, pool.free, pool.sacrifice, (), gain)
    else:
        yield from ask_forge(state, ctx, action)


def ask_forge(state: State, ctx: Context, action: Action) -> Iterator[Event]:
    """Ask the maker for dice, and whose help is accepted."""
    yield from ask_row(state, ctx, Asked.FORGE, action.id, artifact=action.name)


def are_offers_in(state: State) -> bool:
    """Whether everybody who is asked for help and still holds the seat has answered."""
    asked, action = state.question(Asked.HELP), state.action()
    if asked is None or action is None:
        return False
    seats = [UUID(owner.removeprefix("seat:")) for owner in state.prompts[asked].owners]
    return all((action.id, seat) in state.offers for seat in seats if state.is_held(seat))


def settle_help(state: State, ctx: Context) -> Iterator[Event]:
    """All have answered, or the time is up: the maker forges."""
    yield from close_question(state, Asked.HELP, "all" if are_offers_in(state) else "deadline")
    yield from ask_forge(state, ctx, state.require_action())


def forge(
    state: State,
    ctx: Context,
    action: Action,
    free: tuple[Size, ...],
    sacrifice: tuple[Size, ...],
    helpers: Sequence[UUID],
    gain: GainChoice | None = None,
) -> Iterator[Event]:
    """The dice of a creation fall: the maker's, then the helpers' in the order of turns after the maker (FB-ART-8)."""
    rule, seats = "FB-ART-5", [seat for seat in seats_after(state, action.seat) if seat in helpers]
    own = f"creation/{action.id}/{action.seat}"
    total = sum(ctx.roll(own, size, rule) for size in (*free, *sacrifice))
    joined = list[Helper]()
    for seat in seats:
        offer = state.offers[action.id, seat]
        label = f"creation/{action.id}/{seat}"
        total += sum(ctx.roll(label, size, rule) for size in (*offer.free, *offer.sacrifice))
        joined.append(Helper(seat=seat, free=offer.free, sacrifice=offer.sacrifice))
    yield PoolRolled(character=action.character, free=free, sacrifice=sacrifice, helpers=tuple(joined), total=total)
    yield from close_question(state, Asked.FORGE, "forged")
    yield from settle_sum(state, ctx, state.actions[action.id], gain)


def forge_by_silence(state: State, ctx: Context) -> Iterator[Event]:
    """The three largest dice, or all; no Sacrifice, nobody's help (section 11: FORGE)."""
    action = state.require_action()
    yield from forge(state, ctx, action, largest_dice(state.characters[action.character]), (), ())


def spend(state: State, ctx: Context, action: Action, dice: tuple[Size, ...]) -> Iterator[Event]:
    """Spend the sum on dice: the artifact lies in the Vault, or the Heroine joins; the turn is over.

    Raises `purchase.empty`, `points.short`.
    """
    wasted = require_affordable(action.total or 0, dice)
    helpers = helpers_of(state, action)
    thing = ctx.mint(PUBLIC)
    if bought_by(action) is Bought.HEROINE:
        yield HeroineRecruited(
            character=thing,
            name=action.name,
            text=action.text,
            seat=action.seat,
            place=action.place,
            dice=dice,
            wasted=wasted,
        )
    else:
        yield _artifact_made(state, action, thing, dice, helpers, wasted)
    yield from close_question(state, Asked.SPEND, "spent")
    yield from lose_sacrifices(state, action)
    if bought_by(action) is Bought.ARTIFACT:
        yield from gain_glory(state, action.seat, len(dice), Glory.ARTIFACT)
        for seat in helpers:
            yield from gain_glory(state, seat, 1, Glory.HELP)
    yield from end_turn(state, TurnEnd.ACTION)


def spend_by_silence(state: State, ctx: Context) -> Iterator[Event]:
    """What silence buys (FB-AMB-39, FB-AMB-40)."""
    action = state.require_action()
    yield from spend(state, ctx, action, default_purchase(action.total or 0, bought_by(action)))


def _artifact_made(
    state: State, action: Action, thing: UUID, dice: tuple[Size, ...], helpers: Sequence[UUID], wasted: int
) -> ArtifactMade:
    if action.form is None or action.function is None:
        raise RuntimeError("an artifact has a form and a function")
    smiths = (state.smith_of(seat) for seat in helpers)
    return ArtifactMade(
        artifact=thing,
        name=action.name,
        text=action.text,
        form=action.form,
        function=action.function,
        dice=dice,
        power=len(dice),
        maker=action.character,
        helpers=tuple(smith.id for smith in smiths if smith is not None),
        wasted=wasted,
    )


def _ask_for_help(state: State, ctx: Context, action: Action, helpers: Sequence[Character]) -> Iterator[Event]:
    """Ask those who can help; who has declined in advance does so at once (FB-AMB-53)."""
    maker = state.characters[action.character].name
    yield from ask_row(state, ctx, Asked.HELP, action.id, maker=maker, artifact=action.name)
    asked = state.question(Asked.HELP)
    for smith in helpers:
        if asked is not None and standing_answer(state, ctx, smith.seat, StandingKind.HELP) is StandingAnswer.DECLINE:
            yield HelpDeclined(seat=smith.seat)
            yield PromptAnswered(prompt=asked, owner=reader(smith.seat), answer='"decline"')


def _require_dice_to_pay(maker: Character, dice: Sequence[Size]) -> None:
    """Refuse (`die.missing`) to pay with dice that the maker does not have."""
    short = next((die for die in dice if getattr(maker, f"d{die}") < list(dice).count(die)), None)
    if short is not None:
        raise Refused(
            "die.missing",
            f"{maker.name} has not the d{short} that this takes; pay with a token.",
            rules=("FB-ART-2", "FB-ART-3"),
            die=short,
        )
