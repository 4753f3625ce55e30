// The table of all trials: sorted by any column, filtered, downloaded. Only what changed is fetched again.

import { api, byId, el, number, params, shown } from "./dom.js";
import { csv, download } from "./csv.js";
import { openTrial, refreshTrial } from "./trial.js";

const PAGE = 500; // trials in one answer
const WHOLE = 2000; // trials up to which all are fetched without being asked
const LATEST = 100; // that are fetched of more
const MORE = 50; // rows that are shown at first, and added on request
const known = []; // by number
let study = null;
let base = "";
let version = null;
let all = false;
let most = MORE;
let sort = { column: "Trial", down: true };

const WORDS = new Set(["Chosen by", "Worker", "Remarks"]); // columns whose text may be broken into lines
const FIRST = new Set(["Trial", "State", "Value", "Remarks"]); // columns for which there is room on a phone

function look(name) {
  return [WORDS.has(name) ? "words" : "", FIRST.has(name) || study.outcomes?.includes(name) ? "" : "extra"].filter(Boolean).join(" ");
}

// The parameters there are, then those that were dropped and that earlier trials still have.
function parameters() {
  return [...new Set([...Object.keys(study.space.parameters), ...known.flatMap(trial => (trial ? Object.keys(trial.params) : []))])];
}

// What each column shows, and what it is sorted by.
function columns() {
  const names = parameters();
  const remark = trial => [trial.reason, ...trial.notes].filter(Boolean).join("; ");
  return [
    ["Trial", trial => trial.number],
    ["State", trial => trial.state],
    ...names.map(name => [name, trial => trial.params[name] ?? null]),
    ...(study.outcomes ? study.outcomes.map(name => [name, trial => trial.outcomes?.[name]?.value ?? null])
      : [["Value", trial => trial.value], ["± se", trial => trial.sem]]),
    ["Chosen by", trial => trial.source],
    ["Worker", trial => trial.worker],
    ["Remarks", remark],
  ];
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function wanted() {
  const [text, state] = [byId("filter-text").value.trim().toLowerCase(), byId("filter-state").value];
  const about = trial => [trial.number, trial.state, params(trial.params), number(trial.value), trial.source, trial.worker,
    trial.reason, ...trial.notes].join(" ").toLowerCase();
  return known.filter(trial => trial && (!state || trial.state === state) && (!text || about(trial).includes(text)));
}

function sorted(trials) {
  const [, value] = columns().find(([name]) => name === sort.column) ?? columns()[0];
  const [full, empty] = [[], []];
  for (const trial of trials) (value(trial) === null || value(trial) === "" ? empty : full).push(trial);
  full.sort((a, b) => (sort.down ? -1 : 1) * compare(value(a), value(b)));
  return [...full, ...empty]; // what has no value comes last either way
}

function head(name) {
  const direction = sort.column === name ? (sort.down ? "descending" : "ascending") : "none";
  const button = el("button", { type: "button", class: "sort", "data-focus": `sort ${name}` }, name);
  button.addEventListener("click", () => {
    sort = { column: name, down: sort.column === name ? !sort.down : false };
    draw();
  });
  return el("th", { scope: "col", "aria-sort": direction, class: look(name) }, button);
}

function row(trial, heads) {
  const open = el("button", { type: "button", class: "plain small", "data-focus": `trial ${trial.number}`,
    "aria-label": `${trial.number}: details of this trial` }, trial.number);
  open.addEventListener("click", () => openTrial(trial, base, study.outcomes ?? []));
  const cells = heads.slice(1).map(([name, value]) => {
    const found = value(trial);
    return el("td", { class: look(name) }, found === null || found === "" ? "–" : shown(found));
  });
  return el("tr", { "data-trial": trial.number, class: trial.state }, el("td", {}, open), ...cells);
}

function draw() {
  const [heads, rows] = [columns(), sorted(wanted())];
  const fetched = known.filter(Boolean).length;
  const total = Object.values(study.counts).reduce((a, b) => a + b, 0);
  byId("trials-count").textContent = `${rows.length} of ${total} trials${fetched < total ? `; the latest ${fetched} are loaded` : ""}`;
  byId("trials-all").hidden = fetched >= total;
  byId("trials-all").textContent = `Load all ${total} trials`;
  byId("trials-more").hidden = rows.length <= most;
  byId("download").disabled = !rows.length;
  const focused = document.activeElement?.dataset?.focus;
  const line = el("tr", {}, ...heads.map(([name]) => head(name)));
  const body = el("tbody", {}, ...rows.slice(0, most).map(trial => row(trial, heads)));
  byId("trials").replaceChildren(rows.length ? el("table", {}, el("thead", {}, line), body)
    : el("p", { class: "quiet" }, total ? "No trial matches." : "No trial yet."));
  if (focused) byId("trials").querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

async function fetched(query) {
  let after = query.after ?? null;
  let seen = null;
  do {
    const asked = new URLSearchParams({ limit: PAGE });
    if (after !== null) asked.set("after", after);
    if (query.since) asked.set("since", query.since);
    const page = await api(`${base}/trials?${asked}`);
    for (const trial of page.trials) known[trial.number] = trial;
    seen ??= page.version;
    after = page.next;
  } while (after !== null);
  return seen;
}

// The trials as they are now; of very many only the latest, until all are asked for.
export async function showTrials(place, now) {
  [base, study] = [place, now];
  const total = Object.values(study.counts).reduce((a, b) => a + b, 0);
  if (version !== null) version = await fetched({ since: version });
  else version = await fetched({ after: all || total <= WHOLE ? null : total - LATEST - 1 });
  draw();
  refreshTrial(known);
}

byId("filter-text").addEventListener("input", () => { most = MORE; draw(); });
byId("filter-state").addEventListener("change", () => { most = MORE; draw(); });
byId("trials-more").addEventListener("click", () => { most += 4 * MORE; draw(); });
byId("trials-all").addEventListener("click", () => { [all, version] = [true, null]; showTrials(base, study); });
byId("download").addEventListener("click", () =>
  download(`${study.name.replace(/[^\w.-]+/g, "_").slice(0, 80)}.csv`, csv(sorted(wanted()), parameters(), study.outcomes ?? [])));
