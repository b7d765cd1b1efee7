// The optimal cost as one bound varies: piecewise linear and convex.
import type { Report } from '../data';
import { section, svg } from '../dom';
import { number } from '../format';
import { dot, figure, frame, padded, path } from './frame';

export function tradeOff({ sweep, result, costs }: Report): HTMLElement | null {
  if (!sweep) return null;
  const solved = sweep.points.filter((point) => typeof point.objective === 'number');
  const corners = sweep.breakpoints ?? [];
  const all = [...solved, ...corners].map((p): [number, number] => [p.bound, p.objective!]);
  if (all.length === 0) return null;
  const here = result.constraints.find(({ cost }) => cost === sweep.cost);
  const bounds = [...sweep.points.map(({ bound }) => bound), ...all.map(([bound]) => bound)];
  if (here) bounds.push(here.bound);
  const heights = all.map(([, objective]) => objective);
  const chart = frame({
    label: `The optimal ${costs[0]} as the bound on ${sweep.cost} varies`,
    x: padded([Math.min(...bounds), Math.max(...bounds)], 0.03),
    y: padded([Math.min(...heights), Math.max(...heights)]),
    xTitle: `bound on ${sweep.cost}`,
    yTitle: `optimal ${costs[0]}`,
  });
  const [left, right] = chart.x.range();
  const [bottom, top] = chart.y.range();
  const infeasible = sweep.infeasible_below;
  if (typeof infeasible === 'number' && chart.x(infeasible) > left)
    chart.plot.append(
      svg('rect', {
        class: 'infeasible',
        x: left,
        y: top,
        width: Math.min(right, chart.x(infeasible)) - left,
        height: bottom - top,
      }),
    );
  all.sort((a, b) => a[0] - b[0]);
  chart.plot.append(svg('path', { class: 'line dual', d: path(all, chart) }));
  if (typeof sweep.slack_above === 'number') {
    const x = chart.x(sweep.slack_above);
    chart.plot.append(svg('line', { class: 'mark', x1: x, x2: x, y1: top, y2: bottom }));
  }
  const at = (bound: number, objective: number | null) =>
    `${sweep.cost} ≤ ${number(bound)}: ${costs[0]} ${number(objective)}`;
  for (const point of solved) {
    const price =
      point.multiplier === undefined ? '' : `, one more unit saves ${number(point.multiplier)}`;
    const text = at(point.bound, point.objective) + price;
    chart.plot.append(dot(chart, [point.bound, point.objective!], 'visited', text, 3.5));
  }
  for (const corner of corners) {
    const text = `a corner: ${at(corner.bound, corner.objective)}`;
    chart.plot.append(dot(chart, [corner.bound, corner.objective], 'corner', text, 4));
  }
  if (here && typeof result.objective === 'number')
    chart.overlay.append(
      dot(
        chart,
        [here.bound, result.objective],
        'best',
        `this solution: ${at(here.bound, result.objective)}`,
        6.5,
      ),
    );
  const words: string[] = [];
  if (typeof infeasible === 'number')
    words.push(`Below ${number(infeasible)} no policy meets the bound.`);
  if (typeof sweep.slack_above === 'number')
    words.push(`Above ${number(sweep.slack_above)} the bound no longer matters.`);
  return section(
    'trade-off',
    `What ${sweep.cost} buys`,
    words.join(' '),
    figure(chart.root, 'The slope is the shadow price; it changes at the corners only.', [
      ['dual', `optimal ${costs[0]}`],
      ['visited', 'solved'],
      ['corner', 'corner'],
      ['best', 'this solution'],
    ]),
  );
}
