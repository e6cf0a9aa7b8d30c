"""The commands of a turn beside its action: who is used, journeys, handing over, its end; calling time, leaving."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle import leaving
from games.engine.lifecycle.gm_commands import CONDUCTORS, Reason
from games.forgeborn.rules.claims.events import ArtifactHanded
from games.forgeborn.rules.claims.rules import use_claim
from games.forgeborn.rules.state.constants import MOST_TEXT, ROAD_MOVES
from games.forgeborn.rules.state.records import Artifact, Character
from games.forgeborn.rules.state.schema_types import CharacterKind, Step, WayKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.rules import require_place
from games.forgeborn.rules.turns.events import CharacterChosen, Journeyed, SeatLeft, TimeCalled, TurnEnd
from games.forgeborn.rules.turns.rules import end_turn, require_turn


class UseCharacter(Enumerable[State]):
    """Use one of your Heroines in this turn, or your Smith again; before the first move alone."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-1", "FB-TRN-3")

    character: UUID
    """Your Smith, or a Heroine of yours."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        acting = require_turn(state, ctx.actor)
        character = _require_character(state, self.character)
        if character.seat != acting.seat:
            raise Refused(
                "character.foreign",
                f"{character.name} is another player's; use one of yours.",
                rules=("FB-TRN-1",),
                character=character.id,
            )
        _require_unmoved(state)
        yield CharacterChosen(seat=acting.seat, character=character.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        acting = require_turn(state, actor)
        _require_unmoved(state)
        others = [own.id for own in state.characters_of(acting.seat) if own.id != acting.id]
        if others:
            yield LegalCommand(cls.slug(), {"character": Choices.of(others)})


class Journey(Enumerable[State]):
    """Go to a neighbouring place. One Road leaves the action free; a second Road, or a Trail, ends the turn."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-1", "FB-TRN-2", "FB-AMB-6")

    to: UUID
    """The place; a way joins it to where your character stands."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character = require_turn(state, ctx.actor)
        place = require_place(state, self.to)
        kind = dict(state.ways_from(character.place)).get(place.id)
        if kind is None:
            raise Refused(
                "route.missing",
                f"No way leads from {state.places[character.place].name} to {place.name}.",
                rules=("FB-TRN-2",),
                places=[character.place, place.id],
            )
        _require_way(state, kind)
        yield Journeyed(character=character.id, old=character.place, new=place.id, kind=kind)
        yield from use_claim(state, character.seat, arrived=character)
        if kind is WayKind.TRAIL or state.course.roads >= ROAD_MOVES:
            yield from end_turn(state, TurnEnd.JOURNEY)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character = require_turn(state, actor)
        for place, kind in state.ways_from(character.place):
            domains, facts = {"to": Choices((place,))}, {"kind": kind.value, "roads": state.course.roads}
            try:
                _require_way(state, kind)
            except Refused as barred:
                yield LegalCommand(cls.slug(), domains, barred=barred, facts=facts)
                continue
            yield LegalCommand(cls.slug(), domains, facts=facts)


class GiveArtifact(Enumerable[State]):
    """Let your Smith give an artifact to a Heroine in the same place, also another player's, who is not asked."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-4", "FB-AMB-7", "FB-AMB-28", "FB-AMB-31", "FB-AMB-42")

    artifact: UUID
    """What your Smith holds."""
    heroine: UUID
    """Who shall have it."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = _own_smith(state, ctx.actor)
        artifact, heroine = _require_artifact(state, self.artifact), _require_character(state, self.heroine)
        if heroine.kind is not CharacterKind.HEROINE:
            raise Refused(
                "character.heroine_only",
                f"{heroine.name} is a Smith; artifacts are given to Heroines.",
                rules=("FB-TRN-4",),
                character=heroine.id,
            )
        _require_together(smith, heroine)
        if artifact.holder != smith.id:
            raise Refused(
                "artifact.not_held",
                f"{smith.name} does not hold {artifact.name}.",
                rules=("FB-TRN-4",),
                artifact=artifact.id,
            )
        yield ArtifactHanded(artifact=artifact.id, giver=smith.id, taker=heroine.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        smith = _own_smith(state, actor)
        own = [artifact.id for artifact in state.artifacts_of(smith.id)]
        near = [c.id for c in state.characters.values() if c.kind is CharacterKind.HEROINE and c.place == smith.place]
        if own and near:
            yield LegalCommand(cls.slug(), {"artifact": Choices.of(own), "heroine": Choices.of(near)})


class TakeBackArtifact(Enumerable[State]):
    """Let your Smith take an artifact from a Heroine of yours in the same place."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-4", "FB-AMB-7", "FB-AMB-28")

    artifact: UUID
    """What your Heroine holds."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = _own_smith(state, ctx.actor)
        artifact = _require_artifact(state, self.artifact)
        heroine = state.characters.get(artifact.holder)
        if heroine is None or heroine.kind is not CharacterKind.HEROINE:
            raise Refused(
                "artifact.not_held",
                f"No Heroine of yours holds {artifact.name}.",
                rules=("FB-TRN-4",),
                artifact=artifact.id,
            )
        if heroine.seat != smith.seat:
            raise Refused(
                "character.foreign",
                f"{heroine.name}, who holds {artifact.name}, is another player's; what was given stays given.",
                rules=("FB-TRN-4", "FB-AMB-7"),
                character=heroine.id,
            )
        _require_together(smith, heroine)
        yield ArtifactHanded(artifact=artifact.id, giver=heroine.id, taker=smith.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        smith = _own_smith(state, actor)
        heroines = [c for c in state.characters_of(smith.seat) if c.id != smith.id and c.place == smith.place]
        held = [artifact.id for heroine in heroines for artifact in state.artifacts_of(heroine.id)]
        if held:
            yield LegalCommand(cls.slug(), {"artifact": Choices.of(held)})


class EndTurn(Enumerable[State]):
    """End your turn without a further move or action."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-2",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_turn(state, ctx.actor)
        yield from end_turn(state, TurnEnd.ENDED)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_turn(state, actor)
        yield LegalCommand(cls.slug())


