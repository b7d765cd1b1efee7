// Two settings side by side: what they cost, where their policies differ, and what that costs.
import type { Policy, Report } from '../data';
import { h, type Child } from '../dom';
import { count, number, percent, plain } from '../format';
import type { Bounds } from './settings';

export interface Setting {
  bounds: Bounds; // by the names of costs
  report: Report; // with its policy
}

export interface Difference {
  state: string;
  pinned: string; // what is done there; empty if one does not get there
  now: string;
  visits: [number, number];
  spent: number[]; // by cost: now less pinned
  loss?: number; // what the pinned choice would cost at the prices of now
}

function choices(policy: Policy): Map<string, { text: string; visits: number; spent: number[]; actions: string[] }> {
  const result = new Map<string, { text: string; visits: number; spent: number[]; actions: string[] }>();
  for (const state of policy.states) {
    if (!state.choices) continue;
    const name = state.facts.map((fact) => policy.facts[fact]).join(' ') || '(no facts)';
    const parts = state.choices
      .map(([action, chance]): [string, number, number] => [policy.actions[action].name, chance, action])
      .sort((a, b) => (a[0] < b[0] ? -1 : 1));
    const text = parts
      .map(([action, chance]) => (chance < 1 ? `${percent(chance)} ${plain(action)}` : plain(action)))
      .join(', ');
    const spent = policy.actions[0].costs.map((_, c) =>
      parts.reduce((sum, [, chance, action]) => sum + state.visits * chance * policy.actions[action].costs[c], 0),
    );
    result.set(name, { text, visits: state.visits, spent, actions: parts.map(([action]) => action) });
  }
  return result;
}

/** States in which something else is done, those visited most first. */
export function differences(before: Policy, after: Policy): Difference[] {
  const [pinned, now] = [choices(before), choices(after)];
  const result: Difference[] = [];
  for (const name of new Set([...pinned.keys(), ...now.keys()])) {
    const [a, b] = [pinned.get(name), now.get(name)];
    if (a && b && a.text === b.text) continue;
    const zero = (a ?? b)!.spent.map(() => 0);
    result.push({
      state: name,
      pinned: a?.text ?? '',
      now: b?.text ?? '',
      visits: [a?.visits ?? 0, b?.visits ?? 0],
      spent: (b?.spent ?? zero).map((value, c) => value - (a?.spent ?? zero)[c]),
    });
  }
  // First where both get to: there a choice was made differently; elsewhere it follows from that.
  const both = ({ pinned: a, now: b }: Difference) => Number(a !== '' && b !== '');
  return result.sort((a, b) => both(b) - both(a) || Math.max(...b.visits) - Math.max(...a.visits));
}

/** The states whose choices differ; those that only one of them gets to do not count. */
export function changedStates(before: Policy, after: Policy): Set<string> {
  return new Set(
    differences(before, after)
      .filter(({ pinned, now }) => pinned !== '' && now !== '')
      .map(({ state }) => state),
  );
}

const field = (text: string | number) => {
  const written = String(text);
  // A spreadsheet must not take a name for a formula.
  const safe = /^[=+\-@\t\r]/.test(written) && Number.isNaN(Number(written)) ? `'${written}` : written;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function toCsv(rows: (string | number)[][]): string {
  return rows.map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';
}

export interface Row {
  cost: string;
  bounds: [number | null | undefined, number | null | undefined];
  values: [number | undefined, number | undefined];
}

function rowsOf(costs: { name: string; label: string }[], pinned: Setting, now: Setting): Row[] {
  return costs.map(({ name, label }) => ({
    cost: label,
    bounds: [pinned.bounds[name], now.bounds[name]],
    values: [pinned.report.result.costs?.[label], now.report.result.costs?.[label]],
  }));
}

export function csvOf(costs: { name: string; label: string }[], pinned: Setting, now: Setting, all: Difference[]): string {
  const written = (bound: number | null | undefined) => (bound === undefined ? '' : (bound ?? 'inf'));
  const labels = costs.map(({ label }) => label);
  return toCsv([
    ['cost', 'pinned bound', 'pinned expected', 'bound now', 'expected now'],
    ...rowsOf(costs, pinned, now).map(({ cost, bounds, values }) => [
      cost, written(bounds[0]), values[0] ?? '', written(bounds[1]), values[1] ?? '',
    ]),
    [],
    ['state', 'pinned choice', 'choice now', 'pinned visits', 'visits now', ...labels.map((label) => `${label} spent there, now less pinned`)],
    ...all.map(({ state, pinned: a, now: b, visits, spent }) => [state, a, b, ...visits, ...spent]),
  ]);
}

const mostRows = 60;
const signed = (value: number) =>
  Math.abs(value) < 5e-10 ? '0' : `${value > 0 ? '+' : ''}${number(Number(value.toPrecision(6)))}`;

/** The panel. `losses`, by state, come later. */
export function comparison(
  costs: { name: string; label: string }[],
  pinned: Setting,
  now: Setting,
  all: Difference[],
  select: (state: string) => void,
  losses: Map<string, number>,
): Child[] {
  const head = (...names: string[]) => h('thead', {}, h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name))));
  const budget = (bound: number | null | undefined) => (bound === undefined ? '' : bound === null ? 'no limit' : `≤ ${number(bound)}`);
  const costRows = rowsOf(costs, pinned, now).map(({ cost, bounds, values }) =>
    h('tr', {},
      h('th', { scope: 'row' }, cost),
      h('td', {}, budget(bounds[0])), h('td', {}, number(values[0])),
      h('td', {}, budget(bounds[1])), h('td', {}, number(values[1])),
      h('td', { class: 'difference' }, values[0] === undefined || values[1] === undefined ? '–' : signed(values[1] - values[0])),
    ),
  );
  const stateRows = all.slice(0, mostRows).map(({ state, pinned: a, now: b, visits, spent }) =>
    h('tr', {},
      h('th', { scope: 'row' }, b === '' ? state : h('button', { type: 'button', class: 'link', onclick: () => select(state) }, state)),
      h('td', { class: 'text' }, a || h('em', {}, 'not visited')),
      h('td', { class: 'text' }, b || h('em', {}, 'not visited')),
      h('td', { class: 'visits' }, `${number(Number(visits[0].toPrecision(3)))} → ${number(Number(visits[1].toPrecision(3)))}`),
      ...spent.map((value) => h('td', {}, signed(Number(value.toPrecision(4))))),
      h('td', {}, losses.has(state) ? signed(Number(losses.get(state)!.toPrecision(4))) : ''),
    ),
  );
  const rest = all.length - stateRows.length;
  return [
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Costs of both settings' },
      h('table', { id: 'compare-costs' }, head('cost', 'pinned bound', 'pinned', 'bound now', 'now', 'difference'), h('tbody', {}, ...costRows))),
    h('h3', { class: 'spaced' }, all.length === 0 ? 'Both policies do the same everywhere' : `They differ in ${count(all.length, 'state')}`),
    all.length === 0 ? null
      : h('p', { class: 'lead' },
          `Spent: what is spent of each cost in that state, now less pinned. Loss: what the pinned choice would cost there at the prices of now, in ${costs[0].label}.`),
    all.length === 0 ? null
      : h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'States in which the policies differ' },
          h('table', { id: 'compare-states', class: 'states' },
            head('state', 'pinned', 'now', 'visits', ...costs.map(({ label }) => `${label} spent`), 'loss'),
            h('tbody', {}, ...stateRows))),
    rest > 0 ? h('p', { class: 'lead' }, `… and ${count(rest, 'state')} more; the exported table has all of them.`) : null,
  ];
}
