// L(λ), what the outer search maximises, and the λ it visited: a curve for one bound, a surface
// seen from above for two. Of more bounds, two vary and the others stay at the λ that was found.
import { contours } from 'd3-contour';
import { scaleLinear } from 'd3-scale';
import type { Constraint, Report, TracePoint } from '../data';
import { h, section, svg } from '../dom';
import { briefly, number } from '../format';
import { lowerEnvelope, type Line } from './envelope';
import { dot, figure, frame, padded, path, type Frame } from './frame';

/** f + g·λ, one g per constraint. */
interface Cut {
  f: number;
  g: number[];
}

interface Dual {
  constraints: Constraint[];
  infeasible: boolean;
  primary: string;
  cuts: Cut[];
  trace: TracePoint[];
  best: number[]; // λ*; without one, the last λ visited
  found: boolean; // there is a λ*: not if the bounds cannot be met
}

function dual({ result, costs }: Report): Dual | null {
  const { constraints, trace, cuts } = result;
  if (!trace?.length || !cuts?.length) return null;
  const found = constraints.every(({ multiplier }) => typeof multiplier === 'number');
  const column = constraints.map(({ cost }) => costs.indexOf(cost));
  return {
    constraints,
    infeasible: result.status === 'infeasible',
    primary: costs[0],
    trace,
    cuts: cuts.map((cut) => ({
      f: cut[0],
      g: column.map((c, i) => cut[c] - constraints[i].bound),
    })),
    best: found ? constraints.map(({ multiplier }) => multiplier!) : trace.at(-1)!.multipliers,
    found,
  };
}

const envelopeNote = 'Their minimum is L wherever it was asked for, and not below it elsewhere.';

function value(cuts: Cut[], lambda: number[]): number {
  let least = Infinity;
  for (const { f, g } of cuts) {
    let sum = f;
    for (let i = 0; i < g.length; ++i) sum += g[i] * lambda[i];
    if (sum < least) least = sum;
  }
  return least;
}

/** How far to draw: λ* well inside, and most of the visited ones. */
function extent(dual: Dual, i: number): number {
  const visited = dual.trace.map(({ multipliers }) => multipliers[i]).sort((a, b) => a - b);
  const most = visited[Math.floor(0.9 * (visited.length - 1))];
  const best = dual.best[i];
  const reach =
    best > 0 ? Math.min(Math.max(1.8 * best, 1.15 * most), 5 * best) : 1.25 * visited.at(-1)!;
  return reach > 0 ? reach : 1;
}

function pointText(dual: Dual, point: TracePoint, number_: number): string {
  const lambda = dual.constraints
    .map(({ cost }, i) => `λ ${cost} = ${number(point.multipliers[i])}`)
    .join(', ');
  return `visited as number ${number_}: ${lambda}, L = ${number(point.value)}`;
}

function markVisited(
  chart: Frame,
  dual: Dual,
  place: (point: TracePoint) => [number, number],
): void {
  dual.trace.forEach((point, i) => {
    const at = place(point);
    chart.plot.append(dot(chart, at, 'visited', pointText(dual, point, i + 1), 3.5));
  });
}

/** λ* and what L is there. */
function markBest(chart: Frame, dual: Dual, at: [number, number]): void {
  if (!dual.found) return;
  const lambda = dual.best.map(number).join(', ');
  const top = number(value(dual.cuts, dual.best));
  const shown = dual.best.length === 1 ? lambda : `(${lambda})`;
  chart.overlay.append(star(chart, at, `the best: λ = ${shown}, L = ${top}`));
}

/** What the highest point says, or that there is none. */
function aboutTop(dual: Dual, top: string): string {
  if (dual.found) return top;
  return dual.infeasible
    ? 'There is no highest point: L grows beyond any cost, because no policy meets all bounds.'
    : 'The search ended before its highest point was known.';
}

