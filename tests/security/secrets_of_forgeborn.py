"""The secrets of Forgeborn."""

from uuid import UUID

from games.forgeborn.rules.conflict import events as conflict_events
from games.forgeborn.rules.setup import events as setup_events
from games.forgeborn.rules.state.schema_types import Size
from games.forgeborn.rules.story import events as story_events
from games.forgeborn.rules.vault import events as vault_events
from tests.games.forgeborn import made
from tests.security.grounds import Ground
from tests.security.planting import WORD, Plant


def action_of(g: Ground) -> UUID:
    """The action that is open."""
    return UUID(str(g.state().require_action().id))


def send_pool(g: Ground) -> None:
    """What Ann has sent along with her action."""
    sent = conflict_events.PoolSent(
        conflict=action_of(g), seat=g.owner.pk, has_pool=True, free=(Size.D12,), text=WORD, has_gain=True
    )
    g.happen(sent)


def draw_lines(g: Ground) -> None:
    """Ann draws a name, the game-master a threat."""
    g.as_owner(made("draw-line", list="names", line=7))
    g.run(made("draw-line", list="threats", line=3))


FORGEBORN = {
    setup_events.SmithWritten: Plant(
        "forgeborn",
        lambda g: g.as_owner(made("define-smith", name="Brave ann", dice=[12, 12, 12])),
        lambda g: g.as_owner(made("define-smith", name="Brave ann", dice=[4])),
        step="smiths",
    ),
    vault_events.BallotCast: Plant("forgeborn", lambda g: g.as_owner(made("cast-ballot", yes=False)), step="vote"),
    conflict_events.PoolSent: Plant("forgeborn", send_pool, step="danger"),
    story_events.LineDrawn: Plant("forgeborn", draw_lines, step="danger"),
    story_events.NoteWritten: Plant("forgeborn", lambda g: g.run(made("write-note", text=WORD)), step="danger"),
    story_events.StandingWordSet: Plant(
        "forgeborn", lambda g: g.as_owner(made("set-standing-answer", kind="vault", answer="no")), step="danger"
    ),
}
"""That a Smith is written, and that a ballot is in, is public; not what it says, nor that it was changed."""
