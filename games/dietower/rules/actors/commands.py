"""The commands of chapter 1: sheets, charts, levels, who falls and gets up, what is revealed."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.events import (
    ActorStateSet,
    ChartRolled,
    ChartSaved,
    LevelRaised,
    MysteryWritten,
    Revealed,
)
from games.dietower.rules.actors.rules import (
    actor_known_to,
    is_master,
    lay_down,
    own_actor,
    show,
)
from games.dietower.rules.actors.sheets import Draft, draft_of, names_in_use, require_free_actor_name, save_sheet
from games.dietower.rules.checks.rules import settle_rolls_of
from games.dietower.rules.combat.rules import require_quiet_play
from games.dietower.rules.state.constants import MOST_LEVEL, MOST_LINES, MOST_TEXT
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Condition,
    Hidden,
    Line,
    SheetField,
    Step,
    Text,
)
from games.dietower.rules.state.state import REQUIRED, State
from games.dietower.rules.state.wording import PLAY
from games.dietower.rules.tower.rules import require_tower_free
from games.engine.audience import PUBLIC, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.domains import Choices, Domain, Flag, FreeText, ListOf
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.lifecycle.seating import Name
from games.engine.model import IN_ORDER
from games.engine.wording import listing, phrase

OWN = frozenset({Issuer.SEAT, Issuer.GM})
MASTER = frozenset({Issuer.GM})
WRITING = (Step.SETUP, Step.FREE, Step.CLOSED)
LONGEST_NAME = 80


class SaveSheet(Enumerable[State]):
    """Write the sheet of a character, or begin a new one. Drafts may lack something until the first session."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-1", "DT-CHR-2", "DT-TBL-1", "DT-AMB-20")

    actor: UUID | None = None
    """The character; a new one of your seat when absent."""
    name: Name
    """What the character is called."""
    weapon: Text = ""
    """What it fights with."""
    weapon_defensive: bool = False
    """Whether that is for defence."""
    power: Text = ""
    """What it can do that others cannot."""
    power_drawback: Text = ""
    """What that costs."""
    deviation: Text = ""
    """What is odd about it."""
    mystery: Text = ""
    """What nobody knows."""
    secret_mystery: bool = False
    """Whether only you and the world master read the mystery."""
    notes: Text = ""
    """What else is to be known; everybody reads it."""
    good_at: tuple[Line, ...] = Field(default=(), max_length=MOST_LINES)
    """What it is good at: a guide for the world master."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat, actor = self._sheet(state, ctx.actor, self.actor)
        draft = Draft.model_validate(self.model_dump(exclude={"actor"}))
        require_free_actor_name(state, ctx.actor, self.name, actor.id if actor is not None else None)
        yield from save_sheet(state, ctx, seat, actor, draft)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        is_draft = state.course.step is Step.SETUP
        needed = () if is_draft else (*REQUIRED, "mystery")
        texts: dict[str, Domain] = {
            name: FreeText(low=1 if name in needed else None, high=MOST_TEXT)
            for name in (*REQUIRED, "mystery", "notes")
        }
        common: dict[str, Domain] = {
            **texts,
            "weapon_defensive": Flag(),
            "secret_mystery": Flag(),
            "good_at": ListOf(FreeText(low=1), high=MOST_LINES, unique=False),
        }
        if is_master(actor):
            state.require(*WRITING)
            for each in state.player_characters():
                written = {"actor": Choices((each.id,)), "name": _free_name(state, actor, each.id), **common}
                yield LegalCommand(cls.slug(), written, required=("actor", *needed))
            return
        for own in state.characters_of(state.seat(actor.acting_seat).id):
            cls._sheet(state, actor, own.id)
            written = {"actor": Choices((own.id,)), "name": _free_name(state, actor, own.id), **common}
            yield LegalCommand(cls.slug(), written, required=("actor",))
        cls._sheet(state, actor, None)
        yield LegalCommand(cls.slug(), {"name": _free_name(state, actor), **common}, note="A new character.")

    @staticmethod
    def _sheet(state: State, asker: CommandActor, named: UUID | None) -> tuple[UUID, Actor | None]:
        """(the seat, the character; None for a new one). Raises `phase.closed`, `characters.full` and who may not."""
        state.require(*(WRITING if is_master(asker) else (Step.SETUP,)))
        if named is not None:
            actor = own_actor(state, asker, named)
            if actor.seat is None:
                raise Refused(
                    "target.invalid",
                    f"{actor.name} has no sheet; save-npc or save-monster writes of it.",
                    rules=("DT-CHR-5",),
                )
            return actor.seat, actor
        seat = state.seat(asker.acting_seat if not is_master(asker) else None)
        if seat.role is not Role.PLAYER:
            raise Refused("issuer.other", f"{seat.name} has no character; a player's seat has.", rules=("DT-TBL-1",))
        most = state.course.characters
        if len(state.characters_of(seat.id)) >= most:
            raise Refused(
                "characters.full",
                f"A seat has {most} characters at most; name the one you write of.",
                rules=("DT-TBL-1",),
                most=most,
            )
        return seat.id, None


def _free_name(state: State, asker: CommandActor, of: UUID | None = None) -> FreeText:
    """A name that no other bears, as far as the asker may know."""
    return FreeText(low=1, high=LONGEST_NAME).but(names_in_use(state, asker, of))


class SaveChart(Enumerable[State]):
    """Write the lines of a chart, from which a field of a sheet is drawn."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-6",)

    field: str = Field(max_length=40)
    """A text of a sheet: `name`, `weapon`, `power`, `power_drawback`, `deviation`, `mystery` or `notes`."""
    lines: tuple[Line, ...] = Field(max_length=MOST_LINES, json_schema_extra=IN_ORDER)
    """At least one."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*WRITING)
        if self.field not in set(SheetField):
            known = listing(map(phrase, SheetField))
            raise Refused("chart.field", f"There are charts for {known}.", rules=("DT-CHR-6",), field=self.field)
        field = SheetField(self.field)
        if not self.lines:
            raise Refused("chart.empty", "A chart has a line at least.", rules=("DT-CHR-6",))
        if field is SheetField.NAME and any(len(line.strip()) not in range(1, LONGEST_NAME + 1) for line in self.lines):
            raise Refused("chart.line", f"A name has 1 to {LONGEST_NAME} characters.", rules=("DT-CHR-6",))
        yield ChartSaved(field=field, lines=self.lines)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*WRITING)
        lines = ListOf(FreeText(low=1), low=1, high=MOST_LINES, unique=False)
        yield LegalCommand(cls.slug(), {"field": Choices.of(f.value for f in SheetField), "lines": lines})


class RollChart(Enumerable[State]):
    """Draw a field of a sheet from its chart, by a die with as many sides as the chart has lines."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-6", "DT-AMB-60")

    actor: UUID
    """The character."""
    field: SheetField
    """What is drawn."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor, seat = self._character(state, ctx.actor, self.actor)
        chart = state.charts.get(self.field)
        if chart is None:
            raise Refused(
                "chart.missing", f"There is no chart for {self.field}; save-chart writes one.", rules=("DT-CHR-6",)
            )
        draft = draft_of(state, actor)
        hidden = self.field is SheetField.MYSTERY and draft.secret_mystery
        # The place of a die counts no dice that others than its readers know.
        use = f"secret-chart:{self.field}/{actor.id}" if hidden else f"chart:{self.field}"
        line = ctx.roll(use, len(chart.lines), "DT-CHR-6")
        drawn = chart.lines[line - 1]
        readers = seat_and_gm(seat) if hidden else PUBLIC
        yield ChartRolled(actor=actor.id, field=self.field, line=line, text=drawn, readers=readers)
        if self.field is SheetField.MYSTERY:
            yield MysteryWritten(actor=actor.id, seat=seat, text=drawn, secret=draft.secret_mystery)
        else:
            changed = draft.model_copy(update={self.field.value: drawn})
            yield from save_sheet(state, ctx, seat, actor, changed)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        master = is_master(actor)
        possible = state.player_characters() if master else state.characters_of(state.seat(actor.acting_seat).id)
        there = Choices.of(chart.field.value for chart in state.charts.values())
        for each in possible:
            cls._character(state, actor, each.id)
            if there.values:
                yield LegalCommand(cls.slug(), {"actor": Choices((each.id,)), "field": there})

    @staticmethod
    def _character(state: State, asker: CommandActor, named: UUID) -> tuple[Actor, UUID]:
        state.require(*(WRITING if is_master(asker) else (Step.SETUP,)))
        actor = own_actor(state, asker, named)
        if actor.seat is None:
            raise Refused("target.invalid", "Charts are for the sheets of players' characters.", rules=("DT-CHR-6",))
        return actor, actor.seat


class RaiseLevel(Enumerable[State]):
    """Let a character rise by a level, up to 20; that gives no Wish."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-3", "DT-AMB-1")

    actor: UUID
    """The character."""
    reason: str = Field(min_length=1, max_length=MOST_TEXT)
    """What for."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*PLAY, Step.CLOSED)
        require_quiet_play(state)
        actor = actor_known_to(state, ctx.actor, self.actor)
        sheet = state.sheets.get(actor.id)
        if sheet is None:
            raise Refused("target.invalid", f"{actor.name} is no player's character.", rules=("DT-CHR-3",))
        if sheet.level >= MOST_LEVEL:
            raise Refused("level.top", f"{actor.name} has the highest level, {MOST_LEVEL}.", rules=("DT-AMB-1",))
        yield LevelRaised(actor=actor.id, level=sheet.level + 1, reason=self.reason)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(*PLAY, Step.CLOSED)
        require_quiet_play(state)
        rising = Choices.of(a.id for a in state.player_characters() if state.sheets[a.id].level < MOST_LEVEL)
        if rising.values:
            yield LegalCommand(cls.slug(), {"actor": rising, "reason": FreeText(low=1, high=MOST_TEXT)})


class SetState(Enumerable[State]):
    """Say that a PC or NPC has fallen, or is up again, with a reason."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-4", "DT-CHK-15")

    actor: UUID
    """Who."""
    state: Condition
    """`active` or `fallen`."""
    text: Text = ""
    """How they fell: dead, hurt, ..."""
    reason: str = Field(min_length=1, max_length=MOST_TEXT)
    """Why."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_quiet(state)
        actor = actor_known_to(state, ctx.actor, self.actor)
        if actor.kind is ActorKind.MONSTER or self.state is Condition.BEATEN:
            raise Refused("target.invalid", "PC and NPC are active or fallen; Monsters have Health.", rules=self.rules)
        yield from show(state, actor)
        yield ActorStateSet(actor=actor.id, state=self.state, text=self.text, reason=self.reason)
        if self.state is Condition.FALLEN:
            yield from lay_down(state, actor.id)
            yield from settle_rolls_of(state, ctx, actor.id, "fallen")

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        cls._require_quiet(state)
        texts: dict[str, Domain] = {"text": FreeText(high=MOST_TEXT), "reason": FreeText(low=1, high=MOST_TEXT)}
        people = [a for a in state.actors.values() if a.kind is not ActorKind.MONSTER]
        if people:
            states = Choices.of((Condition.ACTIVE.value, Condition.FALLEN.value))
            yield LegalCommand(cls.slug(), {"actor": Choices.of(a.id for a in people), "state": states, **texts})

    @staticmethod
    def _require_quiet(state: State) -> None:
        """Refuse (`phase.closed`, `prompt.open`) while a question inside the turn, or of the tower, is open."""
        state.require(*PLAY)
        require_tower_free(state)
        if any(prompt.parent is not None for prompt in state.prompts.values()):
            raise Refused(
                "prompt.open", "A question inside this turn is still open; it comes first.", rules=("DT-CHR-4",)
            )


class Reveal(Enumerable[State]):
    """Show everybody something hidden of somebody: the world master of all, a player the own mystery."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-5", "DT-CHR-8")

    actor: UUID
    """Of whom."""
    field: Hidden
    """What."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.SETUP, *PLAY, Step.CLOSED)
        actor = own_actor(state, ctx.actor, self.actor)
        text = hidden_text(state, actor, self.field)
        if not text:
            raise Refused("target.invalid", f"There is nothing hidden of {actor.name} there.", rules=("DT-CHR-5",))
        yield from show(state, actor)
        yield Revealed(actor=actor.id, field=self.field, text=text)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.SETUP, *PLAY, Step.CLOSED)
        master = is_master(actor)
        possible = list(state.actors.values()) if master else state.characters_of(state.seat(actor.acting_seat).id)
        for each in possible:
            fields = [f.value for f in Hidden if hidden_text(state, each, f)]
            if fields:
                yield LegalCommand(cls.slug(), {"actor": Choices((each.id,)), "field": Choices.of(fields)})


def hidden_text(state: State, actor: Actor, field: Hidden) -> str:
    """What is hidden of somebody in a field now; empty where nothing is."""
    if field is Hidden.MYSTERY:
        mystery = state.mysteries.get(actor.id)
        return mystery.text if mystery is not None and mystery.secret else ""
    brief, vitality = state.briefs.get(actor.id), state.vitalities.get(actor.id)
    of, name = (vitality, "health") if field is Hidden.HEALTH else (brief, field.value)
    text = str(getattr(of, name)) if of is not None else ""
    shown = state.revelations.get((actor.id, field))
    return "" if shown is not None and shown.text == text else text