function keysOf(dual: Dual, ...keys: [string, string][]): [string, string][] {
  keys.push(['visited', 'λ visited']);
  if (dual.found) keys.push(['best', 'λ*']);
  return keys;
}

function star(chart: Frame, at: [number, number], text: string): SVGElement {
  const points = Array.from({ length: 10 }, (_, k) => {
    const r = k % 2 ? 4 : 9.5;
    const angle = (Math.PI * k) / 5 - Math.PI / 2;
    return `${chart.x(at[0]) + r * Math.cos(angle)},${chart.y(at[1]) + r * Math.sin(angle)}`;
  });
  return svg(
    'polygon',
    { points: points.join(' '), class: 'best', tabindex: 0, 'aria-label': text },
    svg('title', {}, text),
  );
}

function curve(dual: Dual, i: number): HTMLElement {
  const { cost } = dual.constraints[i];
  const reach = extent(dual, i);
  const fixed = (cut: Cut) =>
    cut.g.reduce((sum, g, k) => (k === i ? sum : sum + g * dual.best[k]), cut.f);
  const lines: Line[] = dual.cuts.map((cut) => ({ at0: fixed(cut), slope: cut.g[i] }));
  const envelope = lowerEnvelope(lines, 0, reach);
  const heights = envelope.map(([, y]) => y);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const chart = frame({
    label: `The dual function L over the multiplier of ${cost}`,
    x: [0, reach],
    y: padded([low, high], 0.12),
    xTitle: `λ ${cost}  (${dual.primary} per unit)`,
    yTitle: 'L(λ)',
    tall: true,
  });
  for (const { at0, slope } of lines)
    chart.plot.append(
      svg('path', {
        class: 'line cut',
        d: path(
          [
            [0, at0],
            [reach, at0 + slope * reach],
          ],
          chart,
        ),
      }),
    );
  chart.plot.append(svg('path', { class: 'line dual', d: path(envelope, chart) }));
  if (dual.constraints.length === 1)
    markVisited(chart, dual, (point) => [point.multipliers[i], point.value]);
  markBest(chart, dual, [dual.best[i], value(dual.cuts, dual.best)]);
  const top = 'Its maximum is the optimal cost, and the λ there is the shadow price.';
  return figure(
    chart.root,
    `Each thin line is a deterministic policy that was found. ${envelopeNote} ${aboutTop(dual, top)}`,
    keysOf(dual, ['dual', 'L(λ)'], ['cut', 'one policy']),
  );
}

/** Light to dark, and still ordered for those who see no colours. */
const ramp = ['#f2f0e6', '#c9dfc8', '#86c2bb', '#4294b1', '#275f96', '#1b2f6b'];
const resolution = 120;

