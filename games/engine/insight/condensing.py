"""Alike legal commands as one: what a race or a city may each be told stands once, by cases (ADR 82).

Entries of one command that agree in price, note and facts are condensed where one argument tells them apart; the values
of the others follow from it. What is accepted stays the same.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.insight.domains import Case, Choices, Dependent, Domain, ListOf, Narrowed, OneOf
from games.engine.insight.legal_commands import LegalCommand


def condense(found: Iterable[LegalCommand], required: Mapping[str, Collection[str]]) -> list[LegalCommand]:
    """The legal commands with alike ones made one, in the order of the first of each.

    required: the arguments that each command's class needs; no other tells entries apart.
    """
    every = list(found)
    groups = _groups(every, _likeness)
    joined = [each for group in groups for each in _join_group(group)]
    for key in (_kind, _likeness):  # first act by act, then whatever is left
        joined = [e for group in _groups(joined, key) for e in _condense_group(group, required[group[0].command])]
    return joined


def _groups(found: Sequence[LegalCommand], key: Callable[[LegalCommand], Any]) -> list[list[LegalCommand]]:
    """Legal commands of the same key together; each for itself that is barred or has cases already."""
    groups: dict[Any, list[LegalCommand]] = {}
    for number, legal in enumerate(found):
        groups.setdefault(number if legal.cases or not legal.legal else key(legal), []).append(legal)
    return list(groups.values())


def _likeness(legal: LegalCommand) -> tuple[Any, ...]:
    """What legal commands agree in that may be made one: everything but domains."""
    facts, names = repr(legal.facts), tuple(legal.arguments)
    return (
        legal.command,
        legal.price,
        legal.note,
        legal.steps,
        facts,
        legal.required,
        legal.quits,
        legal.partial,
        names,
    )


def _kind(legal: LegalCommand) -> tuple[Any, ...]:
    """Their likeness, and the words that name a kind: an act, a power."""
    return (*_likeness(legal), *((name, _word(domain)) for name, domain in legal.arguments.items()))


def _word(domain: Domain) -> str | None:
    match domain:
        case Choices((str() as word,)):
            return word
    return None


def _join_group(group: Sequence[LegalCommand]) -> list[LegalCommand]:
    """Those that differ in one argument alone are one: it may be any of theirs."""
    found = list(group)
    if len(found) == 1:
        return found
    for name in reversed(list(group[0].arguments)):
        alike: dict[str, list[LegalCommand]] = {}
        for legal in found:
            rest = repr([domain for other, domain in legal.arguments.items() if other != name])
            alike.setdefault(rest, []).append(legal)
        found = [_join(legals, name) for legals in alike.values()]
    return found


def _join(alike: Sequence[LegalCommand], name: str) -> LegalCommand:
    """One legal command for several that differ in this argument alone."""
    domains = [legal.arguments[name] for legal in alike]
    if len(alike) == 1:
        return alike[0]
    return replace(alike[0], arguments={**alike[0].arguments, name: _any_of(domains)})


def _any_of(domains: Sequence[Domain]) -> Domain:
    """What is in any of these domains; of alike lists a list of what is in any of theirs."""
    if _tells_apart(domains):
        return _union(domains)
    lists = [domain for domain in domains if isinstance(domain, ListOf)]
    alike = len(lists) == len(domains) and len({repr(replace(each, of=Dependent())) for each in lists}) == 1
    if alike and lists[0].high == 1:  # of more items each might be from another of them
        return replace(lists[0], of=_any_of([each.of for each in lists]))
    return OneOf(tuple(domains))


def _condense_group(group: Sequence[LegalCommand], required: Collection[str]) -> list[LegalCommand]:
    """One legal command for a group of alike ones; the group itself where no argument tells them apart."""
    one = group[0]
    needed = {*required, *one.required}
    different = [name for name in one.arguments if any(g.arguments[name] != one.arguments[name] for g in group)]
    apart = (n for n in different if n in needed and _tells_apart([g.arguments[n] for g in group]))
    by = next(apart, None)
    if len(group) == 1 or by is None:
        return list(group)
    others = [name for name in different if name != by]
    rest = {name: Dependent() if name in others else domain for name, domain in one.arguments.items() if name != by}
    arguments = {by: _union(g.arguments[by] for g in group), **rest}
    return [replace(one, arguments=arguments, cases=(Case(either=_combinations(group, by, others)),))]


def _combinations(group: Sequence[LegalCommand], by: str, others: Sequence[str]) -> tuple[Narrowed, ...]:
    """What the other arguments may be for each value of the one that tells entries apart; alike values together."""
    followed: list[tuple[dict[str, Domain], list[Domain]]] = []
    for legal in group:
        then = {name: legal.arguments[name] for name in others}
        values = next((values for known, values in followed if known == then), None)
        if values is None:
            followed.append((then, [legal.arguments[by]]))
        else:
            values.append(legal.arguments[by])
    return tuple({by: _union(values), **then} for then, values in followed)


def _tells_apart(domains: Sequence[Domain]) -> bool:
    """Whether these are choices that have no value in common, none of them cut short."""
    choices = [domain for domain in domains if isinstance(domain, Choices) and not domain.more]
    values = [repr(value) for each in choices for value in each.values]
    return len(choices) == len(domains) and len(set(values)) == len(values)


def _union(domains: Iterable[Domain]) -> Choices:
    """All values of several choices."""
    choices = [domain for domain in domains if isinstance(domain, Choices)]
    titles = tuple(t for each in choices for t in (each.titles or ("",) * len(each.values)))
    return Choices(tuple(v for each in choices for v in each.values), titles=titles if any(titles) else ())
