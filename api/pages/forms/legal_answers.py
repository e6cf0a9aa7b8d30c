"""Which of the commands that answer an open question may answer it now, for oneself or for a seat (no database)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from api.common.plain_json import plain
from games.engine.game_state import GameState
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Actor, Command


@dataclass(frozen=True, slots=True)
class LegalAnswers:
    """What the legal commands leave over of the answers to questions; each command is asked once for each seat.

    seen: the state as the one at the desk may see it. actor: as whom they act.
    """

    seen: GameState
    actor: Actor
    _found: dict[tuple[type[Command], UUID | None], list[LegalCommand]] = field(default_factory=dict)

    def are_open(self, kind: type[Command], values: Mapping[str, Any], acting_for: UUID | None = None) -> bool:
        """Whether a command may be issued now with these values. acting_for: the seat that it is issued for."""
        if not issubclass(kind, Enumerable):
            return True
        if (kind, acting_for) not in self._found:
            own = self.seen if acting_for is None else self.seen.view_for(frozenset({acting_for}))
            narrow = LegalCommandFilter(kind.slug(), legal=True)
            actor = replace(self.actor, on_behalf_of=acting_for)
            self._found[kind, acting_for] = legal_commands_for(own, [kind], actor, narrow)
        return any(_admits(legal, values) for legal in self._found[kind, acting_for])


def _admits(legal: LegalCommand, values: Mapping[str, Any]) -> bool:
    """Whether a legal command may have values: each is one of those that it lists, where it lists them all."""
    domains = ((legal.arguments.get(name), value) for name, value in values.items())
    listed = ((d, value) for d, value in domains if isinstance(d, Choices) and not d.more)
    return all(plain(value) in map(plain, domain.values) for domain, value in listed)
