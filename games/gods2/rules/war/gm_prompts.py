"""What the GMs are asked about a war that waits (section 11.2): its diplomacy, its time, whether it is combined.

The three questions lie side by side in the war's lane, and none hinders another. They stand until the war begins: their
deadline is the war's own timer, and silence is what the rules say. An answer may be changed until then. They are put
where the GMs see previews; without that setting the same commands are legal, and the same defaults hold.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import GM, GM_READER
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered, PromptOpened, Rule
from games.gods2.rules.casting.prompts import close_at_deadline
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import War
from games.gods2.rules.state.state import State
from games.gods2.rules.war.declarations import name_of, waiting
from games.gods2.rules.war.groups import combined_wars, common_enemy

Steps = Iterator[Event]
DIPLOMACY, TIME, COMBINE = "WAR.diplomacy", "WAR.time", "WAR.combine"
ABOUT_WARS = (DIPLOMACY, TIME, COMBINE)
SPLITS = {"equal": "equally", "strength": "by theirs"}  # AMB-15


def lane_of(war: UUID) -> str:
    """The lane of the questions about a war."""
    return f"war:{war}"


def war_questions(state: State, war: UUID) -> list[Prompt]:
    """The open questions about a war that waits."""
    here = (p for p in state.prompts.values() if p.kind in ABOUT_WARS and p.subject == war)
    return sorted(here, key=lambda p: (ABOUT_WARS.index(p.kind), p.id))


def ask_about_war(state: State, ctx: Context, war: UUID) -> Steps:
    """Ask the GMs about a war that was just declared; about combining it only where another could go with it."""
    if not options_of(state).previews:
        return
    name, declared = name_of(state, war), state.wars[war]
    yield _question_of(
        ctx,
        DIPLOMACY,
        war,
        ("set-diplomacy",),
        f"{name}: do its sides try diplomacy?",
        "Each side judges for itself (G2-DIP-3).",
    )
    yield _question_of(
        ctx,
        TIME,
        war,
        ("hold-war", "fight-war-now"),
        f"{name}: is it held, or fought now?",
        "It is fought when it is due, at the end of the Activity Phase at the latest.",
    )
    others = [w for w in waiting(state) if w.id != war and common_enemy((w, declared)) is not None]
    if others:
        split = options_of(state).combined_war_split
        yield _question_of(
            ctx,
            COMBINE,
            war,
            ("combine-wars", "set-war-split"),
            f"{name}: is it fought as one with {', '.join(sorted(name_of(state, w.id) for w in others))}?",
            f"It is not combined; a race with several enemies splits its strength {SPLITS[split]}.",
        )


def _question_of(
    ctx: Context, kind: str, war: UUID, answered_by: tuple[str, ...], question: str, silence: str
) -> PromptOpened:
    return PromptOpened(
        prompt=ctx.mint(GM),
        kind=kind,
        lane=lane_of(war),
        owners=(GM_READER,),
        rule=Rule.FIRST,
        readers=GM,
        answered_by=answered_by,
        question=question,
        subject=war,
        silence=silence,
    )


def record_war_answer(state: State, kind: str, war: War, value: str) -> Steps:
    """Record what a GM has said about a war, and about those it is combined with. value: JSON."""
    together = [w.id for w in combined_wars(state, war)]
    for asked in sorted((p for p in state.prompts.values() if p.kind == kind), key=lambda p: p.id):
        if asked.subject in together:
            yield PromptAnswered(prompt=asked.id, owner=GM_READER, answer=value)


def close_war_questions(state: State, war: UUID) -> Steps:
    """A war begins, or will not be fought: what nobody has answered is settled by silence."""
    for asked in war_questions(state, war):
        yield from close_at_deadline(state, asked.id)
