// What people type: numbers with a decimal point, and a field for each parameter.

import { existing } from "./conditions.js";
import { el, number } from "./dom.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const COMMA = /^[+-]?\d*,\d+(e[+-]?\d+)?$/i;

// As tables and the command line read numbers: a comma is refused, because 1,234 could be two of them.
export function decimal(text, what) {
  const written = text.trim();
  if (COMMA.test(written)) {
    throw new Error(`${what}: expected a decimal point, got "${written}"; write ${written.replace(",", ".")}`);
  }
  if (!NUMBER.test(written)) throw new Error(`${what}: expected a number, got "${text}"; write it with digits`);
  return Number(written);
}

export function words(field, what, remedy) {
  const text = field.value.trim();
  if (!text) throw new Error(`${what}: expected a few words, got none; ${remedy}`);
  return text;
}

function hint(parameter) {
  const whole = parameter.type === "int" ? "whole number, " : "";
  const step = parameter.type === "float" && parameter.step ? ` in steps of ${number(parameter.step)}` : "";
  return `${whole}${number(parameter.low)} to ${number(parameter.high)}${step}`;
}

function field(name, parameter) {
  if (parameter.options) {
    const options = parameter.options.map((option, i) => el("option", { value: i }, String(option)));
    return el("label", {}, name, el("select", { "data-param": name }, ...options));
  }
  const input = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", "data-param": name, required: "" });
  return el("label", {}, `${name} (${hint(parameter)})`, input);
}

// Is this place to be filled for the space? Once, and again when the space was changed; what was typed is gone then.
export function isNew(place, space) {
  const told = JSON.stringify(space.parameters);
  if (place.dataset.space === told) return false;
  place.dataset.space = told;
  place.replaceChildren();
  return true;
}

// A field for each parameter of the space; those of parameters that do not exist as things are, hidden.
export function makeFields(place, space) {
  if (!isNew(place, space)) return;
  place.append(...Object.entries(space.parameters).map(([name, parameter]) => field(name, parameter)));
  place.oninput = () => showExisting(place, space);
  showExisting(place, space);
}

function inputs(place) {
  return [...place.querySelectorAll("[data-param]")];
}

function showExisting(place, space) {
  const typed = Object.fromEntries(inputs(place).map(input => {
    const { options } = space.parameters[input.dataset.param];
    return [input.dataset.param, options ? options[input.value] : NUMBER.test(input.value.trim()) ? Number(input.value) : NaN];
  }));
  const there = existing(space, typed);
  for (const input of inputs(place)) {
    input.closest("label").hidden = input.disabled = !there.has(input.dataset.param);
  }
}

export function readFields(place, space) {
  return Object.fromEntries(inputs(place).filter(input => !input.disabled).map(input => {
    const name = input.dataset.param;
    const parameter = space.parameters[name];
    return [name, parameter.options ? parameter.options[input.value] : decimal(input.value, name)];
  }));
}
