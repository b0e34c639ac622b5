"""Data flows one way: a module imports only from those above it in the package's own list."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import scoville

PACKAGE = Path(scoville.__file__).parent
LISTED = re.findall(r"^    ((?:\w+  )*\w+)\s{2,}\S", scoville.__doc__ or "", flags=re.MULTILINE)
LEVEL = {name: level for level, names in enumerate(LISTED) for name in names.split()}


def part(path: Path) -> str:
    """The module or folder of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "scoville":
            rest = node.module.split(".")[1:]
            names |= {rest[0]} if rest else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {a.name.split(".")[1] for a in node.names if a.name.startswith("scoville.")}
    return names & set(LEVEL)


def test_every_module_is_listed() -> None:
    found = {part(p) for p in PACKAGE.rglob("*.py")} - {"__init__", "__main__"}
    assert found == set(LEVEL)


def test_no_module_imports_from_below() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if part(path) in LEVEL
        for name in imported(path)
        if LEVEL[name] > LEVEL[part(path)]
    ]
    assert not wrong, wrong


def test_the_check_sees_imports() -> None:
    assert {"facts", "frontier", "metrics", "tables"} <= imported(PACKAGE / "compare.py")
