// How a budget is best spent, when somebody asks.

import { api, byId, number, table } from "./dom.js";
import { decimal } from "./fields.js";

function rows({ q, options }) {
  return options.map(each => [each.q === q ? `${each.q}, chosen` : each.q, each.batches.length,
    each.batches.reduce((a, b) => a + b, 0), number(each.cost), `${number(each.gain, 3)} ± ${number(each.sem, 1)}`,
    number(each.next, 3)]);
}

export function planning(base) {
  byId("plan").addEventListener("submit", async event => {
    event.preventDefault();
    const fields = event.target.elements;
    try {
      const asked = ["budget", "setup", "each"].map(name => [name, decimal(fields[name].value, name)]);
      const found = await api(`${base}/plan?${new URLSearchParams(asked)}`);
      byId("planned").textContent = found.words;
      byId("plan-table").replaceChildren(
        table(["Batch size", "Batches", "Points", "Cost", "Expected gain", "Next batch"], rows(found), ""));
    } catch (error) {
      byId("planned").textContent = error.message;
    }
  });
}
