"""Which row a bot takes where an effect leaves a choice (G2-MISC-1): the one that does its peoples most good.

Who casts says it with the casting. Who is asked later reads what everybody who is asked reads: the rows, in words.
"""

from collections.abc import Iterable
from uuid import UUID

from games.engine.audience import reader
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.gods2.rules.bots.view import View
from games.gods2.rules.bots.worth import gain
from games.gods2.rules.casting.choice_commands import ChooseEffect
from games.gods2.rules.effects.choices import key_of, legal_rows
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pack.pack import Row
from games.gods2.rules.pack.wording import effects_name
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.workings.context import Working


def row_to_cast(view: View, working: Working) -> str:
    """What the bot chooses with a casting of its own; empty where that leaves nothing to it."""
    effects = view.state.pack.powers[working.power].effects if working.power is not None else ()
    for effect in effects:
        if isinstance(effect, op.Choose) and effect.by == "caster" and working.races:
            rows = legal_rows(view.state, working, effect)
            return _best(view, working.races[0], rows) if rows else ""
    return ""


def choice(view: View, *_: object) -> Command | None:
    """The answer to the first question which of several effects is to happen."""
    own = reader(view.god.id)
    for asked in sorted((p for p in view.state.prompts.values() if p.kind == Asked.CHOOSE), key=lambda p: p.id):
        if own in asked.owners:
            people, rows = _people(view, asked), _rows(view, asked)
            row = _best(view, people, rows) if people is not None and rows else asked.choices[0]
            return ChooseEffect(prompt=asked.id, choice=row)
    return None


def _best(view: View, race: UUID, rows: Iterable[Row]) -> str:
    """The row that is worth most to a people; the first of equals."""
    return key_of(max(rows, key=lambda row: (gain(view, race, row.effects, view.span), -row.from_)))


def _rows(view: View, asked: Prompt) -> list[Row]:
    """The rows that a question offers: those of the table whose words it has."""
    pack = view.state.pack
    for table in pack.tables.values():
        rows = [row for row in table.rows if key_of(row) in asked.choices]
        if len(rows) == len(asked.choices) and all(effects_name(pack, row.effects) in asked.question for row in rows):
            return rows
    return []


def _people(view: View, asked: Prompt) -> UUID | None:
    """The people whose gods are asked; else, where one god is asked as caster, the people that it lives on."""
    for race in view.shares:
        if {reader(god) for god in god_members(view.state, race)} == {*asked.owners}:
            return race
    return max(view.shares, key=lambda race: (view.shares[race] * view.units(race), race), default=None)
