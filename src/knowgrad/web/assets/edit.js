// Ask, tell, fail, stop and add by hand; only there if the server was started with leave to edit.

import { api, byId, el, key, params } from "./dom.js";
import { makeContext, readContext } from "./context.js";
import { decimal, makeFields, readFields, words } from "./fields.js";

let place = "";
let space = null;
let changed = () => {};

export function edit(base, study, look) {
  [place, space, changed] = [base, study.space, look];
  makeFields(byId("add-params"), space);
  makeContext(byId("ask-params"), space, "different values at most");
  const choice = byId("tell").elements.trial;
  const chosen = choice.value;
  const options = study.pending.map(trial => el("option", { value: trial.number }, `${trial.number}: ${params(trial.params)}`));
  choice.replaceChildren(...options);
  if (study.pending.some(trial => String(trial.number) === chosen)) choice.value = chosen;
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
  const { trials } = await api(`${place}/suggest`, body);
  return `To try: ${trials.map(trial => `trial ${trial.number} (${params(trial.params)})`).join("; ")}`;
}

function result(fields) {
  const body = { value: decimal(fields.value.value, "Result") };
  if (fields.sem.value.trim()) body.sem = decimal(fields.sem.value, "Standard error");
  return body;
}

// A result that looks like a mistake is recorded all the same; here is how to put it right.
function doubt(trial) {
  return trial.hint ? ` Is that right? ${trial.hint}. If not, open trial ${trial.number} below and correct it.` : "";
}

async function settle(fields, what) {
  const number = fields.trial.value;
  if (!number) throw new Error("There is no running trial to choose; ask for one first.");
  const body = {
    complete: () => result(fields),
    fail: () => ({ reason: words(fields.reason, "Reason", "say why it failed") }),
    stop: () => ({}),
  }[what]();
  const trial = await api(`${place}/trials/${number}/${what}`, body);
  for (const name of ["value", "sem", "reason"]) fields[name].value = "";
  return `Trial ${number}: recorded.${doubt(trial)}`;
}

async function add(form) {
  const body = { params: readFields(byId("add-params"), space), ...result(form.elements) };
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
  attempt(() => settle(event.target.elements, event.submitter?.value ?? "complete"));
});
byId("add").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => add(event.target));
});
