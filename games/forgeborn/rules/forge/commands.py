"""The commands of a creation: begin, help, forge, and spend what the dice have shown (FB-ART, FB-HER-1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Annotated, Any, ClassVar, TypeVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Domain, Fields, FreeText, ListOf, OneOf
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event
from games.engine.lifecycle.seating import Name
from games.engine.prompts.prompt import answer
from games.forgeborn.rules.conflict.deeds import RULES, require_kind, require_place_of
from games.forgeborn.rules.conflict.forecast import forecast_begun_creation, forecast_creation
from games.forgeborn.rules.conflict.offers import at_most, dice_cases, dice_fields, gain_domain
from games.forgeborn.rules.conflict.pool import (
    GainChoice,
    PoolChoice,
    Sizes,
    largest_dice,
    require_able,
    require_dice,
)
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.rules import answerable, require_open
from games.forgeborn.rules.conflict.spending import most_dice
from games.forgeborn.rules.forge.events import ArtifactBegun, HelpDeclined, HelpOffered
from games.forgeborn.rules.forge.rules import (
    FORM_DICE,
    FUNCTION_DICE,
    FormChoice,
    FunctionChoice,
    forge,
    go_on_with_creation,
    pay,
    possible_helpers,
    require_payment,
    spend,
)
from games.forgeborn.rules.gains.rules import require_gain
from games.forgeborn.rules.state.constants import MOST_NAME, MOST_SEATS, MOST_TEXT
from games.forgeborn.rules.state.dice import dice_of, fields_of, number_of_dice
from games.forgeborn.rules.state.names import require_free_name
from games.forgeborn.rules.state.records import Action, Character
from games.forgeborn.rules.state.schema_types import (
    CharacterKind,
    Deed,
    Form,
    Function,
    PlaceKind,
    Size,
    Text,
)
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.rules import require_turn

Kind = TypeVar("Kind", Form, Function)
SUM_OF_PRICES = "Any dice are good whose prices come to the sum; the schema says how many of the largest fit."
NOT_FOR_PAY = "In `pool` are the dice that neither form nor function could take; asked again, you may name the others."


class BeginArtifact(Forecastable[State]):
    """Begin an artifact at the Citadel: form and function are paid, the others there are asked for help."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-1", "FB-ART-2", "FB-ART-3", "FB-ART-8")

    name: Name
    """What it is called; no other artifact is."""
    text: Text = ""
    """What it looks like."""
    form: FormChoice
    """What it is, and what pays for that."""
    function: FunctionChoice
    """What it is for, and what pays for that."""
    pool: PoolChoice | None = None
    """Your dice, sent at once; they are rolled where nobody else could help."""
    gain: GainChoice | None = None
    """What a failure shall bring."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        maker = self._maker(state, ctx.actor)
        dice, _ = require_payment(state, maker, self.form, self.function)
        self._rest(maker, dice)
        require_free_name(self.name, [artifact.name for artifact in state.artifacts.values()], "artifact")
        creation = ctx.mint(PUBLIC)
        yield ArtifactBegun(
            creation=creation,
            seat=maker.seat,
            character=maker.id,
            name=self.name,
            text=self.text,
            form=self.form.kind,
            function=self.function.kind,
        )
        yield from pay(state, maker, self.form, self.function)
        yield from go_on_with_creation(state, ctx, state.actions[creation], self.pool, self.gain)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """What is paid, and the largest Power that the pool buys; without one the three largest dice that are left."""
        maker = self._maker(state, actor)
        dice, tokens = require_payment(state, maker, self.form, self.function)
        left = self._rest(maker, dice)
        own = (*self.pool.free, *self.pool.sacrifice) if self.pool is not None else largest_dice(left)
        price = [*(f"d{die}" for die in dice), *(token.value for token in tokens)]
        return forecast_begun_creation(maker, price, own, is_helped=bool(possible_helpers(state, maker)))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        maker = require_turn(state, actor)
        purse = state.purses[maker.seat]
        facts = {"dice": list(dice_of(maker)), "resource": purse.resource, "secret": purse.secret}
        ways = payments(state, maker)
        after = {form: [function for other, function in ways if other == form] for form, _ in ways}
        functions = list(dict.fromkeys(function for _, function in ways))
        domains: dict[str, Domain] = {
            "name": FreeText(low=1, high=MOST_NAME).but(artifact.name for artifact in state.artifacts.values()),
            "text": FreeText(high=MOST_TEXT),
            "form": _paid(FORM_DICE, after),
            "function": _paid(FUNCTION_DICE, functions),
        }
        try:
            cls._maker(state, actor)
            require_able(maker)
            if not ways:
                require_payment(state, maker, FormChoice(kind=Form.CLOTHING), FunctionChoice(kind=Function.KNOWLEDGE))
        except Refused as barred:
            yield LegalCommand(cls.slug(), domains, barred=barred, facts=facts)
            return
        left = _never_paid(maker, after, functions)
        if number_of_dice(left):
            words = {"text": FreeText(high=MOST_TEXT)}
            domains |= {"pool": Fields({**dice_fields(left), **words}, cases=dice_cases(left))}
        domains |= {"gain": gain_domain(left)}
        cases = tuple(
            Case({"form": _with_die(form)}, {"function": _paid(FUNCTION_DICE, able)})
            for form, able in after.items()
            if form is not None and able != functions
        )
        yield LegalCommand(cls.slug(), domains, facts=facts, cases=cases, note=NOT_FOR_PAY)

    @staticmethod
    def _maker(state: State, actor: Actor) -> Character:
        maker = require_turn(state, actor)
        require_kind(maker, CharacterKind.SMITH, RULES[Deed.BEGIN_ARTIFACT])
        require_place_of(state, maker, Deed.BEGIN_ARTIFACT)
        return maker

    def _rest(self, maker: Character, paid: tuple[Size, ...]) -> Character:
        """The maker with the dice that form and function leave. Refuses a pool or a gain that these do not give."""
        rest = list(dice_of(maker))
        for die in paid:
            rest.remove(die)
        left = replace(maker, **fields_of(rest))
        if self.pool is not None:
            if self.pool.artifacts:
                raise Refused("artifact.barred", "No artifact helps in a creation.", rules=("FB-ART-4",))
            require_dice(left, self.pool.free, self.pool.sacrifice)
        if self.gain is not None:
            require_gain(left, self.gain.raise_)
        return left


class OfferHelp(Enumerable[State]):
    """Offer dice to a maker at the Citadel; they may be changed until all have answered."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-4", "FB-ART-8", "FB-AMB-10")

    free: Sizes
    """1 to 3 dice of your Smith, which you keep."""
    sacrifice: Sizes = ()
    """Further dice, which are lost, beside three free ones."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = _helper(state, ctx.actor, type(self))
        prompt = answerable(state, ctx.actor, type(self))
        require_dice(smith, self.free, self.sacrifice)
        yield HelpOffered(seat=smith.seat, free=self.free, sacrifice=self.sacrifice)
        yield from answer(state, ctx, prompt.id, '"offer"')

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        smith = _helper(state, actor, cls)
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug(), dice_fields(smith), cases=dice_cases(smith))


class DeclineHelp(Enumerable[State]):
    """Do not help a maker at the Citadel."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-8", "FB-AMB-34")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = _helper(state, ctx.actor, type(self))
        prompt = answerable(state, ctx.actor, type(self))
        yield HelpDeclined(seat=smith.seat)
        yield from answer(state, ctx, prompt.id, '"decline"')

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _helper(state, actor, cls)
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug())


