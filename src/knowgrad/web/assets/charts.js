// Draws the figures that the server sends. Plotly is loaded after the first paint.

import { api, byId, el } from "./dom.js";

const KINDS = {
  history: "How the study went: results, the best so far, and the recommendation with its interval",
  gain: "What more results were expected to add over time",
  slices: "Posterior mean and uncertainty along each parameter",
  plane: "Posterior mean and uncertainty over the two most important parameters",
  batch: "The running or next points, and what each adds",
  surface: "The value of one more measurement at every point",
  importance: "Which parameters matter",
  parallel: "Every result as a line across all parameters",
  calibration: "Each result against the prediction from all the others",
};
const NAMED = { // of studies with named outcomes
  front: "The Pareto front of the objectives, with its interval",
  limits: "How far each limit is from binding at the recommendation",
  chance: "The probability that the limits hold along each parameter",
  outcomes: "Outcomes against each other, with the bounds of limits",
};
const LOOKS = { // of studies with fidelities, sources or reports
  curves: "Learning curves; running trials with their forecast and its 90 % band; a cross marks an early end",
  fidelity: "The fidelities or sources that were evaluated, against the cost so far",
};
const TEXTS = { ...KINDS, ...NAMED, ...LOOKS };
const PANELS = new Set(["batch", "slices", "plane", "calibration", "chance", "outcomes"]); // several in one figure: the whole width
const MODEL_FREE = ["history", "parallel"];
const HEIGHT = 400; // of figures that stand beside each other
const NARROW = window.matchMedia("(max-width: 40rem)");
const filled = new Map(); // heights by kind, where a figure had to grow
let whole = false; // does the history show results far from all others?
let outcome = ""; // whose figures are drawn, of named outcomes; the first if none was chosen
let given = "{}"; // JSON: values that points of the front have
let plotly = null;

