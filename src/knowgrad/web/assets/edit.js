// Ask, tell, fail and stop by hand; only there if the server was started with leave to edit.

import { api, byId, el, params } from "./dom.js";

let place = "";
let changed = () => {};

export function edit(base, study, look) {
  [place, changed] = [base, look];
  const choice = byId("tell").elements.trial;
  const chosen = choice.value;
  const options = study.pending.map(trial => el("option", { value: trial.number }, `${trial.number}: ${params(trial.params)}`));
  choice.replaceChildren(...options);
  if (study.pending.some(trial => String(trial.number) === chosen)) choice.value = chosen;
}

function decimal(text, what) {
  const value = Number(text.trim().replace(",", "."));
  if (!text.trim() || !Number.isFinite(value)) throw new Error(`${what}: expected a number, got "${text}"`);
  return value;
}

async function attempt(work) {
  try {
    byId("said").textContent = await work();
    await changed();
  } catch (error) {
    byId("said").textContent = error.message;
  }
}

async function ask(fields) {
  const body = { count: Number(fields.count.value), client_id: fields.client.value, key: crypto.randomUUID() };
  const { trials } = await api(`${place}/suggest`, body);
  return `To try: ${trials.map(trial => `trial ${trial.number} (${params(trial.params)})`).join("; ")}`;
}

async function settle(fields, what) {
  if (!fields.trial.value) throw new Error("There is no running trial to choose; ask for one first.");
  const at = `${place}/trials/${fields.trial.value}/${what}`;
  if (what === "complete") {
    const body = { value: decimal(fields.value.value, "Result") };
    if (fields.sem.value.trim()) body.sem = decimal(fields.sem.value, "Standard error");
    await api(at, body);
  } else {
    await api(at, what === "fail" ? { reason: fields.reason.value || "no reason given" } : {});
  }
  const done = `Trial ${fields.trial.value}: recorded.`;
  for (const name of ["value", "sem", "reason"]) fields[name].value = "";
  return done;
}

byId("ask").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => ask(event.target.elements));
});
byId("tell").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => settle(event.target.elements, event.submitter?.value ?? "complete"));
});