class ForgeArtifact(Forecastable[State]):
    """Roll your dice, and those of the offers that you accept."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-4", "FB-ART-5", "FB-ART-8")

    free: Sizes
    """1 to 3 of your dice."""
    sacrifice: Sizes = ()
    """Further dice, which are lost."""
    helpers: Annotated[tuple[UUID, ...], Field(max_length=MOST_SEATS)] = ()
    """The seats whose offers you accept."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        action = self._action(state, ctx.actor)
        yield from forge(state, ctx, action, self.free, self.sacrifice, self.helpers)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        action = self._action(state, actor)
        offers = [state.offers[action.id, seat] for seat in dict.fromkeys(self.helpers)]
        help_ = [size for offer in offers for size in (*offer.free, *offer.sacrifice)]
        return forecast_creation(state.characters[action.character], (*self.free, *self.sacrifice), help_)

    def _action(self, state: State, actor: Actor) -> Action:
        """The creation that is forged. Raises what `answerable` and `require_dice` raise, and `help.missing`."""
        answerable(state, actor, type(self))
        action = state.require_action()
        require_dice(state.characters[action.character], self.free, self.sacrifice)
        offered = _offers(state)
        unknown = next((seat for seat in self.helpers if seat not in offered), None)
        if unknown is not None:
            raise Refused(
                "help.missing",
                "This seat has offered no help; accept one of those that have.",
                rules=("FB-ART-8",),
                seat=unknown,
                offers=offered,
            )
        return action

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        offered = _offers(state)
        maker = state.characters[state.require_action().character]
        domains = {**dice_fields(maker), "helpers": ListOf(Choices.of(offered), high=len(offered))}
        yield LegalCommand(cls.slug(), domains, cases=dice_cases(maker))


