"""The desks of played games: the states that finished games of every ruleset went through, without a database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from api.common.viewer import Viewer
from api.pages.access import PageViewer
from api.pages.event.panels import Button, Panels, Question, nouns_of
from api.pages.forms.commands import CommandForm, Stage, form_in
from api.pages.forms.legal_answers import LegalAnswers
from games import registry
from games.engine.game_state import GameState, Prompt, Role
from games.engine.kernel import Actor, Issuer
from games.engine.prompts.prompt import innermost
from games.engine.ruleset import Ruleset
from games.models import Game
from worlds.visibility import Visibility

A_MINUTE = timedelta(minutes=1)


def row_of(state: GameState, prompt: Prompt) -> dict[str, Any]:
    """A question as a game-master reads it."""
    asks_me = "gm" in prompt.owners
    given = {owner for asked, owner in state.answers if asked == prompt.id}
    return {
        "id": prompt.id, "kind": prompt.kind, "owners": list(prompt.owners), "answered_by": list(prompt.answered_by),
        "question": prompt.question, "subject": prompt.subject, "choices": list(prompt.choices),
        "silence": prompt.silence, "sealed": prompt.sealed, "due_in": 60, "frozen": False,
        "answerable": innermost(state, prompt), "asks_me": asks_me, "answered": asks_me and "gm" in given,
    }  # fmt: skip


@dataclass
class PlayedDesk:
    """The desk of a game-master, or of the host, at one moment of a game."""

    state: Any
    role: Role = Role.GM

    @cached_property
    def seat(self) -> UUID:
        """That of who is at the desk; of nobody where the game has no such seat."""
        return next((seat.id for seat in self.state.seats_of(self.role)), UUID(int=7))

    @property
    def rules(self) -> Ruleset[Any]:
        """Those of the game."""
        return registry.ruleset(self.state.info.ruleset)

    @cached_property
    def seen(self) -> Any:
        """What the one at the desk sees."""
        return self.state.view_for(frozenset({self.seat}), gm=self.role is Role.GM)

    @cached_property
    def game(self) -> Game:
        """Its row."""
        info = self.state.info
        return Game(id=info.id, ruleset=info.ruleset, status=info.status.value, paused_at=info.paused_at)

    @cached_property
    def panels(self) -> Panels:
        """What makes its buttons."""
        viewer = Viewer(
            self.game, Visibility(None, gm_games=frozenset({self.game.pk})), UUID(int=7), (), None, True, None
        )
        running = frozenset(key for key, timer in self.seen.timers.items() if timer.due is not None)
        return Panels(
            PageViewer(viewer, self.role),
            self.state.now,
            nouns_of(self.seen),
            running,
            frozenset(self.seen.answers),
            Stage.of(self.state),
            LegalAnswers(self.seen, self.actor()),
        )

    @cached_property
    def questions(self) -> list[Question]:
        """Its open questions."""
        names = {seat.id: seat.name for seat in self.seen.seats.values()}
        exhibits = self.rules.pages.exhibits(self.seen)
        rows = [row_of(self.seen, prompt) for prompt in self.seen.prompts.values()]
        return [self.panels.question(row, names, exhibits.get(row["id"])) for row in rows]

    def buttons(self) -> Iterator[Button]:
        """Every button that stands on it, those of the log aside."""
        yield from self.panels.clock_buttons(self.seen.phase_timer() or "")
        for question in self.questions:
            yield from question.buttons
            if question.exhibit is not None:
                yield from question.exhibit.buttons
                yield from (button for line in question.exhibit.lines for button in line.buttons)
        for panel in map(self.panels.show_panel, self.rules.pages.desk(self.seen)):
            yield from panel.buttons
            yield from (button for line in panel.lines for button in line.buttons)
        yield from self.panels.menu()

    def actor(self, acting_for: UUID | None = None) -> Actor:
        """As whom the one at the desk acts."""
        if self.role is Role.HOST:
            return Actor(Issuer.HOST, seat=self.seat, user=UUID(int=7))
        return Actor(Issuer.GM, user=UUID(int=7), on_behalf_of=acting_for)

    def form(self, button: Button) -> CommandForm:
        """The form that it opens."""
        kind = self.rules.open_commands[button.command]
        return form_in(
            self.seen, self.rules, kind, self.actor(button.acting_for), button.fixed, {}, question=button.question
        )
