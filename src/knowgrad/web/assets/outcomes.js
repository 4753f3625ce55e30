// Named outcomes: fields to tell them in, how they are written, and what may be wished of a recommendation.

import { el, number } from "./dom.js";
import { decimal } from "./fields.js";

export function likelihood(chance) {
  if (chance > 0.9995) return "more than 99.9 %";
  return chance < 0.0005 ? "less than 0.1 %" : `${Number((100 * chance).toPrecision(3))} %`;
}

// Outcomes that are in, in one line.
export function told(outcomes) {
  return Object.entries(outcomes).map(([name, each]) => `${name} ${number(each.value, 8)}${each.sem === null ? "" : ` ± ${number(each.sem)}`}`).join(", ");
}

// Two fields for each outcome; in a plain study what is there stays. What was typed stays while the names do.
export function makeOutcomes(form, names) {
  const [plain, place] = [form.querySelector("[data-plain]"), form.querySelector("[data-outcomes]")];
  plain.hidden = names.length > 0;
  place.hidden = !plain.hidden;
  if (place.dataset.names === JSON.stringify(names)) return;
  place.dataset.names = JSON.stringify(names);
  const input = data => el("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...data });
  place.replaceChildren(...names.flatMap(name => [
    el("div", { class: "range" }, el("label", {}, name, input({ "data-outcome": name })),
      el("label", {}, `${name}: standard error, if known`, input({ "data-sem": name }))),
  ]));
}

// The outcomes that were filled in; null if there are none.
export function readOutcomes(form) {
  const place = form.querySelector("[data-outcomes]");
  const filled = [...place.querySelectorAll("[data-outcome]")].filter(field => field.value.trim() !== "");
  const pairs = filled.map(field => {
    const name = field.dataset.outcome;
    const sem = place.querySelector(`[data-sem="${CSS.escape(name)}"]`).value;
    return [name, sem.trim() ? [decimal(field.value, name), decimal(sem, `${name}, standard error`)] : decimal(field.value, name)];
  });
  return pairs.length ? Object.fromEntries(pairs) : null;
}

// What is expected of each outcome, and how likely each limit holds.
export function expected(found) {
  const row = (name, text) => el("div", {}, el("dt", {}, name), el("dd", {}, text));
  const rows = Object.entries(found.outcomes).map(([name, each]) => row(name, `${number(each.mean)} ± ${number(each.sd, 2)}`));
  const limits = Object.entries(found.chances ?? {}).map(([limit, chance]) => row(limit, `holds with a chance of ${likelihood(chance)}`));
  const joint = limits.length > 1 ? [row("all limits", `hold with a chance of ${likelihood(found.chance)}`)] : [];
  return el("dl", { class: "params", id: "expected" }, ...rows, ...limits, ...joint);
}

// Fields for what may be wished: a chance, and of several objectives weights or bounds.
export function makeWishes(place, study) {
  const told = JSON.stringify([study.objectives, study.limits]);
  if (place.dataset.told === told) return;
  place.dataset.told = told;
  const input = (data, text) => el("label", {}, text, el("input", { type: "text", autocomplete: "off", ...data }));
  const names = Object.keys(study.objectives ?? {});
  const several = names.length > 1 ? names : [];
  place.replaceChildren(
    ...((study.limits ?? []).length ? [input({ "data-chance": "" }, "Probability with which all limits hold, such as 0.95")] : []),
    ...several.map(name => input({ "data-weight": name }, `What a unit of ${name} is worth`)),
    ...several.map(name => input({ "data-at": name }, `Bound on ${name}, such as <= 3`)));
}

// As the query of `recommend` has them.
export function readWishes(place) {
  const filled = kind => [...place.querySelectorAll(`[data-${kind}]`)].filter(field => field.value.trim() !== "");
  const table = (kind, read) => Object.fromEntries(filled(kind).map(field => [field.dataset[kind], read(field)]));
  const [weights, at] = [table("weight", field => decimal(field.value, field.dataset.weight)), table("at", field => field.value.trim())];
  const chance = filled("chance").map(field => decimal(field.value, "Chance"))[0];
  return {
    ...(chance === undefined ? {} : { chance }),
    ...(Object.keys(weights).length ? { weights: JSON.stringify(weights) } : {}),
    ...(Object.keys(at).length ? { at: JSON.stringify(at) } : {}),
  };
}
