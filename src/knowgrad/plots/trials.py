"""All trials of a study as a table in HTML, for a page that is read long after."""

from __future__ import annotations

from html import escape
from typing import Any

from knowgrad.text import measured, plain
from knowgrad.views import Snapshot

MOST = 2_000  # rows: a page with more is slow to open
WORDS = ("Chosen by", "Worker", "Remarks")


def trials_table(snapshot: Snapshot) -> str:
    """One row for each trial, by number; of very many the latest."""
    names = snapshot.space.names
    told = snapshot.settings.outcomes
    heads = ["Trial", "State", *names, *(told or ("Value", "± se")), *WORDS]
    shown = snapshot.trials[-MOST:]
    rows = [
        [
            t.number,
            t.state,
            *(t.params.get(name) for name in names),
            *_results(t, told),
            t.source,
            t.worker,
            _remarks(t),
        ]
        for t in shown
    ]
    left = len(snapshot.trials) - len(shown)
    more = f'<p class="quiet">The first {left:,} trials are left out; knowgrad export has them.</p>' if left else ""
    head = "".join(f'<th scope="col">{escape(plain(text))}</th>' for text in heads)
    body = "".join(f"<tr>{''.join(map(_cell, heads, row))}</tr>" for row in rows)
    if not rows:
        return '<p class="quiet">There is no trial yet.</p>'
    label = 'tabindex="0" role="region" aria-label="Trials"'
    return f'{more}<div class="scroll" {label}><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _results(trial: Any, outcomes: tuple[str, ...]) -> list[object]:
    """Its value and standard error, or each named outcome."""
    if not outcomes:
        return [trial.value, trial.sem]
    each = (trial.outcomes.get(name) for name in outcomes)
    return [None if found is None else measured(*found) for found in each]


def _remarks(trial: Any) -> str:
    return "; ".join(text for text in (trial.reason, *trial.notes) if text)


def _cell(head: str, value: object) -> str:
    if value is None or value == "":
        return "<td>–</td>"
    text = f"{value:.6g}" if isinstance(value, float) else plain(str(value))
    kind = ' class="words"' if head in WORDS else ""
    return f"<td{kind}>{escape(text)}</td>"
