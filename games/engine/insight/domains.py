"""Domains: the values that an argument of a command may have now, as a small tree (ADR 82).

Choices, ranges, free text and flags are its leaves; lists and objects (`Fields`) hold domains of their own. A domain
narrows what the field's type takes: what it says nothing about (patterns, lengths, what an object requires) stays as
the class of the command says. The APIs show the tree as JSON Schema.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

SHOWN = 200  # values listed for one argument; the rest are counted in `more`
NOT_BLANK = r"\S"
"""The pattern of words of which something is to be seen."""


class Domain:
    """The values that an argument may have: one of the classes below."""

    __slots__ = ()

    def inner(self) -> Iterator["Domain"]:
        """The domains right inside this one."""
        return iter(())

    def parts(self) -> Iterator["Domain"]:
        """This domain and all inside it."""
        yield self
        for each in self.inner():
            yield from each.parts()


@dataclass(frozen=True, slots=True)
class Choices(Domain):
    """One of these values: ids, keys, numbers, or whole lists and objects ready to be sent; at most 200.

    more: how many were left out. titles: what people call the values, in their order; none where the service finds
    the names of ids, or where a value speaks for itself.
    """

    values: tuple[Any, ...]
    more: int = 0
    titles: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Iterable[Any]) -> "Choices":
        """The first 200 of these values, in order."""
        every = list(values)
        return cls(tuple(every[:SHOWN]), max(0, len(every) - SHOWN))

    @classmethod
    def with_titles(cls, titles: Mapping[Any, str]) -> "Choices":
        """The first 200 of these values, with what people call them."""
        values, words = tuple(titles)[:SHOWN], tuple(titles.values())[:SHOWN]
        return cls(values, max(0, len(titles) - SHOWN), words)


@dataclass(frozen=True, slots=True)
class Range(Domain):
    """A whole number from `low` to `high`, both included; None: as the field's type says.

    proposed: what a form begins with where that is not what the field is without a value.
    """

    low: int | None = None
    high: int | None = None
    proposed: int | None = None


@dataclass(frozen=True, slots=True)
class FreeText(Domain):
    """Words of one's own, of `low` to `high` characters; None, and no pattern: as the field's type says.

    taken: words that are refused, such as names that others have.
    """

    low: int | None = None
    high: int | None = None
    pattern: str = ""
    taken: tuple[str, ...] = ()

    def but(self, names: Iterable[str]) -> "FreeText":
        """Words that are none of these."""
        return replace(self, taken=tuple(sorted({*self.taken, *names})))


@dataclass(frozen=True, slots=True)
class Flag(Domain):
    """True or false."""


@dataclass(frozen=True, slots=True)
class AnyValue(Domain):
    """Whatever the field's type takes."""


@dataclass(frozen=True, slots=True)
class ListOf(Domain):
    """`low` to `high` values of one domain, no two alike if `unique`. first: domains of the values in front.

    most: how many of the values at most may be in some domains: two dice of six sides.

    In a case it says what is narrower than without it: `beginning_with` a value, `between` so many, and the rest as it
    was.
    """

    of: Domain
    low: int = 0
    high: int | None = None
    unique: bool = True
    first: tuple[Domain, ...] = ()
    most: tuple[tuple[Domain, int], ...] = ()

    @classmethod
    def naming_once(cls, key: str, values: Iterable[Any], of: "Fields", low: int = 0) -> "ListOf":
        """A list of objects of which no two have the same of these values in a field."""
        named = [Fields({key: Choices((value,))}, (key,), closed=False) for value in values]
        once = tuple((each, 1) for each in named) if len(named) > 1 else ()
        return cls(of, low, len(named), most=once)

    @classmethod
    def between(cls, low: int, high: int | None, *most: tuple[Domain, int]) -> "ListOf":
        """A list of so many values, all of them in the domain of the list without the case."""
        return cls(Dependent(), low, high, unique=False, most=most)

    @classmethod
    def beginning_with(cls, first: Domain) -> "ListOf":
        """A list of which the first value is in a domain; the others are in that of the list without the case."""
        return cls(Dependent(), unique=False, first=(first,))

    def inner(self) -> Iterator[Domain]:
        """What stands in front, then what follows."""
        yield from (*self.first, self.of, *(domain for domain, _ in self.most))


@dataclass(frozen=True, slots=True)
class Holding(Domain):
    """Of a case: a list of which `low` values at least are in a domain, whatever the others are."""

    of: Domain
    low: int = 1

    def inner(self) -> Iterator[Domain]:
        """The domain of those values."""
        yield self.of


@dataclass(frozen=True, slots=True)
class Lacking(Domain):
    """Of a case: a list of which no value is in a domain."""

    of: Domain

    def inner(self) -> Iterator[Domain]:
        """The domain of what is not in it."""
        yield self.of


@dataclass(frozen=True, slots=True)
class Fields(Domain):
    """An object with these fields and no others. required: those it needs beside what its type requires.

    cases: how the fields depend on each other. closed: whether it has no other fields; of a case it may have some.
    """

    fields: Mapping[str, Domain]
    required: tuple[str, ...] = ()
    cases: "tuple[Case, ...]" = ()
    closed: bool = True

    def inner(self) -> Iterator[Domain]:
        """The domains of the fields."""
        yield from self.fields.values()


@dataclass(frozen=True, slots=True)
class OneOf(Domain):
    """A value of any of these domains."""

    domains: tuple[Domain, ...]

    def inner(self) -> Iterator[Domain]:
        """The domains to choose from."""
        yield from self.domains


@dataclass(frozen=True, slots=True)
class Dependent(Domain):
    """What the cases say of the other arguments; there is a case for each of their values."""


Narrowed = Mapping[str, Domain | None]
"""Arguments -> what they may be; None: the argument is left out."""


@dataclass(frozen=True, slots=True)
class Case:
    """A dependency between arguments: where those of `when` are given and lie in these domains, `then` holds too.

    either: and one of these holds; more: how many of them were left out. required: what is needed then. Without `when`
    it holds always.
    """

    when: Mapping[str, Domain] = field(default_factory=dict)
    then: Narrowed = field(default_factory=dict)
    either: tuple[Narrowed, ...] = ()
    required: tuple[str, ...] = ()
    more: int = 0


def mentions(domain: Domain, value: str) -> bool:
    """Whether a value is among the choices of a domain, however deep."""
    return any(value in map(str, part.values) for part in domain.parts() if isinstance(part, Choices))
