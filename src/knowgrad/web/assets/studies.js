import { api, byId, el } from "./dom.js";

function card(study) {
  const link = el("a", { href: `/study/${encodeURIComponent(study.uid)}` }, study.name);
  const since = new Date(1000 * study.created).toLocaleString();
  return el("li", { class: "card" }, el("h2", {}, link), el("p", { class: "quiet" }, `since ${since}, ${study.events} events`));
}

async function show() {
  try {
    const { studies } = await api("/api/studies");
    byId("studies").replaceChildren(...studies.map(card));
    byId("status").textContent = studies.length ? `${studies.length} in this storage` : "There is no study here yet.";
  } catch (error) {
    byId("status").textContent = `Not reachable: ${error.message}`;
  }
}

show();
setInterval(() => document.hidden || show(), 5000);
