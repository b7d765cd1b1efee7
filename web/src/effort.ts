// What it took to find the solution.
import type { Report } from './data';
import { h, section } from './dom';
import { duration, number } from './format';

const phases = ['parse', 'ground', 'heuristic', 'search', 'extract'];
const figures: [string, string][] = [
  ['scalarised_ssps', 'scalarised problems'],
  ['expanded', 'states expanded'],
  ['generated', 'states generated'],
  ['evaluated', 'heuristic evaluations'],
  ['backups', 'backups'],
  ['lp_solves', 'linear programs'],
  ['peak_memory_mb', 'MB of memory at most'],
];

export function effort({ result }: Report): HTMLElement | null {
  const statistics = result.statistics;
  if (!statistics?.seconds) return null;
  const { seconds } = statistics;
  const spent = phases.map((name) => ({ name, time: Math.max(0, seconds[name] ?? 0) }));
  const sum = spent.reduce((total, { time }) => total + time, 0) || 1;
  const bar = h('div', { class: 'split', 'aria-hidden': 'true' });
  const legend = h('ul', { class: 'legend' });
  spent.forEach(({ name, time }, i) => {
    const part = h('div', { class: `phase-${i}` });
    part.style.width = `${(100 * time) / sum}%`;
    bar.append(part);
    legend.append(h('li', {}, h('span', { class: `dot phase-${i}` }), `${name} ${duration(time)}`));
  });
  const list = h('dl', { class: 'figures' });
  for (const [key, label] of figures)
    if (typeof statistics[key] === 'number')
      list.append(
        h(
          'div',
          {},
          h('dt', {}, label),
          h('dd', {}, number(Math.round(statistics[key] as number))),
        ),
      );
  const method = [result.algorithm, result.outer, result.heuristic].filter(Boolean).join(', ');
  return section(
    'effort',
    'How it was found',
    `${method}: ${duration(seconds.total ?? sum)} in all.`,
    bar,
    legend,
    list,
  );
}