// Plotly writes style attributes as text, which our policy forbids; the same through the object model is allowed.
const setAttribute = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (name, value) {
  if (name === "style" && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};

// While it is loaded Plotly also adds a style sheet for maps, which we never draw and our policy forbids: left out.
function withoutStyles() {
  const append = document.head.appendChild;
  document.head.appendChild = node => (node.localName === "style" ? node : append.call(document.head, node));
  return () => { delete document.head.appendChild; };
}

function loaded() {
  plotly ??= new Promise((resolve, reject) => {
    const again = withoutStyles();
    const script = el("script", { src: "/assets/plotly.js" });
    script.addEventListener("load", () => { again(); resolve(); });
    script.addEventListener("error", () => { again(); reject(new Error("Plotly could not be loaded")); });
    document.head.append(script);
  });
  return plotly;
}

function frame(kind) {
  let figure = byId(`chart-${kind}`);
  if (!figure) {
    const chart = el("div", { class: "chart", role: "img", "aria-label": TEXTS[kind], "data-kind": kind });
    const note = el("figcaption", {}, TEXTS[kind]);
    const frame = el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": TEXTS[kind] }, chart);
    figure = el("figure", { id: `chart-${kind}`, class: beside(kind) ? "card" : "card wide" }, note, el("p", { class: "quiet note", hidden: "" }), frame);
    if (kind === "history") figure.insertBefore(toggle(), frame);
    byId("charts").append(figure);
  }
  return figure;
}

// A switch for an axis that covers all results, there if one is far from all others.
function toggle() {
  const box = el("input", { type: "checkbox", id: "whole" });
  box.addEventListener("change", () => {
    whole = box.checked;
    document.dispatchEvent(new Event("shape"));
  });
  return el("label", { class: "switch", hidden: "" }, box, " Show all values on one axis");
}

function query(kind, checkpoints, q) {
  const theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const asked = new URLSearchParams({ theme });
  if (kind === "history") asked.set("checkpoints", checkpoints);
  if (kind === "history" && whole) asked.set("robust", false);
  if (outcome && !(kind in NAMED)) asked.set("outcome", outcome);
  if (kind === "front" && given !== "{}") asked.set("given", given);
  if (kind === "gain") asked.set("checkpoints", 6);
  if (kind === "gain" || kind === "batch") asked.set("q", q);
  if (PANELS.has(kind) && NARROW.matches) asked.set("narrow", true);
  return asked;
}

function beside(kind) {
  return !PANELS.has(kind) && kind !== "parallel";
}

// Figures that cannot be narrower keep a width at which they can be read, and scroll inside their frame.
function width(chart) {
  return Math.max(chart.parentElement.clientWidth, chart.dataset.kind === "parallel" ? 540 : 260);
}

function fit(layout, kind, chart) {
  Object.assign(layout, { width: width(chart), autosize: false, paper_bgcolor: "rgba(0,0,0,0)" });
  if (beside(kind)) layout.height = filled.get(kind) ?? HEIGHT;
  layout.margin.t = kind === "plane" ? 72 : 48;
  if (NARROW.matches) Object.assign(layout.margin, { l: 48, r: 8 });
}

function caption(figure, kind, layout, q) {
  const more = { gain: `What ${q === 1 ? "one more result was" : `${q} more results were`} expected to add over time` };
  if (layout.meta?.given) more[kind] = `${TEXTS[kind]}, where ${layout.meta.given}`;
  const of = layout.meta?.outcome ? `${layout.meta.outcome}: ` : "";
  if (of && kind === "history") more.history = "Results and the best so far";
  const said = of + (kind === "calibration" || kind === "batch" ? `${TEXTS[kind]}. ${layout.title.text}` : more[kind] ?? TEXTS[kind]);
  figure.querySelector("figcaption").textContent = said;
  const note = layout.title?.subtitle?.text ?? "";
  figure.querySelector(".note").textContent = note;
  figure.querySelector(".note").hidden = !note;
  layout.title = undefined; // the caption says it
  if (kind === "history") figure.querySelector(".switch").hidden = !layout.meta?.far;
}

// Figures beside each other end at the same height, however many lines stand above them.
function level() {
  for (const chart of document.querySelectorAll(".chart.js-plotly-plot")) {
    const room = chart.parentElement.clientHeight;
    if (beside(chart.dataset.kind) && room > chart.layout.height + 3) {
      filled.set(chart.dataset.kind, room);
      window.Plotly.relayout(chart, { height: room });
    }
  }
}

async function draw(base, kind, checkpoints, q) {
  const figure = frame(kind);
  const chart = figure.querySelector(".chart");
  try {
    const { data, layout } = await api(`${base}/charts/${kind}?${query(kind, checkpoints, q)}`);
    await loaded();
    caption(figure, kind, layout, q);
    fit(layout, kind, chart);
    await window.Plotly.react(chart, data, layout, { displayModeBar: false, responsive: false });
  } catch (error) {
    window.Plotly?.purge(chart);
    figure.querySelector("figcaption").textContent = `${TEXTS[kind]}: ${error.message}`;
  }
}

// A choice of the outcome that figures of one outcome are about.
function which(names) {
  const choice = byId("which");
  choice.closest("label").hidden = names.length < 2;
  if (choice.options.length === names.length) return;
  choice.replaceChildren(...names.map(name => el("option", { value: name }, name)));
  choice.onchange = () => {
    outcome = choice.value;
    document.dispatchEvent(new Event("shape"));
  };
}

// From now on the front of points with these values.
export function frontWith(values) {
  if (given === JSON.stringify(values)) return;
  given = JSON.stringify(values);
  document.dispatchEvent(new Event("shape"));
}

// What there is to draw of a study with named outcomes.
export function named(study, large) {
  which(study.outcomes);
  if (large) return ["outcomes"];
  const objectives = Object.keys(study.objectives).length;
  const fits = { front: objectives > 1 && objectives < 4, outcomes: study.outcomes.length > 1 };
  const special = Object.keys(NAMED).filter(kind => fits[kind] ?? study.limits.length > 0);
  return [...special, "history", "slices", "plane", "importance", "parallel", "calibration"];
}

// All kinds if `kinds` is null; only those that need no model if there are no checkpoints to compute.
export async function charts(base, kinds, checkpoints, q, looks = []) {
  const wanted = kinds ?? (checkpoints ? [...looks, ...Object.keys(KINDS)] : MODEL_FREE);
  wanted.forEach(frame); // all places first: a chart is as wide as its place
  for (const kind of wanted) await draw(base, kind, checkpoints, q);
  level();
}

let resizing;
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const chart of document.querySelectorAll(".chart.js-plotly-plot")) {
      window.Plotly.relayout(chart, { width: width(chart) });
    }
  }, 200);
});
NARROW.addEventListener("change", () => {
  filled.clear();
  document.dispatchEvent(new Event("shape"));
});
