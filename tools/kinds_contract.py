"""A contract for import-linter: what of a game's rules may import what, by kind and by chapter.

A module is of a kind by its name: `war.commands` and `powers.answer_commands` are commands, `war.events` are events,
all below `bots` looks on, and what no kind names is rules. An import leads to a lower kind, of whatever chapter, or
stays in its kind. Within rules and within events it stays in its chapter or leads to one that stands after it in the
list of its game. A chapter is a folder or module directly below the rules that holds rules or events.
"""

from fnmatch import fnmatchcase

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

RULES = "*"


class KindsContract(Contract):
    """Kinds, the highest first, each the names of its modules or folders; one is `*`, the rules.

    within_chapters: those of these kinds that keep to the order of chapters. games: `package: chapter chapter ...`, the
    highest chapter first.
    """

    type_name = "kinds"
    kinds = fields.ListField(subfield=fields.StringField())
    within_chapters = fields.ListField(subfield=fields.StringField())
    games = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Whether every import runs downhill, and every module of rules and events stands in a chapter."""
        kinds = [kind.split() for kind in self.kinds]  # type: ignore[attr-defined]
        ordered = frozenset(kinds.index(kind.split()) for kind in self.within_chapters)  # type: ignore[attr-defined]
        found: list[str] = []
        for game in self.games:  # type: ignore[attr-defined]
            package, _, names = game.partition(":")
            found += violations(graph, package, names.split(), kinds, ordered)
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """What breaks it, a line each."""
        for line in check.metadata["found"]:
            output.print_error(line)


def violations(
    graph: ImportGraph, package: str, chapters: list[str], kinds: list[list[str]], ordered: frozenset[int]
) -> list[str]:
    """What is wrong with one game, a sentence each. chapters, kinds: the highest first; ordered: places of kinds."""
    modules = sorted(module for module in graph.modules if module.startswith(f"{package}."))
    kind = {module: kind_of(module.removeprefix(f"{package}."), kinds) for module in modules}
    chapter = {m: chapter_of(m.removeprefix(f"{package}."), chapters) for m in modules if kind[m] in ordered}
    used = {m.removeprefix(f"{package}.").partition(".")[0] for m in chapter}
    found = [f"{module} stands in no chapter." for module in chapter if chapter[module] is None]
    found += [f"{package} has no rules or events in {name}." for name in chapters if name not in used]
    for module in modules:
        for imported in sorted(graph.find_modules_directly_imported_by(module)):
            if imported not in kind:
                continue
            if kind[imported] < kind[module]:
                found.append(f"{module} imports {imported}, which is of a higher kind.")
            elif kind[imported] == kind[module] and (chapter.get(imported) or 0) < (chapter.get(module) or 0):
                found.append(f"{module} imports {imported}, a chapter that stands above its own.")
    return found


def kind_of(name: str, kinds: list[list[str]]) -> int:
    """The place of a module's kind, 0 for the highest. name: below the package of the rules."""
    parts = name.split(".")
    named = (
        place
        for place, patterns in enumerate(kinds)
        if patterns != [RULES] and any(fnmatchcase(part, pattern) for part in parts for pattern in patterns)
    )
    return next(named, kinds.index([RULES]))


def chapter_of(name: str, chapters: list[str]) -> int | None:
    """The place of a module's chapter, 0 for the highest; None where the list has none of this name."""
    first = name.partition(".")[0]
    return chapters.index(first) if first in chapters else None
