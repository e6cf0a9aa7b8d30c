"""The state of The Gods II as the table sees it: what ends the present phase, deadlines that were put off."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from games.engine.game_state import GameState, Timer
from games.engine.kernel import Event
from games.engine.prompts.prompt import timer_key
from games.engine.timer import NOTHING_LEFT
from games.gods2.rules.artifacts.rules import follow_users
from games.gods2.rules.calendar.rules import activity_key, end_key
from games.gods2.rules.cities.rules import site_questions
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.declarations.rules import war_key
from games.gods2.rules.effects.misc import task_timers
from games.gods2.rules.growth.preview import preview_in_hand
from games.gods2.rules.setup.second_creation import open_question
from games.gods2.rules.state.names import thing_name
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import GROWTH, QUEUE
from games.gods2.rules.state.records import ACTIVE, Phase
from games.gods2.rules.state.state import State

CALCULATING = (Phase.RECKONING, Phase.PAYING, Phase.CLOSED)


class Game(State):
    """The whole game with what only the later chapters know."""

    def proper_name(self, thing: str) -> str | None:
        return super().proper_name(thing) or thing_name(self, thing)

    def follow_artifact(self, artifact: UUID) -> Iterator[Event]:
        yield from follow_users(self)

    def follow_correction(self) -> Iterator[Event]:
        yield from follow_users(self)

    def dice_by_hand(self) -> bool:
        return options_of(self).dice_by_hand

    def phase_timer(self) -> str | None:
        """What ends the present phase: the Activity Phase has a timer, and the century has one."""
        century = self.era.century
        if self.era.phase in ACTIVE:
            return activity_key(century)
        question = open_question(self)
        if question is not None and end_key(century) not in self.timers:
            return timer_key(question)
        sites = site_questions(self, GROWTH)
        if sites:
            return timer_key(sites[0].id)
        shown = preview_in_hand(self)
        if shown is not None:
            return timer_key(shown.id)
        return end_key(century) if self.era.phase in CALCULATING else None

    def stage_marks(self) -> tuple[Any, ...]:
        return tuple(prompt.id for prompt in self.prompts.values() if prompt.lane == QUEUE)

    def calendar_timers(self) -> Mapping[str, timedelta]:
        """The century ends at a slot; while its Activity Phase runs, the end of that is as much before it as it was."""
        era, activity, end = self.era, activity_key(self.era.century), end_key(self.era.century)
        if activity in self.timers and era.activity_ends_at is not None and era.ends_at is not None:
            return {activity: era.ends_at - era.activity_ends_at}
        return {end: NOTHING_LEFT} if end in self.timers else {}

    def follow_extension(self, timer: Timer, due: datetime) -> None:
        """Keep the century's times and a war's in step with their timers.

        When the Activity Phase is made longer the century's end moves by as much, so that the Calculation Phase keeps
        its length. The end of the century alone can be put off as well.
        """
        era = self.era
        if timer.key == activity_key(era.century) and era.activity_ends_at is not None and era.ends_at is not None:
            later = due - era.activity_ends_at
            self.set_era(activity_ends_at=due, ends_at=era.ends_at + later)
            for task in task_timers(self):
                self.timers[task.key] = replace(task, due=due)
            self._advance_wars(due)
            end = self.timers.get(end_key(era.century))
            if end is not None and end.due is not None:
                self.timers[end.key] = replace(end, due=end.due + later)
        elif timer.key == end_key(era.century):
            self.set_era(ends_at=due)
        elif timer.subject is not None and timer.key == war_key(timer.subject):
            self.wars[timer.subject] = replace(self.wars[timer.subject], due=due)

    def _advance_wars(self, due: datetime) -> None:
        """Let no war be due later than the end of the Activity Phase: a slot of the calendar may be before it."""
        for war in list(waiting(self)):
            if war.due is None or war.due <= due:
                continue
            self.wars[war.id] = replace(war, due=due)
            timer = self.timers.get(war_key(war.id))
            if timer is not None and timer.due is not None:
                self.timers[timer.key] = replace(timer, due=due)

    def mark_stored(self) -> None:
        super().mark_stored()
        self.board.mark_saved()

    def become(self, other: GameState) -> None:
        super().become(other)
        if not isinstance(other, State):
            raise TypeError("a state of another game")
        if (self.board.width, self.board.height) == (other.board.width, other.board.height):
            self.board.become(other.board)
        else:
            self.board = other.board.copy()
