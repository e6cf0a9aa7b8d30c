"""Recruiting: a Smith rolls for a Heroine, against nobody (FB-HER-1)."""

from collections.abc import Iterator
from typing import ClassVar

from games.engine.errors import Refused
from games.engine.insight.domains import FreeText
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name
from games.forgeborn.rules.conflict.deeds import RULES, require_kind, require_place_of
from games.forgeborn.rules.conflict.forecast import forecast_recruiting
from games.forgeborn.rules.conflict.offers import gain_domain, pool_fields
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice, require_able
from games.forgeborn.rules.conflict.rules import begin_action, require_sent
from games.forgeborn.rules.state.constants import MOST_NAME, MOST_TEXT
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.names import require_free_name
from games.forgeborn.rules.state.records import Character, Place
from games.forgeborn.rules.state.schema_types import CharacterKind, Deed, Text
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.rules import require_turn


class RecruitHeroine(Forecastable[State]):
    """Look for a Heroine in a Village or the City: the sum of the roll buys her dice."""

    rules: ClassVar[tuple[str, ...]] = ("FB-HER-1", "FB-HER-2", "FB-AMB-11", "FB-AMB-40")

    name: Name
    """What she is called, if you find her."""
    text: Text = ""
    """Who she is."""
    pool: PoolChoice | None = None
    """The dice, sent at once."""
    gain: GainChoice | None = None
    """What a failure shall bring."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character = require_turn(state, ctx.actor)
        place = self._place(state, character)
        require_sent(state, character, Deed.RECRUIT_HEROINE, self.pool, self.gain)
        heroines = [c.name for c in state.characters.values() if c.kind is CharacterKind.HEROINE]
        require_free_name(self.name, heroines, "Heroine")
        yield from begin_action(
            state,
            ctx,
            Deed.RECRUIT_HEROINE,
            character,
            place,
            pool=self.pool,
            gain=self.gain,
            name=self.name,
            text=self.text,
        )

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        character = require_turn(state, actor)
        self._place(state, character)
        require_sent(state, character, Deed.RECRUIT_HEROINE, self.pool, self.gain)
        return forecast_recruiting(state, character, self.pool)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character = require_turn(state, actor)
        facts = {"character": character.id, "place": character.place, "dice": list(dice_of(character))}
        heroines = (c.name for c in state.characters.values() if c.kind is CharacterKind.HEROINE)
        domains = {
            "name": FreeText(low=1, high=MOST_NAME).but(heroines),
            "text": FreeText(high=MOST_TEXT),
            "pool": pool_fields(state, character),
            "gain": gain_domain(character),
        }
        try:
            cls._place(state, character)
            require_able(character)
        except Refused as barred:
            yield LegalCommand(cls.slug(), domains, barred=barred, facts=facts)
            return
        yield LegalCommand(cls.slug(), domains, facts=facts)

    @staticmethod
    def _place(state: State, character: Character) -> Place:
        require_kind(character, CharacterKind.SMITH, RULES[Deed.RECRUIT_HEROINE])
        return require_place_of(state, character, Deed.RECRUIT_HEROINE)
