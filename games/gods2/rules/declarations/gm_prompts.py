"""What the GMs are asked about a war that waits (section 11.2): its diplomacy, its time, whether it is combined.

The three questions lie side by side in the war's lane, and none hinders another. They stand until the war begins: their
deadline is the war's own timer, and silence is what the rules say. An answer may be changed until then. They are put
where the GMs see previews; without that setting the same commands are legal, and the same defaults hold.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import GM_READER
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered
from games.engine.prompts.questions import ask_row
from games.gods2.rules.declarations.events import name_of, waiting
from games.gods2.rules.declarations.groups import combined_wars, common_enemy
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import War
from games.gods2.rules.state.state import State
from games.gods2.rules.window.prompts import close_at_deadline

Steps = Iterator[Event]

ABOUT_WARS = (Asked.DIPLOMACY, Asked.TIME, Asked.COMBINE)
SPLITS = {"equal": "equally", "strength": "by theirs"}  # AMB-15


def war_questions(state: State, war: UUID) -> list[Prompt]:
    """The open questions about a war that waits."""
    here = (p for p in state.prompts.values() if p.kind in ABOUT_WARS and p.subject == war)
    return sorted(here, key=lambda p: (ABOUT_WARS.index(Asked(p.kind)), p.id))


def ask_about_war(state: State, ctx: Context, war: UUID) -> Steps:
    """Ask the GMs about a war that was just declared; about combining it only where another could go with it."""
    if not options_of(state).previews:
        return
    name, declared = name_of(state, war), state.wars[war]
    yield from ask_row(state, ctx, Asked.DIPLOMACY, war, war=name)
    yield from ask_row(state, ctx, Asked.TIME, war, war=name)
    others = [w for w in waiting(state) if w.id != war and common_enemy((w, declared)) is not None]
    if others:
        names = ", ".join(sorted(name_of(state, w.id) for w in others))
        split = SPLITS[options_of(state).combined_war_split]
        yield from ask_row(state, ctx, Asked.COMBINE, war, war=name, others=names, split=split)


def record_war_answer(state: State, kind: str, war: War, value: str) -> Steps:
    """Record what a GM has said about a war, and about those it is combined with. value: JSON."""
    together = [w.id for w in combined_wars(state, war)]
    for asked in sorted((p for p in state.prompts.values() if p.kind == kind), key=lambda p: p.id):
        if asked.subject in together:
            yield PromptAnswered(prompt=asked.id, owner=GM_READER, answer=value)


def close_war_questions(state: State, ctx: Context, war: UUID) -> Steps:
    """A war begins, or will not be fought: what nobody has answered is settled by silence."""
    for asked in war_questions(state, war):
        yield from close_at_deadline(state, ctx, asked)
