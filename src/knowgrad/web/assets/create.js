// A new study by hand: what to vary, and which way is better. Only there if the server takes writes.

import { api, byId, editable, el } from "./dom.js";
import { readWhen } from "./conditions.js";
import { decimal, words } from "./fields.js";

let made = 0;

function labelled(text, field) {
  return el("label", {}, text, field);
}

function text(name, attributes = {}) {
  return el("input", { name, type: "text", autocomplete: "off", ...attributes });
}

function row() {
  made += 1;
  const kind = el("select", { name: "kind" }, ...[["float", "number"], ["int", "whole number"], ["choice", "choice"]]
    .map(([value, word]) => el("option", { value }, word)));
  const range = el("div", { class: "range" }, labelled("From", text("low", { inputmode: "decimal" })), labelled("To", text("high", { inputmode: "decimal" })),
    el("label", { class: "switch" }, el("input", { name: "log", type: "checkbox" }), " Logarithmic"));
  const options = el("div", { hidden: "" }, labelled("Options, one on each line", el("textarea", { name: "options", rows: "3" })));
  const remove = el("button", { type: "button", class: "plain small" }, "Remove");
  const set = el("fieldset", {}, el("legend", {}, `Parameter ${made}`),
    labelled("Name", text("param", { maxlength: "200" })), labelled("Kind", kind), range, options,
    labelled("Exists only where (if not everywhere)", text("when", { placeholder: "mixer: vane, disc or layers >= 2" })), remove);
  kind.addEventListener("change", () => {
    range.hidden = kind.value === "choice";
    options.hidden = !range.hidden;
  });
  remove.addEventListener("click", () => {
    set.remove();
    byId("more").focus();
  });
  return set;
}

function parameter(set) {
  const field = name => set.querySelector(`[name=${name}]`);
  const name = words(field("param"), set.querySelector("legend").textContent, "give it a name");
  const when = field("when").value.trim() ? { when: readWhen(field("when").value) } : {};
  if (field("kind").value === "choice") {
    const options = field("options").value.split("\n").map(line => line.trim()).filter(Boolean);
    return [name, { type: "choice", options, ...when }];
  }
  const [low, high] = ["low", "high"].map(end => decimal(field(end).value, `${name}, ${end === "low" ? "from" : "to"}`));
  return [name, { type: field("kind").value, low, high, log: field("log").checked, ...when }];
}

// "sand: river = 2, quarry = 1" as ["sand", [["river", 2], ["quarry", 1]]]; values are of the parameter's kind.
function contexts(line, parameters) {
  const [name, ...rest] = line.split(":");
  const parameter = parameters[name.trim()];
  const value = text => parameter && parameter.type !== "choice" ? decimal(text, name.trim()) : text.trim();
  const pairs = rest.join(":").split(",").map(pair => {
    const at = pair.lastIndexOf("=");
    return at < 0 ? [value(pair), 1] : [value(pair.slice(0, at)), decimal(pair.slice(at + 1), `${name.trim()}, weight`)];
  });
  return [name.trim(), pairs];
}

// "maximize yield" as ["yield", "maximize"].
function objective(line) {
  const [way, ...name] = line.split(" ");
  if (!["minimize", "maximize"].includes(way) || !name.length) {
    throw new Error(`Named outcomes: expected "maximize yield" or "minimize price", got "${line}"; write it so`);
  }
  return [name.join(" ").trim(), way];
}

function goals(form) {
  const read = field => field.value.split("\n").map(line => line.trim()).filter(Boolean);
  const [objectives, limits] = [read(form.objectives), read(form.limits)];
  if (!objectives.length && !limits.length) return { direction: form.direction.value };
  return { ...(objectives.length ? { objectives: Object.fromEntries(objectives.map(objective)) } : {}), ...(limits.length ? { limits } : {}) };
}

function asked(form) {
  const pairs = [...byId("parameters").querySelectorAll("fieldset")].map(parameter);
  const parameters = Object.fromEntries(pairs);
  if (Object.keys(parameters).length < pairs.length) throw new Error("Parameters: expected different names, got one twice; rename it");
  const constraints = form.constraints.value.split("\n").map(line => line.trim()).filter(Boolean);
  const lines = form.over.value.split("\n").map(line => line.trim()).filter(Boolean);
  const over = lines.length ? { over: Object.fromEntries(lines.map(line => contexts(line, parameters))) } : {};
  const noise = form.noise.value === "exact" ? { noise: 0 } : {};
  return { name: words(form.name, "Name", "give the study one"), space: { parameters, constraints }, ...goals(form), ...noise, ...over };
}

async function create(event) {
  event.preventDefault();
  try {
    const study = await api("/api/studies", asked(event.target.elements));
    location.assign(`/study/${encodeURIComponent(study.uid)}`);
  } catch (error) {
    byId("said").textContent = error.message;
  }
}

byId("create").hidden = !editable;
byId("parameters").append(row());
byId("more").addEventListener("click", () => {
  const set = row();
  byId("parameters").append(set);
  set.querySelector("input").focus();
});
byId("new").addEventListener("submit", create);
