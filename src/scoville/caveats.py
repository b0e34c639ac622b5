"""What a reader must know before a number, kept as data so that every page shows what concerns it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scoville.bases import BASES
from scoville.paths import shown
from scoville.problems import Problem
from scoville.tables import SPECULATION

KEYS = ("id", "title", "text", "applies_to", "source_id", "locator")
SCOPES = ("all", "models", "systems", "beside", "basis", "speculation")
SPECULATIONS = tuple(SPECULATION)


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

    def concerns(self, *, model: str, systems: Iterable[str], basis: str, speculation: str = "none") -> bool:
        """Whether it must be shown beside numbers of this model, these systems, this basis and this decoding."""
        scopes = self.applies_to
        if "all" in scopes:
            return True
        return (
            model in scopes.get("models", [model])
            and all(not scopes.get(s) or bool(set(scopes[s]) & set(systems)) for s in ("systems", "beside"))
            and basis in scopes.get("basis", [basis])
            and speculation in scopes.get("speculation", [speculation])
        )


def read_caveats(path: Path, problems: list[Problem]) -> list[Caveat]:
    """Read ``caveats.yml``; what is wrong is added to ``problems``, with its line."""
    file = shown(path)
    try:
        document = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except FileNotFoundError:
        problems.append(Problem(file, expected="a list of caveats; the file is missing"))
        return []
    except UnicodeDecodeError as error:
        problems.append(Problem(file, expected=f"UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"))
        return []
    except OSError as error:
        problems.append(Problem(file, expected=f"a file that can be read ({error.strerror})"))
        return []
    except yaml.YAMLError as error:
        problems.append(_not_yaml(file, error, 0))
        return []
    if not isinstance(document, yaml.SequenceNode):
        problems.append(Problem(file, 1, expected="a list of caveats, each starting with “- id: …”"))
        return []
    caveats: list[Caveat] = []
    for node in document.value:
        line = node.start_mark.line + 1
        try:
            entry = yaml.safe_load(yaml.serialize(node))
        except yaml.YAMLError as error:
            problems.append(_not_yaml(file, error, line))
            continue
        except (ValueError, TypeError) as error:  # such as an impossible date, or a list as a key
            problems.append(Problem(file, line, expected=f"plain text in every value ({error})"))
            continue
        fault = _fault(entry, {c.id: c.line for c in caveats})
        if fault:
            problems.append(Problem(file, line, expected=fault))
        else:
            texts = {key: str(entry[key] or "").strip() for key in KEYS if key != "applies_to"}
            caveats.append(Caveat(applies_to=entry["applies_to"], file=file, line=line, **texts))
    return caveats


def _not_yaml(file: str, error: yaml.YAMLError, line: int) -> Problem:
    mark = getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or str(error)
    return Problem(file, line or (mark.line + 1 if mark else 0), expected=f"YAML ({reason})")


def _fault(entry: Any, known: dict[str, int]) -> str:
    """What is wrong with an entry, in words; empty when it is fine."""
    if not isinstance(entry, dict):
        return f"a caveat with the keys {', '.join(KEYS)}"
    wrong = sorted(str(key) for key in set(entry) ^ set(KEYS))
    if wrong:
        return f"exactly the keys {', '.join(KEYS)}; check {', '.join(wrong)}"
    for key in KEYS:
        value, needed = entry[key], key in ("id", "title", "text")
        if key != "applies_to" and not ((isinstance(value, str) and value.strip()) or (value is None and not needed)):
            return f"text under {key}, not {value!r}"
    if entry["id"] in known:
        return f"an id that is not used yet; {entry['id']!r} stands in line {known[entry['id']]}"
    return _scope_fault(entry["applies_to"])


def _scope_fault(scopes: Any) -> str:
    if not isinstance(scopes, dict) or not scopes or set(scopes) - set(SCOPES):
        return f"applies_to as a mapping with keys among {', '.join(SCOPES)}, not {scopes!r}"
    if not all(isinstance(v, list) and all(isinstance(k, str) for k in v) for v in scopes.values()):
        return f"a list of keys under every scope of applies_to, not {scopes!r}"
    for scope, allowed in (("basis", tuple(BASES)), ("speculation", SPECULATIONS)):
        unknown = [key for key in scopes.get(scope, []) if key not in allowed]
        if unknown:
            return f"{scope} among {', '.join(allowed)}, not {', '.join(unknown)}"
    return ""
