"""The stage of the golden games of The Gods II: a table whose dice are entered by hand.

A story names gods, races and squares as the rulebook does; each of its numbers is worked out by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.manual_dice import KIND as DICE
from games.engine.prompts.manual_dice import EnterDie
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.value_types import CardOf, CityAt, Held, PartOf, Place, ShareOf, Target
from games.models import Prompt
from tests.golden.tale import Tale


class Story(Tale):
    """One game of The Gods II."""

    def __init__(self, monkeypatch: Any, **options: Any) -> None:
        super().__init__(monkeypatch, "gods2")
        self.options = Gods2Options(dice_by_hand=True, plan=(16,), **options)
        self.races: dict[str, UUID] = {}

    # --- before the game -------------------------------------------------------------------------------------------

    def earth(self, *rows: str) -> None:
        """The map, a letter for each square."""
        self.by_gm(ConfigureGame(options=self.options, pack_version=1))  # its numbers are the rulebook's
        self.by_gm(SetMap(width=len(rows[0]), height=len(rows), rows=rows))

    def god(self, name: str, mana: int = 20, kind: str = "god", **cards: int) -> None:
        """A god with a player, mana, and cards by sphere."""
        self.join(name)
        held = tuple(CardOf(sphere=sphere, count=count) for sphere, count in cards.items())
        self.by_gm(DefineGod(seat=self.seats[name], name=name, kind=kind, cards=held, amount=mana))

    def race(
        self,
        name: str,
        units: Mapping[int | tuple[int, int], int],
        *,
        worships: Mapping[str, int] | None = None,
        attributes: Sequence[str] = (),
        knows: Sequence[str] = (),
        cities: Mapping[int, str] | None = None,
    ) -> None:
        """A race: units by column (of row 0) or (row, column), its pantheon in percent, its cities by column."""
        held = tuple(Held(square=spot(at), units=n) for at, n in units.items())
        built = tuple(CityAt(square=spot(at), kind=kind) for at, kind in (cities or {}).items())
        defined = self.by_gm(
            DefineRace(
                name=name,
                attributes=tuple(attributes),
                knowledges=tuple(knows),
                placed=held,
                cities=built,
                pantheon=self.pantheon(**(worships or {})),
            )
        )
        self.races[name] = defined[0].race

    def pantheon(self, **percent: float) -> tuple[ShareOf, ...]:
        """Shares in percent, by the god's name or the special member."""
        return tuple(
            ShareOf(member=str(self.seats.get(member, member)), share=round(share * 100))
            for member, share in percent.items()
        )

    def begins(self, *dice: tuple[str, int]) -> list[Event]:
        """Start and open the first session; these are the dice of the first century's beginning."""
        self.by_gm(Start())
        begun = self.by_gm(OpenSession())
        return [*begun, *self.dice(*dice)]

    # --- during the game -------------------------------------------------------------------------------------------

    def cast(self, god: str, power: str, *targets: Target, parts: Mapping[str, int] | None = None) -> list[Event]:
        """A god casts a power, alone or with others who pay their parts."""
        paid = tuple(PartOf(seat=self.seats[name], amount=amount) for name, amount in (parts or {}).items())
        split = "given" if paid else "equal"
        return self.by(god, CastPower(power=power, targets=targets, parts=paid, split=split))

    def dice(self, *dice: tuple[str, int]) -> list[Event]:
        """The GM enters the dice of the real table, each `d6 for` the rule that asks for it; what followed."""
        events: list[Event] = []
        for wanted, value in dice:
            prompt = Prompt.objects.filter(game=self.game, kind=DICE).order_by("opened_at", "pk").first()
            assert prompt is not None, f"no die is asked, not even {wanted}"
            die, rule = wanted.split(" ")
            assert prompt.question.startswith(f"Roll a {die} at the table for {rule} "), (
                f"{prompt.question}, not {wanted}"
            )
            events += self.by_gm(EnterDie(prompt=prompt.pk, value=value))
        return events

    def pay_mana(self, minute: float) -> list[Event]:
        """Let time pass until the Activity Phase has ended, and approve the worksheet: mana is paid; what followed."""
        return [*self.until(minute), *self.by_gm(ApproveWorksheet())]

    # --- what is there ---------------------------------------------------------------------------------------------

    def units(self, race: str) -> dict[int, int]:
        """The units of a race by column; its squares lie in row 0."""
        board = self.state.board
        return {
            column: int(board.units[0, column])
            for column in range(board.width)
            if board.people_at(spot(column).square) == self.races[race]
        }

    def shares(self, race: str) -> dict[str, float]:
        """The pantheon of a race in percent, by name."""
        names = {str(seat): name for name, seat in self.seats.items()}
        pantheon = self.state.pantheon(self.races[race])
        return {names.get(str(member), str(member)): share / 100 for member, share in pantheon.items()}

    def mana(self) -> dict[str, int]:
        """What every god has."""
        purses = self.state.purses
        return {name: purses[seat].balance for name, seat in self.seats.items() if seat in purses}

    # --- at the end ------------------------------------------------------------------------------------------------

    def proven(self) -> None:
        """As for every game; and the invariants hold."""
        assert violations(self.state) == []
        super().proven()


def spot(at: int | tuple[int, int]) -> Place:
    """A square by its column in row 0, or by (row, column)."""
    row, column = (0, at) if isinstance(at, int) else at
    return Place(x=column, y=row)


def at(*squares: int | tuple[int, int]) -> Target:
    """Squares as a power's target."""
    return Target(squares=tuple(spot(square) for square in squares))
