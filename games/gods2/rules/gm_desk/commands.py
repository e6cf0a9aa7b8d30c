"""What GMs and gods do by hand: manual tasks, laws, powers lent, names of entries (section 12.1, G2-SEQ-3)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from core.names import is_same_name
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Flag, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.amend import Amend, Change
from games.engine.lifecycle.seating import Name
from games.engine.prompts.questions import Deadline, close_question
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.artifacts.rules import artifact_of_power, user_of
from games.gods2.rules.casting.events import EntrySigned, PowerGranted
from games.gods2.rules.casting.rules import any_power_of
from games.gods2.rules.gm_desk.events import LawPassed, TaskSettled
from games.gods2.rules.gm_desk.rules import void_task
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.gods import god_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTING
from games.gods2.rules.state.state import State

Steps = Iterator[Event]

GM_ONLY: frozenset[Issuer] = frozenset({Issuer.GM})
Words = Annotated[str, Field(max_length=2000)]
HIGHEST_BORROWED = 4  # level (section 12.1)
MOST_USES = 1000


class SettleManualTask(Enumerable[State]):
    """Say that a task is done, with the rows it changes; or void, so that its mana is given back."""

    issuers: ClassVar[frozenset[Issuer]] = GM_ONLY
    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    task: UUID
    """The task."""
    done: bool
    """Whether it is done; else it is void."""
    text: Words = ""
    """What was done, or why it is void; shown to the table."""
    changes: tuple[Change, ...] = Field(default=(), max_length=500)
    """The rows that change, as in `amend`."""

    def decide(self, state: State, ctx: Context) -> Steps:
        task = state.tasks.get(self.task)
        if task is None:
            raise Refused("task.closed", "This task is settled already, or there was none.", rules=("G2-MISC-1",))
        if self.changes and not self.done:
            raise Refused("amend.invalid", "A task that is void changes nothing.", rules=("G2-MISC-1",))
        yield from close_question(state, Asked.TASK, "answered", task.id)
        if not self.done:
            yield from void_task(state, task, self.text or "the GM does not do it")
            return
        text = self.text or task.words
        yield TaskSettled(task=task.id, casting=task.casting, words=text)
        if self.changes:
            yield from Amend(changes=self.changes, reason=text).decide(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for task in sorted(state.tasks.values(), key=lambda t: t.id):
            yield LegalCommand(
                cls.slug(), {"task": Choices.of((task.id,)), "done": Flag(), "text": FreeText()}, note=task.words
            )


class SettleTask(Deadline[State]):
    """The Activity Phase ends and nobody has done a task: it is void."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    task: UUID

    def question(self, state: State) -> UUID | None:
        return state.question(Asked.TASK, self.task)


class RecordLaw(Enumerable[State]):
    """Record a law that the council of the gods has passed; it counts for the sources that count laws."""

    issuers: ClassVar[frozenset[Issuer]] = GM_ONLY
    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7", "G2-TIME-4")

    name: Name
    """Its name, unlike that of every other law."""
    text: Words = ""
    """What it says."""

    def decide(self, state: State, ctx: Context) -> Steps:
        state.require(*ACTING)
        if any(is_same_name(law.name, self.name) for law in state.laws.values()):
            raise Refused(
                "name.taken", f"There is a law {self.name} already; choose another name.", rules=("G2-NAME-1",)
            )
        yield LawPassed(name=self.name, words=self.text, century=state.era.century)
        yield from count_event(state, "law_passed")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        yield LegalCommand(
            cls.slug(), {"name": FreeText().but(law.name for law in state.laws.values()), "text": FreeText()}
        )


