"""Alike legal commands as one: what a race or a city may each be told stands once, by cases (ADR 82).

Entries of one command that agree in price, note and facts are condensed where one argument tells them apart; the values
of the others follow from it. What is accepted stays the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.insight.domains import Case, Choices, Dependent, Domain
from games.engine.insight.legal_commands import LegalCommand


def condense(found: Iterable[LegalCommand]) -> list[LegalCommand]:
    """The legal commands with alike ones made one, in the order of the first of each."""
    groups: dict[Any, list[LegalCommand]] = {}
    for number, legal in enumerate(found):
        groups.setdefault(number if legal.cases or not legal.legal else _likeness(legal), []).append(legal)
    return [each for group in groups.values() for each in _condense_group(group)]


def _likeness(legal: LegalCommand) -> tuple[Any, ...]:
    """What legal commands agree in that may be made one: everything but domains, and words that name a kind."""
    kinds = tuple((name, _word(domain)) for name, domain in legal.arguments.items())
    return (legal.command, legal.price, legal.note, legal.steps, repr(legal.facts), legal.required, legal.quits, kinds)


def _word(domain: Domain) -> str | None:
    match domain:
        case Choices((str() as word,)):
            return word
    return None


def _condense_group(group: Sequence[LegalCommand]) -> list[LegalCommand]:
    """One legal command for a group of alike ones; the group itself where no argument tells them apart."""
    one = group[0]
    different = [name for name in one.arguments if any(g.arguments[name] != one.arguments[name] for g in group)]
    by = next((name for name in different if _tells_apart([g.arguments[name] for g in group])), None)
    if len(group) == 1 or by is None:
        return list(group)
    others = [name for name in different if name != by]
    rest = {name: Dependent() if name in others else domain for name, domain in one.arguments.items() if name != by}
    arguments = {by: _union(g.arguments[by] for g in group), **rest}
    return [replace(one, arguments=arguments, cases=tuple(_cases(group, by, others)))]


def _cases(group: Sequence[LegalCommand], by: str, others: Sequence[str]) -> list[Case]:
    """What the other arguments may be for each value of the one that tells entries apart; alike values together."""
    followed: list[tuple[Mapping[str, Domain], list[Domain]]] = []
    for legal in group if others else ():
        then = {name: legal.arguments[name] for name in others}
        values = next((values for known, values in followed if known == then), None)
        if values is None:
            followed.append((then, [legal.arguments[by]]))
        else:
            values.append(legal.arguments[by])
    return [Case({by: _union(values)}, then) for then, values in followed]


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
