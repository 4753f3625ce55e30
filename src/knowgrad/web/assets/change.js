// A space that changes: what was changed so far, and a form that changes it if the server takes writes.

import { api, byId, editable, el, key, moment } from "./dom.js";
import { decimal, isNew, words } from "./fields.js";

const form = byId("change");
let place = "";
let space = null;
let changed = () => {};

// Lines for the list of what a study is.
export function changes(study) {
  return study.changes.flatMap(change => change.lines.map(line => [
    `changed ${moment(change.time)}`,
    `${line} (after ${change.trials} trials${change.by ? `, by ${change.by}` : ""}${change.reason ? `: ${change.reason}` : ""})`,
  ]));
}

export function changeable(base, study, look) {
  [place, space, changed] = [base, study.space, look];
  form.hidden = !editable || Boolean(space.candidates) || Boolean(study.limited);
  const which = form.elements.which;
  if (!isNew(which, space)) return;
  which.append(...Object.keys(space.parameters).map(name => el("option", { value: name }, name)),
    el("option", { value: "" }, "a new one"));
  fill();
}

function kind() {
  return form.elements.which.value ? space.parameters[form.elements.which.value].type : form.elements.kind.value;
}

// The fields that the parameter needs, with what it is now.
function fill() {
  const { which, low, high, options, drop } = form.elements;
  const now = space.parameters[which.value] ?? {};
  [low.value, high.value, options.value] = [now.low ?? "", now.high ?? "", (now.options ?? []).join("\n")];
  drop.checked = false;
  show();
}

function show() {
  const fitting = new Set([kind() === "choice" ? "choice" : "number", form.elements.which.value ? "old" : "new"]);
  for (const label of form.querySelectorAll("[data-for]")) label.hidden = !fitting.has(label.dataset.for);
}

// Options that are there keep their type; new ones are text.
function choice(name) {
  const had = new Map((space.parameters[name]?.options ?? []).map(option => [String(option), option]));
  const lines = form.elements.options.value.split("\n").map(line => line.trim()).filter(Boolean);
  return { options: lines.map(line => had.has(line) ? had.get(line) : line) };
}

function range(name) {
  return { low: decimal(form.elements.low.value, `${name}, from`), high: decimal(form.elements.high.value, `${name}, to`) };
}

function asked() {
  const { which, drop, earlier, reason, name: typed } = form.elements;
  const name = which.value || words(typed, "Name", "give the parameter one");
  const why = reason.value.trim() ? { reason: reason.value.trim() } : {};
  if (which.value && drop.checked) return { parameters: { [name]: null }, key: key(), ...why };
  const parameter = kind() === "choice" ? choice(name) : range(name);
  if (which.value) return { parameters: { [name]: parameter }, key: key(), ...why };
  const value = kind() === "choice" || !earlier.value.trim() ? earlier.value.trim() : decimal(earlier.value, "What it was");
  const had = earlier.value.trim() ? { earlier: { [name]: value } } : {};
  return { parameters: { [name]: { type: kind(), ...parameter } }, key: key(), ...had, ...why };
}

async function submit(event) {
  event.preventDefault();
  try {
    const { lines, unqueued } = await api(`${place}/change`, asked());
    const gone = unqueued.length ? ` No longer queued: ${unqueued.join(", ")}.` : "";
    byId("changed").textContent = `${lines.length ? lines.join("; ") : "Nothing changed"}.${gone}`;
    await changed();
  } catch (error) {
    byId("changed").textContent = error.message;
  }
}

form.elements.which.addEventListener("change", fill);
form.elements.kind.addEventListener("change", show);
form.addEventListener("submit", submit);
