"""Words for people: numbers with their nouns, lists, amounts and spans as a sentence has them (pure).

Events, refusals, prompts and pictures write with these; programs read fields and codes.
"""

from collections.abc import Iterable
from decimal import Decimal

UNITS_OF_TIME = (("hour", 3600), ("minute", 60), ("second", 1))
VOWELS = "aeiou"


def quantity(count: int, noun: str, plural: str = "") -> str:
    """A number and its noun: `1 square`, `2 squares`, `0 cities`. plural: of a noun that is formed otherwise."""
    if count == 1:
        return f"1 {noun}"
    regular = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in VOWELS else f"{noun}s"
    return f"{count} {plural or regular}"


def listing(words: Iterable[str], last: str = "and") -> str:
    """Words in a row: `a`, `a and b`, `a, b and c`. last: what stands before the last."""
    every = list(words)
    return f" {last} ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))


def with_article(noun: str) -> str:
    """A noun with its indefinite article: `an army`, `a city`."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def phrase(key: str) -> str:
    """A key in words: `near_extinct` is `near extinct`, `fire+earth` is `fire and earth`."""
    return listing(key.replace("_", " ").replace(":", " ").replace(".", " ").split("+"))


def full_sentence(words: str) -> str:
    """Words that somebody has written, with a full stop where they end without a mark."""
    text = words.strip()
    return f"{text}." if text and text[-1] not in ".!?:;" else text


def capital(words: str) -> str:
    """Words that begin with a capital, whatever they begin with."""
    return words[:1].upper() + words[1:]


def decimal_text(amount: Decimal) -> str:
    """An amount without exponent and without noughts at its end: `0`, `3.5`, `0.00000001`."""
    digits = f"{amount:f}"
    return (digits.rstrip("0").rstrip(".") or "0") if "." in digits else digits


def span(seconds: int) -> str:
    """A time in its units: `90 seconds` is `1 minute 30 seconds`."""
    parts = []
    for unit, length in UNITS_OF_TIME:
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(quantity(count, unit))
    return " ".join(parts) or "0 seconds"
