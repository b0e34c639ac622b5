"""The claims ledger: every printed number, what was recomputed, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from scoville import tables
from scoville.audit import VERDICTS, disagreements
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import Html, Page, claims_table, printed, verdict_anchor
from scoville.tabulate import Column, Table, markup
from scoville.words import counted


@dataclass(frozen=True)
class LedgerPage(Page):
    """The claims ledger."""

    def ledger(self) -> Html:
        """Every claim, grouped by verdict, the contradicted first."""
        claims = self.facts.claims
        verdicts = pd.Series({f.claim_id: f.verdict for f in self.findings})
        parts = []
        for verdict in reversed(VERDICTS):
            mine = claims[verdicts[claims.index] == verdict]
            caption = f"{verdict.capitalize()}: {VERDICTS[verdict]} ({counted(len(mine), 'claim')})"
            table = claims_table(self, mine, caption, everywhere=True)
            parts.append(f'<section id="{verdict_anchor(verdict)}" class="ledger">{table._repr_html_()}</section>')
        whole = claims_table(self, claims, "", everywhere=True)
        return Html("".join(parts), f"{len(claims)} claims by verdict", whole.csv())

    def wordings(self) -> Table:
        """Where documents say different things about the same."""
        found = disagreements(self.facts)
        frame = pd.DataFrame(
            {
                "topic": [tables.METRICS[self.facts.claims.loc[c, "metric"]].label for c in found["claim_id"]],
                "said": [printed(self.facts.claims.loc[c]) for c in found["claim_id"]],
                "source": [self.source_link(r.source_id, r.section) for r in found.itertuples()],
            }
        )
        columns = {
            "topic": Column("About"),
            "said": Column("Worded as", markup),
            "source": Column("Source", markup),
        }
        return Table(frame, columns, "Topics on which the documents differ")


def ledger_page(data_dir: str, root: str = "") -> LedgerPage:
    """The claims ledger.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return LedgerPage(load(data_folder(data_dir)), root)
