// One trial: what happened to it, and what may be done about it: correct, discard, restore, note.

import { api, byId, editable, el, key, moment, number, shown } from "./dom.js";
import { decimal, words } from "./fields.js";
import { makeOutcomes, readOutcomes, told } from "./outcomes.js";

let [trial, place] = [null, ""];
let changed = () => {};
let confirmed = null; // what is done once it is confirmed

export function whenChanged(look) {
  changed = look;
}

function outcome(what) {
  if (Object.keys(what.outcomes ?? {}).length) return `${what.state === "complete" ? "" : `${what.state}, `}${told(what.outcomes)}`;
  if (what.value !== null) return `${what.state === "complete" ? "" : `${what.state}, `}${number(what.value, 8)}${what.sem === null ? "" : ` ± ${number(what.sem)}`}`;
  return what.reason ? `${what.state} (${what.reason})` : what.state;
}

function lines() {
  const first = trial.history.find(change => change.kind !== "noted")?.old ?? trial;
  const told = [];
  if (trial.began !== null) told.push([trial.began, `${trial.source === "added" ? "added" : "handed out"}${trial.worker ? ` to ${trial.worker}` : ""}`]);
  if (trial.ended !== null) told.push([trial.ended, `recorded: ${outcome(first)}`]);
  for (const change of trial.history) {
    const by = change.by ? ` by ${change.by}` : "";
    const what = { corrected: ` from ${outcome(change.old)} to ${outcome(change.new)}` }[change.kind] ?? "";
    told.push([change.time, `${change.kind}${by}${what}${change.reason ? `: ${change.reason}` : ""}`]);
  }
  return told.map(([time, text]) => el("li", {}, el("time", { datetime: new Date(1000 * time).toISOString() }, moment(time)), ` ${text}`));
}

function facts() {
  const values = trial.outcomes ? Object.entries(trial.outcomes).map(([name, each]) => [name, told({ [name]: each }).slice(name.length + 1)])
    : [["Value", trial.value === null ? "–" : `${number(trial.value, 8)}${trial.sem === null ? "" : ` ± ${number(trial.sem)}`}`]];
  const rows = [["State", trial.state], ...Object.entries(trial.params).map(([name, value]) => [name, shown(value)]), ...values];
  if (trial.measure) rows.push(["Measured", trial.measure.join(", ")]);
  if (trial.cost !== null) rows.push(["Cost", number(trial.cost)]);
  if (trial.continues !== null) rows.push(["Continues", `trial ${trial.continues}, at the cost of the rest`]);
  if (trial.curve.length) rows.push(["Reported", trial.curve.slice(-5).map(([at, value]) => `${number(value)} at ${number(at)}`).join(", ")]);
  if (trial.paused) rows.push(["Paused", "it can be continued where it stands"]);
  if (trial.reason) rows.push([trial.state === "complete" ? "Why it ended" : "Reason", trial.reason]);
  const list = el("dl", { class: "params" }, ...rows.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
  const trace = trial.traceback ? [el("h3", {}, "Where it failed"), el("pre", { class: "scroll", tabindex: "0" }, trial.traceback)] : [];
  return [list, ...trace];
}

function draw() {
  byId("trial-title").textContent = `Trial ${trial.number}`;
  byId("trial-facts").replaceChildren(...facts());
  byId("trial-history").replaceChildren(...lines());
  byId("trial-nothing").hidden = byId("trial-history").children.length > 0;
  byId("trial-edit").hidden = !editable || confirmed !== null;
  byId("confirm").hidden = confirmed === null;
  const settled = trial.state === "complete" || trial.state === "failed";
  byId("correct").hidden = byId("discard").hidden = !settled;
  byId("restore").hidden = trial.state !== "discarded";
  byId("resume").hidden = !trial.paused || trial.state !== "complete";
}

export function openTrial(found, base, names) {
  [trial, place, confirmed] = [found, base, null];
  makeOutcomes(byId("correct"), names);
  for (const id of Object.keys(FORMS)) byId(id).reset();
  byId("trial-said").textContent = "";
  draw();
  byId("trial").showModal();
}

// What others did to it meanwhile.
export function refreshTrial(known) {
  if (byId("trial").open && known[trial.number] !== trial) {
    trial = known[trial.number];
    draw();
  }
}

function say(error) {
  byId("trial-said").textContent = error.message ?? error;
}

async function send(what, body, done) {
  const by = byId("by").value.trim();
  confirmed = null;
  try {
    trial = await api(`${place}/trials/${trial.number}/${what}`, { ...body, ...(by ? { by } : {}), key: key() });
    byId(what).reset();
    draw();
    say(done);
    await changed();
  } catch (error) {
    draw();
    say(error);
  }
}

// A new trial that continues this one is the next to be handed out.
async function proceed(body) {
  try {
    const queued = await api(`${place}/trials/${trial.number}/resume`, body);
    byId("resume").reset();
    say(`Trial ${queued.number} is queued: it continues this one.`);
    await changed();
  } catch (error) {
    say(error);
  }
}

function confirm(question, work) {
  confirmed = work;
  byId("question").textContent = question;
  say("");
  draw();
  byId("confirm-yes").focus();
}

function correction(fields) {
  const named = readOutcomes(byId("correct"));
  const right = () => ({ value: named ?? decimal(fields.value.value, "Right value") });
  const body = fields.failed.value.trim() ? { failed: fields.failed.value.trim() } : right();
  if (body.failed && (named || fields.value.value.trim())) throw new Error("Correct: expected a value or a failure, got both; leave one out");
  if (fields.sem.value.trim()) body.sem = decimal(fields.sem.value, "Standard error");
  return { ...body, reason: words(fields.reason, "Why", "say what was wrong") };
}

const FORMS = {
  correct: fields => {
    const body = correction(fields);
    const to = body.failed ? `failed (${body.failed})` : `${typeof body.value === "object" ? JSON.stringify(body.value) : body.value}`;
    confirm(`Trial ${trial.number} reads ${outcome(trial)}. Replace that by ${to}? The log keeps both.`, () => send("correct", body, "Corrected."));
  },
  discard: fields => {
    const body = { reason: words(fields.reason, "Reason", "say why it is not to count") };
    confirm(`Take trial ${trial.number} (${outcome(trial)}) out of the model? It can be restored.`, () => send("discard", body, "Discarded."));
  },
  restore: fields => {
    const reason = fields.reason.value.trim();
    return send("restore", reason ? { reason } : {}, "Restored.");
  },
  resume: fields => proceed(fields.at.value.trim() ? { at: decimal(fields.at.value, "Up to") } : {}),
  note: fields => send("note", { text: words(fields.text, "Note", "write something") }, "Noted."),
};

for (const [id, work] of Object.entries(FORMS)) {
  byId(id).addEventListener("submit", event => {
    event.preventDefault();
    try {
      work(event.target.elements);
    } catch (error) {
      say(error);
    }
  });
}
byId("confirm-yes").addEventListener("click", () => confirmed());
byId("confirm-no").addEventListener("click", () => {
  confirmed = null;
  say("Nothing was changed.");
  draw();
});
byId("trial-close").addEventListener("click", () => byId("trial").close());
