"""When wars are fought (G2-WAR-1): at their time, at a GM's word, and all that are left when the Activity Phase ends.

How a war is fought stands in `games.gods2.rules.war.rules`.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.timer import clear_timer
from games.gods2.rules.declarations.events import KIND, name_of
from games.gods2.rules.declarations.groups import combined_wars
from games.gods2.rules.declarations.rules import fighting_order, war_key
from games.gods2.rules.state.records import War, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.war.preview import finish_wars, preview_for, show_or_fight
from games.gods2.rules.war.rules import fight, open_fighting


def begin_wars(state: State, ctx: Context, wars: list[War]) -> Iterator[Event]:
    """Fight these wars in the order of those that wait together; one that an earlier war ended is left out.

    Wars that are combined are fought at the place of the first of them. Where the setting says so each is shown to the
    GMs before its losses happen.
    """
    for war in fighting_order(wars):
        if state.wars[war.id].status is WarStatus.DECLARED and preview_for(state, state.wars[war.id]) is None:
            together = combined_wars(state, state.wars[war.id])
            for each in together:
                yield from clear_timer(state, war_key(each.id))
            pairs = yield from open_fighting(state, ctx, war.id)
            yield from show_or_fight(state, ctx, pairs, [pair.war for pair in pairs])


def fight_wars(state: State, ctx: Context, wars: list[War]) -> Iterator[Event]:
    """Fight these wars to their end, in the same order, without showing them; those that were shown come first."""
    while shown := [p for p in state.previews.values() if p.kind == KIND]:  # one may end another, and show a third
        yield from finish_wars(state, ctx, min(shown, key=lambda p: p.id))
    for war in fighting_order(wars):
        yield from clear_timer(state, war_key(war.id))
        if state.wars[war.id].status is WarStatus.DECLARED:
            yield from fight(state, ctx, war.id)


def open_war(state: State, war: UUID) -> War:
    """A war that is still to be fought. Raises `war.missing`, `war.closed`."""
    if war not in state.wars:
        raise Refused("war.missing", "There is no such war in this game.", rules=("G2-WAR-1",))
    found = state.wars[war]
    if found.status is not WarStatus.DECLARED:
        raise Refused("war.closed", f"{name_of(state, war)} is over ({found.status}).", rules=("G2-WAR-1",))
    if preview_for(state, found) is not None:
        raise Refused("war.closed", f"{name_of(state, war)} is being fought.", rules=("G2-WAR-1",))
    return found


def role_of(war: War, race: UUID) -> str:
    """The role of one of a war's sides."""
    return "attacker" if race == war.attacker else "defender"
