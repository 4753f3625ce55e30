// When a parameter exists: {"booster": ["gbtree"]}, "layers >= 2 and width < 64", or a list of both.

const COMPARED = /^(\S+) (<=|>=|<|>|==) (\S+)$/;
const SIGNS = { "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "<": (a, b) => a < b, ">": (a, b) => a > b, "==": (a, b) => a === b };

function parts(when) {
  return Array.isArray(when) ? when : [when ?? {}];
}

// In words, as people read it.
export function said(when) {
  return parts(when).flatMap(part => typeof part === "string" ? [part]
    : Object.entries(part).map(([name, options]) => `${name} is ${options.map(String).join(" or ")}`)).join(" and ");
}

function holds(part, values) {
  if (typeof part !== "string") {
    return Object.entries(part).every(([name, options]) => name in values && options.includes(values[name]));
  }
  return part.split(" and ").every(text => {
    const [, name, sign, bound] = COMPARED.exec(text) ?? [];
    return name in values && SIGNS[sign](Number(values[name]), Number(bound));
  });
}

// The names of the parameters that exist where others have these values; a value that cannot be read counts as none.
export function existing(space, values) {
  const found = {};
  let before = -1;
  while (Object.keys(found).length > before) {
    before = Object.keys(found).length;
    for (const [name, { when }] of Object.entries(space.parameters)) {
      if (parts(when).every(part => holds(part, found))) found[name] = values[name];
    }
  }
  return new Set(Object.keys(found));
}

// What is typed for a new parameter: "booster: gbtree, dart" or "layers >= 2".
export function readWhen(text) {
  const [name, options] = text.split(/:(.*)/s);
  if (options === undefined) return text.trim();
  return { [name.trim()]: options.split(",").map(option => option.trim()).filter(Boolean) };
}
