// Draws the figures that the server sends. Plotly is loaded after the first paint.

import { api, byId, el } from "./dom.js";

const KINDS = {
  history: "How the study went: results, the best so far, and the recommendation with its interval",
  batch: "The running or next points, and what each adds",
  slices: "Posterior mean and uncertainty along each parameter",
  plane: "Posterior mean and uncertainty over the two most important parameters",
  surface: "What one more measurement is worth, wherever it is made",
  importance: "Which parameters matter",
  parallel: "Every result as a line across all parameters",
  calibration: "Each result against what the model makes of the others",
  gain: "What another batch was expected to be worth over time",
};
const WIDE = new Set(["batch", "slices", "plane", "calibration", "parallel"]);
const MODEL_FREE = ["history", "parallel"];
let plotly = null;

// Plotly writes style attributes as text, which our policy forbids; the same through the object model is allowed.
const setAttribute = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (name, value) {
  if (name === "style" && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};

function loaded() {
  plotly ??= new Promise((resolve, reject) => {
    const script = el("script", { src: "/assets/plotly.js" });
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("Plotly could not be loaded")));
    document.head.append(script);
  });
  return plotly;
}

function frame(kind) {
  let figure = byId(`chart-${kind}`);
  if (!figure) {
    const chart = el("div", { class: "chart", role: "img", "aria-label": KINDS[kind], "data-kind": kind });
    const note = el("figcaption", {}, KINDS[kind]);
    const frame = el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": KINDS[kind] }, chart);
    figure = el("figure", { id: `chart-${kind}`, class: "card" }, note, frame);
    byId("charts").append(figure);
  }
  return figure;
}

function query(kind, checkpoints) {
  const theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const asked = new URLSearchParams({ theme });
  if (kind === "history") asked.set("checkpoints", checkpoints);
  if (kind === "gain") asked.set("checkpoints", 6);
  return asked;
}

// Figures of several panels keep a width at which they can be read, and scroll inside their frame.
function width(chart) {
  return Math.max(chart.parentElement.clientWidth, WIDE.has(chart.dataset.kind) ? 540 : 280);
}

async function draw(base, kind, checkpoints) {
  const figure = frame(kind);
  const [chart, note] = [figure.querySelector(".chart"), figure.querySelector("figcaption")];
  try {
    const { data, layout } = await api(`${base}/charts/${kind}?${query(kind, checkpoints)}`);
    await loaded();
    Object.assign(layout, { width: width(chart), autosize: false, paper_bgcolor: "rgba(0,0,0,0)" });
    if (kind !== "calibration" && kind !== "batch") layout.title = undefined; // the caption says it
    layout.margin.t = 48;
    await window.Plotly.react(chart, data, layout, { displayModeBar: false, responsive: false });
    note.textContent = KINDS[kind];
  } catch (error) {
    window.Plotly?.purge(chart);
    note.textContent = `${KINDS[kind]}: ${error.message}`;
  }
}

// All kinds if `kinds` is null; only those that need no model if there are no checkpoints to compute.
export async function charts(base, kinds, checkpoints) {
  const wanted = kinds ?? (checkpoints ? Object.keys(KINDS) : MODEL_FREE);
  wanted.forEach(frame); // all places first: a chart is as wide as its place
  for (const kind of wanted) await draw(base, kind, checkpoints);
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
