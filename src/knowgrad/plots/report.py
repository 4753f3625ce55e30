"""One HTML file that says everything about a study: no network, no server, to be mailed or filed away."""

from __future__ import annotations

from html import escape
from typing import Any

from plotly.offline import get_plotlyjs

from knowgrad.errors import KnowgradError
from knowgrad.plots import figure, kinds
from knowgrad.plots.trials import trials_table
from knowgrad.text import likelihood
from knowgrad.views import Snapshot
from knowgrad.views.words import worth as is_worth

QUIET = {"responsive": True, "displayModeBar": False}
STYLE = """
:root { color-scheme: light dark; --ink: #24292f; --paper: #fff; --line: #d8dde3; --quiet: #59636e }
@media (prefers-color-scheme: dark) { :root { --ink: #d7dce2; --paper: #14171b; --line: #333a43; --quiet: #9aa4af } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 60rem; padding: 1rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; vertical-align: top }
th { font-weight: 600 } figure { margin: 1.5rem 0; border-top: 1px solid var(--line) }
pre { white-space: pre-wrap; border: 1px solid var(--line); border-radius: 6px; padding: .8rem }
.quiet { color: var(--quiet) }
a { color: inherit } nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem }
.scroll { overflow-x: auto } .scroll td, .scroll th { white-space: nowrap; border-bottom: 1px solid var(--line) }
.scroll .words { white-space: normal; min-width: 8rem }
@media print { nav { display: none } figure { break-inside: avoid } }
"""


def report(snapshot: Snapshot, title: str, *, q: int = 4, threshold: float | None = None) -> str:
    """The page. Kinds of figures that the study has no data for yet are left out, with the reason."""
    parts: list[tuple[str, str, str]] = []
    if snapshot.complete:
        gain = snapshot.gain(q)
        verdict = is_worth(snapshot, gain, threshold=threshold)
        parts.append(("use", "What to use now", _recommended(snapshot)))
        worth = f"<p><strong>{escape(verdict.answer.capitalize())}.</strong> {escape(verdict.why)}</p>"
        parts.append(("worth", "Is another batch worth it?", worth))
        parts.append(("trust", "Can the model be trusted?", f"<pre>{escape(str(snapshot.diagnostics))}</pre>"))
    options: dict[str, dict[str, Any]] = {"gain": {"q": q, "threshold": threshold}, "batch": {"q": q}}
    drawn = {kind: _figure(snapshot, kind, options.get(kind, {})) for kind in kinds(snapshot)}
    links = ", ".join(f'<a href="#{kind}">{kind}</a>' for kind, text in drawn.items() if text.startswith("<figure"))
    parts.append(("figures", "Figures", "\n".join((f"<p>{links}</p>", *drawn.values()))))
    parts.append(("trials", "Trials", trials_table(snapshot)))
    parts.append(("about", "About this study", _about(snapshot)))
    contents = "".join(f'<li><a href="#{place}">{heading}</a></li>' for place, heading, _ in parts)
    body = [f"<h1>{escape(title)}</h1>", _counts(snapshot), f'<nav aria-label="Contents"><ul>{contents}</ul></nav>']
    body += [f'<section id="{place}"><h2>{heading}</h2>\n{text}</section>' for place, heading, text in parts]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    script = f"<script>{get_plotlyjs()}</script>"
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style>{script}</head>\n<body><main>' + (
        "\n".join(body) + "</main></body></html>\n"
    )


def _counts(snapshot: Snapshot) -> str:
    states = [trial.state for trial in snapshot.trials]
    counts = f"{states.count('complete')} results, {states.count('pending')} running, {states.count('failed')} failed"
    better = f"{'less' if snapshot.settings.direction == 'minimize' else 'more'} is better"
    return f'<p class="quiet">{counts}; {escape(str(snapshot.settings.goals)) or better}</p>'


def _about(snapshot: Snapshot) -> str:
    told = snapshot.space.outline()
    rows = [
        (name, ", ".join(f"{key} {value}" for key, value in each.items() if value not in (None, False)))
        for name, each in told["parameters"].items()
    ]
    rows += [("constraint", str(each)) for each in snapshot.space.constraints]
    rows.append(("seed", str(snapshot.settings.seed)))
    return _pairs(rows)


def _pairs(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th scope='row'>{escape(k)}</th><td>{escape(text)}</td></tr>" for k, text in rows)
    return f"<table>{cells}</table>"


def _recommended(snapshot: Snapshot) -> str:
    found = snapshot.recommendation
    shown = [(name, f"{v:.6g}" if isinstance(v, float) else str(v)) for name, v in found.params.items()]
    said = "one standard deviation, which includes the uncertainty of the model"
    if found.outcomes:
        expected = [(name, f"{mean:.5g} ± {sd:.2g}") for name, (mean, sd) in found.outcomes.items()]
        held = [(limit, f"holds with a chance of {likelihood(chance)}") for limit, chance in found.chances.items()]
        if found.chance is not None:
            held.append(("all limits", f"hold with a chance of {likelihood(found.chance)}"))
        return _pairs(shown) + f"<p>Expected there ({said}):</p>" + _pairs([*expected, *held])
    expected_value = f"<p>Expected there: <strong>{found.mean:.5g} ± {found.sd:.2g}</strong> ({said})</p>"
    return _pairs(shown) + expected_value


def _figure(snapshot: Snapshot, kind: str, options: dict[str, Any]) -> str:
    try:
        drawn = figure(snapshot, kind, theme="auto", **options)
    except KnowgradError as error:
        return f'<p class="quiet">No figure "{kind}": {escape(str(error))}</p>'
    html = drawn.to_html(include_plotlyjs=False, full_html=False, config=QUIET)
    return f'<figure id="{kind}">{html}</figure>'
