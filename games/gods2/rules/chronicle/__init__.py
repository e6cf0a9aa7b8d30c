"""The history of Earth as it is told (G2-HREC-1): who learns, believes, fights, suffers; never who has cast a power.

Every teller takes the events of a century and gives facts; facts of a kind become one sentence. Reads alone.
"""

from games.engine.artifacts.chronicle import ARTIFACT_TELLERS
from games.engine.insight.chronicle import Story
from games.gods2.rules.chronicle import earth, faith, peoples, powers, wars
from games.gods2.rules.state.state import State

STORY: Story[State] = Story(
    {**ARTIFACT_TELLERS, **peoples.TELLERS, **powers.TELLERS, **earth.TELLERS, **faith.TELLERS, **wars.TELLERS}
)
