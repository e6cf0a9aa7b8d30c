"""What gods do about a turmoil, and its die at the century's end (G2-TURM-1, 3, 4, 5; AMB-30 to 32).

A member god starts one at will, without a number. Of a race still in turmoil when the century ends a d6 decides: 1-2
nothing, 3-4 a random member is thrown out, 5-6 a random member may throw out another.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC, reader
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import answer, close, open_prompt, owner_for, timer_key
from games.engine.prompts.questions import ask_row, settle_by_silence
from games.engine.wording import quantity
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.casting.eligibility import god_of
from games.gods2.rules.casting.prompts import seat_of
from games.gods2.rules.casting.rules import enter_deed
from games.gods2.rules.casting.standing_answers import declines, use_standing_answer
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.pantheon.commands import ACTING, RECKONING, member
from games.gods2.rules.pantheon.shares import JEALOUS
from games.gods2.rules.pantheon.turmoil import AT_WILL, expel_member, name_of_member, start_turmoil
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.effect_records import LaterTurmoil
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import God
from games.gods2.rules.state.state import State

Steps = Iterator[Event]
Result = Literal["nothing", "thrown", "choice"]


class TurmoilDeferred(ForSeat[State]):
    """A turmoil will begin with the next century: the worship of this one is settled."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-1", "G2-AMB-32")

    race: UUID
    century: int
    seat: UUID

    def apply(self, state: State) -> None:
        state.later_turmoils[self.race] = LaterTurmoil(self.race, self.seat)

    def sentence(self, state: State) -> str:
        return f"A turmoil among {state.races[self.race].name} will begin with century {self.century}."


class TurmoilBegun(ForSeat[State]):
    """A turmoil that was put off begins now; it waits no longer."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AMB-32",)

    race: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        del state.later_turmoils[self.race]

    def sentence(self, state: State) -> str:
        return f"The turmoil among {state.races[self.race].name} that waited begins."


class TurmoilRolled(Event[State]):
    """The die of a turmoil at the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-3", "G2-TURM-4")

    race: UUID
    result: Result
    member: str | None = None
    """Who is thrown out, or may throw out another."""

    def sentence(self, state: State) -> str:
        race = state.races[self.race].name
        if self.member is None:
            return f"The turmoil among {race} changes nothing in the pantheon."
        who = name_of_member(state, self.member)
        end = "is thrown out" if self.result == "thrown" else "may throw out another member"
        return f"The turmoil among {race}: {who} {end}."


class ExpulsionAsked(Event[State]):
    """A god may throw out another member."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5",)

    prompt: UUID
    race: UUID
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} may throw a member out of the pantheon of {state.races[self.race].name}."


class ExpulsionAnswered(Event[State]):
    """What the chosen god has decided; without a member, to decline."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5", "G2-AMB-30")

    prompt: UUID
    race: UUID
    seat: UUID
    member: str | None = None

    def sentence(self, state: State) -> str:
        who = state.gods[self.seat].name
        return f"{who} declines." if self.member is None else f"{who} throws out {name_of_member(state, self.member)}."


