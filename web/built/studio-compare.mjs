// web/src/dom.ts
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === void 0 || value === null || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(key.replace(/^on/, ""), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === void 0 || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}
function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// web/src/format.ts
var grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
var short = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
var percents = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
function number(value) {
  if (value === null || value === void 0 || Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221E" : "\u2212\u221E";
  const size = Math.abs(value);
  if (size === 0) return "0";
  const text = size < 1e-4 ? value.toExponential(2).replace("e", " e") : (size >= 1e5 ? grouped : short).format(value);
  return text.replace("-", "\u2212");
}
function digits(n) {
  return n.toLocaleString("en");
}
function count(n, noun) {
  return `${digits(n)} ${noun}${n === 1 ? "" : "s"}`;
}
function percent(share) {
  if (share > 0 && share < 1e-5) return "< 0.001 %";
  if (share < 1 && share > 0.9995) return "> 99.9 %";
  return `${percents.format(100 * share)} %`;
}
function plain(name) {
  return /^\([^()]*\)$/.test(name) ? name.slice(1, -1) : name;
}

// web/src/studio/compare.ts
function choices(policy) {
  const result = /* @__PURE__ */ new Map();
  for (const state of policy.states) {
    if (!state.choices) continue;
    const name = state.facts.map((fact) => policy.facts[fact]).join(" ") || "(no facts)";
    const parts = state.choices.map(([action, chance]) => [policy.actions[action].name, chance, action]).sort((a, b) => a[0] < b[0] ? -1 : 1);
    const text = parts.map(([action, chance]) => chance < 1 ? `${percent(chance)} ${plain(action)}` : plain(action)).join(", ");
    const spent = policy.actions[0].costs.map(
      (_, c) => parts.reduce((sum, [, chance, action]) => sum + state.visits * chance * policy.actions[action].costs[c], 0)
    );
    result.set(name, { text, visits: state.visits, spent, actions: parts.map(([action]) => action) });
  }
  return result;
}
function differences(before, after) {
  const [pinned, now] = [choices(before), choices(after)];
  const result = [];
  for (const name of /* @__PURE__ */ new Set([...pinned.keys(), ...now.keys()])) {
    const [a, b] = [pinned.get(name), now.get(name)];
    if (a && b && a.text === b.text) continue;
    const zero = (a ?? b).spent.map(() => 0);
    result.push({
      state: name,
      pinned: a?.text ?? "",
      now: b?.text ?? "",
      visits: [a?.visits ?? 0, b?.visits ?? 0],
      spent: (b?.spent ?? zero).map((value, c) => value - (a?.spent ?? zero)[c])
    });
  }
  const both = ({ pinned: a, now: b }) => Number(a !== "" && b !== "");
  return result.sort((a, b) => both(b) - both(a) || Math.max(...b.visits) - Math.max(...a.visits));
}
function changedStates(before, after) {
  return new Set(
    differences(before, after).filter(({ pinned, now }) => pinned !== "" && now !== "").map(({ state }) => state)
  );
}
var field = (text) => {
  const written = String(text);
  const safe = /^[=+\-@\t\r]/.test(written) && Number.isNaN(Number(written)) ? `'${written}` : written;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
function toCsv(rows) {
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
function rowsOf(costs, pinned, now) {
  return costs.map(({ name, label }) => ({
    cost: label,
    bounds: [pinned.bounds[name], now.bounds[name]],
    values: [pinned.report.result.costs?.[label], now.report.result.costs?.[label]]
  }));
}
function elsewhere(rows, all) {
  return rows.map(
    ({ values: [a, b] }, c) => all.reduce((left, { spent }) => left - spent[c], (b ?? 0) - (a ?? 0))
  );
}
var same = "all others: the same choices, met more or less often";
function csvOf(costs, pinned, now, all) {
  const written = (bound) => bound === void 0 ? "" : bound ?? "inf";
  const labels = costs.map(({ label }) => label);
  return toCsv([
    ["cost", "pinned bound", "pinned expected", "bound now", "expected now"],
    ...rowsOf(costs, pinned, now).map(({ cost, bounds, values }) => [
      cost,
      written(bounds[0]),
      values[0] ?? "",
      written(bounds[1]),
      values[1] ?? ""
    ]),
    [],
    ["state", "pinned choice", "choice now", "pinned visits", "visits now", ...labels.map((label) => `${label} spent there, now less pinned`)],
    ...all.map(({ state, pinned: a, now: b, visits, spent }) => [state, a, b, ...visits, ...spent]),
    [same, "", "", "", "", ...elsewhere(rowsOf(costs, pinned, now), all)]
  ]);
}
var mostRows = 60;
var signed = (value) => Math.abs(value) < 5e-10 ? "0" : `${value > 0 ? "+" : ""}${number(Number(value.toPrecision(6)))}`;
function comparison(costs, pinned, now, all, select, losses) {
  const head = (...names) => h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));
  const budget = (bound) => bound === void 0 ? "" : bound === null ? "no limit" : `\u2264 ${number(bound)}`;
  const costRows = rowsOf(costs, pinned, now).map(
    ({ cost, bounds, values }) => h(
      "tr",
      {},
      h("th", { scope: "row" }, cost),
      h("td", {}, budget(bounds[0])),
      h("td", {}, number(values[0])),
      h("td", {}, budget(bounds[1])),
      h("td", {}, number(values[1])),
      h("td", { class: "difference" }, values[0] === void 0 || values[1] === void 0 ? "\u2013" : signed(values[1] - values[0]))
    )
  );
  const stateRows = all.slice(0, mostRows).map(
    ({ state, pinned: a, now: b, visits, spent }) => h(
      "tr",
      {},
      h("th", { scope: "row" }, b === "" ? state : h("button", { type: "button", class: "link", onclick: () => select(state) }, state)),
      h("td", { class: "text" }, a || h("em", {}, "not visited")),
      h("td", { class: "text" }, b || h("em", {}, "not visited")),
      h("td", { class: "visits" }, `${number(Number(visits[0].toPrecision(3)))} \u2192 ${number(Number(visits[1].toPrecision(3)))}`),
      ...spent.map((value) => h("td", {}, signed(Number(value.toPrecision(4))))),
      h("td", {}, losses.has(state) ? signed(Number(losses.get(state).toPrecision(4))) : "")
    )
  );
  const rest = all.length - stateRows.length;
  const others = h(
    "tr",
    {},
    h("th", { scope: "row" }, h("em", {}, same)),
    h("td", {}),
    h("td", {}),
    h("td", {}),
    ...elsewhere(rowsOf(costs, pinned, now), all).map((value) => h("td", {}, signed(Number(value.toPrecision(4))))),
    h("td", {})
  );
  return [
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Costs of both settings" },
      h("table", { id: "compare-costs" }, head("cost", "pinned bound", "pinned", "bound now", "now", "difference"), h("tbody", {}, ...costRows))
    ),
    h("h3", { class: "spaced" }, all.length === 0 ? "Both policies do the same everywhere" : `They differ in ${count(all.length, "state")}`),
    all.length === 0 ? null : h(
      "p",
      { class: "lead" },
      `Spent: what is spent of each cost in that state, now less pinned. Loss: what the pinned choice would cost there at the prices of now, in ${costs[0].label}.`
    ),
    all.length === 0 ? null : h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "States in which the policies differ" },
      h(
        "table",
        { id: "compare-states", class: "states" },
        head("state", "pinned", "now", "visits", ...costs.map(({ label }) => `${label} spent`), "loss"),
        h("tbody", {}, ...stateRows, others)
      )
    ),
    rest > 0 ? h("p", { class: "lead" }, `\u2026 and ${count(rest, "state")} more; the exported table has all of them.`) : null
  ];
}
export {
  changedStates,
  comparison,
  csvOf,
  differences,
  toCsv
};
