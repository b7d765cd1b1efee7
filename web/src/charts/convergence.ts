// How the lower and the upper bound on the optimal cost met.
import type { Report } from '../data';
import { section, svg } from '../dom';
import { duration, number } from '../format';
import { dot, figure, frame, padded, path } from './frame';

/** The value holds until the next point. */
function steps(points: [number, number][], end: number): [number, number][] {
  const result: [number, number][] = [];
  points.forEach(([time, value], i) => {
    result.push([time, value], [points[i + 1]?.[0] ?? end, value]);
  });
  return result;
}

export function convergence({ result, costs }: Report): HTMLElement | null {
  const trace = result.trace ?? [];
  if (trace.length < 2) return null;
  const end = trace[trace.length - 1].seconds * 1.02;
  const lower = trace.map((p): [number, number] => [p.seconds, p.lower_bound]);
  const upper = trace
    .filter((p) => p.upper_bound !== null)
    .map((p): [number, number] => [p.seconds, p.upper_bound!]);
  const values = [...lower, ...upper].map(([, value]) => value);
  const chart = frame({
    label: `Lower and upper bounds on the optimal ${costs[0]} over time`,
    x: [0, end],
    y: padded([Math.min(...values), Math.max(...values)]),
    xTitle: 'solving time',
    yTitle: costs[0],
    xTick: duration,
    tall: true,
  });
  chart.plot.append(
    svg('path', { class: 'line lower', d: path(steps(lower, end), chart) }),
    svg('path', { class: 'line upper', d: path(steps(upper, end), chart) }),
  );
  trace.forEach((point, i) => {
    const lambda = point.multipliers.map(number).join(', ');
    const text = `query ${i + 1} after ${duration(point.seconds)}: λ = (${lambda})`;
    chart.plot.append(
      dot(
        chart,
        [point.seconds, point.lower_bound],
        'lower',
        `${text}, at least ${number(point.lower_bound)}`,
        3.5,
      ),
    );
    if (point.upper_bound !== null)
      chart.plot.append(
        dot(
          chart,
          [point.seconds, point.upper_bound],
          'upper',
          `${text}, at most ${number(point.upper_bound)}`,
          3.5,
        ),
      );
  });
  const keys: [string, string][] = [['lower', 'lower bound']];
  if (upper.length > 0) keys.push(['upper', 'upper bound']);
  return section(
    'convergence',
    upper.length > 0 ? 'How the bounds met' : 'How the lower bound grew',
    null,
    figure(
      chart.root,
      upper.length > 0
        ? 'Every scalarised problem raises the lower bound or brings a policy; a mixture of the ' +
            'policies found is the upper bound. It begins with the first that meets all bounds.'
        : 'Every scalarised problem raises the lower bound. There is no upper bound: no mixture of ' +
            'the policies found meets all bounds.',
      keys,
    ),
  );
}
