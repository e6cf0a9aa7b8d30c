"""How it would go: what legal commands say of each target, and forecasts from what their viewer sees, a few of them.

A forecast rolls no die and knows nothing that its viewer may not know (`games.engine.insight.forecast`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import orjson
from pydantic import ValidationError

from api.common.plain_json import plain
from api.pages.wording import text_of, value_words
from games.engine.errors import Refused
from games.engine.game_state import GameState
from games.engine.insight.domains import Choices
from games.engine.insight.forecast import Forecastable, chances_in_words
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Command
from games.engine.wording import capital
from games.models import Game
from games.reads import selectors

MAX_LINES = 6
"""So many targets of one command are told of, and forecast, at most."""
Odds = tuple[tuple[str, str], ...]
"""Targets, "" where there is one way alone, and what is said of each."""


def odds_of(seen: GameState, game: Game, actor: Actor, kind: type[Command], legal: Sequence[LegalCommand]) -> Odds:
    """What is said of each way to issue a command, then what a forecast says where there are few ways.

    Ways of which the same is said are one; those beyond the first few are counted.
    """
    by_note = {each.note: each for each in reversed(legal) if each.note}
    told = list(reversed(by_note.values()))
    fixed = [_single_values(each) for each in told]
    texts = [text_of(each.note, {kind.slug()}) for each in told]
    lines = [(_title(seen, own, fixed), text) for own, text in zip(fixed, texts, strict=True)]
    if len(lines) > MAX_LINES:
        lines[MAX_LINES - 1 :] = [("", f"{len(lines) - MAX_LINES + 1} more stand in the form.")]
    if issubclass(kind, Forecastable) and (not lines or len(legal) == 1):
        bodies = list(islice(bodies_of(kind, legal), MAX_LINES + 1))
        few = bodies if len(bodies) <= MAX_LINES - len(lines) else []
        found = ((_title(seen, body, few), _forecast(seen, game, actor, kind, body)) for body in few)
        lines += [(title, words) for title, words in found if words]
    return tuple(lines)


def bodies_of(kind: type[Command], legal: Sequence[LegalCommand]) -> Iterator[dict[str, Any]]:
    """The bodies with what a command needs alone, where each of these arguments is one of a list; none else."""
    for each in legal:
        needed = {name for name, field in kind.model_fields.items() if field.is_required()} | set(each.required)
        domains = {name: each.arguments.get(name) for name in sorted(needed)}
        listed = {name: domain.values for name, domain in domains.items() if isinstance(domain, Choices)}
        several = [name for name, values in listed.items() if len(values) > 1]
        if len(listed) < len(domains) or len(several) > 1 or not all(listed.values()):
            continue
        first = {name: plain(values[0]) for name, values in listed.items()}
        for value in listed[several[0]] if several else (None,):
            yield first | ({several[0]: plain(value)} if several else {})


def _forecast(seen: GameState, game: Game, actor: Actor, kind: type[Forecastable[Any]], body: Mapping[str, Any]) -> str:
    """What a forecast says of a body in words; "" where the rules refuse it, or what it would do is no chance."""
    try:
        command = kind.model_validate_json(orjson.dumps(body, default=str))
        return chances_in_words(selectors.forecast_in(game, seen, command, actor))
    except (Refused, ValidationError):  # the form says why, where somebody wants it
        return ""


def _single_values(legal: LegalCommand) -> dict[str, Any]:
    """The arguments that leave no choice."""
    domains = legal.arguments.items()
    return {name: plain(d.values[0]) for name, d in domains if isinstance(d, Choices) and len(d.values) == 1}


def _title(seen: GameState, body: Mapping[str, Any], every: Sequence[Mapping[str, Any]]) -> str:
    differing = [value for name, value in body.items() if any(other.get(name) != value for other in every)]
    return capital(", ".join(value_words(value, seen.name_of) for value in differing))
