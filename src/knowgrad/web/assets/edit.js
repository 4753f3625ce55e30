// Ask, tell, report, fail, stop and add by hand; only there if the server was started with leave to edit.

import { api, byId, el, key, params } from "./dom.js";
import { makeContext, readContext } from "./context.js";
import { decimal, makeFields, readFields, words } from "./fields.js";
import { makeOutcomes, readOutcomes } from "./outcomes.js";

let place = "";
let space = null;
let changed = () => {};

export function edit(base, study, look) {
  [place, space, changed] = [base, study.space, look];
  makeFields(byId("add-params"), space);
  const names = study.outcomes ?? [];
  for (const id of ["tell", "add"]) makeOutcomes(byId(id), names);
  byId("ask-context").hidden = names.length > 0;
  if (!names.length) makeContext(byId("ask-params"), space, "different values at most");
  measures(names);
  for (const each of byId("tell").querySelectorAll("[data-curves]")) each.hidden = !study.reports;
  const choice = byId("tell").elements.trial;
  const chosen = choice.value;
  const options = study.pending.map(trial => el("option", { value: trial.number }, `${trial.number}: ${params(trial.params)}`));
  choice.replaceChildren(...options);
  if (study.pending.some(trial => String(trial.number) === chosen)) choice.value = chosen;
}

// What is to be measured: everything, what pays best, or one of the outcomes.
function measures(names) {
  const choice = byId("ask").elements.measure;
  choice.closest("label").hidden = names.length < 2;
  if (choice.dataset.names === JSON.stringify(names)) return;
  choice.dataset.names = JSON.stringify(names);
  const options = [["", "everything"], ["auto", "those worth most per cost"], ...names.map(name => [`=${name}`, `${name} alone`])];
  choice.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
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
  const [given, shared] = readContext(byId("ask-params"), space);
  const body = { count: Number(fields.count.value), client_id: fields.client.value, key: key(), given, shared };
  const what = fields.measure.value;
  if (what) body.measure = what === "auto" ? what : [what.slice(1)];
  const { trials } = await api(`${place}/suggest`, body);
  const measure = trial => trial.measure ? `, measure ${trial.measure.join(", ")}` : "";
  return `To try: ${trials.map(trial => `trial ${trial.number} (${params(trial.params)}${measure(trial)})`).join("; ")}`;
}

function result(form) {
  const fields = form.elements;
  if (!form.querySelector("[data-outcomes]").hidden) {
    const value = readOutcomes(form);
    if (!value) throw new Error("Outcomes: expected at least one, got none; fill in what is measured");
    return { value };
  }
  const body = { value: decimal(fields.value.value, "Result") };
  if (fields.sem.value.trim()) body.sem = decimal(fields.sem.value, "Standard error");
  return body;
}

// A result that looks like a mistake is recorded all the same; here is how to put it right.
function doubt(trial) {
  return trial.hint ? ` Is that right? ${trial.hint}. If not, open trial ${trial.number} below and correct it.` : "";
}

async function settle(form, what) {
  const fields = form.elements;
  const number = fields.trial.value;
  if (!number) throw new Error("There is no running trial to choose; ask for one first.");
  const body = {
    complete: () => result(form),
    fail: () => ({ reason: words(fields.reason, "Reason", "say why it failed") }),
    stop: () => ({}),
    report: () => ({ at: decimal(fields.at.value, "Report at"), value: decimal(fields.value.value, "Result") }),
    end: () => (fields.reason.value.trim() ? { reason: fields.reason.value.trim() } : {}),
    pause: () => (fields.reason.value.trim() ? { reason: fields.reason.value.trim() } : {}),
  }[what]();
  const trial = await api(`${place}/trials/${number}/${what}`, body);
  for (const field of form.querySelectorAll("input")) field.value = "";
  const more = what === "complete" && trial.state === "pending" ? " It waits for more outcomes." : "";
  return `Trial ${number}: recorded.${more}${doubt(trial)}`;
}

async function add(form) {
  const body = { params: readFields(byId("add-params"), space), ...result(form) };
  const trial = await api(`${place}/add`, body);
  form.reset();
  return `Trial ${trial.number}: added.${doubt(trial)}`;
}

byId("ask").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => ask(event.target.elements));
});
byId("tell").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => settle(event.target, event.submitter?.value ?? "complete"));
});
byId("add").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => add(event.target));
});
