"""What a reader must know before a number, kept as data so that every page shows what concerns it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scoville.paths import shown
from scoville.problems import Problem

KEYS = ("id", "title", "text", "applies_to", "source_id", "locator")
SCOPES = ("all", "models", "systems", "basis")


@dataclass(frozen=True)
class Caveat:
    """One caveat.

    Attributes:
        id: key.
        title: the caveat in a few words.
        text: one or two sentences of Markdown.
        applies_to: scope to keys (``{"systems": ["jalapeno"]}``); ``{"all": []}`` is every page.
        source_id: the source that says so; empty where it follows from the data.
        locator: place in the source.
        file, line: where it stands.
    """

    id: str
    title: str
    text: str
    applies_to: dict[str, list[str]]
    source_id: str
    locator: str
    file: str
    line: int

    def concerns(self, *, model: str, systems: Iterable[str], basis: str) -> bool:
        """Whether it must be shown beside numbers of this model, these systems and this power basis."""
        scopes = self.applies_to
        if "all" in scopes:
            return True
        return (
            model in scopes.get("models", [model])
            and (not scopes.get("systems") or bool(set(scopes["systems"]) & set(systems)))
            and basis in scopes.get("basis", [basis])
        )


def read_caveats(path: Path, problems: list[Problem]) -> list[Caveat]:
    """Read ``caveats.yml``; what is wrong is added to ``problems``, with its line."""
    file = shown(path)
    try:
        document = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except FileNotFoundError:
        problems.append(Problem(file, expected="a list of caveats; the file is missing"))
        return []
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", str(error))
        problems.append(Problem(file, mark.line + 1 if mark else 0, expected=f"YAML ({reason})"))
        return []
    if not isinstance(document, yaml.SequenceNode):
        problems.append(Problem(file, 1, expected="a list of caveats, each starting with “- id: …”"))
        return []
    caveats = []
    for node in document.value:
        entry = yaml.safe_load(yaml.serialize(node))
        line = node.start_mark.line + 1
        fault = _fault(entry)
        if fault:
            problems.append(Problem(file, line, expected=fault))
        else:
            texts = {key: str(entry[key] or "").strip() for key in KEYS if key != "applies_to"}
            caveats.append(Caveat(applies_to=entry["applies_to"], file=file, line=line, **texts))
    return caveats


def _fault(entry: Any) -> str:
    if not isinstance(entry, dict):
        return f"a caveat with the keys {', '.join(KEYS)}"
    wrong = sorted(set(entry) ^ set(KEYS))
    if wrong:
        return f"exactly the keys {', '.join(KEYS)}; check {', '.join(map(str, wrong))}"
    scopes = entry["applies_to"]
    if not isinstance(scopes, dict) or not scopes or set(scopes) - set(SCOPES):
        return f"applies_to as a mapping with keys among {', '.join(SCOPES)}, not {scopes!r}"
    if not all(isinstance(values, list) for values in scopes.values()):
        return f"a list under every key of applies_to, not {scopes!r}"
    return ""
