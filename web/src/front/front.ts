// All trade-offs between some costs: a picture of the front, and the policy of the vertex that is
// chosen in it.
import type { Front, Report } from '../data';
import { h, section } from '../dom';
import { count, number, percent } from '../format';
import { plane } from './plane';
import { space } from './space';

/** What a picture is given: where to draw, and what to do when a vertex is chosen. */
export interface Picture {
  front: Front;
  names: string[]; // of all costs
  text: (vertex: number) => string;
  choose: (vertex: number) => void;
}

const mostRows = 500;

function stateText(state: string | string[]): string {
  return Array.isArray(state) ? state.join(' ') : state;
}

/** What to do where, the most visited states first. */
function policyTable(front: Front, vertex: number): Node {
  const states = front.vertices[vertex].states;
  if (!states)
    return h('p', {}, 'The file has no policies: write it without --no-policies to see them.');
  const sorted = [...states].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0));
  const rows = sorted.slice(0, mostRows).map(({ state, visits, actions }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, stateText(state)),
      h(
        'td',
        {},
        actions
          .map(({ name, probability }) =>
            probability < 1 ? `${percent(probability)} ${name}` : name,
          )
          .join(', '),
      ),
      h('td', {}, number(visits)),
    ),
  );
  const head = ['state', 'action', 'visits'].map((name) => h('th', { scope: 'col' }, name));
  const rest = states.length - rows.length;
  return h(
    'div',
    { class: 'scroll' },
    h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)),
    rest > 0 ? h('p', {}, `… and ${count(rest, 'state')} that are visited less often`) : null,
  );
}

function details(report: Report, front: Front, vertex: number): Node[] {
  const { costs, deterministic, states } = front.vertices[vertex];
  const kind = deterministic ? 'tosses no coin' : 'tosses a coin in some states';
  const size = states ? `, ${count(states.length, 'state')}` : '';
  return [
    h('h3', {}, `Vertex ${vertex + 1}`),
    h('p', { class: 'lead' }, `A policy that ${kind}${size}.`),
    h(
      'dl',
      { class: 'values' },
      ...report.costs.map((name, c) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, number(costs[c]))),
      ),
    ),
    policyTable(front, vertex),
  ];
}

export function frontSection(report: Report): HTMLElement | null {
  const { front } = report;
  if (!front || front.vertices.length === 0) return null;
  const panel = h('div', { id: 'vertex', 'aria-live': 'polite' });
  const names = front.costs.map((c) => report.costs[c]);
  const text = (vertex: number) =>
    `vertex ${vertex + 1}: ${front.costs
      .map((c, i) => `${names[i]} ${number(front.vertices[vertex].costs[c])}`)
      .join(', ')}`;
  const picture: Picture = {
    front,
    names: report.costs,
    text,
    choose: (vertex) => panel.replaceChildren(...details(report, front, vertex)),
  };
  const exact = typeof front.distance === 'number' && front.distance <= 1e-6;
  const closeness = exact
    ? 'This is all of it, exactly.'
    : `No policy is below it by more than ${percent(front.distance ?? Infinity)} of the range of each cost.`;
  const vertices = front.vertices.length === 1 ? '1 vertex' : `${front.vertices.length} vertices`;
  picture.choose(0);
  return section(
    'front',
    `The trade-off between ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
    `${vertices}, each a policy that nothing beats in all of these costs; between neighbours, a ` +
      `coin decides which of them to follow. ${closeness} Choose a vertex to see its policy.`,
    h(
      'div',
      { class: 'front' },
      front.costs.length === 2
        ? plane(picture)
        : front.costs.length === 3
          ? space(picture)
          : h('p', {}, 'Fronts of more than three costs have no picture.'),
      panel,
    ),
  );
}