class GrantPower(Enumerable[State]):
    """Let a god use a power so many times without cards, or lay it into an artifact for its user; 0 takes it back."""

    issuers: ClassVar[frozenset[Issuer]] = GM_ONLY
    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-4", "G2-ART-2", "G2-ART-3")

    seat: UUID | None = None
    """The god's seat; with an artifact it follows from who has that."""
    power: str = Field(min_length=1, max_length=60)
    """The power's key in the pack."""
    source: GrantSource
    """Borrowed, an artifact's, or personal."""
    uses: int = Field(default=1, ge=0, le=MOST_USES)
    """How often."""
    artifact: UUID | None = None
    """The artifact in which the power lies: whoever has it may use it. Without one the power is this god's alone."""

    def decide(self, state: State, ctx: Context) -> Steps:
        state.require(*ACTING)
        if self.artifact is not None:
            yield from self._lay_into(state, self.artifact)
            return
        if self.seat is None or self.seat not in state.gods:
            raise Refused("seat.missing", "There is no god at this seat; name one, or an artifact.")
        power = any_power_of(state, self.power)
        if self.source is GrantSource.BORROWED and power.level > HIGHEST_BORROWED:
            raise Refused(
                "power.level",
                f"{power.name} is of level {power.level}; powers up to level {HIGHEST_BORROWED} are borrowed.",
                rules=("G2-HIST-4",),
                level=power.level,
            )
        yield PowerGranted(seat=self.seat, power=power.id, source=self.source, uses=self.uses)

    def _lay_into(self, state: State, artifact: UUID) -> Steps:
        """The power lies in an artifact from now on, or no more.

        Refuses (`artifact.missing`, `artifact.lost`, `artifact.unneeded`, `artifact.other`,
        `seat.other`, `power.missing`).
        """
        found, power, user = state.artifact(artifact), any_power_of(state, self.power), user_of(state, artifact)
        if self.source is not GrantSource.ARTIFACT:
            raise Refused(
                "artifact.unneeded",
                f"A {self.source.value} power lies in no artifact; leave the artifact out.",
                rules=("G2-ART-2",),
            )
        lies = artifact_of_power(state, power.id)
        if lies is not None and lies != artifact:
            raise Refused(
                "artifact.other",
                f"{power.name} lies in {state.artifacts[lies].name} already; take it out there with 0 uses first.",
                rules=("G2-ART-2",),
            )
        if self.seat is not None and self.seat != user:
            who = "nobody" if user is None else state.gods[user].name
            raise Refused(
                "seat.other",
                f"Who uses {found.name} follows from who has it: {who} now; leave the seat out.",
                rules=("G2-ART-3",),
            )
        yield ArtifactPowerSet(artifact=artifact, power=power.id, uses=self.uses, seat=user)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        powers = {power.id: power.name for power in state.pack.powers.values()}
        low = {p.id: p.name for p in state.pack.powers.values() if p.level <= HIGHEST_BORROWED}
        others = [source.value for source in GrantSource if source is not GrantSource.BORROWED]
        often = {"uses": Range(low=0, high=MOST_USES)}
        given: dict[str, Domain] = {"seat": Choices.of(sorted(state.gods)), **often}
        for sources, names in ((others, powers), ([GrantSource.BORROWED.value], low)):
            yield LegalCommand(
                cls.slug(),
                {**given, "source": Choices.of(sources), "power": Choices.with_titles(names)},
                required=("seat",),
            )
        for artifacts, names in _places_of_powers(state, powers):
            laid: dict[str, Domain] = {
                "artifact": Choices.of(artifacts),
                **often,
                "source": Choices.of([GrantSource.ARTIFACT.value]),
                "power": Choices.with_titles(names),
            }
            yield LegalCommand(cls.slug(), laid, required=("artifact",))


def _places_of_powers(state: State, powers: dict[str, str]) -> Iterator[tuple[list[UUID], dict[str, str]]]:
    """Artifacts with the powers that may be laid into them: those that lie nowhere, and those that lie there."""
    there = sorted(artifact.id for artifact in state.artifacts.values() if not artifact.lost)
    free = {key: name for key, name in powers.items() if artifact_of_power(state, key) is None}
    if there and free:
        yield there, free
    for artifact in there:
        own = {key: name for key, name in powers.items() if (artifact, key) in state.artifact_powers}
        if own:
            yield [artifact], own


class SignEntry(Enumerable[State]):
    """Put your name to an entry of the history that you caused."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1",)

    entry: UUID
    """The entry."""

    def decide(self, state: State, ctx: Context) -> Steps:
        god = god_of(state, ctx.actor)
        state.require(*ACTING)
        deed = state.deeds.get(self.entry)
        if deed is None:
            raise Refused("entry.missing", "No god has caused such an entry.", rules=("G2-HREC-1",))
        if deed.seat != god.id:
            raise Refused("entry.not_yours", "This entry is another god's to sign.", rules=("G2-HREC-1",))
        if self.entry in state.signatures:
            raise Refused("entry.signed", "You have signed this entry already.", rules=("G2-HREC-1",))
        yield EntrySigned(entry=self.entry, seat=god.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = god_of(state, actor)
        state.require(*ACTING)
        entries = sorted(d.id for d in state.deeds.values() if d.seat == god.id and d.id not in state.signatures)
        if not entries:
            raise Refused("entry.missing", "No entry waits for your name.", rules=("G2-HREC-1",))
        yield LegalCommand(cls.slug(), {"entry": Choices.of(entries)})
