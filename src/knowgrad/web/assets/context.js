// Values that points are to have, and a number beside them: how many different ones, or how exactly they are held.

import { el } from "./dom.js";
import { decimal, isNew } from "./fields.js";

function given(name, parameter) {
  if (!parameter.options) {
    return el("input", { type: "text", inputmode: "decimal", autocomplete: "off", "data-given": name });
  }
  const options = parameter.options.map((option, i) => el("option", { value: i }, String(option)));
  return el("select", { "data-given": name }, el("option", { value: "" }, "any"), ...options);
}

// Two fields for each parameter; `beside` is what the second one is called, for numbers only if so said. Without it, one.
export function makeContext(place, space, beside = null, numbers = false) {
  if (space.candidates || !isNew(place, space)) return;
  for (const [name, parameter] of Object.entries(space.parameters)) {
    place.append(el("label", {}, `${name} is`, given(name, parameter)));
    if (beside === null || (numbers && parameter.options)) continue;
    const input = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", "data-beside": name });
    place.append(el("label", {}, `${name}: ${beside}`, input));
  }
}

// The fields that were filled in, as two tables by name.
export function readContext(place, space) {
  const filled = kind => [...place.querySelectorAll(`[data-${kind}]`)].filter(field => field.value.trim() !== "");
  const value = field => {
    const parameter = space.parameters[field.dataset.given];
    return parameter.options ? parameter.options[field.value] : decimal(field.value, field.dataset.given);
  };
  return [
    Object.fromEntries(filled("given").map(field => [field.dataset.given, value(field)])),
    Object.fromEntries(filled("beside").map(field => [field.dataset.beside, decimal(field.value, field.dataset.beside)])),
  ];
}
