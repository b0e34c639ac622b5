"""Words of the glossary, linked where a page first uses them, with their meaning as hover text."""

from __future__ import annotations

import html
import re
from typing import Any

from docutils import nodes

PAGE = "book/glossary"
_LINKED = re.compile(r'(<a class="reference internal" href="[^"]*?#(term-[^"]+)")(><span class="xref std std-term">)')
_TAG = re.compile(r"(<!--.*?-->|<[^>]+>)", re.DOTALL)
_OPAQUE = re.compile(r"<(script|style|svg)\b.*?</\1>", re.DOTALL)
_HOLDS = ("p", "li", "dd")
"""Elements whose text is prose."""
_SPARED = ("a", "button", "code", "figure", "h1", "h2", "h3", "h4", "pre", "summary", "table", "footer", "nav")
"""Elements inside which nothing is linked."""


def meanings(env: Any) -> dict[str, tuple[str, str]]:
    """Every term of the glossary: its anchor, and its definition as plain text.

    Args:
        env: Sphinx' environment, after reading.
    """
    if PAGE not in env.found_docs:
        return {}
    found = {}
    for item in env.get_doctree(PAGE).findall(nodes.definition_list_item):
        term, definition = item.next_node(nodes.term), item.next_node(nodes.definition)
        if term is not None and definition is not None and term["ids"]:
            found[term.astext()] = (str(term["ids"][0]), " ".join(definition.astext().split()))
    return found


def is_telling(term: str) -> bool:
    """Whether a term cannot be an ordinary word of a sentence: it has a capital, a digit or a space inside."""
    return any(c.isupper() or c.isdigit() or c == " " for c in term[1:])


def linked(body: str, found: dict[str, tuple[str, str]], address: str) -> str:
    """The body of a page with hover text on links to the glossary, and such links where telling terms first occur.

    Args:
        body: HTML.
        found: as `meanings` gives them.
        address: of the glossary, from the page.
    """
    by_anchor = dict(found.values())

    def titled(link: re.Match[str]) -> str:
        meaning = by_anchor.get(link[2])
        return link[0] if meaning is None else f'{link[1]} title="{html.escape(meaning, quote=True)}"{link[3]}'

    body = _LINKED.sub(titled, body)
    present = set(re.findall(r'#(term-[^"]+)"', body))
    wanted = {term: meant for term, meant in found.items() if is_telling(term) and meant[0] not in present}
    if not wanted:
        return body
    longest_first = sorted(wanted, key=len, reverse=True)
    pattern = re.compile(r"(?<![\w-])(" + "|".join(map(_either_case, longest_first)) + r")(?![\w-])")
    kept: list[str] = []
    held = _OPAQUE.sub(lambda m: kept.append(m[0]) or f"<!--kept {len(kept) - 1}-->", body)  # type: ignore[func-returns-value]
    parts = _TAG.split(held)
    open_elements: list[str] = []
    for place, part in enumerate(parts):
        if place % 2:
            _follow(open_elements, part)
        elif wanted and any(e in _HOLDS for e in open_elements) and not any(e in _SPARED for e in open_elements):
            parts[place] = pattern.sub(lambda m: _link(m[0], wanted, address), part)
    return re.sub(r"<!--kept (\d+)-->", lambda m: kept[int(m[1])], "".join(parts))


def _either_case(term: str) -> str:
    """A term as it is written, or with a small first letter where that is no acronym."""
    escaped = re.escape(html.escape(term))
    return escaped if term[:2].isupper() or not term[0].isalpha() else f"[{term[0]}{term[0].lower()}]{escaped[1:]}"


def _link(shown: str, wanted: dict[str, tuple[str, str]], address: str) -> str:
    plain = html.unescape(shown)
    term = next((t for t in wanted if t[1:] == plain[1:] and t[0].lower() == plain[0].lower()), None)
    if term is None:
        return shown  # linked already
    anchor, meaning = wanted.pop(term)
    title = html.escape(meaning, quote=True)
    return f'<a class="term" href="{html.escape(address, quote=True)}#{anchor}" title="{title}">{shown}</a>'


def _follow(open_elements: list[str], tag: str) -> None:
    """Keep the list of open elements."""
    name = re.match(r"</?([a-zA-Z0-9]+)", tag)
    if name is None or tag.endswith("/>") or name[1] in ("br", "img", "input", "hr", "link", "meta", "wbr", "source"):
        return
    if not tag.startswith("</"):
        open_elements.append(name[1])
    elif name[1] in open_elements:
        while open_elements.pop() != name[1]:
            pass
