// The live page of one study: looks every moment whether anything changed, and shows it.

import { api, byId, editable, el, number, params, shown } from "./dom.js";
import { changeable, changes } from "./change.js";
import { charts, frontWith, named } from "./charts.js";
import { makeContext, readContext } from "./context.js";
import { edit } from "./edit.js";
import { expected, makeWishes, readWishes } from "./outcomes.js";
import { planning } from "./plan.js";
import { showContinuing, showRunning } from "./running.js";
import { whenChanged } from "./trial.js";
import { said } from "./conditions.js";
import { showTrials } from "./trials.js";

const POLL = 1500; // milliseconds between looks
const LIVE = 2000; // results up to which the model is computed without being asked
const base = `/api/studies/${location.pathname.split("/").pop()}`;
let space = null;
let version = -1;
let turn = 0; // how often all was to be drawn anew
let forced = false;
let modelling = false;

function live(text) {
  if (byId("live").textContent !== text) byId("live").textContent = text;
}

function showSummary(study) {
  document.title = `${study.name} · knowgrad`;
  byId("name").textContent = study.name;
  const names = Object.keys(study.space.parameters).length;
  const goal = study.goals ?? (study.direction === "minimize" ? "less is better" : "more is better");
  const over = Object.keys(study.over);
  const average = over.length ? ` on average over ${over.join(", ")}` : "";
  byId("about").textContent = `${names} parameter${names === 1 ? "" : "s"}, ${goal}${average}`;
  space = study.space;
  if (study.outcomes) {
    makeWishes(byId("use-wishes"), study);
    makeContext(byId("use-params"), space);
    byId("use-summary").textContent = "With given values, another probability, or another compromise";
    byId("plan-details").hidden = true;
  } else makeContext(byId("use-params"), space, "held to ±", true);
  const words = { complete: "results", pending: "running", queued: "queued", failed: "failed", expired: "given up", discarded: "discarded" };
  const counts = Object.entries(words).map(([state, word]) =>
    el("div", {}, el("dt", {}, word), el("dd", { "data-state": state }, study.counts[state])));
  const spent = study.spent > 0 ? [el("div", {}, el("dt", {}, "cost spent"), el("dd", { id: "spent" }, number(study.spent)))] : [];
  byId("counts").replaceChildren(...counts, ...spent);
  showRunning(study);
  showSettings(study);
  changeable(base, study, look);
}

function mixture({ names, total, at_most, step }) {
  return `${names.join(" + ")} == ${number(total)}${at_most ? `, at most ${at_most} of them` : ""}${step ? `, in steps of ${number(step)}` : ""}`;
}

function showSettings(study) {
  const range = ({ type, options, features, low, high, log, step, target }) => ["feature", "label"].includes(type) ? `column of the list of candidates${type === "label" ? ", which the model does not see" : ""}`
    : type === "source" ? `one of ${options.map(String).join(", ")}; ${target} is what counts`
    : type === "choice" ? `one of ${options.map(String).join(", ")}${features ? `, with ${features} descriptors` : ""}`
    : `${type === "int" ? "whole number, " : ""}${type === "fidelity" ? "fidelity, " : ""}${number(low)} to ${number(high)}${log ? ", logarithmic" : ""}${step && type === "float" ? `, in steps of ${number(step)}` : ""}${type === "fidelity" ? `; ${number(target)} is what counts` : ""}`;
  const told = parameter => `${range(parameter)}${parameter.when ? `, where ${said(parameter.when)}` : ""}`;
  const rows = [...Object.entries(study.space.parameters).map(([name, parameter]) => [name, told(parameter)]),
    ...(study.space.candidates ? [["candidates", `${study.space.candidates.n} rows`]] : []),
    ...Object.entries(study.over).map(([name, pairs]) => [`average over ${name}`, pairs.map(([value, weight]) => `${shown(value)}: ${number(weight)}`).join(", ")]),
    ...study.space.constraints.map(each => ["constraint", typeof each === "string" ? each : mixture(each)]), ...changes(study), ...Object.entries(study.costs ?? {}).map(([name, cost]) => [`cost of ${name}`, number(cost)]), ["seed", study.seed], ["uid", study.uid]];
  byId("settings").replaceChildren(...rows.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
}

function showRecommendation(found, best) {
  const rows = Object.entries(found.params).map(([name, value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, shown(value))));
  const observed = best && !found.outcomes ? ` The best single result is ${number(best.value)} (trial ${best.number}), luck included.` : "";
  byId("recommendation").replaceChildren(
    el("dl", { class: "params" }, ...rows),
    ...(found.outcomes ? [el("p", {}, `Expected there after ${found.n_observed} results:`), expected(found)]
      : [el("p", {}, "Expected there: ", el("strong", {}, `${number(found.mean)} ± ${number(found.sd, 2)}`), ` after ${found.n_observed} results.`)]),
    el("p", { class: "quiet" }, `± is one standard deviation, which includes the uncertainty of the model.${observed}`));
}

// The recommendation for given values and tolerances, when somebody asks for it.
async function use(event) {
  event.preventDefault();
  try {
    const [given, tolerance] = readContext(byId("use-params"), space);
    const query = new URLSearchParams({ given: JSON.stringify(given), tolerance: JSON.stringify(tolerance), ...readWishes(byId("use-wishes")) });
    const found = await api(`${base}/recommend?${query}`);
    if (found.outcomes) {
      byId("used").replaceChildren(params(found.params), expected(found));
      frontWith(given);
    } else byId("used").textContent = `${params(found.params)}: ${number(found.mean)} ± ${number(found.sd, 2)}`;
  } catch (error) {
    byId("used").textContent = error.message;
  }
}

function showWorth(found) {
  const word = { yes: "Yes", maybe: "Perhaps", no: "No" }[found.answer];
  const price = found.cost === null ? [] : [el("dl", { class: "params", id: "price" }, ...[["expected gain", `${number(found.value, 3)} ± ${number(found.sem, 1)}`],
    ["its price", number(found.cost, 3)], ["gain per cost", number(found.value / found.cost, 3)]].map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))))];
  byId("worth").replaceChildren(el("p", { class: `answer ${found.answer}` }, word), el("p", {}, found.why), ...price);
}