class SpendRoll(Enumerable[State]):
    """Buy dice with what the roll has shown: of the artifact, or of the Heroine. Each costs its faces and 1."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-5", "FB-HER-1")

    dice: Sizes
    """The dice, by their sizes."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        answerable(state, ctx.actor, type(self))
        yield from spend(state, ctx, state.require_action(), self.dice)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        action = state.require_action()
        total = action.total or 0
        sizes = Choices.of([size for size in Size if size + 1 <= total])
        dice = ListOf(sizes, low=1, high=most_dice(total), unique=False)
        cases = at_most({size: total // (size + 1) for size in sizes.values})
        facts = {"total": total, "for": bought_by(action)}
        yield LegalCommand(cls.slug(), {"dice": dice}, facts=facts, cases=cases, note=SUM_OF_PRICES)


def _helper(state: State, actor: Actor, command: type[Command]) -> Character:
    """The Smith of the seat that acts, at the Citadel. Raises `phase.closed`, `prompt.closed`, `place.wrong`."""
    require_open(state, command)
    smith = state.smith_of(state.seat(actor.acting_seat).id)
    citadel = state.place_of_kind(PlaceKind.CITADEL)
    if smith is None or smith.place != citadel.id:
        raise Refused(
            "place.wrong",
            f"Help is given at {citadel.name}; your Smith is elsewhere.",
            rules=("FB-ART-4", "FB-AMB-10"),
        )
    return smith


def _offers(state: State) -> list[UUID]:
    """The seats that have offered help to the creation that is open."""
    action = state.require_action().id
    return [offer.seat for offer in state.offers.values() if offer.action == action and not offer.is_declined]


def payments(state: State, maker: Character) -> list[tuple[Size | None, Size | None]]:
    """What may pay for a form and for a function, each a die or a token (None): all that `require_payment` takes."""
    found = list[tuple[Size | None, Size | None]]()
    dice = (*dict.fromkeys(dice_of(maker)), None)
    for form, function in product(dice, dice):
        paid = FormChoice(kind=_kind(FORM_DICE, form), die=form)
        try:
            require_payment(state, maker, paid, FunctionChoice(kind=_kind(FUNCTION_DICE, function), die=function))
        except Refused:
            continue  # which `require_payment` says to whoever tries it
        found.append((form, function))
    return found


def _kind(dice: Mapping[Kind, Size], die: Size | None) -> Kind:
    """A kind that takes a die; any where a token pays."""
    return next(kind for kind, size in dice.items() if die in (None, size))


def _paid(dice: Mapping[Any, Size], ways: Iterable[Size | None]) -> OneOf:
    """A form or a function with what may pay for it: the die of its kind, or a token and no die."""
    return OneOf(
        tuple(
            Fields({"kind": Choices.of(dice)})
            if die is None
            else Fields({"kind": Choices.of(k for k in dice if dice[k] is die), "die": Choices((int(die),))}, ("die",))
            for die in ways
        )
    )


def _with_die(die: Size) -> Fields:
    """A form that a die pays for."""
    return Fields({"die": Choices((int(die),))}, ("die",), closed=False)


def _never_paid(maker: Character, forms: Iterable[Size | None], functions: Iterable[Size | None]) -> Character:
    """The maker with the dice alone that are left whatever pays for form and function."""
    rest = list(dice_of(maker))
    for die in (*forms, *functions):
        if die in rest:
            rest.remove(die)
    return replace(maker, **fields_of(rest))
