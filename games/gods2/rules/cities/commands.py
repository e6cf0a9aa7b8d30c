"""Choosing the site of a city, where several are as good (G2-CITY-5, G2-CITY-6)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import answer, close, open_prompt
from games.gods2.rules.casting.city_sites import finish_city, waiting_city
from games.gods2.rules.cities.rules import site_questions, spot
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place

Steps = Iterator[Event]


class ChooseCitySite(Enumerable[State]):
    """Choose on which of equally good squares a race founds its city."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CITY-5", "G2-CITY-6")

    prompt: UUID
    """The question."""
    square: Place
    """One of the squares it names."""

    def decide(self, state: State, ctx: Context) -> Steps:
        asked = open_prompt(state, self.prompt)
        if asked.kind != Asked.SITE:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        site = self.square.square
        if spot(site) not in asked.choices or not _stands_free(state, asked, site):
            raise Refused(
                "square.unfit",
                f"The city stands on one of {', '.join(asked.choices)}.",
                rules=("G2-CITY-5",),
                choices=asked.choices,
            )
        waiting = waiting_city(state, ctx, asked)
        yield from answer(state, ctx, self.prompt, self.square.model_dump_json())
        yield from close(state, self.prompt, "answered")
        yield from finish_city(state, ctx, waiting, site, asked.lane)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        asked = site_questions(state)
        if not asked:
            raise Refused("prompt.closed", "No city waits for its site now.", rules=("G2-CITY-6",))
        for each in asked:
            squares = [dict(zip("xy", map(int, choice.split(",")), strict=True)) for choice in each.choices]
            yield LegalCommand(
                cls.slug(), {"prompt": Choices.of((each.id,)), "square": Choices.of(squares)}, note=each.question
            )


def _stands_free(state: State, asked: Prompt, site: Square) -> bool:
    """Whether the race still holds a square, and no city stands there: a correction may have come between."""
    built = any(city.square == site for city in state.cities.values())
    return state.board.people_at(site) == asked.subject and not built
