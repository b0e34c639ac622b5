"""Words of the glossary on other pages: linked once, with their meaning, and only in prose."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from scoville.site.terms import is_telling, linked

FOUND = {
    "TTFT": ("term-TTFT", "time to first token"),
    "Mixed tokens": ("term-Mixed-tokens", "input & output"),
    "8K/1K": ("term-8K-1K", "the workload"),
}


@pytest.mark.parametrize(
    ("term", "telling"), [("TTFT", True), ("8K/1K", True), ("KV cache", True), ("Observed", False), ("Decode", False)]
)
def test_ordinary_words_are_no_telling_terms(term: str, telling: bool) -> None:
    assert is_telling(term) is telling


def test_the_first_use_in_prose_is_linked_and_no_other() -> None:
    body = (
        "<h2>TTFT</h2><p><code>TTFT</code> of <b>mixed tokens</b> is no TTFTs; TTFT, TTFT.</p>"
        '<script>"<p>TTFT"</script>'
        '<p class="x">8K/1K<svg><text>8K/1K</text></svg></p><figure><p>TTFT</p></figure>'
    )
    link = '<a class="term" href="g.html#{}" title="{}">{}</a>'
    ttft = link.format("term-TTFT", "time to first token", "TTFT")
    mixed = link.format("term-Mixed-tokens", "input &amp; output", "mixed tokens")
    lengths = link.format("term-8K-1K", "the workload", "8K/1K")
    assert linked(body, FOUND, "g.html") == (
        f"<h2>TTFT</h2><p><code>TTFT</code> of <b>{mixed}</b> is no TTFTs; {ttft}, TTFT.</p>"
        f'<script>"<p>TTFT"</script><p class="x">{lengths}<svg><text>8K/1K</text></svg></p><figure><p>TTFT</p></figure>'
    )


def test_a_link_that_the_author_set_gets_its_meaning_and_stands_for_the_term() -> None:
    inner = '<span class="xref std std-term">wait</span>'
    set_by_hand = f'<a class="reference internal" href="../glossary.html#term-TTFT">{inner}</a>'
    titled = set_by_hand.replace('TTFT">', 'TTFT" title="time to first token">', 1)
    assert linked(f"<p>{set_by_hand} TTFT</p>", FOUND, "g.html") == f"<p>{titled} TTFT</p>"


def test_every_link_to_a_term_leads_to_it_and_says_what_it_means(soups: dict[str, BeautifulSoup]) -> None:
    anchors = {str(t["id"]) for t in soups["book/glossary.html"].select("dt[id]")}
    seen = 0
    for name, page in soups.items():
        links = page.select("a.term, a:has(> .std-term)")
        automatic = [str(a["href"]) for a in page.select("a.term")]
        assert len(automatic) == len(set(automatic)), name
        for link in links:
            assert str(link["href"]).partition("#")[2] in anchors, (name, link)
            assert link.get("title"), (name, link)
        seen += len(links)
    assert seen > 100
    assert soups["book/index.html"].select_one('a.term[href$="#term-8K-1K"]')