class StartTurmoil(Enumerable[State]):
    """Start a religious turmoil in a race that worships you: no number is needed, and no mana is paid.

    In the Calculation Phase it begins with the next century.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-1", "G2-QUEUE-3")

    race: UUID
    """The race; you are a member of its pantheon."""
    signed: bool = False
    """Whether the public entry of the history names you."""

    def decide(self, state: State, ctx: Context) -> Steps:
        god = may_start(state, ctx.actor, self.race)
        if state.era.phase in RECKONING:
            yield TurmoilDeferred(race=self.race, century=state.era.century + 1, seat=god.id)
        else:
            yield from _start_turmoil_by(state, ctx, self.race, god.id, signed=self.signed)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        god = god_of(state, actor)
        races = [
            r.id
            for r in state.living()
            if (r.id, str(god.id)) in state.shares and not r.turmoil and r.id not in state.later_turmoils
        ]
        if not races:
            raise Refused("member.missing", f"No race at peace worships {god.name}.", rules=("G2-TURM-1",))
        yield LegalCommand(cls.slug(), {"race": Choices.of(races), "signed": Flag()})


def may_start(state: State, actor: Actor, race: UUID) -> God:
    """The god who starts a turmoil. Raises `race.*`, `member.missing`, `turmoil.running`, `phase.closed`."""
    found = state.race(race)
    if found.extinct:
        raise Refused("race.extinct", f"{found.name} are no more.", rules=("G2-POP-5",))
    god = member(state, actor, race)
    state.require(*ACTING)
    if found.turmoil or race in state.later_turmoils:
        raise Refused("turmoil.running", f"{found.name} are in turmoil already.", rules=("G2-TURM-1",))
    return god


def _start_turmoil_by(state: State, ctx: Context, race: UUID, seat: UUID, *, signed: bool) -> Steps:
    yield from run_and_settle(state, ctx, start_turmoil(state, race, AT_WILL), "turmoil")
    text = f"Religious turmoil among {state.races[race].name}."
    yield from enter_deed(enter_history(state, ctx, kind="turmoil", cause=AT_WILL, words=text), seat, signed=signed)


def later_turmoils(state: State, ctx: Context) -> Steps:
    """Step 1: the turmoils of the last Calculation Phase begin, by race (AMB-32)."""
    for waiting in sorted(state.later_turmoils.values(), key=lambda t: t.race):
        yield TurmoilBegun(race=waiting.race, seat=waiting.seat)
        if not state.races[waiting.race].extinct:
            yield from _start_turmoil_by(state, ctx, waiting.race, waiting.seat, signed=False)


def roll_turmoils(state: State, ctx: Context) -> Steps:
    """Step 15: a d6 for each race still in turmoil, by id."""
    for race in state.living():
        if race.turmoil:
            yield from run_and_settle(state, ctx, _roll_turmoil(state, ctx, race.id), "turmoil")


def _roll_turmoil(state: State, ctx: Context, race: UUID) -> Steps:
    use = f"c{state.era.century}/turmoil/{race}"
    die = ctx.tray.roll(use, 6, "G2-TURM-3")
    members = list(state.pantheon(race))
    if die <= 2 or len(members) < 2:
        yield TurmoilRolled(race=race, result="nothing")
        return
    chosen = ctx.tray.draw(f"{use}/member", members, "G2-TURM-4")
    if die <= 4:
        yield TurmoilRolled(race=race, result="thrown", member=chosen)
        yield from expel_member(state, race, chosen, "turmoil")
        return
    yield TurmoilRolled(race=race, result="choice", member=chosen)
    if chosen in JEALOUS:
        others = [m for m in members if m != chosen]
        yield from expel_member(state, race, ctx.tray.draw(f"{use}/victim", others, "G2-TURM-5"), chosen)
    else:
        yield from _ask_expulsion(state, ctx, race, UUID(chosen))


def _ask_expulsion(state: State, ctx: Context, race: UUID, seat: UUID) -> Steps:
    """Ask the chosen god until the Calculation Phase ends, and for two minutes at least."""
    prompt = ctx.mint(PUBLIC)
    yield ExpulsionAsked(prompt=prompt, race=race, seat=seat)
    yield from ask_row(
        state,
        ctx,
        Asked.EXPEL,
        race,
        prompt=prompt,
        owners=(reader(seat),),
        choices=[m for m in state.pantheon(race) if m != str(seat)],
        due=state.era.ends_at,
        race=state.races[race].name,
    )
    if declines(state, seat):
        yield from use_standing_answer(prompt, seat, "null")
        yield from close(state, prompt, "answered")
        yield ExpulsionAnswered(prompt=prompt, race=race, seat=seat)


class AnswerExpulsion(Enumerable[State]):
    """Throw another member out of a pantheon in turmoil, or decline: you were chosen by the die."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5",)

    prompt: UUID
    """The question."""
    member: str | None = Field(default=None, max_length=60)
    """Another member: a seat's id, `diabolism` or `atheism`; nobody when absent."""

    def decide(self, state: State, ctx: Context) -> Steps:
        asked = open_prompt(state, self.prompt)
        if asked.kind != Asked.EXPEL or asked.subject is None:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        seat = seat_of(owner_for(state, asked, ctx.actor))
        if self.member is not None and self.member not in asked.choices:
            raise Refused("member.missing", "This is no other member of that pantheon.", rules=("G2-TURM-5",))
        yield from answer(state, ctx, self.prompt, "null" if self.member is None else f'"{self.member}"')
        yield from close(state, self.prompt, "answered")
        yield ExpulsionAnswered(prompt=self.prompt, race=asked.subject, seat=seat, member=self.member)
        if self.member is not None:
            yield from run_and_settle(state, ctx, expel_member(state, asked.subject, self.member, "turmoil"), "turmoil")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        seat = actor.acting_seat
        for asked in expulsions(state):
            if seat is not None and reader(seat) in asked.owners:
                yield LegalCommand(
                    cls.slug(),
                    {
                        "prompt": Choices.of((asked.id,)),
                        "member": Choices.with_titles({m: name_of_member(state, m) for m in asked.choices}),
                    },
                )


def decline(state: State, ctx: Context, asked: Prompt, late: Sequence[UUID]) -> Steps:
    """Take silence as a refusal to throw anybody out."""
    yield from close(state, asked.id, "deadline")
    if asked.subject is not None:
        yield ExpulsionAnswered(prompt=asked.id, race=asked.subject, seat=seat_of(asked.owners[0]))


def expulsions(state: State) -> list[Prompt]:
    """The open questions whom to throw out, by id."""
    return sorted((p for p in state.prompts.values() if p.kind == Asked.EXPEL), key=lambda p: p.id)


def expulsion_dues(state: State) -> list[datetime]:
    """Until when the chosen gods may think; the century's end waits for them."""
    timers = [state.timers.get(timer_key(p.id)) for p in expulsions(state)]
    return [timer.due for timer in timers if timer is not None and timer.due is not None]


def decline_all(state: State, ctx: Context) -> Steps:
    """Every god who is still asked declines: the century ends."""
    for asked in expulsions(state):
        yield from settle_by_silence(state, ctx, asked)


def check_expulsions(state: State) -> None:
    """Refuse (`prompt.open`) while a god is asked whom to throw out."""
    if asked := expulsions(state):
        raise Refused(
            "prompt.open",
            f"{quantity(len(asked), 'god')} must say whom to throw out of a pantheon; mana is paid after that.",
            rules=("G2-TURM-5",),
        )
