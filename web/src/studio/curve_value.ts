// The optimal cost as a function of one bound, from the breakpoints of a sweep: exact as long as the
// other bounds stay as they were.
import type { SweepCurve as Sweep } from '../data';

export type Point = [bound: number, objective: number];

/** The corners of the curve within the range that was swept, from left to right. */
export function corners(sweep: Sweep): Point[] {
  const points: Point[] = [];
  for (const { bound, objective } of [...sweep.points, ...(sweep.breakpoints ?? [])])
    if (typeof objective === 'number') points.push([bound, objective]);
  points.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return points.filter(([bound], i) => i === 0 || bound > points[i - 1][0] + 1e-12);
}

/** Where to snap to: where the slope changes, where it begins and where it becomes level. */
export function kinks(sweep: Sweep): number[] {
  return (sweep.breakpoints ?? []).map(({ bound }) => bound).sort((a, b) => a - b);
}

/** Undefined where the curve says nothing; Infinity where no policy meets the bound. */
export function valueAt(sweep: Sweep, bound: number): number | undefined {
  const points = corners(sweep);
  const least = sweep.infeasible_below;
  if (typeof least === 'number' && bound < least - 1e-9 * Math.max(1, least)) return Infinity;
  if (points.length === 0) return undefined;
  const slack = sweep.slack_above;
  const last = points[points.length - 1];
  if (bound >= last[0])
    return bound === last[0] || typeof slack === 'number' ? last[1] : undefined;
  if (bound <= points[0][0]) return typeof least === 'number' ? points[0][1] : undefined;
  const right = points.findIndex(([at]) => at >= bound);
  const [[a, left], [b, height]] = [points[right - 1], points[right]];
  return left + ((bound - a) / (b - a)) * (height - left);
}

/** What one more unit saves. */
export function priceAt(sweep: Sweep, bound: number): number | undefined {
  const points = corners(sweep);
  for (let i = 1; i < points.length; ++i) {
    const [[a, left], [b, right]] = [points[i - 1], points[i]];
    if (bound >= a && bound < b) return Math.max(0, (left - right) / (b - a));
  }
  const last = points[points.length - 1];
  return last && bound >= last[0] && typeof sweep.slack_above === 'number' ? 0 : undefined;
}

/** The nearest kink within reach, or the value itself. */
export function snapped(value: number, at: number[], reach: number): number {
  let best = value;
  for (const kink of at)
    if (Math.abs(kink - value) <= reach && (best === value || Math.abs(kink - value) < Math.abs(best - value)))
      best = kink;
  return best;
}

/** A round number that is not less. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((digit) => digit * power).find((v) => v >= value * 0.9999)!;
}
