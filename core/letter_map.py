"""Maps of letters, one a square and one line a row: read with refusals that say where. Pure, for rules too."""

from collections.abc import Mapping, Sequence


class MapFault(ValueError):
    """A map cannot be read. message: one sentence. facts: where, as `line` and `column` from 1."""

    def __init__(self, message: str, **facts: int) -> None:
        super().__init__(message)
        self.message, self.facts = message, facts


def read_rows(rows: Sequence[str], letters: Mapping[str, str]) -> tuple[str, ...]:
    """The rows in large letters, without white space at their ends and without empty rows at the end.

    letters: the names of terrains by their letters. Raises MapFault for a map without rows, a letter that is no
    terrain, and a row that is shorter or longer than the first.
    """
    found = [row.rstrip() for row in rows]
    while found and not found[-1]:
        found.pop()
    if not found:
        raise MapFault("There are no rows; a map has one letter a square and one line a row.", line=1)
    large = {ord(letter.lower()): letter for letter in letters}
    known = ", ".join(f"{letter} {name}" for letter, name in letters.items())
    for number, row in enumerate(found, start=1):
        laid = row.translate(large)
        strange = next((column for column, letter in enumerate(laid, start=1) if letter not in letters), 0)
        if strange:
            message = f"Row {number}, column {strange}: {row[strange - 1]!a} is no terrain; use one of {known}."
            raise MapFault(message, line=number, column=strange)
        here, width = len(laid), len(found[0])
        if here != width:
            column = min(here, width) + 1
            there = f"{row[column - 1]!a} stands there" if here >= column else "nothing stands there"
            raise MapFault(
                f"Row {number}, column {column}: {there}; row 1 has {width} squares and this one {here}, "
                "and all must be equally long.",
                line=number,
                column=column,
                squares=here,
                expected=width,
            )
        found[number - 1] = laid
    return tuple(found)
