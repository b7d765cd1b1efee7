// The deterministic policies that a stochastic one is a mixture of.
import type { Report } from './data';
import { showPart } from './graph/section';
import { h, section } from './dom';
import { number, percent } from './format';

export function mixture({ result, costs, parts: policies }: Report): HTMLElement | null {
  const parts = result.policy?.mixture ?? [];
  if (parts.length < 2 || !result.costs) return null;
  const row = (head: HTMLElement, cells: string[]) =>
    h('tr', {}, head, ...cells.map((cell) => h('td', {}, cell)));
  const share = (weight: number, i: number) => {
    const bar = h('span', { class: 'share', 'aria-hidden': 'true' });
    bar.style.width = `${100 * weight}%`;
    const show = {
      class: 'link show',
      type: 'button',
      'aria-label': `Show policy ${i + 1} in the graph`,
      onclick: () => showPart(i),
    };
    const button = policies ? h('button', show, 'show') : null;
    return h('th', { scope: 'row' }, h('span', {}, percent(weight)), button, bar);
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
      ...parts.map(({ weight, costs: values }, i) => row(share(weight, i), values.map(number))),
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
      'with these chances, has the same expected costs.' +
      (policies ? ' “show” draws one of them in the graph above.' : ''),
    h('div', { class: 'scroll' }, table),
  );
}
