// The live page of one study: looks every moment whether anything changed, and shows it.

import { api, byId, editable, el, number, params, shown, table } from "./dom.js";
import { charts } from "./charts.js";
import { edit } from "./edit.js";

const POLL = 1500; // milliseconds between looks
const LIVE = 2000; // results up to which the model is computed without being asked
const base = `/api/studies/${location.pathname.split("/").pop()}`;
let version = -1;
let forced = false;
let modelling = false;

function live(text) {
  if (byId("live").textContent !== text) byId("live").textContent = text;
}

function showSummary(study) {
  document.title = `${study.name} · knowgrad`;
  byId("name").textContent = study.name;
  const names = Object.keys(study.space.parameters).length;
  const goal = study.direction === "minimize" ? "less is better" : "more is better";
  byId("about").textContent = `${names} parameter${names === 1 ? "" : "s"}, ${goal}, seed ${study.seed}`;
  const words = { complete: "results", pending: "running", queued: "queued", failed: "failed", expired: "given up" };
  const counts = Object.entries(words).map(([state, word]) =>
    el("div", {}, el("dt", {}, word), el("dd", { "data-state": state }, study.counts[state])));
  byId("counts").replaceChildren(...counts);
  const rows = study.pending.map(trial => [trial.number, params(trial.params), trial.worker ?? "–", lease(trial, study.now)]);
  byId("running").replaceChildren(table(["Trial", "Where", "Worker", "Lease"], rows, "Nothing is running."));
  const failed = study.failed.map(trial => [trial.number, params(trial.params), trial.reason ?? ""]);
  byId("failed").replaceChildren(table(["Trial", "Where", "Why"], failed, "No trial has failed."));
}

function lease(trial, now) {
  if (trial.deadline === null) return "none: it is theirs for as long as it takes";
  const left = trial.deadline - now;
  return left > 0 ? `${Math.ceil(left)} s left` : "over; it will be offered again";
}

async function showResults(study) {
  const total = Object.values(study.counts).reduce((a, b) => a + b, 0);
  const after = Math.max(0, total - 60);
  const page = await api(`${base}/trials?state=complete&limit=60${after ? `&after=${after - 1}` : ""}`);
  const rows = page.trials.slice(-20).reverse().map(trial =>
    [trial.number, params(trial.params), number(trial.value), number(trial.sem), trial.source]);
  byId("results").replaceChildren(table(["Trial", "Where", "Value", "± se", "Chosen by"], rows, "No result yet."));
}

function showRecommendation(found, best) {
  const rows = Object.entries(found.params).map(([name, value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, shown(value))));
  const observed = best ? ` The best single result is ${number(best.value)} (trial ${best.number}), luck included.` : "";
  byId("recommendation").replaceChildren(
    el("dl", { class: "params" }, ...rows),
    el("p", {}, "Expected there: ", el("strong", {}, `${number(found.mean)} ± ${number(found.sd, 2)}`),
      ` after ${found.n_observed} results.`),
    el("p", { class: "quiet" }, `± is one standard deviation of what is not known.${observed}`));
}

function showWorth(found) {
  const word = { yes: "Yes", maybe: "Perhaps", no: "No" }[found.answer];
  byId("worth").replaceChildren(el("p", { class: `answer ${found.answer}` }, word), el("p", {}, found.why));
}

async function showModel(study) {
  const q = Math.min(16, Math.max(1, study.counts.pending || 4));
  showRecommendation(await api(`${base}/recommend`), study.best);
  showWorth(await api(`${base}/gain?q=${q}`));
  const found = await api(`${base}/diagnostics`);
  byId("warnings").replaceChildren(...found.warnings.map(text => el("li", {}, text)));
  byId("diagnostics").textContent = found.text;
}

// Numbers first, then the charts one after the other; a change meanwhile is taken up at the next look.
async function model(study) {
  const results = study.counts.complete;
  const large = results > LIVE && !forced;
  byId("large").hidden = byId("compute").hidden = !large;
  byId("large").textContent = `With ${results} results the model takes a while, so it is not kept up to date by itself.`;
  if (study.limited) {
    byId("large").hidden = false;
    byId("compute").hidden = true;
    byId("large").textContent = byId("recommendation").textContent = study.limited;
    return charts(base, null, 0);
  }
  if (!results) return charts(base, ["batch"], 0);
  if (!large) await showModel(study);
  return charts(base, null, large ? 0 : 12);
}

async function look() {
  try {
    const now = (await api(`${base}/version`)).version;
    if (now !== version) {
      const study = await api(base);
      version = study.version;
      showSummary(study);
      performance.mark("study-shown");
      await showResults(study);
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
  let seen;
  do {
    seen = version;
    try {
      await model(study);
      document.body.dataset.drawn = seen;
    } catch (error) {
      live(error.message);
    }
    if (seen !== version) study = await api(base);
  } while (seen !== version);
}

byId("edit").hidden = !editable;
byId("compute").addEventListener("click", () => { forced = true; version = -1; look(); });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { version = -1; look(); });

async function watch() {
  if (!document.hidden) await look();
  setTimeout(watch, POLL);
}
watch();
