// The studies of the storage, with how far each has come; what has not changed is not asked for again.

import { api, byId, el, moment, number } from "./dom.js";
import "./create.js";

const summaries = new Map(); // by uid: how many events there were, and what it said then

async function summary(study) {
  const had = summaries.get(study.uid);
  if (had?.events === study.events) return had.found;
  const found = await api(`/api/studies/${encodeURIComponent(study.uid)}/summary`).catch(error => ({ error: error.message }));
  summaries.set(study.uid, { events: study.events, found });
  return found;
}

function row(study, found) {
  const link = el("a", { href: `/study/${encodeURIComponent(study.uid)}` }, study.name);
  if (found.error) return el("tr", {}, el("th", { scope: "row" }, link), el("td", { colspan: "6" }, found.error));
  const total = Object.values(found.counts).reduce((a, b) => a + b, 0);
  const cells = [total, found.counts.complete, found.counts.pending, found.counts.failed,
    found.goals ? `${found.best === null ? "" : `${number(found.best)}: `}${found.goals}`
      : `${number(found.best)}${found.best === null ? "" : found.direction === "minimize" ? " (less is better)" : " (more is better)"}`,
    moment(found.active ?? study.created)];
  return el("tr", {}, el("th", { scope: "row" }, link), ...cells.map(cell => el("td", {}, cell)));
}

async function show() {
  try {
    const { studies } = await api("/api/studies");
    byId("status").textContent = studies.length ? `${studies.length} in this storage` : "There is no study here yet.";
    byId("list").hidden = !studies.length;
    const rows = [];
    for (const study of studies) rows.push(row(study, await summary(study)));
    byId("studies").replaceChildren(...rows);
  } catch (error) {
    byId("status").textContent = `Not reachable: ${error.message}`;
  }
}

async function watch() {
  const inside = byId("studies").contains(document.activeElement); // somebody is about to follow a link
  if (!document.hidden && !inside) await show();
  setTimeout(watch, 5000);
}
watch();