class CallTime(Enumerable[State]):
    """Make the round that runs the last one; it is played to its end."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-END-2", "FB-AMB-46", "FB-AMB-58")

    reason: Reason = ""
    """Why; it must be said."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_round(state)
        if not self.reason.strip():
            raise Refused("reason.missing", "Say why the game ends with this round.", rules=("FB-END-2",))
        yield TimeCalled(round=state.course.round, reason=self.reason)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._require_round(state)
        yield LegalCommand(cls.slug(), {"reason": FreeText(low=1, high=MOST_TEXT)}, required=("reason",))

    @staticmethod
    def _require_round(state: State) -> None:
        """Refuse (`phase.closed`, `time.called`) unless a round runs that may become the last."""
        state.require(Step.TURN)
        if state.course.called:
            raise Refused("time.called", "Time is called already: this round is the last.", rules=("FB-END-2",))


class LeaveSeat(leaving.LeaveSeat[State]):
    """Leave the table: your seat is free for another, and all that is yours stays with it."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("FB-END-3", "FB-AMB-47", "FB-AMB-60")
    left: ClassVar[type[SeatLeft]] = SeatLeft


def _require_character(state: State, character: UUID) -> Character:
    """The character of this id. Raises `character.missing`."""
    if character not in state.characters:
        raise Refused("character.missing", "There is no such character in this game.", rules=("FB-ROW-2",))
    return state.characters[character]


def _require_artifact(state: State, artifact: UUID) -> Artifact:
    """The artifact of this id. Raises `artifact.missing`."""
    if artifact not in state.artifacts:
        raise Refused("artifact.missing", "There is no such artifact in this game.", rules=("FB-ROW-1",))
    return state.artifacts[artifact]


def _own_smith(state: State, actor: Actor) -> Character:
    """The Smith of the seat whose turn it is, whichever character it uses. Raises what `require_turn` raises."""
    smith = state.smith_of(require_turn(state, actor).seat)
    if smith is None:
        raise RuntimeError("a seat has its turn and no Smith")
    return smith


def _require_together(smith: Character, heroine: Character) -> None:
    """Refuse (`character.elsewhere`) handing over between those who are apart."""
    if smith.place != heroine.place:
        raise Refused(
            "character.elsewhere",
            f"{smith.name} and {heroine.name} stand in different places; artifacts go from hand to hand.",
            rules=("FB-TRN-4",),
            places=[smith.place, heroine.place],
        )


def _require_unmoved(state: State) -> None:
    """Refuse (`turn.begun`) another character after the first move of a turn."""
    if state.course.roads:
        raise Refused(
            "turn.begun",
            "The first move of this turn is made; the same character does the rest of it.",
            rules=("FB-TRN-1", "FB-TRN-3"),
        )


def _require_way(state: State, kind: WayKind) -> None:
    """Refuse (`journey.limit`) a Trail after a Road."""
    if kind is WayKind.TRAIL and state.course.roads:
        raise Refused(
            "journey.limit",
            "A Trail takes the whole turn, and a Road move is made already; take a Road, or act.",
            rules=("FB-TRN-2", "FB-AMB-6"),
            roads=state.course.roads,
        )
