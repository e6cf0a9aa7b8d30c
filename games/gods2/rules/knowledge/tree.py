"""The knowledge tree (G2-KNOW-5): what needs what, what each race knows, and what it can learn next."""

from functools import cache
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.charts import Node, Progress, Tree
from games.gods2.rules.geometry.conditions import Asker, are_met
from games.gods2.rules.geometry.stats import contacts, stat
from games.gods2.rules.knowledge.rules import missing
from games.gods2.rules.pack.entries import Knowledge
from games.gods2.rules.pack.pack import Pack
from games.gods2.rules.pack.wording import condition_name
from games.gods2.rules.state.records import Race
from games.gods2.rules.state.state import State

KNOW = ("G2-KNOW-5",)


def knowledge_tree(state: State, race: UUID | None = None) -> Tree:
    """The tree of the pinned pack, with the progress of one race, or of all living ones by name.

    A level is the length of the longest chain of prerequisites. Raises `tree.missing` while no pack is pinned,
    `race.missing`.
    """
    if not state.era.pack_version:
        raise Refused("tree.missing", "There is no tree before the game has its data pack.", rules=KNOW)
    races = [state.race(race)] if race is not None else sorted(state.living(), key=lambda r: (r.name, r.id))
    all_of_them = state.pack.knowledges
    nodes = sorted((_node(k, state.pack) for k in all_of_them.values()), key=lambda n: (n.level, n.name, n.key))
    return Tree("Knowledges", "known", tuple(nodes), tuple(_progress(state, r) for r in races))


def _node(knowledge: Knowledge, pack: Pack) -> Node:
    among = pack.knowledges

    @cache
    def level(key: str) -> int:
        return 1 + max((level(need) for need in among[key].prereqs), default=0)

    asks = tuple(condition_name(pack, condition) for condition in knowledge.requires)
    needs = tuple(sorted(knowledge.prereqs))
    return Node(knowledge.id, knowledge.name, level(knowledge.id), knowledge.code, needs, asks)


def _progress(state: State, race: Race) -> Progress:
    """Known, to be learned next, locked: the same question as a power asks that teaches (G2-KNOW-2)."""

    def number(name: str) -> int:
        return len(contacts(state, race.id)) if name == "contacts" else stat(state, race.id, name).value

    asker = Asker(race.id, number)
    unknown = [k for k in state.pack.knowledges.values() if k.id not in race.knowledges]
    able = {k.id for k in unknown if not missing(state, race.id, k) and are_met(state, k.requires, asker)}
    locked = sorted(k.id for k in unknown if k.id not in able)
    return Progress(race.id, race.name, tuple(sorted(race.knowledges)), tuple(sorted(able)), tuple(locked))
