// The deterministic policies that a stochastic one is a mixture of.
import type { Report } from './data';
import { h, section } from './dom';
import { number, percent } from './format';

export function mixture({ result, costs }: Report): HTMLElement | null {
  const parts = result.policy?.mixture ?? [];
  if (parts.length < 2 || !result.costs) return null;
  const row = (head: HTMLElement, cells: string[]) =>
    h('tr', {}, head, ...cells.map((cell) => h('td', {}, cell)));
  const share = (weight: number) => {
    const bar = h('span', { class: 'share', 'aria-hidden': 'true' });
    bar.style.width = `${100 * weight}%`;
    return h('th', { scope: 'row' }, h('span', {}, percent(weight)), bar);
  };
  const bounds = new Map(result.constraints.map(({ cost, bound }) => [cost, bound]));
  const table = h(
    'table',
    {},
    h(
      'thead',
      {},
      h('tr', {}, ...['weight', ...costs].map((name) => h('th', { scope: 'col' }, name))),
    ),
    h(
      'tbody',
      {},
      ...parts.map(({ weight, costs: values }) => row(share(weight), values.map(number))),
    ),
    h(
      'tfoot',
      {},
      row(
        h('th', { scope: 'row' }, 'together'),
        costs.map((name) => number(result.costs![name])),
      ),
      row(
        h('th', { scope: 'row' }, 'bound'),
        costs.map((name) => (bounds.has(name) ? number(bounds.get(name)) : '')),
      ),
    ),
  );
  return section(
    'mixture',
    'The mixture',
    `Choosing one of these ${parts.length} deterministic policies before the start, ` +
      'with these chances, has the same expected costs.',
    h('div', { class: 'scroll' }, table),
  );
}
