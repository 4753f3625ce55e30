"""One HTML file that says everything about a study: no network, no server, to be mailed or filed away."""

from __future__ import annotations

from html import escape
from typing import Any

from plotly.offline import get_plotlyjs

from knowgrad.errors import KnowgradError
from knowgrad.plots import KINDS, figure
from knowgrad.views import Snapshot
from knowgrad.views.words import Verdict, another_batch

STYLE = """
:root { color-scheme: light dark; --ink: #24292f; --paper: #fff; --line: #d8dde3; --quiet: #59636e }
@media (prefers-color-scheme: dark) { :root { --ink: #d7dce2; --paper: #14171b; --line: #333a43; --quiet: #9aa4af } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 60rem; padding: 1rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; vertical-align: top }
th { font-weight: 600 } figure { margin: 1.5rem 0; border-top: 1px solid var(--line) }
pre { white-space: pre-wrap; border: 1px solid var(--line); border-radius: 6px; padding: .8rem }
.quiet { color: var(--quiet) }
"""


def report(snapshot: Snapshot, title: str, *, q: int = 4, threshold: float | None = None) -> str:
    """The page. Kinds of figures that the study has no data for yet are left out, with the reason."""
    body = [f"<h1>{escape(title)}</h1>", _counts(snapshot)]
    if snapshot.complete:
        gain = snapshot.gain(q)
        verdict = another_batch(gain, snapshot.recommendation, snapshot.spread, threshold)
        body.append(_recommended(snapshot, verdict))
        body.append(f"<h2>Is the model to be trusted?</h2><pre>{escape(str(snapshot.diagnostics))}</pre>")
    options: dict[str, dict[str, Any]] = {"gain": {"q": q, "threshold": threshold}, "batch": {"q": q}}
    body += [_figure(snapshot, kind, options.get(kind, {})) for kind in KINDS]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    script = f"<script>{get_plotlyjs()}</script>"
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style>{script}</head>\n<body><main>' + (
        "\n".join(body) + "</main></body></html>\n"
    )


def _counts(snapshot: Snapshot) -> str:
    states = [trial.state for trial in snapshot.trials]
    counts = f"{states.count('complete')} results, {states.count('pending')} running, {states.count('failed')} failed"
    return f'<p class="quiet">{escape(snapshot.settings.direction)}: {counts}, seed {snapshot.settings.seed}</p>'


def _recommended(snapshot: Snapshot, verdict: Verdict) -> str:
    found = snapshot.recommendation
    shown = {name: f"{value:.6g}" if isinstance(value, float) else str(value) for name, value in found.params.items()}
    rows = "".join(f"<tr><th scope='row'>{escape(k)}</th><td>{escape(text)}</td></tr>" for k, text in shown.items())
    expected = f"<p>Expected there: <strong>{found.mean:.5g} ± {found.sd:.2g}</strong> (posterior mean ± sd)</p>"
    question = f"<h2>Is another batch worth it? {escape(verdict.answer.capitalize())}.</h2><p>{escape(verdict.why)}</p>"
    return f"<h2>What to use now</h2><table>{rows}</table>{expected}{question}"


def _figure(snapshot: Snapshot, kind: str, options: dict[str, Any]) -> str:
    try:
        drawn = figure(snapshot, kind, theme="auto", **options)
    except KnowgradError as error:
        return f'<p class="quiet">No figure "{kind}": {escape(str(error))}</p>'
    html = drawn.to_html(include_plotlyjs=False, full_html=False, config={"responsive": True, "displaylogo": False})
    return f'<figure id="{kind}">{html}</figure>'
