"""Avatars: placed by a god, commanded by that god alone (DW-AVA-1, DW-AVA-3, DW-AVA-4).

A command is one free power (`free_power_commands`), which asks whom the power itself asks, or up to three actions of
their own (`actions`). How an avatar dies and returns is in `revenge`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.avatars.actions import Action, actions_of, check_actions, perform_action
from games.dawn.rules.avatars.events import AvatarCreated
from games.dawn.rules.avatars.free_power_commands import FreeUse, free_powers_of, require_free_here, rules_of_free
from games.dawn.rules.command.arguments import act_invalid
from games.dawn.rules.land.presence import avatars_of
from games.dawn.rules.land.shaping import any_square
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import PowerQuestion
from games.dawn.rules.state.constants import MOST_ACTIONS, PRICES
from games.dawn.rules.state.records import Avatar, Mark, Power
from games.dawn.rules.state.schema_types import AvatarKind, Place, Price
from games.dawn.rules.state.state import State
from games.dawn.rules.war.forecast import forecast_command
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, FreeText, ListOf
from games.engine.insight.forecast import Forecast
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name
from games.engine.model import IN_ORDER


class CreateAvatar(PowerCommand):
    """Place an avatar on a square, any square; you may have several."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-1",)

    square: Place
    """Where the avatar appears."""
    kind: AvatarKind
    """What the avatar looks like."""
    name: Name
    """What the avatar is called."""

    def row(self, state: State) -> Price:
        return Price.CREATE_AVATAR

    def check(self, state: State, cast: Cast) -> None:
        state.square(self.square.at)

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield AvatarCreated(
            avatar=ctx.mint(PUBLIC), square=self.square, kind=self.kind, name=self.name, owner=power.caster
        )

    def saying(self, state: State) -> str:
        return f"create the avatar {self.name}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        kinds = Choices.of(k.value for k in AvatarKind)
        arguments = {"square": any_square(state), "kind": kinds, "name": FreeText()}
        yield LegalCommand(cls.slug(), arguments, price=PRICES[Price.CREATE_AVATAR][state.course.age - 1])


class CommandAvatar(PowerCommand):
    """Command an avatar of yours: one free power where they stand, or up to three actions of their own."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-3", "DW-AVA-4", "DW-AVA-6")
    refundable: ClassVar[bool] = False

    avatar: UUID
    """Your avatar."""
    free_power: FreeUse | None = None
    """A power that the avatar uses at no cost; or else actions."""
    actions: tuple[Action, ...] = Field(default=(), max_length=10, json_schema_extra=IN_ORDER)
    """1 to 3 actions of the avatar's own, in this order."""

    def row(self, state: State) -> Price:
        return Price.COMMAND_AVATAR

    def check(self, state: State, cast: Cast) -> None:
        avatar = own_avatar(state, cast.caster, self.avatar)
        if self.free_power is None:
            check_actions(state, cast, avatar, self.actions)
            return
        if self.actions:
            raise act_invalid("Either a free power or actions; leave one of them out.", "DW-AVA-3")
        power = rules_of_free(self.free_power)
        require_free_here(state, avatar, power)
        power.check(state, replace(cast, avatar=avatar.id))

    def mark(self, state: State) -> Mark | None:
        """The mark of the free power (DW-AVA-4)."""
        return rules_of_free(self.free_power).mark(state) if self.free_power else None

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        return rules_of_free(self.free_power).questions(state, power) if self.free_power else ()

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        if self.free_power:
            yield from rules_of_free(self.free_power).effect(state, ctx, power)
        for action in self.actions:
            yield from perform_action(state, ctx, self.avatar, action)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """Its price, whom it would ask and what it would change; of a war the odds of its first battle."""
        return forecast_command(state, ctx, actor, self)

    def saying(self, state: State) -> str:
        does = [rules_of_free(self.free_power).saying(state)] if self.free_power else []
        does += [action.action.replace("_", " ") for action in self.actions]
        return f"command {state.title(self.avatar)}: {', '.join(does)}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god, price = state.acting(actor), PRICES[Price.COMMAND_AVATAR][state.course.age - 1]
        mine = avatars_of(state, god.id)
        if not mine:
            raise Refused("avatar.missing", "You have no living avatar; create one first.", rules=("DW-AVA-1",))
        for avatar in mine:
            chosen: dict[str, Domain] = {"avatar": Choices.of((avatar.id,))}
            for action in actions_of(state, avatar):
                arguments = chosen | {"actions": ListOf(action, low=1, high=1)}
                yield LegalCommand(cls.slug(), arguments, price=price, required=("actions",), note=ACTING)
            for use, barred in free_powers_of(state, avatar):
                arguments = chosen | {"free_power": use}
                yield LegalCommand(cls.slug(), arguments, price=price, required=("free_power",), barred=barred)


ACTING = f"One command takes up to {MOST_ACTIONS} actions, one after the other."


def own_avatar(state: State, seat: UUID, avatar: UUID) -> Avatar:
    """A god's own avatar that lives. Raises `avatar.missing`, `avatar.foreign`, `avatar.dead`."""
    found = state.avatars.get(avatar)
    if found is None:
        raise Refused("avatar.missing", "There is no such avatar.")
    if found.owner != seat:
        raise Refused(
            "avatar.foreign",
            f"{found.name} is an avatar of {state.title(found.owner)}; name one of yours.",
            rules=("DW-AVA-3",),
        )
    if not found.alive:
        raise Refused("avatar.dead", f"{found.name} is dead.", rules=("DW-AVA-5",))
    return found
