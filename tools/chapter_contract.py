"""A contract for import-linter: which parts of a game's rules may import which.

A chapter of a rulebook has parts on several storeys: its commands stand above the rules of other chapters, and what all
chapters read (records, the state, amounts, targets) stands below them. A layer names parts by patterns; imports run
from a layer to itself and to those below. Each module belongs to the layer that names it most closely: by its own name,
else by the longest pattern. Imports for the type checker alone do not count.
"""

from fnmatch import fnmatchcase

import grimp
from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class ChaptersContract(Contract):
    """Layers of one package, the highest first, each a list of patterns parted by spaces.

    A name stands for a module and all below it (`war`), a pattern for the modules that it fits (`*.commands`).
    """

    type_name = "chapters"
    package = fields.StringField()
    layers = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Whether every import runs downhill, and every module stands in a layer."""
        package, patterns = str(self.package), [layer.split() for layer in self.layers]  # type: ignore[attr-defined]
        whole = grimp.build_graph(package.partition(".")[0], exclude_type_checking_imports=True, cache_dir=None)
        modules = sorted(m for m in whole.modules if m.startswith(f"{package}."))
        place = {module: layer_of(module.removeprefix(f"{package}."), patterns) for module in modules}
        homeless = [module for module, layer in place.items() if layer is None]
        uphill = [
            (module, imported)
            for module in modules
            for imported in sorted(whole.find_modules_directly_imported_by(module))
            if (place[module] or 0) > (place.get(imported) or 0) and place.get(imported) is not None
        ]
        unused = [p for layer in patterns for p in layer if not any(fits(p, m[len(package) + 1 :]) for m in modules)]
        found = {"homeless": homeless, "uphill": uphill, "unused": unused}
        return ContractCheck(kept=not any(found.values()), metadata=found)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """What breaks it, a line each."""
        for module in check.metadata["homeless"]:
            output.print_error(f"{module} stands in no layer.")
        for module, imported in check.metadata["uphill"]:
            output.print_error(f"{module} imports {imported}, which stands above it.")
        for pattern in check.metadata["unused"]:
            output.print_error(f"Nothing is called {pattern} any more.")


def layer_of(name: str, layers: list[list[str]]) -> int | None:
    """The layer of a module, from 0 for the highest; None where none names it. name: below the package."""
    found = [
        (len(pattern), place) for place, patterns in enumerate(layers) for pattern in patterns if fits(pattern, name)
    ]
    return max(found)[1] if found else None


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern names a module: itself, one of those below it, or by its wildcards."""
    return name == pattern or name.startswith(f"{pattern}.") or fnmatchcase(name, pattern)
