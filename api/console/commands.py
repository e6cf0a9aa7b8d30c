"""A form for a command, made from its definition: the same fields, limits and words as in both APIs."""

from typing import Any

import orjson
from django import forms
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from api.console.issuing import KEY, KeyField, refusal_text
from api.console.readonly_admin import about, short, until
from api.pages.forms.commands import Stage, acts_on_stage
from games import registry
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.engine.model import field_descriptions
from games.models import Game, Timer
from games.services import Shown
from games.storage.state_cache import STATE_CACHE

STAGE = "stage"
MAX_STAGE = 200
LONG = 500
"""Texts that may be longer get several lines."""


class CommandForm(forms.Form):
    """The fields of one command."""

    command: type[Command]
    key = KeyField()
    stage = forms.CharField(required=False, max_length=MAX_STAGE, widget=forms.HiddenInput)
    """The stage of the game that the form was made in."""

    def body(self) -> bytes:
        """The command's body, as JSON."""
        return orjson.dumps(self.values())

    def values(self) -> dict[str, Any]:
        """The fields of the command that are given."""
        given = ((name, value) for name, value in self.cleaned_data.items() if value is not None)
        return {name: value for name, value in given if name not in (KEY, STAGE)}

    def shown(self, game: Game) -> Shown:
        """What the form showed on which the command acts: the stage, where the command names nothing."""
        is_bound = acts_on_stage(registry.ruleset(game.ruleset), self.command, self.values())
        return Shown(self.cleaned_data[STAGE] if is_bound else "")

    def refuse(self, why: Refused | ValidationError, stage: str) -> None:
        """Show why the game did not take it: its refusal, or the fields at fault. stage: that it is shown in now."""
        self.data = {name: self.data.get(name) for name in self.data} | {STAGE: stage}
        if isinstance(why, Refused):
            self.add_error(None, forms.ValidationError(refusal_text(why), code=why.code))
            return
        for error in why.errors():
            at = str(error["loc"][0]) if error["loc"] else None
            self.add_error(at if at in self.fields else None, str(error["msg"]))


def stage_of(game: Game, command: type[Command]) -> str:
    """The mark of the stage that a game is in, on which a command acts that names nothing."""
    with STATE_CACHE.reading(game) as state:
        return Stage.of(state).mark_for(command)


def form_of(command: type[Command], game: Game, initial: dict[str, Any]) -> type[CommandForm]:
    """The form of a command in a game; `timer` becomes a choice of the game's timers."""
    texts = field_descriptions(command)
    made: dict[str, Any] = {
        name: _timers(game, info, name) if name == "timer" else _field(info, texts[name] or "", initial.get(name))
        for name, info in command.model_fields.items()
    }
    return type(f"{command.__name__}Form", (CommandForm,), {**made, "command": command})


def _limit(info: FieldInfo, name: str) -> Any:
    """A limit of a field, such as `max_length`."""
    return next((getattr(rule, name) for rule in info.metadata if hasattr(rule, name)), None)


def _field(info: FieldInfo, description: str, initial: Any) -> forms.Field:
    """A number or a text, by the type."""
    common: dict[str, Any] = {
        "required": info.is_required(),
        "initial": initial,
        "help_text": description,
    }
    if info.annotation is int:
        return forms.IntegerField(
            min_value=_limit(info, "ge"), max_value=_limit(info, "le"), widget=UnfoldAdminIntegerFieldWidget, **common
        )
    longest = _limit(info, "max_length")
    several = longest is None or longest > LONG
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3}) if several else UnfoldAdminTextInputWidget()
    return forms.CharField(max_length=longest, widget=widget, **common)


def _action(timer: Timer) -> str:
    """What a timer does, and for whom."""
    action, whose = timer.does.replace("-", " "), about(timer)
    return f"{action} for {whose}" if whose else f"{action} ({short(timer.key)})"


def _timers(game: Game, info: FieldInfo, name: str) -> forms.Field:
    """The running timers of a game, the next one first."""
    named = [
        (timer.key, f"{_action(timer)}, {until(timer.due, timer.left, game.paused_at)}")
        for timer in game.timers.filter(due__isnull=False).order_by("due")[:200]
    ]
    none = [] if info.is_required() else [("", "what is going on now")]
    return forms.ChoiceField(
        choices=[*none, *named],
        required=info.is_required(),
        widget=UnfoldAdminSelectWidget,
        help_text=info.description or "",
    )
