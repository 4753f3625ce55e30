// What is running: where, whose, for how long, and what is left of the lease. The times go on between two looks.

import { api, byId, el, number, params, span, table } from "./dom.js";

const ASKED = 8; // runs of which it is asked whether they are worth their rest

let [server, here] = [0, 0]; // the storage's clock when the study was last looked at, and ours at that moment

function now() {
  return server + (performance.now() - here) / 1000;
}

function lease(deadline) {
  if (deadline === null) return "none: no time limit";
  const left = deadline - now();
  return left > 0 ? `${left < 3600 ? `${Math.ceil(left)} s` : span(left)} left` : "over; it will be offered again";
}

export function showRunning(study) {
  [server, here] = [study.now, performance.now()];
  const rows = study.pending.map(trial => {
    const since = el("span", {}, trial.began === null ? "–" : span(now() - trial.began));
    if (trial.began !== null) since.dataset.began = trial.began;
    const until = el("span", {}, lease(trial.deadline));
    if (trial.deadline !== null) until.dataset.deadline = trial.deadline;
    const names = Object.keys(trial.outcomes ?? {});
    const last = trial.curve.at(-1);
    const parts = [trial.continues === null ? "" : `; continues trial ${trial.continues}`, last ? `; reported ${number(last[1])} at ${number(last[0])}` : "",
      trial.measure ? ` (measure ${trial.measure.join(", ")})` : "", names.length ? `; in: ${names.join(", ")}` : ""];
    return [trial.number, `${params(trial.params)}${parts.join("")}`, trial.worker ?? "–", since, until];
  });
  byId("running").replaceChildren(table(["Trial", "Where", "Worker", "Running for", "Lease"], rows, "Nothing is running."));
}

// Of runs that have reported: what their rest is worth per cost, beside the best other use of the worker.
export async function showContinuing(base, study) {
  const rows = [];
  for (const trial of study.pending.filter(each => each.curve.length).slice(-ASKED)) {
    const found = await api(`${base}/trials/${trial.number}/continue`);
    const worth = [found.rest, found.other].map(each => (each === null ? "–" : number(each, 3)));
    rows.push([trial.number, number(trial.curve.at(-1)[0]), ...worth, found.worth_continuing ? "continue" : "stop: the rest is not worth its cost"]);
  }
  const heads = ["Trial", "Reported at", "Value of the rest, per cost", "Best alternative, per cost", "Verdict"];
  byId("continuing").replaceChildren(...(rows.length ? [el("h3", {}, "Is the rest of a run worth it?"), table(heads, rows, "")] : []));
}

setInterval(() => {
  for (const cell of byId("running").querySelectorAll("[data-began]")) cell.textContent = span(now() - Number(cell.dataset.began));
  for (const cell of byId("running").querySelectorAll("[data-deadline]")) cell.textContent = lease(Number(cell.dataset.deadline));
}, 1000);
