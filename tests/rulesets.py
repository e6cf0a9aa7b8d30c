"""Every ruleset of the tree and the toy game, without Django: what tests of rules ask the registry for elsewhere."""

from importlib import import_module
from pathlib import Path

from games.engine.ruleset import Ruleset

ROOT = Path(__file__).resolve().parent.parent
FOLDERS: dict[str, str] = {
    path.parent.name: ".".join(path.parent.relative_to(ROOT).parts)
    for path in (*sorted(ROOT.glob("games/*/rules")), ROOT / "tests/toy/rules")
    if (path / "__init__.py").is_file() and path.parent.name != "engine"
}
"""The module path of each ruleset by slug, as the registry has it."""
RULESETS: dict[str, Ruleset] = {slug: import_module(f"{path}.rules").RULESET for slug, path in FOLDERS.items()}
"""Each ruleset by slug."""
