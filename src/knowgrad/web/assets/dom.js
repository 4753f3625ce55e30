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

// A table with one header row; the cells are texts.
export function table(heads, rows, empty) {
  if (!rows.length) return el("p", { class: "quiet" }, empty);
  const head = el("tr", {}, ...heads.map(text => el("th", { scope: "col" }, text)));
  const body = rows.map(cells => el("tr", {}, ...cells.map(cell => el("td", {}, cell))));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, ...body));
}
