// Trials as a file for spreadsheets, with the columns of `knowgrad export`.

import { el } from "./dom.js";

const BEFORE = ["number", "id", "state", "value", "sem"];
const AFTER = ["reason", "source", "batch", "worker", "retry_of", "began", "ended", "cost", "notes"];
const FORMULA = /^\s*[=+\-@][^(|]*[(|]/; // what a spreadsheet would run

// A control character, to be seen.
function written(character) {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function cell(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return cell(value.join("; "));
  let text = typeof value === "boolean" ? (value ? "True" : "False") : String(value);
  if (typeof value === "string") {
    text = value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, written);
    if (FORMULA.test(text)) text = `'${text}`;
  }
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(trials, names, outcomes = []) {
  const heads = [...BEFORE, ...outcomes.flatMap(name => [name, `${name}_sem`]), ...names.map(name => `params_${name}`), ...AFTER];
  const rows = trials.map(trial => [
    ...BEFORE.map(name => trial[name]), ...outcomes.flatMap(name => [trial.outcomes?.[name]?.value, trial.outcomes?.[name]?.sem]), ...names.map(name => trial.params[name]), ...AFTER.map(name => trial[name]),
  ]);
  return [heads, ...rows].map(row => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
