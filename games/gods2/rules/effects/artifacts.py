"""Artifacts that powers make (G2-ART-7): `artifact_make` brings one into the world, with a power that lies in it.

Its holder is the caster, or the people or city that is aimed at; who has it uses the power that lies in it. One whose
uses are gone gets its power anew when it is made again, and goes to the new holder.
"""

from collections.abc import Iterator
from uuid import UUID

from core.names import is_same_name, name_with_number
from games.engine.artifacts.events import ArtifactCreated
from games.engine.artifacts.rules import make_artifact, pass_on
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.wording import quantity
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.artifacts.rules import artifact_of_power, user_of
from games.gods2.rules.pack.operations import ArtifactMake
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Doing, Working

Steps = Iterator[Event]
RULES = ("G2-ART-7",)


def holder_of(working: Working, effect: ArtifactMake) -> UUID | None:
    """Who gets it: the caster; or the city that is aimed at, else the people."""
    return working.caster if effect.holder == "caster" else working.city or working.race


def check_artifact(state: State, working: Working, effect: ArtifactMake) -> None:
    """Refuse (`artifact.other`, `holder.unable`) a second artifact of a power, or a holder that cannot hold.

    In which artifact it lies is known to who may use it and to the GMs, so it is not named.
    """
    if artifact_of_power(state, effect.power) is not None:
        power = state.pack.powers[effect.power].name
        raise Refused(
            "artifact.other",
            f"{power} lies in an artifact already; it can be laid into one anew when its uses are gone.",
            rules=("G2-ART-2", *RULES),
        )
    holder = holder_of(working, effect)
    if holder is not None:
        state.holder_kind(holder)


def _artifact_make(state: State, ctx: Context, working: Working, effect: ArtifactMake) -> Steps:
    if artifact_of_power(state, effect.power) is not None:
        return
    holder, spent = holder_of(working, effect), spent_artifact(state, effect)
    if spent is None:
        name = name_with_number(effect.name, [artifact.name for artifact in state.artifacts.values()])
        lies = f"{state.pack.powers[effect.power].name} lies in it, {quantity(effect.uses, 'time')}."
        happens = make_artifact(state, ctx, name, holder, description=lies, rules=RULES)
    elif state.artifacts[spent].holder != holder:
        happens = pass_on(state, spent, holder, reason="its power is renewed", rules=RULES)
    else:
        happens = iter(())
    for event in happens:
        yield event
        spent = event.artifact if isinstance(event, ArtifactCreated) else spent
    if spent is not None:
        yield ArtifactPowerSet(artifact=spent, power=effect.power, uses=effect.uses, seat=user_of(state, spent))


def spent_artifact(state: State, effect: ArtifactMake) -> UUID | None:
    """The artifact that this effect has made before, where it still stands."""
    found = (each for each in state.artifacts.values() if not each.lost and is_same_name(each.name, effect.name))
    return next((each.id for each in found), None)


ARTIFACT_MAKE = Doing(_artifact_make, check_artifact, on_race=False)