// How many more results the page speaks of: as many as run, else four.
function batch(study) {
  return Math.min(16, Math.max(1, study.counts.pending || 4));
}

async function showModel(study) {
  showRecommendation(await api(`${base}/recommend`), study.best);
  showWorth(await api(`${base}/gain?q=${batch(study)}`));
  const found = await api(`${base}/diagnostics`);
  byId("warnings").replaceChildren(...found.warnings.map(text => el("li", {}, text)));
  byId("diagnostics").textContent = found.text;
  await showContinuing(base, study);
}

// Numbers first, then the charts one after the other; a change meanwhile is taken up at the next look.
async function model(study) {
  const results = study.counts.complete;
  const large = results > LIVE && !forced;
  const q = batch(study);
  byId("large").hidden = byId("compute").hidden = !large;
  byId("large").textContent = `With ${results} results the model takes a while, so it is computed only when you ask.`;
  if (study.limited) {
    byId("large").hidden = false;
    byId("compute").hidden = true;
    byId("large").textContent = byId("recommendation").textContent = study.limited;
    return charts(base, study.outcomes ? ["outcomes"] : null, 0, q);
  }
  if (!results) return charts(base, study.outcomes ? [] : ["batch"], 0, q);
  if (!large) await showModel(study);
  return charts(base, study.outcomes ? named(study, large) : null, large ? 0 : 12, q, study.looks);
}

async function look() {
  try {
    const now = (await api(`${base}/version`)).version;
    if (now !== version) {
      const study = await api(base);
      version = study.version;
      showSummary(study);
      performance.mark("study-shown");
      await showTrials(base, study);
      edit(base, study, look);
      live(`Live: ${study.counts.complete} results, ${study.counts.pending} running`);
      document.body.dataset.version = version;
      if (!modelling) {
        modelling = true;
        refresh(study).finally(() => { modelling = false; });
      }
    }
  } catch (error) {
    live(error.status ? error.message : "Not reachable; trying again");
  }
}

async function refresh(study) {
  let seen, at;
  do {
    [seen, at] = [version, turn];
    delete document.body.dataset.drawn;
    try {
      await model(study);
      if (at === turn) document.body.dataset.drawn = seen;
    } catch (error) {
      live(error.message);
    }
    if (seen !== version) study = await api(base);
  } while (seen !== version || at !== turn);
}

// The charts are to be drawn once more, also those that were drawn already in a turn that is under way.
function anew() {
  turn += 1;
  version = -1;
  delete document.body.dataset.drawn;
  look();
}

byId("edit").hidden = !editable;
whenChanged(look);
planning(base);
byId("use").addEventListener("submit", use);
byId("compute").addEventListener("click", () => { forced = true; anew(); });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", anew);
document.addEventListener("shape", anew); // the charts are to look another way

async function watch() {
  if (!document.hidden) await look();
  setTimeout(watch, POLL);
}
watch();
