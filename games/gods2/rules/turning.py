"""The end of modifications by effects (`turn_off`): themselves, when what they waited for has come, or others."""

from collections.abc import Iterator

from games.engine.kernel import Context, Event
from games.gods2.rules.modifications import stripped
from games.gods2.rules.operations import TurnOff
from games.gods2.rules.state import State
from games.gods2.rules.working import Doing, Working


def _turn_off(state: State, ctx: Context, working: Working, effect: TurnOff) -> Iterator[Event]:
    yield from stripped(state, working.race, effect.filter, None, working.modification)


TURN_OFF = Doing(_turn_off)
