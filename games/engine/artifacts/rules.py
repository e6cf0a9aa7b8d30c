"""What a ruleset calls where one of its powers or rules makes, passes on or destroys an artifact (CF-14).

Each function refuses before its first event. `rules` are those of the game, which the events cite.
"""

from collections.abc import Iterable, Iterator
from uuid import UUID

from core.names import is_among
from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed, has
from games.engine.artifacts.state import RULE, ArtifactState
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event


def require_free_name(state: ArtifactState, name: str, rules: tuple[str, ...] = ()) -> None:
    """Refuse (`name.taken`) the name of another artifact, one that is lost among them."""
    if is_among(name, (artifact.name for artifact in state.artifacts.values())):
        raise Refused(
            "name.taken",
            f"There is an artifact {name} already, or there was one; choose another name.",
            rules=rules or (RULE,),
        )


def make_artifact(
    state: ArtifactState,
    ctx: Context,
    name: str,
    holder: UUID | None = None,
    *,
    description: str = "",
    rules: tuple[str, ...] = (),
) -> Iterator[Event]:
    """An artifact comes into the world. holder: an id of one of the tables that hold; None for nobody.

    name: as it is stored (`lifecycle.seating.Name` makes it so). Raises `name.taken`, `holder.missing`, `holder.other`,
    `holder.unable`.
    """
    require_free_name(state, name, rules)
    kind = state.holder_kind(holder) if holder is not None else None
    yield ArtifactCreated(
        artifact=ctx.mint(PUBLIC), name=name, description=description, kind=kind, holder=holder, under=rules
    )


def pass_on(
    state: ArtifactState,
    artifact: UUID,
    holder: UUID | None,
    *,
    reason: str = "",
    rules: tuple[str, ...] = (),
) -> Iterator[Event]:
    """An artifact gets another holder; None: nobody has it any more.

    Raises `artifact.missing`, `artifact.lost`, `holder.same`, `holder.missing`, `holder.other`, `holder.unable`.
    """
    found = state.artifact(artifact)
    if found.holder == holder:
        who = state.name_of(str(holder)) if holder is not None else None
        raise Refused(
            "holder.same",
            f"{who} {has(next(iter(found.holders)))} {found.name} already; name another holder, or none."
            if who
            else f"Nobody has {found.name} already; name a holder.",
            rules=rules or (RULE,),
        )
    kind = state.holder_kind(holder) if holder is not None else None
    yield ArtifactPassed(artifact=artifact, kind=kind, holder=holder, former=found.holder, reason=reason, under=rules)
    yield from state.follow_artifact(artifact)


def pass_all_on(
    state: ArtifactState, former: UUID, holder: UUID | None, *, reason: str = "", rules: tuple[str, ...] = ()
) -> Iterator[Event]:
    """All that somebody holds gets another holder, by name; nothing where that is the same one."""
    held: Iterable[UUID] = [artifact.id for artifact in state.artifacts_of(former)] if former != holder else []
    for artifact in held:
        yield from pass_on(state, artifact, holder, reason=reason, rules=rules)


def destroy_artifact(
    state: ArtifactState, artifact: UUID, reason: str, *, rules: tuple[str, ...] = ()
) -> Iterator[Event]:
    """An artifact is no more; its row stays as lost. Raises `artifact.missing`, `artifact.lost`."""
    found = state.artifact(artifact)
    yield ArtifactDestroyed(artifact=artifact, reason=reason, former=found.holder, under=rules)
    yield from state.follow_artifact(artifact)
