"""Codes of powers and filters on them (G2-FILT-1, section 4.1 of the rulebook): pure functions on text.

A code is a capital and small letters (`Bfe`, `Mv+`). A filter fits a power when one of its codes has the same capital
and all the filter's small letters.
"""

from collections.abc import Iterable

SMALL = {"f": "fire", "e": "earth", "n": "nature", "w": "water", "a": "air", "i": "ice"}


def fits(wanted: str, codes: Iterable[str]) -> bool:
    """Whether a filter fits a power's codes. `self` fits none: it names the power that carries it.

    Labels such as Mi and Mn are codes that filters alone look at (G2-MOD-6).
    """
    if wanted == "self":
        return False
    return any(code[0] == wanted[0] and all(letter in code[1:] for letter in wanted[1:]) for code in codes)


def elements(codes: Iterable[str]) -> frozenset[str]:
    """The elements (`fire` ...) of the disasters and global powers among these codes."""
    return frozenset(SMALL[letter] for code in codes if code[0] in "BG" for letter in code[1:] if letter in SMALL)


def is_disaster(codes: Iterable[str]) -> bool:
    """Whether one of the codes is a disaster's (G2-DIS-1)."""
    return any(code[0] == "B" for code in codes)


def is_global(codes: Iterable[str]) -> bool:
    """Whether one of the codes is a global power's (G2-GLOB-1)."""
    return any(code[0] == "G" for code in codes)


def has(codes: Iterable[str], *wanted: str) -> bool:
    """Whether one of these very codes stands there: `Mc`, `Mv`, `Mv+`, `Mp`, `Mu`, `M`."""
    return any(code in wanted for code in codes)


def is_lasting(codes: Iterable[str]) -> bool:
    """Whether a power of these codes stays on a race: every M code but a cult's (G2-MOD-8)."""
    known = list(codes)
    return any(code[0] == "M" for code in known) and not has(known, "Mu")


def box(codes: Iterable[str]) -> str:
    """The box of the death worksheet: the elements in their order, `global`, `disaster` or `other` (G2-CALC-1)."""
    known = list(codes)
    found = elements(known)
    if found:
        return "+".join(name for name in SMALL.values() if name in found)
    if is_global(known):
        return "global"
    return "disaster" if is_disaster(known) else "other"


def awaits(on: str | None, trigger: str, about: Iterable[str] = ()) -> bool:
    """Whether an effect's `on` is this trigger. about: the elements of a disaster, or the codes of a power.

    `disaster_hit:fire` waits for one element, `power_priced:K` for powers that the filter fits.
    """
    name, _, wanted = (on or "").partition(":")
    if name != trigger:
        return False
    known = list(about)
    return not wanted or wanted in known or (wanted[0].isupper() and fits(wanted, [c for c in known if c[0].isupper()]))
