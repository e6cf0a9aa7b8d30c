"""Source files as syntax trees, each read once in a process."""

import ast
from functools import cache
from pathlib import Path


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, the module first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))
