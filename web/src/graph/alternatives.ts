// Why this action: what the others would cost, if somebody has worked it out.
import type { ExplainedState } from '../data';
import { h, type Child } from '../dom';
import { number, percent, plain } from '../format';

function difference({ without_bounds, decisive, actions }: ExplainedState): Child[] {
  if (without_bounds === undefined) return [];
  const best = actions.some(({ name, loss }) => name === without_bounds && loss === 0);
  const texts = [
    best
      ? `Without any bound ${plain(without_bounds)} would be best, too.`
      : `Without any bound ${plain(without_bounds)} would be best.`,
    ...Object.entries(decisive).map(
      ([cost, action]) =>
        `The bound on ${cost} makes the difference: without it ${plain(action)} would be best.`,
    ),
  ];
  return texts.map((text) => h('p', {}, text));
}

export function alternatives(state: ExplainedState | undefined, costs: string[]): Child[] {
  if (!state) return [];
  const head = ['action', 'loss', ...costs].map((name) => h('th', { scope: 'col' }, name));
  const rows = state.actions.map(({ name, probability, loss, costs: values }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, plain(name), probability > 0 ? ` (${percent(probability)})` : null),
      h('td', {}, number(loss)),
      ...costs.map((_, i) => h('td', {}, number(values?.[i]))),
    ),
  );
  return [
    h('h4', {}, 'Why this action'),
    h(
      'div',
      { class: 'scroll alternatives' },
      h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)),
    ),
    ...difference(state),
  ];
}
