// The optimal cost as one bound varies: piecewise linear and convex. If a second bound varies there
// is a curve for each of its values, with that value at its end.
import type { Report, Sweep, SweepCurve } from '../data';
import { section, svg } from '../dom';
import { number } from '../format';
import { dot, figure, frame, padded, path, type Frame } from './frame';
import { spreadLabels } from './labels';

interface Curve extends SweepCurve {
  second?: number;
  line: [number, number][]; // ascending
}

function curvesOf(sweep: Sweep): Curve[] {
  const all: (SweepCurve & { second?: { value: number } })[] = sweep.curves ?? [sweep];
  return all.map((curve) => {
    const line = [...curve.points, ...(curve.breakpoints ?? [])]
      .filter(({ objective }) => typeof objective === 'number')
      .map(({ bound, objective }): [number, number] => [bound, objective!]);
    line.sort((a, b) => a[0] - b[0]);
    return { ...curve, second: curve.second?.value, line };
  });
}

function describe(sweep: Sweep, primary: string, curve: Curve, bound: number, value: number) {
  const second =
    sweep.curves && curve.second !== undefined
      ? `, ${sweep.second_cost} ≤ ${number(curve.second)}`
      : '';
  return `${sweep.cost} ≤ ${number(bound)}${second}: ${primary} ${number(value)}`;
}

function drawCurve(chart: Frame, sweep: Sweep, curves: Curve[], i: number, primary: string): void {
  const curve = curves[i];
  const line = svg('path', { class: 'line dual', d: path(curve.line, chart) });
  // Of many curves: from light to dark, as the second bound grows.
  if (curves.length > 1) line.style.strokeOpacity = String(0.4 + (0.6 * i) / (curves.length - 1));
  chart.plot.append(line);
  for (const { bound, objective, multiplier } of curve.points) {
    if (typeof objective !== 'number') continue;
    const price =
      typeof multiplier === 'number' ? `, one more unit saves ${number(multiplier)}` : '';
    const text = describe(sweep, primary, curve, bound, objective) + price;
    chart.plot.append(
      dot(chart, [bound, objective], 'visited', text, curves.length > 1 ? 2.5 : 3.5),
    );
  }
  for (const { bound, objective } of curve.breakpoints ?? []) {
    const text = `a corner: ${describe(sweep, primary, curve, bound, objective)}`;
    chart.plot.append(dot(chart, [bound, objective], 'corner', text, curves.length > 1 ? 3 : 4));
  }
}

/** The value of the second bound at the end of each curve. */
function labelEnds(chart: Frame, curves: Curve[], second: string): void {
  const [, right] = chart.x.range();
  const drawn = curves.filter(({ line }) => line.length > 0);
  const wanted = drawn.map(({ line }) => chart.y(line.at(-1)![1]));
  spreadLabels(wanted, 14).forEach((y, i) => {
    const text = `${second} ≤ ${number(drawn[i].second)}`;
    chart.overlay.append(svg('text', { class: 'curve-label', x: right + 6, y: y + 4 }, text));
  });
}

function shadeInfeasible(chart: Frame, below: number | null | undefined): void {
  const [left, right] = chart.x.range();
  const [bottom, top] = chart.y.range();
  if (typeof below !== 'number' || chart.x(below) <= left) return;
  const width = Math.min(right, chart.x(below)) - left;
  chart.plot.append(
    svg('rect', { class: 'infeasible', x: left, y: top, width, height: bottom - top }),
  );
}

function words(sweep: Sweep, curves: Curve[]): string {
  if (sweep.curves)
    return `One curve for each bound on ${sweep.second_cost}; a curve begins where the bounds can be met.`;
  const [{ infeasible_below: infeasible, slack_above: slack }] = curves;
  const texts: string[] = [];
  if (typeof infeasible === 'number')
    texts.push(`Below ${number(infeasible)} no policy meets the bound.`);
  if (typeof slack === 'number') texts.push(`Above ${number(slack)} the bound no longer matters.`);
  return texts.join(' ');
}

export function tradeOff({ sweep, result, costs }: Report): HTMLElement | null {
  if (!sweep) return null;
  const curves = curvesOf(sweep);
  const all = curves.flatMap(({ line }) => line);
  if (all.length === 0) return null;
  const here = result.constraints.find(({ cost }) => cost === sweep.cost);
  const bounds = [...curves.flatMap(({ points }) => points.map(({ bound }) => bound))];
  bounds.push(...all.map(([bound]) => bound));
  if (here) bounds.push(here.bound);
  const heights = all.map(([, objective]) => objective);
  if (here && typeof result.objective === 'number') heights.push(result.objective);
  const longest = Math.max(...curves.map(({ second }) => number(second).length));
  const chart = frame({
    label: `The optimal ${costs[0]} as the bound on ${sweep.cost} varies`,
    x: padded([Math.min(...bounds), Math.max(...bounds)], 0.03),
    y: padded([Math.min(...heights), Math.max(...heights)]),
    xTitle: `bound on ${sweep.cost}`,
    yTitle: `optimal ${costs[0]}`,
    right: sweep.curves
      ? 20 + 7 * (Math.min(sweep.second_cost.length, 20) + 3 + longest)
      : undefined,
  });
  const least = curves.map(({ infeasible_below: below }) => below ?? -Infinity);
  const shaded = Math.min(...least);
  shadeInfeasible(chart, Number.isFinite(shaded) ? shaded : null);
  const [bottom, top] = chart.y.range();
  if (!sweep.curves && typeof curves[0].slack_above === 'number') {
    const x = chart.x(curves[0].slack_above);
    chart.plot.append(svg('line', { class: 'mark', x1: x, x2: x, y1: top, y2: bottom }));
  }
  curves.forEach((_, i) => drawCurve(chart, sweep, curves, i, costs[0]));
  if (sweep.curves) labelEnds(chart, curves, sweep.second_cost);
  const keys: [string, string][] = [
    ['dual', `optimal ${costs[0]}`],
    ['visited', 'solved'],
    ['corner', 'corner'],
  ];
  if (here && typeof result.objective === 'number') {
    const text = `this solution: ${sweep.cost} ≤ ${number(here.bound)}: ${costs[0]} ${number(result.objective)}`;
    chart.overlay.append(dot(chart, [here.bound, result.objective], 'best', text, 6.5));
    keys.push(['best', 'this solution']);
  }
  if (Number.isFinite(shaded)) keys.push(['infeasible', 'infeasible']);
  return section(
    'trade-off',
    sweep.curves ? `What ${sweep.cost} and ${sweep.second_cost} buy` : `What ${sweep.cost} buys`,
    words(sweep, curves),
    figure(chart.root, 'The slope is the shadow price; it changes at the corners only.', keys),
  );
}
