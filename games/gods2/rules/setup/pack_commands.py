"""Move a running game to another data pack: only when everything in use is in the new one (G2-PACK-1, section 4.1)."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.gods2.rules.mana.events import SOURCE
from games.gods2.rules.pack.entries import Pack
from games.gods2.rules.setup.events import PackMoved
from games.gods2.rules.state.landmarks import CITY_FEATURE
from games.gods2.rules.state.options import no_pack
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.window.prompts import check_idle

BETWEEN = (Phase.SETUP, Phase.TRANSITION, Phase.OPEN, Phase.CREATION)
"""When a pack may be changed: no step of the century and no worksheet is half done then."""


class MovePack(Enumerable[State]):
    """Go on with a later data pack, if nothing that is in use is missing from it."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-PACK-1",)

    pack_version: int = Field(ge=1)
    """The number of the pack to move to."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _require(state)
        former = state.era.pack_version
        if self.pack_version == former:
            raise Refused(
                "pack.same", f"The game is played with pack {former} already.", rules=self.rules, version=former
            )
        if self.pack_version not in state.packs:
            raise no_pack(state, self.pack_version)
        if self.pack_version < former:
            raise Refused(
                "pack.older",
                f"Pack {self.pack_version} is older than pack {former}, and a game goes on to later ones only. Rewind "
                "takes a move back; a copy of the old pack, published anew, is a later one.",
                rules=self.rules,
                version=self.pack_version,
                former=former,
            )
        pack = state.packs[self.pack_version]
        if lost := missing(state, pack):
            raise Refused(
                "pack.lacks",
                f"Pack {self.pack_version} lacks what is in use: {'; '.join(lost[:12])}"
                f"{f' and {len(lost) - 12} more' if len(lost) > 12 else ''}. Choose a pack that has it.",
                rules=self.rules,
                missing=lost,
            )
        yield PackMoved(pack_version=pack.version, digest=pack.digest, former=former)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _require(state)
        later = [version for version in sorted(state.packs) if version > state.era.pack_version]
        if not later:
            raise Refused("pack.missing", "There is no later pack.", rules=cls.rules, version=state.era.pack_version)
        whole = [version for version in later if not missing(state, state.packs[version])]
        if not whole:
            raise Refused("pack.lacks", "No later pack has all that is in use.", rules=cls.rules)
        yield LegalCommand(cls.slug(), {"pack_version": Choices.of(whole)})


def _require(state: State) -> None:
    """Refuse in the middle of a step, of a casting, or before a pack was pinned."""
    state.require(*BETWEEN)
    if not state.era.pack_version:
        raise Refused(
            "config.missing", "Configure the game first: configure-game pins the data pack.", rules=("G2-SET-1",)
        )
    check_idle(state)


def missing(state: State, pack: Pack) -> list[str]:
    """What the game uses and a pack has not, in words: `the knowledge writing of the Norse`. Sorted, each once."""
    known = {
        "attribute": pack.attributes,
        "knowledge": pack.knowledges,
        "feature": pack.features,
        "power": pack.powers,
        "sphere": pack.spheres,
        "mana source": pack.mana_sources,
    }
    return sorted({f"the {kind} {key} {where}" for kind, key, where in _uses_of_pack(state) if key not in known[kind]})


def _uses_of_pack(state: State) -> Iterator[tuple[str, str, str]]:
    """Everything of the pack that the game names: what kind of thing, its key, and where it is used."""
    for race in state.races.values():
        yield from (("attribute", key, f"of the {race.name}") for key in race.attributes)
        yield from (("knowledge", key, f"of the {race.name}") for key in race.knowledges)
    for feature in state.features.values():
        yield "feature", feature.kind, f"on {feature.square.column}, {feature.square.row}"
    for kind in {city.kind for city in state.cities.values()}:
        yield "feature", CITY_FEATURE[kind], "under a city"
    for modification in state.modifications.values():
        name = state.races[modification.race].name
        yield "power", modification.power, f"that works on the {name}"
    for proposal in state.proposals.values():
        yield "power", proposal.power, "that is being cast"
    for grant in state.grants.values():
        yield "power", grant.power, "that was granted"
    for cards in state.cards.values():
        yield "sphere", cards.sphere, "of which gods hold cards"
    for factor in state.factors.values():
        yield "mana source", factor.source, "of this session"
    for line in state.lines.values():
        if line.kind == SOURCE:
            yield "mana source", line.key, "of this century's worksheet"