function surface(dual: Dual, i: number, j: number): HTMLElement {
  const [width, height] = [extent(dual, i), extent(dual, j)];
  const names = [dual.constraints[i].cost, dual.constraints[j].cost];
  const lambda = [...dual.best];
  const grid = new Float64Array(resolution * resolution);
  for (let row = 0; row < resolution; ++row)
    for (let column = 0; column < resolution; ++column) {
      lambda[i] = (width * (column + 0.5)) / resolution;
      lambda[j] = (height * (row + 0.5)) / resolution;
      grid[row * resolution + column] = value(dual.cuts, lambda);
    }
  const top = value(dual.cuts, dual.best);
  const sorted = Float64Array.from(grid).sort();
  // Far from λ* the surface can fall steeply; there is nothing to see in its last tenth.
  const low = sorted[Math.floor(0.1 * sorted.length)];
  const high = Math.max(top, sorted[sorted.length - 1]);
  const levels = 14;
  const thresholds = Array.from({ length: levels }, (_, k) => low + ((high - low) * k) / levels);
  const color = scaleLinear<string>(
    ramp.map((_, k) => low + ((high - low) * k) / (ramp.length - 1)),
    ramp,
  ).clamp(true);
  const chart = frame({
    label: `The dual function L over the multipliers of ${names[0]} and ${names[1]}`,
    x: [0, width],
    y: [0, height],
    xTitle: `λ ${names[0]}  (${dual.primary} per unit)`,
    yTitle: `λ ${names[1]}  (${dual.primary} per unit)`,
    tall: true,
    grid: false,
  });
  chart.plot.append(svg('rect', { x: 0, y: 0, width: 2000, height: 2000, fill: ramp[0] }));
  const ring = (points: number[][]) =>
    `${points
      .map(([a, b], k) => {
        const at = [chart.x((width * a) / resolution), chart.y((height * b) / resolution)];
        return `${k ? 'L' : 'M'}${at[0].toFixed(1)} ${at[1].toFixed(1)}`;
      })
      .join('')}Z`;
  for (const shape of contours().size([resolution, resolution]).thresholds(thresholds)(
    Array.from(grid),
  ))
    chart.plot.append(
      svg('path', {
        class: 'contour',
        fill: color(shape.value + (high - low) / levels / 2),
        d: shape.coordinates.flatMap((polygon) => polygon.map(ring)).join(''),
      }),
    );
  const way = dual.trace.map((p): [number, number] => [p.multipliers[i], p.multipliers[j]]);
  chart.plot.append(svg('path', { class: 'line way', d: path(way, chart) }));
  markVisited(chart, dual, (point) => [point.multipliers[i], point.multipliers[j]]);
  markBest(chart, dual, [dual.best[i], dual.best[j]]);
  const [lowText, highText] = briefly([low, high]);
  const scale = h('div', { class: 'ramp', 'aria-hidden': 'true' });
  scale.append(
    h('span', {}, `L ≤ ${lowText}`),
    ...ramp.map((fill) => {
      const box = h('i');
      box.style.backgroundColor = fill;
      return box;
    }),
    h('span', {}, highText),
  );
  const fixed = dual.found ? 'λ*' : 'those visited last';
  const others = dual.constraints.length > 2 ? ` The other multipliers stay at ${fixed}.` : '';
  const highest = aboutTop(dual, 'Its highest point is the optimal cost.');
  const result = figure(
    chart.root,
    `Seen from above: every flat piece is a deterministic policy that was found. ${envelopeNote} ` +
      `${highest} The line is the way of the search.${others}`,
    keysOf(dual),
  );
  result.insertBefore(scale, result.lastElementChild);
  return result;
}

/** Which bounds to look at, if there are more than two. */
function chooser(dual: Dual, show: (i: number, j: number) => HTMLElement): HTMLElement {
  const select = (chosen: number, label: string) =>
    h(
      'select',
      { 'aria-label': label },
      ...dual.constraints.map(({ cost }, k) =>
        h('option', { value: k, selected: k === chosen }, cost),
      ),
    );
  // The bounds that matter most come first.
  const order = dual.best.map((_, k) => k).sort((a, b) => dual.best[b] - dual.best[a]);
  const [first, second] = [select(order[0], 'horizontal'), select(order[1], 'vertical')];
  const place = h('div');
  const refresh = () => {
    const [i, j] = [Number(first.value), Number(second.value)];
    place.replaceChildren(i === j ? curve(dual, i) : show(i, j));
  };
  first.addEventListener('change', refresh);
  second.addEventListener('change', refresh);
  refresh();
  return h('div', {}, h('div', { class: 'toolbar' }, first, ' and ', second), place);
}

export function dualFunction(report: Report): HTMLElement | null {
  const all = dual(report);
  if (!all || all.constraints.length === 0) return null;
  const show = (i: number, j: number) => surface(all, i, j);
  const content =
    all.constraints.length === 1
      ? curve(all, 0)
      : all.constraints.length === 2
        ? surface(all, 0, 1)
        : chooser(all, show);
  return section('dual', 'The price of the bounds', null, content);
}
