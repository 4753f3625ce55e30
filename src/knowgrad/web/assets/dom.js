// Small helpers. Text from studies only ever enters the page as text.

const root = document.documentElement.dataset;

export const editable = root.edit === "yes";

export function byId(id) {
  return document.getElementById(id);
}

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map(child => (child instanceof Node ? child : String(child))));
  return made;
}

export async function api(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "X-Knowgrad-Csrf": root.csrf },
  };
  const response = await fetch(path, { ...options, credentials: "same-origin", cache: "no-store" });
  const answer = await response.json();
  if (!response.ok) {
    const refusal = new Error(answer.error.message);
    refusal.status = response.status;
    throw refusal;
  }
  return answer;
}

// A name for a request that is not to be carried out twice. (crypto.randomUUID is missing where there is no TLS.)
export function key() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

export function number(value, digits = 5) {
  if (typeof value !== "number") return "–";
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : String(Number(value.toPrecision(digits)));
}

export function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}

export function params(values) {
  return Object.entries(values).map(([name, value]) => `${name} = ${shown(value)}`).join(", ");
}

// Seconds since 1970 as a date and time of here.
export function moment(time) {
  return time === null ? "–" : new Date(1000 * time).toLocaleString();
}

// A number of seconds, for people.
export function span(seconds) {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

// A table with one header row; the cells are texts or elements.
export function table(heads, rows, empty) {
  if (!rows.length) return el("p", { class: "quiet" }, empty);
  const head = el("tr", {}, ...heads.map(text => el("th", { scope: "col" }, text)));
  const body = rows.map(cells => el("tr", {}, ...cells.map(cell => el("td", {}, cell))));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, ...body));
}
